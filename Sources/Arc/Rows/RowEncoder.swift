import ArcFormat

/// Writes objects and values as rows that are read again immediately. Writers of other formats than archives
/// use it, as do copies and comparisons of objects.
///
/// A reference in a row is the number of the object in ``withObject(_:_:)``, or 0 for nil. Each reference has
/// a number of its own, even if several references refer to one object. Unowned references are written as
/// nil. Weak references are written as nil unless the row writer includes them.
package final class RowEncoder {
  private let numbering = Handle(ObjectNumbering(isDirect: false))
  /// The objects to which rows refer: number n is `objects[n - 1]`. Stored through a handle, so that Swift
  /// does not check the accesses for exclusivity.
  private let objects = Handle(ObjectList())
  /// The slots of the weak and unowned references that are written for the current object.
  private let weakSlots = Handle(Set<Int>())
  private var context: ArchiveContext
  /// Whether a class or type that the encoder writes belongs to an actor. If true, the encoder may be reused
  /// only after a check that the next caller runs on the actor.
  package private(set) var isIsolated = false

  /// Creates an encoder.
  ///
  /// - Parameter userInfo: the values that the program's own code can access.
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

  /// Sets the slots whose weak and unowned references are written for the next object.
  func beginWeak(_ slots: Set<Int>) { weakSlots.value = slots }

  // MARK: Objects

  /// The number of objects to which rows refer. An object is counted again for each reference to it.
  package var objectCount: Int { objects.value.count }

  /// Calls `body` with the object that a number in a row refers to, or with nil if no object has the number.
  @inline(__always) package func withObject<Result>(
    _ number: Int, _ body: (AnyObject?) throws -> Result
  ) rethrows -> Result {
    guard number > 0, number <= objects.value.count else { return try body(nil) }
    return try unsafe objects.value[number - 1]._withUnsafeGuaranteedRef { try body($0) }
  }

  /// Removes and releases all objects except the first `count` objects.
  package func forgetObjects(after count: Int) { objects.value.removeAll(after: count) }

  // MARK: Rows

  /// Creates a writer for the rows of an object's class.
  ///
  /// - Parameters:
  ///   - object: an object of exactly this class.
  ///   - includesAllReferences: whether rows contain the targets of weak and unowned references in
  ///     structures.
  ///   - isWritten: whether rows contain the values of a property. Called once for each property.
  /// - Returns: the writer.
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

  /// Creates rows for values of a type. Each row has one column, and contains one value.
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

  /// Returns the notes of a type: the descriptions of the structures and enumerations in its values. Empty if
  /// the layout contains neither structures nor enumerations.
  package func notesOfRecords(_ type: any ArchivableValue.Type, in layout: ColumnLayout) -> TypeNotes {
    TypeNotes(of: [(0, type)], in: layout, recordsOnly: true)
  }

  /// Writes a value as a row of its type. Call ``WrittenRows/end()`` after the row is read.
  ///
  /// - Throws: `ArchiveError` for a value that cannot be read again, or an error of the program's own code.
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

  /// Does nothing. Only the reader of the rows determines whether keys may be equal.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Nil, because the keys of sets and dictionaries may have any order in the rows.
  var keyOrder: (any KeyOrder)? { nil }

  var archiveContext: ArchiveContext { context }

  /// Returns new boxes for each call. They need not be found again, because each value is written once.
  func boxes() -> ValueBoxes { ValueBoxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    var located = error
    located.valueLocation = located.valueLocation ?? column.nextLocation
    return located
  }
}
