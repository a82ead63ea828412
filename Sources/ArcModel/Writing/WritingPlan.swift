import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// How the rows of a class or of a value are converted to JSON: the form of each node, and the names of
/// members. `WritingPlans` creates the plans.
final class WritingPlan {
  let rows: WrittenRows
  /// The writer of the objects' rows. Nil if the plan is for a value.
  let objects: RowWriter?
  let nodes: HandleBuffer<Node>
  /// The members of the objects and of structures, and the cases of enumerations. A member number is an index
  /// into this buffer.
  let members: HandleBuffer<Member>
  /// The numbers of the objects' own members.
  let objectMembers: Range<Int>
  /// The fields that contain `objectMembers` in memory. Empty if a member is not stored in memory, or is not
  /// written unchanged.
  let fields: HandleBuffer<MemberField>
  let names: JSONNames
  /// The node of the only property, if the objects are boxes: the JSON of a box is the value of its only
  /// property. Nil if the objects are not boxes.
  let boxedNode: Int?
  /// The functions of custom formats, which convert values.
  let customWrites: [(JSONValue) throws -> JSONValue]
  /// The rules that choose the types of referenced objects by a tag, by node.
  let choices: [Int: TypeChoice]
  /// The type tag of the objects. Nil if the objects have no tag.
  let tag: ObjectTag?
  /// Whether `tag` is written at the beginning of each object. False if a property has the name of the tag,
  /// because the property is then written as the tag.
  let beginsWithTag: Bool
  /// Whether members cannot simply be written one after another: some members have the same name, or the
  /// written members are sorted afterwards.
  let hasOrderedMembers: Bool
  /// Whether the class postprocesses the JSON of its objects or preserves unknown members.
  let editsMembers: Bool
  /// The names of the properties' members. Unknown members with these names are not written.
  let namesOfProperties: Set<ExactName>
  /// Whether the class conforms to ``ModelIdentifiable``.
  let isIdentifiable: Bool
  let isPartial: Bool
  /// Whether an object has a member named `_0`, which is the name of an associated value without a label.
  let hasMemberZero: Bool

  /// Whether a member is a nested object for paths of properties, such as `address` for `address.city`.
  func isGroup(_ number: Int) -> Bool { members[number].node < 0 && !members[number].members.isEmpty }

  /// Whether some properties are written into a nested object with this name, such as `address` for the path
  /// `address.city`.
  func hasGroup(named name: String) -> Bool {
    objectMembers.contains { isGroup($0) && names.text(of: members[$0].name).hasSameBytes(as: name) }
  }

  /// The instructions for writing the values of a node.
  struct Node {
    let kind: ColumnKind
    var form = Form.plain
    let firstChild: Int
    let secondChild: Int
    /// The format of dates. Nil for the default format.
    var dateFormat: ValueFormat.DateFormat?
    /// The name of the member that contains the case of a tagged enumeration. Nil if the enumeration is not
    /// tagged.
    var tag: JSONNames.Name?
    /// Whether the enumeration is untagged: a case with associated values is written without its name.
    var isUntagged = false
    /// The member numbers of the structure's fields, or of the enumeration's cases.
    var members = 0..<0
    /// The address of the class of the last object to which the node referred, and the number of the plan for
    /// this class. The address is 0 if there was no object yet.
    var lastClass: (address: UInt, plan: Int) = (0, 0)
  }

  /// The JSON form of a value, if values of its kind can have several forms.
  enum Form {
    /// The usual JSON form of the value's kind. For a structure or dictionary, this is an object with
    /// members.
    case plain
    /// An array: the fields of a structure whose fields have no names, or the pairs of keys and values of a
    /// dictionary.
    case array
    /// The JSON text that the structure's only field contains.
    case json
    /// Any JSON value. The value was encoded by a `Codable` type.
    case coded
  }

  /// The value of `Member.customWrite` for a skipped member: a field that is not written.
  static let skipped = -2

  /// A member of an object, or a case of an enumeration.
  struct Member {
    /// The node of the value. -1 if the member has no node: it is a nested object for paths of properties, or
    /// a case without associated values.
    var node: Int
    /// The member numbers of the nested members, if the member is a nested object for paths of properties.
    var members = 0..<0
    /// The index of the custom format's function in `customWrites`, -1 if there is none, or ``skipped``.
    var customWrite = -1
    let name: JSONNames.Name
    /// If several members have this name, the number of the first of them. Otherwise -1. The writer writes
    /// only the first of these members that is not nil.
    var sharedName = -1
    /// Whether the member is omitted if its value is nil.
    var omitsNil = false
    /// Whether the member is written without changes: it is not a nested object, not skipped, has no custom
    /// format, and is not the tag.
    var isPlain = true
    /// Whether the member is the first of a range of members that are sorted after they are written.
    var isSortedLater = false
    /// Whether the member is also the tag of the object.
    var isTag = false
    /// Whether the tag replaces this member if the member is nil and therefore omitted.
    var isTagForNil = false
    /// How the associated values of a case are written.
    var payload = Payload.fields
  }

  enum Payload {
    /// The fields of a structure.
    case fields
    /// The only associated value, which has no label.
    case single
    /// The only associated value, as the member `_0` of an object. Used if the JSON of the value can itself
    /// be an object with a member `_0`, which a reader would otherwise confuse with this object.
    case wrapped
  }

  /// The type tag of a plan's objects: the member that contains the name of the type.
  struct ObjectTag {
    let type: TypeTag
    let name: JSONNames.Name
    let text: JSONNames.Name
    /// A description of the class or structure that has the tag, for errors.
    let owner: String
    /// The properties whose JSON name is also the name of the tag: for each member number, the key of the
    /// property.
    let properties: [Int: String]
  }

  /// Creates the plan for the rows of a class, or, if `objects` is nil, for the rows of a value.
  init(
    _ rows: WrittenRows, _ notes: TypeNotes, of objects: RowWriter?, _ mappings: [PropertyMapping],
    _ rules: WritingRules, tag: TypeTag? = nil, isPartial: Bool = false
  ) throws {
    self.rows = rows
    self.objects = objects
    let records = try RecordMappings(
      rows.layout, notes, properties: mappings, of: objects?.type.archiveSchema.name ?? "", rules.mappings,
      rules.naming)
    var maker = WritingPlanBuilder(rows.layout, records, rules, tag: tag)
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

  /// Returns the name of a member, for the path of an error.
  func name(ofMember number: Int) -> String { names.text(of: members[number].name) }
}
