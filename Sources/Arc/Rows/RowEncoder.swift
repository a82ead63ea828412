import ArcFormat

/// Has objects and values write themselves as rows that somebody reads again at once, to write another format
/// than an archive.
///
/// References in a row are numbers of objects, which ``withObject(_:_:)`` gives until they are forgotten.
/// Each reference has a number of its own, 0 is nil. Unowned references are nil, and weak ones unless asked
/// for.
package final class RowEncoder {
  private let numbering = Handle(ObjectNumbering(isDirect: false))
  /// The objects that rows refer to: number n is `objects[n - 1]`. Out of line, so that accesses are not
  /// checked for overlap.
  private let objects = Handle(ObjectList())
  /// The slots of weak properties whose values are needed of the object that is being written.
  private let weakSlots = Handle(Set<Int>())
  private var context: ArchiveContext
  /// Whether it wrote anything that belongs to an actor: then the next caller has to be asked as well.
  package private(set) var isIsolated = false

  /// Makes an encoder.
  ///
  /// - Parameter userInfo: what the program's own code gets.
  package init(userInfo: [CodingUserInfoKey: any Sendable]) {
    context = ArchiveContext(userInfo: userInfo)
    numbering.value.setSink(self)
  }

  /// Replaces the values that the program's own code can access.
  package func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    if !userInfo.isEmpty || !context.userInfo.isEmpty { context = ArchiveContext(userInfo: userInfo) }
  }

  deinit {
    numbering.value.free()
    numbering.free()
    objects.value.free()
    objects.free()
    weakSlots.free()
  }

  /// Has the values of weak properties written of the next object.
  func beginWeak(_ slots: Set<Int>) { weakSlots.value = slots }

  // MARK: Objects

  /// The number of objects that rows refer to.
  package var objectCount: Int { objects.value.count }

  /// Calls `body` with an object that a row refers to; with nil for a number that none has.
  @inline(__always) package func withObject<Result>(
    _ number: Int, _ body: (AnyObject?) throws -> Result
  ) rethrows -> Result {
    guard number > 0, number <= objects.value.count else { return try body(nil) }
    return try unsafe objects.value[number - 1]._withUnsafeGuaranteedRef { try body($0) }
  }

  /// Forgets all objects but the first ones.
  package func forgetObjects(after count: Int) { objects.value.removeAll(after: count) }

  // MARK: Rows

  /// The rows of an object's class.
  ///
  /// - Parameters:
  ///   - object: an object of exactly this class.
  ///   - includesAllReferences: whether rows have the targets of weak and unowned references in structures.
  ///   - isWritten: says of a property whether its values are needed.
  /// - Returns: what writes the rows.
  /// - Throws: `ArchiveError` with code `notArchivable` for an object of a class that is not archivable, or
  ///   that belongs to another actor than the caller's.
  package func writer(
    of object: AnyObject, includesAllReferences: Bool = false,
    where isWritten: (RowWriter.Slot) -> Bool
  ) throws -> RowWriter {
    guard let type = Swift.type(of: object) as? any Archivable.Type else {
      throw ArchiveError(
        .notArchivable, found: "an object of class '\(Swift.type(of: object))'",
        expected: "an object of an archivable class", remedy: "mark the class with @Archivable")
    }
    let programClass = try ProgramClass.of(type)
    try programClass.isolation.check()
    if programClass.isolation.mainActorType != nil { isIsolated = true }
    return RowWriter(
      programClass, context: numbering, self,
      includesAllReferences: includesAllReferences, where: isWritten)
  }

  /// The rows of values of a type, each with one column.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` for a type that belongs to another actor than the
  ///   caller's.
  package func rows(of type: any ArchivableValue.Type) throws -> WrittenRows {
    let types = __TypeEncodingContext()
    let layout = try ColumnLayout(of: types.encoding(of: type))
    try ActorIsolation(mainActorType: types.mainActorType).check()
    if types.mainActorType != nil { isIsolated = true }
    return WrittenRows(layout, context: numbering.opaque)
  }

  /// What a type says of structures and enumerations in its values.
  package func notesOfRecords(_ type: any ArchivableValue.Type, in layout: ColumnLayout) -> TypeNotes {
    TypeNotes(of: [(0, type)], in: layout, recordsOnly: true)
  }

  /// Writes a value as a row of its type, which ``WrittenRows/end()`` ends when it is read.
  ///
  /// - Throws: `ArchiveError` for a value that cannot be read again, or what the program's own code throws.
  package func begin(_ value: some ArchivableValue, in rows: WrittenRows) throws {
    rows.begin()
    do { try value.__write(to: rows.set.column(0)) } catch let error as ArchiveError {
      var path = ObjectPath()
      path.append(rows.set.steps(of: error))
      throw path.text.isEmpty ? error : error.located(objectPath: path.text)
    }
    rows.finishWriting()
  }
}

extension RowEncoder: ReferenceSink {
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) {
    let isWritten = !column.isUnowned && !column.isWeak || weakSlots.value.contains(column.slot)
    append(isWritten ? object : nil, to: column)
  }

  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) {
    guard weakSlots.value.contains(column.slot) else { return column.append(0 as UInt32) }
    append(object, to: column)
  }

  private func append(_ object: AnyObject?, to column: ColumnWriter) {
    guard let object else { return column.append(0 as UInt32) }
    unsafe objects.value.append(Unmanaged.passUnretained(object))
    column.append(UInt32(truncatingIfNeeded: objects.value.count))
  }

  /// Does nothing: whoever reads what is written says which keys may be equal.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Nil: any order will do.
  var keyOrder: (any KeyOrder)? { nil }

  var archiveContext: ArchiveContext { context }

  /// Boxes that nothing finds again: each value is written once.
  func boxes() -> ValueBoxes { ValueBoxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    var located = error
    located.valueLocation = located.valueLocation ?? column.nextLocation
    return located
  }
}
