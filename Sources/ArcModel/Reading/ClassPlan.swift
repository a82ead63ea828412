import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are made of JSON objects: which member is for which property.
final class ClassPlan {
  let rows: RowReader
  let filler: RowFiller
  /// The names of the members, by slot.
  let keys: JSONKeyTable
  let slots: [Slot]
  /// The slots in whose values objects are.
  let slotsWithObjects: [Int]
  /// Where what is learned of the order of its members begins, in a list for all classes.
  let firstHint: Int

  /// What reading asks of a property, for each object: nothing that would have to be retained.
  struct Slot {
    /// The first of its nodes.
    let node: Int
    /// What becomes of the property where there is no value for it.
    let absence: DeclaredClass.Absence
    /// Whether the property is weak, and so not read.
    let isWeak: Bool
    /// Whether it is a reference that may not be nil, of which its column does not tell.
    let refusesNull: Bool
  }

  init(_ rows: RowReader, _ naming: KeyNaming, filler: RowFiller, firstHint: Int) {
    self.rows = rows
    self.filler = filler
    self.firstHint = firstHint
    keys = JSONKeyTable(rows.slots.map { naming.name($0.keys[0]) })
    slots = rows.slots.map { slot in
      Slot(
        node: slot.node, absence: slot.absence, isWeak: slot.isWeak,
        refusesNull: !slot.isOptional && filler.nodes[slot.node].kind == .reference)
    }
    slotsWithObjects = rows.slots.indices.filter { rows.slots[$0].holdsReferences }
  }
}
