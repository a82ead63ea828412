import ArcFormat

/// The rows of one class in one segment, from which parts are copied. Rows can be copied in any order, and
/// more than once.
final class RowSource {
  let classIndex: Int
  /// The columns, bound to the rows.
  let set: ColumnReaderSet
  let uses: [ReferenceUse]
  /// The number of columns that the class had when the segment was written.
  let columnCount: Int
  /// For each node, whether the segment has a chunk of its values.
  let hasChunk: [Bool]
  /// The memory of the source in bytes.
  private(set) var byteCount = 0
  private let rowCount: Int
  private let chunks: [Chunk?]
  /// Retains the memory that the chunks use.
  private let owner: RowsSegment
  private var positions: RowPositions?
  /// The references with the use `followed`, by row; nil before the references are read.
  private var references: RowReferences?

  init(_ rows: RowsSegment.ClassRows, of owner: RowsSegment, _ layout: ColumnLayout, _ uses: [ReferenceUse]) {
    classIndex = rows.classIndex
    set = ColumnReaderSet(reading: layout)
    self.uses = uses
    columnCount = rows.columnCount
    hasChunk = rows.chunks.map { $0 != nil }
    rowCount = rows.rowCount
    chunks = rows.chunks
    self.owner = owner
    for case let chunk? in rows.chunks { byteCount += chunk.plainByteCount + chunk.text.count }
  }

  /// Calls a closure with the target of each reference in a row whose use is `ReferenceUse.followed`.
  func forEachTarget(ofRow row: Int, _ body: (Int) -> Void) throws(ArchiveError) {
    let known: RowReferences
    if let references {
      known = references
    } else {
      known = try readReferences()
      references = known
      byteCount += rowCount * 8 + known.count * 4
    }
    if row < known.rowCount { known.forEachRetained(by: row, body) }
  }

  /// Reads the references of all rows whose use is `ReferenceUse.followed`.
  private func readReferences() throws(ArchiveError) -> RowReferences {
    var log = ReferenceLog()
    positions = nil
    set.bind(chunks)
    for root in 0..<columnCount {
      let nodes = set.layout.nodes(ofRoot: root).filter { uses[$0] == .followed && hasChunk[$0] }
      try set.forEachReference(of: RowRanges(0..<rowCount), ofRoot: root, nodes: nodes) { row, _, target in
        log.add(owner: row, target: Int(truncatingIfNeeded: target))
      }
    }
    return RowReferences(log, rowCount: rowCount)
  }

  /// Calls a closure for each node that has a chunk. The arguments describe the node's values for a range of
  /// rows: the indices of the values in the chunk, and the range of their bytes in the chunk's text.
  func forEachNode(
    inRows rows: Range<Int>, _ body: (_ node: Int, _ values: Range<Int>, _ texts: Range<Int>) -> Void
  ) throws(ArchiveError) {
    var columns = bound()
    defer { positions = columns }
    try columns.move(to: rows.lowerBound)
    let start = state
    try columns.move(to: rows.upperBound)
    let end = state
    for node in 0..<set.layout.nodeCount(ofColumns: columnCount) where hasChunk[node] {
      body(node, start[node * 2]..<end[node * 2], start[node * 2 + 1]..<end[node * 2 + 1])
    }
  }

  /// The current positions of the columns. For each node: the index of the next value, followed by the offset
  /// of this value's bytes in the chunk's text.
  private var state: [Int] { (0..<columnCount).flatMap { set.state(ofRoot: $0) } }

  /// Returns the positions of the columns, which are bound to the rows.
  private func bound() -> RowPositions {
    if let positions { return positions }
    set.bind(chunks)
    return RowPositions(of: set, roots: Array(0..<columnCount))
  }
}

/// A cache of the sources from which the last parts were read.
struct RowSources {
  private static let byteLimit = 32 << 20

  private var sources: [RowGroup: RowSource] = [:]
  private var segments: [Int: RowsSegment] = [:]

  /// Returns the source of a row, and the index of the row in the source. Nil if `uses` omits the class of
  /// the row.
  mutating func source(
    ofRow row: Int, inSegment segment: Int, of view: RowsView, _ uses: (Int) throws -> [ReferenceUse]?
  ) throws -> (RowSource, rowInClass: Int)? {
    let rows: RowsSegment
    if let known = segments[segment] {
      rows = known
    } else {
      rows = try view.checkedRows(inSegment: segment)
      segments[segment] = rows
    }
    guard let (classIndex, rowInClass) = rows.rowIndex[row] else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an existing object",
        objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
    }
    let group = RowGroup(segment: segment, classIndex: classIndex)
    if let source = sources[group] { return (source, rowInClass) }
    guard let uses = try uses(classIndex),
      let bound = rows.rows(ofClass: classIndex)
    else { return nil }
    let source = RowSource(bound, of: rows, view.layouts[classIndex], uses)
    sources[group] = source
    return (source, rowInClass)
  }

  /// Removes all sources if they use more memory than the cache may retain until the next part is read.
  mutating func limit() {
    if sources.values.reduce(0, { $0 + $1.byteCount }) > Self.byteLimit { self = RowSources() }
  }
}
