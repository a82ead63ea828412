import ArcArchive
import ArcFormat
import ArcRuntime

/// Migrates objects of older class versions before any object is built: calls the classes' migration code
/// with the old values. If the values of a property are in different columns in different rows, also chooses
/// the column for each row. Spec: 06-evolution, sections 2 and 5.
///
/// Objects are migrated in the order of rows. For each object, the migration code of the topmost superclass
/// is called first, and the migration code of the class itself last. The results are new rows, which replace
/// the rows of the file when the archive is read.
struct GraphMigration {
  private let file: ArchiveFile
  private var types: ReachableClasses
  private let graph: MigratedGraph
  /// The classes whose rows older versions wrote, by class index in the file.
  private var outdated: [Int: Outdated] = [:]
  private var rows = MigratedRows()
  private var touchedColumns: [Int: Set<Int>] = [:]
  /// The results of earlier runs.
  private var earlier = Outcome()

  /// The result of a migration.
  struct Outcome {
    /// The indices of the classes of the file whose rows are replaced.
    var classes: Set<Int> = []
    /// The classes among `classes` whose rows the program's code may have changed.
    var migrated: Set<Int> = []
    /// For each class whose rows were not all read from the same columns, the rule that chose the columns for
    /// a row. The key is the class index.
    var choices: [Int: ColumnChoice] = [:]
    var rows: [NewRows] = []
    /// The row of the new target, by the row of a removed or replaced object. 0 if references to the object
    /// become nil.
    var redirected: [Int: Int] = [:]
    /// The name of the class whose migration removed or replaced an object, by the row of the object.
    var removers: [Int: String] = [:]
    /// The columns of the file whose values the program's code removed or replaced, by row.
    var touchedColumns: [Int: Set<Int>] = [:]
  }

  /// A class of the file whose objects must be migrated, so that new rows replace their rows.
  private struct Outdated {
    let description: ClassDescription
    let programClass: ProgramClass
    /// All levels of the class, the topmost superclass first, with the version of each level in the file.
    let levels: [(schema: ClassSchema, version: Int)]
    /// The choice of the columns from which each row is read. Nil if all rows are read from the same columns.
    let choice: ColumnChoice?

    /// Returns the levels whose migration must run for a row. A level is the class or one of its
    /// superclasses. `versions` contains the versions with which the row was written. If a level has no
    /// entry, the row has the version that the level has in the file.
    func outdatedLevels(_ versions: [ExactName: Int] = [:]) -> [(schema: ClassSchema, version: Int)] {
      levels.compactMap { schema, version in
        let version = versions.isEmpty ? version : versions[ExactName(schema.name)] ?? version
        return schema.migration != nil && version < schema.version ? (schema, version) : nil
      }
    }

    /// Whether the program's `migrate(_:from:)` may have to migrate some rows of the class.
    var mayMigrate: Bool {
      let mayBeOlder = choice?.hasVersions ?? false
      return !outdatedLevels().isEmpty || mayBeOlder && levels.contains { $0.schema.migration != nil }
    }
  }

  /// Finds the objects of a file that must be migrated. The rows of the file must be verified.
  init(ofAll file: ArchiveFile, _ types: ReachableClasses) throws {
    self.file = file
    self.types = types
    graph = MigratedGraph(file)
    try addOutdated()
  }

  /// Begins another run of the migration. It migrates objects of the classes that were found after the
  /// previous run. Objects that were already migrated do not change.
  mutating func extend(to types: ReachableClasses) throws {
    self.types = types
    (outdated, rows) = ([:], MigratedRows())
    graph.begin(file)
    try addOutdated()
  }

  /// Whether the objects of a class of the file were migrated.
  func hasMigrated(_ classIndex: Int) -> Bool { earlier.classes.contains(classIndex) }

  private mutating func addOutdated() throws {
    for (index, count) in file.checkedRowCounts.enumerated() where index > 0 && count > 0 {
      if hasMigrated(index) { continue }
      // An error of the class is reported when its reader is created.
      guard let type = try? types.type(named: file.classes[index].name),
        let programClass = try? ProgramClass.of(type)
      else { continue }
      try add(programClass, classIndex: index)
    }
  }

  /// Whether some objects must be migrated.
  var isNeeded: Bool { !outdated.isEmpty }

  /// Schedules a class of the file for migration, if its objects must be migrated to the current version of
  /// `programClass`.
  private mutating func add(_ programClass: ProgramClass, classIndex: Int) throws {
    guard let found = try Self.outdated(programClass, classIndex, of: file, types) else { return }
    if found.mayMigrate { try programClass.isolation.check() }
    outdated[classIndex] = found
  }

  private static func outdated(
    _ programClass: ProgramClass, _ classIndex: Int, of file: ArchiveFile, _ types: ReachableClasses
  ) throws -> Outdated? {
    // An error of the class is reported when its reader is created.
    let choice = try? ColumnChoice(programClass, classIndex: classIndex, of: file.classes, types)
    let needsLevels = choice?.hasVersions ?? false
    let levels =
      try needsLevels
      ? types.levels(of: programClass, in: file.classes, classIndex)
      : types.outdatedLevels(of: programClass, in: file.classes, classIndex)
    if levels.isEmpty, choice == nil { return nil }
    return Outdated(
      description: choice?.description ?? file.classes[classIndex], programClass: programClass,
      levels: levels,
      choice: choice)
  }

  /// Whether rows of a class of a file are replaced before they are read.
  static func isNeeded(
    by programClass: ProgramClass, _ classIndex: Int, of file: ArchiveFile, _ types: ReachableClasses
  ) throws -> Bool {
    try outdated(programClass, classIndex, of: file, types) != nil
  }

  /// Whether a class of the file is scheduled for migration.
  func isOutdated(_ classIndex: Int) -> Bool { outdated[classIndex] != nil }

  /// Removes the classes for which `isLeft` returns true from the scheduled classes, so that their objects
  /// are not migrated.
  mutating func remove(where isLeft: (_ classIndex: Int) -> Bool) {
    outdated = outdated.filter { !isLeft($0.key) }
  }

  /// The number of objects between two progress reports.
  private static let rowsPerStep = 256

  /// Migrates all scheduled objects. Calls `report` repeatedly with the fraction of the rows that are done.
  /// Returns the results of this run and of earlier runs.
  ///
  /// - Throws: `newerVersion` if a level of a class is newer in the file than in the program and the policy
  ///   does not permit this; `migrationFailed` if a class throws, or if its result cannot be read; and the
  ///   errors of `report`.
  mutating func run(
    allowing newerVersions: NewerVersionPolicy, _ report: (_ share: Double) throws -> Void
  ) throws -> Outcome {
    defer { graph.end() }
    for (index, outdated) in outdated {
      try types.checkVersions(of: outdated.programClass, in: file.classes, index, newerVersions)
    }
    var count = 0
    for segment in file.rowsSegments {
      for run in try file.rows(inSegment: segment).runs {
        guard let outdated = outdated[run.classIndex] else { continue }
        for row in run.rows {
          try migrate(row, outdated)
          count += 1
          guard count % Self.rowsPerStep == 0 else { continue }
          try report(Double(row) / Double(max(file.rowCount, 1)))
        }
      }
    }
    earlier = Outcome(
      classes: earlier.classes.union(outdated.keys),
      migrated: earlier.migrated.union(outdated.filter { $0.value.mayMigrate }.keys),
      choices: earlier.choices.merging(outdated.compactMapValues(\.choice)) { $1 },
      rows: earlier.rows + rows.all, redirected: graph.redirected, removers: graph.removers,
      touchedColumns: touchedColumns)
    return earlier
  }

  private mutating func migrate(_ row: Int, _ outdated: Outdated) throws {
    let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
    var (version, name) = (0, outdated.programClass.schema.name)
    var levels = outdated.outdatedLevels()
    do {
      var object = try graph.object(id)
      object.className = name
      if let versions = outdated.choice?.takeVersions(of: &object), !versions.isEmpty {
        levels = outdated.outdatedLevels(versions)
      }
      let before = Set(object.properties.compactMap(\.column))
      for level in levels {
        (version, name) = (level.version, level.schema.name)
        graph.migratingClass = name
        try level.schema.migration?(&object, level.version)
      }
      // If the object was replaced by another object or has another class, all its values come from the
      // program's code.
      let isItself =
        object.id == id && object.className.hasSameBytes(as: outdated.programClass.schema.name)
      let touched = isItself ? before.subtracting(object.properties.compactMap(\.column)) : before
      if !touched.isEmpty { touchedColumns[row] = touched }
      try outdated.choice?.apply(to: &object, isMigrated: !levels.isEmpty)
      if object.id != id { object = object.withID(id) }
      if graph.redirected[row] == nil {
        try rows.add(object, types, originally: outdated.description, outdated.programClass)
      }
      for added in graph.takeAdded() { try add(added) }
    } catch let error as CancellationError {
      throw error
    } catch {
      guard !levels.isEmpty else { throw error }
      throw Self.failure(error, class: name, version: version, id)
    }
  }

  private mutating func add(_ added: MigratedObject) throws {
    do { try rows.add(added, types, originally: nil, nil) } catch var error as ArchiveError {
      let key = error.key.map { " for the key '\($0)'" } ?? ""
      error.found += "\(key) of an added object of class '\(added.className)'"
      error.key = nil
      throw error
    }
  }

  /// Returns the error for a failed migration of an object. Spec: 06-evolution, rule M7.
  private static func failure(_ error: any Error, class name: String, version: Int, _ id: ObjectID)
    -> ArchiveError
  {
    let inner = error as? ArchiveError
    var what = inner.map { $0.found } ?? "\(error)"
    if let key = inner?.key { what += " for the key '\(key)'" }
    return ArchiveError(
      .migrationFailed, found: "\(what), when class '\(name)' migrated an object of version \(version)",
      expected: inner?.expected, remedy: inner?.remedy, className: name, key: inner?.key, objectID: id)
  }
}
