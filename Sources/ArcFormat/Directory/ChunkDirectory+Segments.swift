// Builds the entries of a directory from the payloads of segments.

extension ChunkDirectory {
  /// A weak chunk of a segment of rows. The values of the chunk are in the `LINK` segment of the segment of
  /// rows.
  package struct WeakChunk {
    fileprivate let index: Int
  }

  /// Adds a segment of rows from its payload. `addLinks` later adds the data of its weak chunks.
  ///
  /// - Returns: the weak chunks, in order.
  /// - Throws: an error if the payload is invalid. A payload that was checked does not cause an error.
  package mutating func addRows(_ payload: ByteView, layouts: [ColumnLayout]) throws(ArchiveError)
    -> [WeakChunk]
  {
    var reader = ByteReader(payload, fileOffset: 0)
    let blocks = try Self.blocks(&reader)
    segments.append(
      Segment(headByteCount: UInt64(reader.position), blockCount: UInt64(blocks.count)))
    headChecksums.append(Checksum.crc32(payload[0..<reader.position]))
    firstBlocks.append(self.blocks.count)
    var weakChunks: [WeakChunk] = []
    for (classIndex, rows) in blocks {
      let columnCount = try reader.count(itemBytes: 0)
      guard layouts.indices.contains(classIndex), columnCount <= layouts[classIndex].roots.count else {
        throw ArchiveError(
          .malformedSegment,
          found: "\(plural(columnCount, "column")) of class number \(classIndex) in a ROWS segment",
          expected: "a class number of the class table, and at most as many columns as the class has")
      }
      self.blocks.append(
        Block(
          classIndex: UInt64(classIndex), rowCount: UInt64(rows.count), runCount: UInt64(rows.runCount),
          firstRow: UInt64(rows.first), columnCount: UInt64(columnCount)))
      firstChunks.append(chunks.count)
      let layout = layouts[classIndex]
      for node in layout.nodes[..<layout.nodeCount(ofColumns: columnCount)] where !node.kind.storage.isNone {
        if node.kind == .weak {
          weakChunks.append(WeakChunk(index: chunks.count))
          chunks.append(Entry(byteCount: 0, valueCount: 0, encoding: 0))
          checksums.append(0)
          ranges.append(nil)
        } else {
          let found = try Self.chunk(&reader, node.kind)
          chunks.append(found.entry)
          checksums.append(found.checksum)
          ranges.append(found.range)
        }
      }
    }
    try reader.finish("rows segment")
    return weakChunks
  }

  /// Sets the data of the weak chunks of a segment of rows. `payload` is the payload of the `LINK` segment.
  package mutating func addLinks(_ payload: ByteView, to weakChunks: [WeakChunk]) throws(ArchiveError) {
    var reader = ByteReader(payload, fileOffset: 0)
    for weak in weakChunks {
      let found = try Self.chunk(&reader, .weak)
      chunks[weak.index] = found.entry
      checksums[weak.index] = found.checksum
      ranges[weak.index] = found.range
    }
    try reader.finish("links segment")
  }

  private struct ClassRows {
    let first: Int
    var count = 0
    var runCount = 0
  }

  /// Reads the runs of a segment. Returns the rows of each class, in ascending order of the classes.
  private static func blocks(_ reader: inout ByteReader) throws(ArchiveError) -> [(Int, ClassRows)] {
    var blocks: [Int: ClassRows] = [:]
    var row = 0
    for _ in 0..<(try reader.count(itemBytes: 2)) {
      let classIndex = try reader.count(itemBytes: 0)
      let count = try reader.count(itemBytes: 0)
      let end = row.addingReportingOverflow(count)
      guard !end.overflow else {
        throw ArchiveError(
          .malformedSegment, found: "a run of \(plural(count, "row")), beginning at row \(row)",
          expected: "runs that end before row 2^32")
      }
      blocks[classIndex, default: ClassRows(first: row)].count += count
      blocks[classIndex]?.runCount += 1
      row = end.partialValue
    }
    return blocks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Reads a chunk. Returns its entry in the directory, its checksum and the range of its values.
  private static func chunk(
    _ reader: inout ByteReader, _ kind: ColumnKind
  ) throws(ArchiveError) -> (entry: Entry, checksum: UInt32, range: ChunkRange?) {
    var copy = reader
    let values = try Chunk(reading: &reader, kind: kind)
    let found = try entry(&copy)
    return (found.entry, found.checksum, ChunkRange(of: values, kind))
  }

  /// Skips a chunk. Returns its entry in the directory and its checksum.
  static func entry(_ reader: inout ByteReader) throws(ArchiveError) -> (entry: Entry, checksum: UInt32) {
    let bytes = try reader.take(reader.count(itemBytes: 1))
    var body = ByteReader(bytes, fileOffset: 0)
    let entry = Entry(
      byteCount: UInt64(bytes.count), valueCount: try body.varint(),
      encoding: UInt64(try body.fixed(UInt8.self)))
    return (entry, Checksum.crc32(bytes))
  }
}
