package import ArcFormat

/// The values of one object, each to be taken from its column: for a writer of text, which makes no objects.
package struct ObjectTokens {
  /// The class of the object, by its index in the table.
  package let classIndex: Int
  let cursor: ClassRowsCursor

  /// The number of columns, the first ones of the class.
  package var count: Int { cursor.columnCount }

  /// The value in a column, which is then taken; nil for a keyed column in which the object has none. Columns
  /// are asked for once each, in order.
  ///
  /// - Throws: what is wrong with the column.
  package func value(_ position: Int) throws -> ColumnTokens? { try cursor.tokens(ofColumn: position) }
}

extension ArchiveFile {
  /// Calls a closure with the values of an object, all of which it takes. It asks for no other object.
  ///
  /// Reads and checks what ``object(_:)`` does.
  ///
  /// - Throws: `danglingReference` if there is no such row, what is wrong with its segment, or what the
  ///   closure throws.
  /// - Complexity: as ``object(_:)``.
  package func withColumns(of id: ObjectID, _ body: (ObjectTokens) throws -> Void) throws {
    let row = Int(id.rawValue)
    guard let index = rowsSegment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "the object number \(row)", expected: "an object number below \(rowCount)",
        objectID: id)
    }
    let columns: ObjectTokens
    do {
      columns = try decodedRows.segment(index, of: self).columns(ofRow: row)
    } catch let error as ArchiveError {
      throw error.located(byteOffset: segments[index].byteOffset)
    }
    try body(columns)
    columns.cursor.finishRow()
  }
}
