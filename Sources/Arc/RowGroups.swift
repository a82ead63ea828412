import ArcFormat

/// The rows of a segment class by class, in the order of rows.
struct RowGroups {
  /// Neighbouring rows of one class, those of the segment's first class first.
  private let ranges: [Range<Int>]
  /// For each class where its ranges begin, and behind the last where they end.
  private let starts: [Int]

  /// A counting sort of the segment's runs. O(runs · log classes).
  init(_ segment: RowsSegment) {
    var starts = [Int](repeating: 0, count: segment.classes.count + 1)
    // The classes of a segment are those of its runs, in ascending order.
    let positions = segment.runs.map { run in
      segment.classes.partitioningIndex { $0.classIndex >= run.classIndex }
    }
    for position in positions { starts[position + 1] += 1 }
    for position in segment.classes.indices { starts[position + 1] += starts[position] }
    var next = starts
    var ranges = [Range<Int>](repeating: 0..<0, count: positions.count)
    var first = segment.firstRow
    for (run, position) in zip(segment.runs, positions) {
      ranges[next[position]] = first..<first + run.length
      next[position] += 1
      first += run.length
    }
    self.ranges = ranges
    self.starts = starts
  }

  /// The rows of the class at a position among the segment's classes.
  func rows(ofClassAt position: Int) -> ArraySlice<Range<Int>> {
    ranges[starts[position]..<starts[position + 1]]
  }
}
