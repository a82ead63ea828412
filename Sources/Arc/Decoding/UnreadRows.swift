import ArcFormat

/// The rows that a part refers to but does not contain. Their numbers follow the numbers of the rows in the
/// part. If the object of such a row is already known, the object table contains it.
struct UnreadRows {
  /// Reads the objects of the rows on demand.
  let source: any UnreadObjects
  /// The number of the first row outside the part.
  let firstRow: Int
  let endRow: Int

  /// Whether a row is outside the part.
  func contains(_ row: Int) -> Bool { row >= firstRow && row < endRow }

  /// Returns the error for a reference whose target must be in memory, but was not read. Such a reference is
  /// unowned, because all other references that need their targets are followed. Spec: 05-graph, rule G6.
  func error(_ fileRow: Int, _ column: ColumnReader) -> ArchiveError {
    column.error(
      .unownedTarget,
      found: "an unowned reference to object #\(fileRow), which is not in memory",
      expected: "an unowned reference to an object that was already read and is retained",
      remedy: "read the owner of object #\(fileRow) first, and retain the owner")
  }
}
