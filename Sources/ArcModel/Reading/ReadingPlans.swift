import Arc
import ArcFormat
import ArcJSON

/// The plans of the classes and values that a reader read, and their rows: for one reading at a time.
final class ReadingPlans: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  let decoder: GraphDecoder
  /// The rules of the reader that uses the plans. All of its readers have the same rules except `userInfo`.
  private(set) var rules: ReadingRules
  /// The objects that were read in one pass and are not told yet that they were read. Out of line, as well.
  let unfinished = Handle(UnfinishedObjects())
  /// What hooks get. Out of line, so that accesses are not checked for overlap.
  let context: Handle<ArchiveContext>
  /// Out of line, so that accesses are not checked for overlap.
  private let state = Handle(State())
  /// Whether `decoder` is used for a text. Out of line, so that accesses are not checked for overlap.
  let isDecoding = Handle(false)
  /// Whether an object is read without an index although its text was indexed, to choose its class.
  let isInChosenObject = Handle(false)
  /// How many bytes a text that is read in one pass has at most, and how many arrays and objects are in each
  /// other.
  let onePassLimits: (byteCount: Int, levels: Int)

  /// How many plans of classes were begun: code of the program ran for each, as its mapping.
  var madeCount: Int { state.value.madeCount }

  /// The maximum length of a text that is read in one pass after which plans with rows are kept.
  private static var maximumKeptByteCount: Int { 1 << 18 }

  /// Whether rows were filled from a large text, and have as much memory.
  var hasLargeRows: Bool { state.value.hasLargeRows }

  /// Whether some of the values that were read belong to an actor.
  var isIsolated: Bool { state.value.isIsolated }

  /// What was found out while texts were read.
  private struct State {
    var ofClasses: [ObjectIdentifier: ClassPlan] = [:]
    var ofValues: [ObjectIdentifier: RowShape] = [:]
    /// How many plans of classes were begun.
    var madeCount = 0
    /// Whether some values belong to an actor.
    var isIsolated = false
    /// The plan that was asked for last.
    var last: ClassPlan?
    /// How many texts are not tried in one pass, since others could not be read so, and how many these were.
    var (textsToSkip, refusedCount) = (0, 0)
    /// The memory of updates in one pass, if none goes on.
    var idleUpdate: OnePassUpdate?
    /// The number of nodes of all shapes.
    var nodeCount = 0
    /// Whether rows were filled from a large text, and have as much memory.
    var hasLargeRows = false
    /// The fillers that have a document.
    var fillers: [RowFiller] = []
  }

  init(_ rules: ReadingRules) {
    decoder = GraphDecoder(nestingLimit: rules.limits.depth, userInfo: rules.userInfo)
    self.rules = rules
    context = Handle(rules.context)
    // As it is recursive; and then no part of it is longer than an index could have it either.
    onePassLimits = (min(rules.limits.bytes, JSONWord.maximumLength), min(rules.limits.depth, 24))
  }

  /// Prepares the plans for the next reader, whose rules differ only in `userInfo`.
  fileprivate func begin(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    if userInfo.isEmpty, rules.userInfo.isEmpty { return }
    rules.userInfo = userInfo
    context.value = rules.context
    decoder.setUserInfo(userInfo)
  }

  deinit {
    // Plans of classes that refer to each other keep each other alive.
    for plan in state.value.ofClasses.values { plan.removeTargets() }
    state.free()
    isDecoding.free()
    isInChosenObject.free()
    context.free()
    unfinished.free()
  }

  /// The shape of values of a type.
  func shape(ofValues type: any ArchivableValue.Type) throws -> RowShape {
    if let known = state.value.ofValues[ObjectIdentifier(type)] { return known }
    let columns = try RowColumns(of: type, for: decoder)
    if columns.isIsolated { state.value.isIsolated = true }
    let shape = try RowShape(columns, rules)
    number(shape)
    state.value.ofValues[ObjectIdentifier(type)] = shape
    return shape
  }

  /// The plan of a class.
  func plan(of type: any Archivable.Type) throws -> ClassPlan {
    let identity = ObjectIdentifier(type)
    if let last = state.value.last, ObjectIdentifier(last.rows.type) == identity { return last }
    if let known = state.value.ofClasses[identity] {
      state.value.last = known
      return known
    }
    state.value.madeCount += 1
    let rows = try RowReader(of: type, for: decoder)
    if rows.columns.isIsolated { state.value.isIsolated = true }
    if rows.isCodedByHand {
      throw ArchiveError(
        .notArchivable, found: "class '\(type)', which has a hand-written coder",
        expected: "a class that is marked with @Archivable",
        remedy:
          "mark the class and its superclasses with @Archivable, or, if the class is final, make it conform to "
          + "ArchivableByConversion")
    }
    let source = PropertyMapping.Source(of: type, rules.mappings, rules.naming)
    let mappings = try rows.slots.map { slot in
      try source.mapping(
        of: .init(name: slot.name, key: slot.keys[0], marks: slot.marks, isWeak: slot.isWeak))
    }
    let shape = try RowShape(rows.columns, rules, properties: mappings, of: type.archiveSchema.name)
    number(shape)
    let plan = try ClassPlan(rows, mappings, shape, self)
    state.value.ofClasses[identity] = plan
    return plan
  }

  // MARK: Texts

  /// Begins a text that is read with an index.
  func beginDecoding() throws {
    guard !isDecoding.value else { return }
    try decoder.begin(rowCount: 1)
    isDecoding.value = true
  }

  /// Adds a filler whose document is released when the text ends.
  func addFiller(_ filler: RowFiller) { state.value.fillers.append(filler) }

  /// Releases all objects and documents.
  func endDecoding() {
    for filler in state.value.fillers { filler.begin(.null) }
    state.value.fillers.removeAll(keepingCapacity: true)
    guard isDecoding.value else { return }
    isDecoding.value = false
    decoder.handOver([])
    decoder.end()
  }

  // MARK: One pass

  /// Reads a text without an index, if this is possible for values of the type and the text is as a strict
  /// reader requires. Returns nil otherwise. `utf8` is then not always called.
  func valueInOnePass<Value: ArchivableValue>(_ type: Value.Type, _ utf8: () -> [UInt8]?) throws -> Value? {
    guard let reading = OnePassReader(of: type, self) else { return nil }
    let value = inOnePass(utf8) { try reading.value(type, $0) }
    if value != nil { try finishObjects() }
    return value
  }

  /// Updates an object from a text without an index, if this is possible for objects of its class. Returns
  /// whether the object was updated.
  func updateInOnePass(_ object: any Archivable, _ utf8: () -> [UInt8]?) -> Bool {
    guard let plan = try? plan(of: type(of: object)), plan.isUpdatedInOnePass else { return false }
    var update = state.value.idleUpdate.take() ?? OnePassUpdate()
    defer { state.value.idleUpdate = update }
    return inOnePass(utf8) { try update.update(object, plan, from: $0, self) } != nil
  }

  private func inOnePass<Result>(_ utf8: () -> [UInt8]?, _ body: ([UInt8]) throws -> Result) -> Result? {
    guard state.value.textsToSkip == 0 else {
      state.value.textsToSkip -= 1
      return nil
    }
    guard let bytes = utf8() else { return nil }
    let result = try? body(bytes)
    if isDecoding.value, bytes.count > Self.maximumKeptByteCount { state.value.hasLargeRows = true }
    if result == nil { unfinished.value.removeAll() }
    endDecoding()
    state.value.refusedCount = result == nil ? state.value.refusedCount + 1 : 0
    state.value.textsToSkip = min(state.value.refusedCount, 32)
    return result
  }

  /// Tells all objects that they were read.
  ///
  /// - Throws: the error of the first object that rejects itself.
  func finishObjects() throws {
    if !unfinished.value.isEmpty { try takeUnfinished().finish(context.value) }
  }

  /// Removes and returns the objects whose `didRead` is not called yet.
  func takeUnfinished() -> UnfinishedObjects {
    let objects = unfinished.value
    unfinished.value.removeAll()
    return objects
  }

  /// Numbers the nodes of a shape among the nodes of all shapes.
  private func number(_ shape: RowShape) {
    shape.firstNumber = state.value.nodeCount
    state.value.nodeCount += shape.nodes.count
  }
}

/// Keeps the plans of small texts for the next ones: most of the time of a small text goes into them.
final class ReadingPool: Sendable {
  private let pool = IdlePool<ReadingPlans>()

  /// The options of a reader that plans depend on.
  struct Options: Hashable, Sendable {
    private let isLenient: Bool
    private let naming: KeyNaming.Predefined
    private let mappings: [ObjectIdentifier: JSONMapping.Contents]
    private let references: ModelReferences
    private let reportsUnknownKeys: Bool
    private let preservesUnknownMembers: Bool
    private let limits: JSONLimits

    /// Nil if the options contain functions of the program, because functions cannot be compared.
    init?(
      isLenient: Bool, naming: KeyNaming, mappings: [ObjectIdentifier: JSONMapping],
      references: ModelReferences, reportsUnknownKeys: Bool, preservesUnknownMembers: Bool,
      limits: JSONLimits
    ) {
      guard let naming = naming.predefined, let mappings = mappings.contents else { return nil }
      (self.isLenient, self.naming, self.mappings) = (isLenient, naming, mappings)
      (self.references, self.limits) = (references, limits)
      self.reportsUnknownKeys = reportsUnknownKeys
      self.preservesUnknownMembers = preservesUnknownMembers
    }
  }

  private static let pools = SharedPools<Options, ReadingPool>()

  /// The pool of all readers with these options; a new pool if `options` is nil.
  static func shared(_ options: Options?) -> ReadingPool { pools.pool(for: options) { ReadingPool() } }

  /// Reads an entry of a text with `body`.
  func read<Result>(
    _ document: JSONDocument, _ rules: ReadingRules, _ body: (inout ReadingSession) throws -> Result
  ) throws -> Result {
    let text = try OpenText(document, BorrowedPlans(self, rules.userInfo, rules), root: 0)
    var reading = ReadingSession(text)
    do { return try body(&reading) } catch { throw reading.firstIssue(after: error) }
  }

  fileprivate func take(
    _ userInfo: [CodingUserInfoKey: any Sendable], _ rules: () -> ReadingRules
  ) -> ReadingPlans {
    guard let plans = pool.take(where: { _ in true }) else { return ReadingPlans(rules()) }
    plans.begin(userInfo)
    return plans
  }

  fileprivate func put(_ plans: ReadingPlans) {
    // The pool must not keep the program's values alive.
    plans.begin([:])
    pool.put(plans)
  }
}

/// Plans that were taken out of a pool for one reading, and go back into it.
struct BorrowedPlans: ~Copyable {
  let plans: ReadingPlans
  /// Whether they go back: after a large text they have as much memory.
  fileprivate var areKept = true
  private let pool: ReadingPool

  init(
    _ pool: ReadingPool, _ userInfo: [CodingUserInfoKey: any Sendable],
    _ rules: @autoclosure () -> ReadingRules
  ) {
    self.pool = pool
    plans = pool.take(userInfo, rules)
  }

  deinit { if areKept, !plans.isIsolated, !plans.hasLargeRows { pool.put(plans) } }
}

/// A text that is being read by its index, with the plans for it.
struct OpenText: ~Copyable {
  let document: JSONDocument
  /// The entry that is read.
  let root: Int
  private let taken: BorrowedPlans
  var plans: ReadingPlans { taken.plans }

  /// The maximum number of entries in the index of a text whose plans are kept.
  private static let maximumWordCount = 1 << 16

  init(_ document: JSONDocument, _ taken: consuming BorrowedPlans, root: Int) throws {
    taken.areKept = document.wordCount <= Self.maximumWordCount
    self.document = document
    self.root = root
    self.taken = taken
    try plans.beginDecoding()
  }

  deinit {
    // Those of a text that was refused.
    if !plans.unfinished.value.isEmpty { plans.unfinished.value.removeAll() }
    plans.endDecoding()
  }
}
