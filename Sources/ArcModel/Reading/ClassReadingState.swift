import Arc
import ArcJSON

/// The plan of a class and the fillers of the row of its objects, while one text is read.
final class ClassReadingState {
  let plan: ClassPlan
  let filler: JSONRowFiller
  /// A filler that checks each value with its type. Used for an object if a type refused one of its values.
  private(set) lazy var checkingFiller = JSONRowFiller(filler, checking: plan.checkingShape)
  /// The number of the update whose values the row contains, or -1 if there is none.
  var updateInRow = -1

  private var existingFields: ExistingFields?

  init(_ plan: ClassPlan, _ filler: JSONRowFiller) { (self.plan, self.filler) = (plan, filler) }

  /// Empties the row, before the next object is read.
  func beginRow() {
    rows.row.removeAll()
    updateInRow = -1
  }

  /// Sets the existing object of an update. If a field of a structure has no member in the text, the filler
  /// copies the field from this object.
  func keepFields(of object: any Archivable, by filler: JSONRowFiller, _ rules: ReadingRules) {
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
