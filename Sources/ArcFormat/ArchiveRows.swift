import ArcRuntime

/// All rows of one class, as columns: values of one property for many objects at once, without an object for each.
///
///     let people = try file.rows(ofClass: "Person")
///     let ages = try people.column("age", as: Int.self)          // of all persons, in the order of their numbers
///     try people.forEachBatch { batch in                         // or in bounded memory, segment by segment
///       let names = try batch.column("name").values(as: String.self)
///       print(batch.ids.count, names.first ?? "none")
///     }
///
/// Objects of subclasses are not among them. What is read is checked as `ArchiveFile.object(_:)` says.
public struct ArchiveRows {
  private let file: ArchiveFile
  private let classIndex: Int

  init(_ file: ArchiveFile, classIndex: Int) {
    self.file = file
    self.classIndex = classIndex
  }

  /// What the file tells of the class.
  public var description: ClassDescription { file.classes[classIndex] }

  /// Calls `body` with the rows of each segment that has rows of the class, in order. Throws what `body` throws, or
  /// what is wrong with a segment, with its byte offset. One segment at a time is held.
  public func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    for index in file.rowsSegments {
      let batch: RowBatch?
      do throws(ArchiveError) {
        batch = RowBatch(try file.checkedRows(inSegment: index), classIndex: classIndex, of: file)
      } catch {
        throw error.located(byteOffset: file.segments[index].byteOffset)
      }
      if let batch { try body(batch) }
      file.discardPages(ofSegment: index)
    }
  }

  /// The values of one column in all rows. Throws as `RowBatch.column` and `ArchiveColumn.values` do.
  public func column<Value: ColumnValue>(
    _ key: String, declaredBy className: String? = nil, as type: Value.Type
  ) throws -> [Value] {
    // Where the class has no rows the column must still be one.
    _ = try file.columnPosition(key, declaredBy: className, inClass: classIndex)
    var values: [Value] = []
    try forEachBatch { values += try $0.column(key, declaredBy: className).values(as: type) }
    return values
  }
}

extension ArchiveFile {
  /// The rows of the class with that coded name. Throws `unknownClass` if the file has no such class.
  public func rows(ofClass name: String) throws(ArchiveError) -> ArchiveRows {
    guard let index = tables.classIndices[ExactName(name)] else {
      throw ArchiveError(
        .unknownClass, found: "no class '\(name)'", expected: "a class of the file",
        remedy: "see ArchiveFile.classes")
    }
    return ArchiveRows(self, classIndex: index)
  }

  /// The position of a column in a class: the first with that key, and declared by that class if one is given.
  fileprivate func columnPosition(
    _ key: String, declaredBy className: String?, inClass index: Int
  ) throws(ArchiveError) -> Int {
    let position = classes[index].columns.firstIndex { column in
      column.key.hasSameBytes(as: key)
        && className?.hasSameBytes(as: classes[column.declaringClass].name) ?? true
    }
    guard let position else {
      throw ArchiveError(
        .missingKey, found: "no column '\(key)'" + (className.map { " of '\($0)'" } ?? ""),
        expected: "a column of the class", className: classes[index].name, key: key)
    }
    return position
  }
}

/// The rows of one class in one segment. Keeps the segment in memory.
public struct RowBatch {
  private let file: ArchiveFile
  private let segment: RowsSegment
  private let rows: RowsSegment.ClassRows

  /// Nil if the segment has no rows of the class.
  fileprivate init?(_ segment: RowsSegment, classIndex: Int, of file: ArchiveFile) {
    guard let rows = segment.classes.first(where: { $0.classIndex == classIndex }) else { return nil }
    self.file = file
    self.segment = segment
    self.rows = rows
  }

  /// Rows of the class in the segment; each of its columns has so many values.
  public var count: Int { rows.rowCount }

  /// The numbers of the objects, ascending.
  public var ids: [ObjectID] {
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    var row = segment.firstRow
    for run in segment.runs {
      if run.classIndex == rows.classIndex {
        for row in row..<row + run.length { ids.append(ObjectID(rawValue: UInt32(truncatingIfNeeded: row))) }
      }
      row += run.length
    }
    return ids
  }

  /// The column of a property: the first one with that key, which is the most derived class's unless `className` says
  /// another. Throws `missingKey` if there is none.
  ///
  /// A column with flag `keyed` is optional: not every row has a value in it.
  public func column(_ key: String, declaredBy className: String? = nil) throws(ArchiveError) -> ArchiveColumn
  {
    let position = try file.columnPosition(key, declaredBy: className, inClass: rows.classIndex)
    return try ArchiveColumn(segment, rows, position: position, of: file)
  }
}
