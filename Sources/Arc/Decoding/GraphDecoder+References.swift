import ArcArchive
import ArcFormat

// Reads references for columns that cannot read the object from the object table directly.

extension GraphDecoder: ReferenceSource {
  /// Whether the rows come from a reader of another format, such as JSON. False if they are rows of an
  /// archive.
  var readsText: Bool { view == nil }

  var archiveContext: ArchiveContext { context }

  func fileRow(_ row: Int) -> Int { view?.fileRow(row) ?? row }

  /// Returns the object of a row for a column that refers to it. Throws if the object is not built yet, or is
  /// of another class. Spec: 05-graph, rule G4.
  func object<Object>(_ row: Int, from column: ColumnReader) throws -> Object {
    guard var object = references.value.objects[row] else { throw missingObject(row, column) }
    if let placeholders = state.placeholders {
      if let placeholder = placeholders.object(like: object) {
        object = placeholder
      } else if !references.value.isReplaced(row) {
        throw column.error(
          .nilReference,
          found: "a reference that cannot be nil, while references are set to nil after an error",
          expected: "a reference that can be nil, or a class whose objects Arc can build as placeholders")
      }
    }
    guard let found = references.value.cast(object, to: Object.self) else {
      let words = view == nil ? "an object" : "object #\(fileRow(row))"
      throw column.error(
        .wrongClass,
        found: "\(words) of class '\(Swift.type(of: object))'"
          + (references.value.isReplaced(row)
            ? ", which replaces an object\(className(ofRow: row))" : ""),
        expected: "an object of class '\(Object.self)'")
    }
    noteReference(to: row, from: column)
    return found
  }

  /// Returns the error for a reference to an object that is not built yet or does not exist. If the object is
  /// not built yet, stores its row in `neededRow`.
  private func missingObject(_ row: Int, _ column: ColumnReader) -> ArchiveError {
    guard let view else { return column.noObject() }
    if let unread = state.unread, unread.contains(row) { return unread.error(fileRow(row), column) }
    if row > 0, row < view.rowCount { state.neededRow = row }
    return column.error(
      row < view.rowCount ? .constructionOrder : .danglingReference,
      found: "a reference to object #\(fileRow(row))\(className(ofRow: row)), which is not built yet",
      expected: "a reference to an object that is already built",
      remedy: "decode the reference in link(from:), or encode the reference during .construction")
  }

  /// Returns the class of a row in the form ` of class 'Name'`. Empty if the class is not known.
  private func className(ofRow row: Int) -> String {
    view?.className(ofRow: row).map { " of class '\($0)'" } ?? ""
  }

  func unreadObject(inRow row: Int) -> UnreadObject? {
    guard let unread = state.unread, unread.contains(row), references.value.objects.object(at: row) == nil
    else { return nil }
    return UnreadObject(source: unread.source, row: fileRow(row))
  }

  /// Records that the current object retains the object of a row. For an unowned reference, records that an
  /// unowned reference refers to that object.
  private func noteReference(to row: Int, from column: ColumnReader) {
    if column.isUnowned, references.value.recordUnownedTarget(row) {
      state.ownership.noteUnowned(row, column)
    }
    if !column.isUnowned, !column.isWeak {
      references.value.holders.note(row, by: references.value.currentRow)
      if references.value.isLogging { state.ownership.note(row, heldBy: references.value.currentRow) }
    }
  }

  /// Reads a part of a value, such as a field. `part` is the column of the part, and `column` is the column
  /// of the whole value. If the whole value is nested in a value of the same recursive type, reading the part
  /// increases the nesting level by one. Throws if the level exceeds `nestingLimit`. Spec: 04-columns, rule
  /// V7; 07-limits, rule A8.
  func readPart<Value: ArchivableValue>(_ part: ColumnReader, of column: ColumnReader) throws -> Value {
    let isDeeper = column.enterValue()
    if isDeeper { state.nesting += 1 }
    defer {
      if isDeeper { state.nesting -= 1 }
      column.leaveValue()
    }
    guard state.nesting <= nestingLimit else { throw column.nestedTooDeeply(nestingLimit) }
    return try StackExtension.call { try Value.__read(from: part) }
  }
}
