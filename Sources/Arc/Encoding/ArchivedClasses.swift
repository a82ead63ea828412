import ArcFormat
import ArcRuntime

/// The class table of the archive that is written, and a writer for each class with objects.
///
/// The classes of the current archive are followed by those of earlier archives of the same encoder that this
/// one did not need so far: a class is used again only at the index that it would get anyway, and otherwise
/// forgotten and added anew.
@safe struct ArchivedClasses: ~Copyable {
  private let archive: Handle<ArchiveWriter>
  private let numbering: Handle<ObjectNumbering>
  /// By index; the class of the roots is the first.
  private var classes: [(name: String, type: ObjectIdentifier)] = []
  private var all = ShortMap<ObjectIdentifier, ClassWriter>()
  /// The indices of the classes of shared objects, by these objects' own.
  private var sharedClasses: [ObjectIdentifier: Int] = [:]
  /// The classes that got writers since they were asked for last.
  private var newTypes: [any Archivable.Type] = []
  /// The classes of the archive's objects that only one source file of the program can name.
  private(set) var privateTypes: [any Archivable.Type] = []
  /// The writers that were asked for recently, found without hashing.
  private var recent = unsafe [(type: UInt, writer: Unmanaged<ClassWriter>)?](
    repeating: nil, count: RecentClasses.count)

  init(archive: Handle<ArchiveWriter>, numbering: Handle<ObjectNumbering>) {
    self.archive = archive
    self.numbering = numbering
  }

  /// Whether the columns of all classes follow from the classes alone, not from keys that objects chose.
  var areReusable: Bool {
    var areReusable = true
    all.forEachValue { areReusable = areReusable && !$0.isKeyed }
    return areReusable
  }

  /// Whether classes got writers since `takeNewTypes()` was called last.
  var hasNewTypes: Bool { !newTypes.isEmpty }

  /// The classes that got writers since this was called last.
  mutating func takeNewTypes() -> [any Archivable.Type] {
    defer { newTypes = [] }
    return newTypes
  }

  /// The classes of the archive's objects, by index.
  var liveClasses: LiveClasses {
    var types = [(any Archivable.Type)?](repeating: nil, count: archive.value.classCount)
    all.forEachValue { if $0.isInUse { types[$0.index] = $0.type } }
    return LiveClasses(types: types)
  }

  /// The class of objects of a class that a copy shares, which is added to the archive with the first of
  /// them: a subclass without properties, so that references to the class may lead to its rows.
  mutating func indexOfShared(_ type: any Archivable.Type) throws -> Int {
    if let known = sharedClasses[ObjectIdentifier(type)] { return known }
    let schema = try ProgramClass.of(type).schema
    let superclass = try index(of: schema)
    classes.append(("shared \(schema.name)", ObjectIdentifier(GraphSelection.self)))
    let index = try archive.value.addClass(
      ClassDescription(name: "shared \(schema.name)", superclassIndex: superclass, columns: []))
    sharedClasses[ObjectIdentifier(type)] = index
    return index
  }

  /// Begins another archive of the same roots.
  mutating func prepareForReuse() {
    all.forEachValue { $0.isInUse = false }
    privateTypes = []
  }

  /// Adds the class whose properties are the roots, the first one of an archive; returns its index.
  mutating func addRoots(_ columns: [ColumnDescription]) throws -> Int {
    let index = try archive.value.addClass(
      ClassDescription(name: ClassDescription.rootsName, superclassIndex: nil, columns: columns))
    classes.append((ClassDescription.rootsName, ObjectIdentifier(GraphEncoder.self)))
    return index
  }

  /// The writer of an object's class, which is added to the archive with its first object.
  ///
  /// Not retained for each run of objects: it lives as long as the archive is written.
  mutating func writer(of object: AnyObject) throws -> Unmanaged<ClassWriter> {
    if let known = unsafe knownWriter(type(of: object)) { return unsafe known }
    // Asked once for each class: to find a conformance, the runtime searches those of the whole program.
    guard let type = type(of: object) as? any Archivable.Type else {
      throw ArchiveError(
        .notArchivable, found: "an object of class '\(type(of: object))'",
        expected: "an object of an archivable class", remedy: "mark the class with @Archivable")
    }
    return unsafe try .passUnretained(makeWriter(type))
  }

  /// The hooks of an object's class, which need not be in the archive, that are called when it is archived.
  func hooks(of object: AnyObject) -> ArchiveHooks {
    let type: AnyClass = type(of: object)
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    // Not by `knownWriter`, which adds a class of an earlier archive to this one.
    if let entry = unsafe recent[RecentClasses.index(of: identity)], unsafe entry.type == identity {
      return unsafe entry.writer._withUnsafeGuaranteedRef { $0.hooks }
    }
    return all[ObjectIdentifier(type)]?.hooks ?? ArchiveHooks(of: type).intersection(.whenArchiving)
  }

  private mutating func knownWriter(_ type: AnyClass) -> Unmanaged<ClassWriter>? {
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    let index = RecentClasses.index(of: identity)
    if let entry = unsafe recent[index], unsafe entry.type == identity,
      unsafe entry.writer._withUnsafeGuaranteedRef({ $0.isInUse })
    {
      return unsafe entry.writer
    }
    guard let writer = all[ObjectIdentifier(type)], writer.isInUse || adopt(writer, type) else { return nil }
    unsafe recent[index] = unsafe (identity, .passUnretained(writer))
    return unsafe .passUnretained(writer)
  }

  private mutating func makeWriter(_ type: any Archivable.Type) throws -> ClassWriter {
    let shape = try ProgramClass.of(type)
    try shape.isolation.check()
    let first = archive.value.classCount
    let index = try self.index(of: shape.schema)
    if let writer = all[ObjectIdentifier(type)], adopt(writer, type) { return writer }
    let writer = ClassWriter(
      shape: shape, indices: min(first, index)...index, archive: archive, numbering: numbering)
    _ = all.insert(writer, for: ObjectIdentifier(type))
    newTypes.append(type)
    use(writer, type)
    return writer
  }

  /// Uses the writer of a class of an earlier archive, if the class has the same index in this one.
  private mutating func adopt(_ writer: ClassWriter, _ type: AnyClass) -> Bool {
    guard writer.shape.isolation.isRespected else { return false }
    if writer.index >= archive.value.classCount {
      // With its superclasses it comes next, and the classes before it are the same as then, with the same
      // names.
      guard writer.firstIndex == archive.value.classCount else { return false }
      while archive.value.classCount <= writer.index { _ = archive.value.reuseClass() }
    }
    use(writer, type)
    return true
  }

  private mutating func use(_ writer: ClassWriter, _ type: AnyClass) {
    writer.isInUse = true
    if writer.shape.isPrivate { privateTypes.append(writer.type) }
    if writer.shape.hasComputedReferences { numbering.value.listAll() }
    if !writer.hasConstructionReferences, writer.hooks.isEmpty { numbering.value.addPlainClass(type) }
  }

  /// The index of a class in the class table, to which it is added after its superclasses. Spec: 05-graph,
  /// rules F1 and W3.
  private mutating func index(of schema: ClassSchema) throws -> Int {
    if let known = classes[..<archive.value.classCount].firstIndex(where: {
      $0.name.hasSameBytes(as: schema.name)
    }) {
      guard classes[known].type == ObjectIdentifier(schema.type) else {
        throw ArchiveError(
          .nameConflict,
          found: "two classes with the coded name '\(schema.name)', one of which is '\(schema.type)'",
          expected: "distinct coded names",
          remedy: "give one class another coded name with @Archivable(\"…\")",
          className: schema.name)
      }
      return known
    }
    let superclass = try schema.superclass.map { try self.index(of: $0) }
    let next = archive.value.classCount
    if next < classes.count {
      if classes[next].type == ObjectIdentifier(schema.type) { return archive.value.reuseClass() }
      removeClasses(from: next)
    }
    var lineage = [next]
    while let index = lineage.count == 1
      ? superclass : archive.value.classes[lineage[lineage.count - 1]].superclassIndex
    {
      lineage.append(index)
    }
    let columns = try ProgramClass.of(schema.type).columns(lineage: lineage)
    classes.append((schema.name, ObjectIdentifier(schema.type)))
    return try archive.value.addClass(
      ClassDescription(
        name: schema.name, superclassIndex: superclass, version: UInt64(schema.version), columns: columns))
  }

  /// Forgets classes of earlier archives that would come too early now.
  private mutating func removeClasses(from index: Int) {
    archive.value.removeUnusedClasses()
    classes.removeSubrange(index...)
    all.removeAll { $0.index >= index }
    for index in 0..<RecentClasses.count { unsafe recent[index] = nil }
  }
}
