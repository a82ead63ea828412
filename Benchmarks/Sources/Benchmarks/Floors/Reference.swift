/// The address of an object. It does not count as a reference to the object.
///
/// Most references of a graph refer to objects that the walk has already visited. Counting references would
/// access each of these objects again.
struct Reference {
  /// The address. 0 for nil.
  let address: UInt

  @inline(__always) init(_ object: AnyObject?) { address = unsafeBitCast(object, to: UInt.self) }

  @inline(__always) init(address: UInt) { self.address = address }

  /// The object, which the caller or the graph retains.
  @inline(__always) func unmanaged<Object: AnyObject>(_ type: Object.Type) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}

/// Objects that a walk found. Each is retained until the end, so that its address is not reused.
///
/// Invariant of the pointer work: there is space for `capacity` objects, and a walk appends each distinct
/// object of its graph once. Each retain in `append` is balanced by a release in `removeAll`. A handle: the
/// code that allocates it also deallocates it.
struct RetainedObjects {
  private let addresses: UnsafeMutablePointer<UInt>
  private(set) var count = 0

  /// Allocates and touches memory for `capacity` objects. `deallocate` frees it.
  init(capacity: Int) {
    addresses = .allocate(capacity: capacity)
    addresses.initialize(repeating: 0, count: capacity)
  }

  func deallocate() { addresses.deallocate() }

  @inline(__always) subscript(position: Int) -> Reference { Reference(address: addresses[position]) }

  /// Appends and retains an object.
  @inline(__always) mutating func append(_ object: Reference) {
    _ = object.unmanaged(AnyObject.self)?.retain()
    addresses[count] = object.address
    count += 1
  }

  /// Releases all objects.
  mutating func removeAll() {
    for position in 0..<count { self[position].unmanaged(AnyObject.self)?.release() }
    count = 0
  }
}
