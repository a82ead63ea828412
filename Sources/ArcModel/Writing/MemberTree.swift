import ArcRuntime

/// The members that the properties of a class become: properties with paths of several names are members of
/// members.
struct MemberTree {
  /// The members, in the order in which they are written.
  private(set) var entries: [Entry] = []

  /// A member.
  struct Entry {
    let name: String
    var content: Content
    /// Whether the path was chosen, and not made of a key.
    let isExplicit: Bool

    fileprivate var isSkipped: Bool {
      if case .leaf(let leaf) = content { leaf.customWrite == WritingPlan.skipped } else { false }
    }
  }

  enum Content {
    case leaf(Leaf)
    case group(MemberTree)
  }

  /// A property, or a field of one.
  struct Leaf {
    let node: Int
    let leavesOutNil: Bool
    var customWrite = -1
  }

  /// Adds a field that is not written, whose values are passed over.
  mutating func addSkipped(_ node: Int) {
    entries.append(
      Entry(
        name: "", content: .leaf(Leaf(node: node, leavesOutNil: false, customWrite: WritingPlan.skipped)),
        isExplicit: false))
  }

  /// Adds a property at a path of names. Of several with one path that was chosen for all of them, the first
  /// one is written; throws for any other two of one name.
  mutating func add(_ leaf: Leaf, at path: [String], of owner: String, isExplicit: Bool) throws {
    guard let name = path.first else { return }
    let position = entries.firstIndex { $0.name.hasSameBytes(as: name) && !$0.isSkipped }
    guard let position else {
      var content = Content.leaf(leaf)
      if path.count > 1 {
        var group = MemberTree()
        try group.add(leaf, at: Array(path.dropFirst()), of: owner, isExplicit: isExplicit)
        content = .group(group)
      }
      return entries.append(Entry(name: name, content: content, isExplicit: isExplicit))
    }
    switch entries[position].content {
    case .group(var group) where path.count > 1:
      try group.add(leaf, at: Array(path.dropFirst()), of: owner, isExplicit: isExplicit)
      entries[position].content = .group(group)
    case .leaf where path.count == 1 && isExplicit && entries[position].isExplicit: break
    default: throw ModelWritingError.duplicateName(name, of: owner)
    }
  }
}
