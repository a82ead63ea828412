import ArcFormat

/// The objects whose members are being written, outermost first, by address.
struct EnclosingObjects: ~Copyable {
  /// The addresses. Only the first `count` elements are in use.
  private var addresses = HandleBuffer<UInt>(repeating: 0, count: 32)
  private(set) var count = 0
  /// The objects after the first `shallowCount`, for faster search.
  private var deep: Set<UInt> = []

  /// The number of objects, from the outermost on, that are retained here. The other objects are only
  /// retained by the objects around them or by the caller, and code of the program could release them.
  private var retainedCount = 0

  private static let shallowCount = 12

  init() {}

  deinit { addresses.free() }

  /// Adds an object as the innermost. Returns false if it is already one of the objects.
  mutating func enter(_ address: UInt) -> Bool {
    for index in 0..<min(count, Self.shallowCount) where addresses[index] == address { return false }
    if count >= Self.shallowCount, !deep.insert(address).inserted { return false }
    if count == addresses.count { addresses.grow(to: count * 2, with: 0) }
    addresses[count] = address
    count += 1
    return true
  }

  /// Retains all objects until they leave.
  mutating func retainAll() {
    while retainedCount < count {
      _ = unsafe UnsafeRawPointer(bitPattern: addresses[retainedCount]).map {
        unsafe Unmanaged<AnyObject>.fromOpaque($0).retain()
      }
      retainedCount += 1
    }
  }

  /// Removes the innermost object, and releases it if it is retained here.
  mutating func leave() {
    count -= 1
    if retainedCount > count {
      retainedCount = count
      unsafe UnsafeRawPointer(bitPattern: addresses[count]).map {
        unsafe Unmanaged<AnyObject>.fromOpaque($0).release()
      }
    }
    if count >= Self.shallowCount { deep.remove(addresses[count]) }
  }

  /// Returns the number of objects around an object.
  func index(of address: UInt) -> Int { (0..<count).first { addresses[$0] == address } ?? count }
}
