import Arc
import ArcFormat
import ArcJSON
import ArcMemory

// Reading objects in one pass through a text. If a value is not valid for a strict reader, reading throws
// `JSONCursor.Refusal`.

extension ClassPlan {
  /// Reads the next object. If the class conforms to `JSONClassChoosing`, the object can be of a subclass.
  func object(from cursor: inout JSONCursor, levels: Int) throws -> AnyObject {
    guard levels > 0 else { throw JSONCursor.Refusal() }
    guard choosing != nil else { return try ownObject(from: &cursor, levels: levels) }
    guard cursor.byte == UInt8(ascii: "{") else { throw JSONCursor.Refusal() }
    let start = cursor.offset
    let document = try cursor.document(levels: levels)
    let plan = try plan(ofObjectAt: 0, in: document)
    // Reading the object from the text takes half as long as reading it with its index. But a nested object
    // that chooses its class would then be indexed again at each nesting level. So only the outermost such
    // object is read from the text.
    guard plan.slotsWithObjects.isEmpty || !plans.isInChosenObject.value else {
      return try plan.ownObject(at: 0, in: document, levels: levels)
    }
    let isInChosenObject = plans.isInChosenObject
    let wasInChosenObject = isInChosenObject.value
    isInChosenObject.value = true
    defer { isInChosenObject.value = wasInChosenObject }
    cursor.goBack(to: start)
    return try plan.ownObject(from: &cursor, levels: levels)
  }

  /// Reads the JSON object at `index` of a document. If the class conforms to `JSONClassChoosing`, the object
  /// can be of a subclass.
  func object(at index: Int, in document: JSONDocument, levels: Int) throws -> AnyObject {
    guard document.word(at: index).kind == .object else { throw JSONCursor.Refusal() }
    return try plan(ofObjectAt: index, in: document).ownObject(at: index, in: document, levels: levels)
  }

  /// Returns the plan of the class that `modelClass(for:in:)` chooses for a JSON object. Returns this plan if
  /// the method chooses no class.
  private func plan(ofObjectAt index: Int, in document: JSONDocument) throws -> ClassPlan {
    guard let choosing,
      let chosen = try choosing.modelClass(for: JSONNode(document, index), in: plans.context.value),
      chosen != rows.type
    else { return self }
    if let known = chosenPlans.first(where: { $0.rows.type == chosen }) { return known }
    guard ClassTable.isSubclass(chosen, of: rows.type) else { throw JSONCursor.Refusal() }
    let plan = try plans.plan(of: chosen)
    // A class has few subclasses, so a search is faster than a table.
    if chosenPlans.count < 8 { chosenPlans.append(plan) }
    return plan
  }

  func objects(from cursor: inout JSONCursor, levels: Int) throws -> [AnyObject] {
    guard choosing == nil, let members, let fields, levels > 1 else {
      return try cursor.array(levels: levels) { try object(from: &$0, levels: levels - 1) }
    }
    return try cursor.array(levels: levels) {
      try ownObject(fields, members, from: &$0, levels: levels - 1)
    }
  }

  /// Reads the next JSON object as an object of exactly this class, not of a subclass.
  func ownObject(from cursor: inout JSONCursor, levels: Int) throws -> AnyObject {
    guard isReadInOnePass, levels > 0 else { throw JSONCursor.Refusal() }
    if let members, let fields { return try ownObject(fields, members, from: &cursor, levels: levels) }
    return try objectByInitializer(from: &cursor, levels: levels)
  }

  @inline(__always) private func ownObject(
    _ fields: NewObjectPlan, _ members: MemberTable, from cursor: inout JSONCursor, levels: Int
  ) throws -> AnyObject {
    if objectsToInitialize == 0 {
      let start = cursor.offset
      let unfinishedCount = unfinished.value.count
      let object = try objectInOrder(fields, members, from: &cursor, levels: levels)
      if let object { return isFinishing ? finished(object) : object }
      // The initializer path reads the objects in this object again.
      unfinished.value.removeAll(after: unfinishedCount)
      cursor.goBack(to: start)
      objectsToInitialize = Self.initializedObjectCount
    }
    objectsToInitialize -= 1
    return try objectByInitializer(from: &cursor, levels: levels)
  }

  /// Reads an object with the class's initializer, from a row. Fills the row in the order of the text if that
  /// is possible, and otherwise from an index of the JSON object.
  @inline(never) private func objectByInitializer(
    from cursor: inout JSONCursor, levels: Int
  ) throws -> AnyObject {
    guard canFillRowInOrder, let members else {
      let document = try cursor.document(levels: levels)
      return try ownObject(at: 0, in: document, levels: levels)
    }
    let start = cursor.offset
    do { return finished(try objectInOrder(members, from: &cursor, levels: levels)) } catch {
      guard isLenient else { throw error }
      // With an index, a lenient reader can convert values of other kinds.
      cursor.goBack(to: start)
      let document = try cursor.document(levels: levels)
      return try ownObject(at: 0, in: document, levels: levels)
    }
  }

  /// Fills a row in the order of the text, and builds an object from it with the class's initializer.
  private func objectInOrder(
    _ members: MemberTable, from cursor: inout JSONCursor, levels: Int
  ) throws -> AnyObject {
    if !isDecoding.value { try plans.beginDecoding() }
    row.removeAll()
    var seen: UInt64 = 0
    try fillMembers(members, from: &cursor, levels: levels - 1, refusesOthers: reportsUnknownKeys, &seen)
    func isMissing(_ slot: Int) -> Bool { seen >> UInt64(truncatingIfNeeded: slot) & 1 == 0 }
    for slot in 0..<slots.count where isMissing(slot) {
      guard !slots[slot].isRequired, fillMissing(slot) else { throw JSONCursor.Refusal() }
    }
    let object = try decoder.object(of: rows)
    fields?.learnInitialValues(from: object, rows.slots, isMissing: isMissing)
    return object
  }

  /// How many further objects the reader builds with the class's initializer after an object lacked a member.
  /// These objects probably lack members too.
  private static var initializedObjectCount: Int { 16 }

  /// Reads an object whose members are read in the order of the text. Returns nil if a property has no
  /// member, and the reader does not know the property's initial value yet.
  private func objectInOrder(
    _ fields: NewObjectPlan, _ members: MemberTable, from cursor: inout JSONCursor, levels: Int
  ) throws -> AnyObject? {
    try fields.allocator.makeObject { object in
      var seen: UInt64 = 0
      try cursor.takeMembers(members, levels: levels - 1, refusesOthers: reportsUnknownKeys, &seen) {
        slot, cursor in
        try set(slot, fields, of: &object, from: &cursor, levels: levels - 1)
      } objects: { number, cursor, seen in
        try setInner(members[inner: number], fields, of: &object, from: &cursor, levels: levels - 2, &seen)
      }
      try setMissing(fields, of: &object)
    }
  }

  /// Sets the fields whose values are members of a nested JSON object, such as `city` for the path
  /// `address.city`.
  @inline(never) private func setInner(
    _ members: MemberTable, _ fields: NewObjectPlan, of object: inout UnfinishedObject,
    from cursor: inout JSONCursor, levels: Int, _ seen: inout UInt64
  ) throws {
    try cursor.takeMembers(members, levels: levels, refusesOthers: reportsUnknownKeys, &seen) {
      slot, cursor in
      try set(slot, fields, of: &object, from: &cursor, levels: levels)
    } objects: { number, cursor, seen in
      try setInner(members[inner: number], fields, of: &object, from: &cursor, levels: levels - 1, &seen)
    }
  }

  /// Sets the fields without a member to nil or to their initial values. Stops at a field whose initial value
  /// is not known yet.
  @inline(__always) private func setMissing(
    _ fields: NewObjectPlan, of object: inout UnfinishedObject
  ) throws {
    for slot in 0..<slots.count where !object.isSet(slot) {
      if !fields.fields[slot].keepsInitialValue {
        try fields.setNil(slot, of: &object, self)
      } else if !fields.initialValues.set(slot, of: &object) {
        return
      }
    }
  }

  /// Sets a field to the next value of the text. A lenient reader converts a JSON value that does not have
  /// the field's type.
  @inline(__always) private func set(
    _ slot: Int, _ fields: NewObjectPlan, of object: inout UnfinishedObject, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    guard isLenient else { return try fields.set(slot, of: &object, self, from: &cursor, levels: levels) }
    let start = cursor.offset
    do { try fields.set(slot, of: &object, self, from: &cursor, levels: levels) } catch {
      // Objects in the value would be read twice at each nesting level.
      guard !fields.fields[slot].holdsReferences else { throw error }
      cursor.goBack(to: start)
      try setByDocument(slot, fields.fields[slot].location, of: &object, from: &cursor, levels: levels)
    }
  }

  private func finished(_ object: AnyObject) -> AnyObject {
    if isFinishing { unfinished.value.add(object, self) }
    return object
  }

  /// Fills slots. The values of the slots are members of the next JSON object.
  private func fillMembers(
    _ members: MemberTable, from cursor: inout JSONCursor, levels: Int, refusesOthers: Bool,
    _ seen: inout UInt64
  ) throws {
    try cursor.takeMembers(members, levels: levels, refusesOthers: refusesOthers, &seen) { slot, cursor in
      try scanner.fill(slots[slot].node, from: &cursor, levels: levels)
      rows.setAbsent(false, slot: slot)
    } objects: { number, cursor, seen in
      try fillMembers(
        members[inner: number], from: &cursor, levels: levels - 1, refusesOthers: refusesOthers, &seen)
    }
  }

  // MARK: With an index

  /// Reads the JSON object at `index` of a document as an object of exactly this class, not of a subclass.
  func ownObject(at index: Int, in document: JSONDocument, levels: Int) throws -> AnyObject {
    guard isReadInOnePass, document.word(at: index).kind == .object else { throw JSONCursor.Refusal() }
    var members: [Int] = []
    let filler = try filler(of: document)
    try findMembers(of: index, in: document, &members, notesUnknownKeys: reportsUnknownKeys, filler.issues)
    guard !sharesObjects(members, document) else { throw JSONCursor.Refusal() }
    if let fields, let object = try object(fields, members, in: document, levels: levels) {
      return finished(object)
    }
    return finished(try objectByInitializer(members, in: document, levels: levels))
  }

  /// Reads an object from the document indices of its members. Returns nil if a property has no member and
  /// its initial value is not known yet.
  private func object(
    _ fields: NewObjectPlan, _ members: [Int], in document: JSONDocument, levels: Int
  ) throws -> AnyObject? {
    for slot in members.indices where members[slot] < 0 && fields.fields[slot].keepsInitialValue {
      guard fields.initialValues.isKnown(slot) else { return nil }
    }
    var cursor = JSONCursor(document, at: 0)
    return try fields.allocator.makeObject { object in
      try forEachSlot(of: members) { slot in
        try set(slot, fields, of: &object, members[slot], in: document, &cursor, levels: levels)
      }
      try setMissing(fields, of: &object)
    }
  }

  /// Sets a field to the JSON value at `index`. The cursor can be anywhere in the text.
  private func set(
    _ slot: Int, _ fields: NewObjectPlan, of object: inout UnfinishedObject, _ index: Int,
    in document: JSONDocument, _ cursor: inout JSONCursor, levels: Int
  ) throws {
    let location = fields.fields[slot].location
    switch fields.fields[slot].kind {
    // The index already contains the nested objects.
    case .reference where document.word(at: index).kind == .object:
      let target = try target(ofNode: fields.fields[slot].node)
      let value: AnyObject? = try target.object(at: index, in: document, levels: levels - 1)
      unsafe object.set(slot, location, to: value)
    case .references where document.word(at: index).kind == .array:
      let target = try target(ofNode: fields.fields[slot].child)
      let values = try document.elements(of: index).map {
        try target.object(at: $0, in: document, levels: levels - 1)
      }
      unsafe object.set(slot, location, to: values)
    case nil where fields.readings[slot] == nil && !isFilledInOnePass[slot]:
      try setByDocument(slot, location, of: &object, index, in: document, levels: levels)
    default:
      cursor.goBack(to: document.byteOffset(of: index))
      try set(slot, fields, of: &object, from: &cursor, levels: levels - 1)
    }
  }

  /// Fills a row with the values of the members, and builds an object from it with the class's initializer.
  private func objectByInitializer(
    _ members: [Int], in document: JSONDocument, levels: Int
  ) throws -> AnyObject {
    var objects = HandedOverObjects()
    try forEachSlot(of: members) { slot in
      try addObjects(ofSlot: slot, members[slot], in: document, levels: levels, to: &objects)
    }
    let filler = try filler(of: document)
    filler.handedOver = objects.numbers
    let (isWhole, _) = try fillRow({ members[$0] }, { try fill($0, $1, by: filler) })
    guard isWhole else { throw JSONCursor.Refusal() }
    decoder.handOver(objects.all)
    let object = try decoder.object(of: rows)
    fields?.learnInitialValues(from: object, rows.slots) { members[$0] < 0 }
    return object
  }

  /// Calls `body` with each slot that has a value. If the values contain objects, the slots are in the order
  /// of the text, so that the objects are built in this order.
  private func forEachSlot(of members: [Int], _ body: (_ slot: Int) throws -> Void) rethrows {
    var last = -1
    let areInOrder = slotsWithObjects.allSatisfy { slot in
      defer { last = max(last, members[slot]) }
      return members[slot] < 0 || members[slot] > last
    }
    if areInOrder {
      for slot in members.indices where members[slot] >= 0 { try body(slot) }
    } else {
      for slot in members.indices.sorted(by: { members[$0] < members[$1] }) where members[slot] >= 0 {
        try body(slot)
      }
    }
  }

  /// Whether two properties read the same JSON value, or one property reads a part of the other property's
  /// value. Both properties must then refer to one object.
  func sharesObjects(_ members: some RandomAccessCollection<Int>, _ document: JSONDocument) -> Bool {
    // If names alone determine the slots, each member belongs to one slot.
    guard !searches.isEmpty, slotsWithObjects.count > 1 else { return false }
    let values = slotsWithObjects.map { members[members.index(members.startIndex, offsetBy: $0)] }
    return document.haveNestedValues(values.filter { $0 >= 0 })
  }
}
