import ArcFormat

/// The rows that a program reads instead of the rows of a file. `RowsView` gives access to them.
///
/// This type is a class, so that all copies of a view share the segments that were already revised.
final class RowRevision {
  /// The classes of the file, followed by a class for each group of new rows.
  let classes: [ClassDescription]
  /// The columns of each class in `classes`.
  let layouts: [ColumnLayout]
  /// The number of rows, including rows that are omitted.
  let rowCount: Int
  /// The number of rows of each class; empty for a part.
  let rowCounts: [Int]
  /// The indices of the segments: first the segments of the file, then the new segments.
  let segments: [Int]
  /// For each row, the new target of the references to this row; 0 if these references become nil. The array
  /// is nil if no reference is redirected.
  let targets: [UInt32]?
  /// For each row of a part, the row's number in the file; nil if the rows keep their numbers.
  let fileRows: [Int]?

  /// The rows whose incoming references were redirected to other rows, in ascending order. The view omits
  /// these rows.
  private let redirectedRows: [Int]
  /// For each class of the file, whether its rows are omitted.
  private let isOmitted: [Bool]
  private let newSegments: [RowsSegment]
  /// For each row, the position in `newSegments` of the segment that contains the row, counted from 1. 0 if
  /// no new segment contains the row.
  private let newSegmentOfRow: [UInt32]
  private var revisedSegments: [Int: RowsSegment] = [:]

  /// Creates a revision of a file. See `RowsView.init(of:omitting:new:redirected:)`.
  init(
    of file: ArchiveFile, omitting omitted: Set<Int>, new: [NewRows], redirected: [Int: Int]
  ) throws(ArchiveError) {
    let new = new.filter { !$0.ids.isEmpty }
    let isOmitted = file.classes.indices.map(omitted.contains)
    self.isOmitted = isOmitted
    classes = file.classes + new.map(\.description)
    layouts = file.layouts + new.map(\.layout)
    rowCount = new.reduce(file.rowCount) { max($0, Int($1.ids.max() ?? 0) + 1) }
    redirectedRows = redirected.keys.sorted()
    var newSegments: [RowsSegment] = []
    for rows in new {
      newSegments.append(try rows.segment(classIndex: file.classes.count + newSegments.count))
    }
    var newSegmentOfRow = [UInt32](repeating: 0, count: new.isEmpty ? 0 : rowCount)
    for (position, rows) in new.enumerated() {
      for id in rows.ids { newSegmentOfRow[Int(id)] = UInt32(truncatingIfNeeded: position + 1) }
    }
    self.newSegmentOfRow = newSegmentOfRow
    self.newSegments = newSegments
    segments = file.rowsSegments + new.indices.map { file.segments.count + $0 }
    fileRows = nil
    targets = try Self.targets(
      in: file, omitting: isOmitted, new: new, redirected: redirected, rowCount: rowCount)
    let counts = file.checkedRowCounts
    rowCounts = counts.indices.map { isOmitted[$0] ? 0 : counts[$0] } + new.map(\.ids.count)
  }

  /// Creates a part of a file. See `RowsView.init(part:of:classes:layouts:fileRows:)`.
  init(
    part segments: [RowsSegment], of file: ArchiveFile, classes: [ClassDescription], layouts: [ColumnLayout],
    fileRows: [Int]
  ) {
    self.classes = classes
    self.layouts = layouts
    self.fileRows = fileRows
    rowCount = fileRows.count
    rowCounts = []
    (isOmitted, redirectedRows) = ([], [])
    targets = nil
    var newSegmentOfRow = [UInt32](repeating: 0, count: fileRows.count)
    for (position, rows) in segments.enumerated() {
      for row in rows.firstRow..<rows.firstRow + rows.rowCount {
        newSegmentOfRow[row] = UInt32(truncatingIfNeeded: position + 1)
      }
    }
    self.newSegmentOfRow = newSegmentOfRow
    // The other rows get a segment without runs, because shared objects are stored per segment.
    let end = segments.last.map { $0.firstRow + $0.rowCount } ?? 0
    let others = RowsSegment(
      firstRow: end, rowCount: fileRows.count - end, runs: [], classes: [], owner: file)
    newSegments = segments + [others]
    self.segments = newSegments.indices.map { file.segments.count + $0 }
  }

  /// Returns the value of `targets`: for each row, the new target of the references to this row. Nil if no
  /// row is omitted and no reference is redirected.
  private static func targets(
    in file: ArchiveFile, omitting isOmitted: [Bool], new: [NewRows], redirected: [Int: Int], rowCount: Int
  ) throws(ArchiveError) -> [UInt32]? {
    guard isOmitted.contains(true) || !redirected.isEmpty else { return nil }
    var targets = (0..<rowCount).map { UInt32(truncatingIfNeeded: $0) }
    for segment in file.rowsSegments {
      for run in try file.rows(inSegment: segment).runs where isOmitted[run.classIndex] {
        for row in run.rows { targets[row] = 0 }
      }
    }
    for rows in new { for id in rows.ids { targets[Int(id)] = id } }
    var isChained = false
    for (row, target) in redirected where row < rowCount && target < rowCount {
      targets[row] = UInt32(truncatingIfNeeded: target)
      isChained = isChained || redirected[target] != nil
    }
    if isChained { try follow(redirected, in: &targets) }
    return targets.indices.allSatisfy({ targets[$0] == UInt32($0) }) ? nil : targets
  }

  /// Follows chains of redirections, so that each target is a row that is not redirected itself. Throws
  /// `danglingReference` if the redirections form a cycle.
  private static func follow(_ redirected: [Int: Int], in targets: inout [UInt32]) throws(ArchiveError) {
    for row in redirected.keys where row < targets.count {
      var (target, count) = (Int(targets[row]), 0)
      while let next = redirected[target] {
        (target, count) = (next, count + 1)
        guard count <= redirected.count else {
          throw ArchiveError(
            .danglingReference, found: "objects that are merged into each other in a cycle",
            expected: "merges that end at an object which is not merged into another object",
            objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
        }
      }
      targets[row] = target < targets.count ? targets[target] : 0
    }
  }

  /// Returns the rows of a segment.
  func rows(inSegment index: Int, of file: ArchiveFile) throws(ArchiveError) -> RowsSegment {
    if let rows = revisedSegments[index] { return rows }
    let isNew = index >= file.segments.count
    var rows = try isNew ? newSegments[index - file.segments.count] : file.rows(inSegment: index)
    if !isNew { rows = rows.omitting(isOmitted) }
    rows = try rows.omitting(rows: redirectedRows, layouts)
    if let targets { rows = rows.redirectingReferences(to: targets, layouts) }
    revisedSegments[index] = rows
    return rows
  }

  /// Returns the position in `newSegments` of the segment that contains a row. Nil if no new segment contains
  /// the row.
  func newSegment(ofRow row: Int) -> Int? {
    guard row < newSegmentOfRow.count, newSegmentOfRow[row] > 0 else { return nil }
    return Int(newSegmentOfRow[row]) - 1
  }
}
