import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// How the rows of a class, or of a value, become JSON: the form of each node, and the names of members.
/// `WritingPlans` creates the plans.
final class WritingPlan {
  let rows: WrittenRows
  /// Writes the rows of objects. Nil if the plan is for a value.
  let objects: RowWriter?
  let nodes: HandleBuffer<Node>
  /// The members of the objects and of structures, and the cases of enumerations. A member number is an index
  /// into this buffer.
  let members: HandleBuffer<Member>
  /// The numbers of the objects' own members.
  let objectMembers: Range<Int>
  /// The fields of `objectMembers` in memory. Empty unless each member is stored in memory and written
  /// unchanged.
  let fields: HandleBuffer<MemberField>
  let names: JSONNames
  /// The node of the value in a box object. Nil if the objects are not boxes.
  let boxedNode: Int?
  /// The functions of custom formats, which convert values.
  let customWrites: [(JSONValue) throws -> JSONValue]
  /// The rules that choose the types of referenced objects by a tag, by node.
  let choices: [Int: TypeChoice]
  /// The member that states the type of the objects. Nil if no member states the type.
  let tag: ObjectTag?
  /// Whether objects begin with `tag`. False if a property has its name, because the property is then the
  /// tag.
  let beginsWithTag: Bool
  /// Whether some members have one name, or are sorted after they are written.
  let hasOrderedMembers: Bool
  /// Whether the class postprocesses the JSON of its objects or preserves unknown members.
  let editsMembers: Bool
  /// The names of the properties' members. Unknown members with these names are not written.
  let namesOfProperties: Set<ExactName>
  /// Whether the class conforms to ``ModelIdentifiable``.
  let isIdentifiable: Bool
  let isPartial: Bool
  /// Whether an object has a member named `_0`. An associated value without a label has this name.
  let hasMemberZero: Bool

  /// Whether a member is a nested object whose members are properties with paths.
  func isGroup(_ number: Int) -> Bool { members[number].node < 0 && !members[number].members.isEmpty }

  /// Whether the objects have a member with this name that is a nested object of properties with paths.
  func hasGroup(named name: String) -> Bool {
    objectMembers.contains { isGroup($0) && names.text(of: members[$0].name).hasSameBytes(as: name) }
  }

  /// How the values of a node are written.
  struct Node {
    let kind: ColumnKind
    var form = Form.plain
    let firstChild: Int
    let secondChild: Int
    /// The format of dates. Nil for the default format.
    var dateFormat: ValueFormat.DateFormat?
    /// The name of the member with the case of a tagged enumeration. Nil if the enumeration is not tagged.
    var tag: JSONNames.Name?
    /// Whether the names of cases with associated values are not written.
    var isUntagged = false
    /// The numbers of the fields, or of the cases.
    var members = 0..<0
    /// The class of the object that the node referred to last, by address, and the number of its plan. An
    /// address of 0 means that there was no object yet.
    var lastClass: (address: UInt, plan: Int) = (0, 0)
  }

  /// The form of a value, if its kind can have several forms.
  enum Form {
    /// An object with members.
    case plain
    /// An array of fields, or of pairs of keys and values.
    case array
    /// The JSON text in the value's only field.
    case json
    /// Any JSON value, which a `Codable` type encoded.
    case coded
  }

  /// The value of `Member.customWrite` for a value that is skipped.
  static let skipped = -2

  /// A member of an object, or a case of an enumeration.
  struct Member {
    /// The node of the value. -1 for a nested object of properties with paths, and for a case without
    /// associated values.
    var node: Int
    /// The numbers of the members, if the member is a nested object of properties with paths.
    var members = 0..<0
    /// The index of the custom format's function in `customWrites`, -1 if there is none, or ``skipped``.
    var customWrite = -1
    let name: JSONNames.Name
    /// The number of the first member with the same name, or -1 if no other member has the name. Of these
    /// members, the first that is not nil is written.
    var sharedName = -1
    /// Whether the member is omitted if its value is nil.
    var omitsNil = false
    /// Whether the member is the value of a property without a custom format or tag.
    var isPlain = true
    /// Whether the member is the first of a range that is sorted after it is written.
    var isSortedLater = false
    /// Whether the member is also the tag of the object.
    var isTag = false
    /// Whether the tag is written if the member is omitted.
    var isTagForNil = false
    /// How the associated values of a case are written.
    var payload = Payload.fields
  }

  enum Payload {
    /// The fields of a structure.
    case fields
    /// The only associated value, which has no label.
    case single
    /// The only associated value as the member `_0` of an object, because the value itself could have a
    /// member `_0`.
    case wrapped
  }

  /// The member that states the type of a plan's objects.
  struct ObjectTag {
    let type: TypeTag
    let name: JSONNames.Name
    let text: JSONNames.Name
    /// The class or structure, as errors name it.
    let owner: String
    /// The keys of the properties with the name of the tag, by member number.
    let properties: [Int: String]
  }

  /// Plans the rows of a class. If `objects` is nil, plans the rows of a value.
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
    editsMembers =
      objects.map { $0.type is any JSONPostprocessing.Type || $0.type is any UnknownMemberPreserving.Type }
      ?? false
    namesOfProperties = Set(maker.memberNames.map { ExactName($0) })
    self.isPartial = isPartial
    isIdentifiable = objects.map { $0.type is any ModelIdentifiable.Type } ?? false
    nodes = HandleBuffer(maker.nodes)
    members = HandleBuffer(maker.members)
    names = maker.names
    fields = HandleBuffer(editsMembers ? [] : maker.fields(of: objects, objectMembers))
  }

  deinit {
    nodes.free()
    members.free()
    fields.free()
  }

  /// Returns the name of a member, for paths of errors.
  func name(ofMember number: Int) -> String { names.text(of: members[number].name) }
}
