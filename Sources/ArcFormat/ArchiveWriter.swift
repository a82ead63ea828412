import ArcRuntime

/// Writes a file from rows: collects columns, and turns them into segments as they fill.
///
/// The caller registers classes, begins each row, and appends the row's values to the columns of its class.
@safe package struct ArchiveWriter: ~Copyable {
  /// A segment is closed when its columns hold this many bytes; one large value may exceed it.
  static let segmentByteCount = 1 << 20

  /// The classes of this file, and behind them those of earlier files that this one may come to use.
  package private(set) var classes: [ClassDescription] = []
  /// How many of `classes` this file has.
  package private(set) var classCount = 0
  package let strings = StringTableWriter()
  private var columnSets: [ColumnWriterSet] = []
  /// What columns hand to whoever writes values; set before the first class is added.
  package var context: UnsafeMutableRawPointer?

  private var output: SegmentOutput
  private let metadata: [(key: String, value: String)]
  private var isMetadataWritten = false
  /// Columns of each class that a `CLSS` segment already told.
  private var writtenColumnCounts: [Int] = []
  private var areDefinitionsWritten = true
  /// The first `CLSS` segment of the last file, and how many classes it told of.
  private var firstDefinitions: (segment: SegmentOutput.Copy, classCount: Int)?

  private var firstRow = 0
  package private(set) var rowCount = 0
  /// Rows that there will be at least, as far as the caller knows: tells how much room the file needs.
  package var expectedRowCount = 0
  /// The open segment: classes of its rows as run lengths, and rows per class.
  private var runs: [(classIndex: Int, length: Int)] = []
  private var rowsOfClass: [Int] = []
  private var rowsUntilCheck = 64
  /// Weak columns of closed segments, in the order in which their chunks are to stand.
  private var weakColumns: [(firstRow: Int, rowCount: Int, columns: [WeakColumn])] = []

  /// Takes parts of a file, one after the other.
  package typealias Destination = ([UInt8]) throws(ArchiveError) -> Void

  /// Where the file goes while it is written; nil if `finish` hands it out. Set before the first row is added.
  package var destination: Destination? {
    get { output.destination }
    set { output.destination = newValue }
  }

  /// Bytes that the destination has.
  package var passedByteCount: Int { output.passedByteCount }

  package init(compression: Compression, metadata: [(key: String, value: String)] = []) {
    output = SegmentOutput(compression: compression)
    self.metadata = metadata
    unsafe context = nil
  }

  /// Adds a class to the class table and returns its index.
  package mutating func addClass(_ description: ClassDescription) throws(ArchiveError) -> Int {
    forgetUnusedClasses()
    for column in description.columns { try checkReadable(column, className: description.name) }
    let layout = try ColumnLayout(description)
    classes.append(description)
    let set = unsafe ColumnWriterSet(strings: strings, context: context)
    set.extend(to: layout)
    set.hasKeyedColumns = description.columns.contains { $0.flags.contains(.keyed) }
    columnSets.append(set)
    rowsOfClass.append(0)
    classCount = classes.count
    areDefinitionsWritten = false
    return classes.count - 1
  }

  /// Adds the class that the last file had at this place; returns its index. There must be one.
  package mutating func reuseClass() -> Int {
    precondition(classCount < classes.count)
    classCount += 1
    areDefinitionsWritten = false
    return classCount - 1
  }

  /// Forgets classes that only earlier files have.
  package mutating func forgetUnusedClasses() {
    guard classCount < classes.count else { return }
    classes.removeSubrange(classCount...)
    columnSets.removeSubrange(classCount...)
    rowsOfClass.removeSubrange(classCount...)
    firstDefinitions = nil
  }

  /// Adds a column to a class that may already have rows: they have no value in it.
  package mutating func addColumn(_ column: ColumnDescription, toClass index: Int) throws(ArchiveError) {
    try checkReadable(column, className: classes[index].name)
    var layout = columnSets[index].layout
    try layout.append(column, className: classes[index].name)
    classes[index].columns.append(column)
    areDefinitionsWritten = false
    firstDefinitions = nil
    columnSets[index].extend(to: layout)
    if column.flags.contains(.keyed) { columnSets[index].hasKeyedColumns = true }
  }

  /// A name with a quote, say, would give attributes that cannot be read again. Spec: 03-classes, rule E5.
  private func checkReadable(_ column: ColumnDescription, className: String) throws(ArchiveError) {
    let text = column.attributes.description
    guard let read = try? PropertyAttributes(parsing: text), read == column.attributes else {
      throw ArchiveError(
        .nameConflict, found: "property attributes '\(text)', which do not read back as they were written",
        expected: "names of types and fields without quotes, and without '=' or brackets outside of '<…>'",
        remedy: "give the type or field another name, with @Archivable(\"…\") or @Key(\"…\")",
        className: className, key: column.key)
    }
  }

  package func columnSet(ofClass index: Int) -> ColumnWriterSet { columnSets[index] }

  /// Columns of the same layout that go nowhere.
  package func scratchColumnSet(ofClass index: Int) -> ColumnWriterSet {
    let set = unsafe ColumnWriterSet(strings: nil, context: context)
    set.extend(to: columnSets[index].layout)
    return set
  }

  /// The number of rows that the class has in the open segment.
  package func rowsInSegment(ofClass index: Int) -> Int { rowsOfClass[index] }

  /// How many rows may be appended to columns before this is asked again; closes a full segment.
  package mutating func roomForRows() throws(ArchiveError) -> Int {
    if rowsUntilCheck <= 0 { try closeSegmentIfFull() }
    return max(rowsUntilCheck, 1)
  }

  /// Counts rows of one class whose values are in its columns, or are about to be.
  package mutating func addRows(_ count: Int, classIndex: Int) throws(ArchiveError) {
    guard rowCount + count <= Int(UInt32.max) else {
      throw ArchiveError(
        .limitExceeded, found: "more than \(UInt32.max) objects", expected: "fewer in one archive")
    }
    rowsUntilCheck -= count
    if let last = runs.last, last.classIndex == classIndex {
      runs[runs.count - 1].length += count
    } else {
      runs.append((classIndex, count))
    }
    rowsOfClass[classIndex] += count
    rowCount += count
  }

  /// Begins a row whose values are about to be appended.
  package mutating func addRow(classIndex: Int) throws(ArchiveError) {
    _ = try roomForRows()
    try addRows(1, classIndex: classIndex)
  }

  /// Looks at the sizes now and then only: every value would be too often, a fixed number of rows too seldom.
  private mutating func closeSegmentIfFull() throws(ArchiveError) {
    var byteCount = strings.newByteCount
    for index in 0..<classCount where rowsOfClass[index] > 0 { byteCount += columnSets[index].byteCount }
    if byteCount >= Self.segmentByteCount {
      try closeSegment()
      rowsUntilCheck = 64
    } else {
      let rows = rowCount - firstRow
      let rowByteCount = byteCount / rows + 1
      rowsUntilCheck = min(max((Self.segmentByteCount - byteCount) / rowByteCount / 2, 1), rows + 64)
    }
  }

  private mutating func closeSegment() throws(ArchiveError) {
    guard rowCount > firstRow else { return }
    for index in 0..<classCount where rowsOfClass[index] > 0 && columnSets[index].hasKeyedColumns {
      for (position, column) in classes[index].columns.enumerated() where column.flags.contains(.keyed) {
        columnSets[index].padPresence(position, to: rowsOfClass[index])
      }
    }
    try writeDefinitions()
    var weakColumns: [WeakColumn] = []
    let (classes, columnSets, rowsOfClass, runs) = (classes[..<classCount], columnSets, rowsOfClass, runs)
    var byteCount = 0
    for index in classes.indices where rowsOfClass[index] > 0 { byteCount += columnSets[index].byteCount }
    try output.write(
      .rows, first: firstRow, count: rowCount - firstRow, byteCount: byteCount,
      progress: Double(rowCount) / Double(max(expectedRowCount, rowCount))
    ) { rows in
      rows.varint(runs.count)
      for run in runs {
        rows.varint(run.classIndex)
        rows.varint(run.length)
      }
      for index in classes.indices where rowsOfClass[index] > 0 {
        let set = columnSets[index]
        rows.varint(classes[index].columns.count)
        set.writeChunks(to: &rows)
        if let columns = set.weakColumns() { weakColumns += columns }
        set.reset()
      }
    }
    for index in classes.indices { self.rowsOfClass[index] = 0 }
    if !weakColumns.isEmpty { self.weakColumns.append((firstRow, rowCount - firstRow, weakColumns)) }
    self.runs.removeAll(keepingCapacity: true)
    firstRow = rowCount
  }

  /// Metadata comes first; classes and strings stand before the rows that use them.
  private mutating func writeDefinitions() throws(ArchiveError) {
    if !metadata.isEmpty, !isMetadataWritten {
      try output.write(.metadata, first: 0, count: metadata.count) {
        MetadataSegment.write(metadata, to: &$0)
      }
      isMetadataWritten = true
    }
    if !areDefinitionsWritten { try writeClasses() }
    if strings.count > strings.writtenCount {
      let first = strings.writtenCount
      try output.write(.strings, first: first, count: strings.count - first) { strings.writeNew(to: &$0) }
    }
  }

  private mutating func writeClasses() throws(ArchiveError) {
    let first = writtenColumnCounts.count
    if first == 0, let known = firstDefinitions, known.classCount == classCount {
      output.write(known.segment)
    } else {
      try output.write(.classes, first: first, count: classCount - first) {
        ClassTableSegment.write(classes[..<classCount], beyond: writtenColumnCounts, to: &$0)
      }
      if first == 0 { firstDefinitions = output.copyOfLastSegment().map { ($0, classCount) } }
    }
    writtenColumnCounts.removeAll(keepingCapacity: true)
    for index in 0..<classCount { writtenColumnCounts.append(classes[index].columns.count) }
    areDefinitionsWritten = true
  }

  /// Writes what is left and hands out the file, unless it went to a destination; `row` gives the row of an object by its
  /// address, 0 if it has none.
  package mutating func finish(row: (UInt) -> UInt32) throws(ArchiveError) -> [UInt8] {
    try closeSegment()
    // Room for all of them at once, if they stay together.
    var byteCount = 0
    if destination == nil {
      for segment in weakColumns { for column in segment.columns { byteCount += column.greatestByteCount } }
    }
    for segment in weakColumns {
      try output.write(.links, first: segment.firstRow, count: segment.rowCount, byteCount: byteCount) {
        links in
        for var column in segment.columns {
          for (position, address) in column.unsettled { column.rows[position] = row(address) }
          byteCount = max(0, byteCount - column.greatestByteCount)
          unsafe column.rows.withUnsafeBytes { unsafe ColumnChunk.writeRows($0, to: &links) }
        }
      }
    }
    return try output.finish(rowCount: rowCount)
  }

  /// Starts the next file, of about so many bytes, and keeps the memory and the classes of the last one.
  package mutating func restart(byteCount: Int) {
    for index in 0..<classCount {
      columnSets[index].restart()
      rowsOfClass[index] = 0
    }
    classCount = 0
    isMetadataWritten = false
    areDefinitionsWritten = true
    writtenColumnCounts.removeAll(keepingCapacity: true)
    strings.restart()
    (firstRow, rowCount, rowsUntilCheck) = (0, 0, 64)
    runs.removeAll(keepingCapacity: true)
    if !weakColumns.isEmpty { weakColumns = [] }
    output.restart(byteCount: byteCount)
  }
}
