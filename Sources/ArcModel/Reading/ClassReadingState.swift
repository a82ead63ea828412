import Arc
import ArcJSON

/// The state of a class while one text is read: its plan, and the fillers of its row.
final class ClassReadingState {
  let plan: ClassPlan
  let filler: RowFiller
  /// A filler that checks each value with its type. It is used for objects with a value that a type refused.
  private(set) lazy var checkingFiller = RowFiller(filler, checking: plan.checkingShape)
  /// The number of the update whose values are in the row, or -1.
  var updateInRow = -1

  private var existingFields: ExistingFields?

  init(_ plan: ClassPlan, _ filler: RowFiller) { (self.plan, self.filler) = (plan, filler) }

  /// Removes the values of the row, before it is filled.
  func beginRow() {
    rows.row.removeAll()
    updateInRow = -1
  }

  /// Sets the existing object from which a filler takes the structure fields that have no members in the
  /// text.
  func keepFields(of object: any Archivable, by filler: RowFiller, _ rules: ReadingRules) {
    guard plan.keepsFields else { return }
    let fields = existingFields ?? ExistingFields(plan, userInfo: rules.userInfo)
    existingFields = fields
    fields.begin(object)
    filler.existingFields = fields
  }

  /// The objects that references in the existing structure fields refer to.
  var objectsOfExistingFields: [AnyObject] { existingFields?.objects ?? [] }

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
  var preservesUnknownMembers: Bool { plan.preservesUnknownMembers }
  var isMerging: Bool { plan.isMerging }
}
