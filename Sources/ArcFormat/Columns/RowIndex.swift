/// The class of each row of a segment, and the index of the row among the rows of this class. Created once by
/// `RowsSegment.rowIndex`.
package struct RowIndex {
  private let runs: [RowsSegment.Run]
  /// For each run of rows, the index of its first row among all rows of its class in the segment.
  package let firstInClass: [Int]

  /// - Complexity: O(runs).
  init(of segment: RowsSegment) {
    runs = segment.runs
    var counts: [Int: Int] = [:]
    firstInClass = segment.runs.map { run in
      let count = counts[run.classIndex] ?? 0
      counts[run.classIndex] = count + run.rows.count
      return count
    }
  }

  /// The class of a row, and the index of the row among the rows of this class. Nil if the segment does not
  /// contain the row.
  ///
  /// - Complexity: O(log runs).
  package subscript(row: Int) -> (classIndex: Int, rowInClass: Int)? {
    let position = runs.partitioningIndex { $0.rows.upperBound > row }
    guard position < runs.count, runs[position].rows.contains(row) else { return nil }
    let run = runs[position]
    return (run.classIndex, firstInClass[position] + row - run.rows.lowerBound)
  }
}
