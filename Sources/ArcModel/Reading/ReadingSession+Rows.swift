import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Building an object from its row.

extension ReadingSession {
  /// Builds an object if all required values are present. If a type refuses a value, checks each value
  /// separately.
  mutating func build(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws {
    if !updates.isEmpty { plan.updateInRow = -1 }
    let issueCount = issues.count
    if try !fillUnchecked(frame, plan, members: first) || !buildUnchecked(frame, plan) {
      issues.removeAll(after: issueCount)
      guard try buildChecked(frame, plan, members: first) else { return }
    }
    if plan.isFinishing || plan.preservesUnknownMembers { try finishReading(frame, plan) }
  }

  /// Fills the row of an object. Returns whether the row has all values that the object requires. In a strict
  /// reading, returns false if a value does not fit, and does not throw. The caller then checks the values in
  /// order, and reports the first value that does not fit or that its type refuses.
  private mutating func fillUnchecked(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws
    -> Bool
  {
    do { return try fillRow(frame, plan, plan.filler, members: first) } catch is ModelReadingError
      where !rules.isLenient
    {
      return false
    }
  }

  /// Builds the object of a filled row. Returns false if a type refuses a value.
  private func buildUnchecked(_ frame: Frame, _ plan: ClassReadingState) -> Bool {
    do { try decoder.build(plan.rows, row: JSONRowFiller.row(ofObjectAt: frame.index)) } catch {
      return false
    }
    return true
  }

  /// Fills the row of an object, and reports missing members. Returns whether the row has all values that the
  /// object requires.
  mutating func fillRow(
    _ frame: Frame, _ plan: ClassReadingState, _ filler: JSONRowFiller, members first: Int
  ) throws -> Bool {
    plan.updateInRow = -1
    let entries = members
    let (isWhole, lacksKeys) = try plan.plan.fillRow(
      { entries[first + $0] }, { slot, value in try fill(slot, of: plan, filler, value) })
    if lacksKeys { try noteMissingKeys(of: frame.index, plan, members: first) }
    return isWhole
  }

  /// Reports the required members that a JSON object does not have.
  func noteMissingKeys(
    of index: Int, _ plan: ClassReadingState, members first: Int, _ log: IssueLog? = nil
  ) throws {
    let missing = plan.slots.indices.filter { number in
      let slot = plan.slots[number]
      let mustBePresent = slot.isRequired || slot.absence == .refused || slot.absence == .unknown
      return members[first + number] < 0 && mustBePresent
    }
    if missing.isEmpty { return }
    try (log ?? issues).noteMissing(
      missing.map { (plan.mappings[$0].paths[0], plan.filler.words(ofNode: plan.slots[$0].node)) },
      at: index)
  }

  /// Fills a slot with a value. Returns false if the value does not fit. The slot is then empty.
  mutating func fill(
    _ number: Int, of plan: ClassReadingState, _ filler: JSONRowFiller, _ value: Int
  ) throws -> Bool {
    let slot = plan.slots[number]
    if slot.isCustom {
      if try fillCustom(number, of: plan, filler, value) { return true }
    } else if try filler.fill(slot.node, value) {
      return true
    }
    plan.rows.row.removeAll(ofRoot: number)
    return false
  }

  /// Builds an object after a type refused one of its values. Checks each value separately: a strict reading
  /// ends with the refused value, and a lenient reading omits it. Returns whether the object was built.
  private mutating func buildChecked(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws
    -> Bool
  {
    var refusals = RefusedValues(issueCount: issues.count)
    while true {
      guard try fillRow(frame, plan, plan.checkingFiller, members: first) else { return false }
      do {
        try decoder.build(plan.rows, row: JSONRowFiller.row(ofObjectAt: frame.index))
        return true
      } catch let error as ArchiveError {
        guard try omitRefused(error, frame.index, plan, members: first, &refusals) else { return false }
      }
    }
  }

  /// The values of one object that were refused although their types had accepted them. The object's
  /// initializer refused them, or they were refused while the object's references were set.
  struct RefusedValues {
    /// The number of issues before the first issue of the object.
    let issueCount: Int
    var all: [(error: ArchiveError, value: Int)] = []
  }

  /// Reports a refused value and removes it, so that the next attempt to build the object omits it. Returns
  /// false if the property must have a value.
  mutating func omitRefused(
    _ error: ArchiveError, _ index: Int, _ plan: ClassReadingState, members first: Int,
    _ refusals: inout RefusedValues
  ) throws -> Bool {
    // The error names the property, but not the position in its value.
    let slot = plan.rows.slots.firstIndex { error.key?.hasSameBytes(as: $0.keys[0]) ?? false }
    let value = slot.map { members[first + $0] } ?? -1
    guard let slot, value >= 0 else { throw try refusal(error, index) }
    guard plan.rows.slots[slot].absence != .refused else {
      try note(error, at: value)
      return false
    }
    refusals.all.append((error, value))
    // The next attempt reports the other issues again.
    issues.removeAll(after: refusals.issueCount)
    for refusal in refusals.all { try note(refusal.error, at: refusal.value) }
    members[first + slot] = -1
    return true
  }

  /// Reports a value that its type refused, and returns an error with all reported issues. If `error` is not
  /// an `ArchiveError`, reports nothing and returns `error` unchanged.
  func refusal(_ error: any Error, _ index: Int) throws -> any Error {
    guard let error = error as? ArchiveError else { return error }
    try note(error, at: index)
    return issues.error
  }

  func note(_ error: any Error, at index: Int) throws {
    guard let error = error as? ArchiveError else { return try noteRefusal(error, at: index) }
    try issues.note(
      error.code == .unknownCase ? .unknownCase : .refused, at: index, found: error.found,
      expected: error.expected)
  }
}
