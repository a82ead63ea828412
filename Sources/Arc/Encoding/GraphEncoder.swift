import ArcFormat
import ArcRuntime

/// Walks a graph and writes it to an archive. The encoder numbers objects when they are first reached. The
/// list of numbered objects is also the worklist, so no function recurses over objects. Spec: 05-graph, rule
/// F1.
///
/// An encoder writes one archive at a time. After a small archive, `EncoderPool` stores the encoder for a
/// later archive whose roots have the same names and types.
///
/// Unchecked `Sendable`, because only the caller that took the encoder from the pool uses it.
@safe final class GraphEncoder: @unchecked Sendable {
  let options: ArchiveOptions
  let archive: Handle<ArchiveWriter>
  /// The numbering of the objects. Generated code writes references through it, and columns refer to it.
  let references: Handle<ObjectNumbering>
  let classes: Handle<ArchivedClasses>
  private(set) var roots: [(name: String, type: any ArchivableValue.Type)] = []
  private var rootIsolation = ActorIsolation(mainActorType: nil)
  /// The writer of the class whose objects are encoded now. It is in a handle, so that it can change with
  /// each run of objects of one class.
  let currentWriter: Handle<Unmanaged<ClassWriter>?>
  /// Called for classes that perhaps cannot be read again. Nil if the caller ignores warnings.
  var onWarning: (@Sendable (ArchiveError) -> Void)?
  /// Whether `IdentityCheck` checks the graph after all objects are written.
  var checksIdentity = IdentityCheck.isRequested
  /// Whether `DistinctKeys` checks the keys of sets and dictionaries.
  var checksKeys = true
  /// The boxes of values whose declared type is `any P` or `Any`.
  let valueBoxes: ValueBoxes
  let hooks: ArchivingHooks
  /// Whether the class of a root has hooks. Such roots are replaced before their columns are created.
  var rootsHaveHooks = false
  private(set) lazy var constructionOrder = ConstructionOrder(of: self)
  private(set) lazy var canonicalOrder = CanonicalOrder(of: self)
  /// The objects that a copy of the graph shares with the graph; nil if there is no copy, or if it shares
  /// nothing.
  var boundary: CopyBoundary?
  /// The objects that the copy shares, in the order of their rows.
  var sharedObjects: [SharedObject] = []
  /// The objects to which unowned references, but no strong reference, were encoded so far. The key is the
  /// row of the object. The value is a reference to the object, for errors.
  var unownedReferrers: [UInt32: Referrer] = [:]
  /// The targets of weak references, if the targets had no row when the references were written. They are
  /// retained until their addresses are looked up.
  var weakTargets: ContiguousArray<AnyObject> = []
  /// Called with the target of each weak reference, if the reference is not to be appended to its column. Nil
  /// if weak references are appended.
  var receiveWeakTarget: ((AnyObject?) -> Void)?
  /// The weak references to objects that may be replaced.
  var replaceableTargets: [(object: AnyObject, column: ColumnWriter, referrer: Referrer)] = []

  /// Creates an encoder. An encoder that walks the graph of another encoder gets the boxes and hooks of that
  /// encoder.
  init(options: ArchiveOptions, boxes: ValueBoxes = ValueBoxes(), hooks: ArchivingHooks? = nil) {
    self.options = options
    valueBoxes = boxes
    archive = Handle(
      ArchiveWriter(
        compression: options.compression, metadata: options.metadata.map { ($0.key, $0.value) },
        hasChunkDirectory: options.layout.hasChunkDirectory,
        segmentByteCount: options.layout.segmentByteCount))
    references = Handle(ObjectNumbering())
    self.hooks = hooks ?? ArchivingHooks(numbering: references)
    classes = Handle(ArchivedClasses(archive: archive, numbering: references))
    unsafe currentWriter = unsafe Handle(nil)
    archive.value.context = references.opaque
    references.value.setSink(self)
  }

  /// Creates an encoder with a context for the program's own code.
  convenience init(options: ArchiveOptions = ArchiveOptions(), in context: ArchiveContext) {
    self.init(options: options)
    hooks.context = context
  }

  deinit {
    classes.free()
    references.value.free()
    references.free()
    archive.free()
    unsafe currentWriter.free()
  }

  // MARK: Archives

  /// Writes the roots and all objects that they reach. Returns the bytes of the file.
  func archive(roots: [(name: String, value: any ArchivableValue)]) throws -> [UInt8] {
    try fillColumns(roots)
    return try archive.value.finish { row(at: $0) }
  }

  /// Fills columns with the roots and all objects that they reach. Returns the columns.
  func fill(roots: [(name: String, value: any ArchivableValue)]) throws -> DetachedArchive {
    archive.value.keepsSegments = true
    try fillColumns(roots)
    return try archive.value.finishFilled { row(at: $0) }
  }

  /// Whether a program will read the archive. If true, the encoder checks that the program can find each
  /// class by its name.
  var isForReading = false

  private func fillColumns(_ roots: [(name: String, value: any ArchivableValue)]) throws {
    let roots = try replaced(roots)
    if options.isCanonical { canonicalOrder.begin(roots.map(\.value)) }
    defer { if options.isCanonical { canonicalOrder.prepareForReuse() } }
    let columns = try beginRoots(roots)
    do {
      try write(roots, to: columns)
      try writeObjects()
      if hooks.haveReadObjects { try addLateWeakTargets() }
      if !replaceableTargets.isEmpty { try checkReplacementsOfWeakTargets() }
      try checkOwnership()
      if classes.value.hasNewTypes { checkReadability() }
      if isForReading, !classes.value.privateTypes.isEmpty {
        try PrivateNames.check(classes.value.privateTypes, roots: self.roots.map(\.type))
      }
      if checksIdentity { try checkIdentity() }
    } catch let error as ArchiveError {
      throw located(error, roots: roots.map(\.value))
    }
  }

  private func write(_ roots: [(name: String, value: any ArchivableValue)], to columns: ColumnWriterSet)
    throws
  {
    references.value.location = ValueBoxes.Location()
    do {
      for (index, root) in roots.enumerated() { try root.value.__write(to: columns.column(index)) }
    } catch var error as ArchiveError {
      if let key = error.key, error.objectPath == nil, error.objectAddress == nil {
        error.objectPath = ObjectPath(to: key, columns.steps(of: error)).text
      }
      throw error
    }
  }

  /// Whether this encoder can write an archive of `roots` with `options`: its earlier archives had equal
  /// options, and roots with the same names and types.
  func fits(_ roots: [(name: String, value: any ArchivableValue)], _ options: ArchiveOptions) -> Bool {
    guard options == self.options, roots.count == self.roots.count else { return false }
    for index in roots.indices {
      let known = self.roots[index]
      guard type(of: roots[index].value) == known.type,
        roots[index].name.hasSameBytes(as: known.name)
      else { return false }
    }
    return true
  }

  /// Whether the encoder can write another archive. False if an archived class is hand-written, because its
  /// objects choose their keys, or if a root has hooks.
  var isReusable: Bool { classes.value.areReusable && !rootsHaveHooks }

  /// Releases all objects and values, so that the encoder can write the next archive, whose roots have the
  /// same names and types.
  func prepareForReuse(byteCount: Int) {
    archive.value.prepareForReuse(byteCount: byteCount)
    classes.value.prepareForReuse()
    references.value.prepareForReuse()
    if !weakTargets.isEmpty { weakTargets = [] }
    if !replaceableTargets.isEmpty { replaceableTargets = [] }
    hooks.prepareForReuse()
    valueBoxes.removeAll()
    unsafe currentWriter.value = nil
  }

  /// Adds the class of the roots, and the row with their values. Returns its columns.
  func beginRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> ColumnWriterSet {
    let index = try self.roots.isEmpty ? addRoots(roots) : archive.value.reuseClass()
    try rootIsolation.check()
    try archive.value.addRows(1, classIndex: index)
    return archive.value.columnSet(ofClass: index)
  }

  /// Adds the class of the roots. Returns its index. Throws `duplicateKey` if two roots have the same name.
  /// Spec: 05-graph, rule W4.
  private func addRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> Int {
    if let name = Self.repeatedName(roots) {
      throw ArchiveError(
        .duplicateKey, found: "two roots with the name '\(name)'", expected: "distinct names", key: name)
    }
    let context = __TypeEncodingContext()
    let columns = try roots.map { root in
      let encoding = try context.encoding(of: type(of: root.value))
      return ColumnDescription(
        declaringClassIndex: 0, key: root.name,
        attributes: PropertyAttributes(type: encoding, flags: [], ivar: nil), flags: [])
    }
    let index = try classes.value.addRoots(columns)
    self.roots = roots.map { ($0.name, type(of: $0.value)) }
    rootIsolation = ActorIsolation(mainActorType: context.mainActorType)
    return index
  }

  private static func repeatedName(_ roots: [(name: String, value: any ArchivableValue)]) -> String? {
    // One root needs no set. The first set of strings that a program creates costs as much as a small
    // archive.
    guard roots.count > 1 else { return nil }
    var names: Set<ExactName> = []
    return roots.first { !names.insert(ExactName($0.name)).inserted }?.name
  }

  /// Returns the name of a root. Nil if no root has the index.
  func rootName(_ index: Int) -> String? { roots.indices.contains(index) ? roots[index].name : nil }

  /// The layout of the roots' columns.
  var rootLayout: ColumnLayout { archive.value.columnSet(ofClass: 0).layout }

  /// Warns of each class whose objects perhaps cannot be read again. Classes that were checked for an earlier
  /// archive of this encoder are not checked again.
  private func checkReadability() {
    guard let onWarning else { return }
    var check = ReadabilityCheck(roots: roots.map(\.type), warn: onWarning)
    for type in classes.value.takeNewTypes() { check.check(type) }
  }

  // MARK: Objects

  /// Writes all objects that have a row, beginning with the object at index `first`. The objects that they
  /// reach get rows and are written too.
  private func writeObjects(from first: Int = 0) throws {
    var next = first
    while next < objectCount {
      if boundary != nil, try writeShared(next) {
        next += 1
        continue
      }
      let writer = unsafe try writer(ofObjectAt: next)
      unsafe currentWriter.value = unsafe writer
      try unsafe writer._withUnsafeGuaranteedRef { try writeRun($0.type, $0, &next) }
    }
  }

  /// Adds the targets of weak properties that were nil when their objects were written. These properties were
  /// set later, when lazy objects were read.
  private func addLateWeakTargets() throws {
    // The class of a written row is known. A shared object has a row without values.
    let classIndex = { [self] (row: Int) throws -> Int in
      guard row > 0 else { return 0 }
      let object = unsafe object(at: row - 1).takeUnretainedValue()
      return isShared(object) ? -1 : try writer(of: object).index
    }
    var unset: [WeakReferenceKey] = []
    try archive.value.fillNilWeakReferences(classIndex: classIndex) { row, node in
      unset.append(WeakReferenceKey(row: row, node: node))
      return 0
    }
    let writtenCount = objectCount
    var addresses: [WeakReferenceKey: UInt] = [:]
    var locations: [WeakReferenceKey: StorageLocation?] = [:]
    for reference in unset where reference.row > 0 {
      let object = unsafe object(at: reference.row - 1).takeUnretainedValue()
      let writer = try writer(of: object)
      guard let property = writer.layout.roots.firstIndex(of: reference.node),
        writer.shape.slots.indices.contains(property)
      else { continue }
      let key = WeakReferenceKey(row: writer.index, node: property)
      let location = locations[key] ?? writer.shape.location(ofSlot: property)
      locations[key] = .some(location)
      guard let target = try weakTarget(of: object, property, writer, at: location) else { continue }
      unsafe currentWriter.value = unsafe .passUnretained(writer)
      addLateWeakTarget(target, writer.column(property))
      addresses[reference] = UInt(bitPattern: ObjectIdentifier(target))
    }
    try archive.value.fillNilWeakReferences(classIndex: classIndex) { row, node in
      addresses[WeakReferenceKey(row: row, node: node)] ?? 0
    }
    // Targets that a copy shares got rows of their own.
    try writeObjects(from: writtenCount)
  }

  /// Identifies a weak reference of an object, or a weak property of a class. For a reference, `row` is the
  /// row of the object and `node` is the node in the layout of its class. For a property, `row` is the index
  /// of the class, not a row, and `node` is the slot.
  private struct WeakReferenceKey: Hashable {
    let row: Int
    let node: Int
  }

  private func writer(ofObjectAt index: Int) throws -> Unmanaged<ClassWriter> {
    do {
      return unsafe try object(at: index)._withUnsafeGuaranteedRef {
        unsafe try classes.value.writer(of: $0)
      }
    } catch let error as ArchiveError {
      throw error.located(objectID: ObjectID(rawValue: UInt32(index + 1)))
    }
  }

  /// Writes objects from index `next` on, as long as they have the same class and fit in the segment.
  private func writeRun<Object: Archivable>(
    _ type: Object.Type, _ writer: ClassWriter, _ next: inout Int
  ) throws {
    archive.value.expectedRowCount = objectCount + 1
    let capacity = countOfCopied(type, from: next, atMost: try archive.value.rowCapacity())
    let first = next
    let encoder = writer.encoder
    let (boxesValues, readsFields) = (writer.boxesValues, writer.readsFields)
    repeat {
      // A keyed column needs the number of rows, including the current row.
      if writer.isKeyed { try archive.value.addRows(1, classIndex: writer.index) }
      if writer.hasConstructionReferences {
        references.value.currentRow = UInt32(truncatingIfNeeded: next + 1)
      }
      references.value.prefetch(from: next)
      do {
        try unsafe object(at: next)._withUnsafeGuaranteedRef {
          if boxesValues { references.value.location = ValueBoxes.Location(owner: ObjectIdentifier($0)) }
          if readsFields {
            unsafe try unsafeDowncast($0, to: Object.self).encode(to: writer.encoder(of: $0))
          } else {
            unsafe try unsafeDowncast($0, to: Object.self).encode(to: encoder)
          }
        }
      } catch let error as ArchiveError {
        throw located(error, in: writer, objectIndex: next)
      }
      next += 1
    } while unsafe next < objectCount && next - first < capacity
      && object(at: next)._withUnsafeGuaranteedRef { Swift.type(of: $0) == type }
    if !writer.isKeyed { try archive.value.addRows(next - first, classIndex: writer.index) }
  }

  /// The number of objects with rows.
  var objectCount: Int { references.value.objects.count }

  /// Returns the object in row `index + 1`.
  func object(at index: Int) -> Unmanaged<AnyObject> { unsafe references.value.objects[index] }

  /// Returns the writer of an object's class.
  func writer(of object: AnyObject) throws -> ClassWriter {
    try unsafe classes.value.writer(of: object).takeUnretainedValue()
  }

  /// Adds all archived objects to the table, so that `row(of:)` finds each of them.
  func listObjects() { references.value.listAll() }

  /// Returns the row of an object. 0 if it has none.
  func row(of object: AnyObject) -> UInt32 { row(at: UInt(bitPattern: ObjectIdentifier(object))) }

  /// Returns the row of the object at an address. If a replacement is archived instead of the object, returns
  /// the row of the replacement. 0 if there is no such row.
  private func row(at address: UInt) -> UInt32 {
    let row = references.value.identities.row(of: address)
    return row == 0 && hooks.haveReplacements ? rowOfReplacement(at: address) : row
  }

  @inline(never)
  private func rowOfReplacement(at address: UInt) -> UInt32 {
    guard let replacement = hooks.replacement(at: address) else { return 0 }
    return references.value.identities.row(of: UInt(bitPattern: ObjectIdentifier(replacement)))
  }

  /// Assigns the next row to an object that has none. Returns the row.
  func assignRow(to object: AnyObject, isUnique: Bool = false) -> UInt32 {
    unsafe references.value.number(.passUnretained(object), isUnique: isUnique)
  }

  /// Throws `lostIdentity` if an object has two rows. Spec: 05-graph, rule W7.
  private func checkIdentity() throws {
    let check = try IdentityCheck(references.value.objects)
    for target in weakTargets {
      try check.check(weakTarget: archivedSoFar(for: target), isWrittenAs: row(of: target))
    }
  }
}
