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

  package let firstRow: Int
  package let rowCount: Int
  package let runs: [Run]
  package let classes: [ClassRows]
  /// Keep alive what the chunks point into.
  private let payload: SegmentPayload
  private let links: SegmentPayload?

  /// `links` is the payload of the segment's `LINK` segment. `charge` is told the memory of the chunks of each class, and
  /// of what those that are not plain stand for, before it is reserved. Spec: 04-columns, sections 6 and 7.
  init(
    _ payload: SegmentPayload, links: SegmentPayload?, info: SegmentInfo, layouts: [ColumnLayout],
    classes table: [ClassDescription], charge: (Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    self.payload = payload
    self.links = links
    firstRow = info.first
    rowCount = info.count
    var reader = payload.reader
    let runCount = try reader.count(itemBytes: 2)
    var runs: [Run] = []
    runs.reserveCapacity(runCount)
    var rowsOfClass: [(key: Int, value: Int)] = []
    var total = 0
    var isAscending = true
    for _ in 0..<runCount {
      let start = reader.offset
      let run = Run(classIndex: try reader.count(itemBytes: 0), length: try reader.count(itemBytes: 0))
      guard run.classIndex < layouts.count, run.length > 0, run.length <= info.count - total else {
        throw ArchiveError(
          .malformedSegment, found: "\(run.length) rows of class \(run.classIndex)",
          expected: "\(info.count - total) rows at most of \(layouts.count) classes", byteOffset: start)
      }
      total += run.length
      if rowsOfClass.last?.key == run.classIndex {
        rowsOfClass[rowsOfClass.count - 1].value += run.length
      } else {
        isAscending = isAscending && rowsOfClass.last?.key ?? -1 < run.classIndex
        rowsOfClass.append((run.classIndex, run.length))
      }
      runs.append(run)
    }
    guard total == info.count else {
      throw ArchiveError(
        .malformedSegment, found: "\(total) rows", expected: "\(info.count)", byteOffset: info.byteOffset)
    }
    self.runs = runs
    if !isAscending {
      rowsOfClass = Dictionary(rowsOfClass, uniquingKeysWith: +).sorted { $0.key < $1.key }
    }
    var classes: [ClassRows] = []
    classes.reserveCapacity(rowsOfClass.count)
    for (classIndex, rowCount) in rowsOfClass {
      let start = reader.offset
      let layout = layouts[classIndex]
      let columnCount = try reader.count(itemBytes: 0)
      guard columnCount <= layout.roots.count,
        columnCount == layout.roots.count
          || table[classIndex].columns[columnCount...].allSatisfy({ $0.flags.contains(.keyed) })
      else {
        throw ArchiveError(
          .malformedSegment, found: "\(columnCount) columns",
          expected: "all but keyed ones of \(layout.roots.count)", byteOffset: start)
      }
      try charge(layout.nodes.count * MemoryLayout<ChunkView?>.stride)
      let nodeCount = layout.nodeCount(ofColumns: columnCount)
      // Appending is faster than `repeating`, which looks for the array's metadata each time.
      var chunks: [ChunkView?] = []
      chunks.reserveCapacity(layout.nodes.count)
      for index in layout.nodes.indices {
        let kind = layout.nodes[index].kind
        guard index < nodeCount, kind != .weak, kind.storage != .none else {
          chunks.append(nil)
          continue
        }
        let chunk = try ChunkView(reading: &reader, kind: kind)
        // Most are plain, and cost nothing more.
        if chunk.form != .plain { try charge(chunk.expandedByteCount) }
        chunks.append(chunk)
      }
      classes.append(
        ClassRows(classIndex: classIndex, rowCount: rowCount, columnCount: columnCount, chunks: chunks))
    }
    try reader.finish("rows segment")
    if let links { try Self.addLinks(links, to: &classes, layouts, charge: charge) }
    self.classes = classes
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
