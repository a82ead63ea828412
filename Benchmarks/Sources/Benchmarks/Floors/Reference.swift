/// Where an object is, without counting a reference to it: most references of a graph lead to objects that a walk
/// has seen, and counting would touch each of them once more.
struct Reference {
  /// 0 for no object.
  let address: UInt

  @inline(__always) init(_ object: AnyObject?) { address = unsafeBitCast(object, to: UInt.self) }

  @inline(__always) init(address: UInt) { self.address = address }

  /// The object, which somebody holds.
  @inline(__always) func unmanaged<Object: AnyObject>(_ type: Object.Type) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}

/// Objects that a walk found, each held until the end, since only that keeps its address from being used again.
///
/// Invariant of the pointer work: there is room for `capacity` objects, and a walk appends each distinct object of its
/// graph once. Each retain in `append` is balanced by a release in `removeAll`. A handle: who allocated it frees it.
struct HeldObjects {
  private let addresses: UnsafeMutablePointer<UInt>
  private(set) var count = 0

  /// Allocates and touches room for that many objects; `deallocate` frees it.
  init(capacity: Int) {
    addresses = .allocate(capacity: capacity)
    addresses.initialize(repeating: 0, count: capacity)
  }

  func deallocate() { addresses.deallocate() }

  @inline(__always) subscript(position: Int) -> Reference { Reference(address: addresses[position]) }

  /// Appends and holds an object.
  @inline(__always) mutating func append(_ object: Reference) {
    _ = object.unmanaged(AnyObject.self)?.retain()
    addresses[count] = object.address
    count += 1
  }

  /// Lets go of all objects.
  mutating func removeAll() {
    for position in 0..<count { self[position].unmanaged(AnyObject.self)?.release() }
    count = 0
  }
}
