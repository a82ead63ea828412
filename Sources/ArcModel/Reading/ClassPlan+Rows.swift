import Arc
import ArcFormat
import ArcJSON
import ArcMemory

// Values that are read in one pass over a text, but by the row of their property: the row is filled, and the
// property's type reads the row.

/// The objects in a value that is read by a row.
struct HandedOverObjects {
  private(set) var all: [AnyObject] = []
  /// The numbers of the objects in `all`, by their entries.
  private(set) var numbers: [Int: Int] = [:]

  mutating func add(_ object: AnyObject, at index: Int) {
    numbers[index] = all.count
    all.append(object)
  }
}

extension ClassPlan {
  /// The slots with a value whose structures keep the fields that the value has no members for. `members` has
  /// the entries of the values, by slot, -1 for none.
  func slotsThatKeepFields(_ members: [Int]) -> [Int] {
    keepsFields ? slots.indices.filter { slots[$0].keepsFields && members[$0] >= 0 } : []
  }

  /// Sets a field to the next value.
  @inline(never) func setByRow(
    _ slot: Int, _ place: FieldLocation, of object: inout UnfinishedObject, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    guard isFilledInOnePass[slot] else {
      return try setByDocument(slot, place, of: &object, from: &cursor, levels: levels)
    }
    if !isDecoding.value { try plans.beginDecoding() }
    row.removeAll(ofRoot: slot)
    try scanner.fill(slots[slot].node, from: &cursor, levels: levels)
    try decoder.set(slot, place, of: &object, from: rows)
  }

  /// Sets a field to the next value, which is indexed.
  @inline(never) func setByDocument(
    _ slot: Int, _ place: FieldLocation, of object: inout UnfinishedObject, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    let document = try cursor.document(levels: levels)
    try setByDocument(slot, place, of: &object, 0, in: document, levels: levels)
  }

  /// Sets a field to the value of an entry.
  func setByDocument(
    _ slot: Int, _ place: FieldLocation, of object: inout UnfinishedObject, _ index: Int,
    in document: JSONDocument, levels: Int
  ) throws {
    var objects = HandedOverObjects()
    try addObjects(ofSlot: slot, index, in: document, levels: levels, to: &objects)
    let filler = try filler(of: document)
    filler.handedOver = objects.numbers
    row.removeAll(ofRoot: slot)
    guard try fill(slot, index, by: filler) else { throw JSONCursor.Refusal() }
    try set(slot, place, of: &object, objects.all)
  }

  /// Sets a field to nil.
  @inline(never) func setNilByRow(
    _ slot: Int, _ place: FieldLocation, of object: inout UnfinishedObject
  ) throws {
    row.removeAll(ofRoot: slot)
    try plans.beginDecoding()
    guard shape.fillNil(slots[slot].node) else { throw JSONCursor.Refusal() }
    try set(slot, place, of: &object, [])
  }

  private func set(
    _ slot: Int, _ place: FieldLocation, of object: inout UnfinishedObject, _ objects: [AnyObject]
  ) throws {
    decoder.handOver(objects)
    try decoder.set(slot, place, of: &object, from: rows)
  }

  /// Fills a slot with the value of an entry. Returns false if the value does not fit.
  func fill(_ slot: Int, _ index: Int, by filler: RowFiller) throws -> Bool {
    guard let read = customReads[slot] else { return try filler.fill(slots[slot].node, index) }
    return try filler.fillCustom(slots[slot].node, index, read)
  }

  /// Reads the objects in the value of a slot.
  func addObjects(
    ofSlot slot: Int, _ index: Int, in document: JSONDocument, levels: Int,
    to objects: inout HandedOverObjects
  ) throws {
    guard rows.slots[slot].holdsReferences else { return }
    var found: [RowFiller.PendingObject] = []
    try filler(of: document).findObjects(slots[slot].node, index, &found)
    // The fields of a structure can be read from one member.
    guard !document.haveNestedValues(found.map(\.index)) else { throw JSONCursor.Refusal() }
    for target in found {
      objects.add(try object(of: target, in: document, levels: levels - 1), at: target.index)
    }
  }

  /// Reads a JSON object in the value of a slot.
  private func object(
    of target: RowFiller.PendingObject, in document: JSONDocument, levels: Int
  ) throws -> AnyObject {
    guard let choice = shape.choice(ofReference: target.node) else {
      return try self.target(ofNode: target.node).object(at: target.index, in: document, levels: levels)
    }
    // The member that tells the type is not unknown.
    guard !reportsUnknownKeys, let type = choice.choose(JSONNode(document, target.index)) else {
      throw JSONCursor.Refusal()
    }
    let chosen = RowReader.objectType(of: type)
    if let declared = shape.type(ofReference: target.node), !ClassTable.isSubclass(chosen, of: declared) {
      throw JSONCursor.Refusal()
    }
    return try plans.plan(of: chosen).ownObject(at: target.index, in: document, levels: levels)
  }

  /// The filler of the row, for values of a document. Valid until the next call.
  func filler(of document: JSONDocument) throws -> RowFiller {
    let filler = onePassFiller
    if filler.isIdle {
      try plans.beginDecoding()
      plans.addFiller(filler)
    }
    filler.begin(document)
    return filler
  }
}

extension JSONDocument {
  /// Whether one of some values is equal to another one, or is nested in another one.
  ///
  /// - Complexity: O(n log n) in the number of values.
  func haveNestedValues(_ values: [Int]) -> Bool {
    guard values.count > 1 else { return false }
    let sorted = values.sorted()
    return zip(sorted, sorted.dropFirst()).contains { end(of: $0) > $1 }
  }
}
