import ArcFormat

// Which objects must precede others. Spec: 05-graph, rule G4.

extension RowsVerifier {
  /// Checks that references in construction columns lead to earlier rows. Those inside other values are
  /// checked when objects are built, so here only if the verification is complete. Spec: 05-graph, rule G4.
  func verifyConstructionOrder(
    of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows, _ ranges: RowRanges
  ) throws(ArchiveError) {
    let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    for (root, column) in columns.enumerated() where column.flags.contains(.construction) {
      let nodes = set.referenceNodes(ofRoot: root)
      let isReference = nodes.first == set.layout.roots[root]
      guard isReference || isComplete else { continue }
      // Only reading a value of another kind shows how many references it contains.
      if !isReference { set.bind(rows.chunks) }
      try set.forEachReference(of: ranges, ofRoot: root, nodes: nodes) {
        row, node, target throws(ArchiveError) in
        try checkEarlier(target, than: row, set.column(ofNode: nodes[node]))
      }
    }
  }

  private func checkEarlier(_ row: UInt64, than ownRow: Int, _ column: ColumnReader) throws(ArchiveError) {
    guard row < UInt64(ownRow) else {
      throw column.error(
        .constructionOrder,
        found: "a reference to object #\(row), which the initializer of object #\(ownRow) needs",
        expected: "a reference to an object with a number below \(ownRow)")
    }
  }
}
