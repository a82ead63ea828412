package import ArcFormat
import ArcRuntime

extension RowReferences {
  /// Reads the references of all rows of a file from the columns of the file, one segment at a time and
  /// without building objects.
  ///
  /// - Parameters:
  ///   - file: the file, which need not be verified. References to rows that do not exist are omitted.
  ///   - bytesPerRow: the memory per row, including the memory of everything that the caller computes from
  ///     the references.
  ///   - bytesPerReference: the memory per reference, including the memory of everything that the caller
  ///     computes from the references.
  /// - Throws: the code of the damage if the file is damaged; `limitExceeded` if the memory exceeds
  ///   `ArchiveLimits.rawBytes`.
  /// - Complexity: O(rows · columns with references + references).
  package init(
    of file: ArchiveFile, bytesPerRow: Int = 8, bytesPerReference: Int = 5
  ) throws(ArchiveError) {
    /// Checks that the memory for all rows and `count` references is within the limit. Spec: 07-limits, rule
    /// A2.
    func check(_ count: Int) throws(ArchiveError) {
      try ArchiveLimits.check(
        file.rowCount * bytesPerRow + count * bytesPerReference, within: file.limits.rawBytes, "rawBytes")
    }
    self.init()
    try check(0)
    var sets: [Int: ColumnReaderSet] = [:]
    for index in file.rowsSegments {
      let segment = try file.rows(inSegment: index)
      var log = ReferenceLog()
      for (rows, ranges) in RowGroups(segment) {
        let layout = file.layouts[rows.classIndex]
        guard (0..<rows.columnCount).contains(where: { !layout.allReferenceNodes(ofRoot: $0).isEmpty }) else {
          continue
        }
        let set = sets[rows.classIndex] ?? ColumnReaderSet(reading: layout)
        sets[rows.classIndex] = set
        set.bind(rows.chunks)
        // The expanded values need memory only while they are read.
        defer { set.prepareForReuse() }
        let columns = file.classes[rows.classIndex].columns
        for root in 0..<rows.columnCount {
          let nodes = layout.allReferenceNodes(ofRoot: root)
          let strengths = nodes.map { node in
            // Only the reference of a whole property can be unowned. A collection retains its elements.
            let isUnowned = node == layout.roots[root] && rows.classIndex > 0 && columns[root].isUnowned
            return layout.nodes[node].kind == .weak ? Strength.weak : isUnowned ? .unowned : .strong
          }
          try set.forEachReference(of: ranges, ofRoot: root, nodes: nodes) { row, node, target in
            guard target > 0, target < UInt64(file.rowCount) else { return }
            log.add(owner: row - segment.firstRow, target: Int(target), strengths[node])
          }
          try check(count + log.count)
        }
      }
      appendRows(segment.rowCount, log)
    }
  }
}

extension ColumnDescription {
  /// Whether the references of the column are unowned: they do not retain their targets and are never nil.
  /// This holds for stored properties whose type encoding has no attribute `&`.
  package var isUnowned: Bool {
    let isStored = attributes.flags.contains(.stored)
    return isStored && !attributes.isRetained && !attributes.isWeak && !flags.contains(.keyed)
  }
}
