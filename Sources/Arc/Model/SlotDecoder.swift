import ArcFormat

/// Decodes the properties of one object. Generated code uses the decoder in `init(from:)` and `link(from:)`.
///
/// A slot is the number of a stored property: 0 for the property that the class declares first.
public struct __SlotDecoder: ~Copyable {
  /// One column per slot, beginning with the slots of the class whose code runs.
  @usableFromInline let columns: HandleBuffer<ColumnReader>
  /// The source of values by key. It is in a handle, so that a decoder is only a few words large. Each class
  /// in a hierarchy gets its own decoder.
  @usableFromInline let keyedSource: Handle<KeyedSourceReference>
  /// The phase in which the generated code is called.
  @usableFromInline let phase: DecodingPhase
  /// Whether a class in the hierarchy inherits its `init(from:)`. The next `init(from:)` may then be the
  /// initializer of a superclass.
  @usableFromInline let mapsSlots: Bool
  /// The address of the object that is being linked, if some of its values are stored without setters.
  /// Otherwise 0.
  @usableFromInline let object: UInt
  var keys: any KeyedSource {
    guard let source = keyedSource.value.source else {
      preconditionFailure("an ObjectDecoder was used after its call returned")
    }
    return source
  }

  @inlinable init(
    columns: HandleBuffer<ColumnReader>, keyedSource: Handle<KeyedSourceReference>, phase: DecodingPhase,
    mapsSlots: Bool, object: UInt = 0
  ) {
    self.columns = columns
    self.keyedSource = keyedSource
    self.phase = phase
    self.mapsSlots = mapsSlots
    self.object = object
  }

  /// Returns a decoder for the superclass of a class that declares `count` properties. The decoder omits the
  /// first `count` slots.
  @inlinable func dropFirst(_ count: Int) -> __SlotDecoder {
    __SlotDecoder(
      columns: columns.dropFirst(count), keyedSource: keyedSource, phase: phase, mapsSlots: false,
      object: object)
  }

  /// Returns the value that `init(from:)` sets for a property without an initial value.
  ///
  /// If the property refers to objects that may not exist yet, the function returns the type's empty value,
  /// such as nil or an empty array. `link(from:)` sets the property later.
  ///
  /// - Throws: `ArchiveError` with code `missingKey` if the file has no value and the type has no empty
  ///   value. Spec: 06-evolution, rule M3.
  @inlinable @inline(__always)
  public func value<Value: ArchivableValue>(_ slot: Int) throws -> Value {
    let column = try column(slot)
    if column.phase == DecodingPhase.initializer.rawValue { return try Value.__read(from: column) }
    if let empty = Value.__emptyValue { return empty }
    throw column.error(.missingKey, found: "no value", expected: "a value of type '\(Value.self)'")
  }

  /// Returns the value that `init(from:)` sets for a property with an initial value.
  ///
  /// The result is the value in the file. It is the initial value if the file has no value for the property,
  /// or if `link(from:)` sets the property later.
  @inlinable @inline(__always)
  public func value<Value: ArchivableValue>(
    _ slot: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    let column = try column(slot)
    if column.phase == DecodingPhase.initializer.rawValue { return try Value.__read(from: column) }
    return try initial()
  }

  /// Returns the value that `init(from:)` sets for a property marked `@Key(_:from:)` without an initial
  /// value.
  ///
  /// The result is the value under the property's own key. If the file does not contain the property under
  /// its own key, the function calls `older`, which converts the values under older keys. If `older` returns
  /// nil, or if `link(from:)` sets the property later, the result is the type's empty value, such as nil.
  ///
  /// - Throws: `ArchiveError` with code `missingKey` if the result would be an empty value, but the type has
  ///   none.
  public func value<Value: ArchivableValue>(_ slot: Int, older: () throws -> Value?) throws -> Value {
    if try column(slot).isMissing, let value = try older() { return value }
    return try value(slot)
  }

  /// Returns the value that `init(from:)` sets for a property marked `@Key(_:from:)` with an initial value.
  ///
  /// The result is the value under the property's own key. If the file does not contain the property under
  /// its own key, the function calls `older`, which converts the values under older keys. If `older` returns
  /// nil, or if `link(from:)` sets the property later, the result is the initial value.
  public func value<Value: ArchivableValue>(
    _ slot: Int, default initial: @autoclosure () throws -> Value, older: () throws -> Value?
  ) throws -> Value {
    if try column(slot).isMissing, let value = try older() { return value }
    return try value(slot, default: initial())
  }

  /// Returns the value to which `link(from:)` sets a property.
  ///
  /// Returns nil if generated code must not set the property: `init(from:)` has already set it, or this
  /// function itself stored the value in the memory of the object. The compiler infers the type from
  /// `property`, which is not called.
  @inlinable @inline(__always)
  public func link<Value: ArchivableValue>(
    _ slot: Int, like property: @autoclosure () -> Value
  ) throws -> Value? {
    let column = try column(slot)
    guard column.phase == phase.rawValue else { return nil }
    if object != 0, try store(slot, from: column) { return nil }
    return try Value.__read(from: column)
  }

  /// Reads a value and stores it without calling the setter. Returns false if generated code must set the
  /// property instead.
  @usableFromInline @inline(never)
  func store(_ slot: Int, from column: ColumnReader) throws -> Bool {
    try keys.storeField(slot, of: columns, from: column, inObjectAt: object)
  }

  /// Returns the column of a slot. Throws if the class does not have the slot.
  @inlinable @inline(__always)
  func column(_ slot: Int) throws -> ColumnReader {
    guard UInt(bitPattern: slot) < UInt(bitPattern: columns.count) else { throw noColumn(slot) }
    return columns[slot]
  }

  /// Returns the error for a slot that the class does not have. This occurs if a class passes its superclass
  /// another decoder than the decoder that it received.
  @usableFromInline @inline(never)
  func noColumn(_ slot: Int) -> ArchiveError {
    ArchiveError(
      .notArchivable,
      found: "a decoder for \(plural(columns.count, "property", "properties")), used for property number "
        + "\(slot + 1)",
      expected: "the decoder with which Arc called init(from:) or link(from:)",
      remedy: "pass the decoder of init(from:) to super.init(from:), and the decoder of link(from:) to "
        + "super.link(from:)",
      className: keys.name)
  }
}

extension ColumnReader {
  /// Reads a field of a structure, or an associated value of a case, by its index. Returns the value.
  ///
  /// If the file has no value for the field and the type is optional, the result is nil.
  ///
  /// - Throws: `ArchiveError` with code `missingKey` if the file has no value for the field and the type is
  ///   not optional. Spec: 06-evolution, rule M3.
  @inlinable public func value<Value: ArchivableValue>(_ index: Int) throws -> Value {
    guard let field = try field(index) else { return try readMissing(index) }
    return isRecursive ? try readNested(field) : try Value.__read(from: field)
  }

  /// Returns the column of the next value of a field. Nil if the structure has no value for the field.
  @inlinable @inline(__always)
  func field(_ index: Int) throws -> ColumnReader? {
    let child = child(index)
    return child.mayBeMissing ? try fieldIfPresent(index) : child
  }

  /// Returns the value of a field that the file does not have: nil. Throws if the type is not optional. Spec:
  /// 06-evolution, rule M3.
  @usableFromInline @inline(never)
  func readMissing<Value: ArchivableValue>(_ index: Int) throws -> Value {
    if Value.__traits.contains(.optional), let empty = Value.__emptyValue { return empty }
    throw error(
      .missingKey, found: "no value for the field \(fieldName(index))",
      expected: "a value of type '\(Value.self)'",
      remedy: "give the field an initial value, or declare it optional")
  }

  /// Reads a field of a structure by its index. Returns the initial value if the file has no value for the
  /// field.
  @inlinable public func value<Value: ArchivableValue>(
    _ index: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    guard let field = try field(index) else { return try initial() }
    return isRecursive ? try readNested(field) : try Value.__read(from: field)
  }

  /// Reads a field by its index, for a structure whose initializer has run before its fields are set.
  ///
  /// The compiler infers the type of the field from `property`, which is not called.
  @inlinable public func value<Owner, Value: ArchivableValue>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value {
    try value(index)
  }

  /// Reads a field by its index, for a structure whose initializer has run before its fields are set. Returns
  /// nil if the file has no value for the field.
  ///
  /// The compiler infers the type of the field from `property`, which is not called.
  @inlinable public func valueIfPresent<Owner, Value: ArchivableValue>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value? {
    guard let field = try field(index) else { return nil }
    return isRecursive ? try readNested(field) : try Value.__read(from: field)
  }

  /// Reads a part of a recursive value. Throws if values are nested too deeply.
  @usableFromInline @inline(never)
  func readNested<Value: ArchivableValue>(_ child: ColumnReader) throws -> Value {
    try source.readPart(child, of: self)
  }

  /// Returns the error for a case that the program does not have. Spec: 06-evolution, rule M6.
  public func unknownCase() -> any Error {
    error(
      .unknownCase, found: "a case that the program does not declare",
      expected: "a case that the program declares")
  }
}
