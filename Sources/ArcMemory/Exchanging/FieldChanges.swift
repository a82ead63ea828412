/// Memory for new values of some fields of an object. The object gets all values at once, after all values
/// were read.
///
/// Invariant: `address` has as much memory as an object of the class. It contains only the values of the
/// fields whose bits are set in the caller's `UnfinishedObject`. The caller removes the values before it
/// releases this.
@safe package final class FieldChanges {
  private let address: UnsafeMutableRawPointer
  private let making: ObjectMaking
  private let settableFields: UInt64

  /// Allocates memory for an object of exactly the class of `making`. Nil if fields of the class cannot be
  /// set later.
  package init?(_ making: ObjectMaking) {
    guard let settableFields = making.settableFields else { return nil }
    (self.making, self.settableFields) = (making, settableFields)
    unsafe address = making.layout.allocateFields()
  }

  deinit { unsafe address.deallocate() }

  /// Returns memory without values. Only one caller may use it until it calls `remove`.
  package func begin() -> UnfinishedObject { unsafe UnfinishedObject(address: address) }

  /// Exchanges the values of an object's variables with the new values. No code of the program runs.
  ///
  /// - Parameters:
  ///   - values: the new values, from ``begin()``.
  ///   - object: an object of exactly the class.
  ///   - check: must show that no field needs a check.
  package func exchange(_ values: UnfinishedObject, with object: AnyObject, _ check: ExclusivityCheck) {
    assert(!check.isNeeded && ObjectIdentifier(type(of: object)) == making.layout.identity)
    let target = unsafe Unmanaged.passUnretained(object).toOpaque()
    making.forEachSlot(in: values.setFields & settableFields) {
      unsafe making.memories[$0].exchange(target, address)
    }
  }

  /// Destroys all values, which may run `deinit` of objects.
  package func remove(_ values: inout UnfinishedObject) { making.destroyFields(of: &values) }
}
