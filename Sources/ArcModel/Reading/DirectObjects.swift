import Arc
import ArcFormat
import ArcJSON

/// Builds objects right from a text, each when it is asked for: one inside of another, to some depth.
///
/// One for all classes of a reader, for one text after another.
final class DirectObjects {
  let decoder: RowDecoder
  /// The text that is read.
  let text = TextReference()
  /// The entries of objects that cannot be built right from the text.
  private var indirect: Set<Int> = []
  /// How many objects are being built, one inside of another.
  private var depth = 0

  /// How many objects inside of each other are built by recursion.
  private static let maximumDepth = 16

  init(_ decoder: RowDecoder) { self.decoder = decoder }

  /// Has values come from a text, which the caller keeps until `end()`.
  func begin(_ document: JSONDocument) { text.set(document) }

  func end() {
    text.set(nil)
    if !indirect.isEmpty { indirect.removeAll() }
  }

  /// Builds the object of an entry and places it in its row, if its members are as strict reading wants them.
  /// Returns whether it is there.
  func place(_ index: Int, _ plan: ClassPlan) -> Bool {
    guard plan.isDirect, indirect.isEmpty || !indirect.contains(index),
      let object = try? text.read({ try build(index, plan, $0) })
    else { return false }
    decoder.place(object, inRow: RowFiller.row(ofObjectAt: index))
    return true
  }

  /// Builds the object of an entry.
  ///
  /// - Throws: something if its members are not as strict reading wants them.
  func build(_ index: Int, _ plan: ClassPlan, _ text: JSONDocument) throws -> AnyObject {
    guard indirect.isEmpty || !indirect.contains(index) else { throw TextValues.Refusal() }
    let outer = plan.isOpen ? OuterObject(plan) : nil
    depth += 1
    plan.isOpen = true
    defer {
      depth -= 1
      plan.isOpen = outer != nil
      outer?.goOn(plan)
    }
    do {
      guard depth <= Self.maximumDepth, !plan.isUpdating else { throw TextValues.Refusal() }
      try plan.begin(plan.giveMembers(of: index, in: text))
      if let fields = plan.fields, !plan.rows.hasAbsences { return try object(of: plan, fields, text) }
      return try decoder.buildSupplied(plan.rows)
    } catch {
      indirect.insert(index)
      throw error
    }
  }
}

/// What an object still has to take, while another one of its class is built inside of it.
private struct OuterObject {
  private let entries: [Int]
  private let isAbsent: [Bool]

  init(_ plan: ClassPlan) {
    entries = plan.shape.nodes.indices.map { plan.values.next[$0] }
    isAbsent = plan.slots.indices.map(plan.rows.isAbsent)
  }

  func goOn(_ plan: ClassPlan) {
    for (node, entry) in entries.enumerated() { plan.values.next[node] = entry }
    for (slot, isAbsent) in isAbsent.enumerated() { plan.rows.setAbsent(isAbsent, slot: slot) }
  }
}

extension ClassPlan {
  /// Gives the properties of an object its members. Returns to how many.
  func giveMembers(of index: Int, in text: JSONDocument) throws -> Int {
    guard text.word(at: index).kind == .object else { throw TextValues.Refusal() }
    let next = values.next
    let slotCount = nodesOfSlots.count
    for slot in 0..<slotCount { next[nodesOfSlots[slot]] = -1 }
    var previous = slotCount
    var foundCount = 0
    var key = index + 2
    for _ in 0..<text.word(at: index).length {
      let value = key + 1
      defer { key = text.end(of: value) }
      guard let slot = slot(ofKeyAt: key, behind: previous, in: text) else { continue }
      let node = nodesOfSlots[slot]
      // Of two members of one name, another reading decides.
      guard next[node] < 0 else { throw TextValues.Refusal() }
      next[node] = value
      foundCount += 1
      previous = slot
    }
    return foundCount
  }

  /// Has properties that were given nothing be without a value, if they can.
  fileprivate func begin(_ givenCount: Int) throws {
    guard givenCount < nodesOfSlots.count || rows.hasAbsences else { return }
    let next = values.next
    for slot in 0..<nodesOfSlots.count {
      let isGiven = next[nodesOfSlots[slot]] >= 0
      guard isGiven || slots[slot].canBeAbsent && !slots[slot].isRequired else { throw TextValues.Refusal() }
      rows.setAbsent(!isGiven && slots[slot].absence == .keepsInitialValue, slot: slot)
    }
  }
}
