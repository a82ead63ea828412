import Arc
import ArcJSON

/// How objects of a class are made of the JSON objects of one text.
final class ClassReadingState {
  let plan: ClassPlan
  let filler: RowFiller
  /// One that has each value checked by its type: for objects of which a type refused something.
  private(set) lazy var checkingFiller = RowFiller(filler, checking: plan.checkingShape)
  /// The number of the update whose values the row has; -1 for none.
  var updateInRow = -1

  private var existingFields: ExistingFields?

  init(_ plan: ClassPlan, _ filler: RowFiller) { (self.plan, self.filler) = (plan, filler) }

  /// Forgets the values of the row, to fill it.
  func beginRow() {
    rows.row.removeAll()
    updateInRow = -1
  }

  /// Has a filler keep those fields of the structures of an object that a text has no members for.
  func keepFields(of object: any Archivable, by filler: RowFiller, _ rules: ReadingRules) {
    guard plan.keepsFields else { return }
    let fields = existingFields ?? ExistingFields(plan, userInfo: rules.userInfo)
    existingFields = fields
    fields.begin(object)
    filler.existingFields = fields
  }

  /// The objects to which references in the remaining fields refer.
  var objectsOfKeptFields: [AnyObject] { existingFields?.objects ?? [] }

  var rows: RowReader { plan.rows }
  var keys: JSONKeyTable { plan.keys }
  var slots: [ClassPlan.Slot] { plan.slots }
  var slotsWithObjects: [Int] { plan.slotsWithObjects }
  var customReads: [Int: (JSONValue) throws -> JSONValue] { plan.customReads }
  var mappings: [PropertyMapping] { plan.mappings }
  var preparing: (any JSONPreprocessing.Type)? { plan.preparing }
  var slotCanRefuse: [Bool] { plan.slotCanRefuse }
  var isFinishing: Bool { plan.isFinishing }
  var identity: ObjectKey.Properties? { plan.identity }
  var updateIdentity: ObjectKey.Properties? { plan.updateIdentity }
  var isKeeping: Bool { plan.isKeeping }
  var isMerging: Bool { plan.isMerging }
}
