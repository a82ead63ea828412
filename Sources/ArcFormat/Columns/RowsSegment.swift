/// A `ROWS` segment and its `LINK` segment: consecutive rows, and the chunks of their columns.
package final class RowsSegment {
  /// A run: consecutive rows of one class.
  package struct Run {
    package let classIndex: Int
    package let rows: Range<Int>

    /// Creates a run of rows with consecutive numbers.
    package init(classIndex: Int, rows: Range<Int>) { (self.classIndex, self.rows) = (classIndex, rows) }
  }
  /// The rows of one class in a segment. `chunks` contains the chunk of each node of the class's layout. The
  /// chunk is nil if the segment has no chunk for the node.
  package struct ClassRows {
    package let classIndex: Int
    package let rowCount: Int
    /// The number of columns that the class had when the segment was written.
    package let columnCount: Int
    package internal(set) var chunks: [Chunk?]
    /// Whether the rows take bytes in the file. Rows of a class without properties take no bytes.
    package var hasBytes: Bool { chunks.contains { $0 != nil } }

    /// Creates the rows of a class with the chunks of their columns.
    package init(classIndex: Int, rowCount: Int, columnCount: Int, chunks: [Chunk?]) {
      self.classIndex = classIndex
      self.rowCount = rowCount
      self.columnCount = columnCount
      self.chunks = chunks
    }
  }

  package var firstRow: Int { contents.firstRow }
  package var rowCount: Int { contents.rowCount }
  package var runs: [Run] { contents.runs }
  /// The classes of the segment, in ascending order of their indices.
  package var classes: [ClassRows] { contents.classes }
  /// Whether each class has only one run of rows, and the runs have the order of the classes.
  package var hasOneRunOfEachClass: Bool { contents.hasOneRunOfEachClass }
  private let cell = Cell(Contents())
  private var contents: Contents { @inline(__always) _read { yield cell.value } }

  /// Creates a segment without rows. `read` then reads a segment of a file into it.
  package init() {}

  /// Creates a segment of rows for a revision. `chunks` of each class contain its rows in the order of the
  /// runs. `owner` owns the memory of the chunks.
  package init(firstRow: Int, rowCount: Int, runs: [Run], classes: [ClassRows], owner: AnyObject) {
    cell.value.firstRow = firstRow
    cell.value.rowCount = rowCount
    cell.value.runs = runs
    cell.value.classes = classes
    cell.value.hasOneRunOfEachClass =
      runs.count == classes.count
      && runs.indices.allSatisfy {
        runs[$0].classIndex == classes[$0].classIndex
          && ($0 == 0 || runs[$0 - 1].rows.upperBound == runs[$0].rows.lowerBound)
      }
      && runs.first.map { $0.rows.lowerBound == firstRow } ?? true
    cell.value.owner = owner
  }

  /// Reads a segment of a file. Replaces the segment that was read before, and reuses the memory.
  ///
  /// `links` is the payload of the `LINK` segment that belongs to the segment. `charge` is called with a
  /// number of bytes before memory is reserved: for the chunks of each class, and for the expanded values of
  /// chunks that are not plain.
  ///
  /// Spec: 04-columns, sections 6 and 7; 07-limits, rule A2.
  package func read(
    _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
    classes table: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    try cell.value.read(payload, links: links, info: info, layouts: layouts, classes: table, charge: charge)
  }

  /// The bytes from which the segment was read. Nil if a revision created the segment.
  package var storedPayloads: (rows: SegmentPayload, links: SegmentPayload?)? {
    contents.payloads.map { (rows: $0.0, links: $0.links) }
  }

  /// Whether the segment has weak columns. Columns that were added to a class after the segment was written
  /// are ignored.
  package var needsWeakColumns: Bool { contents.needsWeakColumns }

  /// Returns the rows of a class. Nil if the segment contains no rows of the class.
  package func rows(ofClass index: Int) -> ClassRows? { classes.first { $0.classIndex == index } }

  /// The class of each row, and the row's index among the rows of this class. Computed on first use.
  package var rowIndex: RowIndex {
    if let known = cell.value.rowIndex { return known }
    let index = RowIndex(of: self)
    cell.value.rowIndex = index
    return index
  }

  /// Returns the index of the class of a row. Nil if the segment does not contain the row.
  ///
  /// - Complexity: O(log runs).
  package func classIndex(ofRow row: Int) -> Int? {
    let runs = runs
    let position = runs.partitioningIndex { $0.rows.upperBound > row }
    guard position < runs.count, runs[position].rows.contains(row) else { return nil }
    return runs[position].classIndex
  }

  /// Releases the bytes of the file, but retains the allocated memory for the next segment.
  package func prepareForReuse() { cell.value.payloads = nil }
}

extension RowsSegment {
  /// The contents of a segment.
  fileprivate struct Contents {
    var firstRow = 0
    var rowCount = 0
    var runs: [Run] = []
    var classes: [ClassRows] = []
    var hasOneRunOfEachClass = false
    var needsWeakColumns = false
    /// The class of each row, and the row's index among the rows of this class. Nil until it is requested.
    var rowIndex: RowIndex?
    /// The number of rows of each class in the segment.
    var rowsOfClass: [(key: Int, value: Int)] = []
    /// The payloads that contain the bytes of the chunks. Nil if a revision created the segment.
    var payloads: (SegmentPayload, links: SegmentPayload?)?
    /// Owns the memory of the chunks if a revision created the segment.
    var owner: AnyObject?

    /// Reads the blocks of a segment. Spec: 04-columns, rule R2.
    mutating func read(
      _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
      classes table: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
      payloads = (payload, links)
      // First, because the index shares the memory of `runs`.
      rowIndex = nil
      firstRow = info.firstIndex
      rowCount = info.count
      needsWeakColumns = false
      var reader = payload.reader
      try RowsSegment.readRuns(
        &reader, into: &runs, &rowsOfClass, info, classCount: layouts.count)
      let classCount = rowsOfClass.count
      for position in 0..<classCount {
        let (classIndex, rowCount) = rowsOfClass[position]
        let start = reader.offset
        let columnCount = try reader.count(itemBytes: 0)
        try RowsSegment.checkColumnCount(columnCount, of: table[classIndex], byteOffset: start)
        try charge(layouts[classIndex].nodes.count * MemoryLayout<Chunk?>.stride)
        var chunks: [Chunk?] = []
        if position < classes.count { swap(&chunks, &classes[position].chunks) }
        try readChunks(&reader, into: &chunks, layouts[classIndex], columnCount, charge)
        classes.setOrAppend(
          ClassRows(classIndex: classIndex, rowCount: rowCount, columnCount: columnCount, chunks: chunks),
          at: position)
      }
      classes.truncate(to: classCount)
      if classCount > 64 { rowsOfClass = [] }
      try reader.finish("rows segment")
      if let links { try Self.addLinks(links, to: &classes, layouts, charge: charge) }
      hasOneRunOfEachClass =
        runs.count == classCount
        && runs.indices.allSatisfy { runs[$0].classIndex == classes[$0].classIndex }
    }

    /// Reads the chunks of the first `columnCount` columns of a class.
    private mutating func readChunks(
      _ reader: inout ByteReader, into chunks: inout [Chunk?], _ layout: ColumnLayout, _ columnCount: Int,
      _ charge: (Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
      let nodeCount = layout.nodeCount(ofColumns: columnCount)
      // Appending is faster than `repeating`, which looks up the array's metadata each time.
      if chunks.capacity < layout.nodes.count { chunks.reserveCapacity(layout.nodes.count) }
      for index in layout.nodes.indices {
        let kind = layout.nodes[index].kind
        let storage = kind.storage
        guard index < nodeCount, kind != .weak, !storage.isNone else {
          if index < nodeCount, kind == .weak { needsWeakColumns = true }
          chunks.setOrAppend(nil, at: index)
          continue
        }
        let chunk = try Chunk(reading: &reader, kind: kind, storage: storage)
        // Most chunks are plain, and need no further memory.
        if chunk.form != .plain { try charge(chunk.expandedByteCount) }
        chunks.setOrAppend(chunk, at: index)
      }
      chunks.truncate(to: layout.nodes.count)
    }

    /// Adds the chunks of the weak columns. Spec: 04-columns, section 7.
    private static func addLinks(
      _ payload: SegmentPayload, to classes: inout [ClassRows], _ layouts: [ColumnLayout],
      charge: (Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
      var reader = payload.reader
      for position in classes.indices {
        let layout = layouts[classes[position].classIndex]
        let nodeCount = layout.nodeCount(ofColumns: classes[position].columnCount)
        for (index, node) in layout.nodes[..<nodeCount].enumerated() where node.kind == .weak {
          let chunk = try Chunk(reading: &reader, kind: node.kind)
          try charge(chunk.expandedByteCount)
          classes[position].chunks[index] = chunk
        }
      }
      try reader.finish("links segment")
    }
  }
}

extension RowsSegment {
  /// Throws an error unless `count`, the number of a class's columns in a segment, is allowed. The segment
  /// must have all columns of the class, except keyed columns at the end.
  @inline(__always) static func checkColumnCount(
    _ count: Int, of description: ClassDescription, byteOffset: Int
  ) throws(ArchiveError) {
    let columns = description.columns
    guard
      count == columns.count
        || count < columns.count && columns[count...].allSatisfy({ $0.flags.contains(.keyed) })
    else {
      throw ArchiveError(
        .malformedSegment, found: plural(count, "column"),
        expected: "\(plural(columns.count, "column")); only columns of hand-written coding may be absent",
        byteOffset: byteOffset, className: description.name)
    }
  }

  /// Creates the error for rows with weak columns but without a `LINK` segment.
  package static func noWeakColumns(of info: SegmentInfo) -> ArchiveError {
    ArchiveError(
      .malformedSegment,
      found: "no LINK segment for the rows \(info.firstIndex) to \(info.firstIndex + info.count - 1)",
      expected: "a LINK segment with the weak references of these rows",
      byteOffset: info.byteOffset)
  }

  /// Creates the error for a run with a wrong class or a wrong number of rows.
  @inline(never)
  private static func wrongRun(
    ofClass index: Int, _ rowCount: Int, _ classCount: Int, atMost limit: Int, byteOffset: Int
  ) -> ArchiveError {
    let (found, expected) =
      if index >= classCount {
        ("a run for class \(index)", "a class index below \(classCount)")
      } else if rowCount == 0 {
        ("a run of 0 rows for class \(index)", "at least 1 row")
      } else {
        ("a run of \(plural(rowCount, "row")) for class \(index)", "at most \(plural(limit, "row"))")
      }
    return ArchiveError(.malformedSegment, found: found, expected: expected, byteOffset: byteOffset)
  }

  /// Reads the runs, and counts the rows of each class. Spec: 04-columns, rule R1.
  static func readRuns(
    _ reader: inout ByteReader, into runs: inout [Run], _ rowsOfClass: inout [(key: Int, value: Int)],
    _ info: SegmentInfo, classCount: Int
  ) throws(ArchiveError) {
    let runCount = try reader.count(itemBytes: 2)
    if runs.capacity < runCount { runs.reserveCapacity(runCount) }
    var (total, count) = (0, 0)
    var isAscending = true
    for position in 0..<runCount {
      let start = reader.offset
      let classIndex = try reader.count(itemBytes: 0)
      let length = try reader.count(itemBytes: 0)
      guard classIndex < classCount, length > 0, length <= info.count - total else {
        throw wrongRun(ofClass: classIndex, length, classCount, atMost: info.count - total, byteOffset: start)
      }
      if count > 0, rowsOfClass[count - 1].key == classIndex {
        rowsOfClass[count - 1].value += length
      } else {
        isAscending = isAscending && (count == 0 || rowsOfClass[count - 1].key < classIndex)
        rowsOfClass.setOrAppend((classIndex, length), at: count)
        count += 1
      }
      // Cannot overflow: an index entry's numbers are below 2^40.
      let first = info.firstIndex + total
      runs.setOrAppend(Run(classIndex: classIndex, rows: first..<first + length), at: position)
      total += length
    }
    runs.truncate(to: runCount)
    rowsOfClass.truncate(to: count)
    guard total == info.count else {
      throw ArchiveError(
        .malformedSegment, found: "\(plural(total, "row")) in all runs of a segment",
        expected: "\(plural(info.count, "row")), as in the index",
        byteOffset: info.byteOffset)
    }
    if !isAscending {
      var totals = ClassValues(0, classCount: classCount, runCount: count)
      var found: [Int] = []
      for (classIndex, length) in rowsOfClass {
        if totals[classIndex] == 0 { found.append(classIndex) }
        totals[classIndex] += length
      }
      rowsOfClass = found.sorted().map { ($0, totals[$0]) }
    }
  }
}
