import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// The row of an object: what its members fill, and the object that is made of it.

extension ReadingSession {
  /// Builds an object, if it has all that it needs. If one of its types rejects a value, each value is
  /// checked by itself.
  mutating func build(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws {
    if !updates.isEmpty { plan.updateInRow = -1 }
    let issueCount = issues.count
    if try !fillUnchecked(frame, plan, members: first) || !make(frame, plan) {
      issues.removeAll(after: issueCount)
      guard try buildChecked(frame, plan, members: first) else { return }
    }
    if plan.isFinishing || plan.isKeeping { try finishReading(frame, plan) }
  }

  /// Fills the row of an object. Returns whether it has all that the object needs. A strict reading does not
  /// end with a value that does not fit: a type may reject a value before it.
  private mutating func fillUnchecked(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws
    -> Bool
  {
    do { return try fillRow(frame, plan, plan.filler, members: first) } catch is ModelReadingError
      where !rules.isLenient
    {
      return false
    }
  }

  /// Makes the object of a row that has all that it needs. Returns false if a type refuses a value.
  private func make(_ frame: Frame, _ plan: ClassReadingState) -> Bool {
    do { try decoder.build(plan.rows, row: RowFiller.row(ofObjectAt: frame.index)) } catch { return false }
    return true
  }

  /// Fills the row of an object. Returns whether it has all that the object needs. Reports missing members.
  mutating func fillRow(
    _ frame: Frame, _ plan: ClassReadingState, _ filler: RowFiller, members first: Int
  ) throws -> Bool {
    plan.updateInRow = -1
    let entries = members
    let (isWhole, lacksKeys) = try plan.plan.fillRow(
      { entries[first + $0] }, { slot, value in try fill(slot, of: plan, filler, value) })
    if lacksKeys { try noteMissingKeys(of: frame.index, plan, members: first) }
    return isWhole
  }

  /// Reports the members that an object cannot be without.
  func noteMissingKeys(
    of index: Int, _ plan: ClassReadingState, members first: Int, _ log: IssueLog? = nil
  ) throws {
    let missing = plan.slots.indices.filter { number in
      let slot = plan.slots[number]
      let mustBeThere = slot.isRequired || slot.absence == .refused || slot.absence == .unknown
      return members[first + number] < 0 && mustBeThere
    }
    if missing.isEmpty { return }
    try (log ?? issues).noteMissing(
      missing.map { (plan.mappings[$0].paths[0], plan.filler.words(ofNode: plan.slots[$0].node)) },
      at: index)
  }

  /// Fills a slot, as a whole or not at all.
  mutating func fill(
    _ number: Int, of plan: ClassReadingState, _ filler: RowFiller, _ value: Int
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

  /// Builds an object of which a type refused a value, each value checked by itself: a strict reading ends
  /// with it, a lenient one goes on without. Returns whether it was built.
  private mutating func buildChecked(_ frame: Frame, _ plan: ClassReadingState, members first: Int) throws
    -> Bool
  {
    var refusals = RefusedValues(issueCount: issues.count)
    while true {
      guard try fillRow(frame, plan, plan.checkingFiller, members: first) else { return false }
      do {
        try decoder.build(plan.rows, row: RowFiller.row(ofObjectAt: frame.index))
        return true
      } catch let error as ArchiveError {
        guard try leaveOutRefused(error, frame.index, plan, members: first, &refusals) else { return false }
      }
    }
  }

  /// The values of an object that only its initializer or its links refused.
  struct RefusedValues {
    /// The number of issues before the issues of the object.
    let issueCount: Int
    var all: [(error: ArchiveError, value: Int)] = []
  }

  /// Reports a value that the type of its property refuses, and has the property be without it. Returns false
  /// if it cannot be.
  mutating func leaveOutRefused(
    _ error: ArchiveError, _ index: Int, _ plan: ClassReadingState, members first: Int,
    _ refusals: inout RefusedValues
  ) throws -> Bool {
    // The error names the property, but not the position in the value.
    let slot = plan.rows.slots.firstIndex { error.key?.hasSameBytes(as: $0.keys[0]) ?? false }
    let value = slot.map { members[first + $0] } ?? -1
    guard let slot, value >= 0 else { throw try refusal(error, index) }
    guard plan.rows.slots[slot].absence != .refused else {
      try note(error, at: value)
      return false
    }
    refusals.all.append((error, value))
    // The row is filled again, which reports the other issues again.
    issues.removeAll(after: refusals.issueCount)
    for refusal in refusals.all { try note(refusal.error, at: refusal.value) }
    members[first + slot] = -1
    return true
  }

  /// The error for a value that its type refuses; any other error as it is.
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
