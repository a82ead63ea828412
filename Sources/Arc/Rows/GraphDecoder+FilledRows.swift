import ArcArchive
import ArcFormat
package import ArcMemory
import ArcRuntime

// Builds objects from rows that a reader of another format fills, one row at a time. `init(from:)` and
// `link(from:)` read such a row as they read a row of an archive.

extension GraphDecoder {
  /// Creates a decoder for rows that a reader of another format, such as JSON, fills.
  ///
  /// - Parameters:
  ///   - nestingLimit: the maximum nesting depth of values of a recursive type.
  ///   - userInfo: the values that the program's own code can access.
  package convenience init(nestingLimit: Int, userInfo: [CodingUserInfoKey: any Sendable]) {
    self.init(nestingLimit: nestingLimit, view: nil, context: ArchiveContext(userInfo: userInfo))
  }

  /// Replaces the values that the program's own code can access.
  package func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    if !userInfo.isEmpty || !context.userInfo.isEmpty { context = ArchiveContext(userInfo: userInfo) }
  }

  /// Releases all earlier objects, and prepares the decoder for new objects.
  ///
  /// - Parameter rowCount: the upper bound of the row numbers. The numbers are greater than 0 and less than
  ///   this bound.
  /// - Throws: nothing for a nonnegative bound.
  /// - Complexity: O(rows).
  package func begin(rowCount: Int) throws {
    begin(rowCount: max(rowCount, 1), isLogging: false)
    try references.value.objects.open(upTo: rowCount)
    references.value.objects.close()
  }

  /// Sets the existing objects to which the next value or object may refer. A reference to row -1 refers to
  /// the first of these objects, a reference to row -2 to the second.
  package func handOver(_ objects: [AnyObject]) {
    if !objects.isEmpty || !references.value.handedOver.isEmpty { references.value.handedOver = objects }
  }

  // MARK: Values

  /// Reads the only value of a filled row.
  package func value<Value: ArchivableValue>(_ type: Value.Type, of row: InputRow) throws -> Value {
    row.bind()
    references.value.currentRow = 0
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    let value = try Value.__read(from: row.set.column(0))
    try checkKeys()
    return value
  }

  /// Reads the value of a slot from the filled row, without setting it in an object.
  package func value(ofSlot slot: Int, of reader: RowReader) throws -> any ArchivableValue {
    reader.row.bind()
    references.value.currentRow = 0
    return try reader.valueType(ofSlot: slot).__read(from: reader.row.set.column(slot))
  }

  /// Reads the value of a slot from the filled row, only to check it. Throws if the slot's type does not
  /// accept the value.
  package func checkValue(ofSlot slot: Int, of reader: RowReader) throws {
    func read<Value: ArchivableValue>(_ type: Value.Type) throws {
      _ = try Value.__read(from: reader.row.set.column(slot))
    }
    reader.row.bind()
    references.value.currentRow = 0
    try read(reader.valueType(ofSlot: slot))
  }

  // MARK: Objects that refer only to existing objects

  /// Builds an object from the values in the filled row of `reader`, and stores the object under the number
  /// `row`. References to this number then refer to the object.
  package func build(_ reader: RowReader, row: Int) throws {
    references.value.objects.setObject(try object(of: reader, row: row), at: row)
  }

  /// Builds an object from the filled row of `reader`. No row number is assigned to the object, so nothing
  /// can refer to it.
  package func object(of reader: RowReader) throws -> AnyObject { try object(of: reader, row: 0) }

  private func object(of reader: RowReader, row: Int) throws -> AnyObject {
    reader.row.bind()
    references.value.currentRow = row
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    let object = try make(reader.type, reader)
    if !keyChecks.value.isEmpty { try checkKeys() }
    return object
  }

  /// Builds an object from a row that an encoder wrote. Before the new object is linked, it is set as the
  /// object of each row in `ownRows`. References to these rows then refer to the new object.
  func build(
    _ reader: RowReader, row: Int, from rows: WrittenRows, alsoInRows ownRows: [Int]
  ) throws -> AnyObject {
    reader.row.bind(to: rows)
    references.value.currentRow = row
    return try make(reader.type, reader) { [references] object in
      for row in ownRows { references.value.objects.replaceObject(ofRow: row, with: object) }
    }
  }

  @inline(__always) private func make<Object: Archivable>(
    _ type: Object.Type, _ row: RowReader, beforeLinking prepare: (AnyObject) -> Void = { _ in }
  ) throws -> AnyObject {
    let object = try row.reader.construct(type)
    prepare(object)
    for phase in row.linkPhases {
      try object.link(from: ObjectDecoder(row.reader, linking: object, in: phase))
    }
    return object
  }

  /// Sets a field of an unfinished object to the value of its slot in the filled row.
  package func set(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, from reader: RowReader
  ) throws {
    reader.row.bind(root: slot)
    references.value.currentRow = 0
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    try reader.set(slot, location, of: &object)
    if !keyChecks.value.isEmpty { try checkKeys() }
  }

  /// Updates an existing object: sets each `var` property for which the filled row has a value.
  /// Property observers and overridden setters run, because the program already uses the object.
  package func update(_ object: any Archivable, _ reader: RowReader) throws {
    reader.row.bind()
    references.value.currentRow = 0
    reader.setInitializedInLink(true)
    defer { reader.setInitializedInLink(false) }
    for phase in reader.updatePhases {
      try object.link(from: ObjectDecoder(reader.reader, slot: 0, phase: phase))
    }
  }

  // MARK: Objects that may refer to each other

  /// Builds the object of a row, but does not link it. The row is filled with the values that are set before
  /// the object is linked.
  package func construct(_ reader: RowReader, row: Int) throws {
    func construct<Object: Archivable>(_ type: Object.Type) throws -> AnyObject {
      try reader.reader.construct(type)
    }
    reader.row.bind()
    references.value.currentRow = row
    references.value.objects.setObject(try construct(reader.type), at: row)
    references.value.objects.noteBuiltByNeed(row)
  }

  /// Sets those properties of the object in `row` that are set in `phase`. The caller has filled the reader's
  /// row with their values.
  package func link(_ reader: RowReader, row: Int, in phase: DecodingPhase) throws {
    func link<Object: Archivable>(_ type: Object.Type) throws {
      try self.link(type, reader.reader, row: row, in: phase)
    }
    reader.row.bind()
    references.value.currentRow = row
    try link(reader.type)
  }

  /// Makes references to the row `other` refer to the object of the row `row`. Does nothing if this object
  /// does not exist, or if `other` already has an object.
  package func placeObject(ofRow row: Int, alsoInRow other: Int) {
    guard let object = object(inRow: row), !hasObject(inRow: other) else { return }
    references.value.objects.setObject(object, at: other)
    references.value.objects.noteBuiltByNeed(other)
    state.ownership.note(row, heldBy: other)
  }

  /// Removes the links of the objects of some rows, so that reference cycles do not retain the objects.
  package func unlink(_ rows: some Sequence<(row: Int, reader: RowReader)>, where isUnlinked: (Int) -> Bool) {
    unlink { visit in
      for (row, reader) in rows where isUnlinked(row) { visit(row, reader.reader) }
    }
  }

  // MARK: Rows

  /// Returns the object of a row. Nil if the object was not built.
  package func object(inRow row: Int) -> AnyObject? { references.value.objects.object(at: row) }

  /// Assigns an object that the decoder did not build to a row.
  package func setObject(_ object: AnyObject, inRow row: Int) {
    references.value.objects.setObject(object, at: row)
  }

  /// Removes the object of a row, as if the object had not been built.
  package func removeObject(inRow row: Int) { references.value.objects.remove(row) }

  /// Whether the object of a row was built.
  package func hasObject(inRow row: Int) -> Bool { references.value.objects.hasObject(at: row) }
}
