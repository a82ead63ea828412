import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// The reading of one JSON text. It builds each object after the objects to which the object refers, without
/// recursion.
///
/// A JSON value is identified by its document index: its position in the index of the text that
/// `JSONDocument` contains.
struct ReadingSession: ~Copyable {
  let issues: IssueLog
  /// The document index of the value that the session reads.
  let root: Int
  let document: JSONDocument
  let rules: ReadingRules
  let decoder: GraphDecoder
  /// The plans for reading classes. They come from a pool that all readers with equal rules share.
  let sharedPlans: ReadingPlans
  /// The plan and the fillers of each class in this text. A plan number is an index into this array.
  private(set) var plans: [ClassReadingState] = []
  /// The filler for the root's row. Nil if the root updates an object.
  var rootFiller: JSONRowFiller?
  /// Whether `findMembers` reports unknown members.
  var notesUnknownKeys: Bool
  /// Existing objects that the text can update, by identity.
  var identified: [ObjectKey: any Archivable] = [:]
  private var planNumbers: [ObjectIdentifier: Int] = [:]
  /// For each node, the plan number of the objects that its references refer to, or -1 if it is not known
  /// yet. The index is the node's number among the nodes of all shapes.
  private var plansOfNodes: [Int] = []
  /// The stack of objects to build. The last frame is built next.
  var frames: [Frame] = []
  /// Errors of JSON objects for which no plan could be created. Each error is thrown when only `frameCount`
  /// frames remain on the stack. At that time, all objects earlier in the text are built, and their issues
  /// are reported.
  private var delayedErrors: [(frameCount: Int, error: any Error)] = []
  /// The document index of the object that was preprocessed for this session, or -1.
  var preparedIndex = -1
  /// The existing objects that are updated, by the document index of the JSON object that updates them.
  var updated: [Int: any Archivable] = [:]
  /// The updates. They are applied after the whole text is read.
  var updates: [Update] = []
  /// The results of custom formats during an update. An update reads values twice, but calls each format once
  /// for a value.
  var customDocuments: [CustomValue: JSONDocument] = [:]
  /// For each frame, the document indices of its members' values by slot, or -1 for a slot without a value.
  var members: [Int] = []
  /// The document indices of objects that could not be built.
  private var failed: Set<Int> = []
  /// The range of bytes in which the last attempt to read an object in one pass failed. The reader does not
  /// try this for an object that contains these bytes, because the attempt would fail too.
  private var refusedBytes = 0..<0
  /// Whether objects are read in one pass if this is possible.
  private var readsInOnePass = true
  /// The JSON objects that `findObjects` found and for which there is no frame and no graph node yet.
  var pending: [JSONRowFiller.PendingObject] = []
  /// The objects of the text. Used only if the reader's `references` allow several JSON objects to describe
  /// one object.
  var graph = TextGraph()

  /// An object to build or update.
  struct Frame {
    let index: Int
    let plan: Int
    /// The position of the object's first element in `members`, or -1 before its members are found.
    var firstMember = -1
  }

  /// Creates a session that reads the root of a text.
  init(_ text: borrowing OpenText) {
    sharedPlans = text.plans
    root = text.root
    document = text.document
    rules = text.plans.rules
    notesUnknownKeys = rules.reportsUnknownKeys
    issues = IssueLog(document, endsAtFirst: !rules.isLenient)
    decoder = text.plans.decoder
  }

  /// Reserves a row for each object. Called before the first object is placed in a row.
  func beginRows() throws { try decoder.begin(rowCount: document.wordCount / 2 + 2) }

  mutating func read<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
    let shape = try sharedPlans.shape(ofValues: type)
    try beginRows()
    let filler = filler(of: shape)
    rootFiller = filler
    try filler.findObjects(0, root, &pending)
    try pushPending(in: filler)
    try buildFrames()
    let issueCount = issues.count
    filler.row.removeAll()
    guard try filler.fill(0, root) else { throw issues.error }
    if let value = try? decoder.value(type, of: filler.row) {
      try sharedPlans.finishObjects()
      return value
    }
    // A type refused a value. Checking each value by itself finds out which value.
    issues.removeAll(after: issueCount)
    filler.row.removeAll()
    let checking = JSONRowFiller(filler, checking: RowShape(checking: filler.shape))
    guard try checking.fill(0, root) else { throw issues.error }
    let value: Value
    do { value = try decoder.value(type, of: filler.row) } catch { throw try refusal(error, root) }
    try sharedPlans.finishObjects()
    return value
  }

  /// Reads the root, whose JSON was preprocessed, as an object. Returns nil and reports an issue if the
  /// object cannot be built.
  mutating func readPreparedRoot(as type: any Archivable.Type) throws -> AnyObject? {
    try beginRows()
    preparedIndex = root
    frames.append(Frame(index: root, plan: try plan(of: type)))
    try buildFrames()
    return decoder.object(inRow: JSONRowFiller.row(ofObjectAt: root))
  }

  // MARK: Plans

  func filler(of shape: RowShape) -> JSONRowFiller { JSONRowFiller(shape, document, issues, decoder) }

  /// Returns the plan number for a JSON object that a reference refers to. Returns nil if no suitable class
  /// is known for the JSON object.
  mutating func plan(of object: JSONRowFiller.PendingObject, in filler: JSONRowFiller) throws -> Int? {
    let nodeNumber = filler.shape.firstNumber + object.node
    while nodeNumber >= plansOfNodes.count { plansOfNodes.append(-1) }
    if plansOfNodes[nodeNumber] >= 0 { return plansOfNodes[nodeNumber] }
    if let choice = filler.choice(ofReference: object.node) {
      return try plan(of: object, chosenBy: choice, in: filler)
    }
    guard let type = filler.shape.type(ofReference: object.node) else { return nil }
    if let type = type as? any JSONClassChoosing.Type { return try chosenPlan(of: object.index, as: type) }
    plansOfNodes[nodeNumber] = try plan(of: type)
    return plansOfNodes[nodeNumber]
  }

  /// Returns the plan number for an object whose class is chosen from its JSON. Returns nil and reports an
  /// issue if the choice throws, or if the chosen class is neither the declared class nor a subclass.
  private mutating func chosenPlan(of index: Int, as type: any JSONClassChoosing.Type) throws -> Int? {
    let answer: (any Archivable.Type)?
    do { answer = try type.modelClass(for: JSONNode(document, index), in: rules.context) } catch {
      try issues.noteHookError(error, at: index)
      return nil
    }
    guard let chosen = answer else { return try plan(of: type) }
    guard ClassTable.isSubclass(chosen, of: type) else {
      try issues.note(
        .refused, at: index, found: "an object of class '\(chosen)'",
        expected: "an object of class '\(type)' or a subclass")
      return nil
    }
    return try plan(of: chosen)
  }

  mutating func plan(of type: any Archivable.Type) throws -> Int {
    if let known = planNumbers[ObjectIdentifier(type)] { return known }
    let plan = try sharedPlans.plan(of: type)
    plans.append(ClassReadingState(plan, filler(of: plan.shape)))
    planNumbers[ObjectIdentifier(type)] = plans.count - 1
    return plans.count - 1
  }

  // MARK: Objects

  mutating func buildFrames() throws {
    while let frame = frames.last {
      let plan = plans[frame.plan]
      let depth = frames.count
      if let delayed = delayedErrors.last, delayed.frameCount == depth { throw delayed.error }
      if frame.firstMember >= 0 {
        try finish(frame, plan, members: frame.firstMember)
        continue
      }
      // The object can already be built, because two properties can read one member.
      if wasRead(frame.index), !isUpdated(frame) {
        frames.removeLast()
        continue
      }
      if try !isUpdated(frame) && buildInOnePass(frame, plan) {
        frames.removeLast()
        continue
      }
      if let type = plan.preparing, frame.index != preparedIndex {
        try readPrepared(frame, as: type)
        if !wasRead(frame.index) { failed.insert(frame.index) }
        frames.removeLast()
        continue
      }
      let firstMember = members.count
      frames[depth - 1].firstMember = firstMember
      try findMembers(of: frame.index, plan)
      // Objects that several properties refer to must be built only once.
      if plan.plan.sharesObjects(members[firstMember...], document) { readsInOnePass = false }
      for slot in plan.slotsWithObjects where members[firstMember + slot] >= 0 {
        if isUpdated(frame), try pushUpdate(ofSlot: slot, frame, firstMember) { continue }
        try plan.filler.findObjects(plan.slots[slot].node, members[firstMember + slot], &pending)
      }
      if pending.isEmpty, frames.count == depth {
        try finish(frame, plan, members: firstMember)
      } else {
        try pushPending(in: plan.filler)
      }
    }
    if let delayed = delayedErrors.last { throw delayed.error }
  }

  /// Adds frames for the pending objects, so that they are built next, in the order of the text.
  private mutating func pushPending(in filler: JSONRowFiller) throws {
    if zip(pending, pending.dropFirst()).contains(where: { $0.index > $1.index }) {
      pending.sort { $0.index < $1.index }
    }
    let firstFrame = frames.count
    for object in pending {
      do {
        guard let plan = try plan(of: object, in: filler) else { continue }
        frames.append(Frame(index: object.index, plan: plan))
      } catch {
        guard frames.count > firstFrame else { throw error }
        // The error is thrown later, because an object before this object can have an issue.
        delayedErrors.append((firstFrame, error))
        break
      }
    }
    pending.removeAll(keepingCapacity: true)
    frames[firstFrame...].reverse()
  }

  /// Builds or updates the object of the last frame, and removes the frame.
  private mutating func finish(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws {
    if isUpdated(frame) {
      try prepareUpdate(frame, plan, members: first)
    } else {
      try build(frame, plan, members: first)
    }
    if !wasRead(frame.index) { failed.insert(frame.index) }
    while members.count > first { members.removeLast() }
    frames.removeLast()
  }

  /// Whether the attempt to build the object of a JSON object has ended, with or without success.
  private func wasRead(_ index: Int) -> Bool {
    decoder.hasObject(inRow: JSONRowFiller.row(ofObjectAt: index))
      || !failed.isEmpty && failed.contains(index)
  }

  /// Appends the document index of each slot's value in a JSON object to `members`.
  mutating func findMembers(of index: Int, _ plan: ClassReadingState) throws {
    try plan.plan.findMembers(of: index, in: document, &members, notesUnknownKeys: notesUnknownKeys, issues)
  }

  /// Builds an object and all objects nested in it, in one pass, if their JSON is valid for a strict reader.
  /// Returns whether the object was built.
  private mutating func buildInOnePass(_ frame: Frame, _ plan: ClassReadingState) throws -> Bool {
    let bytes = bytes(of: frame.index)
    guard readsInOnePass, plan.plan.isReadInOnePass, !bytes.overlaps(refusedBytes) else { return false }
    var cursor = JSONCursor(document, at: frame.index)
    let levels = sharedPlans.onePassLimits.levels
    let unfinishedCount = sharedPlans.unfinished.value.count
    guard let object = try? plan.plan.ownObject(from: &cursor, levels: levels) else {
      // If the object was indexed, the cursor is after the object, so it does not show the invalid value.
      refusedBytes = cursor.offset < bytes.upperBound ? cursor.offset..<cursor.offset + 1 : bytes
      sharedPlans.unfinished.value.removeAll(after: unfinishedCount)
      return false
    }
    // The rows of the classes now contain values of other objects.
    if !updates.isEmpty { for plan in plans { plan.updateInRow = -1 } }
    decoder.setObject(object, inRow: JSONRowFiller.row(ofObjectAt: frame.index))
    return true
  }

  /// Returns the range of bytes from the start of a value to the start of the next value.
  private func bytes(of index: Int) -> Range<Int> {
    let end = document.end(of: index)
    let start = document.byteOffset(of: index)
    return start..<(end < document.wordCount ? max(document.byteOffset(of: end), start) : Int.max)
  }
}
