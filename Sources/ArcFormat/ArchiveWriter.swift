import ArcRuntime

/// Writes a file from rows: collects columns, and turns them into segments as they fill.
///
/// The caller registers classes, begins each row, and appends the row's values to the columns of its class.
@safe package final class ArchiveWriter {
  /// A segment is closed when its columns hold this many bytes; one large value may exceed it.
  static let segmentByteCount = 1 << 20

  package private(set) var classes: [ClassDescription] = []
  package let strings = StringTableWriter()
  private var columnSets: [ColumnWriterSet] = []
  private let compression: Compression
  /// What columns hand to whoever writes values; set before the first class is added.
  package var context: UnsafeMutableRawPointer?

  private var output = ByteWriter()
  private var segments: [SegmentInfo] = []
  private var segmentsChecksum: UInt32 = 0
  /// Columns of each class that a `CLSS` segment already told.
  private var writtenColumnCounts: [Int] = []

  private var firstRow = 0
  package private(set) var rowCount = 0
  /// The open segment: classes of its rows as run lengths, and rows per class.
  private var runs: [(classIndex: Int, length: Int)] = []
  private var rowsOfClass: [Int] = []
  private var rowsUntilCheck = 64
  /// Weak columns of closed segments: per class in the segment's order, per weak node, addresses.
  private var weakTargets: [(firstRow: Int, rowCount: Int, columns: [[[UInt]]])] = []

  package init(compression: Compression) {
    self.compression = compression
    unsafe context = nil
    ArchiveHeader().write(to: &output)
  }

  /// Adds a class to the class table and returns its index.
  package func addClass(_ description: ClassDescription) throws(ArchiveError) -> Int {
    for column in description.columns { try checkReadable(column, className: description.name) }
    let layout = try ColumnLayout(description)
    classes.append(description)
    let set = unsafe ColumnWriterSet(strings: strings, context: context)
    set.extend(to: layout)
    columnSets.append(set)
    rowsOfClass.append(0)
    return classes.count - 1
  }

  /// Adds a column to a class that may already have rows: they have no value in it.
  package func addColumn(_ column: ColumnDescription, toClass index: Int) throws(ArchiveError) {
    try checkReadable(column, className: classes[index].name)
    var layout = columnSets[index].layout
    try layout.append(column, className: classes[index].name)
    classes[index].columns.append(column)
    columnSets[index].extend(to: layout)
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

  /// Begins the next row.
  package func beginRow(classIndex: Int) throws(ArchiveError) {
    if rowsUntilCheck == 0 { try closeSegmentIfFull() }
    rowsUntilCheck -= 1
    if let last = runs.last, last.classIndex == classIndex {
      runs[runs.count - 1].length += 1
    } else {
      runs.append((classIndex, 1))
    }
    rowsOfClass[classIndex] += 1
    rowCount += 1
  }

  /// Looks at the sizes now and then only: every value would be too often, a fixed number of rows too seldom.
  private func closeSegmentIfFull() throws(ArchiveError) {
    var byteCount = strings.newByteCount
    for index in classes.indices where rowsOfClass[index] > 0 { byteCount += columnSets[index].byteCount }
    if byteCount >= Self.segmentByteCount {
      try closeSegment()
      rowsUntilCheck = 64
    } else {
      let rows = rowCount - firstRow
      let rowByteCount = byteCount / rows + 1
      rowsUntilCheck = min(max((Self.segmentByteCount - byteCount) / rowByteCount / 2, 1), rows + 64)
    }
  }

  private func closeSegment() throws(ArchiveError) {
    guard rowCount > firstRow else { return }
    var rows = ByteWriter()
    rows.varint(runs.count)
    for run in runs {
      rows.varint(run.classIndex)
      rows.varint(run.length)
    }
    var weakColumns: [[[UInt]]] = []
    for index in classes.indices where rowsOfClass[index] > 0 {
      let set = columnSets[index]
      for (position, column) in classes[index].columns.enumerated() where column.flags.contains(.keyed) {
        set.padPresence(position, to: rowsOfClass[index])
      }
      rows.varint(classes[index].columns.count)
      set.writeChunks(to: &rows)
      if let targets = set.takeWeakTargets() { weakColumns.append(targets) }
      set.reset()
      rowsOfClass[index] = 0
    }
    try writeDefinitions()
    try writeSegment(.rows, rows.bytes, first: firstRow, count: rowCount - firstRow)
    if !weakColumns.isEmpty { weakTargets.append((firstRow, rowCount - firstRow, weakColumns)) }
    runs = []
    firstRow = rowCount
  }

  /// Classes and strings stand before the rows that use them.
  private func writeDefinitions() throws(ArchiveError) {
    let counts = classes.map(\.columns.count)
    if counts != writtenColumnCounts {
      var table = ByteWriter()
      ClassTableSegment.write(classes, beyond: writtenColumnCounts, to: &table)
      let first = writtenColumnCounts.count
      try writeSegment(.classes, table.bytes, first: first, count: counts.count - first)
      writtenColumnCounts = counts
    }
    if strings.count > strings.writtenCount {
      let first = strings.writtenCount
      var table = ByteWriter()
      strings.writeNew(to: &table)
      try writeSegment(.strings, table.bytes, first: first, count: strings.count - first)
    }
  }

  private func writeSegment(_ kind: SegmentKind, _ raw: [UInt8], first: Int, count: Int) throws(ArchiveError)
  {
    var stored = raw
    var isCompressed = false
    if case .zlib(let level) = compression, let compressed = try Deflate.compress(raw, level: level) {
      stored = compressed
      isCompressed = true
    }
    let info = SegmentInfo(
      code: Array(kind.rawValue.utf8), byteOffset: output.count, storedByteCount: stored.count,
      rawByteCount: raw.count,
      isCompressed: isCompressed, first: first, count: count)
    var header = ByteWriter()
    SegmentHeader(
      kind: kind, isCompressed: isCompressed, storedByteCount: stored.count, rawByteCount: raw.count
    ).write(to: &header)
    let crc = Checksum.crc32(stored, seed: Checksum.crc32(header.bytes))
    output.append(header.bytes)
    output.append(stored)
    output.fixed(crc)
    guard kind != .index else { return }
    segments.append(info)
    segmentsChecksum = Checksum.crc32(littleEndianBytes(crc), seed: segmentsChecksum)
  }

  /// Writes what is left and hands out the file; `row` gives the row of a weak target by its address, 0 for nil.
  package func finish(row: (UInt) -> UInt32) throws(ArchiveError) -> [UInt8] {
    try closeSegment()
    for segment in weakTargets {
      var links = ByteWriter()
      for column in segment.columns.joined() {
        let rows = column.map { $0 == 0 ? 0 : row($0) }
        var chunk = ByteWriter()
        chunk.varint(rows.count)
        unsafe rows.withUnsafeBytes { bytes in
          unsafe ColumnChunk.writeIntegers(bytes, width: 4, isSigned: false, to: &chunk)
        }
        links.varint(chunk.count)
        links.append(chunk.bytes)
      }
      try writeSegment(.links, links.bytes, first: segment.firstRow, count: segment.rowCount)
    }
    let indexOffset = output.count
    var index = ByteWriter()
    SegmentIndex.write(segments, to: &index)
    try writeSegment(.index, index.bytes, first: 0, count: segments.count)
    ArchiveTrailer(
      indexOffset: UInt64(indexOffset), rowCount: UInt64(rowCount), segmentCount: UInt32(segments.count),
      segmentsChecksum: segmentsChecksum
    ).write(to: &output)
    return output.takeBytes()
  }
}

/// The bytes of a checksum as they stand in the file.
func littleEndianBytes(_ crc: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
}
