import Arc
import ArcFormat
import ArcJSON

/// The plans of the classes and values that a reader reads, and the shapes of their rows. Only one reading at
/// a time uses them.
final class ReadingPlans: @unchecked Sendable {  // One reading at a time owns it.
  let decoder: GraphDecoder
  /// The rules of the current reader. Readers that share the plans can differ only in `userInfo`.
  private(set) var rules: ReadingRules
  /// The objects whose `didRead(in:)` is not called yet. Stored in a handle, so that accesses need no
  /// exclusivity checks.
  let unfinished = Handle(UnfinishedObjects())
  /// The context that hooks receive. Stored in a handle, so that accesses need no exclusivity checks.
  let context: Handle<ArchiveContext>
  /// The state that changes while a reader uses the plans. Stored in a handle, so that accesses need no
  /// exclusivity checks.
  private let state = Handle(State())
  /// Whether `decoder` is in use for a text. Stored in a handle, so that accesses need no exclusivity checks.
  let isDecoding = Handle(false)
  /// Whether the current JSON object is nested in a JSON object from which a class was chosen. To choose this
  /// class, the reader indexed the enclosing JSON object. It then reads the same JSON without the index.
  let isInChosenObject = Handle(false)
  /// The maximum number of bytes and the maximum nesting depth of a text that is read in one pass.
  let onePassLimits: (byteCount: Int, levels: Int)

  /// The number of class plans whose creation began. Creating a plan runs code of the program, such as the
  /// mapping of a class. A caller compares this number before and after a step to detect whether such code
  /// ran.
  var planCount: Int { state.value.planCount }

  /// The maximum number of bytes of a text whose plans are reused. If a longer text is read in one pass and
  /// through rows, its plans do not go back to the pool.
  private static var maximumPooledByteCount: Int { 1 << 18 }

  /// Whether rows were filled from a large text, and so occupy much memory.
  var hasLargeRows: Bool { state.value.hasLargeRows }

  /// Whether a value that was read is isolated to an actor.
  var isIsolated: Bool { state.value.isIsolated }

  /// The state that changes while a reader uses the plans.
  private struct State {
    var ofClasses: [ObjectIdentifier: ClassPlan] = [:]
    var ofValues: [ObjectIdentifier: RowShape] = [:]
    var planCount = 0
    var isIsolated = false
    /// The plan that `plan(of:)` returned last.
    var last: ClassPlan?
    /// `refusedCount` is the number of consecutive JSON texts that could not be read in one pass. Because of
    /// them, the next `textsToSkip` JSON texts are read with an index without trying one pass.
    var (textsToSkip, refusedCount) = (0, 0)
    /// The memory for updates in one pass. Nil while an update is running.
    var idleUpdate: OnePassUpdate?
    /// The number of nodes of all shapes together.
    var nodeCount = 0
    var hasLargeRows = false
    /// The fillers that retain the document of the text. The fillers release the document when the text ends.
    var fillers: [JSONRowFiller] = []
  }

  init(_ rules: ReadingRules) {
    decoder = GraphDecoder(nestingLimit: rules.limits.depth, userInfo: rules.userInfo)
    self.rules = rules
    context = Handle(rules.context)
    // The depth is limited because reading in one pass is recursive. The length is limited so that each part
    // of the text fits in an index.
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
    // Plans of classes that refer to each other retain each other.
    for plan in state.value.ofClasses.values { plan.removeTargets() }
    state.free()
    isDecoding.free()
    isInChosenObject.free()
    context.free()
    unfinished.free()
  }

  /// Returns the shape of the row for values of a type.
  func shape(ofValues type: any ArchivableValue.Type) throws -> RowShape {
    if let known = state.value.ofValues[ObjectIdentifier(type)] { return known }
    let columns = try RowColumns(of: type, for: decoder)
    if columns.isIsolated { state.value.isIsolated = true }
    let shape = try RowShape(columns, rules)
    number(shape)
    state.value.ofValues[ObjectIdentifier(type)] = shape
    return shape
  }

  /// Returns the plan of a class. Creates the plan at the first call.
  func plan(of type: any Archivable.Type) throws -> ClassPlan {
    let identity = ObjectIdentifier(type)
    if let last = state.value.last, ObjectIdentifier(last.rows.type) == identity { return last }
    if let known = state.value.ofClasses[identity] {
      state.value.last = known
      return known
    }
    state.value.planCount += 1
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

  // MARK: Reading with an index

  /// Prepares the decoder for a text that is read with an index. Does nothing if the decoder is prepared.
  func beginDecoding() throws {
    guard !isDecoding.value else { return }
    try decoder.begin(rowCount: 1)
    isDecoding.value = true
  }

  /// Adds a filler whose document is released when the text ends.
  func addFiller(_ filler: JSONRowFiller) { state.value.fillers.append(filler) }

  /// Releases all objects and documents of the text.
  func endDecoding() {
    for filler in state.value.fillers { filler.begin(.null) }
    state.value.fillers.removeAll(keepingCapacity: true)
    guard isDecoding.value else { return }
    isDecoding.value = false
    decoder.handOver([])
    decoder.end()
  }

  // MARK: One pass

  /// Reads a text without an index. Returns nil if the type cannot be read in one pass, or if the text is not
  /// valid for a strict reader. `utf8` returns the text. It is called only if the type can be read in one
  /// pass.
  func valueInOnePass<Value: ArchivableValue>(_ type: Value.Type, _ utf8: () -> [UInt8]?) throws -> Value? {
    guard let reading = OnePassReader(of: type, self) else { return nil }
    let value = inOnePass(utf8) { try reading.value(type, $0) }
    if value != nil { try finishObjects() }
    return value
  }

  /// Updates an object from a text without an index. Returns false if the class cannot be updated in one
  /// pass, or if the text is not valid for a strict reader.
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
    if isDecoding.value, bytes.count > Self.maximumPooledByteCount { state.value.hasLargeRows = true }
    if result == nil { unfinished.value.removeAll() }
    endDecoding()
    state.value.refusedCount = result == nil ? state.value.refusedCount + 1 : 0
    state.value.textsToSkip = min(state.value.refusedCount, 32)
    return result
  }

  /// Calls `didRead(in:)` of all objects that were read and whose class has this hook.
  ///
  /// - Throws: the error of the first object that rejects itself.
  func finishObjects() throws {
    if !unfinished.value.isEmpty { try takeUnfinished().finish(context.value) }
  }

  func takeUnfinished() -> UnfinishedObjects {
    let objects = unfinished.value
    unfinished.value.removeAll()
    return objects
  }

  /// Assigns numbers to the nodes of a shape. No other shape uses these numbers.
  private func number(_ shape: RowShape) {
    shape.firstNumber = state.value.nodeCount
    state.value.nodeCount += shape.nodes.count
  }
}

/// A pool of plans for small JSON texts. For a small text, creating the plans takes most of the time, so
/// readers reuse them.
final class ReadingPool: Sendable {
  private let pool = IdlePool<ReadingPlans>()

  /// The options on which a reader's plans depend.
  struct Options: Hashable, Sendable {
    private let isLenient: Bool
    private let naming: KeyNaming.Predefined
    private let mappings: [ObjectIdentifier: JSONMapping.Contents]
    private let references: ModelReferences
    private let reportsUnknownKeys: Bool
    private let preservesUnknownMembers: Bool
    private let limits: JSONLimits

    /// Creates the options. Nil if they contain functions of the program, because functions cannot be
    /// compared.
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

  /// Returns the pool that all readers with these options share. Returns a new pool if `options` is nil.
  static func shared(_ options: Options?) -> ReadingPool { pools.pool(for: options) { ReadingPool() } }

  /// Creates a session that reads a document with plans from the pool, and returns the result of `body`.
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
    // The pool must not retain values of the program.
    plans.begin([:])
    pool.put(plans)
  }
}

/// Plans that one reading took from a pool. They go back to the pool when the reading ends.
struct BorrowedPlans: ~Copyable {
  let plans: ReadingPlans
  /// Whether the plans go back to the pool. False for a large text, because its rows occupy much memory.
  fileprivate var returnToPool = true
  private let pool: ReadingPool

  init(
    _ pool: ReadingPool, _ userInfo: [CodingUserInfoKey: any Sendable],
    _ rules: @autoclosure () -> ReadingRules
  ) {
    self.pool = pool
    plans = pool.take(userInfo, rules)
  }

  deinit { if returnToPool, !plans.isIsolated, !plans.hasLargeRows { pool.put(plans) } }
}

/// A text that is being read with an index, and the plans for it.
struct OpenText: ~Copyable {
  let document: JSONDocument
  /// The document index of the value that the reader reads.
  let root: Int
  private let borrowed: BorrowedPlans
  var plans: ReadingPlans { borrowed.plans }

  /// The maximum number of words in the index of a text whose plans are reused. If the index has more words,
  /// the plans do not go back to the pool.
  private static let maximumWordCount = 1 << 16

  init(_ document: JSONDocument, _ borrowed: consuming BorrowedPlans, root: Int) throws {
    borrowed.returnToPool = document.wordCount <= Self.maximumWordCount
    self.document = document
    self.root = root
    self.borrowed = borrowed
    try plans.beginDecoding()
  }

  deinit {
    // Only a text that was refused leaves unfinished objects.
    if !plans.unfinished.value.isEmpty { plans.unfinished.value.removeAll() }
    plans.endDecoding()
  }
}
