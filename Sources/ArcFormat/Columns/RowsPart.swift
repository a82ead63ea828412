import ArcRuntime

/// Some columns of the rows of one class in a segment, to be read by what a directory says of their chunks.
///
/// Nothing is believed that is used: runs and chunks are compared with what is said of them, and so are the
/// sizes of all chunks on the way, each of which leads to the next. Spec: 13-directory, section 3.
struct RowsPart {
  /// The number of the segment among those of rows.
  let number: Int
  /// The index of the block that says of these rows.
  let block: Int
  /// Indices of columns of the class.
  let columns: [Int]
  let directory: ChunkDirectory

  /// Reads these columns out of the payload of their segment, and of its `LINK` segment.
  ///
  /// - Returns: all runs of the segment, and of this class alone the rows, with chunks of these columns.
  /// - Throws: `indexMismatch` or `damagedSegment` if the directory says something else than there is; or
  ///   what is wrong with runs or chunks.
  func read(
    _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
    classes: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> RowsSegment {
    var reader = payload.reader
    let (runs, rowCount) = try readRuns(&reader, payload, info, classCount: layouts.count)
    let blocks = directory.blocks(ofSegment: number).lowerBound..<block
    for other in blocks {
      let layout = layouts[Int(directory.blocks[other].classIndex)]
      try passOver(&reader, block: other, layout, payload)
    }
    let classIndex = Int(directory.blocks[block].classIndex)
    let layout = layouts[classIndex]
    let columnsOffset = reader.offset
    let columnCount = try readColumnCount(&reader, block, payload)
    try RowsSegment.checkColumnCount(columnCount, of: classes[classIndex], byteOffset: columnsOffset)
    try charge(layout.nodes.count * MemoryLayout<Chunk?>.stride)
    var chunks: [Chunk?] = Array(repeating: nil, count: layout.nodes.count)
    let wanted = nodes(of: layout, columnCount)
    try read(&reader, into: &chunks, layout, wanted.filter { layout.nodes[$0].kind != .weak }, payload)
    let weak = wanted.filter { layout.nodes[$0].kind == .weak }
    if !weak.isEmpty {
      guard let links else { throw RowsSegment.noWeakColumns(of: info) }
      try readWeak(links, into: &chunks, layouts, weak)
    }
    for chunk in chunks { if let chunk { try charge(chunk.expandedByteCount) } }
    let rows = RowsSegment.ClassRows(
      classIndex: classIndex, rowCount: rowCount, columnCount: columnCount, chunks: chunks)
    return RowsSegment(
      firstRow: info.firstIndex, rowCount: info.count, runs: runs, classes: [rows],
      owner: Payloads(rows: payload, links: links))
  }

  /// Keeps the bytes that chunks point into.
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

  /// Reads the runs, and the number of rows of the class; compares what is said of all classes.
  ///
  /// Spec: 13-directory, rules Y3 and Y4.
  private func readRuns(
    _ reader: inout ByteReader, _ payload: SegmentPayload, _ info: SegmentInfo, classCount: Int
  ) throws(ArchiveError) -> (runs: [RowsSegment.Run], rowCount: Int) {
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
    let classIndex = Int(directory.blocks[block].classIndex)
    let own = runs.lazy.filter { $0.classIndex == classIndex }
    guard let first = own.first, directory.blocks[block].runCount == UInt64(own.count),
      directory.blocks[block].firstRow == UInt64(first.rows.lowerBound - info.firstIndex)
    else { throw mismatch(payload) }
    return (runs, Int(truncatingIfNeeded: directory.blocks[block].rowCount))
  }

  // MARK: Chunks

  private func readColumnCount(
    _ reader: inout ByteReader, _ block: Int, _ payload: SegmentPayload
  ) throws(ArchiveError) -> Int {
    let columnCount = try reader.count(itemBytes: 0)
    guard UInt64(columnCount) == directory.blocks[block].columnCount else { throw mismatch(payload) }
    return columnCount
  }

  /// The nodes with chunks of the columns, of those that the rows have, in order.
  private func nodes(of layout: ColumnLayout, _ columnCount: Int) -> [Int] {
    columns.filter { $0 < columnCount }.sorted().flatMap { layout.nodes(ofRoot: $0) }
      .filter { !layout.nodes[$0].kind.storage.isNone }
  }

  /// Passes over a block, comparing the sizes of its chunks.
  private func passOver(
    _ reader: inout ByteReader, block: Int, _ layout: ColumnLayout, _ payload: SegmentPayload
  ) throws(ArchiveError) {
    let columnCount = try readColumnCount(&reader, block, payload)
    var chunk = directory.firstChunks[block]
    for node in layout.nodes[..<layout.nodeCount(ofColumns: columnCount)] where !node.kind.storage.isNone {
      if node.kind != .weak { try passOver(&reader, chunk: chunk, payload) }
      chunk += 1
    }
  }

  private func passOver(
    _ reader: inout ByteReader, chunk: Int, _ payload: SegmentPayload
  ) throws(ArchiveError) {
    let byteCount = try reader.count(itemBytes: 1)
    guard UInt64(byteCount) == directory.chunks[chunk].byteCount else { throw mismatch(payload) }
    _ = try reader.take(byteCount)
  }

  /// Reads the chunks of some nodes of the block, up to the last of them.
  private func read(
    _ reader: inout ByteReader, into chunks: inout [Chunk?], _ layout: ColumnLayout, _ wanted: [Int],
    _ payload: SegmentPayload
  ) throws(ArchiveError) {
    guard let last = wanted.last else { return }
    var next = wanted[...]
    var chunk = directory.firstChunks[block]
    for (index, node) in layout.nodes[...last].enumerated() where !node.kind.storage.isNone {
      if node.kind != .weak {
        if next.first == index {
          next.removeFirst()
          chunks[index] = try readChunk(&reader, chunk, node.kind, payload)
        } else {
          try passOver(&reader, chunk: chunk, payload)
        }
      }
      chunk += 1
    }
  }

  /// Reads the weak chunks of some nodes of the block, up to the last of them, from the `LINK` segment: there
  /// stand those of all blocks.
  private func readWeak(
    _ links: SegmentPayload, into chunks: inout [Chunk?], _ layouts: [ColumnLayout], _ wanted: [Int]
  ) throws(ArchiveError) {
    var reader = links.reader
    var next = wanted[...]
    for other in directory.blocks(ofSegment: number).lowerBound...block {
      let layout = layouts[Int(directory.blocks[other].classIndex)]
      var chunk = directory.firstChunks[other]
      let nodeCount = layout.nodeCount(ofColumns: Int(directory.blocks[other].columnCount))
      for (index, node) in layout.nodes[..<nodeCount].enumerated() where !node.kind.storage.isNone {
        if node.kind == .weak {
          if other == block, next.first == index {
            next.removeFirst()
            chunks[index] = try readChunk(&reader, chunk, node.kind, links)
            if next.isEmpty { return }
          } else {
            try passOver(&reader, chunk: chunk, links)
          }
        }
        chunk += 1
      }
    }
  }

  /// Reads a chunk that is what the directory says. Spec: 13-directory, rules Y3 and Y4.
  private func readChunk(
    _ reader: inout ByteReader, _ chunk: Int, _ kind: ColumnKind, _ payload: SegmentPayload
  ) throws(ArchiveError) -> Chunk {
    var start = reader
    let found = try ChunkDirectory.entry(&reader)
    guard found.entry == directory.chunks[chunk] else { throw mismatch(payload) }
    guard found.checksum == directory.checksums[chunk] else { throw mismatch(payload, .damagedSegment) }
    return try Chunk(reading: &start, kind: kind)
  }
}
