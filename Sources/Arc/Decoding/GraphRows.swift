import ArcArchive
import ArcFormat

/// The rows of an archive and the objects built from them, as every phase goes through them.
struct GraphRows {
  let schema: ResolvedSchema
  var decoder: GraphDecoder { schema.decoder }
  var references: Handle<ObjectLookup> { schema.references }
  /// The rows that the phases read.
  var view: RowsView { schema.view }
  var file: ArchiveFile { schema.view.file }

  /// Moves the columns of the roots to their values, with the program's names of fields and cases.
  func bind(_ roots: ColumnReaderSet) throws {
    if let renamed = schema.renamedRoots {
      let row = try renamed.row(in: view)
      schema.rootRow = row
      if let row = row.classes.first { roots.bind(row.chunks) }
    } else if let row = try view.rootRow() {
      roots.bind(row.chunks)
    }
  }

  // MARK: Phases

  /// Calls `body` for each run of rows of one class, with the class's columns at the first of them.
  func forEachRun(
    in phase: DecodingPhase, _ body: (ClassReader, _ segment: Int, _ rows: Range<Int>) throws -> Void
  ) throws {
    let view = view
    for segment in view.segments {
      let rows = try view.rows(inSegment: segment)
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
    let view = view
    for segment in view.segments {
      let rows = try view.rows(inSegment: segment)
      for (rows, ranges) in RowGroups(rows) {
        guard let reader = schema.readers[rows.classIndex], isWanted(reader) else { continue }
        reader.bind(rows, in: .link, .hash)
        try body(reader, segment, ranges)
      }
    }
  }

  /// An error with the class and the row of the object that was read, and the way from a root to the value.
  func located(_ error: any Error, _ reader: ClassReader, _ row: Int) -> any Error {
    guard let error = error as? ArchiveError else { return error }
    var located = error.located(className: reader.name, objectID: view.id(ofRow: row))
    addReason(to: &located, formerRow: reader.formerRow(of: error), inRow: row)
    return withPath(located, inProperty: reader.steps(of: error), ofColumn: reader.column(of: error))
  }

  /// An error with the path from a root to the object that it names, to the property, and by `steps` to a
  /// value in the property. In the file, the property may have an older name than its key in the error.
  ///
  /// - Complexity: O(objects + references), for an error that does not tell the way yet.
  func withPath(_ error: any Error, inProperty steps: [ValuePath.Step] = [], ofColumn column: Int? = nil)
    -> any Error
  {
    guard var error = error as? ArchiveError else { return error }
    error.valueLocation = nil
    // To find the way to an object of a part, all of the file would have to be read.
    guard !view.isPart, error.objectPath == nil, let id = error.objectID,
      var path = file.objectPath(toRow: Int(id.rawValue), isBox: isBox)
    else { return error }
    // Of an unowned reference to what nothing keeps, the object is the target, and its property not known.
    if let key = error.key, error.code != .unownedTarget {
      let classIndex = file.classIndex(ofRow: Int(id.rawValue))
      let isBox = classIndex.map(isBox) ?? false
      path.append((isBox ? [] : [.name(name(ofColumn: column, ofClass: classIndex) ?? key)]) + steps)
    }
    error.objectPath = path.text
    if id.rawValue == 0 { error.objectID = nil }
    return error
  }

  /// The name of a property in the file; nil if the class has no such column, as after a migration.
  private func name(ofColumn column: Int?, ofClass classIndex: Int?) -> String? {
    guard let column, let classIndex, file.classes[classIndex].columns.indices.contains(column),
      schema.readers.indices.contains(classIndex),
      schema.readers[classIndex]?.resolution?.fileClass == file.classes[classIndex]
    else { return nil }
    return file.classes.propertyName(ofColumn: column, ofClass: classIndex)
  }

  /// Adds what a revision has to do with an error: the object that a reference led to is left out, or the
  /// value is one of an object that was migrated.
  private func addReason(to error: inout ArchiveError, formerRow: Int, inRow row: Int) {
    if error.code == .nilReference, formerRow > 0, view.isRevised {
      let name = file.className(ofRow: formerRow).map { " of class '\($0)'" } ?? ""
      let isKnown = view.isPart && schema.request.unknownContent.refuses
      let otherReason = isKnown ? "is omitted" : "the program does not have"
      let reason = schema.removers[formerRow].map { "class '\($0)' removed in migrate(_:from:)" }
      error.found =
        "nil instead of object #\(formerRow)\(name), which \(reason ?? otherReason)"
    }
    let isMigrated =
      row >= file.rowCount || file.classIndex(ofRow: row).map(schema.migratedClasses.contains) ?? false
    guard view.isNew(row), !view.isPart, isMigrated else { return }
    switch error.code {
    case .valueOutOfRange, .unknownCase, .nilReference, .wrongClass, .missingKey, .duplicateKey:
      let name = error.className.map { "class '\($0)'" } ?? "a class"
      error.found +=
        row < file.rowCount ? ", in an object that \(name) migrated" : ", in an object that a migration added"
    default: break
    }
  }

  /// Whether the objects of a class stand for values in places of any type.
  private func isBox(_ classIndex: Int) -> Bool {
    schema.readers.indices.contains(classIndex)
      && schema.readers[classIndex]?.type is any AnyValueBox.Type
  }

  /// An error of the roots' values with the root's name and the steps from there.
  func located(_ error: any Error, inRoots roots: ColumnReaderSet) -> any Error {
    guard let error = error as? ArchiveError, error.objectID == nil else { return error }
    let steps = roots.steps(of: error)
    var located = error.located(objectID: ObjectID(rawValue: 0))
    addReason(to: &located, formerRow: roots.formerRow(of: error), inRow: 0)
    if error.code == .wrongClass, steps.isEmpty, let root = error.key {
      located.found = "the root '\(root)', \(error.found)"
      located.remedy = error.remedy ?? "read the root as the type that was archived"
    }
    return withPath(located, inProperty: steps)
  }
}
