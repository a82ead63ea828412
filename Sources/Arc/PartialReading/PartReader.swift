import ArcArchive
import ArcFormat
import ArcRuntime

/// Builds parts of one file. The program's class for a class of the file is looked up when a row of the class
/// is first needed.
///
/// A part is a small archive with row numbers of its own. It is built in the same phases as any archive. If
/// the program migrates a class of the part, the whole file is migrated first, and parts are then read from
/// the result.
final class PartReader {
  private let file: ArchiveFile
  private let request: ResolvedSchema.Request
  private let context: ArchiveContext
  private let boundary: GraphBoundary?
  /// The types that were requested so far. The classes that they reach may be built.
  private var requestedTypes: [any ArchivableValue.Type] = []
  private var types: ReachableClasses
  private var decoder: ArchiveDecoder
  private var parts: ArchiveParts?
  /// The rows from which parts are read: the rows of the file, or the result of a migration.
  private var view: RowsView
  /// The migration of the file. Nil as long as no part contained an object that must be migrated.
  private var migration: GraphMigration?
  /// For each class index, how each reference in objects of the class is used. The value for a class is nil
  /// if its objects are omitted.
  private var uses: [Int: [ReferenceUse]?] = [:]

  /// The properties that refer to objects of classes that the program does not have.
  private let properties: ReferringProperties

  /// The weak properties, by class index and column index.
  private var weakProperties: [[Int]: WeakProperty] = [:]

  /// Whether the search for a part has found a class that must be migrated before the part can be built.
  private var awaitsMigration = false

  /// Creates a reader of parts of a file. `request` supplies the class table, the limits and the policies;
  /// its roots are ignored.
  init(
    _ file: ArchiveFile, _ request: ResolvedSchema.Request, in context: ArchiveContext,
    leavingOut boundary: GraphBoundary? = nil
  ) {
    self.file = file
    self.request = request
    self.context = context
    self.boundary = boundary
    types = ReachableClasses(request.classes, roots: [])
    properties = ReferringProperties(in: file)
    view = RowsView(of: file)
    decoder = ArchiveDecoder(ResolvedSchema(view, request))
    file.loadStringsWhenNeeded()
  }

  /// The value that a caller requests from the file.
  enum Target {
    /// The root with a name.
    case root(String)
    /// The object of a row of the file.
    case row(Int)
    /// A value with references to rows of the file.
    case value(ArchiveValue, PropertyAttributes, path: String)

    /// The kind of the target, for errors.
    fileprivate var kind: RequestedTarget {
      switch self {
      case .root: .root
      case .row: .object
      case .value: .value
      }
    }
  }

  /// Reads a target and everything that it reaches, except objects that are already known or are read lazily.
  ///
  /// - Parameters:
  ///   - target: what is read.
  ///   - type: the type of the result.
  ///   - unread: the reader of lazy objects.
  ///   - known: returns the object of a row if it was already read and is alive.
  /// - Returns: the value, and all objects that were built for it.
  /// - Throws: an error if the file is invalid or does not fit the program, or an error of the program's
  ///   code.
  func read<Value: ArchivableValue>(
    _ target: Target, as type: Value.Type, unread: any UnreadObjects,
    known: @escaping (_ row: Int) -> AnyObject?
  ) throws -> (value: Value, read: ReadObjects) {
    addType(type)
    while true {
      if let part = try readPart(target, as: type, unread, known) { return part }
      // The loop ends: a migration includes every class that the program knows, and only a class that no
      // migration included makes a part wait.
      try migrate(known)
    }
  }

  /// Reads a part. Returns nil if objects of a class in the part must be migrated before the part is read.
  private func readPart<Value: ArchivableValue>(
    _ target: Target, as type: Value.Type, _ unread: any UnreadObjects,
    _ known: @escaping (_ row: Int) -> AnyObject?
  ) throws -> (value: Value, read: ReadObjects)? {
    let (root, name) = try root(of: target, as: type)
    decoder.schema.target = target.kind
    let (columns, rootUses) = try Preparation(rows: decoder.rows, steps: steps, root.description, root.layout)
      .makeRootSet([(name, type)])
    try decoder.schema.rootIsolation.check()
    let parts = parts ?? makeParts()
    let part = try parts.part(from: root, rootUses) { known($0) != nil }
    try prepare(part)
    if awaitsMigration { return nil }
    if omitsObjects { columns.omitNilReferences() }
    decoder.schema.sharedObjects = part.outside.enumerated().compactMap { position, row in
      known(row).map { SharedObject(row: part.rowCount + position, object: $0) }
    }
    let rows = UnreadRows(source: unread, firstRow: part.rowCount, endRow: part.view.rowCount)
    return try decoder.rebuild(part.view, unread: rows, roots: columns, in: context) { columns in
      let value = try Value.__read(from: columns.column(0))
      return (value, objects(of: part))
    }
  }

  /// Returns the objects that were built from a part.
  private func objects(of part: ArchivePart) -> ReadObjects {
    let references = decoder.references
    var read = ReadObjects()
    for row in 1..<max(part.rowCount, 1) {
      read.objects.append(
        ReadObject(row: part.view.fileRow(row), object: references.value.objects.object(at: row)))
    }
    for weak in part.weakTargets where !references.value.isReplaced(weak.row) {
      guard let property = weakProperty(ofClass: weak.classIndex, column: weak.column) else { continue }
      let link = WeakLink(owner: part.view.fileRow(weak.row), property: property)
      read.weakLinks.append((view.target(ofRow: weak.target), link))
    }
    return read
  }

  private func weakProperty(ofClass index: Int, column: Int) -> WeakProperty? {
    let key = [index, column]
    if let known = weakProperties[key] { return known }
    guard let reader = decoder.schema.readers[index], let slot = reader.slot(ofColumn: column) else {
      return nil
    }
    let created = WeakProperty(slot, of: reader.programClass)
    weakProperties[key] = created
    return created
  }

  /// Returns the starting point of a part, and the name of the starting point for errors: the name of a root,
  /// the number of a row, or a path.
  private func root(
    of target: Target, as type: any ArchivableValue.Type
  ) throws -> (PartRoot, name: String) {
    switch target {
    case .root(let name):
      let root = file.classes[0].columns.first { $0.key.hasSameBytes(as: name) }
      // If several names in the value of a root became one name, the value must be rebuilt.
      if let attributes = root?.attributes, let names = try names(in: attributes, as: type),
        names.joinsSeveral, let value = try file.roots()[name]
      {
        let current = names.attributes(attributes)
        return (try PartRoot(names.value(value), of: current, key: name, in: view), name)
      }
      return (PartRoot(rootsOf: view), name)
    case .row(let row):
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
      let name = "#\(row)"
      return (
        try PartRoot(.reference(id), of: Self.reference, key: name, in: view), name
      )
    case .value(let value, let stored, let path):
      guard let names = try names(in: stored, as: type) else {
        return (try PartRoot(value, of: stored, key: path, in: view), path)
      }
      return (try PartRoot(names.value(value), of: names.attributes(stored), key: path, in: view), path)
    }
  }

  /// The attributes of a column that contains references to objects of any class.
  private static let reference = PropertyAttributes(
    type: .object(className: nil, protocols: []), flags: [], ivar: nil)

  /// Returns the program's names for the fields and cases in a type of the file. Nil if the program declares
  /// no older names in this type.
  private func names(
    in stored: PropertyAttributes, as type: any ArchivableValue.Type
  ) throws -> CurrentNames? {
    let context = __TypeEncodingContext()
    let wanted = try context.encoding(of: type)
    guard !context.olderNames.isEmpty else { return nil }
    return CurrentNames(stored, as: wanted, olderNames: context.olderNames)
  }

  // MARK: Classes

  private var steps: ReadingSteps { ReadingSteps(of: file, nil) }

  /// Whether the file may contain references to objects that are not built, so that the references become
  /// nil.
  private var omitsObjects: Bool {
    !request.unknownContent.refuses || boundary != nil || view.isRevised
  }

  /// Adds a requested type. The classes that it reaches may be built from now on.
  private func addType(_ type: any ArchivableValue.Type) {
    guard !requestedTypes.contains(where: { $0 == type }) else { return }
    requestedTypes.append(type)
    types = ReachableClasses(request.classes, roots: requestedTypes)
    uses = uses.filter { $0.value != nil }
  }

  private func makeParts() -> ArchiveParts {
    let created = ArchiveParts(
      of: view, mayOmitRows: !request.unknownContent.refuses || boundary != nil
    ) { [unowned self] in try uses(ofClass: $0) }
    parts = created
    return created
  }

  /// Returns how each reference in objects of a class is used. Nil if the objects of the class are omitted.
  private func uses(ofClass index: Int) throws -> [ReferenceUse]? {
    if let known = uses[index] { return known }
    let reader = try reader(ofClass: index)
    // The part is searched again after the migration, so these references need not be followed.
    if awaitsMigration, reader == nil {
      return Array(repeating: .incidental, count: view.layouts[index].nodes.count)
    }
    let found = reader.map { $0.uses(leavingOut: boundary?.keys(of: $0.programClass) ?? []) }
    uses[index] = .some(found)
    return found
  }

  /// Returns the reader for objects of a class. Nil if the policy omits the objects, or if the file must be
  /// migrated before they are read. Spec: 06-evolution, rule M1.
  private func reader(ofClass index: Int) throws -> ClassReader? {
    if let reader = decoder.schema.readers[index] { return reader }
    let name = view.classes[index].name
    let found = try types.type(named: name)
    guard
      let type = try found
        ?? SubstituteClasses(
          request.unknownContent, of: view.classes, types, properties, roots: []
        ).type(forClassAt: index)
    else {
      guard request.unknownContent.refuses else { return nil }
      throw ClassMatching.unknownClass(
        name, 1, refusedBy: types.interfaces(refusing: name), in: request.classes, isPart: true)
    }
    if boundary?.contains(type) ?? false { return nil }
    if found != nil, try needsMigration(type, classIndex: index) {
      awaitsMigration = true
      return nil
    }
    let reader = try ClassMatching(rows: decoder.rows, steps: steps).makeReader(index, of: type, types)
    if omitsObjects { reader.omitNilReferences() }
    decoder.schema.readers[index] = reader
    return reader
  }

  /// Ensures that all classes of a part have readers, and that the current actor may build their objects.
  private func prepare(_ part: ArchivePart) throws {
    while decoder.schema.readers.count < part.view.classes.count { decoder.schema.readers.append(nil) }
    for segment in part.view.segments {
      for rows in try part.view.rows(inSegment: segment).classes {
        guard rows.classIndex > 0, rows.classIndex < view.classes.count else { continue }
        // The rows that a hand-written coder read in another part no longer exist.
        if decoder.schema.readers[rows.classIndex]?.keys != nil {
          decoder.schema.readers[rows.classIndex] = nil
        }
        try reader(ofClass: rows.classIndex)?.programClass.isolation.check()
      }
    }
  }

  // MARK: Migration

  /// Whether objects of a class must be migrated. Spec: 06-evolution, section 5.
  private func needsMigration(_ type: any Archivable.Type, classIndex: Int) throws -> Bool {
    guard classIndex < file.classes.count, !(migration?.hasMigrated(classIndex) ?? false) else {
      return false
    }
    return try GraphMigration.isNeeded(by: ProgramClass.of(type), classIndex, of: file, types)
  }

  /// Migrates all objects of the file that have an older version than the program's classes, unless they were
  /// already migrated. `known` returns the object of a row, or nil if the object was not read yet.
  private func migrate(_ known: (_ row: Int) -> AnyObject?) throws {
    awaitsMigration = false
    if migration == nil { try file.verifyRows(isComplete: false) }
    var migration = try migration ?? GraphMigration(ofAll: file, types)
    if self.migration != nil { try migration.extend(to: types) }
    let outcome = try migration.run(allowing: request.newerVersions) { _ in }
    for row in outcome.redirected.keys.sorted() where view.target(ofRow: row) == row && known(row) != nil {
      throw readBeforeMigration(row, outcome.removers[row])
    }
    self.migration = migration
    view = try RowsView(
      of: file, omitting: outcome.classes, new: outcome.rows, redirected: outcome.redirected)
    parts = nil
    (uses, weakProperties) = ([:], [:])
    let schema = ResolvedSchema(view, request)
    (schema.migratedClasses, schema.removers) = (outcome.migrated, outcome.removers)
    schema.columnChoices = outcome.choices
    decoder = ArchiveDecoder(schema)
  }

  /// Returns the error for an object that was read before a migration removed it or merged it with another
  /// object.
  private func readBeforeMigration(_ row: Int, _ remover: String?) -> ArchiveError {
    ArchiveError(
      .invalidUse,
      found: "object #\(row), which was read before migrate(_:from:) of class '\(remover ?? "")' removed it",
      expected: "an object that is first read after the migration",
      remedy: "read an object of class '\(remover ?? "")' before object #\(row), so that migrate(_:from:) "
        + "runs first",
      className: remover,
      objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
  }
}
