import ArcFormat
import ArcRuntime

/// Has classes change the values of objects that older versions of them wrote, before anything is built.
/// Spec: 06-evolution, section 5.
///
/// Objects are asked in the order of rows, each by the levels of its class from the topmost superclass down.
/// What they become are rows of a revision of the archive, which is then read like any file.
struct GraphMigration {
  private let file: ArchiveFile
  private var types: ReachableClasses
  private let graph: MigratedGraph
  /// What older versions wrote, by the index of the file's class.
  private var outdated: [Int: Outdated] = [:]
  private var rows = MigratedRows()
  /// What earlier runs made.
  private var earlier = Outcome()

  /// What migrated objects became.
  struct Outcome {
    /// The indices of the classes of the file that were migrated, whose rows are replaced.
    var classes: Set<Int> = []
    var rows: [MadeRows] = []
    /// Where references to some rows lead instead; 0 for nowhere.
    var redirected: [Int: Int] = [:]
    /// The classes that left out or merged the objects of these rows.
    var removers: [Int: String] = [:]
  }

  /// A class of the file whose objects are migrated.
  private struct Outdated {
    let description: ClassDescription
    let programClass: ProgramClass
    /// The levels with something to change, the topmost superclass first, each with the file's version.
    let levels: [(schema: ClassSchema, version: Int)]
  }

  /// Finds the objects of a file that are to be migrated; its rows were verified.
  init(ofAll file: ArchiveFile, _ types: ReachableClasses) throws {
    self.file = file
    self.types = types
    graph = MigratedGraph(file)
    try addOutdated()
  }

  /// Begins another run, for the classes that the program knows only by now; what was migrated stays so.
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
      // What is wrong with a class is told when its reader is made.
      guard let type = try? types.type(named: file.classes[index].name),
        let programClass = try? ProgramClass.of(type)
      else { continue }
      try add(programClass, classIndex: index)
    }
  }

  /// Whether some objects are to be migrated.
  var isNeeded: Bool { !outdated.isEmpty }

  /// Adds the class that objects of a class of the file become, to be migrated if it is older.
  private mutating func add(_ programClass: ProgramClass, classIndex: Int) throws {
    let levels = try types.outdatedLevels(of: programClass, in: file.classes, classIndex)
    if levels.isEmpty { return }
    try programClass.isolation.check()
    outdated[classIndex] = Outdated(
      description: file.classes[classIndex], programClass: programClass, levels: levels)
  }

  /// Whether a class of the file is to be migrated.
  func isOutdated(_ classIndex: Int) -> Bool { outdated[classIndex] != nil }

  /// Leaves classes as they are.
  mutating func remove(where isLeft: (_ classIndex: Int) -> Bool) {
    outdated = outdated.filter { !isLeft($0.key) }
  }

  /// The number of objects after which it is told how many are migrated.
  private static let rowsPerStep = 256

  /// Migrates all objects; `report` receives from time to time which share of the rows is done. Returns what
  /// they became, and those of earlier runs.
  ///
  /// - Throws: `migrationFailed` for what a class throws, and for what it made that cannot be read; and what
  ///   ends the reading.
  mutating func run(_ report: (_ share: Double) throws -> Void) throws -> Outcome {
    defer { graph.end() }
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
      classes: earlier.classes.union(outdated.keys), rows: earlier.rows + rows.all,
      redirected: graph.redirected, removers: graph.removers)
    return earlier
  }

  private mutating func migrate(_ row: Int, _ outdated: Outdated) throws {
    let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
    var (version, name) = (outdated.levels[0].version, outdated.programClass.schema.name)
    do {
      var object = try graph.object(id)
      object.className = name
      for level in outdated.levels {
        (version, name) = (level.version, level.schema.name)
        graph.migratingClass = name
        try level.schema.migration?(&object, level.version)
      }
      if object.id != id { object = object.taken(over: id) }
      if graph.redirected[row] == nil {
        try rows.add(object, types, originally: outdated.description, outdated.programClass)
      }
      for added in graph.takeAdded() { try add(added) }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Self.failure(error, class: name, version: version, id)
    }
  }

  private mutating func add(_ added: MigratedObject) throws {
    do { try rows.add(added, types, originally: nil, nil) } catch var error as ArchiveError {
      let key = error.key.map { " for key '\($0)'" } ?? ""
      error.found += "\(key) of an added object of class '\(added.className)'"
      error.key = nil
      throw error
    }
  }

  /// The error for what went wrong while an object was migrated. Spec: 06-evolution, rule M7.
  private static func failure(_ error: any Error, class name: String, version: Int, _ id: ObjectID)
    -> ArchiveError
  {
    let inner = error as? ArchiveError
    var what = inner.map { $0.found } ?? "\(error)"
    if let key = inner?.key { what += " for key '\(key)'" }
    return ArchiveError(
      .migrationFailed, found: "\(what), when class '\(name)' migrated an object of version \(version)",
      expected: inner?.expected, remedy: inner?.remedy, className: name, key: inner?.key, objectID: id)
  }
}
