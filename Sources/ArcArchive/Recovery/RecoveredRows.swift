import ArcFormat

/// The rows that are left of a damaged file, and the references between them.
struct RecoveredRows {
  /// Rows of one segment, which are consecutive in both files.
  private struct Run {
    let firstOld: Int
    let count: Int
    let firstNew: Int
  }

  /// The indices of the intact segments of rows in the file.
  private(set) var segments: [Int] = []
  private(set) var count = 0
  /// The number of references to rows that are lost.
  private(set) var lostReferenceCount = 0
  /// New rows to which nothing leads, chosen so that every row can be reached from row 0 or one of these.
  private(set) var heads: [Int] = []
  /// The rows of the segment that the end of the file cuts, and the columns that are left of each class.
  let cut: (rows: Range<Int>, columns: [Int: CutRows.Columns])?
  /// The number of values that are lost of objects that are left.
  private(set) var lostValueCount = 0

  private var runs: [Run] = []
  /// The new number of the first row: 1 if the roots are lost, since there is always a row 0.
  private var firstNew = 0
  /// The references between the rows, which are numbered from 0. The targets are old rows until all
  /// rows are known.
  private var references = RowReferences()

  /// Whether row 0, that of the roots, is left.
  var hasRoots: Bool { runs.first?.firstOld == 0 }

  /// Reads all objects of the segments at these indices; a segment in which one cannot be read is lost.
  /// `cut` is the one that the end of the file cuts.
  init(
    _ file: ArchiveFile, _ positions: [Int], cut: (info: SegmentInfo, rows: CutRows)?, limits: ArchiveLimits
  ) throws(ArchiveError) {
    self.cut = cut.map { ($0.info.firstIndex..<$0.info.firstIndex + $0.info.count, $0.rows.columns) }
    // Without an index, a segment states by itself that it has no rows, not even that of the roots.
    for position in positions where file.segments[position].count > 0 {
      let info = file.segments[position]
      var kept: [Range<Int>] = []
      var (log, keptCount, lostCount) = (ReferenceLog(), 0, 0)
      do {
        for row in info.firstIndex..<info.firstIndex + info.count {
          let object = try file.object(ObjectID(rawValue: UInt32(row)))
          guard let lost = lostColumns(ofRow: row, classIndex: object.classIndex) else { continue }
          lostCount += lost.count
          if let last = kept.last, last.upperBound == row {
            kept[kept.count - 1] = last.lowerBound..<row + 1
          } else {
            kept.append(row..<row + 1)
          }
          let layout = file.layouts[object.classIndex]
          for property in object.properties {
            property.value.forEachReference(layout, node: layout.roots[property.columnIndex]) { id, isWeak in
              log.add(owner: keptCount, target: Int(id.rawValue), isWeak ? .weak : .strong)
            }
          }
          keptCount += 1
        }
      } catch {
        continue
      }
      references.appendRows(keptCount, log)
      lostValueCount += lostCount
      if runs.isEmpty { firstNew = kept.first?.lowerBound == 0 ? 0 : 1 }
      for range in kept {
        runs.append(Run(firstOld: range.lowerBound, count: range.count, firstNew: firstNew + count))
        count += range.count
      }
      if !kept.isEmpty { segments.append(position) }
      try ArchiveLimits.check(count, within: limits.rows, "rows")
    }
    let intact = references.renumberingTargets { newRow($0).map { $0 - firstNew } }
    lostReferenceCount = references.count - intact.count
    references = intact
    findHeads()
  }

  /// The columns of a row whose values the cut took, by their indices in the class; nil for a row that is
  /// lost with its class.
  func lostColumns(ofRow row: Int, classIndex: Int) -> Range<Int>? {
    guard let cut, cut.rows.contains(row) else { return 0..<0 }
    return cut.columns[classIndex].map { $0.wholeCount..<$0.count }
  }

  /// The new number of a row; nil if it is lost.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  func newRow(_ old: Int) -> Int? {
    let position = runs.partitioningIndex { $0.firstOld + $0.count > old }
    guard position < runs.count, runs[position].firstOld <= old else { return nil }
    return runs[position].firstNew + old - runs[position].firstOld
  }

  /// Marks the rows that row 0 reaches. Of the other rows, those to which no row refers become heads, and the
  /// rows that they reach are marked. The remaining rows are in cycles: the first row of each becomes a head.
  ///
  /// - Complexity: O(rows + references), without recursion.
  private mutating func findHeads() {
    var isReached = [Bool](repeating: false, count: count)
    if hasRoots { references.markRows(reachedFrom: 0, in: &isReached) }
    var isHead = isReached.map { !$0 }
    for row in 0..<count where !isReached[row] {
      references.forEachRetained(by: row) { if $0 != row { isHead[$0] = false } }
    }
    var found: [Int] = []
    for isOfCycle in [false, true] {
      for row in 0..<count where !isReached[row] && (isHead[row] || isOfCycle) {
        found.append(row)
        references.markRows(reachedFrom: row, in: &isReached)
      }
    }
    heads = found.sorted().map { $0 + firstNew }
  }
}
