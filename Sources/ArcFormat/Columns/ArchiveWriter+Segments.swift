/// The methods that write the segments of an archive. Each full segment is packed and written at once, or
/// stored to be packed later.
extension ArchiveWriter {
  /// Completes the open segment, and begins the next segment. If `keepsSegments` is true, stores the
  /// completed segment to be packed later. Otherwise, writes it after the classes and strings that it needs.
  mutating func closeSegment(isLast: Bool = false) throws(ArchiveError) {
    guard rowCount > firstRow else { return }
    padKeyedColumns()
    if keepsSegments {
      keepSegment(isLast: isLast)
    } else {
      try writeDefinitions()
      try writeRows()
    }
    beginColumns()
    runs.removeAll(keepingCapacity: true)
    firstRow = rowCount
  }

  /// Writes or stores the open segment. If removing the last row makes the other rows smaller, the last row
  /// gets a segment of its own. An example is a chain in which each row refers to the next row: all
  /// references have a constant distance, except the reference of the last row, which is nil.
  private mutating func closeLastSegment() throws(ArchiveError) {
    if let run = runs.last,
      columnSets[run.classIndex].lastRowEndsChain(rowCount: rowsOfClass[run.classIndex])
    {
      let values = columnSets[run.classIndex].takeLastRow()
      if run.length == 1 { runs.removeLast() } else { runs[runs.count - 1].length -= 1 }
      rowsOfClass[run.classIndex] -= 1
      rowCount -= 1
      try closeSegment()
      columnSets[run.classIndex].append(values)
      try addRows(1, classIndex: run.classIndex)
    }
    try closeSegment(isLast: true)
  }

  @inline(__always) private func padKeyedColumns() {
    for index in 0..<classCount where rowsOfClass[index] > 0 && columnSets[index].hasKeyedColumns {
      for (position, column) in classes[index].columns.enumerated() where column.flags.contains(.keyed) {
        columnSets[index].padPresence(position, to: rowsOfClass[index])
      }
    }
  }

  /// Moves the weak columns to `weakRows`, because they are written after all rows. Then begins the next
  /// segment in all columns.
  @inline(__always) private mutating func beginColumns() {
    var columns: [WeakColumn] = []
    for index in 0..<classCount where rowsOfClass[index] > 0 {
      let set = columnSets[index]
      if let weakColumns = set.weakColumns(ofClass: index) { columns += weakColumns }
      set.beginSegment()
      rowsOfClass[index] = 0
    }
    guard !columns.isEmpty else { return }
    weakRows.append(WeakRows(firstRow: firstRow, rowCount: rowCount - firstRow, columns: columns))
  }

  @inline(__always) private var openRows: SegmentRows {
    SegmentRows(
      first: firstRow, count: rowCount - firstRow, runs: runs,
      progress: Double(rowCount) / Double(max(expectedRowCount, rowCount)))
  }

  /// The classes and columns that no segment contains yet; nil if there are none.
  @inline(__always) private var newClasses: NewClasses? {
    guard !areDefinitionsWritten else { return nil }
    return NewClasses(classes: classes[..<classCount], writtenColumnCounts: writtenColumnCounts)
  }

  /// Records that segments contain the metadata and all classes that were added so far.
  @inline(__always) private mutating func noteDefinitions() {
    isMetadataWritten = true
    guard !areDefinitionsWritten else { return }
    writtenColumnCounts.removeAll(keepingCapacity: true)
    for index in 0..<classCount { writtenColumnCounts.append(classes[index].columns.count) }
    areDefinitionsWritten = true
  }

  // MARK: Writing segments

  /// Writes the metadata, the classes and the strings that no segment contains yet. They precede the rows
  /// that use them.
  ///
  /// Spec: 02-container, rule S4.
  private mutating func writeDefinitions() throws(ArchiveError) {
    if !isMetadataWritten { try MetadataSegment.write(metadata, to: &output) }
    if !areDefinitionsWritten { try writeClasses() }
    noteDefinitions()
    if strings.count > strings.writtenCount {
      let first = strings.writtenCount
      try output.write(.strings, first: first, count: strings.count - first) { strings.writeNew(to: &$0) }
    }
  }

  private mutating func writeClasses() throws(ArchiveError) {
    let areFirst = writtenColumnCounts.isEmpty
    if areFirst, let known = firstDefinitions, known.classCount == classCount {
      output.write(known.segment)
    } else {
      try newClasses?.write(to: &output)
      if areFirst { firstDefinitions = output.copyOfLastSegment().map { ($0, classCount) } }
    }
  }

  /// Packs and writes the columns, without copying their values first.
  private mutating func writeRows() throws(ArchiveError) {
    let (classes, columnSets, rowsOfClass) = (classes[..<classCount], columnSets, rowsOfClass)
    var byteCount = 0
    for index in classes.indices where rowsOfClass[index] > 0 { byteCount += columnSets[index].byteCount }
    try openRows.write(to: &output, byteCount: byteCount) { rows in
      for index in classes.indices where rowsOfClass[index] > 0 {
        rows.varint(classes[index].columns.count)
        columnSets[index].writeChunks(to: &rows)
      }
    }
  }

  /// Closes the last segment. Then reads again the weak properties that were nil when their rows were
  /// written, and sets the references of the properties that are no longer nil. See `WeakRows.fillNil`.
  package mutating func fillNilWeakReferences(
    classIndex: (_ row: Int) throws -> Int, target: (_ row: Int, _ node: Int) throws -> UInt
  ) throws {
    try closeLastSegment()
    for index in weakRows.indices { try weakRows[index].fillNil(classIndex: classIndex, target: target) }
  }

  /// Writes the remaining segments. Returns the file, or no bytes if the file is written to a destination.
  /// `row` returns the row of the object at an address, or 0 if the object has no row. Spec: 02-container,
  /// rule S4; 05-graph, rule G7.
  package mutating func finish(row: (UInt) -> UInt32) throws(ArchiveError) -> [UInt8] {
    try closeLastSegment()
    for index in weakRows.indices { weakRows[index].settle(row: row) }
    try WeakRows.write(weakRows, to: &output)
    for segment in copiedSegments {
      try output.writeIgnorable(segment.info.code, first: segment.info.firstIndex, count: segment.info.count)
      {
        $0.append(segment.payload)
      }
    }
    try directory?.write(to: &output)
    return try output.finish(rowCount: rowCount)
  }

  // MARK: Storing segments

  private mutating func keepSegment(isLast: Bool) {
    var columns: [DetachedSegment.ClassColumns] = []
    for index in 0..<classCount where rowsOfClass[index] > 0 {
      columns.append(
        DetachedSegment.ClassColumns(
          count: classes[index].columns.count, filled: columnSets[index].takeFilled(isLast: isLast)))
    }
    keptSegments.append(
      DetachedSegment(
        metadata: isMetadataWritten ? [] : metadata, classes: newClasses, strings: strings.takeNew(),
        rows: openRows,
        columns: columns))
    noteDefinitions()
  }

  /// Ends an archive whose segments were stored, and returns the whole archive. `row` returns the row of the
  /// object at an address, or 0 if the object has no row.
  package mutating func finishFilled(row: (UInt) -> UInt32) throws(ArchiveError) -> DetachedArchive {
    try closeLastSegment()
    for index in weakRows.indices { weakRows[index].settle(row: row) }
    let segments = keptSegments
    keptSegments = []
    return DetachedArchive(
      segments: segments, weakRows: weakRows, rowCount: rowCount, compression: output.compression,
      hasChunkDirectory: directory != nil)
  }
}
