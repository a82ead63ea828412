/// The rows of one class in one segment, where parts are taken from them: in any order, more than once.
final class PartPlace {
  let classIndex: Int
  /// The columns, bound to the rows.
  let set: ColumnReaderSet
  let uses: [ReferenceUse]
  /// The columns that the class had when the segment was written.
  let columnCount: Int
  /// The nodes for which the segment has a chunk.
  let hasChunk: [Bool]
  /// Bytes of memory that the place needs.
  private(set) var byteCount = 0
  private let rowCount: Int
  private let chunks: [Chunk?]
  /// Keeps the memory alive that the chunks point into.
  private let owner: RowsSegment
  private var positions: RowPositions?
  /// Where the references of the rows lead that are followed; nil before the first row is asked for.
  private var links: Links?

  /// The targets of row r are at `starts[r]..<starts[r + 1]`.
  private struct Links {
    var starts: [Int] = [0]
    var targets: [UInt32] = []
  }

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

  /// Calls `body` with the targets of a row's references that are followed.
  func forEachTarget(ofRow row: Int, _ body: (UInt32) -> Void) throws(ArchiveError) {
    let known: Links
    if let links {
      known = links
    } else {
      known = try makeLinks()
      links = known
      byteCount += known.starts.count * 8 + known.targets.count * 4
    }
    guard row + 1 < known.starts.count else { return }
    for index in known.starts[row]..<known.starts[row + 1] { body(known.targets[index]) }
  }

  /// Goes through the columns that have such references once.
  private func makeLinks() throws(ArchiveError) -> Links {
    let followed = (0..<columnCount).compactMap { root in
      let nodes = set.layout.nodes(ofRoot: root).filter { uses[$0] == .followed && hasChunk[$0] }
      return nodes.isEmpty ? nil : (root: root, nodes: nodes)
    }
    var links = Links()
    guard !followed.isEmpty else {
      links.starts = [Int](repeating: 0, count: rowCount + 1)
      return links
    }
    links.starts.reserveCapacity(rowCount + 1)
    positions = nil
    set.bind(chunks)
    for _ in 0..<rowCount {
      for (root, nodes) in followed {
        let start = nodes.map { set.position(ofNode: $0) }
        try set.skip(root: root, count: 1)
        for (node, first) in zip(nodes, start) {
          let chunk = set.chunk(ofNode: node)
          for position in first..<set.position(ofNode: node) {
            links.targets.append(UInt32(truncatingIfNeeded: chunk.unsigned(position)))
          }
        }
      }
      links.starts.append(links.targets.count)
    }
    return links
  }

  /// Calls `body` for each node that has values with those of a range of rows: where they are in the node's
  /// chunk, and where their bytes are if they are texts.
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

  /// For each node the position of its next value, and that of the value's text.
  private var state: [Int] { (0..<columnCount).flatMap { set.state(ofRoot: $0) } }

  /// The columns, bound to the rows.
  private func bound() -> RowPositions {
    if let positions { return positions }
    set.bind(chunks)
    return RowPositions(of: set, roots: Array(0..<columnCount))
  }
}

/// The places that parts were taken from last.
struct PartPlaces {
  private static let byteLimit = 32 << 20

  private struct Key: Hashable {
    let segment: Int
    let classIndex: Int
  }
  private var places: [Key: PartPlace] = [:]
  private var rows: [Int: (rows: RowsSegment, places: RowPlaces)] = [:]

  /// Where a row is, and its index among the rows of the place; nil for a row whose class `uses` leaves out.
  mutating func place(
    ofRow row: Int, inSegment segment: Int, of source: PartSource, _ uses: (Int) throws -> [ReferenceUse]?
  ) throws -> (PartPlace, rowInClass: Int)? {
    let known: (rows: RowsSegment, places: RowPlaces)
    if let found = rows[segment] {
      known = found
    } else {
      let read = try source.rows(inSegment: segment)
      known = (read, RowPlaces(of: read))
      rows[segment] = known
    }
    guard let (classIndex, rowInClass) = known.places[row] else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an existing object",
        objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
    }
    let key = Key(segment: segment, classIndex: classIndex)
    if let place = places[key] { return (place, rowInClass) }
    guard let uses = try uses(classIndex),
      let bound = known.rows.classes.first(where: { $0.classIndex == classIndex })
    else { return nil }
    let place = PartPlace(bound, of: known.rows, source.layouts[classIndex], uses)
    places[key] = place
    return (place, rowInClass)
  }

  /// Forgets all places if they need more memory than is kept for the next part.
  mutating func limit() {
    if places.values.reduce(0, { $0 + $1.byteCount }) > Self.byteLimit { self = PartPlaces() }
  }
}
