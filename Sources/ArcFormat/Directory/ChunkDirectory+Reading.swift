// Reads a directory from the payload of a `CDIR` segment.

extension ChunkDirectory {
  /// Reads all lists of a directory's payload. Checks everything that can be checked without reading other
  /// segments.
  ///
  /// `layouts` are the layouts of the classes. The lists of segments, blocks and chunks take several times
  /// more memory than the payload, so their memory is limited, too. Spec: 13-directory, section 2 and rule
  /// Y2; 07-limits, rule A2.
  ///
  /// - Complexity: O(bytes of the payload + values of its sequences + nodes of the classes).
  package init(reading reader: inout ByteReader, layouts: [ColumnLayout], limits: ArchiveLimits)
    throws(ArchiveError)
  {
    let segmentCount = try reader.count(itemBytes: MemoryLayout<UInt32>.size)
    try Self.charge(segmentCount, limits)
    let heads = try Self.sequence(&reader, segmentCount)
    headChecksums = try Self.fixed(&reader, segmentCount)
    let blockCounts = try Self.sequence(&reader, segmentCount)
    segments = zip(heads, blockCounts).map { Segment(headByteCount: $0, blockCount: $1) }
    let blockCount = try setFirstBlocks(blockCounts, atMost: reader)
    try Self.charge(blockCount, limits)
    try readBlocks(&reader, count: blockCount)
    let kinds = try chunkKinds(layouts, reader)
    try Self.charge(kinds.count, limits)
    let byteCounts = try Self.sequence(&reader, kinds.count)
    let valueCounts = try Self.sequence(&reader, kinds.count)
    let encodings = try Self.sequence(&reader, kinds.count)
    chunks = kinds.indices.map {
      Entry(byteCount: byteCounts[$0], valueCount: valueCounts[$0], encoding: encodings[$0])
    }
    checksums = try Self.fixed(&reader, kinds.count)
    try readRanges(&reader, kinds)
    try reader.finish("chunk directory")
  }

  /// The approximate number of bytes of memory that one segment, block or chunk takes in all lists while they
  /// are read.
  private static let byteCountOfEach = 96

  /// Checks that the memory for some segments, blocks, chunks or points is within the limit.
  static func charge(_ count: Int, _ limits: ArchiveLimits) throws(ArchiveError) {
    let bytes = count.multipliedReportingOverflow(by: byteCountOfEach)
    try ArchiveLimits.check(bytes.overflow ? .max : bytes.partialValue, within: limits.rawBytes, "rawBytes")
  }

  private mutating func readBlocks(_ reader: inout ByteReader, count: Int) throws(ArchiveError) {
    let classes = try Self.sequence(&reader, count)
    let rows = try Self.sequence(&reader, count)
    let runs = try Self.sequence(&reader, count)
    let starts = try Self.sequence(&reader, count)
    let columns = try Self.sequence(&reader, count)
    blocks = (0..<count).map {
      Block(
        classIndex: classes[$0], rowCount: rows[$0], runCount: runs[$0], firstRow: starts[$0],
        columnCount: columns[$0])
    }
  }

  /// Returns the kinds of all chunks, block by block. Also checks the class and the number of columns of each
  /// block, and records the index of the first chunk of each block.
  private mutating func chunkKinds(
    _ layouts: [ColumnLayout], _ reader: ByteReader
  ) throws(ArchiveError) -> [ColumnKind] {
    var kinds: [ColumnKind] = []
    var shapes: [UInt64: ChunkKinds] = [:]
    var next = 0
    for segment in segments {
      // The sum of the counts was checked, so it does not overflow.
      let end = next + Int(truncatingIfNeeded: segment.blockCount)
      for index in next..<end {
        let block = blocks[index]
        guard block.classIndex < UInt64(layouts.count),
          index == next || blocks[index - 1].classIndex < block.classIndex
        else {
          throw reader.refusal(
            "a block for class \(block.classIndex)",
            "class indices below \(layouts.count), in ascending order")
        }
        let layout = layouts[Int(block.classIndex)]
        guard block.columnCount <= UInt64(layout.roots.count) else {
          throw reader.refusal(
            "a block of \(block.columnCount) columns", "at most \(plural(layout.roots.count, "column"))")
        }
        let shape = shapes[block.classIndex] ?? ChunkKinds(of: layout)
        shapes[block.classIndex] = shape
        firstChunks.append(kinds.count)
        kinds += shape.kinds[..<shape.counts[Int(block.columnCount)]]
        // Each chunk has at least a checksum.
        guard kinds.count <= reader.remaining / MemoryLayout<UInt32>.size else {
          throw reader.refusal(
            "at least \(plural(kinds.count, "chunk"))", "at most one chunk for every 4 bytes that are left")
        }
      }
      next = end
    }
    return kinds
  }

  private mutating func readRanges(
    _ reader: inout ByteReader, _ kinds: [ColumnKind]
  ) throws(ArchiveError) {
    let bits = try reader.take((kinds.count + 7) / 8)
    if kinds.count & 7 != 0, bits[bits.count - 1] >> UInt8(kinds.count & 7) != 0 {
      throw reader.refusal("a bit that is set after the last chunk", "zero bits up to the end of the byte")
    }
    let ranged = kinds.indices.filter { bits.bit($0) }
    let orders = ranged.compactMap { ChunkRange.Order(kinds[$0]) }
    guard orders.count == ranged.count else {
      throw reader.refusal(
        "a range for a chunk whose kind has no order", "ranges of only numbers, dates and strings")
    }
    let outside = try Self.sequence(&reader, ranged.count)
    let least: [UInt64] = try Self.fixed(&reader, ranged.count)
    let most: [UInt64] = try Self.fixed(&reader, ranged.count)
    ranges = Array(repeating: nil, count: kinds.count)
    for (position, chunk) in ranged.enumerated() {
      ranges[chunk] = ChunkRange(
        order: orders[position], outsideCount: outside[position], least: least[position], most: most[position]
      )
    }
  }

  // MARK: Lists

  /// Reads unsigned integers in one of the forms of 04-columns, section 3, except for the aligned form.
  static func sequence(_ reader: inout ByteReader, _ count: Int) throws(ArchiveError) -> [UInt64] {
    let encoding: UInt8 = try reader.fixed()
    guard encoding & ChunkEncoding.aligned == 0,
      let sequence = try IntegerSequence(
        reading: &reader, encoding: encoding, count: count, maximumWidth: 8, payloadOffset: 0)
    else {
      throw reader.refusal(
        "integers with encoding \(encoding)", "an encoding that the Spec defines in 04, section 3")
    }
    return sequence.unsigned
  }

  /// Reads `count` integers of the size of `Value`.
  static func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
    _ reader: inout ByteReader, _ count: Int
  ) throws(ArchiveError) -> [Value] {
    guard count <= reader.remaining / MemoryLayout<Value>.size else {
      throw reader.refusal(
        plural(reader.remaining, "remaining byte"),
        "\(plural(count, "number")) of \(plural(MemoryLayout<Value>.size, "byte"))")
    }
    let bytes = try reader.take(count * MemoryLayout<Value>.size)
    return (0..<count).map { bytes.integer(at: $0 * MemoryLayout<Value>.size) }
  }

  /// Records the first block of each segment, and returns the total number of blocks. `counts` contains the
  /// number of blocks of each segment. Throws an error if the remaining bytes are too few for these blocks.
  private mutating func setFirstBlocks(
    _ counts: [UInt64], atMost reader: ByteReader
  ) throws(ArchiveError) -> Int {
    var total = 0
    for count in counts {
      firstBlocks.append(total)
      let limit = max(reader.remaining, ChunkEncoding.maximumEncodedCount) - total
      guard count <= UInt64(limit) else {
        throw reader.refusal("a segment with \(count) blocks", "at most \(plural(limit, "block"))")
      }
      total += Int(count)
    }
    return total
  }
}

/// The kinds of the chunks of all columns of a class. `counts[n]` is the number of chunks of the first *n*
/// columns. Computed once per class instead of once per block, because a directory can have a block for every
/// few bytes.
private struct ChunkKinds {
  let kinds: [ColumnKind]
  let counts: [Int]

  init(of layout: ColumnLayout) {
    var kinds: [ColumnKind] = []
    var counts = [0]
    for position in layout.roots.indices {
      kinds += layout.nodes[layout.nodes(ofRoot: position)].map(\.kind).filter { !$0.storage.isNone }
      counts.append(kinds.count)
    }
    (self.kinds, self.counts) = (kinds, counts)
  }
}

extension ByteReader {
  /// Creates an error about the part of a directory or of a list of points that was just read.
  func refusal(_ found: String, _ expected: String) -> ArchiveError {
    ArchiveError(.malformedSegment, found: found, expected: expected, byteOffset: offset)
  }
}

extension IntegerSequence {
  /// The values of the sequence as unsigned integers.
  fileprivate var unsigned: [UInt64] {
    guard form != .plain else { return (0..<count).map { bytes.unsigned($0, width: width) } }
    // The memory is small, because at most 2^18 values have such a form. Spec: 04-columns, rule V8.
    let memory = ByteBuffer(count: count * width)
    defer { memory.free() }
    expand(into: memory)
    return (0..<count).map { memory.view.unsigned($0, width: width) }
  }
}
