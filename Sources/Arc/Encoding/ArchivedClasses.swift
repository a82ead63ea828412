import ArcFormat
import ArcRuntime

/// The class table of the archive that is written, and a writer for each class with objects.
///
/// The table also contains classes of earlier archives of the same encoder that the current archive has not
/// needed so far. They follow the classes of the current archive. Such a class is reused only if it gets the
/// same index in the current archive. Otherwise it is removed and added again.
@safe struct ArchivedClasses: ~Copyable {
  private let archive: Handle<ArchiveWriter>
  private let numbering: Handle<ObjectNumbering>
  /// The classes by index. The first is the class of the roots.
  private var classes: [(name: String, type: ObjectIdentifier)] = []
  private var all = ShortMap<ObjectIdentifier, ClassWriter>()
  /// If a copy shares objects with the original graph: for each class of shared objects, the index of a
  /// second class, to which the archive assigns the shared objects.
  private var sharedClasses: [ObjectIdentifier: Int] = [:]
  /// The classes that got writers since the last call of `takeNewTypes`.
  private var newTypes: [any Archivable.Type] = []
  /// The classes of the archive's objects that are private or file-private, so that only one source file can
  /// name them.
  private(set) var privateTypes: [any Archivable.Type] = []
  /// A cache of the writers that were used last, so that they are found without hashing.
  private var recent = unsafe [(type: UInt, writer: Unmanaged<ClassWriter>)?](
    repeating: nil, count: RecentClasses.count)

  init(archive: Handle<ArchiveWriter>, numbering: Handle<ObjectNumbering>) {
    self.archive = archive
    self.numbering = numbering
  }

  /// Whether the columns of all classes can be used again for other objects. True if no class is
  /// hand-written, because objects of a hand-written class choose the keys of their columns.
  var areReusable: Bool {
    var areReusable = true
    all.forEachValue { areReusable = areReusable && !$0.isKeyed }
    return areReusable
  }

  /// Whether classes got writers since the last call of `takeNewTypes`.
  var hasNewTypes: Bool { !newTypes.isEmpty }

  /// Returns the classes that got writers since the last call of this method.
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

  /// Returns the index of the class that marks objects of `type` as shared: a copy does not copy these
  /// objects, but refers to the objects of the original graph.
  ///
  /// The class is added to the archive with the first of these objects. It is a subclass of `type` without
  /// properties, so that references to `type` may refer to its rows.
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

  /// Prepares for another archive with the same roots.
  mutating func prepareForReuse() {
    all.forEachValue { $0.isInUse = false }
    privateTypes = []
  }

  /// Adds the class of the roots, which is the first class of an archive. Returns its index.
  mutating func addRoots(_ columns: [ColumnDescription]) throws -> Int {
    let index = try archive.value.addClass(
      ClassDescription(name: ClassDescription.rootsName, superclassIndex: nil, columns: columns))
    classes.append((ClassDescription.rootsName, ObjectIdentifier(GraphEncoder.self)))
    return index
  }

  /// Returns the writer of an object's class. The class is added to the archive with its first object.
  ///
  /// The result is not retained, which saves time for each run of objects. This table retains the writer
  /// until the archive is written.
  mutating func writer(of object: AnyObject) throws -> Unmanaged<ClassWriter> {
    if let known = unsafe knownWriter(type(of: object)) { return unsafe known }
    // This cast runs only once for each class, because to find a conformance, the runtime searches the
    // conformances of the whole program.
    guard let type = type(of: object) as? any Archivable.Type else {
      throw ArchiveError(
        .notArchivable, found: "an object of class '\(type(of: object))'",
        expected: "an object of an archivable class", remedy: "mark the class with @Archivable")
    }
    return unsafe try .passUnretained(makeWriter(type))
  }

  /// Returns the hooks that are called when an object is archived. The object's class need not be in the
  /// archive.
  func hooks(of object: AnyObject) -> ArchiveHooks {
    let type: AnyClass = type(of: object)
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    // `knownWriter` is not used, because it would add a class of an earlier archive to this archive.
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

  /// Reuses the writer that wrote objects of a class in an earlier archive. Returns false if it cannot be
  /// reused: the class would get another index in this archive, or the caller does not run on the actor of
  /// the class.
  private mutating func adopt(_ writer: ClassWriter, _ type: AnyClass) -> Bool {
    guard writer.shape.isolation.isRespected else { return false }
    if writer.index >= archive.value.classCount {
      // The class, with its superclasses, is next in the table, and the classes before it are the same as in
      // the earlier archive.
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

  /// Returns the index of a class in the class table. The class is added after its superclasses if it is not
  /// in the table yet. Spec: 05-graph, rules F1 and W3.
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

  /// Removes all classes with `index` or a higher index. They are left over from earlier archives. The
  /// current archive assigns their indices to other classes.
  private mutating func removeClasses(from index: Int) {
    archive.value.removeUnusedClasses()
    classes.removeSubrange(index...)
    all.removeAll { $0.index >= index }
    for index in 0..<RecentClasses.count { unsafe recent[index] = nil }
  }
}
