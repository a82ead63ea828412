import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// The row of an object: what its members fill, and the object that is made of it.

extension ObjectReading {
  /// Builds an object, if it has all that it needs.
  mutating func build(_ frame: Frame, _ plan: ClassPlan, members first: Int) throws {
    plan.rows.row.removeAll()
    var isWhole = true
    var lacksKeys = false
    for number in plan.slots.indices {
      let slot = plan.slots[number]
      let value = members[first + number]
      if value >= 0, try fill(number, of: plan, value) {
        plan.rows.setAbsent(false, slot: number)
        continue
      }
      if slot.isRequired, value < 0 { (isWhole, lacksKeys) = (false, true) }
      switch slot.absence {
      case .keepsInitialValue: plan.rows.setAbsent(true, slot: number)
      case .becomesNil:
        plan.rows.setAbsent(false, slot: number)
        _ = plan.filler.fillNothing(slot.node)
      case .refused, .unknown:
        isWhole = false
        if value < 0 { lacksKeys = true }
      }
    }
    if lacksKeys { try noteMissingKeys(frame, plan, members: first) }
    if isWhole { try make(frame, plan, members: first) }
  }

  /// Reports the members that an object cannot be without.
  private func noteMissingKeys(_ frame: Frame, _ plan: ClassPlan, members first: Int) throws {
    let missing = plan.slots.indices.filter { number in
      let slot = plan.slots[number]
      let mustBeThere = slot.isRequired || slot.absence == .refused || slot.absence == .unknown
      return members[first + number] < 0 && mustBeThere
    }
    try issues.noteMissing(
      missing.map { (plan.mappings[$0].paths[0], plan.filler.nodes[plan.slots[$0].node].kind.words) },
      at: frame.index)
  }

  /// Fills a slot, as a whole or not at all.
  mutating func fill(_ number: Int, of plan: ClassPlan, _ value: Int) throws -> Bool {
    let slot = plan.slots[number]
    if slot.isCustom {
      if try fillCustom(number, of: plan, value) { return true }
    } else if try plan.filler.fill(slot.node, value) {
      return true
    }
    plan.rows.row.removeAll(ofRoot: number)
    return false
  }

  /// Makes the object of the row that is filled. A lenient reading goes on without a value that the type of
  /// its property refuses.
  private mutating func make(_ frame: Frame, _ plan: ClassPlan, members first: Int) throws {
    do {
      try decoder.build(plan.rows, row: RowFiller.row(ofObjectAt: frame.index))
      if plan.isFinishing { try finishReading(frame) }
    } catch let error as ArchiveError {
      let slots = plan.rows.slots
      let slot = slots.firstIndex { error.key?.hasSameBytes(as: $0.keys[0]) ?? false }
      let value = slot.map { members[first + $0] } ?? -1
      guard let slot, value >= 0 else { throw try refusal(error, frame.index) }
      try note(error, at: value)
      guard slots[slot].absence != .refused else { return }
      members[first + slot] = -1
      try build(frame, plan, members: first)
    }
  }

  /// The error for a value that its type refuses; any other error as it is.
  func refusal(_ error: any Error, _ index: Int) throws -> any Error {
    guard let error = error as? ArchiveError else { return error }
    try note(error, at: index)
    return issues.error
  }

  func note(_ error: ArchiveError, at index: Int) throws {
    try issues.note(
      error.code == .unknownCase ? .unknownCase : .refused, at: index, found: error.found,
      expected: error.expected)
  }
}
