/// Takes the properties of one object while it is archived.
///
/// Generated code uses slots; code by hand uses keys. Valid during the call of `encode(to:)` only, which is why it
/// can be neither copied nor stored.
@safe public struct ObjectEncoder: ~Copyable {
  /// One column per slot from the class on whose `encode(to:)` runs; nil where the value is not asked for.
  @usableFromInline let columns: UnsafeMutablePointer<ColumnWriter?>
  @usableFromInline let columnCount: Int
  @usableFromInline let classWriter: Unmanaged<ClassWriter>

  /// The columns are those of the writer in the present mode.
  init(_ writer: ClassWriter, columns: UnsafeMutablePointer<ColumnWriter?>) {
    unsafe self.init(
      columns: columns, columnCount: writer.slotCount, writer: .passUnretained(writer))
  }

  @inlinable init(
    columns: UnsafeMutablePointer<ColumnWriter?>, columnCount: Int, writer: Unmanaged<ClassWriter>
  ) {
    unsafe self.columns = unsafe columns
    self.columnCount = columnCount
    unsafe classWriter = unsafe writer
  }

  var writer: ClassWriter { unsafe classWriter.takeUnretainedValue() }
  var graph: GraphEncoder { writer.graph }

  /// The encoder for the superclass, whose slots follow those of a class with `count` properties.
  @inlinable public func superclass(after count: Int) -> ObjectEncoder {
    let passed = min(max(count, 0), columnCount)
    return unsafe ObjectEncoder(
      columns: columns + passed, columnCount: columnCount - passed, writer: classWriter)
  }

  /// Encodes a property.
  @inlinable @inline(__always)
  public func encode<Value: ArchivableValue>(_ value: @autoclosure () -> Value, at slot: Int) throws {
    guard let column = try column(slot) else { return }
    if column.__expectsSoleReferences {
      try Value.__writeStored(value, to: column)
    } else {
      try value().__write(to: column)
    }
  }

  /// Encodes a string.
  ///
  /// One that is known by its bits is not asked for again: before anything is called with it, the compiler need not keep
  /// it alive.
  @inlinable @inline(__always)
  public func encode(_ value: @autoclosure () -> String, at slot: Int) throws {
    guard let column = try column(slot) else { return }
    let id = column.__knownID(of: value())
    if !column.__append(knownID: id) { column.__append(unknown: value()) }
  }

  /// Encodes a weak property: its target is archived only if something else keeps it.
  @inlinable @inline(__always)
  public func encodeWeak<Object: Archivable>(_ object: Object?, at slot: Int) throws {
    if let column = try column(slot) { column.__writeWeak(object) }
  }

  /// Encodes an unowned property: something else must keep its target.
  @inlinable public func encodeUnowned<Value: ArchivableValue>(_ value: Value, at slot: Int) throws {
    if let column = try column(slot) { try column.__writeUnowned(value) }
  }

  /// The column of a slot; nil when only construction references are asked for and it has none.
  @inlinable @inline(__always)
  func column(_ slot: Int) throws -> ColumnWriter? {
    guard UInt(bitPattern: slot) < UInt(bitPattern: columnCount) else { throw noColumn(slot) }
    return unsafe columns[slot]
  }

  @usableFromInline @inline(never)
  func noColumn(_ slot: Int) -> ArchiveError {
    ArchiveError(
      .notArchivable, found: "property \(slot) of \(columnCount)",
      remedy: "call super.encode(to:) with the encoder that encode(to:) got", className: writer.name)
  }

  /// When a value that was encoded by hand is needed again.
  public enum Need: Sendable {
    /// In `init(from:)`: objects in it are built before this one, and must not need this one in turn.
    case construction
    /// In `link(from:)`.
    case linking
  }

  /// Encodes a value under a key; throws `duplicateKey` when the object used the key before.
  public func encode<Value: ArchivableValue>(
    _ value: Value, forKey key: String, during need: Need = .linking
  ) throws {
    try graph.writeKeyed(
      Value.self, key: key, flags: need == .construction ? [.construction] : [], isWeak: false, writer
    ) { try value.__write(to: $0) }
  }

  /// Encodes a weak reference under a key.
  public func encodeWeak<Object: Archivable>(_ object: Object?, forKey key: String) throws {
    let graph = self.graph
    try graph.writeKeyed(Object.self, key: key, flags: [], isWeak: true, writer) {
      $0.__writeWeak(object)
    }
  }

  /// Encodes an unowned reference under a key: something else must keep its target.
  public func encodeUnowned<Object: Archivable>(
    _ object: Object?, forKey key: String, during need: Need = .linking
  ) throws {
    try graph.writeKeyed(
      Object?.self, key: key, flags: need == .construction ? [.construction] : [], isWeak: false, writer
    ) { try $0.__writeUnowned(object) }
  }
}

extension ColumnWriter {
  /// Whether a strong reference to the object at an address is the only one; notes it for the property's column.
  @inlinable @inline(__always)
  func __isSole(_ address: UInt, noting property: ColumnWriter) -> Bool {
    let isSole = unsafe SoleReference.isSole(address, ReferenceWriter.of(self).pointee.soleWord)
    property.__note(soleReference: isSole)
    return isSole
  }

  /// Appends the only reference to the object at an address, unless that takes more.
  @inlinable @inline(__always)
  func __appendSole(_ address: UInt) -> Bool {
    let row = unsafe ReferenceWriter.of(self).pointee.numberSole(address)
    if row != 0 { __append(row) }
    return row != 0
  }

  /// Appends a field of a structure or an associated value of an enumeration case.
  @inlinable public func write<Value: ArchivableValue>(_ value: Value, at index: Int) throws {
    let child = __child(index)
    if __isRecursive { return try __writeNested(value, to: child) }
    try value.__write(to: child)
  }

  /// Writes a part of a recursive value, which may be as deep as memory.
  @usableFromInline @inline(never)
  func __writeNested(_ value: some ArchivableValue, to child: ColumnWriter) throws {
    try StackExtension.call { try value.__write(to: child) }
  }

  /// Appends a weak field of a structure.
  @inlinable @inline(__always)
  public func writeWeak<Object: Archivable>(_ object: Object?, at index: Int) throws {
    __child(index).__writeWeak(object)
  }

  /// Appends a weak reference.
  @inlinable @inline(__always)
  func __writeWeak<Object: Archivable>(_ object: Object?) {
    let address = object.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
    let references = unsafe ReferenceWriter.of(self)
    let row = unsafe address == 0 ? 0 : references.pointee.identities.row(of: address)
    // Otherwise a row may stand for something else, as the rank of its object.
    if __isWeak, unsafe references.pointee.isDirect, row != 0 || address == 0 {
      __append(row)
    } else {
      __writeUnsettled(object, self)
    }
  }

  /// Appends an unowned field of a structure.
  @inlinable public func writeUnowned<Value: ArchivableValue>(_ value: Value, at index: Int) throws {
    try __child(index).__writeUnowned(value)
  }

  /// Appends an unowned reference.
  @inlinable func __writeUnowned<Value: ArchivableValue>(_ value: Value) throws {
    let references = unsafe ReferenceWriter.of(self)
    unsafe references.pointee.isUnowned = true
    defer { unsafe references.pointee.isUnowned = false }
    try value.__write(to: self)
  }

  /// Appends the case of an enumeration value and returns the column of its payload.
  public func beginCase(_ index: Int) -> ColumnWriter {
    __append(UInt32(truncatingIfNeeded: index))
    return __payload(index)
  }
}
