/// A balanced binary tree whose nodes were allocated depth first.
struct DepthFirstTreeWorkload: Workload {
  static let name = "tree-depth"
  static let fullCount = 1_048_575
  let contenders: [Contender]

  init(count: Int) {
    contenders = TreeContenders.all(count) { TreeColumns.depthFirst(count: $0) }
  }
}

/// The same tree with nodes that were allocated level by level.
struct LevelTreeWorkload: Workload {
  static let name = "tree-level"
  static let fullCount = 1_048_575
  let contenders: [Contender]

  init(count: Int) {
    contenders = TreeContenders.all(count) { TreeColumns.levelByLevel(count: $0) }
  }
}

/// The contenders for a tree in any order of allocation. The root is an array of one node, so that the floors
/// of all graphs apply. This makes no difference for Arc.
enum TreeContenders {
  private static let remark = "nested values"

  static func all(_ count: Int, _ makeColumns: @escaping (Int) -> TreeColumns) -> [Contender] {
    let columns = Lazily { makeColumns(count) }
    let tree = Lazily { try columns.value().rebuild() }
    let plainTree = Lazily { try columns.value().rebuildPlain() }
    // A tree is shallow enough to be freed by recursion.
    let subject = ArcSubject(graph: tree, objectCount: count)
    return subject.contenders + subject.valueContenders
      + Contender.walk(tree, objectCount: count)
      + Contender.walk(plainTree, objectCount: count, suffix: ", plain")
      + [
        .plainWalk(tree, objectCount: count),
        .rebuild(columns, objectCount: count) { $0.rebuild() },
        .naiveClone(tree, objectCount: count) { tree in
          var clones: [ObjectIdentifier: TreeNode] = [:]
          return tree.map { $0.clone(&clones) }
        },
      ] + peers(count, makeColumns)
  }

  private static func peers(_ count: Int, _ makeColumns: @escaping (Int) -> TreeColumns) -> [Contender] {
    func peerTree<Record>(_ limit: Int, _ convert: @escaping (TreeNode) -> Record) -> (Lazily<[Record]>, Int)
    {
      let fewer = min(count, limit)
      return (Lazily { makeColumns(fewer).rebuild().map(convert) }, fewer)
    }
    let (records, recordCount) = peerTree(50_000) { TreeRecord($0) }
    let (messages, messageCount) = peerTree(.max) { ProtoTreeNode($0) }
    let (keyed, keyedCount) = peerTree(5000) { KeyedTreeNode($0) }
    return Contender.codable(records, objectCount: recordCount, remark: remark)
      + Contender.protobuf(
        Lazily { try messages.value().first ?? ProtoTreeNode() }, objectCount: messageCount, remark: remark)
      + Contender.keyedArchiver(
        Lazily { try keyed.value().first ?? KeyedTreeNode(TreeNode(value: 0)) }, objectCount: keyedCount
      ) { $0.sum }
  }
}
