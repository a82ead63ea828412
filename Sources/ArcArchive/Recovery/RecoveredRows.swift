import ArcFormat

/// The intact rows of a damaged file, and the references between them.
struct RecoveredRows {
  /// Rows of one segment that are consecutive in the damaged file and in the new archive.
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
  /// The new numbers of the rows that the root `recovered` contains. Every row can be reached from row 0 or
  /// from one of these rows.
  private(set) var heads: [Int] = []
  /// The rows of the segment within which the file ends, and the intact columns of each class. Nil if the
  /// file does not end within a segment of rows.
  let cut: (rows: Range<Int>, columns: [Int: TruncatedRows.Columns])?
  /// The number of lost values of intact objects.
  private(set) var lostValueCount = 0

  private var runs: [Run] = []
  /// The new number of the first recovered row. It is 1 if the roots are lost, because each archive has a row
  /// 0.
  private var firstNew = 0
  /// The references between the recovered rows. The rows are numbered from 0. The targets have the row
  /// numbers of the damaged file until all recovered rows are known.
  private var references = RowReferences()

  /// Whether row 0, which contains the roots, is intact.
  var hasRoots: Bool { runs.first?.firstOld == 0 }

  /// Reads all objects of the segments at the indices `positions`. If an object cannot be read, its whole
  /// segment is lost. `cut` is the truncated segment at the end of the file, or nil.
  init(
    _ file: ArchiveFile, _ positions: [Int], cut: (info: SegmentInfo, rows: TruncatedRows)?,
    limits: ArchiveLimits
  ) throws(ArchiveError) {
    self.cut = cut.map { ($0.info.firstIndex..<$0.info.firstIndex + $0.info.count, $0.rows.columns) }
    let holdsReferences = file.layouts.map { layout in layout.roots.map(layout.containsAnyReference) }
    // Without an index, a segment states by itself that it has no rows, not even row 0.
    for position in positions where file.segments[position].count > 0 {
      let info = file.segments[position]
      var intact: [Range<Int>] = []
      var (log, intactCount, lostCount) = (ReferenceLog(), 0, 0)
      do {
        for row in info.firstIndex..<info.firstIndex + info.count {
          let object = try file.object(ObjectID(rawValue: UInt32(row)))
          guard let lost = lostColumns(ofRow: row, classIndex: object.classIndex) else { continue }
          lostCount += lost.count
          if let last = intact.last, last.upperBound == row {
            intact[intact.count - 1] = last.lowerBound..<row + 1
          } else {
            intact.append(row..<row + 1)
          }
          let columns = holdsReferences[object.classIndex]
          for property in object.properties where columns[property.columnIndex] {
            TypedValue(property, in: object, of: file).forEachReference { id, reference in
              log.add(owner: intactCount, target: Int(id.rawValue), reference.isWeak ? .weak : .strong)
            }
          }
          intactCount += 1
        }
      } catch {
        continue
      }
      references.appendRows(intactCount, log)
      lostValueCount += lostCount
      if runs.isEmpty { firstNew = intact.first?.lowerBound == 0 ? 0 : 1 }
      for range in intact {
        runs.append(Run(firstOld: range.lowerBound, count: range.count, firstNew: firstNew + count))
        count += range.count
      }
      if !intact.isEmpty { segments.append(position) }
      try ArchiveLimits.check(count, within: limits.rows, "rows")
    }
    let intactReferences = references.renumberingTargets { newRow($0).map { $0 - firstNew } }
    lostReferenceCount = references.count - intactReferences.count
    references = intactReferences
    findHeads()
  }

  /// Returns the columns of a class whose values for a row are lost, because the file ends before these
  /// values. The result contains indices of columns. Nil if all columns of the class are lost.
  func lostColumns(ofRow row: Int, classIndex: Int) -> Range<Int>? {
    guard let cut, cut.rows.contains(row) else { return 0..<0 }
    return cut.columns[classIndex].map { $0.wholeCount..<$0.count }
  }

  /// Returns the new number of a row. Nil if the row is lost.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  func newRow(_ old: Int) -> Int? {
    let position = runs.partitioningIndex { $0.firstOld + $0.count > old }
    guard position < runs.count, runs[position].firstOld <= old else { return nil }
    return runs[position].firstNew + old - runs[position].firstOld
  }

  /// Determines `heads`. First, the rows that row 0 reaches are marked. Then, each unmarked row to which no
  /// other unmarked row refers becomes a head. Finally, the first unmarked row becomes a head, until no
  /// unmarked row remains. When a row becomes a head, it and all rows that it reaches are marked.
  ///
  /// - Complexity: O(rows + references), without recursion.
  private mutating func findHeads() {
    var isReached = [Bool](repeating: false, count: count)
    if hasRoots { references.markRows(reachedFrom: 0, in: &isReached) }
    var isHead = isReached.map { !$0 }
    for row in 0..<count where !isReached[row] {
      references.forEachRetained(by: row) { if $0 != row { isHead[$0] = false } }
    }
    var rows: [Int] = []
    for isOfCycle in [false, true] {
      for row in 0..<count where !isReached[row] && (isHead[row] || isOfCycle) {
        rows.append(row)
        references.markRows(reachedFrom: row, in: &isReached)
      }
    }
    heads = rows.sorted().map { $0 + firstNew }
  }
}
