import Arc
import ArcJSON
import ArcMemory

/// One updating of an object, and of those that its properties lead to, in one pass over a text: what they
/// take is read beside them, and set when all of it is there.
///
/// Whatever is otherwise than for `OnePassReader`, or needs more than fields to be set, makes it throw
/// before anything is set: then the text is read by its index.
///
/// One that is kept has memory for the next update, since that is often one of objects of the same classes.
struct OnePassUpdate {
  /// What the objects take, those around others first: the first `count` of them.
  private var changes: [Change] = []
  private var count = 0
  private var check = ExclusivityCheck.now()

  /// What an object takes.
  ///
  private struct Change {
    let plan: ClassPlan
    /// Memory for an object of the class, and the values that are there.
    let fields: FieldChanges
    var values: UnfinishedObject
    /// The object, kept alive: code of the program may run while the text is read. Nil between two updates.
    var object: AnyObject?

    init?(_ plan: ClassPlan, _ object: AnyObject) {
      guard plan.isUpdatedInOnePass, let own = plan.fields, let fields = FieldChanges(own.making) else {
        return nil
      }
      (self.plan, self.fields) = (plan, fields)
      values = fields.begin()
      self.object = object
    }

    /// Has the object take the values.
    func make(_ check: ExclusivityCheck) {
      if let object { fields.exchange(values, with: object, check) }
    }

    /// Releases the values and the object.
    mutating func end() {
      fields.remove(&values)
      object = nil
    }
  }

  /// How many objects are updated so.
  private static let maximumCount = 16

  /// Has an object, whose plan is given, take what a text has for it.
  mutating func update(
    _ object: AnyObject, _ plan: ClassPlan, from bytes: [UInt8], _ plans: ReadingPlans
  ) throws {
    check = .now()
    let (maximumCount, levels) = plans.onePassLimits
    guard bytes.count <= maximumCount, !check.isNeeded else { throw JSONCursor.Refusal() }
    defer { end() }
    var madeCount: Int
    repeat {
      end()
      madeCount = plans.madeCount
      var cursor = JSONCursor(bytes.span)
      cursor.skipSpace()
      try read(for: object, plan, from: &cursor, levels: levels, plans)
      // An object that rejects itself could not be taken back.
      guard cursor.isAtEnd, plans.unfinished.value.isEmpty else { throw JSONCursor.Refusal() }
      // Code that ran for a new plan may have let go of objects that are not kept alive here: once more.
    } while plans.madeCount != madeCount
    for index in 0..<count { changes[index].make(check) }
  }

  /// Lets go of what is in the memory beside the objects: what they had, or what they do not get.
  private mutating func end() {
    for index in 0..<count { changes[index].end() }
    count = 0
  }

  /// Begins with what an object takes.
  ///
  /// - Throws: `Refusal` for one that cannot be updated so, or is being updated already.
  private mutating func begin(_ object: AnyObject, _ plan: ClassPlan) throws(JSONCursor.Refusal) {
    for index in 0..<count where changes[index].object === object {
      throw JSONCursor.Refusal()
    }
    guard count < Self.maximumCount else { throw JSONCursor.Refusal() }
    if count < changes.count, changes[count].plan === plan {
      changes[count].object = object
    } else {
      guard let change = Change(plan, object) else { throw JSONCursor.Refusal() }
      changes.removeSubrange(count...)
      changes.append(change)
    }
    count += 1
  }

  /// Reads what an object takes.
  private mutating func read(
    for object: AnyObject, _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int,
    _ plans: ReadingPlans
  ) throws {
    guard levels > 0, let own = plan.fields, let members = plan.members else { throw JSONCursor.Refusal() }
    try begin(object, plan)
    let number = count - 1
    var values = changes[number].values
    defer { changes[number].values = values }
    var seen: UInt64 = 0
    try cursor.takeMembers(members, levels: levels - 1, &seen) { slot, cursor in
      if cursor.byte == UInt8(ascii: "{"), !plan.slots[slot].isReplaced,
        let inner = own.target(slot, of: object, check)
      {
        let innerPlan = try Self.plan(of: inner, in: slot, plan, plans)
        // It may be another object by its identity.
        if innerPlan.isIdentifiable { throw JSONCursor.Refusal() }
        try read(for: inner, innerPlan, from: &cursor, levels: levels - 1, plans)
      } else {
        try own.set(slot, of: object, check, in: &values, plan, from: &cursor, levels: levels - 1)
      }
    } objects: { _, _, _ in
      throw JSONCursor.Refusal()
    }
  }

  /// The plan of an object that a property refers to.
  private static func plan(
    of object: AnyObject, in slot: Int, _ plan: ClassPlan, _ plans: ReadingPlans
  ) throws -> ClassPlan {
    let declared = try plan.target(ofNode: plan.slots[slot].node)
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
    if fields[slot].isConstant { return try compare(slot, of: object, check, with: &cursor) }
    // The kind of a field is that of its type.
    switch fields[slot].kind {
    case .string:
      let text = try unsafe place.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      if let text { unsafe values.set(slot, place, to: text) }
    case .optionalString
    where unsafe cursor.byte == UInt8(ascii: "\"") && !place.isNilText(of: object, check):
      let text = try unsafe place.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      if let text { unsafe values.set(slot, place, to: String?.some(text)) }
    case .strings:
      let old = unsafe place.value([String].self, of: object, check)
      let texts = try cursor.strings(otherThan: old, place, levels: levels)
      if let texts { unsafe values.set(slot, place, to: texts) }
    default:
      guard plan.slots[slot].keepsFields else {
        return try set(slot, of: &values, plan, from: &cursor, levels: levels)
      }
      guard plan.isFilledInOnePass[slot] else { throw JSONCursor.Refusal() }
      plan.scanner.requiresAllFields = true
      defer { plan.scanner.requiresAllFields = false }
      try set(slot, of: &values, plan, from: &cursor, levels: levels)
    }
  }

  /// Reads the value of a member for a constant.
  ///
  /// - Throws: `Refusal` if it is not an equal text or integer: then the whole value is compared.
  private func compare(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck, with cursor: inout JSONCursor
  ) throws {
    let place = fields[slot].place
    switch fields[slot].kind {
    case .string:
      let other = try unsafe place.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      guard other == nil else { throw JSONCursor.Refusal() }
    case .int:
      let value: Int64 = try cursor.integer()
      guard unsafe place.value(Int64.self, of: object, check) == value else { throw JSONCursor.Refusal() }
    default: throw JSONCursor.Refusal()
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
  fileprivate mutating func strings(otherThan known: [String], _ place: FieldLocation, levels: Int) throws
    -> [String]?
  {
    guard levels > 0 else { throw Refusal() }
    try take(UInt8(ascii: "["))
    var (new, sameCount): ([String]?, Int) = (nil, 0)
    if !takeIfThere(UInt8(ascii: "]")) {
      repeat {
        if new != nil {
          new?.append(try string())
        } else if sameCount == known.count {
          new = known + [try string()]
        } else if let other = try place.withUTF8(
          ofElement: sameCount, in: known, { try string(otherThan: $0) })
        {
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
