import Arc
import ArcFormat
import ArcJSON

/// What is known of the values of a row, whatever text they come from: how each node is filled.
final class RowShape {
  let row: InputRow
  let columns: RowColumns
  let nodes: [Node]
  /// What is asked of nodes less often.
  let descriptions: [ColumnLayout.Node]
  /// The names of cases by node, for enumerations.
  let names: [[String]]
  /// All names of the cases of enumerations where they have several, by node.
  let otherCaseNames: [Int: [[String]]]
  /// How structures are made, by node.
  let structures: [StructurePlan?]
  /// How what `Codable` values decode is filled, by node.
  let codedPlans: [CodedPlan?]
  /// Whether members that no field is read from are issues.
  let reportsUnknownKeys: Bool
  /// Whether arrays can have `$id`: they are then the member `$values` of an object.
  let hasMarkedArrays: Bool
  /// The words for what an issue of such a member expects.
  let expectedForUnknownKeys: String
  let limits: JSONLimits
  /// What throws for a value that its type refuses, of nodes that are checked.
  let checks: [Int: TypeNotes.Check]
  /// What reads elements of sets and keys of dictionaries, by the nodes of these, where they are compared.
  let keyReaders: [Int: TypeNotes.KeyReader]
  /// How values are written, by node; nil for the default.
  let formats: [ValueFormat?]
  /// Whether what says the same is converted, and what cannot be read is passed over.
  let isLenient: Bool
  /// The number of its first node among those of all shapes of a reader.
  var firstNumber = 0

  /// What filling asks of a node, for each value: nothing that would have to be retained.
  struct Node {
    let kind: ColumnKind
    /// Whether it is filled by its kind alone: no value can be inside of another one, and none is checked.
    var isPlain: Bool
    /// Whether a value can contain a value of the same node.
    let isMentioned: Bool
    /// Whether values are checked by their type.
    var isChecked: Bool
    /// Whether there are references in its values.
    let holdsReferences: Bool
    /// Whether it is a reference for which objects are made.
    let leadsToObjects: Bool
    /// Whether it is a reference that must lead to an object.
    let refusesNull: Bool
    /// Whether it has no nested nodes: what is appended is a value.
    let isLeaf: Bool
    /// The first nested nodes, 0 for none.
    let child: Int
    let secondChild: Int
  }

  /// The shape of some columns, the properties of a class or a value.
  ///
  /// - Throws: `ArchiveError` for marks that do not fit the types.
  init(
    _ columns: RowColumns, _ rules: ReadingRules, properties: [PropertyMapping] = [], of owner: String = ""
  ) throws {
    let mappings = try RecordMappings(
      columns.row.layout, columns.notesOfRecords, properties: properties, of: owner, rules.mappings,
      rules.naming)
    formats = mappings.formats
    limits = rules.limits
    isLenient = rules.isLenient
    self.columns = columns
    row = columns.row
    checks = columns.rawValueChecks
    keyReaders = [:]
    if isLenient { row.set.leaveOutNil() }
    descriptions = row.layout.nodes
    names = descriptions.enumerated().map { node, description in
      mappings.cases[node]?.map { $0[0] } ?? description.labels
    }
    otherCaseNames = mappings.cases
    structures = descriptions.enumerated().map { node, description in
      mappings.fields[node].map {
        StructurePlan(
          description, $0, initialValues: mappings.initialValues[node],
          isJSON: mappings.jsonNodes.contains(node), isEmbedded: mappings.embeddedNodes.contains(node))
      }
    }
    codedPlans = descriptions.indices.map { [descriptions] node in
      mappings.codedNodes.contains(node) ? CodedPlan(node, in: descriptions) : nil
    }
    reportsUnknownKeys = rules.reportsUnknownKeys
    hasMarkedArrays = rules.references.contains(.marked)
    expectedForUnknownKeys = rules.expectedForUnknownKeys
    row.trackFields(mappings.initialValues)
    let holdsReferences = row.layout.nodesThatContainReferences()
    let nodes = descriptions.enumerated().map { index, node in
      let isChecked = columns.rawValueChecks[index] != nil
      return Node(
        kind: node.kind,
        // A structure without fields and an enumeration without values have no nested nodes either.
        isPlain: node.children.isEmpty && !isChecked && node.kind != .enumeration && node.kind != .structure,
        isMentioned: node.isMentioned, isChecked: isChecked, holdsReferences: holdsReferences[index],
        leadsToObjects: node.kind == .reference
          && (columns.reachedClass(ofNode: index) != nil || mappings.formats[index] != nil),
        refusesNull: node.kind == .reference && !columns.nodesThatTakeNil.contains(index),
        isLeaf: node.children.isEmpty, child: node.children.first ?? 0,
        secondChild: node.children.dropFirst().first ?? 0)
    }
    self.nodes = nodes
  }

  /// The same shape, with each value checked by its type.
  init(checking other: RowShape) {
    let notes = other.columns.notes
    (row, columns, descriptions) = (other.row, other.columns, other.descriptions)
    (names, formats, otherCaseNames) = (other.names, other.formats, other.otherCaseNames)
    (structures, limits, isLenient) = (other.structures, other.limits, other.isLenient)
    (codedPlans, reportsUnknownKeys) = (other.codedPlans, other.reportsUnknownKeys)
    (expectedForUnknownKeys, hasMarkedArrays) = (other.expectedForUnknownKeys, other.hasMarkedArrays)
    (checks, keyReaders) = (notes.checks.merging(other.checks) { $1 }, notes.keys)
    nodes = other.nodes.enumerated().map { index, node in
      var node = node
      if notes.checks[index] != nil { (node.isChecked, node.isPlain) = (true, false) }
      return node
    }
  }

  /// What tells the type of the objects that references of a node refer to; nil if their declaration does.
  func choice(ofReference node: Int) -> TypeChoice? {
    if case .chosen(let choice)? = formats[node]?.kind { choice } else { nil }
  }

  /// The format of the dates of a node; nil for the default.
  func dateFormat(ofNode node: Int) -> ValueFormat.DateFormat? {
    if case .date(let format)? = formats[node]?.kind { format } else { nil }
  }

  /// Appends nil to a node for a value that is missing. Returns false if the value cannot be nil.
  func fillNil(_ node: Int) -> Bool {
    guard let place = codedPlans[node]?["null"] else { return fillNothing(node) }
    row.append(place.position, to: node)
    return true
  }

  /// Appends to a node that there is no value. Returns false if there must be one.
  func fillNothing(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .optional: row.append(bit: false, to: node)
    case .reference where nodes[node].refusesNull: return false
    case .reference, .weak: row.append(UInt32(0), to: node)
    default: return false
    }
    return true
  }

  /// The class of the objects that are made for references; nil if none are.
  func type(ofReference node: Int) -> (any Archivable.Type)? { columns.reachedClass(ofNode: node) }

  /// Whether an update keeps fields of the structure in a node: those that a JSON object has no members for.
  ///
  /// A structure that contains values of its own type is replaced, because rows do not separate the outer
  /// value's fields from the inner values' fields.
  func keepsFields(_ node: Int) -> Bool {
    if nodes[node].kind == .optional { return !nodes[node].isMentioned && keepsFields(nodes[node].child) }
    return structures[node].map { !$0.isJSON && !nodes[node].isMentioned } ?? false
  }

  /// The paths of the members that are read for a structure in a node.
  func memberPaths(_ node: Int) -> [JSONPath] {
    if nodes[node].kind == .optional { return memberPaths(nodes[node].child) }
    return structures[node].map { plan in
      plan.fields.flatMap { field -> [JSONPath] in
        if !field.rules.isRead { return [] }
        if field.rules.contains(.embedded) { return memberPaths(field.node) }
        return field.paths
      }
    } ?? []
  }
}
