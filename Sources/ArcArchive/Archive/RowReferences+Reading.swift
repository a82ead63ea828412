package import ArcFormat
import ArcRuntime

extension RowReferences {
  /// Reads the references of all rows of a file from its columns, without objects, one segment at a time.
  ///
  /// - Parameters:
  ///   - file: the file, which need not be verified. References to rows that do not exist are omitted.
  ///   - bytesPerRow: the memory per row of these references, and of all that the caller computes from them.
  ///   - bytesPerReference: the same per reference.
  /// - Throws: what is wrong with the file; `limitExceeded` if the memory is above `ArchiveLimits.rawBytes`.
  /// - Complexity: O(rows · columns with references + references).
  package init(
    of file: ArchiveFile, bytesPerRow: Int = 8, bytesPerReference: Int = 5
  ) throws(ArchiveError) {
    /// Spec: 07-limits, rule A2.
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
        // Expanded values need memory only while they are read.
        defer { set.prepareForReuse() }
        let columns = file.classes[rows.classIndex].columns
        for root in 0..<rows.columnCount {
          let nodes = layout.allReferenceNodes(ofRoot: root)
          let strengths = nodes.map { node in
            // Only a whole property is unowned: a collection retains its elements.
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
  /// Whether the references of the column do not retain their targets and are never nil. This holds for
  /// properties without `&`. A column that is not a stored property has no `V`, and is not unowned.
  package var isUnowned: Bool {
    let isStored = attributes.flags.contains(.stored)
    return isStored && !attributes.isRetained && !attributes.isWeak && !flags.contains(.keyed)
  }
}
