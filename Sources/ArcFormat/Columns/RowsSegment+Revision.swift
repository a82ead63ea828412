// The segments of a file without some of their rows, and with other references.

extension RowsSegment {
  /// Returns the segment without the rows of some classes. Returns the segment itself if it contains no such
  /// rows.
  package func omitting(_ isOmitted: [Bool]) -> RowsSegment {
    guard classes.contains(where: { isOmitted[$0.classIndex] }) else { return self }
    return RowsSegment(
      firstRow: firstRow, rowCount: rowCount, runs: runs.filter { !isOmitted[$0.classIndex] },
      classes: classes.filter { !isOmitted[$0.classIndex] }, owner: self)
  }

  /// Returns the segment without the rows in `all`, which are row numbers of the archive in ascending order.
  /// Returns the segment itself if it contains none of them.
  package func omitting(rows all: [Int], _ layouts: [ColumnLayout]) throws(ArchiveError) -> RowsSegment {
    let start = all.partitioningIndex { $0 >= firstRow }
    guard start < all.count, let end = runs.map(\.rows.upperBound).max(), all[start] < end else {
      return self
    }
    let rowIndex = rowIndex
    var lost: [Int: Set<Int>] = [:]
    for row in all[start...].prefix(while: { $0 < end }) {
      if let (classIndex, rowInClass) = rowIndex[row] { lost[classIndex, default: []].insert(rowInClass) }
    }
    guard !lost.isEmpty else { return self }
    let memory = ChunkMemory(keeping: self)
    var remaining: [ClassRows] = []
    for rows in classes {
      guard let ordinals = lost[rows.classIndex] else {
        remaining.append(rows)
        continue
      }
      if ordinals.count == rows.rowCount { continue }
      remaining.append(
        ClassRows(
          classIndex: rows.classIndex, rowCount: rows.rowCount - ordinals.count,
          columnCount: rows.columnCount,
          chunks: try memory.chunks(of: rows, layouts[rows.classIndex], withoutRows: ordinals)))
    }
    let isLost = Set(all[start...].prefix { $0 < end })
    return RowsSegment(
      firstRow: firstRow, rowCount: rowCount, runs: runs.flatMap { $0.parts(without: isLost) },
      classes: remaining, owner: memory)
  }

  /// Returns the segment with each reference redirected to a new row. Returns the segment itself if no
  /// reference changes.
  package func redirectingReferences(to targets: [UInt32], _ layouts: [ColumnLayout]) -> RowsSegment {
    let memory = ChunkMemory(keeping: self)
    var classes = classes
    for position in classes.indices {
      let nodes = layouts[classes[position].classIndex].nodes
      for (node, chunk) in classes[position].chunks.enumerated() {
        guard let chunk, nodes[node].kind == .reference || nodes[node].kind == .weak else { continue }
        classes[position].chunks[node] = memory.redirectedReferences(of: chunk, to: targets)
      }
    }
    guard memory.isUsed else { return self }
    return RowsSegment(firstRow: firstRow, rowCount: rowCount, runs: runs, classes: classes, owner: memory)
  }
}

extension RowsSegment.Run {
  /// Splits the run into the runs that remain if some rows are removed.
  fileprivate func parts(without isLost: Set<Int>) -> [RowsSegment.Run] {
    guard rows.contains(where: isLost.contains) else { return [self] }
    return rows.split(whereSeparator: isLost.contains).compactMap { part in
      guard let first = part.first else { return nil }
      return RowsSegment.Run(classIndex: classIndex, rows: first..<first + part.count)
    }
  }
}

/// Owns the memory of the chunks that a revision wrote, and retains the segment with the unchanged chunks.
private final class ChunkMemory {
  private let segment: RowsSegment
  private var buffers: [ByteBuffer] = []
  /// Whether the references of any chunk were changed.
  private(set) var isUsed = false

  init(keeping segment: RowsSegment) { self.segment = segment }

  deinit { for buffer in buffers { buffer.free() } }

  /// Returns the chunks of a class without some of its rows. Throws `malformedColumn` if the values do not
  /// form whole rows.
  func chunks(
    of rows: RowsSegment.ClassRows, _ layout: ColumnLayout, withoutRows lost: Set<Int>
  ) throws(ArchiveError) -> [Chunk?] {
    let set = ColumnReaderSet(reading: layout)
    set.bind(rows.chunks)
    var chunks = rows.chunks
    for root in 0..<rows.columnCount {
      let sieveLayout = SieveLayout(root: root, of: layout, sources: set.sources, file: layout)
      var sieve = ColumnSieve(
        sieveLayout,
        ColumnSieve.Context(chunk: { node in
          node.wanted.map(set.chunk(ofNode:)) ?? Chunk(count: 0, width: 0, values: ByteView())
        }))
      guard sieve.copy(withoutRows: lost) != nil else {
        throw ArchiveError(
          .malformedColumn, found: "a column with missing, superfluous or invalid values",
          expected: "a column with a complete value for each object")
      }
      for (node, chunk) in sieve.changedChunks(&buffers) { chunks[node] = chunk }
    }
    return chunks
  }

  /// Returns a chunk of references with new targets. Returns the chunk itself if no target changes. If
  /// references become nil, `text` of the new chunk stores the row numbers of the former targets, for errors.
  func redirectedReferences(of chunk: Chunk, to targets: [UInt32]) -> Chunk {
    var plain = chunk
    if chunk.form != .plain {
      let buffer = ByteBuffer(count: chunk.plainByteCount)
      buffers.append(buffer)
      chunk.expand(into: buffer)
      plain = Chunk(count: chunk.count, width: chunk.width, values: buffer.view)
    }
    func target(_ index: Int) -> UInt32 {
      let row = Int(truncatingIfNeeded: plain.unsigned(index))
      return row < targets.count ? targets[row] : 0
    }
    guard (0..<plain.count).contains(where: { UInt64(target($0)) != plain.unsigned($0) }) else {
      return chunk
    }
    isUsed = true
    var result = Chunk(
      count: plain.count, width: MemoryLayout<UInt32>.size, values: rows(plain.count, target))
    if (0..<plain.count).contains(where: { target($0) == 0 && plain.unsigned($0) != 0 }) {
      result.text = rows(plain.count) { UInt32(truncatingIfNeeded: plain.unsigned($0)) }
    }
    return result
  }

  private func rows(_ count: Int, _ row: (_ index: Int) -> UInt32) -> ByteView {
    let buffer = ByteBuffer(count: count * MemoryLayout<UInt32>.size)
    buffers.append(buffer)
    for index in 0..<count { buffer.store(row(index).littleEndian, at: index * MemoryLayout<UInt32>.size) }
    return buffer.view
  }
}
