/// A node of a binary tree without the macro `@Archivable`.
///
/// The walk over archivable nodes takes longer than the walk over these nodes. The difference is the cost of
/// `@Archivable` for the code that uses a class: the compiler removes exclusivity checks of a property only
/// if no code in the module can interfere, and a key path to the property can.
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
  /// Builds the tree from plain nodes, allocated in the same order.
  func rebuildPlain() -> [PlainTreeNode] {
    let nodes = values.map { PlainTreeNode(value: $0) }
    for index in nodes.indices {
      if lefts[index] >= 0 { nodes[index].left = nodes[Int(lefts[index])] }
      if rights[index] >= 0 { nodes[index].right = nodes[Int(rights[index])] }
    }
    return Array(nodes.prefix(1))
  }
}
