/// An object whose fields and references a `PlainWalk` can read.
protocol PlainWalkable: AnyObject {
  /// Folds every value into `walk.digest`, and passes every reference to `walk`.
  func visit(_ walk: inout PlainWalk<Self>)
}

/// The walk in ordinary Swift: with reference counting, an array of the objects that were found, and a table
/// of `ObjectIdentifier`s. Both are allocated beforehand.
///
/// This is not the floor, because `Walk` is faster. The difference shows how much `Walk` gains by using
/// addresses.
struct PlainWalk<Node: PlainWalkable> {
  var digest = Digest()
  private var found: [Node] = []
  private var slots: [ObjectIdentifier?]

  init(capacity: Int) {
    found.reserveCapacity(capacity)
    var slotCount = 16
    while slotCount < 2 * capacity { slotCount *= 2 }
    slots = Array(repeating: nil, count: slotCount)
  }

  /// Adds an object if it is new.
  @inline(__always) mutating func reach(_ object: Node?) {
    guard let object else { return digest.fold(UInt64(11)) }
    let identity = ObjectIdentifier(object)
    let hash = UInt64(UInt(bitPattern: identity)) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash >> UInt64(64 - slots.count.trailingZeroBitCount))
    while let other = slots[slot] {
      if other == identity { return }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = identity
    found.append(object)
  }

  /// Returns the digest of all fields of the objects that an array reaches.
  mutating func run(_ roots: [Node]) -> UInt64 {
    digest = Digest()
    for index in slots.indices { slots[index] = nil }
    digest.fold(roots.count)
    for root in roots { reach(root) }
    var position = 0
    while position < found.count {
      found[position].visit(&self)
      position += 1
    }
    found.removeAll(keepingCapacity: true)
    return digest.value
  }
}
