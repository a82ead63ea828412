// Which objects must precede others. Spec: 05-graph, rule G4.

extension RowsVerifier {
  /// Checks that references in construction columns lead to earlier rows. Those inside other values are
  /// checked when objects are built, so here only if the verification is complete. Spec: 05-graph, rule G4.
  func verifyConstructionOrder(
    of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows, _ ownRows: [Int]
  ) throws(ArchiveError) {
    let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    for (root, column) in columns.enumerated() where column.flags.contains(.construction) {
      let node = set.layout.roots[root]
      if set.layout.nodes[node].kind == .reference {
        let chunk = set.chunk(ofNode: node)
        for (index, ownRow) in ownRows.enumerated() {
          try checkEarlier(chunk.unsigned(index), than: ownRow, set.column(ofNode: node))
        }
      } else if isComplete {
        try verifyInnerConstructionOrder(of: set, rows, root: root, ownRows)
      }
    }
  }

  /// Checks references inside other values row by row, since only reading a value tells how many it contains.
  ///
  /// - Complexity: O(bytes + rows · references).
  private func verifyInnerConstructionOrder(
    of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows, root: Int, _ ownRows: [Int]
  ) throws(ArchiveError) {
    let references = set.layout.nodes(ofRoot: root).filter { set.layout.nodes[$0].kind == .reference }
    guard !references.isEmpty else { return }
    set.bind(rows.chunks)
    var positions = [Int](repeating: 0, count: references.count)
    for ownRow in ownRows {
      try set.skip(root: root, count: 1)
      for (index, node) in references.enumerated() {
        let chunk = set.chunk(ofNode: node)
        let end = set.position(ofNode: node)
        for position in positions[index]..<max(end, positions[index]) {
          try checkEarlier(chunk.unsigned(position), than: ownRow, set.column(ofNode: node))
        }
        positions[index] = end
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
