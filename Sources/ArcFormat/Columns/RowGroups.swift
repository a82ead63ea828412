/// The rows of one class in one segment of a file or view.
package struct RowGroup: Hashable {
  /// The index of the segment in the file or view.
  package let segment: Int
  package let classIndex: Int

  package init(segment: Int, classIndex: Int) { (self.segment, self.classIndex) = (segment, classIndex) }
}

/// The rows of a segment, grouped by class, in the order of the class table.
package struct RowGroups: Sequence, IteratorProtocol {
  private let classes: [RowsSegment.ClassRows]
  /// The index of the next class in `classes`.
  private var position = 0
  /// The first row of the next class. Used only if each class has a single run of rows; otherwise nil.
  private var nextRow: Int?
  /// The runs of rows, grouped by class. Empty if `nextRow` is not nil. `starts` contains the index of each
  /// class's first run, followed by the number of runs.
  private var ranges: [Range<Int>] = []
  private var starts: [Int] = []

  /// Groups the rows of a segment.
  ///
  /// - Complexity: O(runs · log classes), and O(1) if each class has only one run.
  package init(_ segment: RowsSegment) {
    classes = segment.classes
    if segment.hasOneRunOfEachClass { nextRow = segment.firstRow } else { sort(segment) }
  }

  private mutating func sort(_ segment: RowsSegment) {
    let runs = segment.runs
    var starts = [Int](repeating: 0, count: classes.count + 1)
    // The classes of a segment are those of its runs, in ascending order.
    let positions = runs.map { run in classes.partitioningIndex { $0.classIndex >= run.classIndex } }
    for position in positions { starts[position + 1] += 1 }
    for position in classes.indices { starts[position + 1] += starts[position] }
    var next = starts
    var ranges = [Range<Int>](repeating: 0..<0, count: positions.count)
    for (run, position) in zip(runs, positions) {
      ranges[next[position]] = run.rows
      next[position] += 1
    }
    self.ranges = ranges
    self.starts = starts
  }

  /// Returns the next class and its rows. Nil after the last class.
  package mutating func next() -> (rows: RowsSegment.ClassRows, ranges: RowRanges)? {
    guard position < classes.count else { return nil }
    defer { position += 1 }
    let rows = classes[position]
    if let first = nextRow {
      nextRow = first + rows.rowCount
      return (rows, RowRanges(first..<first + rows.rowCount))
    }
    return (rows, RowRanges(ranges[starts[position]..<starts[position + 1]]))
  }
}

/// The rows of one class in a segment, as ranges.
package struct RowRanges {
  @usableFromInline let only: Range<Int>
  @usableFromInline let several: ArraySlice<Range<Int>>

  /// Creates ranges from one range, without allocating a list.
  @inlinable package init(_ only: Range<Int>) {
    self.only = only
    several = []
  }

  /// Creates ranges from several ranges.
  @inlinable package init(_ ranges: ArraySlice<Range<Int>>) {
    only = 0..<0
    several = ranges
  }

  /// The indices of the ranges.
  @inlinable package var indices: Range<Int> {
    several.isEmpty ? 0..<1 : several.startIndex..<several.endIndex
  }
  /// The range at an index.
  @inlinable package subscript(index: Int) -> Range<Int> { several.isEmpty ? only : several[index] }
}
