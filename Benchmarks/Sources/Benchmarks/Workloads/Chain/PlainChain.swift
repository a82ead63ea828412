/// A node of a chain without the macro `@Archivable`. See `PlainTreeNode`.
final class PlainChainNode: Walkable {
  var value: Int
  var next: PlainChainNode?

  init(value: Int) { self.value = value }

  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(value)
    walk.reach(Reference(next))
  }

  /// Returns a chain with these values, allocated in order.
  static func chain(_ values: [Int]) -> [PlainChainNode] {
    guard let first = values.first else { return [] }
    let head = PlainChainNode(value: first)
    var tail = head
    for value in values.dropFirst() {
      let node = PlainChainNode(value: value)
      tail.next = node
      tail = node
    }
    return [head]
  }

  /// Frees the nodes one by one.
  static func dismantle(_ chain: [PlainChainNode]) {
    var node = chain.first
    while let next = node?.next {
      node?.next = nil
      node = next
    }
  }
}
