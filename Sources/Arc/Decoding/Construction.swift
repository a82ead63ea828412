import ArcArchive
import ArcFormat

/// Builds all objects, each by its `init(from:)`.
///
/// If a class has no initializer of its own, the values of its objects are set later, in phase `fill`,
/// without a call of an initializer.
struct Construction {
  let rows: GraphRows
  let steps: ReadingSteps

  /// Builds all objects, in the order of rows unless an object needs the object of a later row.
  func run() throws {
    let view = rows.view
    if rows.schema.needs.contains(.laterRows) || view.isRevised { return try runByNeed() }
    do { try runInOrder(view) } catch {
      guard rows.decoder.state.neededRow != nil else { throw error }
      try runByNeed()
    }
  }

  /// Builds the objects of each segment. Objects that need no other object are built first, grouped by class.
  /// Then the other objects are built in the order of rows.
  private func runInOrder(_ view: RowsView) throws {
    for index in view.segments {
      let segment = try view.rows(inSegment: index)
      try rows.references.value.objects.open(upTo: segment.firstRow + segment.rowCount)
      rows.placeSharedObjects(in: segment)
      var isOrdered = false
      for (rows, ranges) in RowGroups(segment) {
        guard let reader = self.rows.schema.readers[rows.classIndex] else { continue }
        reader.bind(rows, in: .initializer, .fill)
        if reader.readsReferencesEarly {
          isOrdered = true
        } else {
          try constructAll(reader, ranges)
        }
      }
      if isOrdered { try constructInOrder(segment) }
      rows.references.value.objects.close()
      try steps.finish(segment: index, in: .building, until: .linking)
    }
  }

  /// Builds the objects of all classes whose objects need no other objects, and then the remaining objects.
  /// Objects that are already built are skipped.
  private func runByNeed() throws {
    let builtCount = rows.references.value.objects.count
    let view = rows.view
    try rows.references.value.objects.open(upTo: view.rowCount)
    for index in view.segments {
      let segment = try view.rows(inSegment: index)
      if segment.firstRow >= builtCount { rows.placeSharedObjects(in: segment) }
      for (rows, ranges) in RowGroups(segment) {
        let first = ranges[ranges.indices.lowerBound].lowerBound
        guard let reader = self.rows.schema.readers[rows.classIndex], !reader.readsReferencesEarly,
          self.rows.references.value.objects.object(at: first) == nil
        else { continue }
        reader.bind(rows, in: .initializer, .fill)
        try constructAll(reader, ranges)
      }
      if segment.firstRow >= builtCount { try steps.finish(segment: index, in: .building, until: .linking) }
    }
    rows.references.value.objects.close()
    var objects = ConstructionByNeed(rows: rows) { row, reader in
      let row = RowRanges(row..<row + 1)
      try construct(reader.type, reader, row, isInOrder: false)
      if reader.mayBeReplaced { try askForReplacements(reader, row) }
    }
    try objects.run()
  }

  /// Builds objects of one class that need no other objects.
  private func constructAll(_ reader: ClassReader, _ ranges: RowRanges) throws {
    try construct(reader.type, reader, ranges)
    // A separate loop, so that the loop that builds objects need not test for replacements.
    if reader.mayBeReplaced { try askForReplacements(reader, ranges) }
  }

  /// Builds those objects of a segment that need other objects, in the order of rows.
  private func constructInOrder(_ segment: RowsSegment) throws {
    for run in segment.runs {
      guard let reader = rows.schema.readers[run.classIndex], reader.readsReferencesEarly else { continue }
      guard reader.mayBeReplaced else {
        try construct(reader.type, reader, RowRanges(run.rows))
        continue
      }
      // Each object is replaced before the next object is built, because the next object may refer to the
      // replacement.
      for row in run.rows {
        let row = RowRanges(row..<row + 1)
        try construct(reader.type, reader, row)
        try askForReplacements(reader, row)
      }
    }
  }

  /// Requests a replacement from each object that was just built. If the replacement is another object, it
  /// replaces the object that was built.
  private func askForReplacements(_ reader: ClassReader, _ ranges: RowRanges) throws {
    let replacements = Replacements(rows: rows)
    for index in ranges.indices {
      for row in ranges[index] {
        do { try replacements.ask(row) } catch { throw rows.located(error, reader, row) }
      }
    }
  }

  /// Advances to the next row of a hand-written class. Throws if `init(from:)` caught and ignored the error
  /// about an object that is not built yet. The new object is then discarded, and built again when the needed
  /// object exists.
  @inline(never)
  private func finishKeyedRow(_ row: Int, _ reader: ClassReader) throws {
    guard let needed = rows.decoder.state.neededRow else {
      reader.keys?.row += 1
      return
    }
    rows.references.value.objects.remove(row)
    throw ArchiveError(
      .constructionOrder,
      found: "the initializer of object #\(row), which ignored the decoder's error about object #\(needed)",
      expected: "an initializer that rethrows the decoder's errors",
      remedy: "rethrow each error of the decoder in init(from:)")
  }

  /// Builds the objects of the rows in `ranges`. The columns of the reader are at the first of these rows.
  private func construct<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ ranges: RowRanges, isInOrder: Bool = true
  ) throws {
    let decoder = reader.initializerDecoder
    let fills = reader.needsLink(in: .fill)
    let readsReferences = isInOrder && reader.readsReferencesEarly
    let isKeyed = reader.keys != nil
    let readsPresence = reader.readsPresence(in: .initializer) || reader.readsPresence(in: .fill)
    let isPlain = !fills && !isKeyed && !readsPresence
    let references = rows.references
    do {
      for index in ranges.indices {
        for row in ranges[index] {
          references.value.currentRow = row
          // All earlier rows are built, and references may refer only to earlier rows. Spec: 05-graph, rule
          // G4.
          if readsReferences { references.value.objects.builtCount = row }
          if isPlain {
            references.value.objects.setObject(try Object(from: decoder), at: row)
            continue
          }
          if readsPresence { try reader.readEarlyPresence() }
          references.value.objects.setObject(
            try reader.construct(type, by: decoder, fills: fills), at: row)
          if isKeyed { try finishKeyedRow(row, reader) }
        }
      }
    } catch {
      // An object that needs an unbuilt object is built later. Its error is not reported, so its path is not
      // searched.
      let isTooEarly =
        (error as? ArchiveError)?.code == .constructionOrder && rows.decoder.state.neededRow != nil
      throw isTooEarly ? error : rows.located(error, reader, references.value.currentRow)
    }
  }
}
