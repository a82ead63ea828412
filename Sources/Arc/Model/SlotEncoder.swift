import ArcFormat

/// Encodes the properties of one object. Generated code uses the encoder in `encode(to:)`.
///
/// A slot is the number of a stored property: 0 for the property that the class declares first. The compiler
/// selects an overload of `encode` by the type of the property. The overloads for references also test
/// whether the target has only one reference, because the archiver need not remember such a target.
public struct __SlotEncoder: ~Copyable {
  /// One column per slot, beginning with the slots of the class whose `encode(to:)` runs. A column is nil if
  /// the value is not needed.
  @usableFromInline let columns: HandleBuffer<ColumnWriter?>
  /// The sink for values by key. It is in a handle, so that an encoder is only a few words large. Each class
  /// in a hierarchy gets its own encoder.
  @usableFromInline let keyedSink: Handle<KeyedSinkReference>
  /// The address of the object that is being encoded, if some of its values are read from its memory.
  /// Otherwise 0.
  @usableFromInline let object: UInt
  var keys: any KeyedSink {
    guard let sink = keyedSink.value.sink else {
      preconditionFailure("an ObjectEncoder was used after its call returned")
    }
    return sink
  }

  @inlinable init(
    columns: HandleBuffer<ColumnWriter?>, keyedSink: Handle<KeyedSinkReference>, object: UInt = 0
  ) {
    self.columns = columns
    self.keyedSink = keyedSink
    self.object = object
  }

  /// Returns an encoder for the superclass of a class that declares `count` properties. The encoder omits the
  /// first `count` slots.
  @inlinable func dropFirst(_ count: Int) -> __SlotEncoder {
    __SlotEncoder(columns: columns.dropFirst(count), keyedSink: keyedSink, object: object)
  }

  /// Encodes a property of any type.
  @inlinable @inline(__always)
  public func encode<Value: ArchivableValue>(_ value: @autoclosure () -> Value, at slot: Int) throws {
    if let column = try column(slot) { try value().__write(to: column) }
  }

  /// Encodes a reference.
  @inlinable @inline(__always)
  public func encode<Object: Archivable>(_ object: @autoclosure () -> Object, at slot: Int) throws {
    guard let column = try column(slot) else { return }
    if column.isStored {
      try column.append(storedReferenceAt: UInt(bitPattern: ObjectIdentifier(object())))
    } else {
      try column.append(computedReference: object())
    }
  }

  /// Encodes an optional reference.
  @inlinable @inline(__always)
  public func encode<Object: Archivable>(_ object: @autoclosure () -> Object?, at slot: Int) throws {
    guard let column = try column(slot) else { return }
    if column.isStored {
      // The reference is released before the reference count is read.
      try column.append(
        storedReferenceAt: object().map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0)
    } else {
      try column.append(computedReference: object())
    }
  }

  /// Encodes an array of references.
  @inlinable @inline(__always)
  public func encode<Object: Archivable>(_ objects: @autoclosure () -> [Object], at slot: Int) throws {
    guard let column = try column(slot) else { return }
    if try !column.appendIfUnique(storedArray: objects) { try objects().__write(to: column) }
  }

  /// Encodes an array of optional references.
  @inlinable @inline(__always)
  public func encode<Object: Archivable>(_ objects: @autoclosure () -> [Object?], at slot: Int) throws {
    guard let column = try column(slot) else { return }
    if try !column.appendIfUnique(storedArray: objects) { try objects().__write(to: column) }
  }

  /// Encodes a string.
  ///
  /// `value` is evaluated once to look up the string by its bits in memory. If the archiver does not know
  /// these bits, `value` is evaluated a second time, to read the text. Therefore, the compiler need not
  /// retain the string during the look-up.
  @inlinable @inline(__always)
  public func encode(_ value: @autoclosure () -> String, at slot: Int) throws {
    guard let column = try column(slot) else { return }
    let id = column.knownID(of: value())
    if !column.append(knownID: id) { column.append(unknown: value()) }
  }

  /// Encodes a weak property. The target is archived only if a strong reference also reaches it.
  @inlinable @inline(__always)
  public func encodeWeak<Object: Archivable>(_ object: @autoclosure () -> Object?, at slot: Int) throws {
    if let column = try column(slot) { column.append(weak: object()) }
  }

  /// Encodes an unowned property. Archiving throws `unownedTarget` if no strong reference reaches the target.
  @inlinable public func encodeUnowned<Value: ArchivableValue>(
    _ value: @autoclosure () -> Value, at slot: Int
  ) throws {
    if let column = try column(slot) { try column.append(unowned: value()) }
  }

  /// Returns the column of a slot. Nil if the value is not needed, or was already read from the memory of the
  /// object.
  @inlinable @inline(__always)
  func column(_ slot: Int) throws -> ColumnWriter? {
    guard UInt(bitPattern: slot) < UInt(bitPattern: columns.count) else { throw noColumn(slot) }
    let column = columns[slot]
    if column == nil, object != 0 { try encodeField(slot) }
    return column
  }

  /// Encodes a value that is read from the memory of the object.
  @usableFromInline @inline(never)
  func encodeField(_ slot: Int) throws { try keys.writeField(slot, of: columns, ofObjectAt: object) }

  /// Returns the error for a class whose `encode(to:)` passed another encoder to its superclass than the
  /// encoder that it received. Spec: 05-graph, rule W2.
  @usableFromInline @inline(never)
  func noColumn(_ slot: Int) -> ArchiveError {
    ArchiveError(
      .notArchivable,
      found: "an encoder for \(plural(columns.count, "property", "properties")), used for property number "
        + "\(slot + 1)",
      expected: "the encoder with which Arc called encode(to:)",
      remedy: "pass the encoder of encode(to:) to super.encode(to:)",
      className: keys.name)
  }
}

extension ColumnWriter {
  /// Writes a field of a structure, or an associated value of a case, to the column with this index.
  @inlinable public func write<Value: ArchivableValue>(_ value: Value, at index: Int) throws {
    let child = child(index)
    if isRecursive { return try writeNested(value, to: child) }
    try value.__write(to: child)
  }

  /// Writes a part of a recursive value. Only memory limits the nesting depth.
  @usableFromInline @inline(never)
  func writeNested(_ value: some ArchivableValue, to child: ColumnWriter) throws {
    try StackExtension.call { try value.__write(to: child) }
  }

  /// Writes a weak field of a structure to the column with this index.
  @inlinable @inline(__always)
  public func writeWeak<Object: Archivable>(_ object: Object?, at index: Int) throws {
    child(index).append(weak: object)
  }

  /// Writes an unowned field of a structure to the column with this index.
  @inlinable public func writeUnowned<Value: ArchivableValue>(_ value: Value, at index: Int) throws {
    try child(index).append(unowned: value)
  }

  /// Writes the index of an enumeration's case. Returns the column for the associated values of the case.
  public func beginCase(_ index: Int) -> ColumnWriter {
    append(UInt32(truncatingIfNeeded: index))
    return payload(index)
  }
}
