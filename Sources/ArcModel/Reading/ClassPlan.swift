import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// How objects of a class are made of JSON objects: which member is for which property.
final class ClassPlan {
  let rows: RowReader
  let filler: RowFiller
  /// The name of each property's member.
  let names: [String]
  private let slots: [ExactName: Int]
  /// The slot of the member that came last time behind that of a slot, or behind the opening bracket at the
  /// end of the list.
  private var following: [Int]

  init(_ rows: RowReader, _ naming: KeyNaming, filler: RowFiller) {
    self.rows = rows
    self.filler = filler
    names = rows.slots.map { naming.name($0.keys[0]) }
    slots = Dictionary(names.enumerated().map { (ExactName($1), $0) }) { first, _ in first }
    following = Array(1...names.count + 1)
    following[names.count] = 0
  }

  /// The slot of the member with a key, or -1; `previous` is the slot of the member before, or the number of
  /// slots for none.
  func slot(ofKeyAt index: Int, in document: JSONDocument, after previous: Int) -> Int {
    let likely = following[previous]
    if likely < names.count, document.isString(at: index, names[likely]) { return likely }
    guard let slot = slots[ExactName(document.string(at: index))] else { return -1 }
    following[previous] = slot
    return slot
  }
}
