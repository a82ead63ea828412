import Arc
import ArcFormat
import ArcJSON

/// Collects the nodes and members of a plan.
struct PlanMaker {
  private let layout: ColumnLayout
  private let mappings: RecordMappings
  private let rules: WritingRules
  var nodes: [WritingPlan.Node] = []
  var members: [WritingPlan.Member] = []
  var names: JSONNames
  /// The names of the object's own members.
  private(set) var memberNames: [String] = []
  var customWrites: [(JSONValue) throws -> JSONValue] = []

  init(_ layout: ColumnLayout, _ mappings: RecordMappings, _ rules: WritingRules) {
    self.layout = layout
    self.mappings = mappings
    self.rules = rules
    names = JSONNames(isPretty: rules.isPretty, escaping: rules.escaping)
    nodes = layout.nodes.enumerated().map { index, description in
      var node = WritingPlan.Node(
        kind: description.kind, firstChild: description.children.first ?? -1,
        secondChild: description.children.count > 1 ? description.children[1] : -1)
      switch mappings.formats[index]?.kind {
      case .date(let format): node.dateFormat = format
      case .untagged: node.isUntagged = true
      case .tagged(let name): if description.kind == .enumeration { node.tag = names.add(name) }
      case .chosen(let choice):
        if description.kind == .reference, choice.tag != nil { node.isChosen = true }
      case .custom, nil: break
      }
      return node
    }
  }

  /// Adds the properties of a class, those of superclasses first.
  mutating func addMembers(of objects: RowWriter, _ mappings: [PropertyMapping]) throws -> Range<Int> {
    let owner = "class '\(objects.type)'"
    var members = MemberTree()
    let slots = zip(objects.slots, mappings)
      .enumerated().sorted { ($1.element.0.level, $0.offset) < ($0.element.0.level, $1.offset) }
    for (_, (slot, mapping)) in slots where slot.isWritten {
      try add(
        mapping, ofNode: slot.node, keepsInitialValue: slot.keepsInitialValue, to: &members, of: owner,
        className: objects.type.archiveSchema.name)
    }
    memberNames = members.entries.map(\.name)
    if rules.references.contains(.marked), let name = memberNames.first(where: ModelReferences.isMark) {
      throw ModelWritingError.duplicateName(name, of: owner)
    }
    return try add(members, of: owner)
  }

  /// Where members of the object are in its memory; none unless each is there, and is written as it is.
  func fields(of objects: RowWriter?, _ range: Range<Int>) -> [MemberField] {
    guard let objects, !objects.isBox else { return [] }
    let places = objects.fieldPlaces
    let fields = members[range].compactMap { member -> MemberField? in
      guard member.customWrite == -1,
        let slot = objects.slots.firstIndex(where: { $0.isWritten && $0.node == member.node })
      else { return nil }
      let field = places[slot].flatMap { MemberField($0) }
      return rules.sortsKeys && field?.kind == .referencesByText ? nil : field
    }
    return fields.count == range.count ? fields : []
  }

  /// Adds a property or field to the members of the object that it is in.
  private mutating func add(
    _ mapping: PropertyMapping, ofNode node: Int, keepsInitialValue: Bool, to members: inout MemberTree,
    of owner: String, className: String
  ) throws {
    if mapping.rules.contains(.embedded) {
      return try addFields(ofStructure: node, to: &members, of: owner)
    }
    // A reader would take a missing member for the initial value.
    // And of several nested optionals, null for the innermost one.
    let isNested =
      layout.nodes[node].kind == .optional && layout.nodes[node].children[0] > node
      && layout.nodes[layout.nodes[node].children[0]].kind == .optional
    let leavesOutNil = rules.omitsNulls || !keepsInitialValue && (!rules.writesNulls || isNested)
    var leaf = MemberTree.Leaf(node: node, leavesOutNil: leavesOutNil)
    if case .custom(_, let write)? = mapping.format?.kind {
      leaf.customWrite = customWrites.count
      customWrites.append(write)
    }
    let path = try mapping.paths[0].steps.map { step in
      if case .member(let name) = step { return name }
      throw ArchiveError(
        .notArchivable,
        found: "the JSON path '\(mapping.paths[0])' with an index, for a property that is written to JSON",
        expected: "a path of names, such as 'author.name'",
        remedy: "state a path of names before this path, or mark the property with '@JSONRule(.readOnly)'",
        className: className, key: mapping.key)
    }
    try members.add(leaf, at: path, of: owner, isExplicit: mapping.isExplicit)
  }

  /// Adds the fields of a structure. Those that are not written are passed over in their place.
  private mutating func addFields(ofStructure node: Int, to members: inout MemberTree, of owner: String)
    throws
  {
    let description = layout.nodes[node]
    for (position, mapping) in (mappings.fields[node] ?? []).enumerated() {
      let child = description.children[position]
      guard mapping.rules.isWritten else {
        members.addSkipped(child)
        continue
      }
      if description.isRecursive, mapping.paths[0].steps.count > 1 {
        throw ArchiveError(
          .notArchivable, found: "the JSON path '\(mapping.paths[0])' in a structure that contains itself",
          expected: "a JSON path of one name", className: description.name, key: mapping.key)
      }
      try add(
        mapping, ofNode: child, keepsInitialValue: mappings.initialValues[node]?[position] ?? false,
        to: &members, of: owner, className: description.name ?? "")
    }
  }

  /// Adds members with those inside of them.
  private mutating func add(
    _ tree: MemberTree, of owner: String, keepsOrder: Bool = false
  ) throws -> Range<Int> {
    let entries = keepsOrder ? tree.entries : inOrder(tree.entries) { $0.name }
    // Recursive over the names in a path.
    let groups = try entries.map { entry in
      if case .group(let group) = entry.content { try add(group, of: owner) } else { 0..<0 }
    }
    let leaves = entries.map { entry in
      if case .leaf(let leaf) = entry.content { leaf } else { MemberTree.Leaf(node: -1, leavesOutNil: false) }
    }
    let range = try add(zip(entries, leaves).map { ($0.name, $1.node, $1.leavesOutNil) })
    for (number, (group, leaf)) in zip(range, zip(groups, leaves)) {
      members[number].members = group
      members[number].customWrite = leaf.customWrite
    }
    return range
  }

  /// Members in the order in which they are written.
  private func inOrder<Member>(_ members: [Member], _ name: (Member) -> String) -> [Member] {
    rules.sortsKeys ? members.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) } : members
  }

  mutating func addNodes() throws {
    for (index, node) in layout.nodes.enumerated() {
      switch node.kind {
      case .structure:
        if mappings.jsonNodes.contains(index) {
          nodes[index].form = .json
        } else if !node.labels.isEmpty, node.labels.allSatisfy(\.isEmpty) {
          nodes[index].form = .array
        }
        // Fields that share columns are written in the order of these, and sorted then.
        nodes[index].isSortedLater = rules.sortsKeys && node.isRecursive && nodes[index].form == .plain
        var members = MemberTree()
        let owner = "'\(node.name ?? "a value")'"
        try addFields(ofStructure: index, to: &members, of: owner)
        nodes[index].members = try add(
          members, of: owner, keepsOrder: nodes[index].form != .plain || node.isRecursive)
      case .enumeration:
        addCases(of: node, at: index)
        if mappings.codedNodes.contains(index) { nodes[index].form = .coded }
      case .dictionary:
        if !layout.nodes[node.children[0]].kind.isNameable { nodes[index].form = .array }
      default: break
      }
    }
    for (index, node) in nodes.enumerated() {
      guard let tag = node.tag else { continue }
      for number in node.members { try checkNames(ofCase: number, beside: tag, of: layout.nodes[index]) }
    }
  }

  /// Throws if associated values, which are beside the name of their case, have a member of that one's name.
  private func checkNames(
    ofCase number: Int, beside tag: JSONNames.Name, of owner: ColumnLayout.Node
  ) throws {
    let node = members[number].node
    guard node >= 0 else { return }
    let field = members[number].payload == .fields ? node : nodes[node].firstChild
    let name = names.text(of: tag)
    for member in nodes[field].members where nodes[field].kind == .structure {
      if members[member].customWrite != WritingPlan.skipped, names.text(of: members[member].name) == name {
        throw ModelWritingError.duplicateName(name, of: "'\(owner.name ?? "an enumeration")'")
      }
    }
  }

  private mutating func add(_ sorted: [(name: String, node: Int, leavesOutNil: Bool)]) throws -> Range<Int> {
    let first = members.count
    for member in sorted {
      let kind = member.node >= 0 ? layout.nodes[member.node].kind : .structure
      let canBeNil = kind == .optional || kind == .reference || kind == .weak
      members.append(
        WritingPlan.Member(
          node: member.node, name: names.add(member.name), leavesOutNil: member.leavesOutNil && canBeNil))
    }
    return first..<members.count
  }

  private mutating func addCases(of node: ColumnLayout.Node, at index: Int) {
    let first = members.count
    let labels = mappings.cases[index]?.map { $0[0] } ?? node.labels
    for (label, payload) in zip(labels, node.payloads) {
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
    case .enumeration where mappings.codedNodes.contains(index): return true
    case .enumeration: return mappings.cases[index]?.contains { $0[0] == "_0" } ?? node.labels.contains("_0")
    case .structure:
      if mappings.jsonNodes.contains(index) { return true }
      guard node.labels.contains(where: { !$0.isEmpty }) else { return false }
      return (mappings.fields[index] ?? []).contains {
        $0.paths[0].firstName == "_0" || $0.rules.contains(.embedded)
      }
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
