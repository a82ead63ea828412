/// Walks a graph and writes it: the list of numbered objects is the worklist, so that no function recurses over
/// objects. One encoder writes one archive.
final class GraphEncoder {
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

  var mode = Mode.writing
  /// Whether references encoded now do not keep their targets.
  var isUnowned = false
  /// The slot that is being encoded, for errors.
  var currentSlot = 0

  let archive: ArchiveWriter
  private let options: Archiver.Options
  /// Row r is `objects[r - 1]`. Holding them keeps addresses from being used again.
  private(set) var objects: ContiguousArray<any Archivable> = []
  /// Whether something in the archive keeps `objects[r - 1]` alive.
  private var isOwned: ContiguousArray<Bool> = []
  /// Who refers to an object that nothing was seen to keep, so far.
  private var unownedReferrers: [UInt32: (className: String, key: String)] = [:]
  private var identities = IdentityTable()
  /// Targets of weak references: they must live until their addresses are looked up.
  private var weakTargets: ContiguousArray<AnyObject> = []
  private var writers: [ObjectIdentifier: ClassWriter] = [:]
  private var indices: [String: (index: Int, type: ObjectIdentifier)] = [:]
  private var lastType: ObjectIdentifier?
  private var lastWriter: ClassWriter?
  private var currentWriter: ClassWriter?
  /// What `collecting` found.
  private var collected: [(object: any Archivable, slot: Int)] = []
  private var nesting = 0

  init(options: Archiver.Options) {
    self.options = options
    archive = ArchiveWriter(compression: options.compression)
    unsafe archive.context = Unmanaged.passUnretained(self).toOpaque()
  }

  /// The encoder that owns a column. Every column that Arc writes to was made by an `ArchiveWriter` whose context
  /// is its graph encoder, which lives until the writer is gone.
  static func of(_ column: ColumnWriter) -> GraphEncoder {
    guard let context = unsafe column.__context else { preconditionFailure("a column outside an archive") }
    return unsafe Unmanaged<GraphEncoder>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Objects

  /// Writes the roots and all that they reach; returns the file.
  func archive(roots: [(name: String, value: any ArchivableValue)]) throws -> [UInt8] {
    let set = try beginRoots(roots)
    for (position, root) in roots.enumerated() { try root.value.__write(to: set.column(position)) }
    try writeObjects()
    try checkOwnership()
    return try archive.finish { [identities] in identities.row(of: $0) }
  }

  private func beginRoots(_ roots: [(name: String, value: any ArchivableValue)]) throws -> ColumnWriterSet {
    var names: Set<String> = []
    let columns = try roots.map { root in
      guard names.insert(root.name).inserted else {
        throw ArchiveError(.duplicateKey, found: "two roots with the name '\(root.name)'", key: root.name)
      }
      return ColumnDescription(
        declaringClass: 0, key: root.name,
        attributes: PropertyAttributes(type: TypeEncoding(of: type(of: root.value)), flags: [], ivar: nil),
        flags: [])
    }
    let index = try archive.addClass(
      ClassDescription(name: ClassDescription.rootsName, superclass: nil, columns: columns))
    try archive.beginRow(classIndex: index)
    return archive.columnSet(ofClass: index)
  }

  private func writeObjects() throws {
    var next = 0
    while next < objects.count {
      let object = objects[next]
      next += 1
      let writer = try writer(for: type(of: object))
      try archive.beginRow(classIndex: writer.index)
      currentWriter = writer
      do {
        try object.encode(to: ObjectEncoder(graph: self, writer: writer, firstSlot: 0))
      } catch let error as ArchiveError {
        throw error.located(className: writer.name, objectID: ObjectID(rawValue: UInt32(next)))
      }
    }
  }

  /// Numbers all objects that roots reach and writes nothing; construction targets stand before their referrers.
  func walk(_ root: some ArchivableValue) throws -> ContiguousArray<any Archivable> {
    let set = try beginRoots([("root", root)])
    mode = .walking
    try root.__write(to: set.column(0))
    var next = 0
    while next < objects.count {
      let object = objects[next]
      next += 1
      let writer = try writer(for: type(of: object))
      currentWriter = writer
      try object.encode(to: ObjectEncoder(graph: self, writer: writer, firstSlot: 0))
      if next % 64 == 0 || writer.shape.isKeyed { writer.scratch.reset() }
    }
    return objects
  }

  /// An unowned reference whose target nothing keeps would dangle when it is read. Spec: 05-graph, rule G6.
  private func checkOwnership() throws {
    guard let (row, referrer) = unownedReferrers.min(by: { $0.key < $1.key }) else { return }
    throw ArchiveError(
      .unownedTarget,
      found: "an unowned reference to an object of class '\(type(of: objects[Int(row) - 1]))'",
      expected: "a strong reference to it somewhere in the graph",
      remedy: "archive the object's owner as well, or make the reference weak",
      className: referrer.className, key: referrer.key, objectID: ObjectID(rawValue: row))
  }

  // MARK: References

  /// Appends a reference to a column of an archive.
  static func write(_ object: (any Archivable)?, to column: ColumnWriter) throws {
    let graph = of(column)
    guard !column.__isWeak else { return graph.writeWeak(object, to: column) }
    guard let object else { return column.__append(0 as UInt32) }
    switch graph.mode {
    case .writing, .walking: column.__append(try graph.discover(object, isOwned: !graph.isUnowned))
    case .collecting: graph.collected.append((object, graph.currentSlot))
    case .ordering: column.__append(graph.identities.row(of: address(of: object)))
    }
  }

  /// Appends a weak reference: its row is known when everything is written.
  func writeWeak(_ object: (any Archivable)?, to column: ColumnWriter) {
    guard mode != .collecting else { return }
    let address = object.map(Self.address) ?? 0
    if let object, mode == .writing, identities.row(of: address) == 0 { weakTargets.append(object) }
    column.__append(address)
  }

  private static func address(of object: any Archivable) -> UInt {
    UInt(bitPattern: ObjectIdentifier(object))
  }

  /// The row of an object; numbers it, after the objects that it cannot be built without.
  private func discover(_ object: any Archivable, isOwned owned: Bool) throws -> UInt32 {
    let known = identities.row(of: Self.address(of: object))
    let row = known != 0 ? known : try number(object)
    if owned {
      if !isOwned[Int(row) - 1] {
        isOwned[Int(row) - 1] = true
        unownedReferrers[row] = nil
      }
    } else if !isOwned[Int(row) - 1], unownedReferrers[row] == nil {
      unownedReferrers[row] = (currentWriter?.name ?? "", currentKey)
    }
    return row
  }

  private var currentKey: String {
    guard let slots = currentWriter?.shape.slots, slots.indices.contains(currentSlot) else { return "" }
    return slots[currentSlot].property.name
  }

  /// Numbers an object. Those that it needs for construction come first: depth first, on a stack of our own.
  private func number(_ object: any Archivable) throws -> UInt32 {
    guard try writer(for: type(of: object)).visitsConstructionReferences else { return append(object) }
    var stack = [try ConstructionFrame(object, constructionTargets(of: object))]
    var open: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    while var frame = stack.popLast() {
      guard let target = frame.targets.popLast() else {
        open.remove(ObjectIdentifier(frame.object))
        _ = append(frame.object)
        continue
      }
      frame.slot = target.slot
      stack.append(frame)
      guard identities.row(of: Self.address(of: target.object)) == 0 else { continue }
      guard open.insert(ObjectIdentifier(target.object)).inserted else {
        throw constructionCycle(stack, closing: target.object)
      }
      stack.append(try ConstructionFrame(target.object, constructionTargets(of: target.object)))
    }
    return identities.row(of: Self.address(of: object))
  }

  private func append(_ object: any Archivable) -> UInt32 {
    objects.append(object)
    isOwned.append(false)
    let row = UInt32(objects.count)
    identities.insert(Self.address(of: object), row: row)
    return row
  }

  /// What an object needs for construction and is not numbered yet, last one first.
  private func constructionTargets(
    of object: any Archivable
  ) throws -> [(object: any Archivable, slot: Int)] {
    let writer = try writer(for: type(of: object))
    guard writer.visitsConstructionReferences else { return [] }
    let saved = (mode, isUnowned, currentSlot)
    mode = .collecting
    isUnowned = false
    defer { (mode, isUnowned, currentSlot) = saved }
    collected.removeAll(keepingCapacity: true)
    try object.encode(to: ObjectEncoder(graph: self, writer: writer, firstSlot: 0))
    writer.scratch.reset()
    return collected.filter { identities.row(of: Self.address(of: $0.object)) == 0 }.reversed()
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

  private func writer(for type: any Archivable.Type) throws -> ClassWriter {
    let identity = ObjectIdentifier(type)
    if identity == lastType, let lastWriter { return lastWriter }
    let writer = try writers[identity] ?? addWriter(for: type)
    (lastType, lastWriter) = (identity, writer)
    return writer
  }

  private func addWriter(for type: any Archivable.Type) throws -> ClassWriter {
    let shape = try ClassShape.of(type)
    let writer = ClassWriter(shape: shape, index: try classIndex(of: shape.schema), in: archive)
    writers[ObjectIdentifier(type)] = writer
    return writer
  }

  /// The index of a class in the class table; superclasses come first.
  private func classIndex(of schema: ArchiveSchema) throws -> Int {
    if let known = indices[schema.name] {
      guard known.type == ObjectIdentifier(schema.type) else {
        throw ArchiveError(
          .nameConflict,
          found: "two classes with the coded name '\(schema.name)', one of them '\(schema.type)'",
          expected: "different names", remedy: "give one of them another with @Archivable(\"…\")",
          className: schema.name)
      }
      return known.index
    }
    let superclass = try schema.superclass.map(classIndex)
    let shape = try ClassShape.of(schema.type)
    var known = indices.mapValues(\.index)
    known[schema.name] = archive.classes.count
    let columns = shape.columns(classIndices: known)
    let index = try archive.addClass(
      ClassDescription(name: schema.name, superclass: superclass, columns: columns))
    indices[schema.name] = (index, ObjectIdentifier(schema.type))
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
      key: key, type: ObjectIdentifier(type), flags: flags, isWeak: isWeak)
    let position = try writer.keyedColumns[identity] ?? addKeyedColumn(type, identity, writer)
    guard mode == .writing else { return try write(writer.scratchColumn(position).__child(0)) }
    guard writer.lastRows.updateValue(archive.rowCount, forKey: key) != archive.rowCount else {
      throw ArchiveError(
        .duplicateKey, found: "a second value for one key", expected: "one value per key", key: key)
    }
    writer.set.padPresence(position, to: archive.rowsInSegment(ofClass: writer.index) - 1)
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
    let position = archive.classes[writer.index].columns.count
    try archive.addColumn(
      ColumnDescription(
        declaringClass: writer.index, key: identity.key,
        attributes: PropertyAttributes(type: TypeEncoding(of: type), flags: flags, ivar: nil),
        flags: identity.flags.union(.keyed)),
      toClass: writer.index)
    writer.keyedColumns[identity] = position
    return position
  }

  // MARK: Values

  /// Runs `body` one level deeper in a recursive value; throws when it gets too deep to be read again.
  func nested(_ body: () throws -> Void) throws {
    try Limits.check(nesting + 1, within: Limits.default.nesting, "nesting")
    nesting += 1
    defer { nesting -= 1 }
    try body()
  }

  /// The keys of a set or dictionary in an order that depends on their content only, if that is asked for.
  static func canonicalOrder<Key: ArchivableValue>(of keys: [Key], column: ColumnWriter) throws -> [Key]? {
    let graph = of(column)
    guard graph.options.isCanonical, graph.mode == .writing, keys.count > 1 else { return nil }
    if let strings = keys as? [String] {
      return strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } as? [Key]
    }
    graph.mode = .ordering
    defer { graph.mode = .writing }
    let scratch = unsafe ColumnWriterSet(strings: nil, context: column.__context)
    var layout = ColumnLayout()
    try layout.append(TypeEncoding(of: Key.self))
    scratch.extend(to: layout)
    let ordered = try keys.map { key in
      scratch.reset()
      try key.__write(to: scratch.column(0))
      return (bytes: scratch.comparableBytes(), key: key)
    }
    return ordered.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.key)
  }
}

/// An object on the stack of those that wait for their construction targets.
private struct ConstructionFrame {
  let object: any Archivable
  var targets: [(object: any Archivable, slot: Int)]
  /// The slot of the target in hand.
  var slot = 0

  init(_ object: any Archivable, _ targets: [(object: any Archivable, slot: Int)]) {
    self.object = object
    self.targets = targets
  }
}
