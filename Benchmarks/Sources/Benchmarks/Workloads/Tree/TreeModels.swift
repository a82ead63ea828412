import Arc

/// A node of a binary tree.
@Archivable
final class TreeNode: Walkable, PlainWalkable {
  var value: Int
  var left: TreeNode?
  var right: TreeNode?

  init(value: Int) { self.value = value }

  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(value)
    walk.reach(Reference(left))
    walk.reach(Reference(right))
  }

  @inline(__always) func visit(_ walk: inout PlainWalk<TreeNode>) {
    walk.digest.fold(value)
    walk.reach(left)
    walk.reach(right)
  }
}
