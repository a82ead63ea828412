// The values and references of each row, found in columns without objects.

extension ColumnReaderSet {
  /// Calls `body` for each row and each of `nodes` that has values of the row.
  ///
  /// - Parameters:
  ///   - ranges: the rows of the class in the bound segment, in order.
  ///   - root: a root whose columns are at their beginning.
  ///   - nodes: nodes of the root.
  ///   - body: receives the row, the index of the node in `nodes`, and the indices of the row's values in the
  ///     node's chunk.
  /// - Throws: an error about the columns, or an error of `body`.
  /// - Complexity: O(rows · nodes + values of the root).
  @inlinable @inline(__always)
  package func forEachRow(
    of ranges: RowRanges, ofRoot root: Int, nodes: [Int],
    _ body: (_ row: Int, _ node: Int, _ values: Range<Int>) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let first = nodes.first else { return }
    let rootNode = layout.roots[root]
    let valueCount = chunk(ofNode: first).count
    var position = 0
    // Most columns have one value per row, or as many as an array is long.
    if nodes.count == 1, first == rootNode {
      for index in ranges.indices {
        for row in ranges[index] where position < valueCount {
          try body(row, 0, position..<position + 1)
          position += 1
        }
      }
      return
    }
    if nodes.count == 1, layout.nodes[rootNode].kind == .array, layout.nodes[rootNode].children == nodes {
      let lengths = chunk(ofNode: rootNode)
      var array = 0
      for index in ranges.indices {
        for row in ranges[index] where array < lengths.count {
          let end = position + Int(min(lengths.unsigned(array), UInt64(valueCount - position)))
          if end > position { try body(row, 0, position..<end) }
          (array, position) = (array + 1, end)
        }
      }
      return
    }
    var positions = nodes.map { _ in 0 }
    for index in ranges.indices {
      for row in ranges[index] {
        try skip(root: root, count: 1)
        for (index, node) in nodes.enumerated() {
          let end = self.position(ofNode: node)
          if end > positions[index] { try body(row, index, positions[index]..<end) }
          positions[index] = end
        }
      }
    }
  }

  /// Calls `body` with each reference in the nodes `nodes`, in the order of the rows. `body` receives the
  /// row, the index of the reference's node in `nodes`, and the row number of the target. The target is 0 if
  /// the reference is nil.
  ///
  /// The other parameters are the parameters of `forEachRow`.
  @inlinable @inline(__always)
  package func forEachReference(
    of ranges: RowRanges, ofRoot root: Int, nodes: [Int],
    _ body: (_ row: Int, _ node: Int, _ target: UInt64) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let chunks = nodes.map { chunk(ofNode: $0) }
    try forEachRow(of: ranges, ofRoot: root, nodes: nodes) { row, node, values throws(ArchiveError) in
      for position in values { try body(row, node, chunks[node].unsigned(position)) }
    }
  }
}
