// Operations on values and their nested values without recursion, because values can be nested too deeply for
// a small stack.

extension JSONValue {
  /// An array or object to which values are still added.
  private struct Container {
    let isObject: Bool
    /// The number of values that must still be added.
    var remaining: Int
    /// The name of the member whose value is added next.
    var name = ""
    private var elements: [JSONValue] = []
    private var members = JSONObject()

    init(isObject: Bool, remaining: Int) {
      self.isObject = isObject
      self.remaining = remaining
      elements.reserveCapacity(isObject ? 0 : remaining)
    }

    mutating func add(_ value: JSONValue, keepsLast: Bool) {
      remaining -= 1
      if !isObject {
        elements.append(value)
      } else if keepsLast || members[name] == nil {
        members[name] = value
      }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
  }

  /// Returns the value of a node. Values that are nested too deeply become `null`.
  static func value(of node: JSONNode) -> JSONValue {
    let document = node.document
    let keepsLast = document.duplicateKeys == .last
    var open: [Container] = []
    var index = node.index
    while true {
      let word = document.words[index]
      let isTooDeep = open.count > maximumDepth
      if word.isContainer, word.length > 0, !isTooDeep {
        open.append(Container(isObject: word.kind == .object, remaining: word.length))
        index += 2
      } else {
        var completed = isTooDeep ? .null : flat(JSONNode(document, index))
        index = document.end(of: index)
        while true {
          guard let last = open.indices.last else { return completed }
          open[last].add(completed, keepsLast: keepsLast)
          if open[last].remaining > 0 { break }
          completed = open.removeLast().value
        }
      }
      if let last = open.indices.last, open[last].isObject {
        open[last].name = document.string(at: index)
        index += 1
      }
    }
  }

  /// Converts a node to a value without nested values. An array or object becomes an empty array or object.
  private static func flat(_ node: JSONNode) -> JSONValue {
    switch node.kind {
    case .null: .null
    case .bool: .bool(node.bool ?? false)
    case .number: node.number.map { .number($0) } ?? .null
    case .string: .string(node.string ?? "")
    case .array: .array([])
    case .object: .object(JSONObject())
    }
  }

  // MARK: Equality

  /// Returns whether two values are equal.
  ///
  /// Numbers are equal if they are written with the same characters: `1.0` does not equal `1`. The order of
  /// an object's members is ignored.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var pending: [(JSONValue, JSONValue)] = []
    var next: (JSONValue, JSONValue)? = (left, right)
    while let pair = next {
      switch pair {
      case (.null, .null): break
      case (.bool(let left), .bool(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.string(let left), .string(let right)): if left != right { return false }
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        for pair in zip(left, right) { pending.append(pair) }
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        for (name, value) in left.members {
          guard let other = right[name] else { return false }
          pending.append((value, other))
        }
      default: return false
      }
      next = pending.popLast()
    }
    return true
  }

  /// Hashes the value.
  ///
  /// For arrays and objects below the eighth nesting level, only the number of elements or members is hashed.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

  /// The first nesting level at which only the counts of elements and members are hashed. This limits the
  /// recursion.
  private static let hashedDepth = 8

  private func hash(into hasher: inout Hasher, depth: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let elements):
      hasher.combine(elements.count)
      guard depth < Self.hashedDepth else { return }
      for element in elements { element.hash(into: &hasher, depth: depth + 1) }
    case .object(let object):
      hasher.combine(object.count)
      guard depth < Self.hashedDepth else { return }
      // The order of the members has no influence.
      var sum = 0
      for (name, value) in object.members {
        var member = Hasher()
        member.combine(JSONName(name))
        value.hash(into: &member, depth: depth + 1)
        sum ^= member.finalize()
      }
      hasher.combine(sum)
    }
  }
}
