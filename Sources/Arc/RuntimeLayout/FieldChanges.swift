/// Values for some of the fields of an object that is there: it keeps its own until all of them are, and
/// takes them at once then.
///
/// Invariant: the address in `values` has as much memory as an object of the class, and fields have values
/// there as `UnfinishedObject` has it; nothing else is in that memory.
@safe package final class FieldChanges {
  /// The values, by slot.
  package var values: UnfinishedObject
  private let making: ObjectMaking
  private let settableFields: UInt64

  /// No values yet, for an object of exactly the class that `making` is of; nil if objects of the class do
  /// not take values so.
  package init?(_ making: ObjectMaking) {
    guard let settableFields = making.settableFields else { return nil }
    (self.making, self.settableFields) = (making, settableFields)
    unsafe values = UnfinishedObject(address: making.layout.allocateFields())
  }

  /// Has an object take the values of its variables, and has its own here instead. No code of the program
  /// runs.
  ///
  /// - Parameters:
  ///   - object: an object of exactly the class.
  ///   - check: does not need fields to be asked about, since no access to a property goes on.
  package func exchange(with object: AnyObject, _ check: ExclusivityCheck) {
    assert(!check.isNeeded && ObjectIdentifier(type(of: object)) == making.layout.identity)
    let address = unsafe Unmanaged.passUnretained(object).toOpaque()
    for (slot, memory) in making.memories.enumerated()
    where values.isSet(slot) && settableFields >> UInt64(slot) & 1 != 0 {
      unsafe memory.exchange(address, values.address)
    }
  }

  /// Lets go of all values, which may run `deinit` of objects.
  package func removeAll() { making.destroyFields(of: &values) }

  deinit {
    removeAll()
    unsafe values.address.deallocate()
  }
}
