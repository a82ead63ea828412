import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are made of JSON objects, whatever text they are in: which member is for which
/// property.
final class ClassPlan {
  let rows: RowReader
  /// The row of `rows`.
  let row: InputRow
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
  /// The names of members that are read otherwise than by `keys`.
  let otherNames: MemberNames
  /// The class, if it changes or refuses objects before they are read.
  let preparing: (any JSONPreprocessing.Type)?
  /// The class, if it conforms to `ModelFinishing`: the reader calls `didRead(in:)` of its objects.
  let finishing: (any ModelFinishing.Type)?
  /// Whether the reader calls `didRead(in:)` of its objects.
  var isFinishing: Bool { finishing != nil }
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
  /// The reader's plans. They keep this plan alive.
  unowned let plans: ReadingPlans
  /// The plans of the objects that references refer to, by node. Nil until they are needed.
  private let targets: HandleBuffer<ClassPlan?>
  /// How objects are made right in memory; nil if they are not.
  let fields: NewObjectPlan?
  /// For each slot the slot of the member that came last time behind it; a further one at the end is for the
  /// first member.
  let following: HandleBuffer<Int>
  /// What builds objects from rows.
  let decoder: GraphDecoder
  /// Whether `decoder` is used for a text.
  let isDecoding: Handle<Bool>
  /// The objects that are not told yet that they were read.
  let unfinished: Handle<UnfinishedObjects>
  /// What fills the rows of values directly from a text.
  let scanner: OnePassFiller
  /// The slots whose rows are filled directly from a text.
  let isFilledInOnePass: [Bool]
  /// What fills the row of an object or value with an index.
  private(set) lazy var onePassFiller = RowFiller(shape, .null, IssueLog(), decoder)
  /// How many of the next objects are built by their initializer, because an object lacked a member whose
  /// property keeps its initial value.
  var objectsToInitialize = 0
  /// The plan of the subclass that was chosen last. Nil if none was chosen, or when the plans end.
  var lastChosen: ClassPlan?
  /// The class, if it chooses the classes of its objects.
  let choosing: (any JSONClassChoosing.Type)?
  /// Whether a reader skips values that do not fit, and converts values of other kinds.
  let isLenient: Bool
  /// Whether members that no property reads are issues.
  let reportsUnknownKeys: Bool
  /// Whether `$id` and `$ref` are not unknown members.
  private let hasMarks: Bool
  /// Whether objects can be read in one pass over a text.
  let isReadInOnePass: Bool
  /// The members of an object, if they can be read in the order of the text, without an index.
  let members: MemberTable?
  /// Whether the row of an object can be filled in the order of the text.
  let canFillRowInOrder: Bool
  /// Whether existing objects can be updated in one pass over a text.
  let isUpdatedInOnePass: Bool

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
    /// Whether an update adds to its collection.
    let isMerged: Bool
    /// Whether the property is a `let`.
    let isConstant: Bool
    /// Whether an update replaces the property's structure or object as a whole.
    let isReplaced: Bool
    /// Whether an update keeps the fields of the property's structure that the text has no members for.
    let keepsFields: Bool
  }

  /// Whether updates add to collections of some slots.
  let isMerging: Bool
  /// Whether updates keep fields of structures of some slots.
  let keepsFields: Bool

  /// Where the value of a property can be.
  struct Search {
    let slot: Int
    let paths: [JSONPath]
    /// The paths of the fields of an embedded structure.
    var fields: [JSONPath] = []
  }

  init(
    _ rows: RowReader, _ mappings: [PropertyMapping], _ shape: RowShape, _ plans: ReadingPlans
  ) throws {
    let rules = plans.rules
    self.rows = rows
    row = rows.row
    self.plans = plans
    self.shape = shape
    decoder = plans.decoder
    isDecoding = plans.isDecoding
    unfinished = plans.unfinished
    let scanner = OnePassFiller(shape)
    self.scanner = scanner
    self.mappings = mappings
    preparing = rows.type as? any JSONPreprocessing.Type
    finishing = rows.type as? any ModelFinishing.Type
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
          searches.append(Search(slot: number, paths: [], fields: shape.memberPaths(slot.node)))
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
    otherNames = MemberNames(searches.flatMap { $0.paths + $0.fields })
    slots = zip(rows.slots, mappings).enumerated().map { number, both in
      let (slot, mapping) = both
      return Slot(
        node: slot.node, absence: slot.absence, isRequired: mapping.rules.contains(.required),
        isCustom: customReads[number] != nil,
        isMerged: mapping.rules.contains(.merged) && !slot.isConstant, isConstant: slot.isConstant,
        isReplaced: mapping.rules.contains(.replaced),
        keepsFields: mapping.rules.isRead && !mapping.rules.contains(.replaced)
          && customReads[number] == nil && shape.keepsFields(slot.node))
    }
    isFilledInOnePass = slots.map { slot in !slot.isCustom && scanner.reads(slot.node) }
    isMerging = slots.contains(where: \.isMerged)
    keepsFields = slots.contains(where: \.keepsFields)
    let embedded = Set(mappings.indices.filter { mappings[$0].rules.contains(.embedded) })
    slotsWithObjects = rows.slots.indices.filter { rows.slots[$0].holdsReferences }
    choosing = rows.type as? any JSONClassChoosing.Type
    isLenient = rules.isLenient
    reportsUnknownKeys = rules.reportsUnknownKeys
    hasMarks = rules.references.contains(.marked)
    // A lenient reader leaves out an object that rejects itself: others may refer to it already.
    isReadInOnePass =
      preparing == nil && !isBox && !isKeeping && rules.references.isEmpty && (finishing == nil || !isLenient)
    fields =
      isReadInOnePass
      ? rows.making.map { [slots] in NewObjectPlan($0, slots, embedded: embedded, shape) } : nil
    members = embedded.isEmpty ? MemberTable(mappings.map { $0.rules.isRead ? $0.paths : [] }) : nil
    canFillRowInOrder = mappings.indices.allSatisfy { [isFilledInOnePass] in
      !mappings[$0].rules.isRead || !rows.slots[$0].holdsReferences && isFilledInOnePass[$0]
    }
    isUpdatedInOnePass =
      members != nil && finishing == nil && !reportsUnknownKeys && choosing == nil && !isMerging
      && fields?.isUpdatedInOnePass == true
    targets = HandleBuffer(repeating: nil, count: shape.nodes.count)
    following = HandleBuffer(Array(1..<rows.slots.count + 1) + [0])
  }

  deinit {
    targets.free()
    following.free()
  }

  /// The plan of the objects that a reference refers to. Throws `Refusal` if its class cannot be read.
  @inline(__always) func target(ofNode node: Int) throws(JSONCursor.Refusal) -> ClassPlan {
    if let known = targets[node] { return known }
    return try findTarget(ofNode: node)
  }

  @inline(never) private func findTarget(ofNode node: Int) throws(JSONCursor.Refusal) -> ClassPlan {
    guard let type = shape.type(ofReference: node), let plan = try? plans.plan(of: type) else {
      throw JSONCursor.Refusal()
    }
    targets[node] = plan
    return plan
  }

  /// Releases the plans of other classes. Called once, when the plan is not used any more.
  func removeTargets() {
    for node in 0..<targets.count { targets[node] = nil }
    lastChosen = nil
  }

  // MARK: Members

  /// Appends the entries of the values that an object has for the slots, -1 for none.
  func findMembers(
    of index: Int, in document: JSONDocument, _ members: inout [Int], notesUnknownKeys: Bool,
    _ issues: IssueLog
  ) throws {
    let first = members.count
    let count = slots.count
    for _ in 0..<count { members.append(-1) }
    if isBox, count == 1 {
      members[first] = index
      return
    }
    var previous = count
    var end = index + 2
    for _ in 0..<document.memberCount(of: index) {
      let key = end
      end = document.end(of: key + 1)
      guard let slot = slot(ofKeyAt: key, behind: previous, in: document) else {
        if !searches.isEmpty { try noteIfRepeated(key, of: index, in: document, issues) }
        if notesUnknownKeys { try noteUnknown(key, of: index, in: document, issues) }
        continue
      }
      if members[first + slot] >= 0 {
        if document.duplicateKeys == .first { continue }
        try issues.noteDuplicate(ofKeyAt: key)
      }
      members[first + slot] = key + 1
      previous = slot
    }
    for search in searches {
      findMember(search, of: index, in: document, &members[first + search.slot])
      if members[first + search.slot] < 0 { try issues.noteObstacle(on: search.paths, from: index) }
    }
  }

  /// Reports a member with the name of an earlier member, if paths begin with the name.
  private func noteIfRepeated(
    _ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog
  ) throws {
    let name = document.string(at: key)
    if otherNames.contains(name) { try issues.noteIfRepeated(key, named: name, of: index) }
  }

  /// Finds the value of a property that no member has, or that is null there.
  private func findMember(
    _ search: Search, of index: Int, in document: JSONDocument, _ value: inout Int
  ) {
    if search.fields.contains(where: { document.hasFirstMember(of: $0, index) }) { value = index }
    for path in search.paths {
      guard value < 0 || document.word(at: value).kind == .null else { return }
      if let other = document.index(at: path, from: index) { value = other }
    }
  }

  /// Reports a member that no property is read from, if its object does not keep it.
  func noteUnknown(
    _ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog
  ) throws {
    if isKeeping || isTagOrMark(key, of: index, in: document, issues) { return }
    try otherNames.forEachUnknown(ofKeyAt: key, in: document) {
      try issues.noteUnknown($0, expected: shape.expectedForUnknownKeys)
    }
  }

  /// Whether a member tells the type of its object, or which object it is.
  func isTagOrMark(_ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog) -> Bool {
    issues.isTag(key, ofObjectAt: index) || hasMarks && ModelReferences.isMark(document.string(at: key))
  }

  /// Fills the row of an object from the entries of its members, -1 for none.
  ///
  /// - Parameters:
  ///   - members: the entry of the value of a slot.
  ///   - fill: fills a slot with the value of an entry. Returns false if the value does not fit.
  /// - Returns: whether the object has all values that it needs, and whether members are missing.
  func fillRow(
    _ members: (_ slot: Int) -> Int, _ fill: (_ slot: Int, _ value: Int) throws -> Bool
  ) rethrows -> (isWhole: Bool, lacksKeys: Bool) {
    row.removeAll()
    var (isWhole, lacksKeys) = (true, false)
    for number in slots.indices {
      let value = members(number)
      if value >= 0, try fill(number, value) {
        rows.setAbsent(false, slot: number)
        continue
      }
      if !fillMissing(number) {
        isWhole = false
        if value < 0 { lacksKeys = true }
      }
      if slots[number].isRequired, value < 0 { (isWhole, lacksKeys) = (false, true) }
    }
    return (isWhole, lacksKeys)
  }

  /// Fills a slot without a value. Returns false if the property needs a value.
  func fillMissing(_ number: Int) -> Bool {
    switch slots[number].absence {
    case .keepsInitialValue: rows.setAbsent(true, slot: number)
    case .becomesNil:
      rows.setAbsent(false, slot: number)
      _ = shape.fillNil(slots[number].node)
    case .refused, .unknown: return false
    }
    return true
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
