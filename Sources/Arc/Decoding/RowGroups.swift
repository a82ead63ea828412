import ArcFormat

/// The rows of a segment class by class, in the order of the class table.
struct RowGroups: Sequence, IteratorProtocol {
  private let classes: [RowsSegment.ClassRows]
  /// The index of the next class in `classes`.
  private var position = 0
  /// If each class has one run only, the first row of the next class.
  private var nextRow: Int?
  /// Otherwise the runs of each class, class by class; `starts` has the index of each class's first run, then
  /// the number of runs.
  private var ranges: [Range<Int>] = []
  private var starts: [Int] = []

  /// Sorts the segment's runs by counting. O(runs · log classes).
  init(_ segment: RowsSegment) {
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

  /// The next class and its rows.
  mutating func next() -> (rows: RowsSegment.ClassRows, ranges: RowRanges)? {
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
struct RowRanges {
  private let only: Range<Int>
  private let several: ArraySlice<Range<Int>>

  /// One range, without the memory of a list.
  init(_ only: Range<Int>) {
    self.only = only
    several = []
  }

  init(_ ranges: ArraySlice<Range<Int>>) {
    only = 0..<0
    several = ranges
  }

  var indices: Range<Int> { several.isEmpty ? 0..<1 : several.startIndex..<several.endIndex }
  subscript(index: Int) -> Range<Int> { several.isEmpty ? only : several[index] }
}
