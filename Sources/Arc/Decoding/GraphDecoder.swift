import ArcFormat

/// Rebuilds a graph in phases, so that no function recurses over objects and no object is seen half-built:
/// verify, construct, link, hash, awake. Spec: 05-graph, section 3.
///
/// One decoder reads one archive; after a small one, `DecoderPool` keeps it for the next with the same
/// classes.
///
/// Unchecked, because whoever took it out of the pool owns it.
@safe final class GraphDecoder: ReferenceSource, @unchecked Sendable {
  let file: ArchiveFile
  let tables: ResolvedSchema
  var references: Handle<ObjectLookup> { tables.references }
  /// Whether the tables hold no object of the archive any more.
  private var isDone = true
  private var deferred: [DeferredLink] = []
  private var keyChecks: [KeyCheck] = []
  /// Rows that unowned references lead to, each with the column of the first such reference.
  var unownedTargets: [(row: Int, column: ColumnReader)] = []
  var nesting = 0
  private var logsReferences = false
  var log = ReferenceLog()
  /// Whether links may have been set.
  private var areLinksStarted = false
  /// While links are cut, an object of each class that is linked to nothing; nil otherwise.
  var standIns: [ObjectIdentifier: AnyObject]?

  /// A check for a set or dictionary whose keys refer to objects, made when all of these are linked.
  private struct KeyCheck {
    let column: ColumnReader
    let isConsistent: () -> Bool
  }

  /// An object whose hashed properties wait until all links are set, and the position of its columns.
  private struct DeferredLink {
    let row: Int
    let classIndex: Int
    let segment: Int
    let rowInClass: Int
    let states: [[Int]]
  }

  init(_ file: ArchiveFile, _ tables: ResolvedSchema) {
    self.file = file
    self.tables = tables
  }

  /// Opens another archive instead of the one that was read. False if it has another class table: then the
  /// decoder is not used any more, nor is it after an error.
  func reopen(_ bytes: ByteView, locationOfClasses location: Int) throws(ArchiveError) -> Bool {
    try file.reopen(bytes, locationOfClasses: location)
  }

  /// Forgets an archive that was read without an error, but not what follows from its class table.
  func restart() {
    tables.restart()
    file.close()
    if !deferred.isEmpty { deferred = [] }
    if !unownedTargets.isEmpty { unownedTargets = [] }
    if logsReferences { log = ReferenceLog() }
    areLinksStarted = false
  }

  deinit {
    if !isDone { references.value.objects.releaseAll() }
  }

  // MARK: Phases

  /// Builds all objects and passes the columns of the roots to `body`; on failure releases every object.
  ///
  /// With `logsReferences` it logs which object refers to which, to find those that no root holds.
  func rebuild<Result>(
    logsReferences: Bool, _ body: (ColumnReaderSet) throws -> Result
  ) throws -> Result {
    self.logsReferences = logsReferences
    try file.keepEverything()
    references.value.start(
      rowCount: file.rowCount, isLogging: logsReferences, source: self)
    isDone = false
    try file.verifyRows(isComplete: false)
    do {
      let rootColumns = try self.rootColumns()
      try makeReaders()
      if !logsReferences, mayMeetTargetsFirst { references.value.holders.keepFirstHolders() }
      try construct()
      try link(.link)
      try link(.observedLink)
      try fillHashed()
      references.value.currentRow = 0
      let result = try body(rootColumns)
      try checkKeys()
      guard logsReferences || references.value.holders.doRootsHoldAll else {
        throw UnclearHolding()
      }
      try awake()
      try cutUnreachable()
      try letGo()
      isDone = true
      return result
    } catch {
      cutLinks()
      throw error
    }
  }

  /// Thrown where some objects may be held by no root: whether it is so, only a log of all references can
  /// tell.
  struct UnclearHolding: Error {}

  /// Whether objects may precede all that hold them: targets of references that are needed to build an
  /// object, or that are unowned.
  private var mayMeetTargetsFirst: Bool {
    tables.readers.indices.contains { index in
      guard let reader = tables.readers[index] else { return false }
      return reader.hasUnownedReferences || file.tables.hasConstructionColumn[index]
    }
  }

  /// Makes the readers of the classes with rows; looks for no class without any. Spec: 06-evolution, rule M1.
  private func makeReaders() throws {
    let counts = file.checkedRowCounts
    // The table outlives a decoder, which may be used again on another thread.
    for index in tables.readers.indices { try tables.readers[index]?.shape.isolation.check() }
    var readers = tables.readers
    // Which class a name means may depend on the names that were looked for before.
    guard counts.indices.contains(where: { (readers[$0] != nil) != ($0 > 0 && counts[$0] > 0) }) else {
      return
    }
    let types = ReachableClasses(tables.request.classes, roots: tables.request.roots.map(\.type))
    for index in counts.indices {
      readers[index] = index > 0 && counts[index] > 0 ? try makeReader(index, counts[index], types) : nil
    }
    tables.readers = readers
  }

  /// Finds a class of the program for one of the file. Throws `unknownClass` if there is none. Spec:
  /// 06-evolution, rule M1.
  private func makeReader(_ index: Int, _ rowCount: Int, _ types: ReachableClasses) throws -> ClassReader {
    let description = file.classes[index]
    guard let type = try types.type(named: description.name) else {
      throw ArchiveError(
        .unknownClass, found: "\(plural(rowCount, "object")) of class '\(description.name)'",
        expected: "a registered class, or one that the root's declared types reach",
        remedy: "register it: try classes.register(\(description.name).self)", className: description.name)
    }
    let shape = try ProgramClass.of(type)
    try shape.isolation.check()
    let plan = try SchemaResolution(shape, classIndex: index, in: file) { name in
      try types.type(named: name).map { try ProgramClass.of($0).schema.name } ?? name
    }
    return try ClassReader(
      shape, classIndex: index, plan: plan, references: references, strings: tables.file.strings)
  }

  /// Calls `body` for each run of rows of one class, with the class's columns at the first of them.
  private func forEachRun(
    in phase: LinkPhase, _ body: (ClassReader, _ segment: Int, _ rows: Range<Int>) throws -> Void
  ) throws {
    for segment in file.rowsSegments {
      let rows = try file.rows(inSegment: segment)
      for rows in rows.classes { tables.readers[rows.classIndex]?.bind(rows, in: phase) }
      var first = rows.firstRow
      for run in rows.runs {
        let range = first..<first + run.length
        first += run.length
        if let reader = tables.readers[run.classIndex] { try body(reader, segment, range) }
      }
    }
  }

  /// Calls `body` for the rows of each class in each segment, with its columns of phases `link` and `hash` at
  /// the first of them. Going class by class keeps the class's columns and code in the cache.
  private func forEachGroup(
    where isWanted: (ClassReader) -> Bool,
    body: (ClassReader, _ segment: Int, _ ranges: RowRanges) throws -> Void
  ) throws {
    guard tables.readers.contains(where: { $0.map(isWanted) ?? false }) else { return }
    for segment in file.rowsSegments {
      let rows = try file.rows(inSegment: segment)
      for (rows, ranges) in RowGroups(rows) {
        guard let reader = tables.readers[rows.classIndex], isWanted(reader) else { continue }
        reader.bind(rows, in: .link, .hash)
        try body(reader, segment, ranges)
      }
    }
  }

  /// Builds the objects of a segment class by class, except those that need earlier ones: these in the order
  /// of rows.
  private func construct() throws {
    for segment in file.rowsSegments {
      let rows = try file.rows(inSegment: segment)
      try references.value.objects.open(upTo: rows.firstRow + rows.rowCount)
      var isOrdered = false
      for (rows, ranges) in RowGroups(rows) {
        guard let reader = tables.readers[rows.classIndex] else { continue }
        reader.bind(rows, in: .initializer, .fill)
        if reader.readsReferencesEarly {
          isOrdered = true
        } else {
          try construct(reader.type, reader, ranges)
        }
      }
      if isOrdered {
        var first = rows.firstRow
        for run in rows.runs {
          let range = first..<first + run.length
          first = range.upperBound
          guard let reader = tables.readers[run.classIndex], reader.readsReferencesEarly else { continue }
          try construct(reader.type, reader, RowRanges(range))
        }
      }
      references.value.objects.close()
    }
  }

  private func construct<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ ranges: RowRanges
  ) throws {
    let decoder = ObjectDecoder(reader, slot: reader.initializerSlot, phase: .initializer)
    let fills = reader.needsLink(in: .fill)
    let readsReferences = reader.readsReferencesEarly
    let keys = reader.keys
    let references = references
    do {
      for index in ranges.indices {
        for row in ranges[index] {
          references.value.currentRow = row
          // All rows before this one are built, and references may lead only to them. Spec: 05-graph, rule
          // G4.
          if readsReferences { references.value.objects.builtCount = row }
          let object = try Object(from: decoder)
          references.value.objects.place(object, at: row)
          if fills { try object.link(from: ObjectDecoder(reader, slot: 0, phase: .fill)) }
          keys?.row += 1
        }
      }
    } catch {
      throw located(error, reader, references.value.currentRow)
    }
  }

  private func link(_ phase: LinkPhase) throws {
    areLinksStarted = true
    guard tables.readers.contains(where: { $0?.isVisited(in: phase) ?? false }) else { return }
    if phase == .link {
      // Retaining an object takes twice as long when a weak reference leads to it, so these are set last.
      for setsWeak in [false, true] {
        try forEachGroup {
          $0.isVisited(in: phase) && $0.setsWeakLinks == setsWeak
        } body: { reader, segment, ranges in
          try link(reader.type, reader, phase, segment, ranges)
        }
      }
      deferred.sort { $0.row < $1.row }
    } else {
      // Observers run in the order of rows.
      try forEachRun(in: phase) { reader, segment, rows in
        if reader.isVisited(in: phase) { try link(reader.type, reader, phase, segment, RowRanges(rows)) }
      }
    }
  }

  private func link<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ phase: LinkPhase, _ segment: Int,
    _ ranges: RowRanges
  ) throws {
    let decoder = ObjectDecoder(reader, slot: 0, phase: phase)
    let defersKeys = phase == .link && reader.defersKeys
    let defersSlots = phase == .link && !reader.deferredSlots.isEmpty
    let needsLink = !defersKeys && reader.needsLink(in: phase)
    let keys = reader.keys
    let references = references
    // Links may be anywhere in an object.
    let lineCount = (min(InstanceSizes.byteCount(of: type), 256) + 63) / 64
    do {
      for index in ranges.indices {
        for row in ranges[index] {
          references.value.objects.prefetch(row + 8, lineCount: lineCount)
          references.value.currentRow = row
          if defersKeys || defersSlots { try deferLink(row, reader, segment) }
          if needsLink { try withObject(row, as: type) { try $0.link(from: decoder) } }
          keys?.row += 1
        }
      }
    } catch {
      throw located(error, reader, references.value.currentRow)
    }
  }

  /// Notes an object whose properties of phase `hash` are set when all others are linked, and skips their
  /// values.
  private func deferLink(_ row: Int, _ reader: ClassReader, _ segment: Int) throws {
    deferred.append(
      DeferredLink(
        row: row, classIndex: reader.classIndex, segment: segment, rowInClass: reader.keys?.row ?? 0,
        states: reader.deferredSlots.map { reader.set.state(ofRoot: $0) }))
    for slot in reader.deferredSlots { try reader.set.skip(root: slot, count: 1) }
  }

  /// Calls `body` with the object of a row that this decoder built as `type`.
  @inline(__always) private func withObject<Object: Archivable>(
    _ row: Int, as type: Object.Type, _ body: (Object) throws -> Void
  ) throws {
    let table = references.value.objects
    guard row > 0, row < table.count, let held = unsafe table.base[row] else {
      throw ArchiveError(
        .danglingReference, found: "no object in row \(row)", objectID: ObjectID(rawValue: UInt32(row)))
    }
    // The table keeps the object alive: it need not be retained for the call.
    try unsafe held._withUnsafeGuaranteedRef { object in
      if Swift.type(of: object) == type {
        try body(unsafe unsafeDowncast(object, to: Object.self))
      } else if let object = object as? Object {
        try body(object)
      }
    }
  }

  private func located(_ error: any Error, _ reader: ClassReader, _ row: Int) -> any Error {
    (error as? ArchiveError)?.located(className: reader.name, objectID: ObjectID(rawValue: UInt32(row)))
      ?? error
  }

  // MARK: Hashing

  /// Fills sets and dictionaries with objects in their keys until every key is found. Spec: 05-graph, rules
  /// G9 and G10.
  ///
  /// A key's hash may read another such set, so a round may be in vain. Objects deeper in the graph mostly
  /// have later rows, hence the order; where that fails, the other way round.
  private func fillHashed() throws {
    guard !deferred.isEmpty else { return }
    let fixedChecks = keyChecks
    let rounds = min(deferred.count + 1, 64)
    for round in 0..<rounds {
      keyChecks = []
      if round % 2 == 0 {
        for link in deferred.reversed() { try fill(link) }
      } else {
        for link in deferred { try fill(link) }
      }
      if keyChecks.allSatisfy({ $0.isConsistent() }) {
        keyChecks = fixedChecks
        return
      }
    }
    try checkKeys()
  }

  private func fill(_ link: DeferredLink) throws {
    guard let reader = tables.readers[link.classIndex] else { return }
    try fill(link, reader, reader.type)
  }

  private func fill<Object: Archivable>(_ link: DeferredLink, _ reader: ClassReader, _ type: Object.Type)
    throws
  {
    references.value.currentRow = link.row
    do {
      if reader.boundSegment != link.segment,
        let rows = try file.rows(inSegment: link.segment).classes.first(where: {
          $0.classIndex == link.classIndex
        })
      {
        reader.bind(rows, in: .link, .hash)
        reader.boundSegment = link.segment
      }
      for (slot, state) in zip(reader.deferredSlots, link.states) { reader.set.restore(state, ofRoot: slot) }
      reader.keys?.row = link.rowInClass
      for phase in reader.defersKeys ? [LinkPhase.link, .hash] : [.hash] {
        try withObject(link.row, as: type) { try $0.link(from: ObjectDecoder(reader, slot: 0, phase: phase)) }
      }
    } catch {
      throw located(error, reader, link.row)
    }
  }

  /// Throws `hashCycle` unless the keys of every set and dictionary of objects are distinct, and hash as they
  /// did. Spec: 05-graph, rules G9 and G10.
  private func checkKeys() throws {
    if let check = keyChecks.first(where: { !$0.isConsistent() }) {
      throw check.column.error(
        .hashCycle, found: "objects that are equal, or whose hash depends on the collection that they are in",
        expected: "distinct keys with hashes that do not change",
        remedy: "hash by properties that do not lead back to the collection, and declare it 'var'")
    }
    if !keyChecks.isEmpty { keyChecks = [] }
  }

  /// Has a set or dictionary of objects checked when all of them are linked: whether its keys still hash as
  /// they did.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    keyChecks.append(KeyCheck(column: column, isConsistent: isConsistent))
  }

  // MARK: The end

  private func awake() throws {
    guard tables.readers.contains(where: { $0?.awakes ?? false }) else { return }
    for row in 1..<file.rowCount {
      guard let object = references.value.objects[row] as? any ArchiveAwakening else { continue }
      do { try object.didUnarchive() } catch {
        throw (error as? ArchiveError)?.located(objectID: ObjectID(rawValue: UInt32(row))) ?? error
      }
    }
  }

  /// Releases all objects. Throws if an unowned reference leads to one that nothing else keeps.
  private func letGo() throws {
    if !unownedTargets.isEmpty {
      // First while links can still be cut, then again without the objects that nothing reaches.
      try checkUnowned()
      let isUnownedTarget = references.value.isUnownedTarget
      references.value.objects.releaseAll { isUnownedTarget?[$0] ?? false }
      try checkUnowned()
    }
    references.value.objects.releaseAll()
  }

  /// Throws if an unowned reference leads to an object that nothing kept. Spec: 05-graph, rule G6.
  private func checkUnowned() throws {
    for (row, column) in unownedTargets where references.value.objects.isOnlyHolder(ofRow: row) {
      throw unownedTarget(row, column)
    }
  }

  private func unownedTarget(_ row: Int, _ column: ColumnReader) -> ArchiveError {
    column.error(
      .unownedTarget, found: "an unowned reference to object #\(row), which nothing in the archive keeps",
      expected: "a strong reference to it"
    ).located(objectID: ObjectID(rawValue: UInt32(row)))
  }

  /// Undoes what was linked, so that cycles cannot keep the objects of a failed archive alive, and releases
  /// them.
  private func cutLinks() {
    cutLinks { _ in true }
    references.value.objects.releaseAll()
  }

  /// Cuts the links of objects that the roots do not hold: in a cycle they would never be freed.
  private func cutUnreachable() throws {
    guard logsReferences else { return }
    let isReachable = log.reachableRows(of: file.rowCount)
    if let (row, column) = unownedTargets.filter({ !isReachable[$0.row] }).min(by: { $0.row < $1.row }) {
      throw unownedTarget(row, column)
    }
    if isReachable.dropFirst().contains(false) { cutLinks { !isReachable[$0] } }
  }

  /// Cuts the links of built objects in certain rows.
  private func cutLinks(where isCut: (Int) -> Bool) {
    guard areLinksStarted else { return }
    let built = references.value.objects.count
    var cutter = LinkCutter()
    if tables.readers.contains(where: { $0?.shape.isKeyed ?? false }) { makeStandIns() }
    try? forEachRun(in: .cut) { reader, _, rows in
      for row in rows {
        if row < built && isCut(row), let object = unsafe references.value.objects.base[row] {
          unsafe object._withUnsafeGuaranteedRef { cutter.cut($0, of: reader.shape) }
          if reader.shape.isKeyed { cutByHand(row, reader, reader.type) }
        }
        reader.keys?.row += 1
      }
    }
    standIns = nil
  }

  /// Builds one more object of each class, for a `link(from:)` by hand that asks for what cannot be nil. They
  /// are built in the order of rows, so that what they need for construction are such objects as well: after
  /// cutting, nothing leads back to an object of the archive.
  private func makeStandIns() {
    standIns = [:]
    references.value.noteAllReferences()
    var first: [Int: (row: Int, rows: RowsSegment.ClassRows)] = [:]
    for segment in file.rowsSegments {
      guard let segment = try? file.rows(inSegment: segment) else { continue }
      for (rows, ranges) in RowGroups(segment) where first[rows.classIndex] == nil {
        first[rows.classIndex] = (ranges[ranges.indices.lowerBound].lowerBound, rows)
      }
    }
    for (row, rows) in first.values.sorted(by: { $0.row < $1.row }) {
      guard let reader = tables.readers[rows.classIndex] else { continue }
      reader.bind(rows, in: .initializer, .fill)
      references.value.currentRow = row
      try? makeStandIn(reader.type, reader)
    }
  }

  private func makeStandIn<Object: Archivable>(_ type: Object.Type, _ reader: ClassReader) throws {
    let object = try Object(from: ObjectDecoder(reader, slot: reader.initializerSlot, phase: .initializer))
    if reader.needsLink(in: .fill) {
      try object.link(from: ObjectDecoder(reader, slot: 0, phase: .fill))
    }
    standIns?[ObjectIdentifier(type)] = object
  }

  private func cutByHand<Object: Archivable>(_ row: Int, _ reader: ClassReader, _ type: Object.Type) {
    try? withObject(row, as: type) { try $0.link(from: ObjectDecoder(reader, slot: 0, phase: .cut)) }
  }
}
