import Arc
import ArcFormat
import ArcJSON
import ArcMemory

// Reading values in one pass through a row: the filler fills the row of the property, and the property's
// type reads the row.

/// The objects that are built from the JSON objects in a property's value, before the value itself is read
/// from a row. The row contains the number of each object instead of the object.
struct HandedOverObjects {
  private(set) var all: [AnyObject] = []
  /// The indices in `all`, by the document index of each JSON object.
  private(set) var numbers: [Int: Int] = [:]

  mutating func add(_ object: AnyObject, at index: Int) {
    numbers[index] = all.count
    all.append(object)
  }
}

extension ClassPlan {
  /// Returns the slots whose new value is a structure that is updated field by field: fields without members
  /// in the JSON keep their values. `members` contains the document index of each slot's value, or -1.
  func slotsThatKeepFields(_ members: [Int]) -> [Int] {
    keepsFields ? slots.indices.filter { slots[$0].keepsFields && members[$0] >= 0 } : []
  }

  /// Reads the next value of the text into the row of a property, and sets the property's field from the row.
  @inline(never) func setByRow(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    guard isFilledInOnePass[slot] else {
      return try setByDocument(slot, location, of: &object, from: &cursor, levels: levels)
    }
    if !isDecoding.value { try plans.beginDecoding() }
    row.removeAll(ofRoot: slot)
    try scanner.fill(slots[slot].node, from: &cursor, levels: levels)
    try decoder.set(slot, location, of: &object, from: rows)
  }

  /// Builds an index of the next value of the text, and sets a field to this value.
  @inline(never) func setByDocument(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    let document = try cursor.document(levels: levels)
    try setByDocument(slot, location, of: &object, 0, in: document, levels: levels)
  }

  /// Sets a field to the JSON value at `index` of a document.
  func setByDocument(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, _ index: Int,
    in document: JSONDocument, levels: Int
  ) throws {
    var objects = HandedOverObjects()
    try addObjects(ofSlot: slot, index, in: document, levels: levels, to: &objects)
    let filler = try filler(of: document)
    filler.handedOver = objects.numbers
    row.removeAll(ofRoot: slot)
    guard try fill(slot, index, by: filler) else { throw JSONCursor.Refusal() }
    try set(slot, location, of: &object, objects.all)
  }

  /// Fills the columns of a property with nil, and then sets the property of the object from these columns.
  @inline(never) func setNilByRow(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject
  ) throws {
    row.removeAll(ofRoot: slot)
    try plans.beginDecoding()
    guard shape.fillNil(slots[slot].node) else { throw JSONCursor.Refusal() }
    try set(slot, location, of: &object, [])
  }

  private func set(
    _ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject, _ objects: [AnyObject]
  ) throws {
    decoder.handOver(objects)
    try decoder.set(slot, location, of: &object, from: rows)
  }

  /// Fills a slot with the JSON value at `index`. Returns false if the value does not fit.
  func fill(_ slot: Int, _ index: Int, by filler: JSONRowFiller) throws -> Bool {
    guard let read = customReads[slot] else { return try filler.fill(slots[slot].node, index) }
    return try filler.fillCustom(slots[slot].node, index, read)
  }

  /// Builds the objects in the value of a slot and adds them to `objects`.
  func addObjects(
    ofSlot slot: Int, _ index: Int, in document: JSONDocument, levels: Int,
    to objects: inout HandedOverObjects
  ) throws {
    guard rows.slots[slot].holdsReferences else { return }
    var pending: [JSONRowFiller.PendingObject] = []
    try filler(of: document).findObjects(slots[slot].node, index, &pending)
    // Two fields of a structure can be read from one member, and would then share an object.
    guard !document.haveNestedValues(pending.map(\.index)) else { throw JSONCursor.Refusal() }
    for target in pending {
      objects.add(try object(of: target, in: document, levels: levels - 1), at: target.index)
    }
  }

  /// Builds the object for one JSON object in the value of a slot.
  private func object(
    of target: JSONRowFiller.PendingObject, in document: JSONDocument, levels: Int
  ) throws -> AnyObject {
    guard let choice = shape.choice(ofReference: target.node) else {
      return try self.target(ofNode: target.node).object(at: target.index, in: document, levels: levels)
    }
    // Only a `ReadingSession` treats the member that names the type as a known member.
    guard !reportsUnknownKeys, let type = choice.choose(JSONNode(document, target.index)) else {
      throw JSONCursor.Refusal()
    }
    let chosen = RowReader.objectType(of: type)
    if let declared = shape.type(ofReference: target.node), !ClassTable.isSubclass(chosen, of: declared) {
      throw JSONCursor.Refusal()
    }
    return try plans.plan(of: chosen).ownObject(at: target.index, in: document, levels: levels)
  }

  /// Returns the filler of the row, prepared for the values of a document. The result is valid until the next
  /// call.
  func filler(of document: JSONDocument) throws -> JSONRowFiller {
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
  /// Whether one of the values is equal to, or nested in, another of the values.
  ///
  /// - Complexity: O(n log n) in the number of values.
  func haveNestedValues(_ values: [Int]) -> Bool {
    guard values.count > 1 else { return false }
    let sorted = values.sorted()
    return zip(sorted, sorted.dropFirst()).contains { end(of: $0) > $1 }
  }
}
