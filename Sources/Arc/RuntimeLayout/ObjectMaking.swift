/// How objects of a class are made of a value for each of their fields, right in memory, where there is
/// nothing to them but these: no initializer is called.
///
/// Invariant: the places and the memories are those of the same fields, in the same order: of all fields of
/// the class and its superclasses.
@safe package final class ObjectMaking {
  /// The fields, by slot.
  package let places: [FieldPlace]
  private let memories: [FieldMemory]
  private let layout: ObjectMemoryLayout

  /// Nil for a class with too many fields, or where it is not known how the runtime makes objects.
  init?(of type: AnyClass, _ fields: [StoredField]) {
    memories = fields.map { FieldMemory(of: $0.type, at: $0.offset) }
    places = fields.map { FieldPlace(of: $0) }
    guard fields.count < UInt64.bitWidth, let layout = ObjectMemoryLayout(of: type, memories) else {
      return nil
    }
    self.layout = layout
  }

  /// Makes an object that `setFields` gives a value for each of `places`, in any order. If that throws,
  /// there is no object: its `deinit` is not called, and the values are let go.
  ///
  /// - Throws: what `setFields` throws, or ``MissingValues`` if it left some out.
  package func makeObject(_ setFields: (inout UnfinishedObject) throws -> Void) throws -> AnyObject {
    var object = unsafe UnfinishedObject(address: layout.allocate())
    do {
      try setFields(&object)
      guard object.setFields == 1 << UInt64(places.count) - 1 else { throw MissingValues() }
    } catch {
      for (slot, memory) in memories.enumerated() where object.isSet(slot) {
        unsafe memory.destroy(in: object.address)
      }
      unsafe layout.deallocate(object.address)
      throw error
    }
    return unsafe Unmanaged<AnyObject>.fromOpaque(object.address).takeRetainedValue()
  }

  /// Some field was given no value.
  struct MissingValues: Error {}
}

/// An object whose fields get their values: nobody else has it yet.
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
