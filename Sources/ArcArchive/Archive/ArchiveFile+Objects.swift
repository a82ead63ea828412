public import ArcFormat
import ArcRuntime

extension ArchiveFile {
  /// Reads the named roots. Returns them as the properties of row 0.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     for root in try file.roots().properties {
  ///       print(root.key, root.value)
  ///     }
  ///
  /// - Returns: an object whose properties are the roots, by name.
  /// - Throws: `ArchiveError` with the code of the damage if the segment with row 0 is damaged.
  public func roots() throws -> ArchiveObject { try object(ObjectID(rawValue: 0)) }

  /// Reads the object with a number. Returns the object with all of its values.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let museum = try file.object(ObjectID(rawValue: 1))
  ///     for artwork in museum["artworks"]?.elements ?? [] {
  ///       if let id = artwork.objectID { print(try file.object(id)["title"] ?? .null) }
  ///     }
  ///
  /// The function reads the segment that contains the object, and the strings in the object and in
  /// neighbouring objects. Some segments, objects and strings stay in a cache. When a segment is first read,
  /// the function checks the checksums, the counts and the references of the whole segment. A reference must
  /// refer to an existing object. If the target is in the same segment, its class must be suitable. Only
  /// `verify()` checks the classes of targets in other segments.
  ///
  /// - Parameter id: the number of the object, at least 1. Number 0 is the row with the roots.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `danglingReference` if no object has the number, or the code of the
  ///   damage if the segment of the object is damaged.
  /// - Complexity: O(*n*) in the number of bytes of the segment when the segment is first read; afterwards
  ///   O(*m*) in the number of neighbouring objects that are read together.
  public func object(_ id: ObjectID) throws -> ArchiveObject {
    let row = Int(id.rawValue)
    guard let index = rowsSegment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "the object number \(row)", expected: "an object number below \(rowCount)",
        objectID: id)
    }
    do {
      return try decodedRows.object(row, inSegment: index, of: self)
    } catch let error as ArchiveError {
      throw error.located(byteOffset: segments[index].byteOffset)
    }
  }

  /// Returns the index in `segments` of the segment that contains a row. Nil if there is no such row.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  package func rowsSegment(ofRow row: Int) -> Int? {
    guard row < rowCount, !rowsSegments.isEmpty else { return nil }
    return rowsSegments[max(rowsSegments.partitioningIndex { segments[$0].firstIndex > row } - 1, 0)]
  }

  /// Counts the objects of a class. Returns the number, without objects of subclasses.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     for info in file.classInfos {
  ///       print(info.name, try file.rowCount(ofClass: info.name))
  ///     }
  ///
  /// - Parameter name: the coded name of the class.
  /// - Returns: the number of objects; 0 if the file does not contain the class.
  /// - Throws: `ArchiveError` with the code of the damage if a segment is damaged.
  public func rowCount(ofClass name: String) throws(ArchiveError) -> Int {
    guard let index = schema.classIndices[ExactName(name)] else { return 0 }
    return try rowCounts()[index]
  }

  /// Counts the rows of each class, without subclasses. Returns the numbers in the order of the class table.
  package func rowCounts() throws(ArchiveError) -> [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for index in rowsSegments {
      for rows in try rows(inSegment: index).classes { counts[rows.classIndex] += rows.rowCount }
      discardPages(ofSegment: index)
    }
    return counts
  }

  /// The number of rows of each class. All numbers are zero until all rows have been verified.
  package var checkedRowCounts: [Int] { schema.rowCounts }
}
