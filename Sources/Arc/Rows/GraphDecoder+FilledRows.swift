import ArcArchive
import ArcFormat
package import ArcMemory
import ArcRuntime

// Objects of rows that a reader of another format fills, one row at a time: `init(from:)` and `link(from:)`
// read such a row as they read a row of an archive.

extension GraphDecoder {
  /// Creates a decoder for rows of another format.
  ///
  /// - Parameters:
  ///   - nestingLimit: the maximum number of values of a recursive type that are nested in each other.
  ///   - userInfo: the values that the program's own code can access.
  package convenience init(nestingLimit: Int, userInfo: [CodingUserInfoKey: any Sendable]) {
    self.init(nestingLimit: nestingLimit, view: nil, context: ArchiveContext(userInfo: userInfo))
  }

  /// Replaces the values that the program's own code can access.
  package func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    if !userInfo.isEmpty || !context.userInfo.isEmpty { context = ArchiveContext(userInfo: userInfo) }
  }

  /// Begins with rows for other objects.
  ///
  /// - Parameter rowCount: the rows are below it, and above 0.
  /// - Throws: nothing for a number of rows that is not negative.
  /// - Complexity: O(rows).
  package func begin(rowCount: Int) throws {
    begin(rowCount: max(rowCount, 1), isLogging: false)
    try references.value.objects.open(upTo: rowCount)
    references.value.objects.close()
  }

  /// Makes objects available to references for one value or object: row -1 is the first object.
  package func handOver(_ objects: [AnyObject]) {
    if !objects.isEmpty || !references.value.handedOver.isEmpty { references.value.handedOver = objects }
  }

  // MARK: Values

  /// Reads the value of a row of values, which is filled.
  package func value<Value: ArchivableValue>(_ type: Value.Type, of row: InputRow) throws -> Value {
    row.bind()
    references.value.currentRow = 0
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    let value = try Value.__read(from: row.set.column(0))
    try checkKeys()
    return value
  }

  /// Returns the value of a slot of the row, which is filled. No object gets the value.
  package func value(ofSlot slot: Int, of reader: RowReader) throws -> any ArchivableValue {
    reader.row.bind()
    references.value.currentRow = 0
    return try reader.valueType(ofSlot: slot).__read(from: reader.row.set.column(slot))
  }

  /// Reads the value of a slot of the row, which is filled, to determine whether its type accepts the value.
  package func checkValue(ofSlot slot: Int, of reader: RowReader) throws {
    func read<Value: ArchivableValue>(_ type: Value.Type) throws {
      _ = try Value.__read(from: reader.row.set.column(slot))
    }
    reader.row.bind()
    references.value.currentRow = 0
    try read(reader.valueType(ofSlot: slot))
  }

  // MARK: Objects that refer only to objects that exist

  /// Builds the object of a row, which is filled.
  package func build(_ reader: RowReader, row: Int) throws {
    references.value.objects.setObject(try object(of: reader, row: row), at: row)
  }

  /// Returns a new object whose row is filled. The object is in no row.
  package func object(of reader: RowReader) throws -> AnyObject { try object(of: reader, row: 0) }

  private func object(of reader: RowReader, row: Int) throws -> AnyObject {
    reader.row.bind()
    references.value.currentRow = row
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    let object = try make(reader.type, reader)
    if !keyChecks.value.isEmpty { try checkKeys() }
    return object
  }

  /// Builds an object of a row that was written, which takes the place of the objects of some rows:
  /// references to these rows in what is linked refer to the new object.
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

  /// Gives a field of a new object the value of its slot, which is filled.
  package func set(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, from reader: RowReader
  ) throws {
    reader.row.bind(root: slot)
    references.value.currentRow = 0
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    try reader.set(slot, location, of: &object)
    if !keyChecks.value.isEmpty { try checkKeys() }
  }

  /// Sets the variable properties of an object for which the row, which is filled, has values.
  /// Their observers run, and setters of subclasses: the object is in use.
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

  /// Builds the object of a row, which is filled with the values that are set before the object is linked.
  package func construct(_ reader: RowReader, row: Int) throws {
    func construct<Object: Archivable>(_ type: Object.Type) throws -> AnyObject {
      try reader.reader.construct(type)
    }
    reader.row.bind()
    references.value.currentRow = row
    references.value.objects.setObject(try construct(reader.type), at: row)
    references.value.objects.noteBuiltByNeed(row)
  }

  /// Sets the properties of the object of a row, which is filled, that are set in a phase.
  package func link(_ reader: RowReader, row: Int, in phase: DecodingPhase) throws {
    func link<Object: Archivable>(_ type: Object.Type) throws {
      try self.link(type, reader.reader, row: row, in: phase)
    }
    reader.row.bind()
    references.value.currentRow = row
    try link(reader.type)
  }

  /// Has references to a row refer to the object of another row, if that object is built.
  package func placeObject(ofRow row: Int, alsoInRow other: Int) {
    guard let object = object(inRow: row), !hasObject(inRow: other) else { return }
    references.value.objects.setObject(object, at: other)
    references.value.objects.noteBuiltByNeed(other)
    state.ownership.note(row, heldBy: other)
  }

  /// Undoes the links of the objects of some rows, so that cycles cannot retain them.
  package func unlink(_ rows: some Sequence<(row: Int, reader: RowReader)>, where isUnlinked: (Int) -> Bool) {
    unlink { visit in
      for (row, reader) in rows where isUnlinked(row) { visit(row, reader.reader) }
    }
  }

  // MARK: Rows

  /// The object of a row; nil if it was not built.
  package func object(inRow row: Int) -> AnyObject? { references.value.objects.object(at: row) }

  /// Makes an object that the decoder did not build the object of a row.
  package func setObject(_ object: AnyObject, inRow row: Int) {
    references.value.objects.setObject(object, at: row)
  }

  /// Forgets the object of a row, as if it had not been built.
  package func removeObject(inRow row: Int) { references.value.objects.remove(row) }

  /// Whether the object of a row was built.
  package func hasObject(inRow row: Int) -> Bool { references.value.objects.hasObject(at: row) }
}
