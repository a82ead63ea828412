/// Gives the properties of one object back while its graph is rebuilt.
///
/// Generated code uses slots; code by hand uses keys. Valid during the call of `init(from:)` or `link(from:)` only,
/// which is why it can be neither copied nor stored.
@safe public struct ObjectDecoder: ~Copyable {
  /// One column per slot from the class on whose code runs.
  @usableFromInline let columns: UnsafeMutablePointer<ColumnReader>
  @usableFromInline let columnCount: Int
  /// What the code is called for.
  @usableFromInline let phase: LinkPhase
  /// Whether the next `init(from:)` may be that of a class further up.
  @usableFromInline let mapsSlots: Bool
  @usableFromInline let classReader: Unmanaged<ClassReader>

  /// The decoder for the class whose slots begin at `slot`.
  init(_ reader: ClassReader, slot: Int, phase: LinkPhase) {
    let first = min(max(slot, 0), reader.slotCount)
    unsafe self.init(
      columns: reader.columns + first, columnCount: reader.slotCount - first, phase: phase,
      mapsSlots: phase == .initializer && reader.inheritsInitializers, reader: .passUnretained(reader))
  }

  @inlinable init(
    columns: UnsafeMutablePointer<ColumnReader>, columnCount: Int, phase: LinkPhase, mapsSlots: Bool,
    reader: Unmanaged<ClassReader>
  ) {
    unsafe self.columns = unsafe columns
    self.columnCount = columnCount
    self.phase = phase
    self.mapsSlots = mapsSlots
    unsafe classReader = unsafe reader
  }

  var reader: ClassReader { unsafe classReader.takeUnretainedValue() }

  /// The decoder for the superclass, whose slots follow those of a class with `count` properties.
  @inlinable public func superclass(after count: Int) -> ObjectDecoder {
    if mapsSlots { return inheritedInitializer(after: count) }
    let passed = min(max(count, 0), columnCount)
    return unsafe ObjectDecoder(
      columns: columns + passed, columnCount: columnCount - passed, phase: phase, mapsSlots: false,
      reader: classReader)
  }

  @usableFromInline func inheritedInitializer(after count: Int) -> ObjectDecoder {
    let reader = reader
    let next = unsafe columns - reader.columns + count
    return ObjectDecoder(reader, slot: reader.shape.initializerSlot(next), phase: phase)
  }

  /// The value that `init(from:)` gives to a property without initial value: the one in the file, or for a link
  /// the empty value until it is linked.
  @inlinable @inline(__always)
  public func value<Value: ArchivableValue>(_ slot: Int) throws -> Value {
    let column = try column(slot)
    if column.__phase == LinkPhase.initializer.rawValue { return try Value.__read(from: column) }
    if let empty = Value.__emptyValue { return empty }
    throw column.__error(.missingKey, found: "no column", expected: "a value of type \(Value.self)")
  }

  /// The value that `init(from:)` gives to a property with an initial value.
  @inlinable @inline(__always)
  public func value<Value: ArchivableValue>(
    _ slot: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    let column = try column(slot)
    if column.__phase == LinkPhase.initializer.rawValue { return try Value.__read(from: column) }
    return try initial()
  }

  /// The value that `link(from:)` gives to a property, or nil if it is not its turn. `property` only tells the type.
  @inlinable @inline(__always)
  public func link<Value: ArchivableValue>(
    _ slot: Int, like property: @autoclosure () -> Value
  ) throws -> Value? {
    let column = try column(slot)
    return column.__phase == phase.rawValue ? try Value.__read(from: column) : nil
  }

  /// The column of a slot; throws for a slot that the class does not have.
  @inlinable @inline(__always)
  func column(_ slot: Int) throws -> ColumnReader {
    guard UInt(bitPattern: slot) < UInt(bitPattern: columnCount) else { throw noColumn(slot) }
    return unsafe columns[slot]
  }

  @usableFromInline @inline(never)
  func noColumn(_ slot: Int) -> ArchiveError {
    ArchiveError(
      .notArchivable, found: "property \(slot) of \(columnCount)",
      remedy: "call super with the decoder that init(from:) or link(from:) got", className: reader.name)
  }

  // MARK: Keys

  /// The value that was encoded under a key.
  ///
  /// Throws `missingKey` if the object used no such key (unless the type is optional: then nil), `typeMismatch`
  /// if the value is of a type that cannot be widened to this one, and in `init(from:)` `constructionOrder` if it
  /// refers to an object that does not exist yet.
  public func decode<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value {
    if let value = try decodeIfPresent(type, forKey: key) { return value }
    if Value.__isOptional, let empty = Value.__emptyValue { return empty }
    throw reader.missingKey(key, type)
  }

  /// The value that was encoded under a key, or nil if the object used no such key.
  public func decodeIfPresent<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value?
  {
    // Links are cut; what has no empty value is given once more, with objects that are linked to nothing.
    if phase == .cut, let empty = Value.__emptyValue { return empty }
    return try reader.keyed(type, key: key)
  }

  /// Whether the object has a value, perhaps nil, under a key.
  public func contains(_ key: String) throws -> Bool { try reader.hasValue(forKey: key) }
}

extension ColumnReader {
  /// Reads a field of a structure or an associated value of an enumeration case; nil for a missing optional.
  @inlinable public func value<Value: ArchivableValue>(_ index: Int) throws -> Value {
    let child = __child(index)
    if child.__isMissing { return try __missing(index) }
    return __isRecursive ? try __nested(child) : try Value.__read(from: child)
  }

  @usableFromInline @inline(never)
  func __missing<Value: ArchivableValue>(_ index: Int) throws -> Value {
    if Value.__isOptional, let empty = Value.__emptyValue { return empty }
    throw __error(
      .missingKey, found: "no field \(index)", expected: "a value of type \(Value.self)",
      remedy: "give the field an initial value")
  }

  /// Reads a field of a structure, or takes its initial value where the file has no such field.
  @inlinable public func value<Value: ArchivableValue>(
    _ index: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    let child = __child(index)
    if child.__isMissing { return try initial() }
    return __isRecursive ? try __nested(child) : try Value.__read(from: child)
  }

  /// Reads a field of a structure that is set later. `property` only tells the type.
  @inlinable public func value<Owner, Value: ArchivableValue>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value {
    try value(index)
  }

  /// Reads a field of a structure that is set later; nil where the file has no such field. `property` only tells the
  /// type.
  @inlinable public func valueIfPresent<Owner, Value: ArchivableValue>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value? {
    __child(index).__isMissing ? nil : try value(index) as Value
  }

  /// Reads a part of a recursive value, whose levels are counted.
  @usableFromInline @inline(never)
  func __nested<Value: ArchivableValue>(_ child: ColumnReader) throws -> Value {
    try GraphDecoder.of(self).readPart(child, of: self)
  }

  /// Reads which case comes, as the program numbers cases.
  public func readCase() throws -> Int { try __case() }

  /// The column of the associated values of a case.
  public func payload(_ caseIndex: Int) -> ColumnReader { __payload(caseIndex) }

  /// The error for a case that the program does not have.
  public func unknownCase() -> any Error {
    __error(.unknownCase, found: "a case that the program does not have")
  }
}
