import ArcFormat

/// Builds all objects, each by its `init(from:)`.
///
/// Classes without an initializer of their own get their values directly afterwards, in phase `fill`.
struct Construction {
  let rows: GraphRows
  let steps: ReadingSteps

  /// Builds the objects of a segment class by class, except those that need earlier ones: these in the order
  /// of rows.
  func run() throws {
    for index in rows.file.rowsSegments {
      let segment = try rows.file.rows(inSegment: index)
      try rows.references.value.objects.open(upTo: segment.firstRow + segment.rowCount)
      rows.placeSharedObjects(in: segment)
      var isOrdered = false
      for (rows, ranges) in RowGroups(segment) {
        guard let reader = self.rows.schema.readers[rows.classIndex] else { continue }
        reader.bind(rows, in: .initializer, .fill)
        if reader.readsReferencesEarly {
          isOrdered = true
        } else {
          try construct(reader.type, reader, ranges)
          // In a loop of its own, so that the other one does nothing for it.
          if reader.mayBeReplaced { try askForReplacements(reader, ranges) }
        }
      }
      if isOrdered { try constructInOrder(segment) }
      rows.references.value.objects.close()
      try steps.finish(segment: index, in: .building, until: .linking)
    }
  }

  /// Builds the objects of a segment that need earlier ones.
  private func constructInOrder(_ segment: RowsSegment) throws {
    for run in segment.runs {
      guard let reader = rows.schema.readers[run.classIndex], reader.readsReferencesEarly else { continue }
      guard reader.mayBeReplaced else {
        try construct(reader.type, reader, RowRanges(run.rows))
        continue
      }
      // The next object may be built with the one that takes this one's place.
      for row in run.rows {
        let row = RowRanges(row..<row + 1)
        try construct(reader.type, reader, row)
        try askForReplacements(reader, row)
      }
    }
  }

  /// Asks objects that were built whether others take their places.
  private func askForReplacements(_ reader: ClassReader, _ ranges: RowRanges) throws {
    let replacements = Replacements(rows: rows)
    for index in ranges.indices {
      for row in ranges[index] {
        do { try replacements.ask(row) } catch { throw rows.located(error, reader, row) }
      }
    }
  }

  private func construct<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ ranges: RowRanges
  ) throws {
    let decoder = ObjectDecoder(reader, slot: reader.initializerSlot, phase: .initializer)
    let fills = reader.needsLink(in: .fill)
    let readsReferences = reader.readsReferencesEarly
    let keys = reader.keys
    let references = rows.references
    do {
      for index in ranges.indices {
        for row in ranges[index] {
          references.value.currentRow = row
          // All rows before this one are built, and references may lead only to them. Spec: 05-graph, rule
          // G4.
          if readsReferences { references.value.objects.builtCount = row }
          let object = try Object(from: decoder)
          references.value.objects.place(object, at: row)
          if fills { try object.link(from: ObjectDecoder(reader, slot: 0, phase: .fill)) }
          keys?.row += 1
        }
      }
    } catch {
      throw rows.located(error, reader, references.value.currentRow)
    }
  }
}
