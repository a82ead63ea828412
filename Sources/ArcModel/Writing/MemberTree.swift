import ArcRuntime

/// The JSON members to which the properties of a class are written. A property whose path has several names
/// is a member of a nested object.
struct MemberTree {
  /// The tag of the object: the member that contains the name of its type. Nil if the object has no tag.
  let tag: TypeTag?
  /// Whether some members are fields of a structure that contains values of its own type. Outer and nested
  /// values share the columns, so these fields must be written in the order of the columns.
  var isRecursive = false
  /// The members, in the order of their columns.
  private(set) var entries: [Entry] = []

  struct Entry {
    let name: String
    var content: Content
  }

  enum Content {
    case leaf(Leaf)
    case group(MemberTree)
    /// A node whose values are skipped.
    case skipped(_ node: Int)
  }

  /// A property of a class, or a field of a structure, that is written.
  struct Leaf {
    let node: Int
    let key: String
    let omitsNil: Bool
    var customWrite = -1
  }

  init(tag: TypeTag? = nil) { self.tag = tag }

  var names: [String] { entries.filter { !$0.isSkipped }.map(\.name) }

  /// Adds a field that is not written. A writer skips the values of its node.
  mutating func addSkipped(_ node: Int) { entries.append(Entry(name: "", content: .skipped(node))) }

  /// Adds a property at a path of names. Several properties can have the same path.
  ///
  /// - Throws: ``ModelWritingError`` if a path continues in the value of another property.
  mutating func add(_ leaf: Leaf, at path: [String], of owner: String) throws {
    guard let name = path.first else { return }
    let position = entries.firstIndex { $0.name.hasSameBytes(as: name) && !$0.isSkipped }
    switch position.map({ entries[$0].content }) {
    case .group(var group)? where path.count > 1:
      try group.add(leaf, at: Array(path.dropFirst()), of: owner)
      position.map { entries[$0].content = .group(group) }
    case nil where path.count > 1:
      var group = MemberTree()
      try group.add(leaf, at: Array(path.dropFirst()), of: owner)
      entries.append(Entry(name: name, content: .group(group)))
    case .leaf? where path.count == 1, nil: entries.append(Entry(name: name, content: .leaf(leaf)))
    default: throw ModelWritingError.duplicateName(name, of: owner)
    }
  }
}

extension MemberTree.Entry {
  fileprivate var isSkipped: Bool {
    if case .skipped = content { true } else { false }
  }
}
