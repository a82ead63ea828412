import Arc
import ArcFormat
import ArcJSON

/// Fills a row with JSON values, as its columns want them.
///
/// Recursive over values; the objects that these refer to are built before.
struct RowFiller {
  let columns: RowColumns
  let nodes: [ColumnLayout.Node]
  /// The names of members by node, for structures and enumerations.
  let names: [[String]]
  /// For each node whether there are references in its values.
  let holdsReferences: [Bool]
  /// Whether the object of a row is there.
  private let isBuilt: (Int) -> Bool
  let document: JSONDocument
  let conversion: ValueConversion
  let issues: IssueLog
  var row: FilledRow { columns.row }

  init(
    _ columns: RowColumns, _ rules: ReadingRules, _ document: JSONDocument, _ issues: IssueLog,
    isBuilt: @escaping (Int) -> Bool
  ) {
    self.columns = columns
    self.isBuilt = isBuilt
    self.document = document
    self.issues = issues
    if rules.isLenient { columns.row.set.leaveOutNil() }
    nodes = columns.row.layout.nodes
    names = nodes.map { $0.kind == .structure ? $0.labels.map(rules.naming.name) : $0.labels }
    holdsReferences = columns.row.layout.nodesThatContainReferences()
    conversion = ValueConversion(document: document, isLenient: rules.isLenient)
  }

  // MARK: Values

  /// Appends the value of an entry to a node. Returns false if it is none, which is reported: then nothing of
  /// it counts.
  func fill(_ node: Int, _ index: Int) throws -> Bool {
    let checks = columns.rawValueChecks
    guard !checks.isEmpty, let check = checks[node] else { return try fillAny(node, index) }
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
    // What has no nested columns is appended as a whole.
    if nodes[node].children.isEmpty { return try fill(node, index) }
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
    let description = nodes[node]
    switch description.kind {
    case .optional: return try fillOptional(node, index)
    case .array, .set: return try fillCollection(node, index)
    case .dictionary: return try fillDictionary(node, index)
    case .structure: return try fillStructure(node, index)
    case .enumeration: return try fillEnumeration(node, index)
    case .reference: return try fillReference(node, index)
    case .weak:
      row.append(UInt32(0), to: node)
      return true
    case .url:
      guard conversion.isString(index) else { return try mismatch(node, index) }
      document.withUTF8(at: index) { row.append(text: $0, to: description.children[0]) }
      row.append(bit: false, to: description.children[1])
      return true
    default: return try fillScalar(node, index, conversion)
    }
  }

  /// Appends to a node that there is no value, if it can be without one.
  func fillNothing(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .optional: row.append(bit: false, to: node)
    case .reference, .weak: row.append(UInt32(0), to: node)
    default: return false
    }
    return true
  }

  private func fillOptional(_ node: Int, _ index: Int) throws -> Bool {
    guard document.word(at: index).kind != .null else { return fillNothing(node) }
    row.append(bit: true, to: node)
    return try fill(nodes[node].children[0], index)
  }

  private func fillReference(_ node: Int, _ index: Int) throws -> Bool {
    // Whether it may be nil, the type knows, and not its columns.
    if document.word(at: index).kind == .null { return fillNothing(node) }
    guard document.word(at: index).kind == .object else { return try mismatch(node, index) }
    guard type(ofReference: node) != nil else {
      try issues.note(
        .refused, at: index, expected: "nothing, since no class is declared whose object it keeps")
      return false
    }
    let number = Self.row(ofObjectAt: index)
    // What is wrong with one that could not be built is reported.
    guard isBuilt(number) else { return false }
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
    func append<Value>(_ value: Value?, _ append: (Value) -> Void) -> Bool {
      guard let value else { return false }
      append(value)
      return true
    }
    let kind = nodes[node].kind
    switch kind {
    case .bool: return append(conversion.bool(index)) { row.append(bit: $0, to: node) }
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
      let value = conversion.integer(index).flatMap { kind.holds($0) ? $0 : nil }
      return append(value) { row.append($0, to: node) }
    case .uint64: return append(conversion.wideInteger(index, UInt64.self)) { row.append($0, to: node) }
    case .int128: return append(conversion.wideInteger(index, Int128.self)) { row.append($0, to: node) }
    case .uint128: return append(conversion.wideInteger(index, UInt128.self)) { row.append($0, to: node) }
    case .float16, .float32: return append(conversion.double(index)) { row.append(Float($0), to: node) }
    case .float64: return append(conversion.double(index)) { row.append($0, to: node) }
    case .string where conversion.isString(index):
      document.withUTF8(at: index) { row.append(text: $0, to: node) }
      return true
    case .string: return append(conversion.string(index)) { row.append(text: Array($0.utf8).span, to: node) }
    case .decimal:
      return append(conversion.decimal(index)) { row.append(text: Array($0.utf8).span, to: node) }
    case .date: return append(conversion.date(index)) { row.append($0, to: node) }
    case .uuid: return append(conversion.uuid(index)) { row.append($0, to: node) }
    case .data: return append(conversion.data(index)) { row.append(text: $0.span, to: node) }
    case .optional, .array, .set, .dictionary, .structure, .enumeration, .reference, .weak, .url: return false
    }
  }

  /// Whether an entry is `null` where a reference is wanted, of which the columns do not say whether it may
  /// be nil.
  func isNullReference(_ node: Int, _ index: Int) -> Bool {
    nodes[node].kind == .reference && document.word(at: index).kind == .null
  }

  /// Reports a value that is none of a node; returns false.
  func mismatch(_ node: Int, _ index: Int) throws -> Bool {
    let kind = nodes[node].kind
    let isNumber = conversion.isAnyNumber(index)
    let code: ModelIssue.Code =
      isNumber && kind.isNumber
      ? .valueOutOfRange : conversion.isString(index) && kind.hasNotation ? .invalidText : .typeMismatch
    try issues.note(code, at: index, expected: kind.words)
    return false
  }
}
