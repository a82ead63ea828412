import Arc
import ArcFormat
import ArcJSON

/// The mappings of the values in properties: the mappings of the fields of structures, the names of the cases
/// of enumerations, and the format of each column node. Readers and writers use the same mappings.
///
/// The mapping of a structure combines the attributes of its declaration, its ``ModelMapping``, and the
/// mapping that is set on the reader or writer. If none of these has a naming strategy, the strategy of the
/// reader or writer applies. An embedded structure uses the strategy of the enclosing class.
struct RecordMappings {
  /// The mappings of the fields of each structure, by the column node of the structure.
  private(set) var fields: [Int: [PropertyMapping]] = [:]
  /// The names of each case of each enumeration, by the column node of the enumeration. A writer writes the
  /// first name of a case; a reader accepts all names.
  private(set) var cases: [Int: [[String]]] = [:]
  /// The formats of the values, by node. Nil for the default format.
  private(set) var formats: [ValueFormat?]
  /// Whether each field has an initial value, by the node of the structure and the position of the field.
  private(set) var initialValues: [Int: [Bool]] = [:]
  /// The nodes whose values are `JSONValue`s.
  private(set) var jsonNodes: Set<Int> = []
  /// The nodes whose values are encoded by `Codable` types. The JSON of such a value is the encoded value.
  private(set) var codedNodes: Set<Int> = []
  /// The nodes of embedded structures, whose fields are members of the enclosing object.
  var embeddedNodes: Set<Int> { Set(namings.keys) }

  private let layout: ColumnLayout
  private let notes: TypeNotes
  /// The naming strategies of embedded structures, by node.
  private var namings: [Int: KeyNaming] = [:]
  /// The nodes in `codedNodes`, and the nodes nested in these nodes.
  private var nodesOfCodedValues: Set<Int> = []

  /// Collects the mappings of the values in columns.
  ///
  /// - Parameters:
  ///   - layout: the columns.
  ///   - notes: the declarations of the structures and enumerations in the columns, by their types.
  ///   - properties: the mappings of the properties, one for each root column; empty if the columns store a
  ///     value that is not an object.
  ///   - owner: the class, for errors.
  ///   - optionMappings: the mappings of the reader or writer, by type.
  ///   - naming: the naming strategy of the reader or writer.
  /// - Throws: `ArchiveError` with code `notArchivable` for an attribute that does not fit its property.
  init(
    _ layout: ColumnLayout, _ notes: TypeNotes, properties: [PropertyMapping], of owner: String,
    _ optionMappings: [ObjectIdentifier: JSONMapping], _ naming: KeyNaming
  ) throws {
    (self.layout, self.notes) = (layout, notes)
    formats = Array(repeating: nil, count: layout.nodes.count)
    for node in layout.nodes.indices where notes.records[node]?.isCodingTree ?? false {
      codedNodes.insert(node)
      nodesOfCodedValues.formUnion(layout.nodes(inside: node))
    }
    for (column, mapping) in properties.enumerated() {
      try set(mapping, ofNodes: layout.nodes(ofRoot: column), of: owner)
    }
    // Outer structures come before inner structures, so that the marks of inner structures have priority.
    for (node, description) in layout.nodes.enumerated() {
      if description.kind == .structure {
        try map(structure: node, notes.records[node], optionMappings, naming)
      } else if description.kind == .enumeration, let record = notes.records[node],
        !codedNodes.contains(node)
      {
        try map(enumeration: node, record, optionMappings, naming)
      }
    }
  }

  private mutating func map(
    structure node: Int, _ record: RecordNote?, _ optionMappings: [ObjectIdentifier: JSONMapping],
    _ naming: KeyNaming
  ) throws {
    let description = layout.nodes[node]
    if record?.type is ArchivedJSON.Type { jsonNodes.insert(node) }
    let owner = record?.type.__archiveName.text ?? description.name ?? ""
    let parts = record.flatMap { $0.parts.count == description.labels.count ? $0.parts : nil }
    var source = PropertyMapping.Source(named: owner, namings[node] ?? naming)
    if let record {
      let ofType = PropertyMapping.Source(ofValue: record.type, optionMappings, namings[node] ?? naming)
      source = record.isPayload ? PropertyMapping.Source(named: owner, ofType.effectiveNaming) : ofType
    }
    fields[node] = try description.labels.enumerated().map { position, label in
      guard !label.isEmpty else {
        return try PropertyMapping.Source(named: owner, .asDeclared).mapping(
          of: .init(name: "", key: "_\(position)", marks: [], isWeak: false))
      }
      let part = parts?[position] ?? RecordNote.Part(name: label)
      let mapping = try source.mapping(
        of: .init(name: part.name, key: label, marks: part.marks, isWeak: part.isWeak))
      if part.isWeak, mapping.rules.contains(.included) {
        throw Self.unsuitable(
          "'@JSONRule(.included)' for a weak property of a structure", "a weak property of a class",
          of: owner,
          label)
      }
      if mapping.rules.contains(.merged) {
        throw Self.unsuitable(
          "'@JSONRule(.merged)' for a field of a structure", "a property of a class", of: owner, label)
      }
      if mapping.format != nil || !mapping.rules.isDisjoint(with: [.embedded, .replaced]) {
        let child = description.children[position]
        guard child > node else {
          throw Self.unsuitable(
            "an attribute of a field whose values contain the structure",
            "the attribute at the property that contains the structure",
            of: owner,
            label)
        }
        try set(mapping, ofNodes: layout.nodes(inside: child), of: owner)
      }
      return mapping
    }
    let initial = description.labels.indices.map { parts?[$0].hasInitialValue ?? false }
    if initial.contains(true) { initialValues[node] = initial }
  }

  private mutating func map(
    enumeration node: Int, _ record: RecordNote, _ optionMappings: [ObjectIdentifier: JSONMapping],
    _ naming: KeyNaming
  ) throws {
    let owner = record.type.__archiveName.text
    let source = PropertyMapping.Source(ofValue: record.type, optionMappings, .asDeclared)
    guard source.mappings.allSatisfy(\.isForCases) else {
      throw Self.unsuitable(
        "rules, formats or exceptions for an enumeration", "only naming and paths", of: owner, nil)
    }
    let labels = layout.nodes[node].labels
    let isMarked = record.parts.contains { !$0.marks.isEmpty } || !source.mappings.isEmpty
    guard isMarked, record.parts.count == labels.count else { return }
    cases[node] = try zip(labels, record.parts).map { label, part in
      try source.mapping(of: .init(name: part.name, key: label, marks: part.marks, isWeak: false)).paths.map {
        guard let name = $0.name else {
          throw Self.unsuitable("the JSON path '\($0)' for a case", "a single name", of: owner, label)
        }
        return name
      }
    }
  }

  /// Applies the mapping of a property or field to the nodes of its values.
  private mutating func set(
    _ mapping: PropertyMapping, ofNodes nodes: Range<Int>, of owner: String
  ) throws {
    guard mapping.rules.isRead || mapping.rules.isWritten else { return }
    func check(_ isSuitable: Bool, _ found: String, _ expected: String) throws {
      if !isSuitable { throw Self.unsuitable(found, expected, of: owner, mapping.key) }
    }
    if mapping.rules.contains(.embedded) {
      let first = nodes.lowerBound
      let isOptional = layout.nodes[first].kind == .optional
      let node = isOptional ? layout.nodes[first].children[0] : first
      let description = layout.nodes[node]
      try check(
        description.kind == .structure && description.labels.allSatisfy { !$0.isEmpty }
          && !(notes.records[node]?.type is ArchivedJSON.Type),
        "'@JSONRule(.embedded)' for a property that is not a structure",
        "a structure with named fields, or an optional structure")
      try check(
        !isOptional || !mapping.rules.isWritten,
        "'@JSONRule(.embedded)' for an optional structure that is written",
        "a structure that is not optional, or also '@JSONRule(.readOnly)'")
      namings[node] = mapping.naming
    }
    if mapping.rules.contains(.merged) {
      let first = layout.nodes[nodes.lowerBound]
      let kind = first.kind == .optional ? layout.nodes[first.children[0]].kind : first.kind
      try check(
        kind == .array || kind == .set || kind == .dictionary,
        "'@JSONRule(.merged)' for a property that is not a collection", "an array, a set or a dictionary")
    }
    if mapping.rules.contains(.replaced) {
      let first = layout.nodes[nodes.lowerBound]
      let kind = first.kind == .optional ? layout.nodes[first.children[0]].kind : first.kind
      try check(
        kind == .structure || kind == .reference,
        "'@JSONRule(.replaced)' for a property whose values are always replaced", "a structure or an object")
    }
    guard let format = mapping.format else { return }
    let formatted = nodes.filter { !nodesOfCodedValues.contains($0) }
    let kinds = formatted.map { layout.nodes[$0].kind }
    switch format.kind {
    case .custom:
      return try check(
        !kinds.contains(.reference), "a custom format for a property with objects in its values",
        "a property whose values contain no objects")
    case .untagged:
      try check(
        !kinds.contains(.reference), "'@JSONFormat(.untagged)' for enumerations with objects in their values",
        "enumerations without objects, or '@JSONFormat(.tagged(by:))'")
      fallthrough
    case .tagged:
      try check(
        kinds.contains(.enumeration), "a format of enumerations for values without enumerations",
        "a property with enumerations")
    case .chosen:
      try check(
        kinds.contains(.reference), "a choice of types for values without objects",
        "a property of a class or of type 'any P', or a collection of such values")
    case .date:
      try check(
        kinds.contains(.date), "a format of dates for values without dates",
        formatted.count == nodes.count
          ? "a property with dates"
          : "'@JSONFormat(.custom(…))' for a value that its Codable conformance encodes"
      )
    }
    for node in formatted { formats[node] = format }
  }

  private static func unsuitable(
    _ found: String, _ expected: String, of owner: String, _ key: String?
  ) -> ArchiveError {
    ArchiveError(.notArchivable, found: found, expected: expected, className: owner, key: key)
  }
}

extension JSONMapping {
  /// Whether the mapping contains only options that apply to the cases of an enumeration.
  fileprivate var isForCases: Bool {
    rules.isEmpty && formats.isEmpty && only == nil && except.isEmpty
  }
}
