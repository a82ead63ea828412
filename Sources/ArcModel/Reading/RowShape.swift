import Arc
import ArcFormat
import ArcJSON

/// The instructions for filling each node of a row. They do not depend on the JSON text.
final class RowShape {
  let row: InputRow
  let columns: RowColumns
  let nodes: [Node]
  /// The full descriptions of the nodes, which are used less often than `nodes`.
  let descriptions: [ColumnLayout.Node]
  /// The names of the cases, by node of an enumeration.
  let names: [[String]]
  /// All names of each case, by node. Contains only enumerations in which a case has several names.
  let otherCaseNames: [Int: [[String]]]
  /// How structures are built, by node.
  let structures: [StructurePlan?]
  /// How `Codable` values are filled, by node.
  let codedPlans: [CodedPlan?]
  /// Whether the reader reports members that no field reads.
  let reportsUnknownKeys: Bool
  /// Whether arrays can have an `$id`. An array with an `$id` is the member `$values` of an object.
  let hasMarkedArrays: Bool
  /// A description of what the reader expects instead of an unknown member, for issues.
  let expectedForUnknownKeys: String
  let limits: JSONLimits
  /// Functions that throw if the type of a node refuses a value, by node.
  let checks: [Int: TypeNotes.Check]
  /// Functions that read elements of sets and keys of dictionaries, by node, to detect repetitions. Empty if
  /// the shape does not check values.
  let keyReaders: [Int: TypeNotes.KeyReader]
  /// The JSON formats of the values, by node. Nil for a node with the default format.
  let formats: [ValueFormat?]
  /// Whether the reader is lenient: it skips invalid values, and converts values to the expected types.
  let isLenient: Bool
  /// The number of this shape's first node. The nodes of all shapes of the reader are numbered together.
  var firstNumber = 0

  /// The facts about a node that are used for each value that is filled. The type contains no references, so
  /// copying it retains nothing.
  struct Node {
    let kind: ColumnKind
    /// Whether the kind of the node alone determines how the node is filled. True if its values contain no
    /// other values, and no type checks them.
    var isPlain: Bool
    /// Whether a value of the node can contain another value of this node.
    let canContainItself: Bool
    /// Whether values are checked by their type.
    var isChecked: Bool
    /// Whether the values contain references.
    let holdsReferences: Bool
    /// Whether the node is a reference to objects that are built from JSON objects.
    let buildsObjects: Bool
    /// Whether the node is a reference that must not be nil.
    let refusesNull: Bool
    /// Whether the node has no nested nodes, so that each stored element is a complete value.
    let isLeaf: Bool
    /// The first nested node, or 0 if there is none.
    let child: Int
    /// The second nested node, or 0 if there is none.
    let secondChild: Int
  }

  /// Creates the shape of the columns of a value or of a class's properties.
  ///
  /// - Throws: `ArchiveError` if an attribute of a property does not fit the property's type.
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
    if isLenient { row.set.omitNilReferences() }
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
        // A structure without fields and an enumeration without associated values also have no nested nodes.
        isPlain: node.children.isEmpty && !isChecked && node.kind != .enumeration && node.kind != .structure,
        canContainItself: node.canContainItself, isChecked: isChecked,
        holdsReferences: holdsReferences[index],
        buildsObjects: node.kind == .reference
          && (columns.reachedClass(ofNode: index) != nil || mappings.formats[index] != nil),
        refusesNull: node.kind == .reference && !columns.nodesThatTakeNil.contains(index),
        isLeaf: node.children.isEmpty, child: node.children.first ?? 0,
        secondChild: node.children.dropFirst().first ?? 0)
    }
    self.nodes = nodes
  }

  /// Creates a copy of a shape that checks each value with its type.
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

  /// Returns the rule that chooses the type of referenced objects by a tag. Nil if all objects have the
  /// declared class.
  func choice(ofReference node: Int) -> TypeChoice? {
    if case .chosen(let choice)? = formats[node]?.kind { choice } else { nil }
  }

  /// Returns the format of a node's dates. Nil if they have the default format.
  func dateFormat(ofNode node: Int) -> ValueFormat.DateFormat? {
    if case .date(let format)? = formats[node]?.kind { format } else { nil }
  }

  /// Returns the class of the objects that a reference refers to. Nil if no objects are built for the
  /// reference.
  func type(ofReference node: Int) -> (any Archivable.Type)? { columns.reachedClass(ofNode: node) }

  /// Whether an update of a structure keeps the fields for which a JSON object has no members.
  ///
  /// A structure that contains values of its own type is replaced as a whole, because a row stores the fields
  /// of outer and inner values together.
  func keepsFields(_ node: Int) -> Bool {
    if nodes[node].kind == .optional {
      return !nodes[node].canContainItself && keepsFields(nodes[node].child)
    }
    return structures[node].map { !$0.isJSON && !nodes[node].canContainItself } ?? false
  }

  /// Returns the paths of the members that a structure reads.
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
