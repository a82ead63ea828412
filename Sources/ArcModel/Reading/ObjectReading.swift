import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// One reading of a text: builds its objects one after another, each after those that it refers to, without
/// recursion.
final class ObjectReading {
  let issues: IssueLog
  private let document: JSONDocument
  private let rules: ReadingRules
  private let decoder: RowDecoder
  private var plans: [ObjectIdentifier: ClassPlan] = [:]
  private var frames: [Frame] = []
  /// For each frame the entries of its properties' values, 0 for none.
  private var members: [UInt32] = []

  /// An object that is to be built.
  private struct Frame {
    let index: Int
    let plan: ClassPlan
    /// Where its entries in `members` begin; nil before they were looked for.
    var firstMember: Int?
  }

  init(_ document: JSONDocument, _ rules: ReadingRules) throws {
    self.document = document
    self.rules = rules
    issues = IssueLog(document, endsAtFirst: !rules.isLenient)
    decoder = try RowDecoder(
      rowCount: document.wordCount / 2 + 2, nestingLimit: rules.depth, userInfo: rules.userInfo)
  }

  /// Reads the value of an entry.
  func read<Value: ArchivableValue>(_ type: Value.Type, at index: Int) throws -> Value {
    let filler = filler(of: try decoder.columns(of: type))
    try buildObjects(of: filler, 0, index)
    if filler.isNullReference(0, index), !type.__traits.contains(.optional) {
      _ = try filler.mismatch(0, index)
      throw issues.error
    }
    guard try filler.fill(0, index) else { throw issues.error }
    do { return try decoder.value(type, of: filler.row) } catch { throw try refusal(error, index) }
  }

  // MARK: Objects

  private func plan(of type: any Archivable.Type) throws -> ClassPlan {
    if let known = plans[ObjectIdentifier(type)] { return known }
    let rows = try decoder.reader(of: type)
    if rows.isCodedByHand {
      throw ArchiveError(
        .notArchivable, found: "class '\(type)', which is coded by hand",
        expected: "a class whose properties JSON can be read into", remedy: "mark it with @Archivable")
    }
    let plan = ClassPlan(rows, rules.naming, filler: filler(of: rows.columns))
    plans[ObjectIdentifier(type)] = plan
    return plan
  }

  private func filler(of columns: RowColumns) -> RowFiller {
    RowFiller(columns, rules, document, issues) { [decoder] in decoder.object(inRow: $0) != nil }
  }

  /// Builds all objects that a value refers to.
  private func buildObjects(of filler: RowFiller, _ node: Int, _ index: Int) throws {
    let bottom = frames.count
    try push(filler, [(node, index)])
    while frames.count > bottom {
      let last = frames.count - 1
      let frame = frames[last]
      if let firstMember = frame.firstMember {
        frames.removeLast()
        try build(frame, members: firstMember)
        members.removeLast(members.count - firstMember)
      } else {
        frames[last].firstMember = members.count
        try findMembers(of: frame)
        let slots = frame.plan.rows.slots
        try push(
          frame.plan.filler,
          slots.indices.compactMap { slot in
            let value = Int(members[members.count - slots.count + slot])
            return slots[slot].holdsReferences && value > 0 ? (slots[slot].node, value) : nil
          })
      }
    }
  }

  /// Has the objects in some values built before all others, the first one first.
  private func push(_ filler: RowFiller, _ values: [(node: Int, index: Int)]) throws {
    let first = frames.count
    for (node, index) in values {
      try filler.forEachObject(node, index) { frames.append(Frame(index: $0, plan: try plan(of: $1))) }
    }
    frames[first...].reverse()
  }

  /// Appends the entries of the members that an object has for its properties.
  private func findMembers(of frame: Frame) throws {
    let plan = frame.plan
    let first = members.count
    members.append(contentsOf: repeatElement(0, count: plan.names.count))
    var previous = plan.names.count
    for key in document.keys(of: frame.index) {
      let slot = plan.slot(ofKeyAt: key, in: document, after: previous)
      if slot >= 0 {
        if members[first + slot] > 0 {
          try issues.note(
            .duplicateKey, at: key + 1, found: "a second member of that name", expected: "one")
        }
        members[first + slot] = UInt32(truncatingIfNeeded: key + 1)
        previous = slot
      }
    }
  }

  // MARK: Rows

  /// Builds an object, if it has all that it needs.
  private func build(_ frame: Frame, members first: Int) throws {
    let plan = frame.plan
    plan.rows.row.removeAll()
    var missing: [(name: String, expected: String)] = []
    var isWhole = true
    for (number, slot) in plan.rows.slots.enumerated() {
      let value = Int(members[first + number])
      if value > 0, !slot.isWeak, try fill(plan, number, value) {
        plan.rows.setAbsent(false, slot: number)
        continue
      }
      switch slot.absence {
      case .keepsInitialValue: plan.rows.setAbsent(true, slot: number)
      case .becomesNil:
        plan.rows.setAbsent(false, slot: number)
        _ = plan.filler.fillNothing(slot.node)
      case .refused, .unknown:
        isWhole = false
        if value == 0 {
          missing.append((plan.names[number], plan.filler.nodes[slot.node].kind.words))
        }
      }
    }
    if !missing.isEmpty { try issues.noteMissing(missing, at: frame.index) }
    if isWhole { try make(frame, members: first) }
  }

  /// Fills a slot, as a whole or not at all.
  private func fill(_ plan: ClassPlan, _ number: Int, _ value: Int) throws -> Bool {
    let slot = plan.rows.slots[number]
    if plan.filler.isNullReference(slot.node, value), !slot.isOptional {
      return try plan.filler.mismatch(slot.node, value)
    }
    return try plan.filler.fillWhole(slot.node, value)
  }

  /// Makes the object of the row that is filled. A lenient reading goes on without a value that the type of
  /// its property refuses.
  private func make(_ frame: Frame, members first: Int) throws {
    do {
      try decoder.build(frame.plan.rows, row: RowFiller.row(ofObjectAt: frame.index))
    } catch let error as ArchiveError {
      let slots = frame.plan.rows.slots
      let slot = slots.firstIndex { error.key?.hasSameBytes(as: $0.keys[0]) ?? false }
      let value = slot.map { Int(members[first + $0]) } ?? 0
      guard let slot, value > 0 else { throw try refusal(error, frame.index) }
      try note(error, at: value)
      guard slots[slot].absence != .refused else { return }
      members[first + slot] = 0
      try build(frame, members: first)
    }
  }

  /// The error for a value that its type refuses; any other error as it is.
  private func refusal(_ error: any Error, _ index: Int) throws -> any Error {
    guard let error = error as? ArchiveError else { return error }
    try note(error, at: index)
    return issues.error
  }

  private func note(_ error: ArchiveError, at index: Int) throws {
    try issues.note(
      error.code == .unknownCase ? .unknownCase : .refused, at: index, found: error.found,
      expected: error.expected)
  }
}
