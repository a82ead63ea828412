import ArcFormat

// Finds the rows that refer to each row.

extension EqualRows {
  /// Returns the referrers among the equal rows.
  ///
  /// `ofRows` contains, for each row of the file, the first equal row that has a strong or unowned reference
  /// to this row, or `UInt32.max` if there is none. `weak` contains, in order, the equal rows that have weak
  /// references to rows outside the equal rows.
  ///
  /// - Throws: `ArchiveError` if a segment is damaged.
  /// - Complexity: O(rows · columns with references + references).
  func referrers() throws -> (ofRows: [UInt32], weak: [UInt32]) {
    var referrers = [UInt32](repeating: .max, count: file.rowCount)
    var weak: Set<UInt32> = []
    for index in segments {
      for (rows, ranges) in RowGroups(try file.rows(inSegment: index)) {
        let set = file.schema.columns(ofClass: rows.classIndex)
        set.bind(rows.chunks)
        for root in 0..<rows.columnCount {
          let nodes = set.layout.allReferenceNodes(ofRoot: root)
          try set.forEachReference(of: ranges, ofRoot: root, nodes: nodes) { row, node, target in
            let (owner, target) = (UInt32(truncatingIfNeeded: row), Int(truncatingIfNeeded: target))
            guard target != 0, row < count else { return }
            if set.layout.nodes[nodes[node]].kind == .weak {
              if target >= count { weak.insert(owner) }
            } else if target < referrers.count {
              referrers[target] = min(referrers[target], owner)
            }
          }
        }
      }
    }
    return (referrers, weak.sorted())
  }
}
