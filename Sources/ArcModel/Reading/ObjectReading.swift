import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// One reading of a text: builds its objects one after another, each after those that it refers to, without
/// recursion.
struct ObjectReading: ~Copyable {
  let issues: IssueLog
  /// The entry that is read.
  let root: Int
  let document: JSONDocument
  let rules: ReadingRules
  let decoder: RowDecoder
  private(set) var plans: [ClassPlan] = []
  private var planNumbers: [ObjectIdentifier: Int] = [:]
  /// For each node of each filler the plan of the objects that its references lead to, -1 before it was
  /// looked for.
  private var plansOfNodes: [Int] = []
  /// For each slot of each plan the slot of the member that came last time behind it; a further one at the
  /// end of a plan's is for the first member.
  private var following: [Int] = []
  var frames: [Frame] = []
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
  private var found: [RowFiller.FoundObject] = []

  /// An object that is to be built.
  struct Frame {
    let index: Int
    let plan: Int
    /// Where its entries in `members` begin; -1 before they were looked for.
    var firstMember = -1
  }

  /// A reading of an entry, with all that is in it.
  init(_ document: JSONDocument, _ rules: ReadingRules, root: Int = 0) throws {
    self.root = root
    self.document = document
    self.rules = rules
    issues = IssueLog(document, endsAtFirst: !rules.isLenient)
    decoder = try RowDecoder(
      rowCount: document.wordCount / 2 + 2, nestingLimit: rules.limits.depth, userInfo: rules.userInfo)
  }

  /// Reads the root.
  mutating func read<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
    let filler = filler(of: try decoder.columns(of: type))
    try filler.findObjects(0, root, &found)
    try pushFound(in: filler)
    try buildFrames()
    guard try filler.fill(0, root) else { throw issues.error }
    do { return try decoder.value(type, of: filler.row) } catch { throw try refusal(error, root) }
  }

  /// Reads the root, an object that was prepared; nil if it cannot be built, which is reported.
  mutating func readPreparedRoot(as type: any Archivable.Type) throws -> AnyObject? {
    preparedIndex = root
    frames.append(Frame(index: root, plan: try plan(of: type)))
    try buildFrames()
    return decoder.object(inRow: RowFiller.row(ofObjectAt: root))
  }

  // MARK: Plans

  private mutating func filler(
    of columns: RowColumns, _ formats: [Range<Int>: ValueFormat] = [:]
  ) -> RowFiller {
    let filler = RowFiller(
      columns, rules, document, issues, decoder, number: plansOfNodes.count, formats: formats)
    plansOfNodes += repeatElement(-1, count: filler.nodes.count)
    return filler
  }

  /// The number of the plan for an object that a node's references lead to.
  private mutating func plan(of object: RowFiller.FoundObject, in filler: RowFiller) throws -> Int? {
    let place = filler.number + object.node
    if plansOfNodes[place] >= 0 { return plansOfNodes[place] }
    guard let type = filler.type(ofReference: object.node) else { return nil }
    if let type = type as? any ModelChoosing.Type { return try chosenPlan(of: object.index, as: type) }
    plansOfNodes[place] = try plan(of: type)
    return plansOfNodes[place]
  }

  /// The number of the plan for an object whose class its text tells; nil for a class that it cannot be of,
  /// which is reported.
  private mutating func chosenPlan(of index: Int, as type: any ModelChoosing.Type) throws -> Int? {
    guard let chosen = type.modelClass(for: JSONNode(document, index)) else { return try plan(of: type) }
    guard isClass(chosen, orSubclassOf: type) else {
      try issues.note(
        .refused, at: index, found: "an object of class '\(chosen)'",
        expected: "class '\(type)' or a subclass")
      return nil
    }
    return try plan(of: chosen)
  }

  private func isClass(_ type: AnyClass, orSubclassOf other: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let current = next {
      if current == other { return true }
      next = _getSuperclass(current)
    }
    return false
  }

  mutating func plan(of type: any Archivable.Type) throws -> Int {
    if let known = planNumbers[ObjectIdentifier(type)] { return known }
    let rows = try decoder.reader(of: type)
    if rows.isCodedByHand {
      throw ArchiveError(
        .notArchivable, found: "class '\(type)', which is coded by hand",
        expected: "a class whose properties JSON can be read into", remedy: "mark it with @Archivable")
    }
    let source = PropertyMapping.Source(of: type, rules.mappings, rules.naming)
    let mappings = try rows.slots.map { slot in
      try source.mapping(
        of: .init(name: slot.name, key: slot.keys[0], marks: slot.marks, isWeak: slot.isWeak))
    }
    var formats: [Range<Int>: ValueFormat] = [:]
    for (slot, mapping) in mappings.enumerated() {
      formats[rows.row.layout.nodes(ofRoot: slot)] = mapping.format
    }
    let filler = filler(of: rows.columns, formats)
    plans.append(try ClassPlan(rows, mappings, filler: filler, firstHint: following.count))
    following += Array(1..<rows.slots.count + 1) + [0]
    planNumbers[ObjectIdentifier(type)] = plans.count - 1
    return plans.count - 1
  }

  // MARK: Objects

  /// Builds or updates the objects of all frames.
  mutating func buildFrames() throws {
    while let frame = frames.last {
      let plan = plans[frame.plan]
      let depth = frames.count
      if frame.firstMember >= 0 {
        try finish(frame, plan, members: frame.firstMember)
        continue
      }
      // Two properties can be read from one member.
      if wasRead(frame.index), !isUpdated(frame) {
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
      try findMembers(of: frame.index, plan)
      for slot in plan.slotsWithObjects where members[firstMember + slot] >= 0 {
        if isUpdated(frame), try pushUpdate(ofSlot: slot, frame, firstMember) { continue }
        try plan.filler.findObjects(plan.slots[slot].node, members[firstMember + slot], &found)
      }
      if found.isEmpty, frames.count == depth {
        try finish(frame, plan, members: firstMember)
      } else {
        frames[depth - 1].firstMember = firstMember
        try pushFound(in: plan.filler)
      }
    }
  }

  /// Has the objects that were found built before all others, the first one first.
  private mutating func pushFound(in filler: RowFiller) throws {
    while let object = found.popLast() {
      guard let plan = try plan(of: object, in: filler) else { continue }
      frames.append(Frame(index: object.index, plan: plan))
    }
  }

  /// Builds the object of the last frame, which ends.
  private mutating func finish(_ frame: Frame, _ plan: ClassPlan, members first: Int) throws {
    if isUpdated(frame) {
      try prepareUpdate(frame, plan, members: first)
    } else {
      try build(frame, plan, members: first)
    }
    if !wasRead(frame.index) { failed.insert(frame.index) }
    members.removeLast(members.count - first)
    frames.removeLast()
  }

  /// Whether the object of an entry was built, or could not be.
  private func wasRead(_ index: Int) -> Bool {
    decoder.hasObject(inRow: RowFiller.row(ofObjectAt: index)) || !failed.isEmpty && failed.contains(index)
  }

  /// Appends the entries of the members that an object has for its properties.
  private mutating func findMembers(of index: Int, _ plan: ClassPlan) throws {
    let first = members.count
    let count = plan.slots.count
    members.append(contentsOf: repeatElement(-1, count: count))
    var previous = count
    for key in document.keys(of: index) {
      let likely = following[plan.firstHint + previous]
      var slot = likely
      if likely >= count || !plan.keys.isName(likely, at: key, in: document) {
        guard let known = plan.keys.number(at: key, in: document) else {
          if rules.reportsUnknownKeys { try noteUnknown(key, plan) }
          continue
        }
        following[plan.firstHint + previous] = known
        slot = known
      }
      if members[first + slot] >= 0 {
        if document.duplicateKeys == .first { continue }
        try issues.note(.duplicateKey, at: key + 1, found: "a second member of that name", expected: "one")
      }
      members[first + slot] = key + 1
      previous = slot
    }
    for search in plan.searches { findMember(search, of: index, first) }
  }

  /// Finds the value of a property that no member has, or that is null there.
  private mutating func findMember(_ search: ClassPlan.Search, of index: Int, _ first: Int) {
    if search.members.contains(where: { document.index(at: JSONPath(member: $0), from: index) != nil }) {
      members[first + search.slot] = index
    }
    for path in search.paths {
      let value = members[first + search.slot]
      guard value < 0 || document.word(at: value).kind == .null else { return }
      if let other = document.index(at: path, from: index) { members[first + search.slot] = other }
    }
  }

  private func noteUnknown(_ key: Int, _ plan: ClassPlan) throws {
    guard !plan.otherNames.contains(document.string(at: key)) else { return }
    try issues.note(
      .unknownKey, at: key + 1, found: "a member that no property is read from", expected: "none")
  }
}
