import ArcFormat

/// The objects that are being written, one inside of the other, by address.
struct ObjectsAround: ~Copyable {
  /// The first `count` of them; the others say nothing.
  private var addresses = HandleBuffer<UInt>(repeating: 0, count: 32)
  /// How many there are.
  private(set) var count = 0
  /// Those that are deep inside: looking through all of them takes longer than this.
  private var deep: Set<UInt> = []

  private static let shallowCount = 12

  init() {}

  deinit { addresses.free() }

  /// Adds an object inside of all others; false if it is one of them.
  mutating func enter(_ address: UInt) -> Bool {
    for index in 0..<min(count, Self.shallowCount) where addresses[index] == address { return false }
    if count >= Self.shallowCount, !deep.insert(address).inserted { return false }
    if count == addresses.count { addresses.grow(to: count * 2, with: 0) }
    addresses[count] = address
    count += 1
    return true
  }

  /// Removes the object that was added last.
  mutating func leave() {
    count -= 1
    if count >= Self.shallowCount { deep.remove(addresses[count]) }
  }

  /// How many objects are around one that is there.
  func index(of address: UInt) -> Int { (0..<count).first { addresses[$0] == address } ?? count }
}
