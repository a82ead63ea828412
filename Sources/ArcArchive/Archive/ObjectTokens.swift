package import ArcFormat

/// The values of one object, which the caller reads from the columns one by one. Code that converts objects
/// to text uses this type, so that no `ArchiveObject` is built.
package struct ObjectTokens {
  /// The index of the object's class in the class table.
  package let classIndex: Int
  let cursor: ClassRowsCursor

  /// The number of columns that the class had when the object was written. These are the first columns of the
  /// class. The object has no value in the other columns.
  package var count: Int { cursor.columnCount }

  /// Reads the value in a column. Call this once for each column, in order.
  ///
  /// - Returns: the tokens of the value; nil if the column is keyed and the object has no value in it.
  /// - Throws: the code of the damage if the column is damaged.
  package func value(_ position: Int) throws -> ColumnTokens? { try cursor.tokens(ofColumn: position) }
}

extension ArchiveFile {
  /// Calls a closure with the values of an object. The closure must read all of them, and must not read
  /// another object.
  ///
  /// Reads and checks the same parts of the file as ``object(_:)``.
  ///
  /// - Throws: `danglingReference` if there is no such row, the code of the damage if its segment is damaged,
  ///   or what the closure throws.
  /// - Complexity: the complexity of ``object(_:)``.
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
