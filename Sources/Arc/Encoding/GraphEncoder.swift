import ArcFormat
import ArcRuntime

/// Walks a graph and writes it. The list of numbered objects is the worklist, so that no function recurses
/// over objects; it numbers them as they are first reached. Spec: 05-graph, rule F1.
///
/// One encoder writes one archive; small ones leave it to `EncoderPool` for the next archive of the same
/// roots.
///
/// Unchecked, because whoever took it out of the pool owns it.
@safe final class GraphEncoder: @unchecked Sendable {
  let options: ArchiveOptions
  let archive: Handle<ArchiveWriter>
  /// What generated code needs to write a reference; columns lead to it.
  let references: Handle<ObjectNumbering>
  let classes: Handle<ArchivedClasses>
  private(set) var roots: [(name: String, type: any ArchivableValue.Type)] = []
  private var rootIsolation = ActorIsolation(mainActorType: nil)
  /// The writer of the objects that are encoded now. In memory of its own, since it changes with each run.
  private let currentWriter: Handle<Unmanaged<ClassWriter>?>
  /// Called for classes that might not be read again.
  var warningHandler: (@Sendable (ArchiveError) -> Void)?
  /// Whether `IdentityCheck` checks the finished graph.
  var checksIdentity = IdentityCheck.isAskedFor
  /// Whether the keys of sets and dictionaries are checked by `DistinctKeys`.
  var checksKeys = true
  /// The boxes of values in places of any type.
  private let valueBoxes: ValueBoxes
  let hooks: ArchivingHooks
  /// Whether some root is of a class with hooks. Such roots are replaced before they have columns.
  var rootsHaveHooks = false
  private(set) lazy var constructionOrder = ConstructionOrder(of: self)
  private(set) lazy var canonicalOrder = CanonicalOrder(of: self)
  /// By row, the first that refers to an object that nothing was seen to keep so far.
  private var unownedReferrers: [UInt32: Referrer] = [:]
  /// Targets of weak references that had no row: kept alive until their addresses are looked up.
  private var weakTargets: ContiguousArray<AnyObject> = []
  /// Weak references to objects that may be replaced.
  private(set) var replaceableTargets: [(object: AnyObject, column: ColumnWriter, referrer: Referrer)] = []

  /// Makes an encoder; one that walks the graph of another has the same boxes and hooks.
  init(options: ArchiveOptions, boxes: ValueBoxes = ValueBoxes(), hooks: ArchivingHooks? = nil) {
    self.options = options
    valueBoxes = boxes
    archive = Handle(
      ArchiveWriter(compression: options.compression, metadata: options.metadata.map { ($0.key, $0.value) }))
    references = Handle(ObjectNumbering())
    self.hooks = hooks ?? ArchivingHooks(numbering: references)
    classes = Handle(ArchivedClasses(archive: archive, numbering: references))
    unsafe currentWriter = unsafe Handle(nil)
    archive.value.context = references.opaque
    references.value.lead(to: self)
  }

  deinit {
    classes.free()
    references.value.free()
    references.free()
    archive.free()
    unsafe currentWriter.free()
  }

  // MARK: Archives

  /// Writes the roots and all that they reach; returns the file.
  func archive(roots: [(name: String, value: any ArchivableValue)]) throws -> [UInt8] {
    try fillColumns(roots)
    return try archive.value.finish { row(at: $0) }
  }

  /// Fills columns with the roots and all that they reach; returns them.
  func fill(roots: [(name: String, value: any ArchivableValue)]) throws -> FilledArchive {
    archive.value.keepsSegments = true
    try fillColumns(roots)
    return try archive.value.finishFilled { row(at: $0) }
  }

  private func fillColumns(_ roots: [(name: String, value: any ArchivableValue)]) throws {
    let roots = try replaced(roots)
    if options.isCanonical { canonicalOrder.begin(roots.map(\.value)) }
    defer { if options.isCanonical { canonicalOrder.prepareForReuse() } }
    let columns = try beginRoots(roots)
    do {
      try write(roots, to: columns)
      try writeObjects()
      if !replaceableTargets.isEmpty { try askWeakTargets() }
      try checkOwnership()
      if let warningHandler { checkReadability(warningHandler) }
      if checksIdentity { try checkIdentity() }
    } catch let error as ArchiveError {
      throw located(error, roots: roots.map(\.value))
    }
  }

  private func write(_ roots: [(name: String, value: any ArchivableValue)], to columns: ColumnWriterSet)
    throws
  {
    references.value.place = ValueBoxes.Place()
    do {
      for (index, root) in roots.enumerated() { try root.value.__write(to: columns.column(index)) }
    } catch var error as ArchiveError {
      if let key = error.key, error.objectPath == nil {
        error.objectPath = ObjectPath(to: key, columns.steps(of: error)).text
      }
      throw error
    }
  }

  /// The error with the way from a root to the object that it names, and on to the property.
  private func located(_ error: ArchiveError, roots: [any ArchivableValue]) -> ArchiveError {
    var located = error
    located.valuePlace = nil
    // The way is from the object so far.
    guard let id = error.objectID, id.rawValue > 0, Int(id.rawValue) <= objectCount,
      error.objectPath?.first ?? "." == ".", error.code != .lostIdentity
    else { return located }
    located.objectPath = nil
    let object = unsafe object(at: Int(id.rawValue) - 1).takeUnretainedValue()
    if let path = ObjectSearch(in: self).path(to: object, from: roots) {
      located.objectPath = path.text + (error.objectPath ?? "")
    }
    return located
  }

  /// Whether this encoder wrote archives of such roots before.
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

  /// Whether the columns of all classes follow from the classes alone, not from keys that objects chose.
  var isReusable: Bool { classes.value.areReusable && !rootsHaveHooks }

  /// Releases all objects and values, to write the next archive of the same roots.
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

  private func beginRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> ColumnWriterSet {
    let index = try self.roots.isEmpty ? addRoots(roots) : archive.value.reuseClass()
    try rootIsolation.check()
    try archive.value.addRows(1, classIndex: index)
    return archive.value.columnSet(ofClass: index)
  }

  /// Adds the roots' columns. Throws `duplicateKey` for two roots with one name. Spec: 05-graph, rule W4.
  private func addRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> Int {
    if let name = Self.repeatedName(roots) {
      throw ArchiveError(.duplicateKey, found: "two roots with the name '\(name)'", key: name)
    }
    let context = TypeEncodingContext()
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
    // One root needs no set: the first set of strings that a program makes costs as much as a small archive.
    guard roots.count > 1 else { return nil }
    var names: Set<ExactName> = []
    return roots.first { !names.insert(ExactName($0.name)).inserted }?.name
  }

  /// The name of a root.
  func rootName(_ index: Int) -> String? { roots.indices.contains(index) ? roots[index].name : nil }

  /// The layout of the roots' columns.
  var rootLayout: ColumnLayout { archive.value.columnSet(ofClass: 0).layout }

  /// Warns of classes that might not be read again; asks nothing of classes that this encoder had before.
  private func checkReadability(_ warn: @escaping @Sendable (ArchiveError) -> Void) {
    let types = classes.value.takeNewTypes()
    if types.isEmpty { return }
    var check = ReadabilityCheck(roots: roots.map(\.type), warn: warn)
    for type in types { check.check(type) }
  }

  // MARK: Objects

  private func writeObjects() throws {
    var next = 0
    while next < objectCount {
      let writer = unsafe try writer(ofObjectAt: next)
      unsafe currentWriter.value = unsafe writer
      try unsafe writer._withUnsafeGuaranteedRef { try writeRun($0.type, $0, &next) }
    }
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

  /// Writes objects from index `next` on for as long as they are of one class and fit into the segment.
  private func writeRun<Object: Archivable>(
    _ type: Object.Type, _ writer: ClassWriter, _ next: inout Int
  ) throws {
    archive.value.expectedRowCount = objectCount + 1
    let capacity = try archive.value.rowCapacity()
    let first = next
    let encoder = writer.encoder
    let boxesValues = writer.boxesValues
    repeat {
      // The column of a key asks how many rows there are.
      if writer.isKeyed { try archive.value.addRows(1, classIndex: writer.index) }
      if writer.hasConstructionReferences {
        references.value.currentRow = UInt32(truncatingIfNeeded: next + 1)
      }
      references.value.prefetch(from: next)
      do {
        try unsafe object(at: next)._withUnsafeGuaranteedRef {
          if boxesValues { references.value.place = ValueBoxes.Place(owner: ObjectIdentifier($0)) }
          unsafe try unsafeDowncast($0, to: Object.self).encode(to: encoder)
        }
      } catch let error as ArchiveError {
        throw located(error, in: writer, objectIndex: next)
      }
      next += 1
    } while unsafe next < objectCount && next - first < capacity
      && object(at: next)._withUnsafeGuaranteedRef { Swift.type(of: $0) == type }
    if !writer.isKeyed { try archive.value.addRows(next - first, classIndex: writer.index) }
  }

  /// The error with the class and the row of an object, and the way from there to the value.
  private func located(_ error: ArchiveError, in writer: ClassWriter, objectIndex: Int) -> ArchiveError {
    var located = error.located(
      className: writer.name, objectID: ObjectID(rawValue: UInt32(objectIndex + 1)))
    // An error may name another class: that of an object which the reference leads to.
    let key = writer.key(of: error) ?? (error.className == nil ? error.key : nil)
    if let key, error.objectID == nil, error.objectPath == nil {
      located.objectPath = "." + ObjectPath(to: key, writer.steps(of: error)).text
    }
    return located
  }

  /// Assigns rows to all objects that roots reach and writes nothing; construction targets precede their
  /// referrers.
  func walk(_ roots: [any ArchivableValue]) throws -> ContiguousArray<any Archivable> {
    checksKeys = false
    let columns = try beginRoots(roots.enumerated().map { ("\($0)", $1) })
    references.value.listAll()
    for (index, root) in roots.enumerated() { try root.__write(to: columns.column(index)) }
    var scratch: [ObjectIdentifier: ScratchColumns] = [:]
    var walked: ContiguousArray<any Archivable> = []
    while walked.count < objectCount {
      guard let object = unsafe object(at: walked.count).takeUnretainedValue() as? any Archivable else {
        break
      }
      walked.append(object)
      let writer = unsafe try classes.value.writer(of: object)
      unsafe currentWriter.value = unsafe writer
      let type = ObjectIdentifier(type(of: object))
      let columns =
        unsafe scratch[type] ?? ScratchColumns(of: writer.takeUnretainedValue(), context: references)
      scratch[type] = columns
      try columns.encode(object)
      columns.removeAllIfLarge()
    }
    return walked
  }

  /// The number of objects that have rows.
  var objectCount: Int { references.value.objects.count }

  /// The object in row `index + 1`.
  private func object(at index: Int) -> Unmanaged<AnyObject> { unsafe references.value.objects[index] }

  /// The writer of an object's class.
  func writer(of object: AnyObject) throws -> ClassWriter {
    try unsafe classes.value.writer(of: object).takeUnretainedValue()
  }

  /// The row of an object, 0 if it has none.
  func row(of object: AnyObject) -> UInt32 { row(at: UInt(bitPattern: ObjectIdentifier(object))) }

  /// The row of what is archived for the object at an address, 0 if that has none.
  private func row(at address: UInt) -> UInt32 {
    let row = references.value.identities.row(of: address)
    guard row == 0, hooks.haveReplacements, let replacement = hooks.replacement(at: address) else {
      return row
    }
    return references.value.identities.row(of: UInt(bitPattern: ObjectIdentifier(replacement)))
  }

  /// Assigns the next row to an object that has none.
  func assignRow(to object: AnyObject, isUnique: Bool = false) -> UInt32 {
    unsafe references.value.number(.passUnretained(object), isUnique: isUnique)
  }

  /// Throws `lostIdentity` if some object has two rows. Spec: 05-graph, rule W7.
  private func checkIdentity() throws {
    let check = try IdentityCheck(references.value.objects)
    for target in weakTargets {
      try check.check(weakTarget: archivedSoFar(for: target), isWrittenAs: row(of: target))
    }
  }
}

// MARK: - References

/// What has a reference, for errors that are found when everything is written.
struct Referrer {
  let className: String?
  let key: String?
}

extension GraphEncoder: ReferenceSink {
  var archiveContext: ArchiveContext { hooks.context }

  func boxes() -> ValueBoxes { valueBoxes }

  /// Appends a reference to a column of the archive; assigns a row to its object if need be.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    guard !column.isWeak else { return writeWeak(object, to: column) }
    guard let object else { return column.append(0 as UInt32) }
    if classes.value.hooks(of: object).isEmpty {
      try append(object, isUnique: isUnique, to: column)
    } else {
      try appendArchived(object, isUnique: isUnique, to: column)
    }
  }

  /// Appends a reference to what is archived for an object of a class with hooks.
  @inline(never)
  private func appendArchived(_ object: AnyObject, isUnique: Bool, to column: ColumnWriter) throws {
    let archived = try archived(object)
    guard archived !== object else { return try append(object, isUnique: isUnique, to: column) }
    do { try checkReplacement(archived, of: object, in: column) } catch let error as ArchiveError {
      throw located(error, in: column)
    }
    try append(archived, isUnique: false, to: column)
  }

  private func append(_ object: AnyObject, isUnique: Bool, to column: ColumnWriter) throws {
    do {
      if column.isConstruction { try checkIsEarlier(object) }
      column.append(try row(assignedTo: object, column, isUnique: isUnique))
    } catch let error as ArchiveError {
      throw located(error, in: column)
    }
  }

  /// Throws `constructionOrder` unless an object that the current one cannot be built without has an earlier
  /// row. Spec: 05-graph, rules G4 and W8.
  private func checkIsEarlier(_ object: AnyObject) throws {
    let row = row(of: object)
    guard row == 0 || row >= references.value.currentRow else { return }
    throw ArchiveError(
      .constructionOrder,
      found:
        "a reference to an object of class '\(type(of: object))' that was not named when this object was "
        + "asked what it needs for construction", expected: "the same objects each time",
      remedy: "keep what encode(to:) or a getter makes in a property, or encode it during .linking")
  }

  /// Appends a weak reference. Whether a target without a row gets one is known only when everything is
  /// written; if not, nil is written. Spec: 05-graph, rule G7.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) {
    let row = object.map(row) ?? 0
    if let object, hooks.areCalled, classes.value.hooks(of: object).contains(.replacing) {
      replaceableTargets.append((object, column, referrer(by: column)))
    }
    if let object, row == 0 {
      weakTargets.append(object)
      column.appendUnsettled(UInt(bitPattern: ObjectIdentifier(object)))
    } else {
      column.append(row)
    }
  }

  /// The row of an object; one that has none is assigned one, after the objects that it cannot be built
  /// without.
  private func row(assignedTo object: AnyObject, _ column: ColumnWriter, isUnique: Bool) throws -> UInt32 {
    let known = isUnique ? 0 : row(of: object)
    let row = known != 0 ? known : try constructionOrder.number(object, isUnique: isUnique)
    if references.value.isUnowned {
      if known == 0 {
        noteUnowned(row, by: referrer(by: column))
      }
    } else if unownedReferrers.removeValue(forKey: row) != nil {
      references.value.isDirect = unownedReferrers.isEmpty
    }
    return row
  }

  /// Notes that nothing was seen to keep the object of a row so far. Until something does, every reference
  /// takes the slow path.
  func noteUnowned(_ row: UInt32, by referrer: Referrer) {
    unownedReferrers[row] = referrer
    references.value.isDirect = false
  }

  /// Throws `unownedTarget` for an unowned reference whose target nothing keeps: it would dangle when it is
  /// read. Spec: 05-graph, rule G6.
  private func checkOwnership() throws {
    guard let (row, referrer) = unownedReferrers.min(by: { $0.key < $1.key }) else { return }
    throw unsafe ArchiveError(
      .unownedTarget,
      found:
        "an unowned reference to an object of class '\(type(of: object(at: Int(row) - 1).takeUnretainedValue()))'",
      expected: "a strong reference to it somewhere in the graph",
      remedy: "archive the object's owner as well, or make the reference weak",
      className: referrer.className, key: referrer.key, objectID: ObjectID(rawValue: row))
  }

  /// The error with the key of the property, or the name of the root, that a column of the archive belongs
  /// to, and the value that would be appended next.
  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    var located = located(error, inSlot: column.slot)
    located.valuePlace = located.valuePlace ?? column.nextPlace
    return located
  }

  /// The error with the key of the property, or the name of the root.
  func located(_ error: ArchiveError, inSlot slot: Int) -> ArchiveError {
    error.located(key: currentKey(slot))
  }

  private func referrer(by column: ColumnWriter) -> Referrer {
    Referrer(className: currentClassName, key: currentKey(column.slot))
  }

  private var currentClassName: String? { unsafe currentWriter.value?.takeUnretainedValue().name }

  /// The key of a slot of the class whose objects are encoded, or the name of a root.
  private func currentKey(_ slot: Int) -> String? {
    let index = unsafe currentWriter.value?.takeUnretainedValue().index ?? 0
    let columns = archive.value.classes[index].columns
    return columns.indices.contains(slot) ? columns[slot].key : nil
  }

  /// Throws `duplicateKey` for keys that will be equal when they are read. Spec: 05-graph, rule W8.
  func checkDistinct<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter
  ) throws {
    guard column.keyCheck != .notNeeded, keys.count > 1, checksKeys else { return }
    do {
      try DistinctKeys.check(keys, column)
    } catch let error as ArchiveError {
      throw located(error, in: column)
    }
  }

  /// Itself, if the archive is to be in canonical form. Spec: 05-graph, section 8.
  var keyOrder: (any KeyOrder)? { options.isCanonical ? self : nil }
}

extension GraphEncoder: KeyOrder {
  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws {
    try canonicalOrder.append(keys, to: column, onlyCompares: false)
  }

  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter
  ) throws {
    try canonicalOrder.append(entries, to: keyColumn, valueColumn, onlyCompares: false)
  }
}
