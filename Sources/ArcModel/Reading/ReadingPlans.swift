import Arc
import ArcFormat
import ArcJSON

/// The plans of the classes and values that a reader read, and their rows: for one reading at a time.
final class ReadingPlans: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  let decoder: RowDecoder
  let rules: ReadingRules
  /// What builds objects right from the text.
  let objects: DirectObjects
  /// Out of line, so that accesses are not checked for overlap.
  private let state = Handle(State())
  /// How many bytes a text that is read in one pass has at most, and how many arrays and objects are in each
  /// other.
  let onePassLimits: (byteCount: Int, levels: Int)

  /// How many plans of classes were begun: code of the program ran for each, as its mapping.
  var madeCount: Int { state.value.madeCount }

  /// Whether some of the values that were read belong to an actor.
  var isIsolated: Bool { state.value.isIsolated }

  /// What was found out while texts were read.
  private struct State {
    var ofClasses: [ObjectIdentifier: ClassPlan] = [:]
    var ofValues: [ObjectIdentifier: ValuePlan] = [:]
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
  }

  init(_ rules: ReadingRules) {
    decoder = RowDecoder(nestingLimit: rules.limits.depth, userInfo: rules.userInfo)
    self.rules = rules
    // As it is recursive; and then no part of it is longer than an index could have it either.
    onePassLimits = (min(rules.limits.bytes, JSONWord.maximumLength), min(rules.limits.depth, 24))
    objects = DirectObjects(decoder)
  }

  deinit {
    // They lead in circles.
    for plan in state.value.ofClasses.values { plan.values.end(plan.shape.row) }
    for plan in state.value.ofValues.values { plan.values.end(plan.shape.row) }
    state.free()
  }

  /// The plan of values of a type.
  func plan(ofValues type: any ArchivableValue.Type) throws -> ValuePlan {
    if let known = state.value.ofValues[ObjectIdentifier(type)] { return known }
    // Also where there will be no plan: the decoder has its columns.
    defer { state.value.isIsolated = decoder.isIsolated }
    let shape = try RowShape(decoder.columns(of: type), rules)
    let plan = ValuePlan(shape: shape, values: values(of: shape))
    state.value.ofValues[ObjectIdentifier(type)] = plan
    return plan
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
    defer { state.value.isIsolated = decoder.isIsolated }
    let rows = try decoder.reader(of: type)
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
    let plan = try ClassPlan(rows, mappings, shape, values(of: shape), rules)
    state.value.ofClasses[identity] = plan
    return plan
  }

  // MARK: Texts

  /// Has values come from a text, which the caller keeps until `end()`.
  func begin(_ document: JSONDocument) throws {
    try decoder.begin(rowCount: 1)
    objects.begin(document)
  }

  /// Lets go of the text and all objects.
  func end() {
    objects.end()
    decoder.end()
  }

  /// The value of an entry, if it comes right from the text.
  func value<Value: ArchivableValue>(_ type: Value.Type, _ root: Int) throws -> Value? {
    let plan = try plan(ofValues: type)
    guard plan.shape.suppliedRoots == [0] else { return nil }
    plan.values.give(root, toNode: 0)
    return try? decoder.value(type, of: plan.shape.row, isSupplied: true)
  }

  /// Reads a text without an index, if it is one of objects for which that can be done; `utf8` is asked for
  /// its bytes then.
  func valueInOnePass<Value: ArchivableValue>(_ type: Value.Type, _ utf8: () -> [UInt8]?) -> Value? {
    guard let reading = OnePassReading(of: type, self) else { return nil }
    return inOnePass(utf8) { try reading.value(type, $0) }
  }

  /// Has an object take what a text has for it without an index, if that can be done for objects of its
  /// class; `utf8` is asked for its bytes then. Returns whether it took that.
  func updateInOnePass(_ object: any Archivable, _ utf8: () -> [UInt8]?) -> Bool {
    guard let plan = try? plan(of: type(of: object)), plan.fields?.isUpdatedInOnePass == true else {
      return false
    }
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
    state.value.refusedCount = result == nil ? state.value.refusedCount + 1 : 0
    state.value.textsToSkip = min(state.value.refusedCount, 32)
    return result
  }

  /// What gives values of a row right from a text: those of the roots that it can give.
  private func values(of shape: RowShape) -> TextValues {
    shape.firstNumber = state.value.nodeCount
    state.value.nodeCount += shape.nodes.count
    let values = TextValues(shape, objects) { [unowned self] in try? plan(of: $0) }
    shape.row.setSource(values, roots: shape.suppliedRoots)
    return values
  }
}

/// How values of a type that are no objects are made of JSON values.
struct ValuePlan {
  let shape: RowShape
  /// What gives them right from the text.
  let values: TextValues
}

/// Keeps the plans of small texts for the next ones: most of the time of a small text goes into them.
final class ReadingPool: Sendable {
  private let pool = IdlePool<ReadingPlans>()

  /// Reads an entry of a text with `body`.
  func read<Result>(
    _ document: JSONDocument, _ rules: ReadingRules, _ body: (inout ObjectReading) throws -> Result
  ) throws -> Result {
    let text = try OpenText(document, TakenPlans(self, rules), root: 0)
    var reading = ObjectReading(text)
    return try body(&reading)
  }

  fileprivate func take(_ rules: () -> ReadingRules) -> ReadingPlans {
    pool.take { _ in true } ?? ReadingPlans(rules())
  }

  fileprivate func put(_ plans: ReadingPlans) { pool.put(plans) }
}

/// Plans that were taken out of a pool for one reading, and go back into it.
struct TakenPlans: ~Copyable {
  let plans: ReadingPlans
  /// Whether they go back: after a large text they have as much memory.
  fileprivate var areKept = true
  private let pool: ReadingPool

  init(_ pool: ReadingPool, _ rules: @autoclosure () -> ReadingRules) {
    self.pool = pool
    plans = pool.take(rules)
  }

  deinit { if areKept, !plans.isIsolated { pool.put(plans) } }
}

/// A text that is being read by its index, with the plans for it.
struct OpenText: ~Copyable {
  let document: JSONDocument
  /// The entry that is read.
  let root: Int
  private let taken: TakenPlans
  var plans: ReadingPlans { taken.plans }

  /// The maximum number of entries in the index of a text whose plans are kept.
  private static let maximumWordCount = 1 << 16

  init(_ document: JSONDocument, _ taken: consuming TakenPlans, root: Int) throws {
    taken.areKept = document.wordCount <= Self.maximumWordCount
    self.document = document
    self.root = root
    self.taken = taken
    try plans.begin(document)
  }

  deinit { plans.end() }
}
