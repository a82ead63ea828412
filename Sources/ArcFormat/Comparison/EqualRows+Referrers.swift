// Who refers to which row.

extension EqualRows {
  /// By row of the file, the first of these rows that refers to it, `UInt32.max` for none, weak references
  /// not counted; and those of these rows with weak references to others, in order.
  ///
  /// - Throws: what is wrong with a segment.
  /// - Complexity: O(rows · columns with references + references).
  func referrers() throws -> (ofRows: [UInt32], weak: [UInt32]) {
    var referrers = [UInt32](repeating: .max, count: file.rowCount)
    var weak: Set<UInt32> = []
    for index in segments {
      let segment = try file.rows(inSegment: index)
      for rows in segment.classes {
        let set = file.schema.columns(ofClass: rows.classIndex)
        set.bind(rows.chunks)
        let runs = segment.runs.filter { $0.classIndex == rows.classIndex }
          .map { $0.rows.clamped(to: 0..<count) }
        for root in 0..<rows.columnCount {
          try forEachReference(set, root, of: runs) { owner, target, isWeak in
            if isWeak {
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

  /// Calls `body` with each reference of a column that does not lead to row 0, for the first rows of a class
  /// in a segment.
  @inline(__always)
  private func forEachReference(
    _ set: ColumnReaderSet, _ root: Int, of runs: [Range<Int>],
    _ body: (_ owner: UInt32, _ target: Int, _ isWeak: Bool) -> Void
  ) throws {
    let layout = set.layout
    let nodes = layout.nodes(ofRoot: root).filter { [.reference, .weak].contains(layout.nodes[$0].kind) }
    guard let only = nodes.first else { return }
    let node = layout.nodes[layout.roots[root]]
    // Most columns tell how many references a row has: one, or as many as an array is long.
    if node.kind == .array, node.children == [only] {
      let lengths = set.chunk(ofNode: layout.roots[root])
      return forEachReference(set.chunk(ofNode: only), of: runs, layout.nodes[only].kind == .weak, body) {
        $0 < lengths.count ? lengths.unsigned($0) : 0
      }
    }
    if only == layout.roots[root] {
      return forEachReference(set.chunk(ofNode: only), of: runs, node.kind == .weak, body) { _ in 1 }
    }
    let chunks = nodes.map { set.chunk(ofNode: $0) }
    var positions = [Int](repeating: 0, count: nodes.count)
    for owner in runs.joined() {
      try set.skip(root: root, count: 1)
      for (index, node) in nodes.enumerated() {
        let end = set.position(ofNode: node)
        for position in positions[index]..<end {
          let target = Int(truncatingIfNeeded: chunks[index].unsigned(position))
          if target != 0 { body(UInt32(truncatingIfNeeded: owner), target, layout.nodes[node].kind == .weak) }
        }
        positions[index] = end
      }
    }
  }

  /// Calls `body` with references of a chunk, of which each row has as many as `count` says of its index.
  @inline(__always)
  private func forEachReference(
    _ chunk: Chunk, of runs: [Range<Int>], _ isWeak: Bool,
    _ body: (_ owner: UInt32, _ target: Int, _ isWeak: Bool) -> Void, count: (_ index: Int) -> UInt64
  ) {
    var (index, start) = (0, 0)
    for run in runs {
      for owner in run {
        let end = start + Int(min(count(index), UInt64(chunk.count - start)))
        for position in start..<end {
          let target = Int(truncatingIfNeeded: chunk.unsigned(position))
          if target != 0 { body(UInt32(truncatingIfNeeded: owner), target, isWeak) }
        }
        (index, start) = (index + 1, end)
      }
    }
  }
}
