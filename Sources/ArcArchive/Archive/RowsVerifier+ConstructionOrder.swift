import ArcFormat

// The order of objects that the initializers of other objects need. Spec: 05-graph, rule G4.

extension RowsVerifier {
  /// Checks that the references in construction columns refer to earlier rows.
  ///
  /// References that are nested in other values, such as arrays, are checked only if `isComplete` is true.
  /// Otherwise, they are checked when the objects are built. Spec: 05-graph, rule G4.
  func verifyConstructionOrder(
    of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows, _ ranges: RowRanges
  ) throws(ArchiveError) {
    let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    for (root, column) in columns.enumerated() where column.flags.contains(.construction) {
      let nodes = set.referenceNodes(ofRoot: root)
      let isReference = nodes.first == set.layout.roots[root]
      guard isReference || isComplete else { continue }
      // Only reading a collection or structure shows how many references belong to a row.
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
