import Arc
import ArcJSON

/// One updating of an object, and of those that its properties lead to, in one pass over a text: what they
/// take is read beside them, and set when all of it is there.
///
/// Whatever is otherwise than for `OnePassReading`, or needs more than fields to be set, makes it throw
/// before anything is set: then the text is read by its index.
struct OnePassUpdate {
  private let plans: ReadingPlans
  private let check: ExclusivityCheck
  /// What the objects take, those around others first.
  private var changes: [Change] = []

  private struct Change {
    let object: AnyObject
    let plan: ClassPlan
    let fields: FieldChanges
    /// What the object takes, in the memory of `fields`.
    var values: UnfinishedObject
  }

  /// How many objects are updated so.
  private static let maximumCount = 16

  /// Has an object, whose plan is given, take what a text has for it.
  static func update(
    _ object: AnyObject, _ plan: ClassPlan, from bytes: [UInt8], _ plans: ReadingPlans
  ) throws {
    let limits = plans.rules.limits
    let check = ExclusivityCheck.now()
    guard bytes.count <= min(limits.bytes, JSONWord.maximumLength), !check.isNeeded else {
      throw JSONCursor.Refusal()
    }
    var update = OnePassUpdate(plans: plans, check: check)
    defer { update.end() }
    var cursor = JSONCursor(bytes.span)
    cursor.skipSpace()
    try update.read(for: object, plan, from: &cursor, levels: OnePassReading.levels(limits))
    guard cursor.isAtEnd else { throw JSONCursor.Refusal() }
    for change in update.changes { change.fields.exchange(change.values, with: change.object, check) }
  }

  private init(plans: ReadingPlans, check: ExclusivityCheck) { (self.plans, self.check) = (plans, check) }

  /// Lets go of what is in the memory beside the objects: what they had, or what they do not get.
  private mutating func end() {
    for number in changes.indices {
      let fields = changes[number].fields
      fields.remove(&changes[number].values)
      changes[number].plan.idleChanges.append(fields)
    }
  }

  /// Reads what an object takes.
  private mutating func read(
    for object: AnyObject, _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int
  ) throws {
    guard levels > 0, changes.count < Self.maximumCount, !changes.contains(where: { $0.object === object }),
      let own = plan.fields, own.isUpdatedInOnePass,
      let fields = plan.idleChanges.popLast() ?? FieldChanges(own.making)
    else { throw JSONCursor.Refusal() }
    var values = fields.begin()
    let number = changes.count
    changes.append(Change(object: object, plan: plan, fields: fields, values: values))
    defer { changes[number].values = values }
    try plan.takeMembers(from: &cursor, levels: levels - 1) { slot, cursor in
      if cursor.byte == UInt8(ascii: "{"), let inner = own.target(slot, of: object, check) {
        try read(for: inner, self.plan(of: inner, in: slot, plan), from: &cursor, levels: levels - 1)
      } else {
        try own.set(slot, of: object, check, in: &values, plan, from: &cursor, levels: levels - 1)
      }
    }
  }

  /// The plan of an object that a property refers to.
  private func plan(of object: AnyObject, in slot: Int, _ plan: ClassPlan) throws -> ClassPlan {
    let declared = try plan.values.target(ofNode: plan.slots[slot].node)
    if ObjectIdentifier(declared.rows.type) == ObjectIdentifier(type(of: object)) { return declared }
    guard let object = object as? any Archivable else { throw JSONCursor.Refusal() }
    return try plans.plan(of: type(of: object))
  }
}

extension NewObjectPlan {
  /// Reads the value of a member for an object that is there, unless it is text that it has just so already.
  @inline(__always) fileprivate func set(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck, in values: inout UnfinishedObject,
    _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int
  ) throws {
    let place = fields[slot].place
    // The kind of a field is that of its type.
    switch fields[slot].kind {
    case .string:
      let old = unsafe place.value(String.self, of: object, check)
      if let text = try cursor.string(otherThan: old) { unsafe values.set(slot, place, to: text) }
    case .optionalString where cursor.byte == UInt8(ascii: "\""):
      let old = unsafe place.value(String?.self, of: object, check)
      let text: String? = if let old { try cursor.string(otherThan: old) } else { try cursor.string() }
      if let text { unsafe values.set(slot, place, to: String?.some(text)) }
    case .strings:
      let old = unsafe place.value([String].self, of: object, check)
      let texts = try cursor.strings(otherThan: old, levels: levels)
      if let texts { unsafe values.set(slot, place, to: texts) }
    default: try set(slot, of: &values, plan, from: &cursor, levels: levels)
    }
  }

  /// The object that an object refers to, if the property is a reference to one.
  @inline(__always) fileprivate func target(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck
  ) -> AnyObject? {
    guard fields[slot].kind == .reference else { return nil }
    return unsafe fields[slot].place.value(AnyObject?.self, of: object, check)
  }
}

extension JSONCursor {
  /// Takes an array of strings. Returns nil for one that is known, byte for byte.
  fileprivate mutating func strings(otherThan known: [String], levels: Int) throws -> [String]? {
    guard levels > 0 else { throw Refusal() }
    try take(UInt8(ascii: "["))
    var (new, sameCount): ([String]?, Int) = (nil, 0)
    if !takeIfThere(UInt8(ascii: "]")) {
      repeat {
        if new != nil {
          new?.append(try string())
        } else if sameCount == known.count {
          new = known + [try string()]
        } else if let other = try string(otherThan: known[sameCount]) {
          new = known[..<sameCount] + [other]
        } else {
          sameCount += 1
        }
        skipSpace()
      } while takeIfThere(UInt8(ascii: ","))
      try take(UInt8(ascii: "]"))
    }
    return new ?? (sameCount < known.count ? Array(known[..<sameCount]) : nil)
  }
}
