import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are made of JSON objects, whatever text they are in: which member is for which
/// property.
final class ClassPlan {
  let rows: RowReader
  let shape: RowShape
  /// The shape with each value checked by its type: for objects of which a type refused something.
  private(set) lazy var checkingShape = RowShape(checking: shape)
  /// For each slot whether its type can refuse a value that a row took.
  private(set) lazy var slotCanRefuse: [Bool] = rows.slots.enumerated().map { number, slot in
    if rows.takesAllValues(ofSlot: number) { return false }
    // An object can be of another class than a second property wants that is read from its member.
    return slot.holdsReferences
      || shape.row.layout.nodes(ofRoot: number).contains {
        checkingShape.nodes[$0].isChecked || checkingShape.keyReaders[$0] != nil
      }
  }
  /// The names of members that are for one property alone, by slot.
  let keys: JSONKeyTable
  let slots: [Slot]
  /// The slots in whose values objects are.
  let slotsWithObjects: [Int]
  /// The slots whose values are looked for in an object if no member has them.
  let searches: [Search]
  /// What makes values of the form that the text has, by slot.
  let customReads: [Int: (JSONValue) throws -> JSONValue]
  /// The paths to the values, by slot, for issues.
  let mappings: [PropertyMapping]
  /// The names of members that lead to some property otherwise than by `keys`.
  let otherNames: Set<String>
  /// The class, if it changes or refuses objects before they are read.
  let preparing: (any JSONPreprocessing.Type)?
  /// Whether its objects are told when they were read.
  let isFinishing: Bool
  /// Whether an object stands for the value that its text is.
  let isBox: Bool
  /// What tells its objects apart; nil for nothing.
  let identity: ObjectKey.Properties?
  /// Whether updates compare identities: the class is ``ModelIdentifiable``.
  let isIdentifiable: Bool
  /// The identity by which an update distinguishes objects, whatever the references of the reader. Nil if the
  /// class has none, or one that cannot be compared: then it distinguishes nothing.
  private(set) lazy var updateIdentity = isIdentifiable ? try? ObjectKey.Properties(of: rows) : nil
  /// Whether its objects keep members that no property is read from.
  let isKeeping: Bool
  /// What gives values right from the text.
  let values: TextValues
  /// The first nodes of the slots' values.
  let nodesOfSlots: HandleBuffer<Int>
  /// How objects are made right in memory; nil if they are not.
  let fields: NewObjectPlan?
  /// For each slot the slot of the member that came last time behind it; a further one at the end is for the
  /// first member.
  let following: HandleBuffer<Int>
  /// Whether an object of the class is being built right from the text.
  var isOpen = false
  /// Whether an object of the class is being updated right from the text: then none is built.
  var isUpdating = false

  /// What reading asks of a property, for each object: nothing that would have to be retained.
  struct Slot {
    /// The first of its nodes.
    let node: Int
    /// What becomes of the property where there is no value for it.
    let absence: DeclaredClass.Absence
    /// Whether the property can do without a value.
    var canBeAbsent: Bool { absence == .keepsInitialValue || absence == .becomesNil }
    /// Whether there must be a value for it, in any case.
    let isRequired: Bool
    /// Whether something makes its values of the form that the text has.
    let isCustom: Bool
    /// Whether its values come right from the text, unless something is wrong with them.
    let isSupplied: Bool
    /// Whether an update adds to its collection.
    let isMerged: Bool
    /// Whether the property is a `let`.
    let isConstant: Bool
  }

  /// Whether updates add to collections of some slots.
  let isMerging: Bool

  /// Whether the values of all slots come right from the text.
  let isSupplied: Bool

  /// Whether objects can be built right from the text: there is nothing to them but members and properties.
  let isDirect: Bool

  /// Where the value of a property can be.
  struct Search {
    let slot: Int
    let paths: [JSONPath]
    /// The members of the object itself that it is made of, if it is embedded.
    var members: [String] = []

    /// The names of the object's members that it begins with.
    var names: [String] { paths.compactMap(\.firstName) + members }
  }

  init(
    _ rows: RowReader, _ mappings: [PropertyMapping], _ shape: RowShape, _ values: TextValues,
    _ rules: ReadingRules
  ) throws {
    self.rows = rows
    self.values = values
    self.shape = shape
    self.mappings = mappings
    preparing = rows.type as? any JSONPreprocessing.Type
    isFinishing = rows.type is any ModelFinishing.Type
    isBox = rows.isBox
    identity = rules.references.contains(.identified) ? try ObjectKey.Properties(of: rows) : nil
    isIdentifiable = rows.type is any ModelIdentifiable.Type
    isKeeping = rules.preservesUnknownMembers && rows.type is any UnknownMemberPreserving.Type
    var customReads: [Int: (JSONValue) throws -> JSONValue] = [:]
    var names: [String?] = []
    var searches: [Search] = []
    for (number, (slot, mapping)) in zip(rows.slots, mappings).enumerated() {
      if case .custom(let read, _)? = mapping.format?.kind {
        customReads[number] = read
      }
      var name: String?
      if mapping.rules.isRead {
        if mapping.rules.contains(.embedded) {
          searches.append(Search(slot: number, paths: [], members: shape.memberNames(slot.node)))
        } else {
          name = mapping.paths[0].name.flatMap { names.contains($0) ? nil : $0 }
          let others = Array(mapping.paths.dropFirst(name == nil ? 0 : 1))
          if !others.isEmpty { searches.append(Search(slot: number, paths: others)) }
        }
      }
      names.append(name)
    }
    keys = JSONKeyTable(names)
    self.customReads = customReads
    self.searches = searches
    otherNames = Set(searches.flatMap(\.names))
    slots = zip(rows.slots, mappings).enumerated().map { number, both in
      let (slot, mapping) = both
      return Slot(
        node: slot.node, absence: slot.absence, isRequired: mapping.rules.contains(.required),
        isCustom: customReads[number] != nil,
        isSupplied: customReads[number] == nil && shape.suppliedRoots.contains(number),
        isMerged: mapping.rules.contains(.merged) && !slot.isConstant, isConstant: slot.isConstant)
    }
    isMerging = slots.contains(where: \.isMerged)
    isSupplied = slots.allSatisfy(\.isSupplied)
    slotsWithObjects = rows.slots.indices.filter { rows.slots[$0].holdsReferences }
    isDirect =
      isSupplied && preparing == nil && !isFinishing && !isBox && !isKeeping && searches.isEmpty
      && rules.references.isEmpty && !rules.reportsUnknownKeys
    nodesOfSlots = HandleBuffer(rows.slots.map(\.node))
    following = HandleBuffer(Array(1..<rows.slots.count + 1) + [0])
    fields =
      isDirect ? rows.making.map { [slots, keys] in NewObjectPlan($0, rows.type, slots, keys, shape) } : nil
  }

  deinit {
    nodesOfSlots.free()
    following.free()
  }

  /// The slot that the member with a key is for, which comes behind that of another slot, or first: behind
  /// the number of slots; nil if it is for none.
  @inline(__always) func slot(ofKeyAt key: Int, behind previous: Int, in document: JSONDocument) -> Int? {
    let likely = following[previous]
    if likely < slots.count, keys.isName(likely, at: key, in: document) { return likely }
    guard let slot = keys.number(at: key, in: document) else { return nil }
    following[previous] = slot
    return slot
  }
}
