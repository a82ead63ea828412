/// The index of the class of each row in a range of rows.
///
/// Takes 4 bytes per row.
@usableFromInline package struct RowClasses {
  @usableFromInline let rows: Range<Int>
  @usableFromInline var indices: [UInt32]

  /// Creates a table of rows. Each row has class 0 until its segment is added.
  package init(ofRows rows: Range<Int>) {
    self.rows = rows
    indices = Array(repeating: 0, count: rows.count)
  }

  /// Adds the rows of a segment. Rows outside the range are omitted.
  package mutating func add(_ segment: RowsSegment) {
    for run in segment.runs {
      let index = UInt32(truncatingIfNeeded: run.classIndex)
      let run = run.rows.clamped(to: rows)
      // Positions instead of rows, so that the compiler checks the range once.
      let first = run.lowerBound - rows.lowerBound
      for position in first..<first + run.count { indices[position] = index }
    }
  }

  /// The index of the class of a row in the range.
  @inlinable package subscript(row: Int) -> Int { Int(indices[row - rows.lowerBound]) }

  /// Calls `body` for each reference in a chunk, with the target's row and class. Skips references that are
  /// nil or refer to rows outside the range.
  @inlinable package func forEachTarget<E: Error>(
    of chunk: Chunk, _ body: (_ row: Int, _ classIndex: Int) throws(E) -> Void
  ) throws(E) {
    for position in 0..<chunk.count {
      let row = Int(truncatingIfNeeded: chunk.unsigned(position))
      if row != 0, rows.contains(row) { try body(row, self[row]) }
    }
  }
}
