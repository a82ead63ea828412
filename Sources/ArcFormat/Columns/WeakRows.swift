/// The weak columns of one segment, in the order in which their chunks are written: a `LINK` segment, once
/// the rows are known that they lead to. Spec: 04-columns, section 7.
struct WeakRows {
  let firstRow: Int
  let rowCount: Int
  var columns: [WeakColumn]

  /// The approximate maximum size of all chunks.
  var maximumByteCount: Int { columns.reduce(0) { $0 + $1.maximumByteCount } }

  /// Sets what was not known yet; `row` returns the row of an object by its address, 0 if it has none.
  /// Spec: 05-graph, rule G7.
  mutating func settle(row: (UInt) -> UInt32) {
    for index in columns.indices { columns[index].settle(row: row) }
  }

  /// Writes the `LINK` segments of an archive. If it stays in memory, capacity for all of them is reserved at
  /// once.
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
  private(set) var rows: [UInt32]
  /// References whose row is not known yet: the index of the value, and the address of the target.
  private var unsettled: [(position: Int, address: UInt)]

  init(rows: [UInt32], unsettled: [(position: Int, address: UInt)]) {
    self.rows = rows
    self.unsettled = unsettled
  }

  /// The approximate maximum size of its chunk.
  var maximumByteCount: Int { rows.count * MemoryLayout<UInt32>.size + 16 }

  fileprivate mutating func settle(row: (UInt) -> UInt32) {
    for (position, address) in unsettled { rows[position] = row(address) }
    unsettled = []
  }
}
