/// Creates objects of a class without calling an initializer, from one value for each field. The objects of
/// the class must not contain anything besides these fields.
///
/// Invariant: `fieldLocations` and `memories` contain the same fields in the same order: all fields of the
/// class and its superclasses.
@safe package final class ObjectAllocator {
  /// The locations of the fields, by slot.
  package let fieldLocations: [FieldLocation]
  let memories: [FieldMemory]
  let layout: ObjectMemoryLayout
  /// The fields that can be set after an object was created, without running code of the program: one bit per
  /// slot, which is set for variables. Nil if a property has observers, or if a subclass may observe an
  /// inherited property.
  package let settableFields: UInt64?

  /// Creates an allocator of objects of a class. Nil if the class has more than 63 fields, or if a test of
  /// the runtime failed.
  package init?(of type: AnyClass, _ fields: [StoredField], areSettable: Bool) {
    memories = fields.map { FieldMemory(of: $0.type, at: $0.offset) }
    fieldLocations = fields.map { FieldLocation(of: $0) }
    guard fields.count < UInt64.bitWidth, let layout = ObjectMemoryLayout(of: type, memories) else {
      return nil
    }
    self.layout = layout
    settableFields =
      areSettable ? fields.indices.reduce(0) { $0 | (fields[$1].isVariable ? 1 << UInt64($1) : 0) } : nil
  }

  /// Creates an object. `setFields` sets the fields at `fieldLocations`, in any order.
  ///
  /// If `setFields` throws or omits a field, no object is created. The values are then released, and `deinit`
  /// of the class is not called.
  ///
  /// - Returns: the object, or nil if `setFields` omits a field.
  /// - Throws: the error of `setFields`.
  package func makeObject(_ setFields: (inout UnfinishedObject) throws -> Void) throws -> AnyObject? {
    var object = unsafe UnfinishedObject(address: layout.allocate())
    var isComplete = false
    defer {
      if !isComplete {
        destroyFields(of: &object)
        unsafe layout.deallocate(object.address)
      }
    }
    try setFields(&object)
    isComplete = object.setFields == 1 << UInt64(fieldLocations.count) - 1
    return isComplete ? unsafe Unmanaged<AnyObject>.fromOpaque(object.address).takeRetainedValue() : nil
  }

  /// Destroys the values of all fields of an object.
  func destroyFields(of object: inout UnfinishedObject) {
    forEachSlot(in: object.setFields) { unsafe memories[$0].destroy(in: object.address) }
    object.setFields = 0
  }

  /// Calls `body` with each slot whose bit is set in `fields`.
  @inline(__always) func forEachSlot(in fields: UInt64, _ body: (Int) -> Void) {
    var rest = fields
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }
}

/// An object whose fields are being set, and to which no other reference exists. In `FieldChanges`, it is
/// only memory with the layout of an object.
///
/// Invariant: exactly the fields whose bits are set in `setFields` have values.
@usableFromInline @safe package struct UnfinishedObject {
  @usableFromInline let address: UnsafeMutableRawPointer
  @usableFromInline var setFields: UInt64 = 0

  init(address: UnsafeMutableRawPointer) { unsafe self.address = address }

  /// Whether the field of a slot has a value.
  @inlinable @inline(__always) package func isSet(_ slot: Int) -> Bool {
    setFields >> UInt64(truncatingIfNeeded: slot) & 1 != 0
  }

  /// Sets the field of a slot. The field must not have a value yet. `Value` is the property's type or a type
  /// with the same layout: another integer type of the same size, or a type with `AnyObject` instead of a
  /// class, such as `[AnyObject]`.
  @unsafe @inlinable @inline(__always) package mutating func set<Value>(
    _ slot: Int, _ location: FieldLocation, to value: consuming Value
  ) {
    assert(!isSet(slot))
    unsafe (address + location.offset).initializeMemory(as: Value.self, to: value)
    setFields |= 1 << UInt64(truncatingIfNeeded: slot)
  }
}
