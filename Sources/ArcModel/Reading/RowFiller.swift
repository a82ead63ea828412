import Arc
import ArcFormat
import ArcJSON

/// Fills a row with JSON values, as its columns want them.
///
/// Recursive over values; the objects that these refer to are built before.
struct RowFiller {
  let row: FilledRow
  let nodes: [ColumnLayout.Node]
  /// The names of members by node, for structures and enumerations.
  let names: [[String]]
  /// For each node whether there are references in its values.
  let holdsReferences: [Bool]
  /// The class that a reference is declared to lead to.
  let type: (String) -> (any Archivable.Type)?
  /// What tells by node whether a raw value is one of the program's.
  private let checks: [Int: RowReader.Check]
  /// The nodes of references for which no object is made.
  let detachedNodes: Set<Int>
  /// Whether the object of a row is there.
  let isBuilt: (Int) -> Bool
  let document: JSONDocument
  let conversion: ValueConversion
  let issues: IssueLog

  init(
    _ row: FilledRow, _ rules: ReadingRules, _ document: JSONDocument, _ issues: IssueLog,
    checks: [Int: RowReader.Check], detachedNodes: Set<Int>, isBuilt: @escaping (Int) -> Bool,
    type: @escaping (String) -> (any Archivable.Type)?
  ) {
    self.checks = checks
    self.detachedNodes = detachedNodes
    self.isBuilt = isBuilt
    self.row = row
    self.document = document
    self.issues = issues
    self.type = type
    if rules.isLenient { row.set.leaveOutNil() }
    nodes = row.layout.nodes
    names = nodes.map { $0.kind == .structure ? $0.labels.map(rules.naming.name) : $0.labels }
    holdsReferences = row.layout.nodesThatContainReferences()
    conversion = ValueConversion(document: document, isLenient: rules.isLenient)
  }

  // MARK: Values

  /// Appends the value of an entry to a node. Returns false if it is none, which is reported: then nothing of
  /// it counts.
  func fill(_ node: Int, _ index: Int) throws -> Bool {
    guard !checks.isEmpty, let check = checks[node] else { return try fillAny(node, index) }
    let nodes = row.layout.nodes(ofRoot: row.layout.roots.lastIndex { $0 <= node } ?? 0)
    let state = row.state(ofNodes: nodes)
    guard try fillAny(node, index) else { return false }
    do { try row.withLastValue(ofNode: node, check) } catch {
      row.restore(state, ofNodes: nodes)
      let error = error as? ArchiveError
      try issues.note(.unknownCase, at: index, expected: error?.expected ?? "a raw value of a case")
      return false
    }
    return true
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
      guard let text = conversion.text(index) else { return try mismatch(node, index) }
      row.append(text: Array(text.utf8).span, to: description.children[0])
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

  func fillScalar(_ node: Int, _ index: Int, _ conversion: ValueConversion) throws -> Bool {
    switch nodes[node].kind {
    case .bool:
      guard let value = conversion.bool(index) else { break }
      row.append(bit: value, to: node)
      return true
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
      guard let value = conversion.integer(index), nodes[node].kind.holds(value) else { break }
      row.append(value, to: node)
      return true
    case .uint64:
      guard let value = conversion.wideInteger(index, UInt64.self) else { break }
      row.append(value, to: node)
      return true
    case .int128:
      guard let value = conversion.wideInteger(index, Int128.self) else { break }
      row.append(value, to: node)
      return true
    case .uint128:
      guard let value = conversion.wideInteger(index, UInt128.self) else { break }
      row.append(value, to: node)
      return true
    case .float16, .float32:
      guard let value = conversion.double(index).map({ Float($0) }) else { break }
      row.append(value, to: node)
      return true
    case .float64:
      guard let value = conversion.double(index) else { break }
      row.append(value, to: node)
      return true
    case .string:
      if conversion.text(index) != nil {
        document.withUTF8(at: index) { row.append(text: $0, to: node) }
        return true
      }
      guard let text = conversion.string(index) else { break }
      row.append(text: Array(text.utf8).span, to: node)
      return true
    case .decimal:
      guard let text = conversion.decimal(index) else { break }
      row.append(text: Array(text.utf8).span, to: node)
      return true
    case .date:
      guard let seconds = conversion.date(index) else { break }
      row.append(seconds, to: node)
      return true
    case .uuid:
      guard let bytes = conversion.uuid(index) else { break }
      row.append(bytes, to: node)
      return true
    case .data:
      guard let bytes = conversion.data(index) else { break }
      row.append(text: bytes.span, to: node)
      return true
    case .optional, .array, .set, .dictionary, .structure, .enumeration, .reference, .weak, .url: break
    }
    return try mismatch(node, index)
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
      ? .valueOutOfRange : conversion.text(index) != nil && kind.hasNotation ? .invalidText : .typeMismatch
    try issues.note(code, at: index, expected: kind.words)
    return false
  }
}
