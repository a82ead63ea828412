/// Memory for values of some of the fields of an object that is there: it keeps its own until all of them
/// are, and takes them at once then.
///
/// Invariant: the address has as much memory as an object of the class. Nothing is there but the values of
/// the fields that the caller's `UnfinishedObject` says, who removes them before he lets go of this.
@safe package final class FieldChanges {
  private let address: UnsafeMutableRawPointer
  private let making: ObjectMaking
  private let settableFields: UInt64

  /// Memory for an object of exactly the class that `making` is of; nil if objects of the class do not take
  /// values so.
  package init?(_ making: ObjectMaking) {
    guard let settableFields = making.settableFields else { return nil }
    (self.making, self.settableFields) = (making, settableFields)
    unsafe address = making.layout.allocateFields()
  }

  deinit { unsafe address.deallocate() }

  /// No values yet, which are those of one caller until they are removed.
  package func begin() -> UnfinishedObject { unsafe UnfinishedObject(address: address) }

  /// Has an object take the values of its variables, and has its own here instead. No code of the program
  /// runs.
  ///
  /// - Parameters:
  ///   - values: the values, from ``begin()``.
  ///   - object: an object of exactly the class.
  ///   - check: does not need fields to be asked about, since no access to a property goes on.
  package func exchange(_ values: UnfinishedObject, with object: AnyObject, _ check: ExclusivityCheck) {
    assert(!check.isNeeded && ObjectIdentifier(type(of: object)) == making.layout.identity)
    let target = unsafe Unmanaged.passUnretained(object).toOpaque()
    making.forEachSlot(in: values.setFields & settableFields) {
      unsafe making.memories[$0].exchange(target, address)
    }
  }

  /// Lets go of all values, which may run `deinit` of objects.
  package func remove(_ values: inout UnfinishedObject) { making.destroyFields(of: &values) }
}
