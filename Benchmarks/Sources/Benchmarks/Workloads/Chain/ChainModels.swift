import Arc

/// A node of a list that only its predecessor holds.
@Archivable
final class ChainNode: Walkable {
  var value: Int
  var next: ChainNode?

  init(value: Int) { self.value = value }

  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(value)
    walk.reach(Reference(next))
  }
}
