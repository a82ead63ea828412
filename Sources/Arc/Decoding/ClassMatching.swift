import ArcArchive
import ArcFormat
import ArcRuntime

/// Finds the program's class for each class of a file that has rows, and creates the readers of the classes.
/// Objects of older versions are migrated first. A class is omitted if the roots do not reach its objects
/// through properties that the program reads. Spec: 06-evolution, sections 1 and 5.
struct ClassMatching {
  private let rows: GraphRows
  private var view: RowsView { rows.view }
  private var file: ArchiveFile { rows.view.file }
  private var schema: ResolvedSchema { rows.schema }

  private let steps: ReadingSteps

  init(rows: GraphRows, steps: ReadingSteps) {
    self.rows = rows
    self.steps = steps
  }

  /// The result of matching a class of the file with the program: a value, such as the reader of the class,
  /// or the error that explains why the program cannot read the class.
  private typealias Match<Success> = Result<Success, any Error>

  /// Creates the readers of the classes that have rows. For a class without rows, the program's class is not
  /// looked up. `roots` are the columns of the roots, positioned at their beginning.
  func run(roots: ColumnReaderSet) throws {
    let counts = file.checkedRowCounts
    // The readers may be reused on another thread than before, so the isolation is checked for each archive.
    if schema.needs.contains(.mainActor) {
      for reader in schema.readers { try reader?.programClass.isolation.check() }
    }
    // If one reader is missing, all readers are created again, because the class for a name can depend on the
    // names that were looked up before.
    guard counts.indices.contains(where: { (schema.readers[$0] != nil) != isRead($0, counts[$0]) }) else {
      return
    }
    let types = ReachableClasses(schema.request.classes, roots: schema.request.roots.map(\.type))
    let isLive = schema.request.liveClasses != nil
    let migrated = try isLive ? GraphMigration.Outcome() : migrate(types, roots)
    var readers: [Match<ClassReader>?] = view.rowCounts.enumerated().map { index, count in
      isRead(index, count) ? Result { try makeReader(index, count, types) } : nil
    }
    let absent = try substitute(&readers, types)
    var redirected = migrated.redirected
    for row in try rowsOfUnknownValues(readers) { redirected[row] = 0 }
    if redirected.count > migrated.redirected.count { try revise(migrated, redirected: redirected) }
    if try !isLive && needsSearch(readers) {
      // The error of a class is thrown only if the class is needed.
      let needed = try NeededClasses(
        in: view, readers: readers.map { try? $0?.get() }, absent: absent, roots: roots)
      let left = absent.union(readers.indices.filter { readers[$0] != nil && !needed.contains($0) })
      for index in left { readers[index] = nil }
      if !left.isEmpty { try revise(migrated, leavingOut: left, redirected: redirected) }
    }
    schema.readers = try checked(readers)
    if !isLive, schema.omitsRoots { try omitUnreached(migrated, redirected, roots) }
    if view.isRevised {
      roots.omitNilReferences()
      for reader in schema.readers { reader?.omitNilReferences() }
    }
  }

  /// Omits the objects that no requested root reaches.
  private func omitUnreached(
    _ migrated: GraphMigration.Outcome, _ redirected: [Int: Int], _ roots: ColumnReaderSet
  ) throws {
    let unreached = try view.unreachedRows(of: schema.readers, roots: roots)
    if unreached.isEmpty { return }
    let left = schema.readers.indices.filter {
      $0 < file.classes.count && schema.readers[$0] == nil && $0 > 0
    }
    try revise(
      migrated, leavingOut: Set(left), redirected: unreached.reduce(into: redirected) { $0[$1] = 0 })
  }

  /// Replaces the view of the file with a view that contains the new rows of a migration, and omits the rows
  /// of `classes`. `redirected` contains the rows whose references get another target. The value is the row
  /// of the new target, or 0 if the references become nil.
  private func revise(
    _ migrated: GraphMigration.Outcome, leavingOut classes: Set<Int> = [], redirected: [Int: Int]
  ) throws {
    schema.view = try RowsView(
      of: file, omitting: classes.union(migrated.classes), new: migrated.rows, redirected: redirected)
  }

  // MARK: Classes

  /// Whether the class at `index` needs a reader, because objects of the class are built. `rowCount` is the
  /// number of the class's rows.
  private func isRead(_ index: Int, _ rowCount: Int) -> Bool {
    index > 0 && rowCount > 0 && schema.request.liveClasses?.areBuilt(index) ?? true
  }

  /// Whether the classes that the requested roots reach must be determined. This is necessary if a class
  /// cannot be read, if the file has references that the program does not read, or if some roots are not
  /// requested.
  private func needsSearch(_ readers: [Match<ClassReader>?]) throws -> Bool {
    if schema.omitsRoots { schema.mayOmitClasses = true }
    for reader in readers {
      guard let reader else { continue }
      guard case .success(let reader) = reader, !reader.leavesReferencesUnread else {
        schema.mayOmitClasses = true
        break
      }
    }
    return schema.mayOmitClasses
  }

  /// If the policy has substitutes for unknown classes, creates readers that build objects of the
  /// substitutes. Returns the indices of the unknown classes without a substitute, whose objects are omitted.
  private func substitute(_ readers: inout [Match<ClassReader>?], _ types: ReachableClasses) throws -> Set<
    Int
  > {
    let policy = schema.request.unknownContent
    var absent: Set<Int> = []
    if policy.refuses { return [] }
    let substitutes = SubstituteClasses(
      policy, of: view.classes, types, ReferringProperties(in: file),
      roots: schema.request.roots.map { ($0.name, $0.type) })
    for index in readers.indices {
      guard case .failure(let error as ArchiveError)? = readers[index], error.code == .unknownClass else {
        continue
      }
      if let type = try substitutes.type(forClassAt: index) {
        readers[index] = Result { try makeReader(index, of: type, types) }
        schema.substitutedClasses.insert(index)
      } else {
        absent.insert(index)
      }
    }
    return absent
  }

  /// Returns the rows of the boxes to omit: the program does not have the case or raw value of the value in
  /// the box. The whole box is omitted, because the value of a box cannot be nil.
  private func rowsOfUnknownValues(_ readers: [Match<ClassReader>?]) throws -> [Int] {
    if schema.request.unknownContent.refuses { return [] }
    var found: [Int] = []
    for (index, reader) in readers.enumerated() {
      // The error of a class is thrown only if the class is needed.
      guard let reader = try? reader?.get(), reader.type is any AnyValueBox.Type else { continue }
      try view.forEachSegment(ofClass: index) { segment, rows in
        reader.set.bind(rows.chunks)
        let unknown = reader.set.unknownRows(ofRoot: 0)
        if unknown.isEmpty { return }
        let numbers = segment.runs.filter { $0.classIndex == index }.flatMap(\.rows)
        found += unknown.map { numbers[$0] }
      }
    }
    return found
  }

  /// Migrates the objects that older versions of the program's classes wrote.
  private func migrate(_ types: ReachableClasses, _ roots: ColumnReaderSet) throws -> GraphMigration.Outcome {
    var migration = try GraphMigration(ofAll: file, types)
    let counts = file.checkedRowCounts
    guard migration.isNeeded else { return GraphMigration.Outcome() }
    schema.mayOmitClasses = true
    // Only classes that the roots reach are migrated, so that no code of another class runs. All references
    // of a class that will be migrated are followed, because its code may use each of them.
    let needed = try NeededClasses(
      in: view,
      // The error of a class is thrown only if the class is needed.
      readers: counts.indices.map { index in
        index == 0 || counts[index] == 0 || migration.isOutdated(index)
          ? nil : try? makeReader(index, counts[index], types)
      }, roots: roots)
    migration.remove { !needed.contains($0) }
    guard migration.isNeeded else { return GraphMigration.Outcome() }
    let outcome = try migration.run(allowing: schema.request.newerVersions) {
      try steps.reach($0, of: .migrating, until: .building)
    }
    try revise(outcome, redirected: outcome.redirected)
    schema.migratedClasses = outcome.migrated
    schema.columnChoices = outcome.choices
    schema.removers = outcome.removers
    schema.touchedColumns = outcome.touchedColumns
    schema.migrationTargets = outcome.redirected.keys.reduce(into: [:]) { targets, row in
      targets[row] = view.target(ofRow: row)
    }
    rows.references.value.begin(rowCount: view.rowCount)
    return outcome
  }

  /// Returns the readers. Throws an error with the reasons of all classes that cannot be read.
  private func checked(_ readers: [Match<ClassReader>?]) throws -> [ClassReader?] {
    var reasons = RefusalReasons()
    let readers = try readers.enumerated().map { index, reader in
      try reader.flatMap { reader in try reasons.collect { try located(index) { try reader.get() } } }
    }
    do throws(ArchiveError) { try reasons.check() } catch { throw leadingToObject(error) }
    return readers
  }

  /// Returns the result of `body`. If `classIndex` is not an index of the file's class table, the index
  /// represents only those rows of a class that have values in the same columns. In this case, adds the path
  /// to the first of these rows to an error of `body`.
  private func located(_ classIndex: Int, _ body: () throws -> ClassReader) throws -> ClassReader {
    do { return try body() } catch let error as ArchiveError {
      var row: Int?
      if classIndex >= file.classes.count {
        try view.forEachSegment(ofClass: classIndex) { segment, _ in
          row = row ?? segment.runs.first { $0.classIndex == classIndex }?.rows.lowerBound
        }
      }
      guard let row, row < file.rowCount else { throw error }
      throw rows.withPath(error.located(objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row))))
    }
  }

  /// Finds the program's class for a class of the file, and creates its reader. Throws `unknownClass` if the
  /// program has no such class. Spec: 06-evolution, rule M1.
  private func makeReader(_ index: Int, _ rowCount: Int, _ types: ReachableClasses) throws -> ClassReader {
    let description = view.classes[index]
    let liveClasses = schema.request.liveClasses
    guard let type = try liveClasses?.types[index] ?? types.type(named: description.name) else {
      throw Self.unknownClass(
        description.name, rowCount, refusedBy: types.interfaces(refusing: description.name),
        in: schema.request.classes)
    }
    return try makeReader(index, of: type, types)
  }

  /// Creates the reader of a class of the file. The objects of the class are built as objects of `type`.
  func makeReader(
    _ index: Int, of type: any Archivable.Type, _ types: ReachableClasses
  ) throws -> ClassReader {
    let liveClasses = schema.request.liveClasses
    let programClass = try ProgramClass.of(type)
    try programClass.isolation.check()
    if liveClasses == nil {
      try types.checkVersions(of: programClass, in: view.classes, index, schema.request.newerVersions)
    }
    let resolution = try ClassResolution(
      programClass, classIndex: index, of: view.classes, view.layouts,
      omitsUnknown: !schema.request.unknownContent.refuses,
      schemaName: { try liveClasses == nil ? types.schemaName(of: $0) : $0 })
    let reader = try ClassReader(
      programClass, classIndex: index, resolution: resolution, references: rows.references,
      strings: schema.file.strings)
    if !schema.request.unknownContent.refuses { reader.omitUnknown() }
    reader.keys?.limits = schema.request.limits
    return reader
  }

  /// Returns the error for a class of the file that must not be built. `interfaces` are the declared types
  /// that exclude the program's class with this name, because the class does not conform to them. They are
  /// empty if the program has no such class. `isPart` is true if only a part of the file is read. The error
  /// then does not suggest preserving unknown content, because a part cannot preserve it.
  static func unknownClass(
    _ name: String, _ rowCount: Int, refusedBy interfaces: [Any.Type], in table: ClassTable,
    isPart: Bool = false
  ) -> ArchiveError {
    let register = "try \(table === ClassTable.shared ? "ClassTable.shared" : "classes").register"

    var error = ArchiveError(
      .unknownClass, found: "\(plural(rowCount, "object")) of class '\(name)'",
      expected: "objects of a registered class, or of a class that the root's declared types reach",
      remedy: "register the class with \(register)(\(name).self); if it was renamed, with "
        + "\(register)(NewName.self, formerly: \"\(name)\"); if it was removed, or a newer "
        + "release added it, read the file without its objects: Unarchiver(unknownContent: .leaveOut)"
        + (isPart ? "" : ", or .preserve(in: content) to save them again"), className: name)
    if !interfaces.isEmpty {
      var names: [String] = []
      for interface in interfaces where !names.contains("'\(interface)'") { names.append("'\(interface)'") }
      error.found += ", whose class in the program does not conform to \(names.joined(separator: " or "))"
      error.remedy =
        "make '\(name)' conform to the type of the property that refers to it; if no property refers to it any "
        + "more, register the class with \(register)(\(name).self)"
    }
    return error
  }

  /// If an error is about an unknown or newer class, returns the error with the path to the first object of
  /// the class. Otherwise, returns the error unchanged.
  private func leadingToObject(_ error: ArchiveError) -> any Error {
    guard error.code == .unknownClass || error.code == .newerVersion,
      let index = file.classes.firstIndex(where: { error.className?.hasSameBytes(as: $0.name) ?? false }),
      let row = file.firstRow(ofClass: index)
    else { return error }
    return rows.withPath(error.located(objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row))))
  }
}
