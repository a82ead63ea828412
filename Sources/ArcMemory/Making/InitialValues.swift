/// The initial values of fields of a class, for new objects that are created without an initializer.
///
/// Invariant: `memory` has the layout of an object of the class. Exactly the fields whose bits are set in
/// `memory` have values.
@safe package final class InitialValues {
  private let allocator: ObjectAllocator
  private var memory: UnfinishedObject

  /// Creates an instance without values.
  package init(_ allocator: ObjectAllocator) {
    self.allocator = allocator
    memory = unsafe UnfinishedObject(address: allocator.layout.allocateFields())
  }

  deinit {
    allocator.destroyFields(of: &memory)
    unsafe memory.address.deallocate()
  }

  /// Whether the initial value of a field is known.
  @inline(__always) package func isKnown(_ slot: Int) -> Bool { memory.isSet(slot) }

  /// Copies the initial value of a field from an object of the class. The field of this object must still
  /// have its initial value.
  package func learn(_ slot: Int, from object: AnyObject) {
    guard !isKnown(slot), ObjectIdentifier(type(of: object)) == allocator.layout.identity else { return }
    withExtendedLifetime(object) {
      let source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      unsafe allocator.memories[slot].copy(from: source, to: memory.address)
    }
    memory.setFields |= 1 << UInt64(truncatingIfNeeded: slot)
  }

  /// Sets a field of a new object to its initial value. Returns false if the initial value is not known.
  package func set(_ slot: Int, of object: inout UnfinishedObject) -> Bool {
    guard isKnown(slot), !object.isSet(slot) else { return false }
    unsafe allocator.memories[slot].copy(from: UnsafeRawPointer(memory.address), to: object.address)
    object.setFields |= 1 << UInt64(truncatingIfNeeded: slot)
    return true
  }
}
