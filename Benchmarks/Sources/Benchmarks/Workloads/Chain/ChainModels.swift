import Arc

/// A node of a list. Only its predecessor retains it.
@Archivable
final class ChainNode: Walkable, PlainWalkable {
  var value: Int
  var next: ChainNode?

  init(value: Int) { self.value = value }

  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(value)
    walk.reach(Reference(next))
  }

  @inline(__always) func visit(_ walk: inout PlainWalk<ChainNode>) {
    walk.digest.fold(value)
    walk.reach(next)
  }
}
