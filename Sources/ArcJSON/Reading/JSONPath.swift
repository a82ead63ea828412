/// A way from a value to one inside of it: names of members with dots between them, and numbers of elements
/// in brackets, as `users[3].name`. A name with other characters is in brackets and quotes: `["a b"].c`.
package struct JSONPath: CustomStringConvertible, Sendable {
  package enum Step: Sendable {
    case member(String)
    case element(Int)
  }

  package let steps: [Step]

  /// Reads a path; nil for what is none. The empty text leads nowhere else.
  package init?(_ text: String) {
    var steps: [Step] = []
    // Not characters: a mark at the beginning of a name is one with what is before it.
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

  /// The way to the member of a name.
  package init(member name: String) { steps = [.member(name)] }

  /// The first step if it is that to a member.
  package var firstName: String? {
    guard case .member(let name)? = steps.first else { return nil }
    return name
  }

  /// The name if the path is that of a member, and no longer.
  package var name: String? {
    steps.count == 1 ? firstName : nil
  }

  /// The path in its notation.
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
  /// The entry that a path leads to from another one; nil if there is none.
  ///
  /// - Complexity: O(members and elements on the way).
  package func index(at path: JSONPath, from start: Int = 0) -> Int? {
    var index = start
    for step in path.steps {
      let next =
        switch step {
        case .member(let name): member(name, of: index)
        case .element(let position): element(position, of: index)
        }
      guard let next else { return nil }
      index = next
    }
    return index
  }
}
