import ArcFormat

/// The rows of an archive and the objects built from them, as every phase goes through them.
struct GraphRows {
  let file: ArchiveFile
  let schema: ResolvedSchema
  var references: Handle<ObjectLookup> { schema.references }

  /// Calls `body` for each run of rows of one class, with the class's columns at the first of them.
  func forEachRun(
    in phase: DecodingPhase, _ body: (ClassReader, _ segment: Int, _ rows: Range<Int>) throws -> Void
  ) throws {
    for segment in file.rowsSegments {
      let rows = try file.rows(inSegment: segment)
      for rows in rows.classes { schema.readers[rows.classIndex]?.bind(rows, in: phase) }
      for run in rows.runs {
        if let reader = schema.readers[run.classIndex] { try body(reader, segment, run.rows) }
      }
    }
  }

  /// Calls `body` for the rows of each class in each segment, with its columns of phases `link` and `hash` at
  /// the first of them. Going class by class keeps the class's columns and code in the cache.
  func forEachGroup(
    where isWanted: (ClassReader) -> Bool,
    body: (ClassReader, _ segment: Int, _ ranges: RowRanges) throws -> Void
  ) throws {
    guard schema.readers.contains(where: { $0.map(isWanted) ?? false }) else { return }
    for segment in file.rowsSegments {
      let rows = try file.rows(inSegment: segment)
      for (rows, ranges) in RowGroups(rows) {
        guard let reader = schema.readers[rows.classIndex], isWanted(reader) else { continue }
        reader.bind(rows, in: .link, .hash)
        try body(reader, segment, ranges)
      }
    }
  }

  /// Calls `body` with the object of a row that the decoder built as `type`.
  @inline(__always) func withObject<Object: Archivable>(
    _ row: Int, as type: Object.Type, _ body: (Object) throws -> Void
  ) throws {
    let table = references.value.objects
    guard row > 0, row < table.count, let held = unsafe table.base[row] else {
      throw ArchiveError(
        .danglingReference, found: "no object in row \(row)", objectID: ObjectID(rawValue: UInt32(row)))
    }
    // The table keeps the object alive: it need not be retained for the call.
    try unsafe held._withUnsafeGuaranteedRef { object in
      if Swift.type(of: object) == type {
        try body(unsafe unsafeDowncast(object, to: Object.self))
      } else if let object = object as? Object {
        try body(object)
      }
    }
  }

  /// An error with the class and the row of the object that was read.
  func located(_ error: any Error, _ reader: ClassReader, _ row: Int) -> any Error {
    (error as? ArchiveError)?.located(className: reader.name, objectID: ObjectID(rawValue: UInt32(row)))
      ?? error
  }
}
