import ArcFormat

/// The rows outside a part of a file to which objects of the part refer. They are numbered after the rows of
/// the part. If the object of such a row was already read, the object table contains the object.
struct UnreadRows {
  /// Reads the objects of the rows on demand.
  let source: any UnreadObjects
  /// The number of the first row outside the part.
  let firstRow: Int
  let endRow: Int

  /// Whether a row is outside the part.
  func contains(_ row: Int) -> Bool { row >= firstRow && row < endRow }

  /// Returns the error for an unowned reference whose target was not read. The part does not contain the
  /// target, because unowned references do not add objects to a part. Spec: 05-graph, rule G6.
  func error(_ fileRow: Int, _ column: ColumnReader) -> ArchiveError {
    column.error(
      .unownedTarget,
      found: "an unowned reference to object #\(fileRow), which is not in memory",
      expected: "an unowned reference to an object that was already read and is retained",
      remedy: "read the owner of object #\(fileRow) first, and retain the owner")
  }
}
