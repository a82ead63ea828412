import Arc
import ArcFormat
import ArcJSON

// Updating existing objects from a text.

extension ReadingSession {
  /// The new values of one object.
  struct Update {
    let object: any Archivable
    let index: Int
    let plan: Int
    /// For each slot, the document index of its new value, or -1 if the property keeps its value.
    let members: [Int]
    /// Whether each value must be checked by itself, because a type refused one of them.
    let isChecked: Bool
  }

  /// Updates an object from the root, and updates the objects that its properties refer to. If this method
  /// throws, no object has changed.
  mutating func update(_ object: any Archivable) throws {
    guard document.word(at: root).kind == .object else {
      try issues.note(.typeMismatch, at: root, expected: "an object")
      throw issues.error
    }
    try noteOtherClass(of: object)
    try beginRows()
    updated[root] = object
    preparedIndex = root
    frames.append(Frame(index: root, plan: try plan(of: type(of: object))))
    try buildFrames()
    try applyUpdates()
  }

  /// Sets the new values of all objects. If this method throws, no object has changed.
  mutating func applyUpdates() throws {
    try sharedPlans.finishObjects()
    let canFail = updates.contains { update in
      plans[update.plan].isFinishing || !plans[update.plan].plan.slotsThatKeepFields(update.members).isEmpty
    }
    let former = canFail ? try GraphCheckpoint(ofObjects: ContiguousArray(updates.map(\.object))) : nil
    let sources = graph.entriesOfUpdatedObjects()
    let memberChanges = try updates.map { try unknownMembers(after: $0, from: sources[$0.index]) }
    do {
      for number in updates.indices { try apply(number) }
      for (update, members) in zip(updates, memberChanges) { members?.after.keep(by: update.object) }
      for update in updates { try finish(update) }
    } catch {
      former?.restore()
      for (update, members) in zip(updates, memberChanges) { members?.before.keep(by: update.object) }
      throw error
    }
  }

  /// Calls `didRead(in:)` of an updated object, which can reject the update.
  private func finish(_ update: Update) throws {
    do { try (update.object as? any ModelFinishing)?.didRead(in: rules.context) } catch {
      try issues.noteHookError(error, at: update.index)
      throw issues.error
    }
  }

  /// Returns the unknown members that an object has before an update and after it. Returns nil if the object
  /// does not preserve unknown members.
  private func unknownMembers(
    after update: Update, from sources: [Int]?
  ) throws -> (before: JSONObject, after: JSONObject)? {
    guard plans[update.plan].preservesUnknownMembers,
      let object = update.object as? any UnknownMemberPreserving
    else {
      return nil
    }
    let before = object.unknownMembers
    var after = before
    for index in sources ?? [update.index] {
      after = try unknownMembers(of: index, plans[update.plan], addedTo: after)
    }
    return (before, after)
  }

  /// Updates an object from the root. First, the object's class preprocesses the JSON of the root.
  mutating func updatePrepared(_ object: any Archivable, as type: any JSONPreprocessing.Type) throws {
    guard document.word(at: root).kind == .object else { return try update(object) }
    guard let members = try members(of: root, preparedBy: type) else { throw issues.error }
    let nestedIssues: [ModelIssue]
    do {
      let prepared = try JSONValue.object(members).jsonDocument(limits: rules.limits)
      let usesGraph = !rules.references.isEmpty
      let known = identified
      nestedIssues = try rules.pool.read(prepared, rules) { reading in
        reading.identified = known
        if usesGraph { try reading.updateGraph(object) } else { try reading.update(object) }
        return reading.issues.all
      }
    } catch let error as ModelReadingError {
      try issues.noteAll(error.issues, at: root)
      throw issues.error
    }
    try issues.noteAll(nestedIssues, at: root)
  }

  func isUpdated(_ frame: Frame) -> Bool { !updated.isEmpty && updated[frame.index] != nil }

  /// Schedules an update of the object to which a property refers, if the property's JSON value describes
  /// this object. Returns false if the JSON value describes another object or no object. If the JSON value
  /// describes the object but the update is not possible, reports an issue and returns true.
  mutating func pushUpdate(ofSlot slot: Int, _ frame: Frame, _ firstMember: Int) throws -> Bool {
    let plan = plans[frame.plan]
    let value = members[firstMember + slot]
    guard !plan.slots[slot].isReplaced, plan.filler.nodes[plan.slots[slot].node].buildsObjects,
      document.word(at: value).kind == .object,
      let owner = updated[frame.index],
      let object = try plan.rows.object(ofSlot: slot, of: owner) as? any Archivable
    else { return false }
    if try isOfOtherClass(value, than: object) { return false }
    if let choice = plan.filler.choice(ofReference: plan.slots[slot].node) {
      guard let chosen = choice.choose(JSONNode(document, value)), chosen == type(of: object) else {
        return false
      }
    }
    if try isOtherObject(value, than: object) { return false }
    if object is any JSONPreprocessing {
      try issues.note(
        .refused, at: value,
        found: "a nested object of class '\(type(of: object))', which conforms to JSONPreprocessing",
        expected: "an object of a class without JSONPreprocessing, because an update does not preprocess the "
          + "JSON of nested objects")
      members[firstMember + slot] = -1
    } else if let other = updated[value], other !== object {
      try issues.note(
        .refused, at: value, found: "one JSON object for several properties that refer to different objects",
        expected: "properties that refer to the same object")
      members[firstMember + slot] = -1
    } else if updated[value] == nil {
      updated[value] = object
      frames.append(Frame(index: value, plan: try self.plan(of: type(of: object))))
    }
    return true
  }

  /// Reports an issue if the class that is chosen for the root is not the class of the updated object.
  func noteOtherClass(of object: any Archivable) throws {
    guard let type = type(of: object) as? any JSONClassChoosing.Type,
      // An update can lack the members by which the class chooses.
      let chosen = try? type.modelClass(for: JSONNode(document, root), in: rules.context), chosen != type
    else { return }
    try issues.note(
      .refused, at: root, found: "an object of class '\(chosen)'",
      expected: "an object of class '\(type)', the class of the updated object")
  }

  /// Whether the class of an existing object differs from the class that is chosen for a JSON object. If
  /// `modelClass(for:in:)` throws, returns true. The method is called again when the object is built, and the
  /// error is reported then.
  func isOfOtherClass(_ index: Int, than object: any Archivable) throws -> Bool {
    guard let type = type(of: object) as? any JSONClassChoosing.Type else { return false }
    do {
      let chosen = try type.modelClass(for: JSONNode(document, index), in: rules.context)
      return chosen.map { $0 != type } ?? false
    } catch {
      return true
    }
  }

  /// Whether a JSON object and an existing object have different identities. If the JSON object lacks an
  /// identifying member, it describes the existing object. If an identifying member is `null` for an optional
  /// property, the JSON object describes another object.
  mutating func isOtherObject(_ index: Int, than object: any Archivable) throws -> Bool {
    guard let known = ObjectKey(ofAny: object) else { return false }
    return switch try identity(ofObjectAt: index, as: type(of: object)) {
    case .key(let key): key != known
    case .null: true
    case .missing: false
    }
  }

  /// The identity that the identifying members of a JSON object state.
  enum StatedIdentity {
    case key(ObjectKey)
    /// An identifying member is `null`, and its property is optional. The JSON object then describes an
    /// object without an identity.
    case null
    /// An identifying property has no value, or the class is not identifiable.
    case missing
  }

  /// Returns the identity of a JSON object that describes an object of a class.
  mutating func identity(ofObjectAt index: Int, as type: any Archivable.Type) throws -> StatedIdentity {
    let plan = plans[try plan(of: type)]
    guard let identity = plan.updateIdentity else { return .missing }
    let first = members.count
    let notedUnknownKeys = notesUnknownKeys
    notesUnknownKeys = false
    defer {
      members.removeLast(members.count - first)
      notesUnknownKeys = notedUnknownKeys
    }
    try findMembers(of: index, plan)
    if let key = key(identity, plan, members: first) { return .key(key) }
    let isNull = identity.slots.contains { slot in
      let value = members[first + slot]
      return value >= 0 && document.word(at: value).kind == .null
        && plan.filler.nodes[plan.slots[slot].node].kind == .optional
    }
    return isNull ? .null : .missing
  }

  /// Compares the JSON values for `let` properties with the properties of the object. Reports each value that
  /// differs.
  private mutating func compareConstants(of object: any Archivable, _ plan: ClassReadingState, _ own: [Int])
    throws
  {
    for slot in plan.slots.indices where own[slot] >= 0 && plan.slots[slot].isConstant {
      let name = plan.rows.slots[slot].name
      let new = try decoder.value(ofSlot: slot, of: plan.rows)
      if try Self.isEqual(new, try object.value(forKey: name)) { continue }
      try issues.note(
        .conflictingValue, at: own[slot],
        expected: "the current value of '\(name)', because '\(name)' is a constant")
    }
  }

  /// Whether the new and the old value of a constant are identical objects or equal values.
  private static func isEqual(_ new: any ArchivableValue, _ old: Any?) throws -> Bool {
    guard let new = ObjectKey.unwrapped(new), let old = old.flatMap(ObjectKey.unwrapped) else {
      return ObjectKey.unwrapped(new) == nil && old.flatMap(ObjectKey.unwrapped) == nil
    }
    if type(of: old) is AnyClass { return (new as AnyObject) === (old as AnyObject) }
    if let new = new as? AnyHashable, let old = old as? AnyHashable { return new == old }
    guard let new = new as? any ArchivableValue, let old = old as? any ArchivableValue else { return false }
    let archiver = Archiver(isCanonical: true)
    return try archiver.archive(new) == archiver.archive(old)
  }

  /// Reads the new values of an object into its row. The values are set later, when the whole text is read.
  mutating func prepareUpdate(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws {
    guard let object = updated[frame.index] else { return }
    let all = Array(members[first..<first + plan.slots.count])
    var own = all
    let issueCount = issues.count
    try fillUpdate(object, plan, plan.filler, &own)
    let isChecked = refusedSlot(plan, own) != nil
    if isChecked {
      issues.removeAll(after: issueCount)
      own = all
      try fillUpdate(object, plan, plan.checkingFiller, &own)
      while let (slot, error) = refusedSlot(plan, own) {
        try note(error, at: own[slot])
        own[slot] = -1
        try fillUpdate(object, plan, plan.checkingFiller, &own)
      }
    }
    try compareConstants(of: object, plan, own)
    let row = JSONRowFiller.row(ofObjectAt: frame.index)
    if !decoder.hasObject(inRow: row) { decoder.setObject(object, inRow: row) }
    plan.updateInRow = updates.count
    updates.append(
      Update(object: object, index: frame.index, plan: frame.plan, members: own, isChecked: isChecked))
  }

  /// Fills a row with the new values of an object. Sets the element of `own` to -1 for a value that does not
  /// fit, so that the property keeps its value.
  private mutating func fillUpdate(
    _ object: any Archivable, _ plan: ClassReadingState, _ filler: JSONRowFiller, _ own: inout [Int]
  ) throws {
    plan.beginRow()
    plan.keepFields(of: object, by: filler, rules)
    defer { filler.existingFields = nil }
    for number in plan.slots.indices {
      if own[number] >= 0, !(try fill(number, of: plan, filler, own[number])) { own[number] = -1 }
      plan.rows.setAbsent(own[number] < 0, slot: number)
    }
    decoder.handOver(plan.objectsOfExistingFields)
  }

  /// Returns the first slot whose type refuses its value, and the error of the type. Returns nil if the types
  /// accept all values.
  private func refusedSlot(_ plan: ClassReadingState, _ own: [Int]) -> (slot: Int, error: any Error)? {
    for slot in plan.slots.indices where own[slot] >= 0 && plan.slotCanRefuse[slot] {
      do { try decoder.checkValue(ofSlot: slot, of: plan.rows) } catch { return (slot, error) }
    }
    return nil
  }

  /// Sets the new values of an object. Structures that keep some of their fields are set last, one at a time.
  /// Immediately before a structure is set, these fields are read from the object, because observers of
  /// other properties can have changed them.
  private mutating func apply(_ number: Int) throws {
    let update = updates[number]
    let plan = plans[update.plan]
    let partialSlots = plan.plan.slotsThatKeepFields(update.members)
    var otherMembers = update.members
    for slot in partialSlots { otherMembers[slot] = -1 }
    if plan.updateInRow != number || !partialSlots.isEmpty { try refill(update, plan, &otherMembers) }
    try set(otherMembers, of: update.object, plan)
    for slot in partialSlots {
      var own = Array(repeating: -1, count: plan.slots.count)
      own[slot] = update.members[slot]
      let issueCount = issues.count
      try fillUpdate(update.object, plan, update.isChecked ? plan.checkingFiller : plan.filler, &own)
      guard own[slot] >= 0 else { continue }
      // The issues of the text are already reported.
      issues.removeAll(after: issueCount)
      if let (slot, error) = refusedSlot(plan, own) {
        try note(error, at: own[slot])
      } else {
        try set(own, of: update.object, plan)
      }
    }
  }

  private mutating func refill(_ update: Update, _ plan: ClassReadingState, _ own: inout [Int]) throws {
    // The issues of the text are already reported.
    issues.isSilent = true
    defer { issues.isSilent = false }
    try fillUpdate(update.object, plan, update.isChecked ? plan.checkingFiller : plan.filler, &own)
  }

  /// Sets those properties of an object whose values are in the row. `own` contains the document index of
  /// each slot's value, or -1 if the slot has no value.
  private func set(_ own: [Int], of object: any Archivable, _ plan: ClassReadingState) throws {
    decoder.handOver(plan.objectsOfExistingFields)
    let merged = plan.slots.indices.filter { plan.slots[$0].isMerged && own[$0] >= 0 }
    for slot in merged { plan.rows.setAbsent(true, slot: slot) }
    // The row now lacks the values of the merged slots.
    if !merged.isEmpty { plan.updateInRow = -1 }
    try decoder.update(object, plan.rows)
    // Merged collections are set last, because observers of other properties can add elements too.
    for slot in merged {
      let name = plan.rows.slots[slot].name
      let value = try decoder.value(ofSlot: slot, of: plan.rows)
      let old = try object.value(forKey: name) as? any MergeableCollection
      try object.setValue(old?.adding(value) ?? ObjectKey.unwrapped(value), forKey: name)
    }
  }
}

extension JSONObject {
  /// Sets the unknown members of an object to this JSON object. Does nothing if the object does not preserve
  /// unknown members.
  fileprivate func keep(by object: any Archivable) {
    guard let object = object as? any UnknownMemberPreserving else { return }
    object.unknownMembers = self
  }
}
