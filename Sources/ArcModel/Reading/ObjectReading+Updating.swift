import Arc
import ArcFormat
import ArcJSON

// Objects that are there already take what a text has for them.

extension ObjectReading {
  /// What an object takes.
  struct Update {
    let object: any Archivable
    let index: Int
    let plan: Int
    /// The entries of its properties' values, by slot, -1 for those that stay.
    let members: [Int]
  }

  /// Updates an object with the root, and objects that its properties have with what is inside: all of it or
  /// nothing.
  mutating func update(_ object: any Archivable) throws {
    guard document.word(at: root).kind == .object else {
      try issues.note(.typeMismatch, at: root, expected: "an object")
      throw issues.error
    }
    updated[root] = object
    preparedIndex = root
    frames.append(Frame(index: root, plan: try plan(of: type(of: object))))
    try buildFrames()
    let refuses = updates.contains { plans[$0.plan].isFinishing }
    let former = refuses ? try updates.map { try $0.object.variableValues() } : []
    // What was wrong is reported.
    issues.isSilent = true
    for update in updates { try apply(update) }
    issues.isSilent = false
    for update in updates {
      do { try (update.object as? any ModelFinishing)?.didRead() } catch {
        for (update, values) in zip(updates, former) { try update.object.setValues(values) }
        try noteRefusal(error, at: update.index)
        throw issues.error
      }
    }
  }

  /// Updates an object with what its class makes of the root.
  mutating func updatePrepared(_ object: any Archivable, as type: any ModelPreparing.Type) throws {
    guard document.word(at: root).kind == .object else { return try update(object) }
    guard case .object(var members)? = try value(at: root) else { throw issues.error }
    do { try type.willRead(&members) } catch {
      try noteRefusal(error, at: root)
      throw issues.error
    }
    var reading = try ObjectReading(JSONValue.object(members).document(limits: rules.limits), rules)
    do { try reading.update(object) } catch let error as ModelError {
      try issues.noteAll(error.issues, at: root)
      throw issues.error
    }
    try issues.noteAll(reading.issues.all, at: root)
  }

  func isUpdated(_ frame: Frame) -> Bool { !updated.isEmpty && updated[frame.index] != nil }

  /// Has the object updated that a property refers to, if it has one and the text too. Returns whether it
  /// will be, or cannot be, which is reported.
  mutating func pushUpdate(ofSlot slot: Int, _ frame: Frame, _ firstMember: Int) throws -> Bool {
    let plan = plans[frame.plan]
    let value = members[firstMember + slot]
    guard plan.filler.nodes[plan.slots[slot].node].leadsToObjects, document.word(at: value).kind == .object,
      let owner = updated[frame.index],
      let object = try owner.value(forKey: plan.rows.slots[slot].name) as? any Archivable
    else { return false }
    if let type = type(of: object) as? any ModelChoosing.Type,
      let chosen = type.modelClass(for: JSONNode(document, value)), chosen != type
    {
      return false
    }
    if object is any ModelPreparing {
      try issues.note(
        .refused, at: value, expected: "nothing: class '\(type(of: object))' changes what is read of it")
      members[firstMember + slot] = -1
    } else if let other = updated[value], other !== object {
      try issues.note(.refused, at: value, expected: "one property for it, or one object for all")
      members[firstMember + slot] = -1
    } else if updated[value] == nil {
      updated[value] = object
      frames.append(Frame(index: value, plan: try self.plan(of: type(of: object))))
    }
    return true
  }

  /// Reads what an object takes, and sets nothing yet.
  mutating func prepareUpdate(_ frame: Frame, _ plan: ClassPlan, members first: Int) throws {
    guard let object = updated[frame.index] else { return }
    var own = Array(members[first..<first + plan.slots.count])
    try fillUpdate(plan, &own)
    while let slot = try refusedSlot(plan, own, at: frame.index) {
      own[slot] = -1
      try fillUpdate(plan, &own)
    }
    let row = RowFiller.row(ofObjectAt: frame.index)
    if !decoder.hasObject(inRow: row) { decoder.place(object, inRow: row) }
    updates.append(Update(object: object, index: frame.index, plan: frame.plan, members: own))
  }

  /// Fills a row with what an object takes; what is not as it should be stays, and is no member any more.
  private mutating func fillUpdate(_ plan: ClassPlan, _ own: inout [Int]) throws {
    plan.rows.row.removeAll()
    for number in plan.slots.indices {
      if own[number] >= 0, !(try fill(number, of: plan, own[number])) { own[number] = -1 }
      plan.rows.setAbsent(own[number] < 0, slot: number)
    }
  }

  /// The slot whose value its type refuses, which is reported; nil for none.
  private func refusedSlot(_ plan: ClassPlan, _ own: [Int], at index: Int) throws -> Int? {
    for slot in plan.slots.indices where own[slot] >= 0 {
      do { try decoder.checkValue(ofSlot: slot, of: plan.rows) } catch let error as ArchiveError {
        try note(error, at: own[slot])
        return slot
      }
    }
    return nil
  }

  private mutating func apply(_ update: Update) throws {
    let plan = plans[update.plan]
    var own = update.members
    try fillUpdate(plan, &own)
    try decoder.update(update.object, plan.rows)
  }
}
