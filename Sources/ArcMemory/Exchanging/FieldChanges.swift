/// Memory for new values of some fields of an object. The object gets all values at once, after all values
/// were read.
///
/// Invariant: `address` has as much memory as an object of the class. It contains only the values of the
/// fields whose bits are set in the caller's `UnfinishedObject`. The caller removes the values before it
/// releases the `FieldChanges`.
@safe package final class FieldChanges {
  private let address: UnsafeMutableRawPointer
  private let allocator: ObjectAllocator
  private let settableFields: UInt64

  /// Allocates memory for the new values of an object. The object must have exactly the class of `allocator`,
  /// not a subclass. Nil if fields of the class cannot be set after an object was created.
  package init?(_ allocator: ObjectAllocator) {
    guard let settableFields = allocator.settableFields else { return nil }
    (self.allocator, self.settableFields) = (allocator, settableFields)
    unsafe address = allocator.layout.allocateFields()
  }

  deinit { unsafe address.deallocate() }

  /// Returns the memory, which contains no values yet. Only one caller at a time may use the memory, until it
  /// calls `remove`.
  package func begin() -> UnfinishedObject { unsafe UnfinishedObject(address: address) }

  /// Exchanges the values of an object's variables with the new values. No code of the program runs.
  ///
  /// - Parameters:
  ///   - values: the new values, from ``begin()``.
  ///   - object: an object of exactly the class.
  ///   - check: a check whose `isNeeded` is false, so that no property is being changed.
  package func exchange(_ values: UnfinishedObject, with object: AnyObject, _ check: ExclusivityCheck) {
    assert(!check.isNeeded && ObjectIdentifier(type(of: object)) == allocator.layout.identity)
    let target = unsafe Unmanaged.passUnretained(object).toOpaque()
    allocator.forEachSlot(in: values.setFields & settableFields) {
      unsafe allocator.memories[$0].exchange(target, address)
    }
  }

  /// Destroys all values, which may run `deinit` of objects.
  package func remove(_ values: inout UnfinishedObject) { allocator.destroyFields(of: &values) }
}
