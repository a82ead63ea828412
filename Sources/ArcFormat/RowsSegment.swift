/// A `ROWS` segment together with its `LINK` segment: rows in order, and the chunks of their columns.
package final class RowsSegment {
  /// Neighbouring rows of one class.
  package struct Run {
    package let classIndex: Int
    package let length: Int
  }
  /// The chunks of one class, by node of the class's layout; nil for nodes without one.
  package struct ClassRows {
    package let classIndex: Int
    package let rowCount: Int
    /// Columns that the class had when the segment was written.
    package let columnCount: Int
    package fileprivate(set) var chunks: [ChunkView?]
    /// Whether the rows take bytes in the file: a class without properties has rows that take none.
    var hasBytes: Bool { chunks.contains { $0 != nil } }
  }

  package var firstRow: Int { contents.firstRow }
  package var rowCount: Int { contents.rowCount }
  package var runs: [Run] { contents.runs }
  /// In ascending order of their indices.
  package var classes: [ClassRows] { contents.classes }
  // Only ever replaced as a whole, so that no access to it is checked for overlapping ones.
  private var contents = Contents()

  private struct Contents {
    var firstRow = 0
    var rowCount = 0
    var runs: [Run] = []
    var classes: [ClassRows] = []
    /// For each class how many rows it has.
    var rowsOfClass: [(key: Int, value: Int)] = []
    /// Keep alive what the chunks point into.
    var payloads: (SegmentPayload, links: SegmentPayload?)?
  }

  /// No rows so far.
  init() {}

  /// Reads a segment; the memory for one that was read before is used again.
  ///
  /// `links` is the payload of the segment's `LINK` segment. `charge` is told the memory of the chunks of each class, and
  /// of what those that are not plain stand for, before it is reserved. Spec: 04-columns, sections 6 and 7.
  func read(
    _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
    classes table: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var contents = contents
    self.contents = Contents()
    contents.payloads = (payload, links)
    contents.firstRow = info.first
    contents.rowCount = info.count
    var reader = payload.reader
    try Self.readRuns(
      &reader, into: &contents.runs, &contents.rowsOfClass, info, classCount: layouts.count)
    let classCount = contents.rowsOfClass.count
    for position in 0..<classCount {
      let (classIndex, rowCount) = contents.rowsOfClass[position]
      let start = reader.offset
      let columnCount = try reader.count(itemBytes: 0)
      guard columnCount <= layouts[classIndex].roots.count,
        columnCount == layouts[classIndex].roots.count
          || table[classIndex].columns[columnCount...].allSatisfy({ $0.flags.contains(.keyed) })
      else {
        throw ArchiveError(
          .malformedSegment, found: "\(columnCount) columns",
          expected: "all but keyed ones of \(layouts[classIndex].roots.count)", byteOffset: start)
      }
      try charge(layouts[classIndex].nodes.count * MemoryLayout<ChunkView?>.stride)
      var chunks: [ChunkView?] = []
      if position < contents.classes.count { swap(&chunks, &contents.classes[position].chunks) }
      try Self.readChunks(&reader, into: &chunks, layouts[classIndex], columnCount, charge)
      contents.classes.put(
        ClassRows(classIndex: classIndex, rowCount: rowCount, columnCount: columnCount, chunks: chunks),
        at: position)
    }
    contents.classes.cut(to: classCount)
    if classCount > 64 { contents.rowsOfClass = [] }
    try reader.finish("rows segment")
    if let links { try Self.addLinks(links, to: &contents.classes, layouts, charge: charge) }
    self.contents = contents
  }

  /// Reads which rows are of which class, and counts those of each.
  private static func readRuns(
    _ reader: inout ByteReader, into runs: inout [Run], _ rowsOfClass: inout [(key: Int, value: Int)],
    _ info: SegmentInfo, classCount: Int
  ) throws(ArchiveError) {
    let runCount = try reader.count(itemBytes: 2)
    if runs.capacity < runCount { runs.reserveCapacity(runCount) }
    var (total, found) = (0, 0)
    var isAscending = true
    for position in 0..<runCount {
      let start = reader.offset
      let run = Run(classIndex: try reader.count(itemBytes: 0), length: try reader.count(itemBytes: 0))
      guard run.classIndex < classCount, run.length > 0, run.length <= info.count - total else {
        throw ArchiveError(
          .malformedSegment, found: "\(run.length) rows of class \(run.classIndex)",
          expected: "\(info.count - total) rows at most of \(classCount) classes", byteOffset: start)
      }
      total += run.length
      if found > 0, rowsOfClass[found - 1].key == run.classIndex {
        rowsOfClass[found - 1].value += run.length
      } else {
        isAscending = isAscending && (found == 0 || rowsOfClass[found - 1].key < run.classIndex)
        rowsOfClass.put((run.classIndex, run.length), at: found)
        found += 1
      }
      runs.put(run, at: position)
    }
    runs.cut(to: runCount)
    rowsOfClass.cut(to: found)
    guard total == info.count else {
      throw ArchiveError(
        .malformedSegment, found: "\(total) rows", expected: "\(info.count)", byteOffset: info.byteOffset)
    }
    if !isAscending {
      rowsOfClass = Dictionary(rowsOfClass, uniquingKeysWith: +).sorted { $0.key < $1.key }
    }
  }

  /// Reads the chunks of the first columns of a class.
  private static func readChunks(
    _ reader: inout ByteReader, into chunks: inout [ChunkView?], _ layout: ColumnLayout, _ columnCount: Int,
    _ charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let nodeCount = layout.nodeCount(ofColumns: columnCount)
    // Appending is faster than `repeating`, which looks for the array's metadata each time.
    if chunks.capacity < layout.nodes.count { chunks.reserveCapacity(layout.nodes.count) }
    for index in layout.nodes.indices {
      let kind = layout.nodes[index].kind
      guard index < nodeCount, kind != .weak, kind.storage != .none else {
        chunks.put(nil, at: index)
        continue
      }
      let chunk = try ChunkView(reading: &reader, kind: kind)
      // Most are plain, and cost nothing more.
      if chunk.form != .plain { try charge(chunk.expandedByteCount) }
      chunks.put(chunk, at: index)
    }
    chunks.cut(to: layout.nodes.count)
  }

  /// Whether the segment has weak columns; one that was added to a class later does not count.
  func needsLinks(layouts: [ColumnLayout]) -> Bool {
    classes.contains { rows in
      let layout = layouts[rows.classIndex]
      let nodeCount = layout.nodeCount(ofColumns: rows.columnCount)
      return (0..<nodeCount).contains { layout.nodes[$0].kind == .weak }
    }
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
        let chunk = try ChunkView(reading: &reader, kind: node.kind)
        try charge(chunk.expandedByteCount)
        classes[position].chunks[index] = chunk
      }
    }
    try reader.finish("links segment")
  }
}
