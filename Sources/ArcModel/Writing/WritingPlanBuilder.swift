import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

/// Collects the nodes and members of a writing plan.
struct WritingPlanBuilder {
  let layout: ColumnLayout
  let mappings: RecordMappings
  private let rules: WritingRules
  /// The type tag of the objects. Nil if the objects have no tag.
  let tag: TypeTag?
  var nodes: [WritingPlan.Node] = []
  var members: [WritingPlan.Member] = []
  var names: JSONNames
  private(set) var memberNames: [String] = []
  /// Whether members cannot simply be written one after another: some members have the same name, or the
  /// written members are sorted afterwards.
  private(set) var hasOrderedMembers = false
  /// The properties whose JSON name is also the name of the tag: for each member number, the key of the
  /// property.
  private(set) var tagProperties: [Int: String] = [:]
  var customWrites: [(JSONValue) throws -> JSONValue] = []

  init(_ layout: ColumnLayout, _ mappings: RecordMappings, _ rules: WritingRules, tag: TypeTag?) {
    self.tag = tag
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
      case .chosen, .custom, nil: break
      }
      return node
    }
  }

  /// Adds the properties of a class. Properties of superclasses come first.
  mutating func addMembers(of objects: RowWriter, _ mappings: [PropertyMapping]) throws -> Range<Int> {
    let owner = "class '\(objects.type)'"
    var members = MemberTree(tag: objects.isBox ? nil : tag)
    let slots = zip(objects.slots, mappings)
      .enumerated().sorted { ($1.element.0.level, $0.offset) < ($0.element.0.level, $1.offset) }
    for (_, (slot, mapping)) in slots {
      guard slot.isWritten else {
        try members.tag.map { try checkUnwritten(mapping, ofNode: slot.node, beside: $0, of: owner) }
        continue
      }
      try add(
        mapping, ofNode: slot.node, keepsInitialValue: slot.keepsInitialValue, to: &members, of: owner,
        className: objects.type.archiveSchema.name)
    }
    memberNames = members.names
    if rules.references.contains(.marked),
      let name = (memberNames + [tag?.name ?? ""]).first(where: ModelReferences.isMark)
    {
      throw ModelWritingError.duplicateName(name, of: owner)
    }
    return try add(members, of: owner)
  }

  /// Returns the fields in memory from which the object's members can be written directly. Returns an empty
  /// array if at least one member has no such field, or is not written unchanged.
  func fields(of objects: RowWriter?, _ range: Range<Int>) -> [MemberField] {
    guard let objects, !objects.isBox else { return [] }
    let locations = objects.fieldLocations
    let fields = members[range].compactMap { member -> MemberField? in
      guard member.isPlain, member.sharedName == -1,
        let slot = objects.slots.firstIndex(where: { $0.isWritten && $0.node == member.node })
      else { return nil }
      let field = locations[slot].flatMap { MemberField($0) }
      return rules.sortsKeys && field?.kind == .referencesByText ? nil : field
    }
    return fields.count == range.count ? fields : []
  }

  /// Adds a property of a class or a field of a structure to `members`.
  private mutating func add(
    _ mapping: PropertyMapping, ofNode node: Int, keepsInitialValue: Bool, to members: inout MemberTree,
    of owner: String, className: String
  ) throws {
    if mapping.rules.contains(.embedded) {
      return try addFields(ofStructure: node, to: &members, of: owner)
    }
    // A reader uses the initial value if the member is missing, and reads `null` as the innermost optional.
    let isNested =
      layout.nodes[node].kind == .optional
      && [.optional, .reference].contains(layout.nodes[layout.nodes[node].children[0]].kind)
    let omitsNil = rules.omitsNulls || !keepsInitialValue && (!rules.writesNulls || isNested)
    var leaf = MemberTree.Leaf(node: node, key: mapping.key, omitsNil: omitsNil)
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
    try members.tag.map { try check(leaf, mapping, beside: $0, of: owner) }
    try members.add(leaf, at: path, of: owner)
  }

  /// Adds the fields of a structure. A field that is not written is added as skipped.
  private mutating func addFields(ofStructure node: Int, to members: inout MemberTree, of owner: String)
    throws
  {
    let description = layout.nodes[node]
    if description.isRecursive { members.isRecursive = true }
    for (position, mapping) in (mappings.fields[node] ?? []).enumerated() {
      let child = description.children[position]
      guard mapping.rules.isWritten else {
        members.addSkipped(child)
        try members.tag.map { try checkUnwritten(mapping, ofNode: child, beside: $0, of: owner) }
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

  /// Adds the members of a tree to the plan. Returns the range of their member numbers.
  private mutating func add(
    _ tree: MemberTree, of owner: String, hasFixedOrder: Bool = false
  ) throws -> Range<Int> {
    let entries = hasFixedOrder || tree.isRecursive ? tree.entries : inOrder(tree.entries)
    // The depth of the recursion is the number of names in a path.
    let groups = try entries.map { entry in
      if case .group(let group) = entry.content { try add(group, of: owner) } else { 0..<0 }
    }
    let first = members.count
    for (entry, group) in zip(entries, groups) {
      var member = WritingPlan.Member(node: -1, name: names.add(entry.name))
      switch entry.content {
      case .group: member.members = group
      case .skipped(let node): (member.node, member.customWrite) = (node, WritingPlan.skipped)
      case .leaf(let leaf):
        (member.node, member.customWrite) = (leaf.node, leaf.customWrite)
        member.omitsNil = leaf.omitsNil && canBeNil(leaf.node)
      }
      member.isPlain = member.node >= 0 && member.customWrite == -1
      members.append(member)
    }
    if rules.sortsKeys, tree.isRecursive, !hasFixedOrder, first < members.count {
      members[first].isSortedLater = true
      hasOrderedMembers = true
    }
    joinNames(of: entries, from: first)
    if let tag = tree.tag { setTag(tag, in: entries, from: first) }
    return first..<members.count
  }

  /// Sets which members omit nil, if several members have the same name. All of these members except the last
  /// omit nil. The last member omits nil only if `Leaf.omitsNil` is true for all of them.
  private mutating func joinNames(of entries: [MemberTree.Entry], from first: Int) {
    var numbers: [ExactName: [(number: Int, leaf: MemberTree.Leaf)]] = [:]
    for (offset, entry) in entries.enumerated() {
      guard case .leaf(let leaf) = entry.content else { continue }
      numbers[ExactName(entry.name), default: []].append((first + offset, leaf))
    }
    for shared in numbers.values where shared.count > 1 {
      hasOrderedMembers = true
      let omitsNil = shared.allSatisfy { $0.leaf.omitsNil }
      for (position, (number, leaf)) in shared.enumerated() {
        members[number].sharedName = shared[0].number
        members[number].omitsNil =
          canBeNil(leaf.node) && (omitsNil || position < shared.count - 1)
      }
    }
  }

  /// Finds the properties whose JSON name is the name of the tag, and marks their members as the tag of the
  /// object.
  private mutating func setTag(_ tag: TypeTag, in entries: [MemberTree.Entry], from first: Int) {
    for (offset, entry) in entries.enumerated() {
      guard case .leaf(let leaf) = entry.content, entry.name.hasSameBytes(as: tag.name) else { continue }
      let number = first + offset
      tagProperties[number] = leaf.key
      members[number].isPlain = false
      members[number].isTag = true
    }
    tagProperties.keys.max().map { members[$0].isTagForNil = true }
  }

  func canBeNil(_ node: Int) -> Bool {
    let kind = layout.nodes[node].kind
    return kind == .optional || kind == .reference || kind == .weak
  }

  /// Returns members in the order in which they are written: sorted by name if the rules require it.
  private func inOrder(_ members: [MemberTree.Entry]) -> [MemberTree.Entry] {
    rules.sortsKeys
      ? members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : members
  }

  /// Adds the members of structures and the cases of enumerations. If the objects are boxes, which means that
  /// the JSON of an object is the value of its only property, `boxedNode` is the node of this property.
  /// Otherwise, `boxedNode` is nil.
  mutating func addNodes(boxedNode: Int?) throws {
    for (index, node) in layout.nodes.enumerated() {
      switch node.kind {
      case .structure:
        if mappings.jsonNodes.contains(index) {
          nodes[index].form = .json
        } else if !node.labels.isEmpty, node.labels.allSatisfy(\.isEmpty) {
          nodes[index].form = .array
        }
        var members = MemberTree(tag: index == boxedNode ? tag : nil)
        let owner = "'\(node.name ?? "a value")'"
        try addFields(ofStructure: index, to: &members, of: owner)
        if node.isRecursive { try checkRecursion(of: members, of: owner) }
        nodes[index].members = try add(members, of: owner, hasFixedOrder: nodes[index].form != .plain)
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
}

extension ColumnKind {
  /// Whether dictionary keys of this kind are written as names of members. A dictionary with other keys is
  /// written as an array of pairs.
  fileprivate var isNameable: Bool {
    switch self {
    case .url, .optional, .array, .set, .dictionary, .structure, .enumeration, .reference, .weak: false
    default: true
    }
  }
}
