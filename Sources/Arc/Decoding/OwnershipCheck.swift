import ArcArchive
import ArcFormat

/// Determines from references which objects are retained. A strong reference must retain the target of each
/// unowned reference. Objects that the roots do not retain could retain each other in a cycle, so the caller
/// undoes their links.
struct OwnershipCheck {
  /// The rows to which unowned references refer, each with the column of the first such reference.
  private var unownedTargets: [(row: Int, column: ColumnReader)] = []
  /// The strong references that were read. Nil if references are not logged.
  private var log: ReferenceLog?
  /// The references of the log by row. Nil until they are needed.
  private var references: RowReferences?

  init(logsReferences: Bool) { log = logsReferences ? ReferenceLog() : nil }

  /// Adds the references in `references` to the log. They were not logged when they were read.
  mutating func add(_ references: ReferenceLog) {
    if log == nil { log = references } else { log?.add(references) }
  }

  /// Whether unowned references were read.
  var hasUnownedTargets: Bool { !unownedTargets.isEmpty }

  /// Records an unowned reference to a row. `column` contains the reference. Called only for the first
  /// unowned reference to the row.
  mutating func noteUnowned(_ row: Int, _ column: ColumnReader) { unownedTargets.append((row, column)) }

  /// Records that the object of row `owner` retains the object of `row`. Row 0 represents the roots.
  mutating func note(_ row: Int, heldBy owner: Int) { log?.add(owner: owner, target: row) }

  /// Returns the rows that the roots retain, each after the rows that it retains. Empty if references are not
  /// logged.
  mutating func rowsFromTheLeaves(of rowCount: Int) -> [Int] {
    references(of: rowCount)?.rowsFromLeavesToRoots() ?? []
  }

  /// Returns the logged references by row. Nil if references were not logged. The result is cached, because
  /// the hooks and the check need it. The references are sorted again only if further references were logged
  /// since then.
  private mutating func references(of rowCount: Int) -> RowReferences? {
    guard let log else { return nil }
    if let references, references.rowCount == rowCount, references.count == log.count { return references }
    let references = RowReferences(log, rowCount: rowCount)
    self.references = references
    return references
  }

  /// Returns for each row whether the roots retain it. Nil if references were not logged. Throws if an
  /// unowned reference refers to an object that the roots do not retain. A replacement is exempt, because the
  /// program may retain it. Spec: 05-graph, rule G6.
  mutating func reachableRows(
    of rowCount: Int, isReplaced: (Int) -> Bool
  ) throws(ArchiveError) -> [Bool]? {
    guard let isReachable = references(of: rowCount)?.rowsReachedFromRoots() else { return nil }
    references = nil
    if let (row, column) =
      unownedTargets
      .filter({ !isReachable[$0.row] && !isReplaced($0.row) }).min(by: { $0.row < $1.row })
    {
      throw Self.error(row, column)
    }
    return isReachable
  }

  /// Releases all objects. Throws if an unowned reference refers to an object that nothing else retains. If
  /// no references are unowned, this check is not needed: the caller can release the objects directly.
  func releaseObjects(of references: Handle<ObjectLookup>) throws(ArchiveError) {
    // The first check runs while links can still be undone. The second check runs after objects that nothing
    // retains are released, so it also finds the targets that only those objects retained.
    try checkUnowned(references)
    let isUnownedTarget = references.value.isUnownedTarget
    references.value.objects.releaseAll { isUnownedTarget?[$0] ?? false }
    if references.value.hasReplacements {
      references.value.objects.releaseDuplicates(in: unownedTargets.map(\.row))
    }
    try checkUnowned(references)
    references.value.objects.releaseAll()
  }

  /// Throws if an unowned reference refers to an object that nothing except the object table retains. Spec:
  /// 05-graph, rule G6.
  private func checkUnowned(_ references: Handle<ObjectLookup>) throws(ArchiveError) {
    for (row, column) in unownedTargets where references.value.objects.isOnlyHolder(ofRow: row) {
      throw Self.error(row, column)
    }
  }

  private static func error(_ row: Int, _ column: ColumnReader) -> ArchiveError {
    let row = column.source.fileRow(row)
    return column.locatedInProperty(
      ArchiveError(
        .unownedTarget,
        found: "an unowned reference to object #\(row), which no object in the archive retains",
        expected: "an unowned reference to an object that the archive retains by a strong reference",
        objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row))))
  }
}
