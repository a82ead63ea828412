import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// One reading of a text: builds its objects one after another, each after those that it refers to, without
/// recursion.
struct ReadingSession: ~Copyable {
  let issues: IssueLog
  /// The entry that is read.
  let root: Int
  let document: JSONDocument
  let rules: ReadingRules
  let decoder: GraphDecoder
  /// What readings with these rules know of classes.
  let plansOfRules: ReadingPlans
  private(set) var plans: [ClassReadingState] = []
  /// What fills the row of the root, if that is no object that is updated.
  var rootFiller: RowFiller?
  /// Whether members that no property is read from are asked for when others are found.
  var notesUnknownKeys: Bool
  /// The objects that are there, by their identities.
  var identified: [ObjectKey: any Archivable] = [:]
  private var planNumbers: [ObjectIdentifier: Int] = [:]
  /// For each node, by its number among those of all shapes, the plan of the objects that its references lead
  /// to, -1 before it was looked for.
  private var plansOfNodes: [Int] = []
  var frames: [Frame] = []
  /// Errors of objects of unknown classes. Each error has the number of frames that are left when the objects
  /// before it are built. Then the error is thrown.
  private var delayedErrors: [(frameCount: Int, error: any Error)] = []
  /// The object that was prepared for this reading; -1 for none.
  var preparedIndex = -1
  /// The objects that are updated, by their entries.
  var updated: [Int: any Archivable] = [:]
  /// What is set in them when all was read.
  var updates: [Update] = []
  /// What the program made of values of a form of their own, so that it is asked once.
  var madeTexts: [CustomValue: JSONDocument] = [:]
  /// For each frame the entries of its properties' values, -1 for none.
  var members: [Int] = []
  /// The entries of objects that could not be built.
  private var failed: Set<Int> = []
  /// The bytes of the text in which the last object that could not be read in one pass has a value that does
  /// not fit: objects in it are not tried again, for each level.
  private var refusedBytes = 0..<0
  /// Whether objects are read in one pass where this is possible.
  private var readsInOnePass = true
  var found: [RowFiller.PendingObject] = []
  /// The objects of a text in which references are marked.
  var graph = TextGraph()

  /// An object that is to be built.
  struct Frame {
    let index: Int
    let plan: Int
    /// Where its entries in `members` begin; -1 before they were looked for.
    var firstMember = -1
  }

  /// A reading of an entry, with all that is in it.
  init(_ text: borrowing OpenText) {
    plansOfRules = text.plans
    root = text.root
    document = text.document
    rules = text.plans.rules
    notesUnknownKeys = rules.reportsUnknownKeys
    issues = IssueLog(document, endsAtFirst: !rules.isLenient)
    decoder = text.plans.decoder
  }

  /// Makes room for all objects. Called before any is placed in a row.
  func beginRows() throws { try decoder.begin(rowCount: document.wordCount / 2 + 2) }

  /// Reads the root.
  mutating func read<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
    let shape = try plansOfRules.shape(ofValues: type)
    try beginRows()
    let filler = filler(of: shape)
    rootFiller = filler
    try filler.findObjects(0, root, &found)
    try pushFound(in: filler)
    try buildFrames()
    let issueCount = issues.count
    filler.row.removeAll()
    guard try filler.fill(0, root) else { throw issues.error }
    if let value = try? decoder.value(type, of: filler.row) {
      try plansOfRules.finishObjects()
      return value
    }
    // Something is refused: what it is, is known when each value is checked by itself.
    issues.removeAll(after: issueCount)
    filler.row.removeAll()
    let checking = RowFiller(filler, checking: RowShape(checking: filler.shape))
    guard try checking.fill(0, root) else { throw issues.error }
    let value: Value
    do { value = try decoder.value(type, of: filler.row) } catch { throw try refusal(error, root) }
    try plansOfRules.finishObjects()
    return value
  }

  /// Reads the root, an object that was prepared; nil if it cannot be built, which is reported.
  mutating func readPreparedRoot(as type: any Archivable.Type) throws -> AnyObject? {
    try beginRows()
    preparedIndex = root
    frames.append(Frame(index: root, plan: try plan(of: type)))
    try buildFrames()
    return decoder.object(inRow: RowFiller.row(ofObjectAt: root))
  }

  // MARK: Plans

  func filler(of shape: RowShape) -> RowFiller { RowFiller(shape, document, issues, decoder) }

  /// The number of the plan for an object that a node's references lead to.
  mutating func plan(of object: RowFiller.PendingObject, in filler: RowFiller) throws -> Int? {
    let place = filler.shape.firstNumber + object.node
    while place >= plansOfNodes.count { plansOfNodes.append(-1) }
    if plansOfNodes[place] >= 0 { return plansOfNodes[place] }
    if let choice = filler.choice(ofReference: object.node) {
      return try plan(of: object, chosenBy: choice, in: filler)
    }
    guard let type = filler.shape.type(ofReference: object.node) else { return nil }
    if let type = type as? any JSONClassChoosing.Type { return try chosenPlan(of: object.index, as: type) }
    plansOfNodes[place] = try plan(of: type)
    return plansOfNodes[place]
  }

  /// The number of the plan for an object whose class its text tells; nil for a class that it cannot be of,
  /// which is reported.
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
    let plan = try plansOfRules.plan(of: type)
    plans.append(ClassReadingState(plan, filler(of: plan.shape)))
    planNumbers[ObjectIdentifier(type)] = plans.count - 1
    return plans.count - 1
  }

  // MARK: Objects

  /// Builds or updates the objects of all frames.
  mutating func buildFrames() throws {
    while let frame = frames.last {
      let plan = plans[frame.plan]
      let depth = frames.count
      if let delayed = delayedErrors.last, delayed.frameCount == depth { throw delayed.error }
      if frame.firstMember >= 0 {
        try finish(frame, plan, members: frame.firstMember)
        continue
      }
      // Two properties can be read from one member.
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
      // Objects that several properties refer to are built once.
      if plan.plan.sharesObjects(members[firstMember...], document) { readsInOnePass = false }
      for slot in plan.slotsWithObjects where members[firstMember + slot] >= 0 {
        if isUpdated(frame), try pushUpdate(ofSlot: slot, frame, firstMember) { continue }
        try plan.filler.findObjects(plan.slots[slot].node, members[firstMember + slot], &found)
      }
      if found.isEmpty, frames.count == depth {
        try finish(frame, plan, members: firstMember)
      } else {
        try pushFound(in: plan.filler)
      }
    }
    if let delayed = delayedErrors.last { throw delayed.error }
  }

  /// Adds frames for the objects that were found, which are built next, in the order of the text.
  private mutating func pushFound(in filler: RowFiller) throws {
    if zip(found, found.dropFirst()).contains(where: { $0.index > $1.index }) {
      found.sort { $0.index < $1.index }
    }
    let firstFrame = frames.count
    for object in found {
      do {
        guard let plan = try plan(of: object, in: filler) else { continue }
        frames.append(Frame(index: object.index, plan: plan))
      } catch {
        guard frames.count > firstFrame else { throw error }
        // An object before this one can have an issue.
        delayedErrors.append((firstFrame, error))
        break
      }
    }
    found.removeAll(keepingCapacity: true)
    frames[firstFrame...].reverse()
  }

  /// Builds the object of the last frame, which ends.
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

  /// Whether the object of an entry was built, or could not be.
  private func wasRead(_ index: Int) -> Bool {
    decoder.hasObject(inRow: RowFiller.row(ofObjectAt: index)) || !failed.isEmpty && failed.contains(index)
  }

  /// Appends the entries of the members that an object has for its properties.
  mutating func findMembers(of index: Int, _ plan: ClassReadingState) throws {
    try plan.plan.findMembers(of: index, in: document, &members, notesUnknownKeys: notesUnknownKeys, issues)
  }

  /// Builds an object, and all objects in it, if its text is as a strict reader requires. Returns whether the
  /// object was built.
  private mutating func buildInOnePass(_ frame: Frame, _ plan: ClassReadingState) throws -> Bool {
    let bytes = bytes(of: frame.index)
    guard readsInOnePass, plan.plan.isReadInOnePass, !bytes.overlaps(refusedBytes) else { return false }
    var cursor = JSONCursor(document, at: frame.index)
    let levels = plansOfRules.onePassLimits.levels
    let unfinishedCount = plansOfRules.unfinished.value.count
    guard let object = try? plan.plan.ownObject(from: &cursor, levels: levels) else {
      // If the object was indexed, the cursor is after the object and does not show which value it was.
      refusedBytes = cursor.offset < bytes.upperBound ? cursor.offset..<cursor.offset + 1 : bytes
      plansOfRules.unfinished.value.removeAll(after: unfinishedCount)
      return false
    }
    // Rows of classes were filled with values of other objects.
    if !updates.isEmpty { for plan in plans { plan.updateInRow = -1 } }
    decoder.place(object, inRow: RowFiller.row(ofObjectAt: frame.index))
    return true
  }

  /// The bytes of the value of an entry, with what follows it up to the next entry.
  private func bytes(of index: Int) -> Range<Int> {
    let end = document.end(of: index)
    let start = document.byteOffset(of: index)
    return start..<(end < document.wordCount ? max(document.byteOffset(of: end), start) : Int.max)
  }
}
