import ArcFormat
import ArcJSON
import ArcRuntime

/// The names of the members that are read of an object, and of the objects in it that paths lead through.
///
/// It shows which members no property reads. A `MemberTable` shows which property reads a member.
struct MemberNames {
  private var parts: [ExactName: Part] = [:]

  /// What is read of a member.
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
    // The elements of an array are read or not as a whole.
    case (_, .element), (_, nil): parts[ExactName(name)] = .whole
    }
  }

  private subscript(name: String) -> Part { parts[ExactName(name)] ?? .nothing }

  /// What is read of the member with a key. Nothing if paths lead through the member and its value is neither
  /// an object nor null.
  func part(ofKeyAt key: Int, in document: JSONDocument) -> Part {
    let part = self[document.string(at: key)]
    if case .members = part, ![.object, .null].contains(document.word(at: key + 1).kind) { return .nothing }
    return part
  }

  /// Whether paths begin with a name.
  func contains(_ name: String) -> Bool { parts[ExactName(name)] != nil }

  /// Calls a function with the key of a member if the member is not read, or else with the keys of the
  /// members in it that are not read.
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
