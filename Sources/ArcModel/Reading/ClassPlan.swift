import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are built from the JSON objects of any text, and which member sets each property.
/// `ReadingPlans` creates one plan for each class.
final class ClassPlan {
  let rows: RowReader
  let row: InputRow
  let shape: RowShape
  /// The shape that checks each value with its type. Used for an object if a type refused one of its values.
  private(set) lazy var checkingShape = RowShape(checking: shape)
  /// Whether the type of each slot can refuse a value that the row accepted.
  private(set) lazy var slotCanRefuse: [Bool] = rows.slots.enumerated().map { number, slot in
    if rows.takesAllValues(ofSlot: number) { return false }
    // Two properties of different classes can read one member. Its object fits only one of the classes.
    return slot.holdsReferences
      || shape.row.layout.nodes(ofRoot: number).contains {
        checkingShape.nodes[$0].isChecked || checkingShape.keyReaders[$0] != nil
      }
  }
  /// The member name that only this slot reads, for each slot. A slot without such a name has nil.
  let keys: JSONKeyTable
  let slots: [Slot]
  /// The slots whose values contain objects.
  let slotsWithObjects: [Int]
  /// The slots that are read from several paths, or from the members of an embedded structure.
  let searches: [Search]
  /// The functions of custom formats that convert the JSON of a value, by slot. The program defines the
  /// formats.
  let customReads: [Int: (JSONValue) throws -> JSONValue]
  /// The mappings of the properties, by slot. Issues show the paths of the mappings.
  let mappings: [PropertyMapping]
  /// The names of the members that the paths of `searches` read.
  let otherNames: MemberNames
  /// The class, if it conforms to `JSONPreprocessing`. It can change or refuse the JSON of its objects.
  /// Otherwise nil.
  let preparing: (any JSONPreprocessing.Type)?
  /// The class, if it conforms to `ModelFinishing`. The reader calls `didRead(in:)` of its objects. Otherwise
  /// nil.
  let finishing: (any ModelFinishing.Type)?
  var isFinishing: Bool { finishing != nil }
  /// Whether the object is a box: the JSON value is the value of its only property.
  let isBox: Bool
  /// The identifying properties, for references by identity. Nil if the reader's `references` do not include
  /// `identified`, or if the class has no identity.
  let identity: ObjectKey.Properties?
  /// Whether the class conforms to ``ModelIdentifiable``.
  let isIdentifiable: Bool
  /// The identifying properties, for updates. Updates compare identities even if the reader's `references` do
  /// not include `identified`. Nil if the class is not identifiable or its identity cannot be compared.
  private(set) lazy var updateIdentity = isIdentifiable ? try? ObjectKey.Properties(of: rows) : nil
  /// Whether the objects preserve unknown members, which no property reads.
  let preservesUnknownMembers: Bool
  /// The plans of the reader. They retain this plan, so the reference is unowned.
  unowned let plans: ReadingPlans
  /// The plans of the objects that references refer to, by node. An element is nil until it is first used.
  private let targets: HandleBuffer<ClassPlan?>
  /// How objects are created directly in memory. Nil if objects are built only from rows.
  let fields: NewObjectPlan?
  /// A prediction of the order of members. For each slot, the slot whose member came next in the previous
  /// object. The last element is the slot whose member came first.
  let following: HandleBuffer<Int>
  let decoder: GraphDecoder
  /// Whether `decoder` is in use for a text.
  let isDecoding: Handle<Bool>
  /// The objects whose `didRead(in:)` is not called yet.
  let unfinished: Handle<UnfinishedObjects>
  /// Fills the rows of values directly from a text.
  let scanner: OnePassFiller
  /// Whether `scanner` can fill the row of each slot.
  let isFilledInOnePass: [Bool]
  /// Fills the row of an object or value from an indexed document.
  private(set) lazy var onePassFiller = JSONRowFiller(shape, .null, IssueLog(), decoder)
  /// How many more objects the reader builds with the class's initializer. Greater than 0 after an object
  /// lacked a member for a property with an initial value.
  var objectsToInitialize = 0
  /// The plans of the first eight subclasses that were chosen. Empty after `removeTargets()`.
  var chosenPlans: [ClassPlan] = []
  /// The class, if it conforms to `JSONClassChoosing`. It chooses the classes of its objects. Otherwise nil.
  let choosing: (any JSONClassChoosing.Type)?
  /// Whether the reader is lenient: it skips values that do not fit, and converts values to the expected
  /// types.
  let isLenient: Bool
  /// Whether the reader reports members that no property reads.
  let reportsUnknownKeys: Bool
  /// Whether `$id` and `$ref` are known members of each object.
  private let hasMarks: Bool
  /// Whether objects can be read in one pass through a text.
  let isReadInOnePass: Bool
  /// The members of an object, by name. Nil if they cannot be read in the order of the text, without an
  /// index.
  let members: MemberTable?
  /// Whether the row of an object can be filled in the order of the text.
  let canFillRowInOrder: Bool
  /// Whether existing objects can be updated in one pass through a text.
  let isUpdatedInOnePass: Bool

  /// The facts about a property that are used for each object that is read. The type contains no references,
  /// so copying it retains nothing.
  struct Slot {
    /// The first node of the property's columns.
    let node: Int
    /// What the reader does with the property if the JSON has no value for it.
    let absence: DeclaredClass.Absence
    /// Whether the JSON can be without a value for the property.
    var canBeAbsent: Bool { absence == .keepsInitialValue || absence == .becomesNil }
    /// Whether the JSON object must have a member for the property.
    let isRequired: Bool
    /// Whether a custom format of the program converts the values.
    let isCustom: Bool
    /// Whether an update adds elements to the property's collection.
    let isMerged: Bool
    /// Whether the property is declared with `let`.
    let isConstant: Bool
    /// Whether an update replaces the property's structure or object as a whole.
    let isReplaced: Bool
    /// Whether an update keeps the fields of the property's structure for which the text has no members.
    let keepsFields: Bool
  }

  /// Whether an update adds elements to a collection, for at least one slot.
  let isMerging: Bool
  /// Whether an update keeps fields of a structure that have no members in the text, for at least one slot.
  let keepsFields: Bool

  /// The paths of a property that `keys` does not contain. If the first path is a single name that only this
  /// property reads, `keys` contains it, and `paths` contains the other paths. Otherwise, `paths` contains
  /// all paths.
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
    preservesUnknownMembers = rules.preservesUnknownMembers && rows.type is any UnknownMemberPreserving.Type
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
    // A lenient reader omits an object that rejects itself. In one pass, other objects could already refer to
    // it.
    isReadInOnePass =
      preparing == nil && !isBox && !preservesUnknownMembers && rules.references.isEmpty
      && (finishing == nil || !isLenient)
    fields =
      isReadInOnePass
      ? rows.allocator.map { [slots] in NewObjectPlan($0, slots, embedded: embedded, shape) } : nil
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

  /// Returns the plan of the objects that a reference refers to. Throws `Refusal` if the class cannot be
  /// read.
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

  /// Releases the plans of other classes, because plans can retain each other. Called once, when the plan is
  /// no longer used.
  func removeTargets() {
    for node in 0..<targets.count { targets[node] = nil }
    chosenPlans = []
  }

  // MARK: Members

  /// Appends to `members` the document index of each slot's value in a JSON object, or -1 if the slot has no
  /// value.
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
    var failure: (any Error)?
    // All members are found before an issue ends the reading. Otherwise, members after the issue would be
    // reported as missing, and the first issue of the text is searched among the members that were found.
    func report(_ issue: () throws -> Void) {
      guard failure == nil else { return }
      do { try issue() } catch { failure = error }
    }
    for _ in 0..<document.memberCount(of: index) {
      let key = end
      end = document.end(of: key + 1)
      guard let slot = slot(ofKeyAt: key, after: previous, in: document) else {
        if !searches.isEmpty { report { try noteIfRepeated(key, of: index, in: document, issues) } }
        if notesUnknownKeys { report { try noteUnknown(key, of: index, in: document, issues) } }
        continue
      }
      if members[first + slot] >= 0 {
        if document.duplicateKeys == .first { continue }
        report { try issues.noteDuplicate(ofKeyAt: key) }
        // The value of the first member may have an issue, which is then the first issue of the text.
        if failure != nil { continue }
      }
      members[first + slot] = key + 1
      previous = slot
    }
    for search in searches {
      findMember(search, of: index, in: document, &members[first + search.slot])
      if members[first + search.slot] < 0 {
        report { try issues.noteObstacle(on: search.paths, from: index) }
      }
    }
    if let failure { throw failure }
  }

  /// Reports a member if an earlier member of the object has the same name. Reports only names with which a
  /// path of `searches` begins.
  private func noteIfRepeated(
    _ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog
  ) throws {
    let name = document.string(at: key)
    if otherNames.contains(name) { try issues.noteIfRepeated(key, named: name, of: index) }
  }

  /// Searches for the value of a property at the paths of `search`. `value` is the value at an earlier path.
  /// It is missing or null when the search begins.
  private func findMember(
    _ search: Search, of index: Int, in document: JSONDocument, _ value: inout Int
  ) {
    if search.fields.contains(where: { document.hasFirstMember(of: $0, index) }) { value = index }
    for path in search.paths {
      guard value < 0 || document.word(at: value).kind == .null else { return }
      if let other = document.index(at: path, from: index) { value = other }
    }
  }

  /// Reports a member that no property reads, unless the object preserves it.
  func noteUnknown(
    _ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog
  ) throws {
    if preservesUnknownMembers || isTagOrMark(key, of: index, in: document, issues) { return }
    try otherNames.forEachUnknown(ofKeyAt: key, in: document) {
      try issues.noteUnknown($0, expected: shape.expectedForUnknownKeys)
    }
  }

  /// Whether a member is a type tag, an `$id` or a `$ref`, which no property reads.
  func isTagOrMark(_ key: Int, of index: Int, in document: JSONDocument, _ issues: IssueLog) -> Bool {
    issues.isTag(key, ofObjectAt: index) || hasMarks && ModelReferences.isMark(document.string(at: key))
  }

  /// Fills the row of an object.
  ///
  /// - Parameters:
  ///   - members: returns the document index of a slot's value, or -1.
  ///   - fill: fills a slot with the JSON value at a document index. Returns false if the value does not fit.
  /// - Returns: whether the row has all values that the object requires, and whether required members are
  ///   missing.
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

  /// Fills a slot for which the JSON has no value. Writes nil, or marks the slot as absent if the property
  /// keeps its initial value. Returns false if the property must have a value.
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

  /// Returns the slot that reads the member with the key at a document index. Returns nil if no slot reads
  /// the member.
  ///
  /// `previous` is the slot of the previous member. For the first member, pass `slots.count`. The search
  /// is fast if the members have the order of the previous object.
  @inline(__always) func slot(ofKeyAt key: Int, after previous: Int, in document: JSONDocument) -> Int? {
    let likely = following[previous]
    if likely < slots.count, keys.isName(likely, at: key, in: document) { return likely }
    guard let slot = keys.number(at: key, in: document) else { return nil }
    following[previous] = slot
    return slot
  }
}
