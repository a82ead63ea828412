/// How objects of a class are made of a value for each of their fields, right in memory, where there is
/// nothing to them but these: no initializer is called.
///
/// Invariant: the places and the memories are those of the same fields, in the same order: of all fields of
/// the class and its superclasses.
@safe package final class ObjectMaking {
  /// The fields, by slot.
  package let places: [FieldPlace]
  let memories: [FieldMemory]
  let layout: ObjectMemoryLayout
  /// The fields of variables whose values objects may be given later, a bit for each slot; nil if there is
  /// more to that: observers, or a subclass that may have its own for properties that it inherits.
  package let settableFields: UInt64?

  /// Nil for a class with too many fields, or where it is not known how the runtime makes objects.
  init?(of type: AnyClass, _ fields: [StoredField], areSettable: Bool) {
    memories = fields.map { FieldMemory(of: $0.type, at: $0.offset) }
    places = fields.map { FieldPlace(of: $0) }
    guard fields.count < UInt64.bitWidth, let layout = ObjectMemoryLayout(of: type, memories) else {
      return nil
    }
    self.layout = layout
    settableFields =
      areSettable ? fields.indices.reduce(0) { $0 | (fields[$1].isVariable ? 1 << UInt64($1) : 0) } : nil
  }

  /// Creates an object with the values that `setFields` gives to `places`, in any order.
  ///
  /// If `setFields` throws or leaves out a place, there is no object: its `deinit` is not called, and the
  /// values are released.
  ///
  /// - Returns: the object, or nil if `setFields` leaves out a place.
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
    isComplete = object.setFields == 1 << UInt64(places.count) - 1
    return isComplete ? unsafe Unmanaged<AnyObject>.fromOpaque(object.address).takeRetainedValue() : nil
  }

  /// Lets go of the values that an object has.
  func destroyFields(of object: inout UnfinishedObject) {
    forEachSlot(in: object.setFields) { unsafe memories[$0].destroy(in: object.address) }
    object.setFields = 0
  }

  /// Calls `body` with the slots whose bits are set.
  @inline(__always) func forEachSlot(in fields: UInt64, _ body: (Int) -> Void) {
    var rest = fields
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }
}

/// An object whose fields get their values: nobody else has it yet. Or the memory of one, for `FieldChanges`.
///
/// Invariant: the fields whose bits are set in `setFields` have values, and no others.
@usableFromInline @safe package struct UnfinishedObject {
  @usableFromInline let address: UnsafeMutableRawPointer
  @usableFromInline var setFields: UInt64 = 0

  init(address: UnsafeMutableRawPointer) { unsafe self.address = address }

  /// Whether a field has its value, given its slot.
  @inlinable @inline(__always) package func isSet(_ slot: Int) -> Bool {
    setFields >> UInt64(truncatingIfNeeded: slot) & 1 != 0
  }

  /// Gives a field its value, of the property's type or one with the same layout: integers of as many bytes,
  /// and `AnyObject` for an object of the class, in an optional and in an array too. It must be without one.
  @unsafe @inlinable @inline(__always) package mutating func set<Value>(
    _ slot: Int, _ place: FieldPlace, to value: consuming Value
  ) {
    assert(!isSet(slot))
    unsafe (address + place.offset).initializeMemory(as: Value.self, to: value)
    setFields |= 1 << UInt64(truncatingIfNeeded: slot)
  }
}
