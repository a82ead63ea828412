import ArcFormat
import ArcJSON
import ArcRuntime

/// The names of the members that properties read, in an object and in its nested objects. A path such as
/// `address.city` reads a member of a nested object.
///
/// `MemberNames` determines which members no property reads. `MemberTable` determines which property reads a
/// member.
struct MemberNames {
  private var parts: [ExactName: Part] = [:]

  /// The part of a member that properties read: nothing, the whole value, or only some members of its value,
  /// which is an object.
  enum Part {
    case nothing
    case whole
    case members(MemberNames)
  }

  init(_ paths: [JSONPath]) { for path in paths { add(path.steps[...]) } }

  private mutating func add(_ steps: ArraySlice<JSONPath.Step>) {
    guard case .member(let name)? = steps.first else { return }
    let rest = steps.dropFirst()
    switch (self[name], rest.first) {
    case (.whole, _): break
    case (.nothing, .member), (.members, .member):
      var inner = if case .members(let known) = self[name] { known } else { MemberNames([]) }
      inner.add(rest)
      parts[ExactName(name)] = .members(inner)
    // An index in a path counts as reading the whole array.
    case (_, .element), (_, nil): parts[ExactName(name)] = .whole
    }
  }

  private subscript(name: String) -> Part { parts[ExactName(name)] ?? .nothing }

  /// Returns which part of a member the properties read. Returns `.nothing` if paths continue in the member
  /// but its value is neither an object nor null.
  func part(ofKeyAt key: Int, in document: JSONDocument) -> Part {
    let part = self[document.string(at: key)]
    if case .members = part, ![.object, .null].contains(document.word(at: key + 1).kind) { return .nothing }
    return part
  }

  /// Whether at least one path begins with a name.
  func contains(_ name: String) -> Bool { parts[ExactName(name)] != nil }

  /// Calls `body` with the key of a member if no property reads the member. If properties read only some
  /// members of the member's value, calls `body` with the key of each other member of this value instead.
  func forEachUnknown(
    ofKeyAt key: Int, in document: JSONDocument, _ body: (_ key: Int) throws -> Void
  ) rethrows {
    switch part(ofKeyAt: key, in: document) {
    case .nothing: try body(key)
    case .whole: break
    case .members(let inner):
      for key in document.keys(of: key + 1) { try inner.forEachUnknown(ofKeyAt: key, in: document, body) }
    }
  }
}
