import ArcFormat

/// The rows that references of a part lead to and that the part does not have. They follow its own rows, and
/// those whose objects are known have them.
struct UnreadRows {
  /// What reads their objects when they are asked for.
  let source: any UnreadObjects
  /// The first of them.
  let firstRow: Int
  let endRow: Int

  /// Whether a row is one of them.
  func contains(_ row: Int) -> Bool { row >= firstRow && row < endRow }

  /// The error for a reference that needs its target to be there. Only unowned ones are not followed and yet
  /// need it. Spec: 05-graph, rule G6.
  func error(_ fileRow: Int, _ column: ColumnReader) -> ArchiveError {
    column.error(
      .unownedTarget,
      found: "an unowned reference to object #\(fileRow), which is not in memory",
      expected: "an unowned reference to an object that was already read and is retained",
      remedy: "read the owner of object #\(fileRow) first, and retain the owner")
  }
}
