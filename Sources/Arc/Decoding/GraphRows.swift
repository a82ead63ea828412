import ArcArchive
import ArcFormat

/// The rows of an archive and the objects built from them, with the iterations that all phases share.
struct GraphRows {
  let schema: ResolvedSchema
  var decoder: GraphDecoder { schema.decoder }
  var references: Handle<ObjectLookup> { schema.references }
  /// The rows that the phases read.
  var view: RowsView { schema.view }
  var file: ArchiveFile { schema.view.file }

  /// Binds the columns of the roots to the values of the roots, with the program's names for fields and
  /// cases.
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

  /// Calls `body` for each run of rows of one class. The columns of the class are at the first row of the
  /// run.
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

  /// Calls `body` for the rows of each class in each segment. When `body` is called, the columns that phases
  /// `link` and `hash` read are at the first of these rows. Rows are grouped by class, so that the columns
  /// and the code of the class remain in the processor's cache.
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

  /// Returns an error with the class and the row of the object that was read, and the path from a root to the
  /// value.
  func located(_ error: any Error, _ reader: ClassReader, _ row: Int) -> any Error {
    guard let error = error as? ArchiveError else { return error }
    var located = error.located(className: reader.name, objectID: view.id(ofRow: row))
    addReason(to: &located, formerRow: reader.formerRow(of: error), inRow: row)
    return withPath(located, inProperty: reader.steps(of: error), ofColumn: reader.column(of: error))
  }

  /// Adds the path to the value at which an error occurred, and returns the error. The path begins at a root
  /// and continues to the object and to its property; `steps` continues it to the value inside the property.
  /// `column` is the index of the property's column in the file, where the property may have an older name
  /// than in the error.
  ///
  /// - Complexity: O(objects + references) if the error has no path yet.
  func withPath(_ error: any Error, inProperty steps: [ValuePath.Step] = [], ofColumn column: Int? = nil)
    -> any Error
  {
    guard var error = error as? ArchiveError else { return error }
    error.valueLocation = nil
    // For an object of a part, no path is searched, because the whole file would have to be read.
    guard !view.isPart, error.objectPath == nil, let id = error.objectID,
      var path = file.objectPath(toRow: Int(id.rawValue), isBox: isBox)
    else { return error }
    // An `unownedTarget` error names the target as its object, but its key belongs to the referring object.
    if let key = error.key, error.code != .unownedTarget {
      let classIndex = file.classIndex(ofRow: Int(id.rawValue))
      let isBox = classIndex.map(isBox) ?? false
      path.append((isBox ? [] : [.name(name(ofColumn: column, ofClass: classIndex) ?? key)]) + steps)
    }
    error.objectPath = path.text
    if id.rawValue == 0 { error.objectID = nil }
    return error
  }

  /// Returns the name of a property in the file. Nil if the class has no such column, for example after a
  /// migration.
  private func name(ofColumn column: Int?, ofClass classIndex: Int?) -> String? {
    guard let column, let classIndex, file.classes[classIndex].columns.indices.contains(column),
      schema.readers.indices.contains(classIndex),
      schema.readers[classIndex]?.resolution?.fileClass == file.classes[classIndex]
    else { return nil }
    return file.classes.propertyName(ofColumn: column, ofClass: classIndex)
  }

  /// Adds the cause to an error that the file's own rows would not have caused: the reader omitted the target
  /// of a reference, or a migration changed the object that contains the value.
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

  /// Whether the objects of a class are boxes, which represent values in properties of type `Any` or `any P`.
  private func isBox(_ classIndex: Int) -> Bool {
    schema.readers.indices.contains(classIndex)
      && schema.readers[classIndex]?.type is any AnyValueBox.Type
  }

  /// Adds the name of the root, and the path to the part of its value, to an error that occurred in the value
  /// of a root. Returns the error.
  func located(_ error: any Error, inRoots roots: ColumnReaderSet) -> any Error {
    guard let error = error as? ArchiveError, error.objectID == nil else { return error }
    let steps = roots.steps(of: error)
    var located = error.located(objectID: ObjectID(rawValue: 0))
    addReason(to: &located, formerRow: roots.formerRow(of: error), inRow: 0)
    guard let name = error.key else { return withPath(located, inProperty: steps) }
    let target = schema.target
    if error.code == .wrongClass, steps.isEmpty {
      if target != .object { located.found = "\(target.description(name)), \(error.found)" }
      located.remedy = error.remedy ?? "read the \(target) as the type that was archived"
    }
    if view.isPart {
      located.objectPath = target.path(name) + steps.shortText
      located.objectID = nil
      if target != .root { (located.className, located.key) = (nil, nil) }
    }
    return withPath(located, inProperty: steps)
  }
}
