/// A path from a JSON value to a nested value, such as `users[3].name`.
///
/// A path consists of member names with dots between them, and of element indices in brackets. A name can be
/// in brackets and quotes: `["a b"].c`.
///
/// Paths in archives (`ValuePath`) have a different notation and a scanner of their own. JSON has only
/// members and elements. A name needs no quotes unless it contains a dot or a bracket (`@Key("first-name")`).
/// A backtick is part of a name. In quotes, a backslash escapes any character.
package struct JSONPath: CustomStringConvertible, Sendable {
  /// A step of a path.
  package enum Step: Sendable {
    /// The member with a name.
    case member(String)
    /// The element at an index.
    case element(Int)
  }

  /// The steps of the path. Empty if the path refers to the value itself.
  package let steps: [Step]

  /// Parses a path. Nil if the text is not a path.
  ///
  /// The empty text is the path to the value itself.
  package init?(_ text: String) {
    var steps: [Step] = []
    // Scalars instead of characters, because a combining mark at the start of a name would join the character
    // before it.
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first == "[" {
        rest.removeFirst()
        guard let step = rest.first == "\"" ? Self.quoted(&rest) : Self.number(&rest), rest.first == "]"
        else {
          return nil
        }
        rest.removeFirst()
        steps.append(step)
      } else {
        if !steps.isEmpty {
          guard first == "." else { return nil }
          rest.removeFirst()
        }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { return nil }
        rest = rest[name.endIndex...]
        steps.append(.member(String(name)))
      }
    }
    self.steps = steps
  }

  /// Creates the path to a member.
  package init(member name: String) { steps = [.member(name)] }

  /// The name of the first step. Nil if the first step is not a member.
  package var firstName: String? {
    guard case .member(let name)? = steps.first else { return nil }
    return name
  }

  /// The name of the member, if the path consists of one member name. Nil for all other paths.
  package var name: String? {
    steps.count == 1 ? firstName : nil
  }

  /// The path as text, such as `users[3].name`.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += JSONDocument.step(to: name, isFirst: text.isEmpty)
      case .element(let position): text += "[\(position)]"
      }
    }
    return text
  }

  private static func number(_ rest: inout Substring.UnicodeScalarView) -> Step? {
    let digits = rest.prefix { $0 != "]" }
    rest = rest[digits.endIndex...]
    return Int(String(digits)).map { .element($0) }
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> Step? {
    rest.removeFirst()
    var name = String.UnicodeScalarView()
    while var scalar = rest.popFirst() {
      if scalar == "\"" { return .member(String(name)) }
      if scalar == "\\" {
        guard let escaped = rest.popFirst() else { return nil }
        scalar = escaped
      }
      name.append(scalar)
    }
    return nil
  }
}

extension JSONDocument {
  /// Returns the index of the value at a path. Nil if the document has no value at the path.
  ///
  /// - Complexity: O(members and elements on the path).
  package func index(at path: JSONPath, from start: Int = 0) -> Int? {
    let (index, missing) = follow(path, from: start)
    return missing == nil ? index : nil
  }

  /// Returns the index of the value that stops a path. A value stops the path if the next step requires an
  /// object or an array, and the value is of another kind, except `null`. Nil if no value stops the path.
  ///
  /// - Complexity: O(members and elements on the path).
  package func obstacle(on path: JSONPath, from start: Int) -> (index: Int, needsArray: Bool)? {
    let (index, missing) = follow(path, from: start)
    guard let missing else { return nil }
    let needsArray = if case .element = missing { true } else { false }
    let kind = word(at: index).kind
    return kind == (needsArray ? .array : .object) || kind == .null ? nil : (index, needsArray)
  }

  /// Follows a path as far as possible. Returns the index of the last value that the path reaches. `missing`
  /// is the first step that selects no value. Nil if all steps select values.
  private func follow(_ path: JSONPath, from start: Int) -> (index: Int, missing: JSONPath.Step?) {
    var index = start
    for step in path.steps {
      let next =
        switch step {
        case .member(let name): member(name, of: index)
        case .element(let position): element(position, of: index)
        }
      guard let next else { return (index, step) }
      index = next
    }
    return (index, nil)
  }

  /// Whether an object has the member to which the first step of a path refers.
  package func hasFirstMember(of path: JSONPath, _ index: Int) -> Bool {
    path.firstName.map { member($0, of: index) != nil } ?? false
  }
}
