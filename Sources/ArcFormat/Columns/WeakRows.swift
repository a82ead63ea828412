/// The weak columns of one segment, in the order in which their chunks are written. When the rows of their
/// targets are known, the columns are written as a `LINK` segment. Spec: 04-columns, section 7.
struct WeakRows {
  let firstRow: Int
  let rowCount: Int
  var columns: [WeakColumn]

  /// The approximate maximum size of all chunks.
  var maximumByteCount: Int { columns.reduce(0) { $0 + $1.maximumByteCount } }

  /// Sets the rows of all targets that were not known yet. `row` returns the row of the object at an address,
  /// or 0 if the object has no row. Spec: 05-graph, rule G7.
  mutating func settle(row: (UInt) -> UInt32) {
    for index in columns.indices { columns[index].settle(row: row) }
  }

  /// Reads again the weak properties that were nil when their rows were written. Sets the references of the
  /// properties that are no longer nil.
  ///
  /// - Parameters:
  ///   - classIndex: returns the class of a row.
  ///   - target: returns the address of the object to which a value refers now. Receives the row and the node
  ///     of the value. Returns 0 if the value is nil, or if the node does not have exactly one value per row.
  mutating func fillNil(
    classIndex: (_ row: Int) throws -> Int, target: (_ row: Int, _ node: Int) throws -> UInt
  ) rethrows {
    var positions: [Int: Int] = [:]
    for row in firstRow..<firstRow + rowCount {
      let classIndex = try classIndex(row)
      let position = positions[classIndex, default: 0]
      positions[classIndex] = position + 1
      for index in columns.indices where columns[index].classIndex == classIndex {
        let node = columns[index].node
        try columns[index].fillNil(at: position) { try target(row, node) }
      }
    }
  }

  /// Writes the `LINK` segments of an archive. Reserves capacity for all segments first if the archive
  /// remains in memory.
  static func write(_ all: [WeakRows], to output: inout SegmentWriter) throws(ArchiveError) {
    var byteCount = 0
    if output.destination == nil { for rows in all { byteCount += rows.maximumByteCount } }
    for rows in all {
      try output.write(.weakColumns, first: rows.firstRow, count: rows.rowCount, byteCount: byteCount) {
        links in
        for column in rows.columns { column.rows.withByteView { Chunk.write(rows: $0, to: &links) } }
      }
      byteCount = max(0, byteCount - rows.maximumByteCount)
    }
  }
}

/// A weak column of one class in one segment.
struct WeakColumn {
  let classIndex: Int
  /// The node of the column in the layout of the class.
  let node: Int
  private(set) var rows: [UInt32]
  /// The references to targets without a known row: the index of the reference in the column, and the address
  /// of the target.
  private var unsettled: [(position: Int, address: UInt)]

  init(classIndex: Int, node: Int, rows: [UInt32], unsettled: [(position: Int, address: UInt)]) {
    self.classIndex = classIndex
    self.node = node
    self.rows = rows
    self.unsettled = unsettled
  }

  /// The approximate maximum size of the chunk.
  var maximumByteCount: Int { rows.count * MemoryLayout<UInt32>.size + 16 }

  /// Sets a nil reference to the object at an address. `settle` later sets the row of this object.
  fileprivate mutating func fillNil(at position: Int, address: () throws -> UInt) rethrows {
    guard position < rows.count, rows[position] == 0, !isUnsettled(position) else { return }
    let address = try address()
    if address != 0 { unsettled.append((position, address)) }
  }

  /// Whether the reference at `position` has a target whose row is not known yet. `unsettled` must be in
  /// ascending order.
  private func isUnsettled(_ position: Int) -> Bool {
    let index = unsettled.partitioningIndex { $0.position >= position }
    return index < unsettled.count && unsettled[index].position == position
  }

  fileprivate mutating func settle(row: (UInt) -> UInt32) {
    for (position, address) in unsettled { rows[position] = row(address) }
    unsettled = []
  }
}
