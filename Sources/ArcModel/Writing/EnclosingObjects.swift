import ArcFormat

/// The objects whose members are being written, outermost first, by address.
struct EnclosingObjects: ~Copyable {
  /// The addresses. Only the first `count` elements are in use.
  private var addresses = HandleBuffer<UInt>(repeating: 0, count: 32)
  private(set) var count = 0
  /// The addresses after the first `shallowCount`, in a set for faster search.
  private var deep: Set<UInt> = []

  /// The number of objects that are retained here, counted from the outermost object. Each further object is
  /// retained only by an enclosing object or by the caller, so code of the program could release it.
  private var retainedCount = 0

  private static let shallowCount = 12

  init() {}

  deinit { addresses.free() }

  /// Adds an object as the innermost object. Returns false if it is already an enclosing object.
  mutating func enter(_ address: UInt) -> Bool {
    for index in 0..<min(count, Self.shallowCount) where addresses[index] == address { return false }
    if count >= Self.shallowCount, !deep.insert(address).inserted { return false }
    if count == addresses.count { addresses.grow(to: count * 2, with: 0) }
    addresses[count] = address
    count += 1
    return true
  }

  /// Retains all objects. `leave()` releases each object when it removes it.
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

  /// Returns the number of objects that enclose an object.
  func index(of address: UInt) -> Int { (0..<count).first { addresses[$0] == address } ?? count }
}
