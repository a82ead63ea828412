import ArcFormat

/// The objects that are being written, one inside of the other, by address.
struct ObjectsAround: ~Copyable {
  /// The first `count` of them; the others say nothing.
  private var addresses = HandleBuffer<UInt>(repeating: 0, count: 32)
  /// How many there are.
  private(set) var count = 0
  /// Those that are deep inside: looking through all of them takes longer than this.
  private var deep: Set<UInt> = []

  /// How many of them, from the outermost on, are kept alive here. What keeps them so otherwise, the objects
  /// around them and the caller, is in the hands of the program where its code runs.
  private var keptCount = 0

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

  /// Keeps all of them alive until they are removed.
  mutating func keepAlive() {
    while keptCount < count {
      _ = unsafe UnsafeRawPointer(bitPattern: addresses[keptCount]).map {
        unsafe Unmanaged<AnyObject>.fromOpaque($0).retain()
      }
      keptCount += 1
    }
  }

  /// Removes the object that was added last.
  mutating func leave() {
    count -= 1
    if keptCount > count {
      keptCount = count
      unsafe UnsafeRawPointer(bitPattern: addresses[count]).map {
        unsafe Unmanaged<AnyObject>.fromOpaque($0).release()
      }
    }
    if count >= Self.shallowCount { deep.remove(addresses[count]) }
  }

  /// How many objects are around one that is there.
  func index(of address: UInt) -> Int { (0..<count).first { addresses[$0] == address } ?? count }
}
