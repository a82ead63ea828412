/// The objects that are being written, one inside of the other, by address.
struct ObjectsAround {
  private var addresses: [UInt] = []
  /// Those that are deep inside: looking through all of them takes longer than this.
  private var deep: Set<UInt> = []

  private static let shallowCount = 12

  /// How many there are.
  var count: Int { addresses.count }

  /// Adds an object inside of all others; false if it is one of them.
  mutating func enter(_ address: UInt) -> Bool {
    let shallowCount = min(addresses.count, Self.shallowCount)
    for index in 0..<shallowCount where addresses[index] == address { return false }
    if addresses.count >= Self.shallowCount, !deep.insert(address).inserted { return false }
    addresses.append(address)
    return true
  }

  /// Removes the object that was added last.
  mutating func leave(_ address: UInt) {
    addresses.removeLast()
    if addresses.count >= Self.shallowCount { deep.remove(address) }
  }

  /// How many objects are around one that is there.
  func index(of address: UInt) -> Int { addresses.firstIndex(of: address) ?? addresses.count }
}
