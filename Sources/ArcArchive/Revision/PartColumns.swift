import ArcFormat

/// Copies the values of rows from the segments of an archive to the segments of a part.
final class PartColumns {
  private let byteLimit: Int
  /// Returns the number of a reference's target in the part; 0 if the reference becomes nil.
  private let number: (_ row: Int, ReferenceUse) throws -> UInt32
  private var byteCount = 0
  /// The targets of weak properties.
  private(set) var weakTargets: [WeakTarget] = []

  init(byteLimit: Int, number: @escaping (_ row: Int, ReferenceUse) throws -> UInt32) {
    self.byteLimit = byteLimit
    self.number = number
  }

  /// The ranges of the values of a node that are copied, and the ranges that the bytes of these values have
  /// in the text of the chunk.
  private struct Pieces {
    var values: [Range<Int>] = []
    var texts: [Range<Int>] = []
    var count = 0
    var textByteCount = 0

    mutating func append(_ range: Range<Int>, _ texts: Range<Int>) {
      values.append(range)
      self.texts.append(texts)
      count += range.count
      textByteCount += texts.count
    }
  }

  /// Copies rows to a segment of the part.
  ///
  /// - Parameters:
  ///   - firstRow: the number of the first row in the part.
  ///   - classes: for each class, in ascending order, the source of its rows, and the ranges of the rows to
  ///     copy.
  ///   - runs: the class and the number of rows of each run.
  /// - Returns: the rows as a segment.
  /// - Throws: `limitExceeded` if the part needs too much memory, or the code of the damage if a column is
  ///   damaged.
  func segment(
    firstRow: Int, _ classes: [(classIndex: Int, source: RowSource, ranges: [Range<Int>])],
    runs: [(classIndex: Int, count: Int)]
  ) throws -> RowsSegment {
    let memory = PartMemory()
    var next = firstRow
    let runs = runs.map { run in
      defer { next += run.count }
      return RowsSegment.Run(classIndex: run.classIndex, rows: next..<next + run.count)
    }
    let classes = try classes.map { classIndex, source, ranges in
      let chunks = try chunks(of: source, ranges, memory)
      if source.uses.contains(.weak) {
        try noteWeakTargets(source, ranges, rows: runs.filter { $0.classIndex == classIndex }.flatMap(\.rows))
      }
      return RowsSegment.ClassRows(
        classIndex: classIndex, rowCount: ranges.reduce(0) { $0 + $1.count }, columnCount: source.columnCount,
        chunks: chunks)
    }
    return RowsSegment(
      firstRow: firstRow, rowCount: next - firstRow, runs: runs, classes: classes, owner: memory)
  }

  /// Records the targets of the weak properties of some rows of a source. `ranges` are the rows in the
  /// source, and `rows` are their numbers in the part.
  private func noteWeakTargets(_ source: RowSource, _ ranges: [Range<Int>], rows: [Int]) throws {
    let layout = source.set.layout
    let nodes = layout.nodes.indices.filter { source.uses[$0] == .weak && source.hasChunk[$0] }
    for node in nodes where node < layout.nodeCount(ofColumns: source.columnCount) {
      let column = layout.roots.partitioningIndex { $0 > node } - 1
      let chunk = source.set.chunk(ofNode: node)
      func note(_ row: Int, _ position: Int) {
        guard position < chunk.count else { return }
        let target = Int(truncatingIfNeeded: chunk.unsigned(position))
        guard target > 0 else { return }
        weakTargets.append(
          WeakTarget(row: row, classIndex: source.classIndex, column: column, target: target))
      }
      for (index, row) in zip(ranges.joined(), rows) {
        // For a weak reference in an optional, only rows with a value have a reference.
        guard layout.roots[column] != node else {
          note(row, index)
          continue
        }
        try source.forEachNode(inRows: index..<index + 1) { other, values, _ in
          if other == node, let position = values.first { note(row, position) }
        }
      }
    }
  }

  private func chunks(of source: RowSource, _ rows: [Range<Int>], _ memory: PartMemory) throws -> [Chunk?] {
    var pieces = [Pieces](repeating: Pieces(), count: source.set.layout.nodes.count)
    for range in rows {
      try source.forEachNode(inRows: range) { pieces[$0].append($1, $2) }
    }
    return try pieces.indices.map { node in
      guard source.hasChunk[node] else { return nil }
      let isReference = [.reference, .weak].contains(source.set.layout.nodes[node].kind)
      let chunk = source.set.chunk(ofNode: node)
      return isReference
        ? try references(chunk, pieces[node], source.uses[node], memory)
        : try copy(chunk, pieces[node], memory)
    }
  }

  /// Copies values that are not references.
  private func copy(_ chunk: Chunk, _ pieces: Pieces, _ memory: PartMemory) throws -> Chunk {
    let values: ByteBuffer
    if chunk.width == 0 {
      values = try allocate((pieces.count + 7) / 8, memory)
      values.fill(with: 0)
      let bytes = values.values(as: UInt8.self)
      var position = 0
      for range in pieces.values {
        for index in range {
          if chunk.bit(index) { bytes[position >> 3] |= 1 << UInt8(position & 7) }
          position += 1
        }
      }
    } else {
      let ranges = pieces.values.map { $0.lowerBound * chunk.width..<$0.upperBound * chunk.width }
      values = try copy(ranges, of: chunk.values, pieces.count * chunk.width, memory)
    }
    var copy = Chunk(count: pieces.count, width: chunk.width, values: values.view)
    copy.usesStringTable = chunk.usesStringTable
    if pieces.textByteCount > 0 {
      copy.text = try self.copy(pieces.texts, of: chunk.text, pieces.textByteCount, memory).view
    }
    return copy
  }

  private func copy(
    _ ranges: [Range<Int>], of bytes: ByteView, _ count: Int, _ memory: PartMemory
  ) throws -> ByteBuffer {
    let buffer = try allocate(count, memory)
    var offset = 0
    for range in ranges where !range.isEmpty {
      buffer.copy(bytes[range], to: offset)
      offset += range.count
    }
    return buffer
  }

  /// Copies references, with the numbers that their targets have in the part.
  private func references(
    _ chunk: Chunk, _ pieces: Pieces, _ use: ReferenceUse, _ memory: PartMemory
  ) throws -> Chunk {
    let values = try allocate(pieces.count * MemoryLayout<UInt32>.size, memory)
    var offset = 0
    var formerRows: [UInt32] = []
    for range in pieces.values {
      for index in range {
        let row = Int(truncatingIfNeeded: chunk.unsigned(index))
        let number = row == 0 ? 0 : try number(row, use)
        values.store(number.littleEndian, at: offset)
        offset += MemoryLayout<UInt32>.size
        // Collections later omit references whose target was removed, but not references that are nil in the
        // file.
        let former = row == 0 ? chunk.formerRow(index) : number == 0 ? UInt32(truncatingIfNeeded: row) : 0
        formerRows.append(former)
      }
    }
    var copy = Chunk(count: pieces.count, width: MemoryLayout<UInt32>.size, values: values.view)
    if formerRows.contains(where: { $0 > 0 }) {
      let former = try allocate(formerRows.count * MemoryLayout<UInt32>.size, memory)
      for (index, row) in formerRows.enumerated() {
        former.store(row.littleEndian, at: index * MemoryLayout<UInt32>.size)
      }
      copy.text = former.view
    }
    return copy
  }

  /// Allocates memory. Throws an error if the memory of the part exceeds the limit. Spec: 07-limits, rule A2.
  private func allocate(_ count: Int, _ memory: PartMemory) throws -> ByteBuffer {
    let sum = byteCount.addingReportingOverflow(count)
    try ArchiveLimits.check(sum.overflow ? .max : sum.partialValue, within: byteLimit, "rawBytes")
    byteCount = sum.partialValue
    return memory.allocate(count)
  }
}

/// The memory of one segment of a part.
private final class PartMemory {
  private var buffers: [ByteBuffer] = []

  func allocate(_ count: Int) -> ByteBuffer {
    let buffer = ByteBuffer(count: count)
    buffers.append(buffer)
    return buffer
  }

  deinit { for buffer in buffers { buffer.free() } }
}

extension Chunk {
  /// Returns the row to which a reference referred before a revision omitted the row. 0 if no such row is
  /// recorded.
  fileprivate func formerRow(_ index: Int) -> UInt32 {
    let width = MemoryLayout<UInt32>.size
    return text.count >= (index + 1) * width ? text.integer(at: index * width) : 0
  }
}
