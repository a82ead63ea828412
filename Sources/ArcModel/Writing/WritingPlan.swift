import Arc
import ArcFormat
import ArcJSON

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
  /// The names of members.
  let names: JSONNames
  /// The node of the value for which an object stands; nil if it stands for itself.
  let boxedNode: Int?
  /// Whether an object has a member named `_0`, as associated values without a name have.
  let hasMemberZero: Bool

  /// What a node's values become.
  struct Node {
    let kind: ColumnKind
    var form = Form.plain
    let firstChild: Int
    let secondChild: Int
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
  }

  /// A member, or a case.
  struct Member {
    /// The node of its value; -1 for a case without associated values.
    let node: Int
    let name: JSONNames.Name
    /// Whether it can be nil and is left out then.
    var leavesOutNil = false
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

  /// Plans the rows of a class, or those of a value for nil.
  init(_ rows: WrittenRows, of objects: RowWriter?, _ rules: WritingRules) throws {
    self.rows = rows
    self.objects = objects
    var maker = PlanMaker(rows.layout, rules)
    objectMembers = try objects.map { try maker.addMembers(of: $0) } ?? 0..<0
    try maker.addNodes()
    boxedNode = objects.flatMap { $0.isBox ? $0.slots.first?.node : nil }
    hasMemberZero = objects.map { $0.slots.contains { rules.naming.name($0.key) == "_0" } } ?? false
    nodes = HandleBuffer(maker.nodes)
    members = HandleBuffer(maker.members)
    names = maker.names
  }

  deinit {
    nodes.free()
    members.free()
  }

  /// The step to a member, for errors.
  func name(ofMember number: Int) -> String { names.text(of: members[number].name) }
}

/// Collects the nodes and members of a plan.
private struct PlanMaker {
  private let layout: ColumnLayout
  private let rules: WritingRules
  var nodes: [WritingPlan.Node] = []
  var members: [WritingPlan.Member] = []
  var names: JSONNames

  init(_ layout: ColumnLayout, _ rules: WritingRules) {
    self.layout = layout
    self.rules = rules
    names = JSONNames(isPretty: rules.isPretty, escaping: rules.escaping)
    nodes = layout.nodes.map { node in
      WritingPlan.Node(
        kind: node.kind, firstChild: node.children.first ?? -1,
        secondChild: node.children.count > 1 ? node.children[1] : -1)
    }
  }

  /// Adds the properties of a class, those of superclasses first.
  mutating func addMembers(of objects: RowWriter) throws -> Range<Int> {
    let slots = objects.slots.enumerated()
      .sorted { ($1.element.level, $0.offset) < ($0.element.level, $1.offset) }.map(\.element)
      .filter(\.isWritten)
    return try add(
      slots.map { slot in
        let leavesOutNil =
          switch rules.nulls {
          case .whereNeeded: !slot.keepsInitialValue
          case .omitted: true
          case .written: false
          }
        return (rules.naming.name(slot.key), slot.node, leavesOutNil)
      }, of: "class '\(objects.type)'")
  }

  mutating func addNodes() throws {
    for (index, node) in layout.nodes.enumerated() {
      switch node.kind {
      case .structure:
        if !node.labels.isEmpty, node.labels.allSatisfy(\.isEmpty) { nodes[index].form = .array }
        let labels = node.labels.enumerated().map { position, label in
          let name = rules.naming.name(label)
          return name.isEmpty ? "_\(position)" : name
        }
        nodes[index].members = try add(
          zip(labels, node.children).map { ($0, $1, rules.nulls != .written) },
          of: "'\(node.name ?? "a value")'", keepsOrder: nodes[index].form == .array)
      case .enumeration: addCases(of: node, at: index)
      case .dictionary:
        if !layout.nodes[node.children[0]].kind.isNameable { nodes[index].form = .array }
      default: break
      }
    }
  }

  private mutating func add(
    _ named: [(name: String, node: Int, leavesOutNil: Bool)], of owner: String, keepsOrder: Bool = false
  ) throws -> Range<Int> {
    let sorted =
      rules.sortsKeys && !keepsOrder
      ? named.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : named
    var known: Set<[UInt8]> = []
    let first = members.count
    for member in sorted {
      guard known.insert(Array(member.name.utf8)).inserted else {
        throw ModelWritingError(
          code: .duplicateName, path: "",
          found: "two members '\(printableName(member.name))' of \(printableName(owner))",
          expected: "one of each name", remedy: "give one property another key with @Key(\"…\")")
      }
      let kind = layout.nodes[member.node].kind
      let canBeNil = kind == .optional || kind == .reference || kind == .weak
      members.append(
        WritingPlan.Member(
          node: member.node, name: names.add(member.name), leavesOutNil: member.leavesOutNil && canBeNil))
    }
    return first..<members.count
  }

  private mutating func addCases(of node: ColumnLayout.Node, at index: Int) {
    let first = members.count
    for (label, payload) in zip(node.labels, node.payloads) {
      let child = payload.map { node.children[$0] }
      members.append(
        WritingPlan.Member(
          node: child ?? -1, name: names.add(label), payload: child.map(form(ofPayload:)) ?? .fields))
    }
    nodes[index].members = first..<members.count
  }

  private func form(ofPayload index: Int) -> WritingPlan.Payload {
    let node = layout.nodes[index]
    guard node.kind == .structure, node.labels == [""] else { return .fields }
    return mayHaveMemberZero(node.children[0]) ? .wrapped : .single
  }

  /// Whether the JSON of a value may be an object with a member `_0`. Of objects their plans say it.
  private func mayHaveMemberZero(_ index: Int) -> Bool {
    let node = layout.nodes[index]
    switch node.kind {
    case .optional: return mayHaveMemberZero(node.children[0])
    case .dictionary: return layout.nodes[node.children[0]].kind == .string
    case .enumeration: return node.labels.contains("_0")
    case .structure:
      return node.labels.contains { rules.naming.name($0) == "_0" }
        || node.labels.first == "" && node.labels.contains { !$0.isEmpty }
    default: return false
    }
  }
}

extension ColumnKind {
  /// Whether the values of keys are names of members; others are in pairs with theirs.
  fileprivate var isNameable: Bool {
    switch self {
    case .url, .optional, .array, .set, .dictionary, .structure, .enumeration, .reference, .weak: false
    default: true
    }
  }
}
