/// A node of a binary tree that no macro has touched. What the walk over such nodes takes less than over archivable
/// ones is what `@Archivable` costs the code of those who use it: the compiler drops checks of exclusive access to a
/// property only where nothing in the module can be in its way, and a key path to the property can.
final class PlainTreeNode: Walkable {
  var value: Int
  var left: PlainTreeNode?
  var right: PlainTreeNode?

  init(value: Int) { self.value = value }

  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(value)
    walk.reach(Reference(left))
    walk.reach(Reference(right))
  }
}

extension TreeColumns {
  /// The tree out of plain nodes, allocated in the same order.
  func rebuildPlain() -> [PlainTreeNode] {
    let nodes = values.map { PlainTreeNode(value: $0) }
    for index in nodes.indices {
      if lefts[index] >= 0 { nodes[index].left = nodes[Int(lefts[index])] }
      if rights[index] >= 0 { nodes[index].right = nodes[Int(rights[index])] }
    }
    return Array(nodes.prefix(1))
  }
}
