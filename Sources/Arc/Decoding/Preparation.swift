import ArcFormat
import ArcRuntime

/// Finds what an archive is read with: the columns of the roots, and the program's classes for those of the
/// file.
struct Preparation {
  let rows: GraphRows
  private var file: ArchiveFile { rows.file }
  private var schema: ResolvedSchema { rows.schema }

  init(rows: GraphRows) { self.rows = rows }

  /// Fills the schema; returns the columns of the roots, at their beginning.
  func run(logsReferences: Bool) throws -> ColumnReaderSet {
    let roots = try rootColumns()
    try makeReaders()
    if !logsReferences, mayMeetTargetsFirst { rows.references.value.holders.keepFirstHolders() }
    return roots
  }

  /// Whether objects may precede all that hold them: targets of references that are needed to build an
  /// object, or that are unowned.
  private var mayMeetTargetsFirst: Bool {
    schema.readers.indices.contains { index in
      guard let reader = schema.readers[index] else { return false }
      return reader.hasUnownedReferences || file.schema.hasConstructionColumn[index]
    }
  }

  // MARK: Classes

  /// Makes the readers of the classes with rows; looks for no class without any. Spec: 06-evolution, rule M1.
  private func makeReaders() throws {
    let counts = file.checkedRowCounts
    // The table outlives a decoder, which may be used again on another thread.
    for index in schema.readers.indices { try schema.readers[index]?.programClass.isolation.check() }
    var readers = schema.readers
    let liveClasses = schema.request.liveClasses
    func isRead(_ index: Int) -> Bool {
      index > 0 && counts[index] > 0 && liveClasses?.areBuilt(index) ?? true
    }
    // Which class a name means may depend on the names that were looked for before.
    guard counts.indices.contains(where: { (readers[$0] != nil) != isRead($0) }) else { return }
    let types = ReachableClasses(schema.request.classes, roots: schema.request.roots.map(\.type))
    var reasons = RefusalReasons()
    for index in counts.indices {
      readers[index] = nil
      if isRead(index) {
        readers[index] = try reasons.collect { try makeReader(index, counts[index], types) }
      }
    }
    schema.readers = readers
    do throws(ArchiveError) { try reasons.check() } catch { throw leadingToObject(comparingRoots(error)) }
  }

  /// Finds a class of the program for one of the file. Throws `unknownClass` if there is none. Spec:
  /// 06-evolution, rule M1.
  private func makeReader(_ index: Int, _ rowCount: Int, _ types: ReachableClasses) throws -> ClassReader {
    let description = file.classes[index]
    let liveClasses = schema.request.liveClasses
    guard let type = try liveClasses?.types[index] ?? types.type(named: description.name) else {
      throw Self.unknownClass(
        description.name, rowCount, refusedBy: types.interfaces(refusing: description.name))
    }
    let programClass = try ProgramClass.of(type)
    try programClass.isolation.check()
    let resolution = try ClassResolution(
      programClass, classIndex: index, in: file,
      schemaName: { try liveClasses == nil ? types.schemaName(of: $0) : $0 })
    return try ClassReader(
      programClass, classIndex: index, resolution: resolution, references: rows.references,
      strings: schema.file.strings)
  }

  /// The error for a class of the file that may not be built. `interfaces` are the protocols to which a class
  /// of the program with its name would have to conform; none if there is no such class.
  private static func unknownClass(
    _ name: String, _ rowCount: Int, refusedBy interfaces: [Any.Type]
  ) -> ArchiveError {
    var error = ArchiveError(
      .unknownClass, found: "\(plural(rowCount, "object")) of class '\(name)'",
      expected: "a registered class, or one that the root's declared types reach",
      remedy: "register it: try classes.register(\(name).self), or, if it was renamed, "
        + "try classes.register(NewName.self, as: \"\(name)\")", className: name)
    if !interfaces.isEmpty {
      var names: [String] = []
      for interface in interfaces where !names.contains("'\(interface)'") { names.append("'\(interface)'") }
      error.found += ", which in the program does not conform to \(names.joined(separator: " or "))"
      error.remedy =
        "make it conform to what its property is declared as, or, if no property leads to it any more, "
        + "register it: try classes.register(\(name).self)"
    }
    return error
  }

  /// The error, with the way to the first object of the class that is not known.
  private func leadingToObject(_ error: ArchiveError) -> any Error {
    guard error.code == .unknownClass,
      let index = file.classes.firstIndex(where: { error.className?.hasSameBytes(as: $0.name) ?? false }),
      let row = file.firstRow(ofClass: index)
    else { return error }
    return rows.withPath(error.located(objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row))))
  }

  // MARK: Roots

  /// The error, which says of a class that is not known if a root is of another type than the caller asks
  /// for: from the right one, the class may be reached.
  private func comparingRoots(_ error: ArchiveError) -> ArchiveError {
    guard error.code == .unknownClass else { return error }
    for root in schema.request.roots {
      guard let encoding = try? TypeEncodingContext().encoding(of: root.type),
        let position = try? position(of: root.name),
        let type = file.classes[0].columns[position].attributes.type, type != encoding
      else { continue }
      let (found, wanted) = TypeWords.different(type, encoding)
      var error = error
      let root = "the root '\(root.name)' is of type \(found), not of type \(wanted) as asked for"
      error.remedy = [error.remedy, root].compactMap { $0 }.joined(separator: "; ")
      return error
    }
    return error
  }

  /// The columns of the roots, as the types that the caller asks for.
  private func rootColumns() throws -> ColumnReaderSet {
    let set = try schema.rootSet ?? makeRootSet(schema.request.roots)
    schema.rootSet = set
    try schema.rootIsolation.check()
    if let first = file.rowsSegments.first, let rows = try file.rows(inSegment: first).classes.first {
      set.bind(rows.chunks)
    }
    return set
  }

  /// Throws `missingRoot` for a root that the file does not have, and `typeMismatch` for one of another type,
  /// for all roots at once. Classes are not looked for then: those that are unknown now may be reached from
  /// the right types. Spec: 06-evolution, rules M2 and M4.
  private func makeRootSet(_ roots: [ResolvedSchema.Root]) throws -> ColumnReaderSet {
    var layout = ColumnLayout()
    var sources: [ResolvedColumn] = []
    var reasons = RefusalReasons()
    for root in roots {
      try reasons.collect { sources += try self.sources(of: root, appendingTo: &layout) }
    }
    try reasons.check()
    return ColumnReaderSet(
      layout, sources: sources, locations: roots.map { ColumnLocation(className: "root", key: $0.name) },
      strings: schema.file.strings, context: rows.references.opaque)
  }

  /// Appends the columns of a root's type to a layout; returns their sources in the file.
  private func sources(
    of root: ResolvedSchema.Root, appendingTo layout: inout ColumnLayout
  ) throws -> [ResolvedColumn] {
    let position = try position(of: root.name)
    let context = TypeEncodingContext()
    let encoding = try context.encoding(of: root.type)
    if let type = context.mainActorType { schema.rootIsolation = ActorIsolation(mainActorType: type) }
    try layout.append(encoding)
    var resolver = ColumnResolver(wanted: layout, file: file.layouts[0], olderNames: context.olderNames)
    guard let found = resolver.resolve(root: layout.roots.count - 1, fileRoot: position) else {
      let type = file.classes[0].columns[position].attributes.type
      let (found, wanted) = TypeWords.different(type, encoding)
      throw ArchiveError(
        .typeMismatch, found: "the root '\(root.name)' of type \(found)\(resolver.failure)",
        expected: "one of type \(wanted)",
        remedy: "ask for the type that was archived", key: root.name)
    }
    return found
  }

  /// The index of a root in the file.
  private func position(of root: String) throws(ArchiveError) -> Int {
    let columns = file.classes[0].columns
    guard let position = columns.firstIndex(where: { $0.key.hasSameBytes(as: root) }) else {
      let names = columns.prefix(20).map { "'\($0.key)'" }.joined(separator: ", ")
      throw ArchiveError(
        .missingRoot,
        found: columns.isEmpty
          ? "no root" : "\(plural(columns.count, "root")): \(names)\(columns.count > 20 ? ", …" : "")",
        expected: "a root '\(root)'", remedy: "ask for a root that the file has", key: root)
    }
    return position
  }
}
