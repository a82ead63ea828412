import Arc
import ArcFormat

/// The structure fields of an object before an update.
///
/// An update of a structure changes only the fields that have members in the JSON text. This class supplies
/// the values of all other fields.
final class ExistingFields {
  private let shape: RowShape
  private let encoder: RowEncoder
  /// For each node of the row, the slot whose structure contains the node, or -1 if there is none.
  private var slots: [Int]
  /// The writers of the slots' values, by slot.
  private var writers: [Int: RowWriter] = [:]
  /// The slots whose values in the current object are already written to rows.
  private var written: Set<Int> = []
  /// Whether the current object has a structure at each node of the row.
  private var hasStructure: [Bool]
  private let nodesOfSlots: [Int]
  private var object: (any Archivable)?

  /// Creates the fields for the objects of a plan's class.
  init(_ plan: ClassPlan, userInfo: [CodingUserInfoKey: any Sendable]) {
    shape = plan.shape
    encoder = RowEncoder(userInfo: userInfo)
    slots = Array(repeating: -1, count: shape.nodes.count)
    hasStructure = Array(repeating: false, count: shape.nodes.count)
    nodesOfSlots = plan.slots.map(\.node)
    for (slot, node) in nodesOfSlots.enumerated() where plan.slots[slot].keepsFields {
      setSlot(slot, ofStructuresIn: node)
    }
  }

  private func setSlot(_ slot: Int, ofStructuresIn node: Int) {
    guard shape.keepsFields(node) else { return }
    if shape.nodes[node].kind == .optional { return setSlot(slot, ofStructuresIn: shape.nodes[node].child) }
    slots[node] = slot
    for field in shape.structures[node]?.partlyUpdatedFields ?? [] {
      setSlot(slot, ofStructuresIn: field.node)
    }
  }

  /// Begins an update of an object of the class.
  func begin(_ object: any Archivable) {
    self.object = object
    written.removeAll()
    encoder.forgetObjects(after: 0)
  }

  /// The objects that references in the structures refer to, in the order of their numbers in
  /// `GraphDecoder.handOver`.
  var objects: [AnyObject] {
    (0..<encoder.objectCount).compactMap { number in encoder.withObject(number + 1) { $0 } }
  }

  /// Whether updates keep those fields of a node's structures that have no members in the text.
  func keepsFields(inNode node: Int) -> Bool { slots[node] >= 0 }

  /// Appends a value to a row: the value that the current object has for a field of a structure. Returns
  /// false if the object has no structure at `node`.
  ///
  /// - Throws: errors of the object's own code.
  func append(_ field: StructurePlan.Field, ofNode node: Int, to row: InputRow) throws -> Bool {
    let slot = slots[node]
    guard slot >= 0, let object else { return false }
    if !written.contains(slot) { try write(slot, of: object) }
    guard hasStructure[node], let rows = writers[slot]?.rows else { return false }
    row.append(valuesOf: row.layout.nodes(inside: field.node), from: rows)
    return true
  }

  private func write(_ slot: Int, of object: any Archivable) throws {
    let writer =
      try writers[slot]
      ?? encoder.writer(of: object, includesAllReferences: true) { [nodesOfSlots] in
        $0.node == nodesOfSlots[slot]
      }
    writers[slot] = writer
    writer.rows.removeAll()
    try writer.begin(object)
    written.insert(slot)
    for node in slots.indices where slots[node] == slot { hasStructure[node] = false }
    try findStructures(nodesOfSlots[slot], in: writer.rows)
  }

  private func findStructures(_ node: Int, in rows: WrittenRows) throws {
    if shape.nodes[node].kind == .optional {
      let child = shape.nodes[node].child
      if shape.keepsFields(node), try rows.nextBit(ofNode: node) { try findStructures(child, in: rows) }
    } else if slots[node] >= 0 {
      hasStructure[node] = true
      for field in shape.structures[node]?.partlyUpdatedFields ?? [] {
        try findStructures(field.node, in: rows)
      }
    }
  }
}
