/// Walks a graph and writes it: the list of numbered objects is the worklist, so that no function recurses over
/// objects.
///
/// One encoder writes one archive; small ones leave it to `EncoderPool` for the next archive of the same roots.
@safe final class GraphEncoder: @unchecked Sendable {  // Belongs to who took it out of the pool.
  /// What a reference that is encoded means.
  enum Mode {
    /// Discover its target and append its row.
    case writing
    /// List its target: the object in hand is to be numbered after it.
    case collecting
    /// Append the row of a target that has one, to compare keys.
    case ordering
    /// Discover its target and write nothing.
    case walking
  }

  var mode = Mode.writing { didSet { updateReferences() } }
  /// Whether references encoded now do not keep their targets.
  private var isUnowned: Bool {
    get { unsafe references.pointee.isUnowned }
    set { unsafe references.pointee.isUnowned = newValue }
  }

  /// Its calls run no code but the archive's own, so no access can overlap another one.
  @exclusivity(unchecked) var archive: ArchiveWriter
  let options: Archiver.Options
  /// What generated code needs to write a reference; columns lead to it.
  let references: UnsafeMutablePointer<ReferenceWriter>
  /// Who refers to an object that nothing was seen to keep, so far.
  private var unownedReferrers: [UInt32: (className: String?, key: String?)] = [:]
  /// Targets of weak references: they must live until their addresses are looked up.
  private var weakTargets: ContiguousArray<AnyObject> = []
  @exclusivity(unchecked) private var writers = ClassWriterTable()
  /// The classes of the archive, and behind them those of earlier ones that it did not meet so far; the roots first.
  private var classes: [(name: String, type: ObjectIdentifier)] = []
  private var roots: [(name: String, type: any ArchivableValue.Type)] = []
  private var rootIsolation = ActorIsolation(mainActorType: nil)
  /// Not retained for each run of objects: `writers` keeps it.
  @exclusivity(unchecked) private var currentWriter: Unmanaged<ClassWriter>?
  /// What `collecting` found.
  private var collected: [ConstructionTarget] = []
  private var collectionCount = 0
  /// Whether the finished graph is looked over by `IdentityCheck`.
  var checksIdentity = IdentityCheck.isAskedFor
  /// Whether the keys of sets and dictionaries are checked by `DistinctKeys`.
  var checksKeys = true
  /// Columns that keys are compared by, by the keys' type.
  var orderingColumns: [ObjectIdentifier: ColumnWriterSet] = [:]
  /// How objects are compared by `ObjectRanks`, if they are.
  var comparison: ObjectComparison?
  /// The roots while they are written, and the ranks of all objects that they reach, once some were asked for.
  private var rootValues: [any ArchivableValue] = []
  private var knownRanks: ObjectRanks?

  init(options: Archiver.Options) {
    self.options = options
    unsafe archive = ArchiveWriter(
      compression: options.compression, metadata: options.metadata.map { ($0.key, $0.value) })
    unsafe references = .allocate(capacity: 1)
    unsafe references.initialize(to: ReferenceWriter(graph: .passUnretained(self)))
    unsafe archive.context = UnsafeMutableRawPointer(references)
  }

  var objectCount: Int { unsafe references.pointee.objects.count }

  /// The object in row `index + 1`.
  private func object(at index: Int) -> Unmanaged<AnyObject> { unsafe references.pointee.objects[index] }

  deinit {
    unsafe references.pointee.free()
    unsafe references.deinitialize(count: 1)
    unsafe references.deallocate()
  }

  /// The encoder that owns a column. Every column that Arc writes to was made by an `ArchiveWriter` whose context
  /// belongs to its graph encoder, which lives until the writer is gone.
  static func of(_ column: ColumnWriter) -> GraphEncoder {
    unsafe ReferenceWriter.of(column).pointee.graph.takeUnretainedValue()
  }

  // MARK: Objects

  /// Writes the roots and all that they reach; returns the file.
  func archive(roots: [(name: String, value: any ArchivableValue)]) throws -> [UInt8] {
    if options.isCanonical { rootValues = roots.map(\.value) }
    defer { if options.isCanonical { (rootValues, knownRanks) = ([], nil) } }
    let set = try beginRoots(roots)
    for (position, root) in roots.enumerated() { try root.value.__write(to: set.column(position)) }
    try writeObjects()
    try checkOwnership()
    if checksIdentity { try checkIdentity() }
    return unsafe try archive.finish { address in unsafe self.references.pointee.identities.row(of: address) }
  }

  /// Whether this encoder wrote archives of such roots before.
  func fits(_ roots: [(name: String, value: any ArchivableValue)], _ options: Archiver.Options) -> Bool {
    guard options == self.options, roots.count == self.roots.count else { return false }
    for index in roots.indices {
      let known = self.roots[index]
      guard type(of: roots[index].value) == known.type,
        roots[index].name.hasSameBytes(as: known.name)
      else { return false }
    }
    return true
  }

  /// Whether the columns of all classes follow from the classes alone.
  var isReusable: Bool { unsafe !writers.isKeyed }

  /// Lets go of all objects and values, to write the next archive of the same roots.
  func restart(byteCount: Int) {
    unsafe archive.restart(byteCount: byteCount)
    unsafe writers.restart()
    unsafe references.pointee.restart()
    if !weakTargets.isEmpty { weakTargets = [] }
    if !collected.isEmpty { collected = [] }
    unsafe currentWriter = nil
  }

  private func beginRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> ColumnWriterSet {
    let index = unsafe try self.roots.isEmpty ? addRoots(roots) : archive.reuseClass()
    try rootIsolation.check()
    unsafe try archive.addRows(1, classIndex: index)
    return unsafe archive.columnSet(ofClass: index)
  }

  private func addRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> Int {
    if let name = Self.repeatedName(roots) {
      throw ArchiveError(.duplicateKey, found: "two roots with the name '\(name)'", key: name)
    }
    let context = TypeEncodingContext()
    let columns = try roots.map { root in
      let encoding = try context.encoding(of: type(of: root.value))
      return ColumnDescription(
        declaringClass: 0, key: root.name,
        attributes: PropertyAttributes(type: encoding, flags: [], ivar: nil), flags: [])
    }
    let index = unsafe try archive.addClass(
      ClassDescription(name: ClassDescription.rootsName, superclass: nil, columns: columns))
    classes.append((ClassDescription.rootsName, ObjectIdentifier(GraphEncoder.self)))
    self.roots = roots.map { ($0.name, type(of: $0.value)) }
    rootIsolation = ActorIsolation(mainActorType: context.mainActorType)
    return index
  }

  private static func repeatedName(_ roots: [(name: String, value: any ArchivableValue)]) -> String? {
    // One root needs no set. The first set of strings that a program makes costs as much as a small archive.
    guard roots.count > 1 else { return nil }
    var names: Set<ExactName> = []
    return roots.first { !names.insert(ExactName($0.name)).inserted }?.name
  }

  private func writeObjects() throws {
    var next = 0
    while next < objectCount {
      let writer = try unsafe object(at: next)._withUnsafeGuaranteedRef {
        unsafe try self.writer(ofNumbered: $0)
      }
      try unsafe writer._withUnsafeGuaranteedRef { try writeRun($0.type, $0, &next) }
    }
  }

  /// Writes objects from position `next` on for as long as they are of one class and fit into the segment.
  private func writeRun<Object: Archivable>(
    _ type: Object.Type, _ writer: ClassWriter, _ next: inout Int
  ) throws {
    unsafe archive.expectedRowCount = objectCount + 1
    let room = unsafe try archive.roomForRows()
    let first = next
    unsafe currentWriter = .passUnretained(writer)
    let encoder = unsafe ObjectEncoder(writer, columns: writer.columns)
    repeat {
      // A key's column asks how many rows there are.
      if writer.isKeyed { unsafe try archive.addRows(1, classIndex: writer.index) }
      if writer.visitsConstructionReferences {
        unsafe references.pointee.currentRow = UInt32(truncatingIfNeeded: next + 1)
      }
      unsafe references.pointee.lookAhead(from: next)
      do {
        try unsafe object(at: next)._withUnsafeGuaranteedRef {
          unsafe try unsafeDowncast($0, to: Object.self).encode(to: encoder)
        }
      } catch let error as ArchiveError {
        throw error.located(className: writer.name, objectID: ObjectID(rawValue: UInt32(next + 1)))
      }
      next += 1
    } while unsafe next < objectCount && next - first < room
      && object(at: next)._withUnsafeGuaranteedRef { Swift.type(of: $0) == type }
    if !writer.isKeyed { unsafe try archive.addRows(next - first, classIndex: writer.index) }
  }

  /// Numbers all objects that roots reach and writes nothing; construction targets stand before their referrers.
  func walk(_ roots: [any ArchivableValue]) throws -> ContiguousArray<any Archivable> {
    let set = try beginRoots(roots.enumerated().map { ("\($0)", $1) })
    mode = .walking
    unsafe references.pointee.listAll()
    for (position, root) in roots.enumerated() { try root.__write(to: set.column(position)) }
    var next = 0
    var walked: ContiguousArray<any Archivable> = []
    while next < objectCount {
      guard let object = unsafe object(at: next).takeUnretainedValue() as? any Archivable else { break }
      walked.append(object)
      next += 1
      let writer = try writer(of: object)
      unsafe currentWriter = .passUnretained(writer)
      unsafe try object.encode(to: ObjectEncoder(writer, columns: writer.columns(in: .walking)))
      if next % 64 == 0 || writer.isKeyed { writer.scratch.reset() }
    }
    return walked
  }

  /// The ranks of all objects that the roots reach. O(objects · log objects) at least, once.
  func ranks() throws -> ObjectRanks {
    if let knownRanks { return knownRanks }
    let ranks = try ObjectRanks(of: rootValues)
    knownRanks = ranks
    return ranks
  }

  /// An unowned reference whose target nothing keeps would dangle when it is read. Spec: 05-graph, rule G6.
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

  private func checkIdentity() throws {
    let check = try unsafe IdentityCheck(references.pointee.objects)
    for target in weakTargets { try check.check(weakTarget: target, isWrittenAs: row(of: target)) }
  }

  // MARK: References

  /// Whether references to numbered objects are just rows now, which generated code appends by itself.
  private func updateReferences() {
    let discovers = (mode == .writing || mode == .walking) && unownedReferrers.isEmpty
    unsafe references.pointee.numbersObjects = discovers
    // An object that has a row is not to be numbered before another one.
    unsafe references.pointee.isDirect = discovers || mode == .collecting
  }

  /// Appends a reference to a column of an archive, whatever it takes.
  static func write(_ object: (any Archivable)?, isSole: Bool = false, to column: ColumnWriter) throws {
    let graph = of(column)
    guard !column.__isWeak else { return graph.writeWeak(object, to: column) }
    guard let object else { return column.__append(0 as UInt32) }
    do {
      switch graph.mode {
      case .writing where column.isConstruction: try graph.writeEarlier(object, to: column)
      case .writing, .walking: column.__append(try graph.discover(object, column, isSole: isSole))
      case .collecting:
        guard graph.row(of: object) == 0 else { return }
        graph.collected.append(
          ConstructionTarget(object: object, slot: column.__slot, isUnowned: graph.isUnowned))
      case .ordering: column.__append(graph.numberInOrder(of: object))
      }
    } catch let error as ArchiveError {
      throw graph.located(error, in: column)
    }
  }

  /// The error with the key of the property, or the name of the root, that a column belongs to.
  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    error.located(key: unsafe key(column.__slot, of: currentWriter?.takeUnretainedValue()))
  }

  /// Appends a reference to an object that the one in hand cannot be built without, and which therefore has a row.
  /// Spec: 05-graph, rule G4.
  private func writeEarlier(_ object: any Archivable, to column: ColumnWriter) throws {
    let row = self.row(of: object)
    guard row != 0, unsafe row < references.pointee.currentRow else {
      throw ArchiveError(
        .constructionOrder,
        found:
          "a reference to an object of class '\(type(of: object))' that was not named when this object was "
          + "asked what it needs for construction", expected: "the same objects each time",
        remedy: "keep what encode(to:) or a getter makes in a property, or encode it during .linking")
    }
    _ = try discover(object, column, isSole: false)
    column.__append(row)
  }

  /// Appends a weak reference: whether a target that has no row gets one is known when everything is written.
  func writeWeak(_ object: (any Archivable)?, to column: ColumnWriter) {
    if mode == .ordering, let object { return column.__append(numberInOrder(of: object)) }
    let row = object.map(row) ?? 0
    if let object, row == 0, mode == .writing {
      weakTargets.append(object)
      column.appendUnsettled(Self.address(of: object))
    } else {
      column.__append(row)
    }
  }

  private static func address(of object: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(object)) }

  /// The row of an object, 0 if it has none.
  func row(of object: AnyObject) -> UInt32 {
    unsafe references.pointee.identities.row(of: Self.address(of: object))
  }

  /// The row of an object; numbers it, after the objects that it cannot be built without.
  private func discover(_ object: any Archivable, _ column: ColumnWriter, isSole: Bool) throws -> UInt32 {
    let known = isSole ? 0 : row(of: object)
    let row = known != 0 ? known : try number(object, isSole: isSole)
    if isUnowned {
      if known == 0 {
        let writer = unsafe currentWriter?.takeUnretainedValue()
        unownedReferrers[row] = (writer?.name, key(column.__slot, of: writer))
        updateReferences()
      }
    } else if unownedReferrers.removeValue(forKey: row) != nil {
      updateReferences()
    }
    return row
  }

  /// The key of a class's column, or without a writer the name of a root.
  private func key(_ slot: Int, of writer: ClassWriter?) -> String? {
    let columns = unsafe archive.classes[writer?.index ?? 0].columns
    return columns.indices.contains(slot) ? columns[slot].key : nil
  }

  /// Numbers an object. Those that it needs for construction come first: depth first, on a stack of our own.
  private func number(_ object: any Archivable, isSole: Bool) throws -> UInt32 {
    let targets = try constructionTargets(of: object)
    if targets.isEmpty { return append(object, isSole: isSole) }
    var stack = [ConstructionFrame(object, targets)]
    var open: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    while var frame = stack.popLast() {
      guard let target = frame.targets.popLast() else {
        open.remove(ObjectIdentifier(frame.object))
        let row = append(frame.object)
        if let referrer = frame.unownedReferrer {
          unownedReferrers[row] = referrer
          updateReferences()
        }
        continue
      }
      frame.slot = target.slot
      stack.append(frame)
      guard row(of: target.object) == 0 else { continue }
      guard open.insert(ObjectIdentifier(target.object)).inserted else {
        throw constructionCycle(stack, closing: target.object)
      }
      var next = try ConstructionFrame(target.object, constructionTargets(of: target.object))
      if target.isUnowned {
        let writer = try writer(of: frame.object)
        next.unownedReferrer = (writer.name, key(target.slot, of: writer))
      }
      stack.append(next)
    }
    return row(of: object)
  }

  private func append(_ object: AnyObject, isSole: Bool = false) -> UInt32 {
    unsafe references.pointee.number(.passUnretained(object), isSole: isSole)
  }

  /// What an object needs for construction and is not numbered yet, last one first.
  private func constructionTargets(
    of object: any Archivable
  ) throws -> [ConstructionTarget] {
    let writer = try writer(of: object)
    guard writer.visitsConstructionReferences else { return [] }
    let saved = (mode, isUnowned)
    mode = .collecting
    isUnowned = false
    defer { (mode, isUnowned) = saved }
    unsafe try object.encode(to: ObjectEncoder(writer, columns: writer.columns(in: .collecting)))
    // References to numbered objects went there.
    collectionCount += 1
    if collectionCount % 64 == 0 || writer.isKeyed { writer.scratch.reset() }
    guard !collected.isEmpty else { return [] }
    defer { collected.removeAll(keepingCapacity: true) }
    return collected.reversed()
  }

  private func constructionCycle(_ stack: [ConstructionFrame], closing object: any Archivable) -> ArchiveError
  {
    let start = stack.firstIndex { $0.object === object } ?? 0
    let path = stack[start...].map { frame in
      let slots = (try? ClassShape.of(type(of: frame.object)))?.slots ?? []
      return "\(type(of: frame.object))"
        + (slots.indices.contains(frame.slot) ? "." + slots[frame.slot].property.name : "")
    }
    return ArchiveError(
      .constructionCycle, found: (path + ["\(type(of: object))"]).joined(separator: " → "),
      expected: "a cycle with a link in it",
      remedy: "make one of these properties a 'var' that is optional or has an initial value")
  }

  // MARK: Classes

  /// The writer of a numbered object's class.
  private func writer(ofNumbered object: AnyObject) throws -> Unmanaged<ClassWriter> {
    if let known = unsafe knownWriter(type(of: object)) { return unsafe known }
    guard let type = type(of: object) as? any Archivable.Type else {
      throw ArchiveError(.notArchivable, found: "an object of class '\(type(of: object))'")
    }
    return unsafe try .passUnretained(makeWriter(type))
  }

  /// The writer of an object's class. Knowing that the object is archivable saves asking for the conformance of its
  /// class, for which the runtime goes through those of the whole program.
  func writer(of object: any Archivable) throws -> ClassWriter {
    let type = type(of: object)
    if let known = unsafe knownWriter(type) { return unsafe known.takeUnretainedValue() }
    return try makeWriter(type)
  }

  /// Not retained for each run of objects: `writers` keeps those that this archive has met.
  private func knownWriter(_ type: AnyClass) -> Unmanaged<ClassWriter>? {
    guard let known = unsafe writers[type] else { return nil }
    let isMet = unsafe known._withUnsafeGuaranteedRef { $0.isMet || meet($0, type) }
    return unsafe isMet ? known : nil
  }

  private func makeWriter(_ type: any Archivable.Type) throws -> ClassWriter {
    let shape = try ClassShape.of(type)
    try shape.isolation.check()
    let first = unsafe archive.classCount
    let index = try classIndex(of: shape.schema)
    if let writer = unsafe writers[type]?.takeUnretainedValue(), meet(writer, type) { return writer }
    let writer = ClassWriter(shape: shape, indices: min(first, index)...index, graph: self)
    unsafe writers.add(writer, for: type)
    note(writer, type)
    return writer
  }

  /// Takes over the writer of a class of an earlier archive, if the class has the same place in this one.
  private func meet(_ writer: ClassWriter, _ type: AnyClass) -> Bool {
    guard writer.shape.isolation.isRespected else { return false }
    if unsafe writer.index >= archive.classCount {
      // With its superclasses it comes next, and the classes before it are the same as then, with the same names.
      guard unsafe writer.firstIndex == archive.classCount else { return false }
      while unsafe archive.classCount <= writer.index { _ = unsafe archive.reuseClass() }
    }
    note(writer, type)
    return true
  }

  private func note(_ writer: ClassWriter, _ type: AnyClass) {
    writer.isMet = true
    if writer.shape.hasComputedReferences { unsafe references.pointee.listAll() }
    if !writer.visitsConstructionReferences { unsafe references.pointee.addPlainClass(type) }
  }

  /// The index of a class in the class table; superclasses come first.
  private func classIndex(of schema: ArchiveSchema) throws -> Int {
    if let known = unsafe classes[..<archive.classCount].firstIndex(where: {
      $0.name.hasSameBytes(as: schema.name)
    }) {
      guard classes[known].type == ObjectIdentifier(schema.type) else {
        throw ArchiveError(
          .nameConflict,
          found: "two classes with the coded name '\(schema.name)', one of them '\(schema.type)'",
          expected: "different names", remedy: "give one of them another with @Archivable(\"…\")",
          className: schema.name)
      }
      return known
    }
    let superclass = try schema.superclass.map(classIndex)
    let next = unsafe archive.classCount
    if next < classes.count {
      if classes[next].type == ObjectIdentifier(schema.type) { return unsafe archive.reuseClass() }
      // The rest of the classes that earlier archives had would come too early.
      unsafe archive.forgetUnusedClasses()
      classes.removeSubrange(next...)
      unsafe writers.remove(from: next)
    }
    var lineage = [next]
    var ancestor = superclass
    while let index = ancestor {
      lineage.append(index)
      ancestor = unsafe archive.classes[index].superclass
    }
    let columns = try ClassShape.of(schema.type).columns(lineage: lineage)
    let index = unsafe try archive.addClass(
      ClassDescription(name: schema.name, superclass: superclass, columns: columns))
    classes.append((schema.name, ObjectIdentifier(schema.type)))
    return index
  }

  // MARK: Keys

  /// Writes a value under a dynamic key: a presence bit for the row, then the value.
  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool, _ writer: ClassWriter,
    _ write: (ColumnWriter) throws -> Void
  ) throws {
    if mode == .collecting, !flags.contains(.construction) { return }
    let identity = ClassWriter.KeyedColumn(
      key: ExactName(key), type: ObjectIdentifier(type), flags: flags, isWeak: isWeak)
    let position = try writer.keyedColumns[identity] ?? addKeyedColumn(type, identity, writer)
    guard mode == .writing else { return try write(writer.scratchColumn(position).__child(0)) }
    guard unsafe writer.lastRows.updateValue(archive.rowCount, forKey: identity.key) != archive.rowCount
    else {
      throw ArchiveError(
        .duplicateKey, found: "a second value for one key", expected: "one value per key", key: key)
    }
    unsafe writer.set.padPresence(position, to: archive.rowsInSegment(ofClass: writer.index) - 1)
    let column = writer.set.column(position)
    column.__append(bit: true)
    do {
      try write(column.__child(0))
    } catch let error as ArchiveError {
      throw error.located(key: key)
    }
  }

  private func addKeyedColumn<Value: ArchivableValue>(
    _ type: Value.Type, _ identity: ClassWriter.KeyedColumn, _ writer: ClassWriter
  ) throws -> Int {
    var flags: EncodingFlags = [.nonatomic]
    if identity.isWeak { flags.insert(.weak) }
    let position = unsafe archive.classes[writer.index].columns.count
    unsafe try archive.addColumn(
      ColumnDescription(
        declaringClass: writer.index, key: identity.key.text,
        attributes: PropertyAttributes(
          type: TypeEncodingContext.encoding(of: type), flags: flags, ivar: nil),
        flags: identity.flags.union(.keyed)),
      toClass: writer.index)
    if identity.flags.contains(.construction) { writer.set.markAsConstruction(position) }
    writer.keyedColumns[identity] = position
    return position
  }
}

/// An object that another cannot be built without.
private struct ConstructionTarget {
  let object: any Archivable
  /// The property that refers to it.
  let slot: Int
  let isUnowned: Bool
}

/// An object on the stack of those that wait for their construction targets.
private struct ConstructionFrame {
  let object: any Archivable
  var targets: [ConstructionTarget]
  /// The slot of the target in hand.
  var slot = 0

  /// Who refers to it, if that does not keep it alive.
  var unownedReferrer: (className: String?, key: String?)?

  init(_ object: any Archivable, _ targets: [ConstructionTarget]) {
    self.object = object
    self.targets = targets
  }
}
