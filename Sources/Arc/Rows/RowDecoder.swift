import ArcArchive
import ArcFormat
package import ArcMemory
import ArcRuntime

/// Builds objects out of rows that somebody fills: from another format than an archive.
///
/// Objects are built one after another, each when all that it refers to is there: its `init(from:)` and
/// `link(from:)` read the row as they read one of an archive.
package final class RowDecoder {
  let references = Handle(ObjectLookup())
  private var context: ArchiveContext
  private var readers: [ObjectIdentifier: RowReader] = [:]
  private var nesting = 0
  private let nestingLimit: Int
  /// Says of sets and dictionaries of objects, as the row that is read has them, whether they are as they
  /// should be.
  let keyChecks = Handle<[(column: ColumnReader, isConsistent: () -> Bool)]>([])
  /// Whether it has anything that belongs to an actor: then the next caller has to be asked as well.
  package private(set) var isIsolated = false
  /// Which row holds which; nil unless that is asked for.
  var log: ReferenceLog?

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - nestingLimit: how deep values may be inside of values of their own type.
  ///   - userInfo: what the program's own code gets.
  package init(nestingLimit: Int, userInfo: [CodingUserInfoKey: any Sendable]) {
    self.nestingLimit = nestingLimit
    context = ArchiveContext(userInfo: userInfo)
  }

  /// Begins with rows for other objects.
  ///
  /// - Parameter rowCount: the rows are below it, and above 0.
  /// - Throws: nothing for a number of rows that is not negative.
  /// - Complexity: O(rows).
  package func begin(rowCount: Int) throws {
    references.value.begin(rowCount: max(rowCount, 1), isLogging: false, source: self)
    try references.value.objects.open(upTo: rowCount)
    references.value.objects.close()
  }

  /// Forgets all objects.
  package func end() {
    references.value.prepareForReuse()
    keyChecks.value.removeAll()
    log = nil
    nesting = 0
  }

  /// Replaces the values that the program's own code can access.
  package func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    if !userInfo.isEmpty || !context.userInfo.isEmpty { context = ArchiveContext(userInfo: userInfo) }
  }

  deinit {
    references.value.objects.releaseAll()
    references.value.free()
    references.free()
    keyChecks.free()
  }

  /// The rows of a class.
  package func reader(of type: any Archivable.Type) throws -> RowReader {
    if let known = readers[ObjectIdentifier(type)] { return known }
    let programClass = try ProgramClass.of(type)
    try programClass.isolation.check()
    let reader = try RowReader(programClass, references: references)
    if reader.columns.isIsolated { isIsolated = true }
    readers[ObjectIdentifier(type)] = reader
    return reader
  }

  /// The column of values of a type that are no objects of their own.
  package func columns(of type: any ArchivableValue.Type) throws -> RowColumns {
    let columns = try RowColumns(of: type, context: references.opaque)
    if columns.isIsolated { isIsolated = true }
    return columns
  }

  /// Reads the value of a row of values, which is filled.
  package func value<Value: ArchivableValue>(_ type: Value.Type, of row: FilledRow) throws -> Value {
    row.bind()
    references.value.currentRow = 0
    keyChecks.value.removeAll()
    let value = try Value.__read(from: row.set.column(0))
    try checkKeys()
    return value
  }

  /// Throws if a set or dictionary of objects that was just read is not as it should be: all of these are
  /// there already.
  package func checkKeys() throws {
    defer { keyChecks.value.removeAll() }
    for check in keyChecks.value where !check.isConsistent() { throw check.column.hashCycle(objectID: nil) }
  }

  /// Makes objects available to references for one value or object: row -1 is the first object.
  package func handOver(_ objects: [AnyObject]) {
    if !objects.isEmpty || !references.value.handedOver.isEmpty { references.value.handedOver = objects }
  }

  /// Builds the object of a row, which is filled.
  package func build(_ reader: RowReader, row: Int) throws {
    references.value.objects.place(try object(of: reader, row: row), at: row)
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

  /// Gives a field of a new object the value of its slot, which is filled.
  package func set(
    _ slot: Int, _ place: FieldPlace, of object: inout UnfinishedObject, from reader: RowReader
  ) throws {
    reader.row.bind(root: slot)
    references.value.currentRow = 0
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    try reader.set(slot, place, of: &object)
    if !keyChecks.value.isEmpty { try checkKeys() }
  }

  /// Builds an object of a row that was written, in place of those of some rows: references to these in what
  /// is linked lead to it.
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
    let reader = row.reader
    let object = try Object(from: ObjectDecoder(reader, slot: reader.initializerSlot, phase: .initializer))
    prepare(object)
    for phase in row.linkPhases {
      try object.link(from: ObjectDecoder(reader, linking: object, in: phase))
    }
    return object
  }

  /// Reads the value of a slot of the row, which is filled, and does nothing with it: to know
  /// whether its type takes it.
  package func checkValue(ofSlot slot: Int, of reader: RowReader) throws {
    func read<Value: ArchivableValue>(_ type: Value.Type) throws {
      _ = try Value.__read(from: reader.row.set.column(slot))
    }
    reader.row.bind()
    references.value.currentRow = 0
    try read(reader.valueType(ofSlot: slot))
  }

  /// The value of a slot of the row, which is filled, for nobody in particular.
  package func value(ofSlot slot: Int, of reader: RowReader) throws -> any ArchivableValue {
    reader.row.bind()
    references.value.currentRow = 0
    return try reader.valueType(ofSlot: slot).__read(from: reader.row.set.column(slot))
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

  /// The object of a row; nil if it was not built.
  package func object(inRow row: Int) -> AnyObject? { references.value.objects.placed(at: row) }

  /// Takes an object that was built otherwise as that of a row.
  package func place(_ object: AnyObject, inRow row: Int) { references.value.objects.place(object, at: row) }

  /// Forgets the object of a row, as if it had not been built.
  package func removeObject(inRow row: Int) { references.value.objects.remove(row) }

  /// Whether the object of a row was built.
  package func hasObject(inRow row: Int) -> Bool { references.value.objects.hasObject(at: row) }
}

extension RowDecoder: ReferenceSource {
  func object<Object>(_ row: Int, from column: ColumnReader) throws -> Object {
    guard let object = references.value.objects.placed(at: row) else { throw column.noObject() }
    let found = try column.cast(object, to: Object.self)
    if references.value.isLogging { noteReference(to: row, from: column) }
    return found
  }

  var neededRow: Int? {
    get { nil }
    set {}
  }

  func readPart<Value: ArchivableValue>(_ part: ColumnReader, of column: ColumnReader) throws -> Value {
    let isDeeper = column.enterValue()
    if isDeeper { nesting += 1 }
    defer {
      if isDeeper { nesting -= 1 }
      column.leaveValue()
    }
    guard nesting <= nestingLimit else { throw column.nestedTooDeeply(nestingLimit) }
    return try StackExtension.call { try Value.__read(from: part) }
  }

  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    keyChecks.value.append((column, isConsistent))
  }

  var archiveContext: ArchiveContext { context }

  var readsText: Bool { true }

  func unreadObject(inRow row: Int) -> UnreadObject? { nil }

  func fileRow(_ row: Int) -> Int { row }
}
