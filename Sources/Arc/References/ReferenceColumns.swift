import ArcFormat
public import ArcMemory

// Writes references to columns and reads them. Generated code handles the common cases inline. For all other
// cases it calls the pass that writes or reads.

extension ColumnWriter {
  /// The pass that writes to the column.
  var sink: any ReferenceSink { ObjectNumbering.of(self).value.sink }

  /// Appends a reference. The object gets a row if it is new.
  @inlinable @inline(__always)
  func append(reference object: AnyObject) throws {
    // The address is read before any call, so that the compiler need not retain the object.
    let references = ObjectNumbering.of(self)
    let row = references.value.directRow(at: UInt(bitPattern: ObjectIdentifier(object)))
    if row != 0, takes(row: row, before: references.value.currentRow) {
      append(row)
    } else {
      try appendReference(object)
    }
  }

  /// Appends a reference to the object at an address. The owner of the reference retains the object during
  /// the call. If the address is 0, appends nil.
  @inline(__always)
  private func append(referenceAt address: UInt) throws {
    let references = ObjectNumbering.of(self)
    let row = address == 0 ? 0 : references.value.directRow(at: address)
    if address == 0
      ? acceptsAnyRow : row != 0 && takes(row: row, before: references.value.currentRow)
    {
      append(row)
    } else {
      try appendReference(Self.object(at: address))
    }
  }

  /// Calls `append(referenceAt:)`, but is not inlined. This limits the size of the code that is inlined at
  /// several call sites.
  @usableFromInline @inline(never)
  func append(sharedReferenceAt address: UInt) throws { try append(referenceAt: address) }

  /// Appends the reference that a property stores; nil if the address is 0. A unique reference needs no
  /// look-up.
  @inlinable @inline(__always)
  func append(storedReferenceAt address: UInt) throws {
    if expectsUniqueReferences, address != 0, isUnique(address, noting: self) {
      if !appendUnique(address) { try appendUniqueReference(address) }
    } else {
      try append(sharedReferenceAt: address)
    }
  }

  /// Appends a reference that a getter or a wrapper returned, or nil.
  @usableFromInline @inline(never)
  func append(computedReference object: AnyObject?) throws {
    if let object {
      try append(reference: object)
    } else if acceptsAnyRow {
      append(0 as UInt32)
    } else {
      try appendReference(nil)
    }
  }

  /// Appends the array that a property stores, if nothing else refers to the array's storage. If storage is
  /// shared, other arrays also reach its elements, so no reference is the only path to an element. Returns
  /// whether the array was appended.
  @inlinable @inline(__always)
  func appendIfUnique<Element: ArchivableValue>(storedArray array: () -> [Element]) throws -> Bool {
    // The closure is called twice, so that the array is released before its reference count is read.
    guard expectsUniqueReferences, ObjectNumbering.of(self).value.uniqueStorageWord != 0,
      UniqueReference.isUnique(
        UniqueReference.storageAddress(of: array()), ObjectNumbering.of(self).value.uniqueStorageWord)
    else { return false }
    try unsafe array().withUnsafeBytes {
      try unsafe append(storedReferences: $0.bindMemory(to: UInt.self).span)
    }
    return true
  }

  /// Returns whether only one strong reference to the object at an address exists. Records the result in
  /// `property`. If most objects of a column have several references, the column is no longer tested.
  @inlinable @inline(__always)
  func isUnique(_ address: UInt, noting property: ColumnWriter) -> Bool {
    let isUnique = UniqueReference.isUnique(address, ObjectNumbering.of(self).value.uniqueWord)
    property.note(isUnique: isUnique)
    return isUnique
  }

  /// Appends a reference to the object at an address. No other reference to the object exists. If the row
  /// cannot be assigned here, appends nothing and returns false. The caller must then call
  /// `appendUniqueReference(_:)`, which is slower.
  @inlinable @inline(__always)
  func appendUnique(_ address: UInt) -> Bool {
    let row = ObjectNumbering.of(self).value.numberUnique(address)
    if row != 0 { append(row) }
    return row != 0
  }

  /// Appends an array of references from storage that nothing else refers to. Each reference is an address,
  /// or 0 for nil.
  @usableFromInline
  func append(storedReferences addresses: Span<UInt>) throws {
    append(UInt64(truncatingIfNeeded: addresses.count))
    let column = child(0)
    let references = ObjectNumbering.of(column)
    for index in 0..<addresses.count {
      if index & 31 == 0 {
        references.value.prefetchObjects(addresses.extracting(index..<min(index + 32, addresses.count)))
      }
      let address = addresses[index]
      if address != 0, column.isUnique(address, noting: self) {
        if !column.appendUnique(address) { try column.appendUniqueReference(address) }
      } else {
        try column.append(referenceAt: address)
      }
    }
  }

  /// Appends references that are contiguous in memory. Each is an address, or 0 for nil. Their owner retains
  /// the objects.
  @usableFromInline
  func append(references addresses: Span<UInt>) throws {
    let references = ObjectNumbering.of(self)
    for index in 0..<addresses.count {
      if index & 31 == 0 {
        references.value.prefetch(addresses.extracting(index..<min(index + 32, addresses.count)))
      }
      try append(referenceAt: addresses[index])
    }
  }

  /// Returns the object at an address. The owner of the reference retains the object during the call. Nil if
  /// the address is 0.
  private static func object(at address: UInt) -> AnyObject? {
    unsafe ObjectMemory.object(at: address)?.takeUnretainedValue()
  }

  /// Appends a reference to an object. This is the slow path, for an object without a row, and for a column
  /// whose pass must inspect every object.
  @usableFromInline @inline(never)
  func appendReference(_ object: AnyObject?) throws {
    try sink.write(object, isUnique: false, to: self)
  }

  /// Appends a reference to the object at an address. No other reference to the object exists. This is the
  /// slow path, for an object that cannot get a row immediately.
  @usableFromInline @inline(never)
  func appendUniqueReference(_ address: UInt) throws {
    try sink.write(Self.object(at: address), isUnique: true, to: self)
  }

  /// Appends a weak reference. Spec: 05-graph, rule G7.
  @inlinable @inline(__always)
  func append(weak object: AnyObject?) {
    let address = object.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
    let references = ObjectNumbering.of(self)
    let row = address == 0 ? 0 : references.value.identities.row(of: address)
    // In other cases the column may need another number than the row, such as the rank of the object.
    if isWeak, references.value.isDirect, row != 0 || address == 0 {
      append(row)
    } else {
      appendWeakReference(object)
    }
  }

  /// Appends a weak reference. This is the slow path, for an object without a row, and for a column whose
  /// pass must inspect every object.
  @usableFromInline @inline(never)
  func appendWeakReference(_ object: AnyObject?) { sink.writeWeak(object, to: self) }

  /// Appends a reference to the box of a value.
  func append(boxed value: some ArchivableValue) throws {
    let references = ObjectNumbering.of(self)
    references.value.location.advance(in: slot)
    try append(computedReference: sink.boxes().box(value, at: references.value.location))
  }

  /// Whether the references that are appended now are unowned.
  var isUnowned: Bool { ObjectNumbering.of(self).value.isUnowned }

  /// Appends an unowned reference.
  @inlinable func append<Value: ArchivableValue>(unowned value: Value) throws {
    let references = ObjectNumbering.of(self)
    references.value.isUnowned = true
    defer { references.value.isUnowned = false }
    try value.__write(to: self)
  }
}

extension ColumnReader {
  /// The decoder that reads the archive of the column.
  var source: any ReferenceSource {
    guard let source = ObjectLookup.of(self).value.source else {
      preconditionFailure("a column was used after its call returned")
    }
    return source
  }

  /// Reads a reference to an object of a class. Nil if the reference is nil. Throws `wrongClass` if the
  /// object has another class.
  @inlinable @inline(__always)
  func object<Object>(as type: Object.Type) throws -> Object? {
    if isPrefetchDue { prefetchObjects() }
    let row = try row()
    if row <= 0 { return row == 0 ? nil : try handedOver(row, as: type) }
    if let object = ObjectLookup.object(row, as: type, for: self) { return object }
    return try findObject(row, as: type)
  }

  /// Returns the object of a negative row, which is an existing object that the caller supplied. Throws
  /// `wrongClass` if the object does not have the type.
  @inlinable
  func handedOver<Object>(_ row: Int, as type: Object.Type) throws -> Object {
    let object = try handedOverObject(row)
    let (own, wanted) = (ObjectIdentifier(Swift.type(of: object)), ObjectIdentifier(type))
    if own == wanted || ObjectLookup.isKnownCast(own, wanted, ObjectLookup.of(self).value.castCache) {
      return unsafe _unsafeReferenceCast(object, to: Object.self)
    }
    return try cast(object, to: type)
  }

  @usableFromInline @inline(never)
  func handedOverObject(_ row: Int) throws -> AnyObject {
    let objects = ObjectLookup.of(self).value.handedOver
    guard objects.indices.contains(-1 - row) else { throw noObject() }
    return objects[-1 - row]
  }

  /// Casts an object to a type. Throws `wrongClass` if the object does not have the type.
  @usableFromInline @inline(never)
  func cast<Object>(_ object: AnyObject, to type: Object.Type) throws -> Object {
    if let object = ObjectLookup.of(self).value.cast(object, to: type) { return object }
    throw error(
      .wrongClass, found: "an object of class '\(Swift.type(of: object))'",
      expected: "an object of class '\(Object.self)'")
  }

  func noObject() -> ArchiveError {
    error(
      .danglingReference, found: "a reference to an object that does not exist",
      expected: "a reference to an existing object")
  }

  /// Reads the next reference if its target is not read now, but at the first access. Otherwise, returns nil
  /// and does not consume the reference.
  func takeUnreadObject() -> UnreadObject? {
    let row = nextRow
    guard row > 0, let object = source.unreadObject(inRow: row) else { return nil }
    // If the row cannot be read, the result is nil. The error is reported when the row is read as a
    // reference.
    return (try? self.row()).map { _ in object }
  }

  /// Prefetches the objects to which the column refers next.
  @usableFromInline @inline(never)
  func prefetchObjects() { ObjectLookup.of(self).value.prefetch(self) }

  /// Returns the object of a row. This is the slow path, for a row whose object `ObjectLookup` did not find.
  @usableFromInline @inline(never)
  func findObject<Object>(_ row: Int, as type: Object.Type) throws -> Object {
    try source.object(row, from: self)
  }
}
