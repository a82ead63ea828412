import Arc
import ArcFormat
import ArcJSON

/// Updates objects right from a text: looks at all that they take before anything is set, and sets it then.
///
/// What is not as strict reading wants it, or takes more than values, is left to an `ObjectReading`.
struct DirectUpdates {
  private let objects: DirectObjects
  private let plans: ReadingPlans
  /// What is set in which object, those inside of others first.
  private var updates: [Update] = []
  /// How many objects are around the one that is looked at.
  private var depth = 0

  private struct Update {
    let object: any Archivable
    let plan: ClassPlan
    /// The entries of what is set, by slot; -1 for what stays.
    let entries: [Int]
  }

  init(_ plans: ReadingPlans) {
    self.plans = plans
    objects = plans.objects
  }

  /// Has an object take what an entry has for it. Returns false if it took nothing, since it cannot be
  /// done so.
  mutating func update(_ object: any Archivable, _ index: Int) throws -> Bool {
    do {
      try objects.text.read { try check(object, index, $0) }
    } catch {
      return false
    }
    for update in updates {
      update.plan.give(update.entries)
      update.plan.isUpdating = true
      defer { update.plan.isUpdating = false }
      try objects.decoder.update(update.object, update.plan.rows, isSupplied: true)
    }
    return true
  }

  /// Looks at what an object takes.
  private mutating func check(_ object: any Archivable, _ index: Int, _ text: JSONDocument) throws {
    let plan = try plans.plan(of: type(of: object))
    guard plan.isDirect, !plan.isMerging, depth < Self.maximumCount, updates.count < Self.maximumCount else {
      throw TextValues.Refusal()
    }
    depth += 1
    defer { depth -= 1 }
    _ = try plan.giveMembers(of: index, in: text)
    var entries = plan.entries
    // Constants are compared by an `ObjectReading`.
    for (slot, entry) in entries.enumerated() where entry >= 0 && plan.slots[slot].isConstant {
      throw TextValues.Refusal()
    }
    for slot in plan.slotsWithObjects where entries[slot] >= 0 {
      let node = plan.slots[slot].node
      guard plan.shape.nodes[node].leadsToObjects, text.word(at: entries[slot]).kind == .object,
        let inner = try plan.rows.object(ofSlot: slot, of: object) as? any Archivable
      else { continue }
      guard !(inner is any JSONClassChoosing), !(inner is any ModelIdentifiable),
        !updates.contains(where: { $0.object === inner })
      else {
        throw TextValues.Refusal()
      }
      try check(inner, entries[slot], text)
      // It stays, with what it takes.
      entries[slot] = -1
    }
    plan.give(entries)
    plan.isUpdating = true
    defer { plan.isUpdating = false }
    for (slot, entry) in entries.enumerated() where entry >= 0 {
      if !plan.slotCanRefuse[slot], plan.values.isSureToGive(entry, toNode: plan.slots[slot].node, text) {
        continue
      }
      try objects.decoder.checkValue(ofSlot: slot, of: plan.rows, isSupplied: true)
    }
    updates.append(Update(object: object, plan: plan, entries: entries))
  }

  /// How many objects are updated so, and how many are inside of each other.
  private static let maximumCount = 16
}

extension ClassPlan {
  /// The entries that the slots have values from, -1 for none.
  fileprivate var entries: [Int] { slots.indices.map { values.next[nodesOfSlots[$0]] } }

  /// Gives the slots values from entries; those without any stay as they are.
  fileprivate func give(_ entries: [Int]) {
    for (slot, entry) in entries.enumerated() {
      values.give(entry, toNode: nodesOfSlots[slot])
      rows.setAbsent(entry < 0, slot: slot)
    }
  }
}
