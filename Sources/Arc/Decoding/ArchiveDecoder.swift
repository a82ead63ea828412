import ArcArchive
import ArcFormat

/// Rebuilds the graph of an archive in phases, so that no function recurses over objects, and no code of the
/// program finds a half-built object. Spec: 05-graph, section 3.
///
/// Each phase has a file: `Preparation` finds columns and classes, `Construction` builds the objects,
/// `Linking` sets what refers to others, `Hashing` fills sets and dictionaries with objects in their keys.
/// `OwnershipCheck` and `ArchiveUnlinking` see to it that nothing is left over, neither after an error. The
/// phases go through the rows of the file; the schema's `GraphDecoder` has the objects.
///
/// One decoder reads one archive; after a small one, `DecoderPool` keeps it for the next with the same
/// classes.
///
/// Unchecked, because only the caller that took it out of the pool uses it.
@safe final class ArchiveDecoder: @unchecked Sendable {
  let file: ArchiveFile
  /// What serves one archive after another.
  let schema: ResolvedSchema
  /// The rows, for the phases.
  let rows: GraphRows
  /// Whether links may have been set.
  private var mayHaveLinks = false

  init(_ schema: ResolvedSchema) {
    file = schema.view.file
    self.schema = schema
    rows = GraphRows(schema: schema)
  }

  /// Opens another archive instead of the one that was read. False if it has another class table: then the
  /// decoder is not used any more, nor is it after an error.
  func reopen(_ bytes: ByteView, locationOfClasses location: Int) throws(ArchiveError) -> Bool {
    try file.reopen(bytes, locationOfClasses: location)
  }

  /// Forgets an archive that was read without an error, but not what follows from its class table.
  func prepareForReuse() {
    schema.prepareForReuse()
    file.prepareForReuse()
    mayHaveLinks = false
  }

  var references: Handle<ObjectLookup> { schema.references }
  private var decoder: GraphDecoder { schema.decoder }

  // MARK: Phases

  /// Builds all objects and passes the columns of the roots to `body`; on failure releases every object.
  ///
  /// With `logsReferences` it logs which object refers to which, to find those that no root holds. `finish`
  /// is called when the graph is complete, with its objects still in the table.
  func rebuild<Result>(
    in context: ArchiveContext, logsReferences: Bool, report: ReadingSteps.Report?,
    _ body: (ColumnReaderSet) throws -> Result, finish: () throws -> Void = {}
  ) throws -> Result {
    decoder.context = context
    let steps = ReadingSteps(of: file, report)
    try begin(logsReferences: logsReferences, steps)
    return try build(
      logsReferences: logsReferences, steps,
      prepare: { try Preparation(rows: rows, steps: steps).run(logsReferences: logsReferences) }, body,
      finish: finish)
  }

  /// Builds the objects of a part, whose classes have readers, and passes the columns of its row 0 to `body`;
  /// on failure releases every object.
  func rebuild<Result>(
    _ part: RowsView, unread: UnreadRows, roots: ColumnReaderSet, in context: ArchiveContext,
    _ body: (ColumnReaderSet) throws -> Result
  ) throws -> Result {
    let whole = schema.view
    defer {
      schema.prepareForReuse()
      schema.view = whole
      schema.sharedObjects = []
      mayHaveLinks = false
    }
    decoder.context = context
    decoder.state.unread = unread
    schema.view = part
    decoder.begin(rowCount: part.rowCount, isLogging: true)
    return try build(
      logsReferences: true, ReadingSteps(of: file, nil),
      prepare: {
        if let row = try part.rootRow() { roots.bind(row.chunks) }
        return roots
      }, body, finish: {})
  }

  private func build<Result>(
    logsReferences: Bool, _ steps: ReadingSteps, prepare: () throws -> ColumnReaderSet,
    _ body: (ColumnReaderSet) throws -> Result, finish: () throws -> Void
  ) throws -> Result {
    do {
      let rootColumns = try prepare()
      let logsReferences = logsReferences || schema.needs.contains(.referenceLog) || schema.isMigrated
      if logsReferences { decoder.logReferences() } else { logReferencesByKey() }
      try Construction(rows: rows, steps: steps).run()
      if logsReferences, references.value.hasReplacements { noteReplacements() }
      mayHaveLinks = true
      var linking = Linking(rows: rows, steps: steps)
      try linking.run()
      try Hashing(rows: rows).fill(linking.deferred)
      references.value.currentRow = 0
      let result = try read(rootColumns, body)
      try decoder.checkKeys()
      if logsReferences {
        try callDidUnarchive()
        try unlinkUnreachable()
      } else if !references.value.holders.rootsRetainAll {
        try addUnloggedReferences(rootColumns)
        try unlinkUnreachable()
      }
      try finish()
      try releaseObjects()
      return result
    } catch {
      unlink { _ in true }
      references.value.objects.releaseAll()
      throw rows.withPath(error)
    }
  }

  private func read<Result>(
    _ roots: ColumnReaderSet, _ body: (ColumnReaderSet) throws -> Result
  ) throws -> Result {
    do { return try body(roots) } catch { throw rows.located(error, inRoots: roots) }
  }

  /// Verifies the archive and reserves memory for its objects.
  private func begin(logsReferences: Bool, _ steps: ReadingSteps) throws {
    try file.cacheEverything()
    decoder.begin(rowCount: file.rowCount, isLogging: logsReferences)
    try steps.verifyRows(of: file)
  }

  /// Has references logged that are read by key, and no others: what an object asked for is in no column.
  private func logReferencesByKey() {
    guard schema.needs.contains(.keys) else { return }
    decoder.state.ownership = OwnershipCheck(logsReferences: true)
    for reader in schema.readers { reader?.keys?.logsReferences = true }
  }

  /// Adds all references that were not logged, where some objects may be held by no root: which are, only all
  /// references can tell. They are taken from the columns again; nothing is built for them.
  private func addUnloggedReferences(_ roots: ColumnReaderSet) throws {
    try rows.bind(roots)
    decoder.state.ownership.add(try ColumnReferences(keptBy: rows, roots: roots).log)
    if references.value.hasReplacements { noteReplacements() }
  }

  /// Notes that who holds a row with the object of another one holds that.
  private func noteReplacements() {
    for (row, other) in Replacements(rows: rows).sharedRows() {
      decoder.state.ownership.note(other, heldBy: row)
    }
  }

  // MARK: The end

  /// Undoes the links of objects that the roots do not hold: in a cycle they would never be freed.
  private func unlinkUnreachable() throws {
    guard let isReachable = try decoder.reachableRows() else { return }
    let unlinking = ArchiveUnlinking(rows: rows)
    guard isReachable.indices.dropFirst().contains(where: { !isReachable[$0] && unlinking.hasObject($0) })
    else { return }
    unlink { !isReachable[$0] }
  }

  /// Releases all objects. Throws if an unowned reference refers to an object that nothing else
  /// retains.
  private func releaseObjects() throws {
    guard decoder.state.ownership.hasUnownedTargets else { return references.value.objects.releaseAll() }
    // A copy: what an object calls when it is freed may read another archive, but not change this one.
    let ownership = decoder.state.ownership
    try ownership.releaseObjects(of: references)
  }

  /// Undoes what was linked in certain rows, so that cycles cannot keep objects alive.
  private func unlink(where isUnlinked: (Int) -> Bool) {
    guard mayHaveLinks else { return }
    let unlinking = ArchiveUnlinking(rows: rows)
    if unlinking.needsStandIns(where: isUnlinked) {
      let standIns = PlaceholderObjects()
      decoder.state.standIns = standIns
      standIns.build(rows)
    }
    unlinking.run(where: isUnlinked)
    decoder.state.standIns = nil
  }
}
