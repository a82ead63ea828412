import Arc
import ArcFormat
import ArcJSON

/// Fills a row with JSON values, as its columns want them.
///
/// Recursive over values; the objects that these refer to are built before.
final class RowFiller {
  let row: FilledRow
  let nodes: [Node]
  /// The number of its first node among those of all fillers of a reading.
  let number: Int
  /// What is asked of nodes less often.
  let descriptions: [ColumnLayout.Node]
  /// The names of members by node, for structures and enumerations.
  let names: [[String]]
  /// How values are written, by node; nil for the default.
  let formats: [ValueFormat?]
  private let columns: RowColumns
  private let decoder: RowDecoder
  let document: JSONDocument
  let conversion: ValueConversion
  let issues: IssueLog

  /// What filling asks of a node, for each value: nothing that would have to be retained.
  struct Node {
    let kind: ColumnKind
    /// Whether it is filled by its kind alone: no value can be inside of another one, and none is checked.
    let isPlain: Bool
    /// Whether a value can contain a value of the same node.
    let isMentioned: Bool
    /// Whether raw values are checked.
    let isChecked: Bool
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

  init(
    _ columns: RowColumns, _ rules: ReadingRules, _ document: JSONDocument, _ issues: IssueLog,
    _ decoder: RowDecoder, number: Int, formats: [Range<Int>: ValueFormat] = [:]
  ) {
    var formatsOfNodes = [ValueFormat?](repeating: nil, count: columns.row.layout.nodes.count)
    for (nodes, format) in formats { for node in nodes { formatsOfNodes[node] = format } }
    self.formats = formatsOfNodes
    self.columns = columns
    self.decoder = decoder
    self.number = number
    self.document = document
    self.issues = issues
    row = columns.row
    if rules.isLenient { row.set.leaveOutNil() }
    descriptions = row.layout.nodes
    names = descriptions.map { $0.kind == .structure ? $0.labels.map(rules.naming.name) : $0.labels }
    let holdsReferences = row.layout.nodesThatContainReferences()
    nodes = descriptions.indices.map { index in
      let node = columns.row.layout.nodes[index]
      let isChecked = columns.rawValueChecks[index] != nil
      return Node(
        kind: node.kind,
        // A structure without fields and an enumeration without values have no nested nodes either.
        isPlain: node.children.isEmpty && !isChecked && node.kind != .enumeration && node.kind != .structure,
        isMentioned: node.isMentioned, isChecked: isChecked, holdsReferences: holdsReferences[index],
        leadsToObjects: node.kind == .reference && columns.reachedClass(ofNode: index) != nil,
        refusesNull: node.kind == .reference && !columns.nodesThatTakeNil.contains(index),
        isLeaf: node.children.isEmpty, child: node.children.first ?? 0,
        secondChild: node.children.dropFirst().first ?? 0)
    }
    conversion = ValueConversion(document: document, isLenient: rules.isLenient)
  }

  /// A filler of the same row out of another text, or with another log.
  init(_ other: RowFiller, _ document: JSONDocument, _ issues: IssueLog, isLenient: Bool) {
    (row, nodes, number, descriptions) = (other.row, other.nodes, other.number, other.descriptions)
    (names, formats, columns, decoder) = (other.names, other.formats, other.columns, other.decoder)
    (self.document, self.issues) = (document, issues)
    conversion = ValueConversion(document: document, isLenient: isLenient)
  }

  // MARK: Values

  /// Appends the value of an entry to a node. Returns false if it is none, which is reported: then nothing of
  /// it counts.
  func fill(_ node: Int, _ index: Int) throws -> Bool {
    if nodes[node].isPlain { return try fillPlain(node, index) }
    guard nodes[node].isChecked, let check = columns.rawValueChecks[node] else {
      return try fillAny(node, index)
    }
    return try appendWhole(node) {
      guard try fillAny(node, index) else { return false }
      do { try row.withLastValue(ofNode: node, check) } catch {
        let error = error as? ArchiveError
        try issues.note(.unknownCase, at: index, expected: error?.expected ?? "a raw value of a case")
        return false
      }
      return true
    }
  }

  /// Appends the value of an entry to a node as `fill` does, all of it or nothing.
  func fillWhole(_ node: Int, _ index: Int) throws -> Bool {
    if nodes[node].isLeaf { return try fill(node, index) }
    return try appendWhole(node) { try fill(node, index) }
  }

  /// Appends values to a node and others of its root, all of them or none.
  func appendWhole(_ node: Int, _ body: () throws -> Bool) rethrows -> Bool {
    // A strict reading ends with the first failure.
    conversion.isLenient ? try row.appendWhole(toRootOf: node, body) : try body()
  }

  private func fillAny(_ node: Int, _ index: Int) throws -> Bool {
    guard nodes[node].isMentioned else { return try fillParts(node, index) }
    // A text can have values of one type in each other as deep as its limit says.
    return try StackExtension.call { try fillParts(node, index) }
  }

  private func fillParts(_ node: Int, _ index: Int) throws -> Bool {
    switch nodes[node].kind {
    case .optional: return try fillOptional(node, index)
    case .array, .set: return try fillCollection(node, index)
    case .dictionary: return try fillDictionary(node, index)
    case .structure: return try fillStructure(node, index)
    case .enumeration: return try fillEnumeration(node, index)
    case .url:
      guard conversion.isString(index) else { return try mismatch(node, index) }
      document.withUTF8(at: index) { row.append(text: $0, to: nodes[node].child) }
      row.append(bit: false, to: nodes[node].secondChild)
      return true
    default: return try fillPlain(node, index)
    }
  }

  private func fillPlain(_ node: Int, _ index: Int) throws -> Bool {
    switch nodes[node].kind {
    case .reference: return try fillReference(node, index)
    case .weak:
      row.append(UInt32(0), to: node)
      return true
    default: return try fillScalar(node, index, conversion)
    }
  }

  /// Appends to a node that there is no value, if it can be without one.
  func fillNothing(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .optional: row.append(bit: false, to: node)
    case .reference where nodes[node].refusesNull: return false
    case .reference, .weak: row.append(UInt32(0), to: node)
    default: return false
    }
    return true
  }

  private func fillOptional(_ node: Int, _ index: Int) throws -> Bool {
    guard document.word(at: index).kind != .null else { return fillNothing(node) }
    row.append(bit: true, to: node)
    return try fill(nodes[node].child, index)
  }

  private func fillReference(_ node: Int, _ index: Int) throws -> Bool {
    if document.word(at: index).kind == .null, fillNothing(node) { return true }
    guard document.word(at: index).kind == .object else { return try mismatch(node, index) }
    guard nodes[node].leadsToObjects else {
      try issues.note(
        .refused, at: index, expected: "nothing, since no class is declared whose object it keeps")
      return false
    }
    let number = Self.row(ofObjectAt: index)
    // What is wrong with one that could not be built is reported.
    guard decoder.hasObject(inRow: number) else { return false }
    row.append(UInt32(truncatingIfNeeded: number), to: node)
    return true
  }

  /// Appends a value without others inside.
  func fillScalar(_ node: Int, _ index: Int, _ conversion: ValueConversion) throws -> Bool {
    if append(node, index, conversion) { return true }
    return try mismatch(node, index)
  }

  /// Appends a value without others inside. Returns false if it is none of the node.
  private func append(_ node: Int, _ index: Int, _ conversion: ValueConversion) -> Bool {
    switch nodes[node].kind {
    case .string:
      if conversion.isString(index) {
        document.withUTF8(at: index) { row.append(text: $0, to: node) }
      } else {
        guard let value = conversion.string(index) else { return false }
        row.append(text: Array(value.utf8).span, to: node)
      }
    case .int64:
      guard let value = conversion.integer(index) else { return false }
      row.append(value, to: node)
    case .bool:
      guard let value = conversion.bool(index) else { return false }
      row.append(bit: value, to: node)
    case .float64:
      guard let value = conversion.double(index) else { return false }
      row.append(value, to: node)
    case .int8, .int16, .int32, .uint8, .uint16, .uint32:
      guard let value = conversion.integer(index), nodes[node].kind.holds(value) else { return false }
      row.append(value, to: node)
    default: return appendRare(node, index, conversion)
    }
    return true
  }

  private func appendRare(_ node: Int, _ index: Int, _ conversion: ValueConversion) -> Bool {
    func append<Value>(_ value: Value?, _ append: (Value) -> Void) -> Bool {
      guard let value else { return false }
      append(value)
      return true
    }
    switch nodes[node].kind {
    case .uint64: return append(conversion.wideInteger(index, UInt64.self)) { row.append($0, to: node) }
    case .int128: return append(conversion.wideInteger(index, Int128.self)) { row.append($0, to: node) }
    case .uint128: return append(conversion.wideInteger(index, UInt128.self)) { row.append($0, to: node) }
    case .float16:
      let bits = conversion.float(index)?.nearestHalfBits
      // Of a finite number there is no infinity.
      guard let bits, conversion.isInfinite(index) || bits & 0x7FFF != 0x7C00 else { return false }
      row.append(bits, to: node)
      return true
    case .float32: return append(conversion.float(index)) { row.append($0, to: node) }
    case .decimal:
      return append(conversion.decimal(index)) { row.append(text: Array($0.utf8).span, to: node) }
    case .date: return append(conversion.date(index, dateFormat(node))) { row.append($0, to: node) }
    case .uuid: return append(conversion.uuid(index)) { row.append($0, to: node) }
    case .data: return append(conversion.data(index)) { row.append(text: $0.span, to: node) }
    default: return false
    }
  }

  private func dateFormat(_ node: Int) -> ValueFormat.DateFormat? {
    if case .date(let format)? = formats[node]?.kind { format } else { nil }
  }

  /// The class of the objects that are made for references; nil if none are.
  func type(ofReference node: Int) -> (any Archivable.Type)? { columns.reachedClass(ofNode: node) }

  /// The row of the object that a JSON object becomes: each has two entries of its own.
  static func row(ofObjectAt index: Int) -> Int { index / 2 + 1 }

  /// Reports a value that is none of a node; returns false.
  func mismatch(_ node: Int, _ index: Int) throws -> Bool {
    let kind = nodes[node].kind
    let isNumber = conversion.isAnyNumber(index)
    let code: ModelIssue.Code =
      isNumber && kind.isNumber
      ? .valueOutOfRange : conversion.isString(index) && kind.hasNotation ? .invalidText : .typeMismatch
    try issues.note(code, at: index, expected: dateFormat(node)?.words ?? kind.words)
    return false
  }
}
