import Arc
import ArcJSON
import ArcMemory

/// Updates an object, and the objects that its properties refer to, in one pass through a text. The new
/// values are read into separate memory and exchanged with the objects' fields at the end.
///
/// If the text is not valid for a strict reader, or an object cannot be updated by setting fields only, the
/// update throws before it changes an object. A `ReadingSession` then reads the text with an index.
///
/// `ReadingPlans` stores an idle update, because the next update is often for objects of these classes and
/// can reuse the memory.
struct OnePassUpdate {
  /// The changes of the objects. An object comes before the objects that its properties refer to. Only the
  /// first `count` elements are in use.
  private var changes: [Change] = []
  private var count = 0
  private var check = ExclusivityCheck.now()

  /// The new values of one object.
  private struct Change {
    let plan: ClassPlan
    /// The memory for the new values of one object, and the fields that have new values.
    let fields: FieldChanges
    var values: UnfinishedObject
    /// The object to update. It is retained, because the program's code can run while the text is read. Nil
    /// between two updates.
    var object: AnyObject?

    init?(_ plan: ClassPlan, _ object: AnyObject) {
      guard plan.isUpdatedInOnePass, let own = plan.fields, let fields = FieldChanges(own.allocator) else {
        return nil
      }
      (self.plan, self.fields) = (plan, fields)
      values = fields.begin()
      self.object = object
    }

    /// Exchanges the new values with the fields of the object.
    func apply(_ check: ExclusivityCheck) {
      if let object { fields.exchange(values, with: object, check) }
    }

    /// Releases the new values and the object.
    mutating func end() {
      fields.remove(&values)
      object = nil
    }
  }

  /// The maximum number of objects that one update can change.
  private static let maximumCount = 16

  /// Updates an object of a plan's class from a text.
  mutating func update(
    _ object: AnyObject, _ plan: ClassPlan, from bytes: [UInt8], _ plans: ReadingPlans
  ) throws {
    check = .now()
    let (maximumCount, levels) = plans.onePassLimits
    guard bytes.count <= maximumCount, !check.isNeeded else { throw JSONCursor.Refusal() }
    defer { end() }
    var planCount: Int
    repeat {
      end()
      planCount = plans.planCount
      var cursor = JSONCursor(bytes.span)
      cursor.skipSpace()
      try read(for: object, plan, from: &cursor, levels: levels, plans)
      // The update of an object that rejects itself could not be undone.
      guard cursor.isAtEnd, plans.unfinished.value.isEmpty else { throw JSONCursor.Refusal() }
      // Code of the program that ran for a new plan may have released objects that this update does not
      // retain. So the text is read again.
    } while plans.planCount != planCount
    for index in 0..<count { changes[index].apply(check) }
  }

  /// Releases the values in the separate memory. After the update, these are the old values of the objects.
  /// If the update failed, they are the new values, which were not set.
  private mutating func end() {
    for index in 0..<count { changes[index].end() }
    count = 0
  }

  /// Begins the change of an object.
  ///
  /// - Throws: `Refusal` if the object cannot be updated in one pass, or is being updated already.
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

  /// Reads the new values of an object.
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
        // The JSON object can have another identity than the existing object.
        if innerPlan.isIdentifiable { throw JSONCursor.Refusal() }
        try read(for: inner, innerPlan, from: &cursor, levels: levels - 1, plans)
      } else {
        try own.set(slot, of: object, check, in: &values, plan, from: &cursor, levels: levels - 1)
      }
    } objects: { _, _, _ in
      throw JSONCursor.Refusal()
    }
  }

  /// Returns the plan for an object that a property refers to.
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
  /// Reads the new value of an existing object's property. Skips a string that is equal to the present
  /// string.
  @inline(__always) fileprivate func set(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck, in values: inout UnfinishedObject,
    _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int
  ) throws {
    let location = fields[slot].location
    if fields[slot].isConstant { return try compare(slot, of: object, check, with: &cursor) }
    // `kind` was derived from the field's type, so the type of each value matches the field.
    switch fields[slot].kind {
    case .string:
      let text = try unsafe location.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      if let text { unsafe values.set(slot, location, to: text) }
    case .optionalString
    where unsafe cursor.byte == UInt8(ascii: "\"") && !location.isNilText(of: object, check):
      let text = try unsafe location.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      if let text { unsafe values.set(slot, location, to: String?.some(text)) }
    case .strings:
      let old = unsafe location.value([String].self, of: object, check)
      let texts = try cursor.strings(otherThan: old, location, levels: levels)
      if let texts { unsafe values.set(slot, location, to: texts) }
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

  /// Compares the value of a member with a property that is declared with `let`.
  ///
  /// - Throws: `Refusal` if the values are not equal strings or equal integers. A `ReadingSession` then
  ///   compares the whole values.
  private func compare(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck, with cursor: inout JSONCursor
  ) throws {
    let location = fields[slot].location
    switch fields[slot].kind {
    case .string:
      let other = try unsafe location.withUTF8(of: object, check) { try cursor.string(otherThan: $0) }
      guard other == nil else { throw JSONCursor.Refusal() }
    case .int:
      let value: Int64 = try cursor.integer()
      guard unsafe location.value(Int64.self, of: object, check) == value else { throw JSONCursor.Refusal() }
    default: throw JSONCursor.Refusal()
    }
  }

  /// Returns the object to which a property refers. Nil if the property is nil, or if its type is not a
  /// reference.
  @inline(__always) fileprivate func target(
    _ slot: Int, of object: AnyObject, _ check: ExclusivityCheck
  ) -> AnyObject? {
    guard fields[slot].kind == .reference else { return nil }
    return unsafe fields[slot].location.value(AnyObject?.self, of: object, check)
  }
}

extension JSONCursor {
  /// Reads an array of strings. Returns nil if the array is equal to `known` byte for byte.
  fileprivate mutating func strings(otherThan known: [String], _ location: FieldLocation, levels: Int) throws
    -> [String]?
  {
    guard levels > 0 else { throw Refusal() }
    try take(UInt8(ascii: "["))
    var (new, sameCount): ([String]?, Int) = (nil, 0)
    if !takeIfNext(UInt8(ascii: "]")) {
      repeat {
        if new != nil {
          new?.append(try string())
        } else if sameCount == known.count {
          new = known + [try string()]
        } else if let other = try location.withUTF8(
          ofElement: sameCount, in: known, { try string(otherThan: $0) })
        {
          new = known[..<sameCount] + [other]
        } else {
          sameCount += 1
        }
        skipSpace()
      } while takeIfNext(UInt8(ascii: ","))
      try take(UInt8(ascii: "]"))
    }
    return new ?? (sameCount < known.count ? Array(known[..<sameCount]) : nil)
  }
}
