import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// How the rows of a class, or of a value, become JSON: what each node is, and the names of members.
final class WritingPlan {
  let rows: WrittenRows
  /// What writes the rows; nil for those of a value that is no object.
  let objects: RowWriter?
  let nodes: HandleBuffer<Node>
  /// Members of the object, of structures, and the cases of enumerations.
  let members: HandleBuffer<Member>
  /// Those of the object.
  let objectMembers: Range<Int>
  /// Where each of those is in the memory of the object; none unless all are there as they are written.
  let fields: HandleBuffer<MemberField>
  /// The names of members.
  let names: JSONNames
  /// The node of the value for which an object stands; nil if it stands for itself.
  let boxedNode: Int?
  /// What makes other forms of values.
  let customWrites: [(JSONValue) throws -> JSONValue]
  /// How objects tell their classes, by node.
  let choices: [Int: TypeChoice]
  /// The member that states the type of the plan's objects; nil if no member does.
  let tag: ObjectTag?
  /// Whether objects begin with that member, because no property has its name.
  let beginsWithTag: Bool
  /// Whether some members have the same name, or are sorted after they are written.
  let hasOrderedMembers: Bool
  /// Whether its objects change what they are written as, or have further members.
  let isChanging: Bool
  /// The names that no further member has, if objects have such.
  let namesOfProperties: Set<ExactName>
  /// Whether some properties tell its objects apart.
  let isIdentifiable: Bool
  /// Whether only some properties are written.
  let isPartial: Bool
  /// Whether an object has a member named `_0`, as associated values without a name have.
  let hasMemberZero: Bool

  /// Whether a member is an object that paths of properties go through.
  func isGroup(_ number: Int) -> Bool { members[number].node < 0 && !members[number].members.isEmpty }

  /// Whether the objects have such a member with a name.
  func hasGroup(named name: String) -> Bool {
    objectMembers.contains { isGroup($0) && names.text(of: members[$0].name).hasSameBytes(as: name) }
  }

  /// What a node's values become.
  struct Node {
    let kind: ColumnKind
    var form = Form.plain
    let firstChild: Int
    let secondChild: Int
    /// How dates are written; nil for the default.
    var dateFormat: ValueFormat.DateFormat?
    /// The name of the member with the case of an enumeration; nil for none.
    var tag: JSONNames.Name?
    /// Whether the case of an enumeration is not written where it has associated values.
    var isUntagged = false
    /// Its members: fields, or cases.
    var members = 0..<0
    /// The class of the object that the node referred to last, by address, and its plan by number.
    var lastClass: (address: UInt, plan: Int) = (0, 0)
  }

  /// Which of the forms that the kind of a node leaves open.
  enum Form {
    /// An object of members.
    case plain
    /// An array of fields, or of keys with their values.
    case array
    /// What the text of its one field says.
    case json
    /// What a `Codable` value encodes, as `JSONEncoder` has it.
    case coded
  }

  /// The number of what makes no form of a value at all: it is passed over.
  static let skipped = -2

  /// A member, or a case.
  struct Member {
    /// The node of its value; -1 for a case without associated values, and for an object of members that are
    /// properties of the one around it.
    var node: Int
    /// Those members.
    var members = 0..<0
    /// The number of what makes another form of its value; -1 for none, ``skipped`` for a value that is not
    /// written.
    var customWrite = -1
    let name: JSONNames.Name
    /// The number of the first member with the same name; -1 if no other member has the name. Of such
    /// members, the first one that is not nil is written.
    var sharedName = -1
    /// Whether it can be nil and is left out then.
    var leavesOutNil = false
    /// Whether it is only the value of a property.
    var isPlain = true
    /// Whether it is the first of members that are sorted after they are written.
    var isSortedLater = false
    /// Whether it is also the tag of the object.
    var isTag = false
    /// Whether the tag is written if the value is nil and is left out.
    var isTagForNil = false
    /// Whether associated values need no object around them.
    var payload = Payload.fields
  }

  /// How associated values are written.
  enum Payload {
    /// As the fields of a structure.
    case fields
    /// As the one value without a name.
    case single
    /// As the same in an object with one member, `_0`, since the value could have a member of that name.
    case wrapped
  }

  /// The member that states the type of a plan's objects.
  struct ObjectTag {
    let type: TypeTag
    let name: JSONNames.Name
    let text: JSONNames.Name
    /// The class or structure, for errors.
    let owner: String
    /// The keys of the properties that have the name of the member, by member.
    let properties: [Int: String]
  }

  /// Plans the rows of a class, or those of a value for nil.
  init(
    _ rows: WrittenRows, _ notes: TypeNotes, of objects: RowWriter?, _ mappings: [PropertyMapping],
    _ rules: WritingRules, tag: TypeTag? = nil, isPartial: Bool = false
  ) throws {
    self.rows = rows
    self.objects = objects
    let records = try RecordMappings(
      rows.layout, notes, properties: mappings, of: objects?.type.archiveSchema.name ?? "", rules.mappings,
      rules.naming)
    var maker = PlanMaker(rows.layout, records, rules, tag: tag)
    boxedNode = objects.flatMap { $0.isBox ? $0.slots.first?.node : nil }
    objectMembers = try objects.map { try maker.addMembers(of: $0, mappings) } ?? 0..<0
    try maker.addNodes(boxedNode: boxedNode)
    self.tag = maker.objectTag(of: objects, boxedNode: boxedNode)
    beginsWithTag = self.tag.map(\.properties.isEmpty) ?? false
    hasOrderedMembers = maker.hasOrderedMembers
    hasMemberZero = mappings.contains { $0.paths[0].firstName == "_0" }
    customWrites = maker.customWrites
    var choices: [Int: TypeChoice] = [:]
    for (node, format) in records.formats.enumerated() {
      if case .chosen(let choice)? = format?.kind { choices[node] = choice }
    }
    self.choices = choices
    isChanging =
      objects.map { $0.type is any JSONPostprocessing.Type || $0.type is any UnknownMemberPreserving.Type }
      ?? false
    namesOfProperties = Set(maker.memberNames.map { ExactName($0) })
    self.isPartial = isPartial
    isIdentifiable = objects.map { $0.type is any ModelIdentifiable.Type } ?? false
    nodes = HandleBuffer(maker.nodes)
    members = HandleBuffer(maker.members)
    names = maker.names
    fields = HandleBuffer(isChanging ? [] : maker.fields(of: objects, objectMembers))
  }

  deinit {
    nodes.free()
    members.free()
    fields.free()
  }

  /// The step to a member, for errors.
  func name(ofMember number: Int) -> String { names.text(of: members[number].name) }
}
