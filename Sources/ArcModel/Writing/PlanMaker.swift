import Arc
import ArcFormat
import ArcJSON

/// Collects the nodes and members of a plan.
struct PlanMaker {
  private let layout: ColumnLayout
  private let rules: WritingRules
  var nodes: [WritingPlan.Node] = []
  var members: [WritingPlan.Member] = []
  var names: JSONNames
  var customWrites: [(JSONValue) throws -> JSONValue] = []

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
  mutating func addMembers(of objects: RowWriter, _ mappings: [PropertyMapping]) throws -> Range<Int> {
    let owner = "class '\(objects.type)'"
    var members = MemberTree()
    let slots = zip(objects.slots, mappings).enumerated()
      .sorted { ($1.element.0.level, $0.offset) < ($0.element.0.level, $1.offset) }
    for (position, (slot, mapping)) in slots where slot.isWritten {
      let leavesOutNil =
        switch rules.nulls {
        case .whereNeeded: !slot.keepsInitialValue
        case .omitted: true
        case .written: false
        }
      try setFormat(mapping.format, ofNodes: layout.nodes(ofRoot: position), of: owner)
      if mapping.rules.contains(.embedded) {
        for (name, node) in try fields(ofEmbedded: slot, objects) {
          try members.add(
            .init(node: node, leavesOutNil: rules.nulls != .written), at: [name], of: owner, isExplicit: false
          )
        }
        continue
      }
      var leaf = MemberTree.Leaf(node: slot.node, leavesOutNil: leavesOutNil)
      if case .custom(_, let write)? = mapping.format?.kind {
        leaf.customWrite = customWrites.count
        customWrites.append(write)
      }
      try members.add(
        leaf, at: try names(in: mapping, slot, objects), of: owner, isExplicit: mapping.isExplicit)
    }
    return try add(members, of: owner)
  }

  /// Notes how the values of a property are written.
  private mutating func setFormat(_ format: ValueFormat?, ofNodes range: Range<Int>, of owner: String) throws
  {
    switch format?.kind {
    case .date(let format): for node in range { nodes[node].dateFormat = format }
    case .untagged: for node in range { nodes[node].isUntagged = true }
    case .tagged(let name):
      for node in range where layout.nodes[node].kind == .enumeration {
        nodes[node].tag = names.add(name)
        let values = layout.nodes[node].children
        let fields =
          values + values.flatMap { layout.nodes[$0].labels == [""] ? layout.nodes[$0].children : [] }
        if fields.contains(where: { layout.nodes[$0].labels.contains { rules.naming.name($0) == name } }) {
          throw duplicate(name, of: owner)
        }
      }
    case .custom, nil: break
    }
  }

  private func duplicate(_ name: String, of owner: String) -> ModelWritingError {
    ModelWritingError(
      code: .duplicateName, path: "",
      found: "two members '\(printableName(name))' of \(printableName(owner))",
      expected: "one of each name", remedy: "give one property another key with @Key(\"…\")")
  }

  /// The names of members that lead to where a property is written.
  private func names(
    in mapping: PropertyMapping, _ slot: RowWriter.Slot, _ objects: RowWriter
  ) throws -> [String] {
    try mapping.paths[0].steps.map { step in
      if case .member(let name) = step { return name }
      throw ArchiveError(
        .notArchivable, found: "the JSON path '\(mapping.paths[0])' for a property that is written",
        expected: "a path of names alone", remedy: "put one first, or mark the property '@JSON(.readOnly)'",
        className: objects.type.archiveSchema.name, key: slot.key)
    }
  }

  /// The members of a structure that are members of the object.
  private func fields(
    ofEmbedded slot: RowWriter.Slot, _ objects: RowWriter
  ) throws -> [(name: String, node: Int)] {
    let node = layout.nodes[slot.node]
    guard node.kind == .structure, node.labels.allSatisfy({ !$0.isEmpty }) else {
      throw ArchiveError(
        .notArchivable, found: "'@JSON(.embedded)' for a property that is no structure",
        expected: "a structure with named fields; an optional one can be read alone",
        remedy: "mark it '@JSON(.readOnly)' as well", className: objects.type.archiveSchema.name,
        key: slot.key)
    }
    return zip(node.labels.map(rules.naming.name), node.children).map { ($0, $1) }
  }

  /// Adds members with those inside of them.
  private mutating func add(_ tree: MemberTree, of owner: String) throws -> Range<Int> {
    // Recursive over the names in a path.
    let groups = try tree.entries.map { entry in
      if case .group(let group) = entry.content { try add(group, of: owner) } else { 0..<0 }
    }
    let leaves = tree.entries.map { entry in
      if case .leaf(let leaf) = entry.content { leaf } else { MemberTree.Leaf(node: -1, leavesOutNil: false) }
    }
    let range = try add(
      zip(tree.entries, leaves).map { ($0.name, $1.node, $1.leavesOutNil) }, of: owner)
    for (number, position) in zip(range, order(of: tree.entries.map(\.name))) {
      members[number].members = groups[position]
      members[number].customWrite = leaves[position].customWrite
    }
    return range
  }

  /// The positions of names in the order in which they are written.
  private func order(of names: [String]) -> [Int] {
    guard rules.sortsKeys else { return Array(names.indices) }
    return names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
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
        throw duplicate(member.name, of: owner)
      }
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
