/// A binary tree as plain arrays: the nodes in the order of their allocation, the root first.
struct TreeColumns {
  var values: [Int] = []
  /// The indices of the children. -1 without a child.
  var lefts: [Int32] = []
  var rights: [Int32] = []

  var count: Int { values.count }

  /// Returns a balanced tree in which each node precedes its descendants, left descendants first.
  static func depthFirst(count: Int) -> TreeColumns {
    var columns = TreeColumns(zeros: count)
    // The subtrees that have no indices yet, each a range of indices.
    var pending = [0..<count]
    while let run = pending.popLast() {
      let children = run.dropFirst()
      guard let first = children.first else { continue }
      let middle = first + (children.count + 1) / 2
      columns.lefts[run.lowerBound] = Int32(first)
      pending.append(first..<middle)
      guard middle < run.upperBound else { continue }
      columns.rights[run.lowerBound] = Int32(middle)
      pending.append(middle..<run.upperBound)
    }
    return columns
  }

  /// Returns a balanced tree, level by level.
  static func levelByLevel(count: Int) -> TreeColumns {
    var columns = TreeColumns(zeros: count)
    for index in 0..<count {
      if 2 * index + 1 < count { columns.lefts[index] = Int32(2 * index + 1) }
      if 2 * index + 2 < count { columns.rights[index] = Int32(2 * index + 2) }
    }
    return columns
  }

  private init(zeros count: Int) {
    var random = SeededGenerator(seed: 2)
    values = (0..<count).map { _ in Int.random(in: 0..<1_000_000, using: &random) }
    lefts = Array(repeating: -1, count: count)
    rights = Array(repeating: -1, count: count)
  }

  /// Allocates all nodes in order, then links them in order.
  func rebuild() -> [TreeNode] {
    let nodes = values.map { TreeNode(value: $0) }
    for index in nodes.indices {
      let left = Int(lefts[index])
      let right = Int(rights[index])
      if left >= 0 { nodes[index].left = nodes[left] }
      if right >= 0 { nodes[index].right = nodes[right] }
    }
    return Array(nodes.prefix(1))
  }
}
