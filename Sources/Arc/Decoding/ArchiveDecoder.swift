import ArcArchive
import ArcFormat

/// Rebuilds the graph of an archive in phases. So no function recurses over objects, and no code of the
/// program encounters a partly built object. Spec: 05-graph, section 3.
///
/// Each phase has a file. `Preparation` finds columns and classes, `Construction` builds the objects,
/// `Linking` sets the references between objects, and `Hashing` fills sets and dictionaries whose keys
/// contain objects. `OwnershipCheck` and `ArchiveUnlinking` ensure that unused objects are released, also
/// after an error. The phases iterate over the rows of the file. The objects belong to the schema's
/// `GraphDecoder`.
///
/// One decoder reads one archive at a time. After a small archive, `DecoderPool` stores the decoder for the
/// next archive with the same class table.
///
/// `Sendable` is unchecked: only the caller that took the decoder from the pool uses it.
@safe final class ArchiveDecoder: @unchecked Sendable {
  let file: ArchiveFile
  /// The program's classes and columns, which are reused for the next archive.
  let schema: ResolvedSchema
  let rows: GraphRows
  /// Whether linking has begun, so that objects may have links that must be undone.
  private var mayHaveLinks = false

  init(_ schema: ResolvedSchema) {
    file = schema.view.file
    self.schema = schema
    rows = GraphRows(schema: schema)
  }

  /// Opens another archive instead of the archive that was read. Returns false if the class tables differ.
  /// After false or an error, the decoder must not be used any more.
  func reopen(_ bytes: ByteView, locationOfClasses location: Int) throws(ArchiveError) -> Bool {
    try file.reopen(bytes, locationOfClasses: location)
  }

  /// Releases the archive, which was read without an error. Everything that was derived from its class table
  /// remains.
  func prepareForReuse() {
    schema.prepareForReuse()
    file.prepareForReuse()
    mayHaveLinks = false
  }

  var references: Handle<ObjectLookup> { schema.references }
  private var decoder: GraphDecoder { schema.decoder }

  // MARK: Phases

  /// Builds all objects and calls `body` with the columns of the roots. If an error occurs, all objects are
  /// released.
  ///
  /// If `logsReferences` is true, every reference is logged, to find the objects that no root retains.
  /// `finish` is called when the graph is complete, while its objects are still in the table.
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

  /// Builds the objects of a part of the archive and calls `body` with the columns of the part's row 0. The
  /// classes of the part must already have readers. `unread` contains the rows that the part refers to but
  /// does not contain. If an error occurs, all objects are released.
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

  /// Logs the references that hand-written classes read by key, because the columns do not show which keys a
  /// class has read. All other references can still be read from the columns later.
  private func logReferencesByKey() {
    guard schema.needs.contains(.keys) else { return }
    decoder.state.ownership = OwnershipCheck(logsReferences: true)
    for reader in schema.readers { reader?.keys?.logsReferences = true }
  }

  /// Adds all references that were not logged. They are read from the columns again, without building
  /// objects. This is necessary if some objects may be retained by no root, because only all references
  /// together show which objects these are.
  private func addUnloggedReferences(_ roots: ColumnReaderSet) throws {
    try rows.bind(roots)
    decoder.state.ownership.add(try ColumnReferences(keptBy: rows, roots: roots).log)
    if references.value.hasReplacements { noteReplacements() }
  }

  /// Records the replacements among objects of the archive. If the object of one row was replaced by the
  /// object of another row, the first row counts as retaining the other row.
  private func noteReplacements() {
    for (row, other) in Replacements(rows: rows).sharedRows() {
      decoder.state.ownership.note(other, heldBy: row)
    }
  }

  // MARK: Releasing objects

  /// Undoes the links of objects that the roots do not retain, because objects in a cycle would never be
  /// released.
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
    // The check is copied, because releasing an object may run a `deinit` of the program. The state of the
    // decoder is not accessed meanwhile.
    let ownership = decoder.state.ownership
    try ownership.releaseObjects(of: references)
  }

  /// Undoes the links of the objects in the rows for which `isUnlinked` returns true, so that cycles cannot
  /// retain objects.
  private func unlink(where isUnlinked: (Int) -> Bool) {
    guard mayHaveLinks else { return }
    let unlinking = ArchiveUnlinking(rows: rows)
    if unlinking.needsStandIns(where: isUnlinked) {
      let placeholders = PlaceholderObjects()
      decoder.state.placeholders = placeholders
      placeholders.build(rows)
    }
    unlinking.run(where: isUnlinked)
    decoder.state.placeholders = nil
  }
}
