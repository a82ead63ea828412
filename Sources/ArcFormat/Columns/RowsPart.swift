import ArcRuntime

/// A request for columns in a segment. The request selects classes and, for each class, some of its columns.
/// A directory of chunks locates these columns in the segment.
///
/// The reader compares the segment with the directory: the runs, the chunks that it reads, and the sizes of
/// the chunks that it skips. If only parts of the payload are decompressed, the reader locates chunks by the
/// sizes in the directory. Spec: 13-directory, section 3.
package struct RowsPart {
  /// A block: the rows of one class in the segment.
  package struct Block {
    /// The index of the block in the directory.
    package let index: Int
    /// The indices of the requested columns in the class.
    package let columns: [Int]

    /// Requests columns of the rows of a block.
    package init(index: Int, columns: [Int]) { (self.index, self.columns) = (index, columns) }
  }

  /// The index of the segment among the `ROWS` segments.
  package let number: Int
  /// The requested blocks with their requested columns, in the order of the directory.
  package let blocks: [Block]
  /// The directory of the archive.
  package let directory: ChunkDirectory

  /// Requests columns of the rows in some blocks of a segment.
  package init(number: Int, blocks: [Block], directory: ChunkDirectory) {
    (self.number, self.blocks, self.directory) = (number, blocks, directory)
  }

  /// Reads the requested columns from the payloads of the segment and of its `LINK` segment.
  ///
  /// - Returns: a segment with all runs. It contains only the rows of the requested classes, and only the
  ///   chunks of the requested columns.
  /// - Throws: `indexMismatch` or `damagedSegment` if the segment differs from the directory, or an error
  ///   about the runs or chunks.
  /// - Complexity: O(runs + chunks up to the last requested chunk + bytes of the requested columns).
  package func read(
    _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
    classes: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> RowsSegment {
    guard let headByteCount = Int(exactly: directory.segments[number].headByteCount) else {
      throw mismatch(payload)
    }
    var reader = payload.isWhole ? payload.reader : try payload.reader(of: 0..<headByteCount)
    let runs = try readRuns(&reader, payload, info, classCount: layouts.count)
    var rows: [RowsSegment.ClassRows] = []
    for block in blocks {
      let stated = directory.blocks[block.index]
      // The reader of the directory checked that the class exists.
      let nodeCount = layouts[Int(stated.classIndex)].nodes.count
      try charge(nodeCount * MemoryLayout<Chunk?>.stride)
      rows.append(
        RowsSegment.ClassRows(
          classIndex: Int(stated.classIndex), rowCount: Int(truncatingIfNeeded: stated.rowCount),
          columnCount: Int(truncatingIfNeeded: stated.columnCount),
          chunks: Array(repeating: nil, count: nodeCount)))
    }
    try readChunks(ChunkPosition(payload, reader), into: &rows, areWeak: false, payload, layouts)
    for each in rows {
      try RowsSegment.checkColumnCount(
        each.columnCount, of: classes[each.classIndex], byteOffset: payload.byteOffset)
    }
    if zip(blocks, rows).contains(where: { !nodes(of: $0, $1, layouts, areWeak: true).isEmpty }) {
      guard let links else { throw RowsSegment.noWeakColumns(of: info) }
      try readChunks(ChunkPosition(links, links.reader), into: &rows, areWeak: true, links, layouts)
    }
    for each in rows { for case let chunk? in each.chunks { try charge(chunk.expandedByteCount) } }
    return RowsSegment(
      firstRow: info.firstIndex, rowCount: info.count, runs: runs, classes: rows,
      owner: Payloads(rows: payload, links: links))
  }

  /// Retains the bytes to which chunks point.
  private final class Payloads {
    private let rows: SegmentPayload
    private let links: SegmentPayload?

    init(rows: SegmentPayload, links: SegmentPayload?) {
      self.rows = rows
      self.links = links
    }
  }

  private func mismatch(
    _ payload: SegmentPayload, _ code: ArchiveError.Code = .indexMismatch
  ) -> ArchiveError {
    .wrongDirectory(code, ofRowsAt: payload.byteOffset)
  }

  // MARK: Runs

  /// Reads the runs, and compares the rows of all classes with the directory.
  ///
  /// Spec: 13-directory, rules Y3 and Y4.
  private func readRuns(
    _ reader: inout ByteReader, _ payload: SegmentPayload, _ info: SegmentInfo, classCount: Int
  ) throws(ArchiveError) -> [RowsSegment.Run] {
    var runs: [RowsSegment.Run] = []
    var rowsOfClass: [(key: Int, value: Int)] = []
    try RowsSegment.readRuns(&reader, into: &runs, &rowsOfClass, info, classCount: classCount)
    let stated = directory.blocks[directory.blocks(ofSegment: number)]
    guard UInt64(reader.position) == directory.segments[number].headByteCount,
      stated.elementsEqual(
        rowsOfClass, by: { $0.classIndex == UInt64($1.key) && $0.rowCount == UInt64($1.value) })
    else { throw mismatch(payload) }
    guard Checksum.crc32(payload.bytes[0..<reader.position]) == directory.headChecksums[number] else {
      throw mismatch(payload, .damagedSegment)
    }
    // One pass for all classes: a segment may have as many runs as rows.
    var runsOfClass = ClassValues(
      (firstRow: 0, count: 0), classCount: classCount, runCount: runs.count)
    for run in runs {
      if runsOfClass[run.classIndex].count == 0 {
        runsOfClass[run.classIndex].firstRow = run.rows.lowerBound - info.firstIndex
      }
      runsOfClass[run.classIndex].count += 1
    }
    for block in blocks {
      let stated = directory.blocks[block.index]
      let own = runsOfClass[Int(stated.classIndex)]
      guard own.count > 0, stated.runCount == UInt64(own.count), stated.firstRow == UInt64(own.firstRow)
      else {
        throw mismatch(payload)
      }
    }
    return runs
  }

  // MARK: Chunks

  /// Returns the nodes with chunks in the requested columns of a block. If `areWeak` is true, returns only
  /// nodes of weak references; otherwise, all other nodes. Omits columns that the rows do not have.
  private func nodes(
    of block: Block, _ rows: RowsSegment.ClassRows, _ layouts: [ColumnLayout], areWeak: Bool
  ) -> [Int] {
    let layout = layouts[rows.classIndex]
    return block.columns.filter { $0 < rows.columnCount }.sorted().flatMap { layout.nodes(ofRoot: $0) }
      .filter { !layout.nodes[$0].kind.storage.isNone && (layout.nodes[$0].kind == .weak) == areWeak }
  }

  /// Reads the requested chunks. Skips all other chunks before the last requested chunk. If the whole payload
  /// is in memory, also compares the sizes of the skipped chunks with the directory.
  ///
  /// If `areWeak` is true, `payload` is the payload of the `LINK` segment, which contains only the chunks of
  /// weak references.
  private func readChunks(
    _ start: ChunkPosition, into rows: inout [RowsSegment.ClassRows], areWeak: Bool,
    _ payload: SegmentPayload, _ layouts: [ColumnLayout]
  ) throws(ArchiveError) {
    guard let last = blocks.last else { return }
    var chunks = start
    var position = 0
    for index in directory.blocks(ofSegment: number).lowerBound...last.index {
      let stated = directory.blocks[index]
      if !areWeak, try !chunks.skipColumnCount(stated.columnCount) { throw mismatch(payload) }
      let layout = layouts[Int(stated.classIndex)]
      let isWanted = blocks[position].index == index
      var next = (isWanted ? nodes(of: blocks[position], rows[position], layouts, areWeak: areWeak) : [])[...]
      var chunk = directory.firstChunks[index]
      let nodeCount = layout.nodeCount(ofColumns: Int(truncatingIfNeeded: stated.columnCount))
      for (node, kind) in layout.nodes[..<nodeCount].lazy.map(\.kind).enumerated()
      where !kind.storage.isNone {
        if index == last.index, next.isEmpty { return }
        if (kind == .weak) == areWeak {
          let entry = directory.chunks[chunk]
          if next.first == node {
            next.removeFirst()
            var reader = try chunks.reader(ofChunk: entry.byteCount)
            rows[position].chunks[node] = try readChunk(&reader, chunk, kind, payload)
          }
          guard try chunks.skip(chunk: entry.byteCount) else { throw mismatch(payload) }
        }
        chunk += 1
      }
      if isWanted { position += 1 }
    }
  }

  /// Reads a chunk. Throws if it differs from its description in the directory. Spec: 13-directory, rules Y3
  /// and Y4.
  private func readChunk(
    _ reader: inout ByteReader, _ chunk: Int, _ kind: ColumnKind, _ payload: SegmentPayload
  ) throws(ArchiveError) -> Chunk {
    var start = reader
    let stored = try ChunkDirectory.entry(&reader)
    guard stored.entry == directory.chunks[chunk] else { throw mismatch(payload) }
    guard stored.checksum == directory.checksums[chunk] else { throw mismatch(payload, .damagedSegment) }
    return try Chunk(reading: &start, kind: kind)
  }
}

/// The position of the next chunk in a payload.
///
/// If the whole payload is in memory, the bytes of each chunk determine the position of the next chunk.
/// Otherwise, the sizes in the directory determine the positions, and only the chunks that are read are
/// decompressed.
private struct ChunkPosition {
  private let payload: SegmentPayload
  /// A reader at the position. Used only if the whole payload is in memory.
  private var bytes: ByteReader
  private var offset: Int

  /// Creates the position after the bytes that `reader` has read.
  init(_ payload: SegmentPayload, _ reader: ByteReader) {
    self.payload = payload
    bytes = reader
    offset = reader.position
  }

  /// Skips the column count of a block. Returns false if the column count in the segment is not `stated`.
  mutating func skipColumnCount(_ stated: UInt64) throws(ArchiveError) -> Bool {
    if payload.isWhole { return UInt64(try bytes.count(itemBytes: 0)) == stated }
    return advance(by: ByteWriter.varintByteCount(Int(truncatingIfNeeded: stated)))
  }

  /// Skips a chunk. Returns false if the byte count of the chunk in the segment is not `stated`.
  mutating func skip(chunk stated: UInt64) throws(ArchiveError) -> Bool {
    guard payload.isWhole else { return advance(by: wholeByteCount(ofChunk: stated)) }
    let byteCount = try bytes.count(itemBytes: 1)
    guard UInt64(byteCount) == stated else { return false }
    _ = try bytes.take(byteCount)
    return true
  }

  /// Returns a reader at the beginning of the chunk at this position. The first bytes are the byte count of
  /// the chunk.
  func reader(ofChunk stated: UInt64) throws(ArchiveError) -> ByteReader {
    if payload.isWhole { return bytes }
    let end = offset.addingReportingOverflow(wholeByteCount(ofChunk: stated))
    return try payload.reader(of: offset..<(end.overflow ? .max : end.partialValue))
  }

  private func wholeByteCount(ofChunk stated: UInt64) -> Int {
    // A larger number is beyond the end of each payload.
    let byteCount = Int(clamping: min(stated, 1 << 48))
    return ByteWriter.varintByteCount(byteCount) + byteCount
  }

  private mutating func advance(by byteCount: Int) -> Bool {
    guard byteCount <= payload.bytes.count - offset else { return false }
    offset += byteCount
    return true
  }
}
