import ArcRuntime

extension ArchiveFile {
  /// The named roots, as the properties of row 0.
  ///
  /// - Throws: what is wrong with the segment of the row.
  public func roots() throws -> ArchiveObject { try object(ObjectID(rawValue: 0)) }

  /// The object with a number.
  ///
  /// Reads the segment that contains the row, and those of the strings that the row and its neighbours use;
  /// some rows, segments and strings are cached. Before the first row of a segment is returned, the whole
  /// segment is checked: checksums, counts, that every reference leads to a row, and one to a row of the same
  /// segment to an object of a fitting class. Only `verify()` checks the classes of objects in other
  /// segments, and segments that are not read.
  ///
  /// - Parameter id: the number, from 1 on; 0 is the row of the roots.
  /// - Returns: the object with all of its values.
  /// - Throws: `danglingReference` if there is no such row, or what is wrong with its segment.
  /// - Complexity: O(bytes of the segment) the first time, then O(neighbouring rows).
  public func object(_ id: ObjectID) throws -> ArchiveObject {
    let row = Int(id.rawValue)
    guard let index = rowsSegment(ofRow: row) else {
      throw ArchiveError(.danglingReference, found: "row \(row)", expected: "below \(rowCount)", objectID: id)
    }
    do {
      return try decodedRows.object(row, inSegment: index, of: self)
    } catch let error as ArchiveError {
      throw error.located(byteOffset: segments[index].byteOffset)
    }
  }

  /// The index in `segments` of the one that contains a row; nil if there is no such row.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  package func rowsSegment(ofRow row: Int) -> Int? {
    guard row < rowCount, !rowsSegments.isEmpty else { return nil }
    return rowsSegments[max(rowsSegments.partitioningIndex { segments[$0].firstIndex > row } - 1, 0)]
  }

  /// The number of objects of a class, those of subclasses not counted.
  ///
  /// - Parameter name: the coded name of the class.
  /// - Returns: the number of its rows; 0 for a class that the file does not contain.
  /// - Throws: what is wrong with a segment.
  public func rowCount(ofClass name: String) throws(ArchiveError) -> Int {
    guard let index = schema.classIndices[ExactName(name)] else { return 0 }
    return try rowCounts()[index]
  }

  /// The number of rows of each class, subclasses not counted, in the order of the class table.
  package func rowCounts() throws(ArchiveError) -> [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for index in rowsSegments {
      for rows in try rows(inSegment: index).classes { counts[rows.classIndex] += rows.rowCount }
      discardPages(ofSegment: index)
    }
    return counts
  }

  /// The same numbers if all rows were verified; zeros before.
  package var checkedRowCounts: [Int] { schema.rowCounts }
}
