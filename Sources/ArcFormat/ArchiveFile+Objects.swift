import ArcRuntime

extension ArchiveFile {
  /// The named roots: row 0.
  public func roots() throws -> ArchiveObject { try object(ObjectID(rawValue: 0)) }

  /// The object with a number. Throws `danglingReference` if there is no such row, or what is wrong with its segment.
  ///
  /// Reads the segment that holds the row, and those of the strings that the row and its neighbours use; some rows,
  /// segments and strings are kept. Before the first row of a segment is handed out, the whole segment is checked:
  /// checksums, counts, that every reference leads to a row, and one to a row of the same segment to an object of a
  /// fitting class. The class of an object in another segment, and the segments that are not read, only `verify()`
  /// checks. O(bytes of the segment) the first time, then O(neighbouring rows).
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

  /// The position in `segments` of the one that holds a row, if there is such a row. O(log segments).
  package func rowsSegment(ofRow row: Int) -> Int? {
    guard row < rowCount, !rowsSegments.isEmpty else { return nil }
    return rowsSegments[max(rowsSegments.partitioningIndex { segments[$0].first > row } - 1, 0)]
  }

  /// Rows of the class with that coded name, subclasses not counted.
  public func rowCount(ofClass name: String) throws -> Int {
    guard let index = tables.classIndices[ExactName(name)] else { return 0 }
    return try rowCounts()[index]
  }

  /// Rows of each class, subclasses not counted, in the order of the class table.
  package func rowCounts() throws(ArchiveError) -> [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for index in rowsSegments {
      for rows in try rows(inSegment: index).classes { counts[rows.classIndex] += rows.rowCount }
      discardPages(ofSegment: index)
    }
    return counts
  }

  /// The same, if all rows were checked.
  package var checkedRowCounts: [Int] { tables.rowCounts }
}
