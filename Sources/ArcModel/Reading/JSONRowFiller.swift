import Arc
import ArcFormat
import ArcJSON

/// Fills a row with values of an indexed JSON document.
///
/// The filler is recursive for values, but not for objects, because the objects in the values are already
/// built.
final class JSONRowFiller {
  let shape: RowShape
  let row: InputRow
  let nodes: [RowShape.Node]
  private let decoder: GraphDecoder
  private(set) var document: JSONDocument
  private(set) var conversion: JSONScalarConversion
  let issues: IssueLog
  let untaggedCases: UntaggedCases
  /// Whether the filler only tests whether values fit. The caller removes the appended values afterwards.
  let isTrial: Bool
  /// The numbers of the objects that were passed to `GraphDecoder.handOver`, by document index. Nil if
  /// references refer to rows of the decoder instead.
  var handedOver: [Int: Int]?
  /// The structure fields of the object that is being updated. Nil if no object is being updated.
  var existingFields: ExistingFields?
  /// The number of values with recursive types that enclose the current value.
  private var depth = 0

  init(_ shape: RowShape, _ document: JSONDocument, _ issues: IssueLog, _ decoder: GraphDecoder) {
    (self.shape, self.document, self.issues, self.decoder) = (shape, document, issues, decoder)
    (row, nodes) = (shape.row, shape.nodes)
    conversion = JSONScalarConversion(document: document, isLenient: shape.isLenient)
    (untaggedCases, isTrial) = (UntaggedCases(), false)
  }

  /// Whether the filler has no document.
  var isIdle: Bool { document === JSONDocument.null }

  /// Begins filling the row with values of another document.
  func begin(_ document: JSONDocument) {
    self.document = document
    conversion = JSONScalarConversion(document: document, isLenient: conversion.isLenient)
    issues.begin(document)
    handedOver = nil
  }

  /// Creates a filler that fills the row of `other` from another document.
  init(_ other: JSONRowFiller, _ document: JSONDocument, _ issues: IssueLog, isLenient: Bool) {
    (shape, row, nodes, decoder) = (other.shape, other.row, other.nodes, other.decoder)
    (self.document, self.issues) = (document, issues)
    conversion = JSONScalarConversion(document: document, isLenient: isLenient)
    (untaggedCases, isTrial) = (UntaggedCases(), other.isTrial)
  }

  /// Creates a filler that only tests whether values fit in the row of `other`.
  init(trying other: JSONRowFiller, _ issues: IssueLog) {
    (shape, row, nodes, decoder) = (other.shape, other.row, other.nodes, other.decoder)
    (document, self.issues) = (other.document, issues)
    conversion = JSONScalarConversion(document: document, isLenient: false)
    (untaggedCases, isTrial, existingFields) = (other.untaggedCases, true, other.existingFields)
  }

  /// Creates a filler that fills the row of `other` and checks each value with its type. `shape` contains the
  /// checks.
  init(_ other: JSONRowFiller, checking shape: RowShape) {
    (self.shape, row, nodes, decoder) = (shape, shape.row, shape.nodes, other.decoder)
    (document, issues, conversion) = (other.document, other.issues, other.conversion)
    (untaggedCases, isTrial) = (UntaggedCases(), false)
  }

  // MARK: Values

  /// Appends the JSON value at `index` to a node. Returns false and reports an issue if the value does not
  /// fit. The caller then removes the part of the value that was appended.
  func fill(_ node: Int, _ index: Int) throws -> Bool {
    if nodes[node].isPlain { return try fillPlain(node, index) }
    guard nodes[node].isChecked, let check = shape.checks[node] else { return try fillUnchecked(node, index) }
    return try fillChecked(node, index, check)
  }

  /// Appends the JSON value at `index` to a node. Returns false if it does not fit. The row of a lenient
  /// reader then contains no part of it.
  func fillWhole(_ node: Int, _ index: Int) throws -> Bool {
    if nodes[node].isLeaf { return try fill(node, index) }
    return try appendWhole(node) { try fill(node, index) }
  }

  /// Calls `body`, which appends values to a root and its nested nodes. If `body` returns false, removes
  /// these values. A strict reader does not remove the values, because its reading ends anyway.
  func appendWhole(_ node: Int, _ body: () throws -> Bool) rethrows -> Bool {
    // A strict reading ends with the first value that does not fit, so nothing has to be removed.
    conversion.isLenient || isTrial ? try row.appendWhole(toRootOf: node, body) : try body()
  }

  func fillUnchecked(_ node: Int, _ index: Int) throws -> Bool {
    guard nodes[node].canContainItself else { return try fillParts(node, index) }
    // A text can nest values of one type as deeply as the limit allows. But Swift releases nested values by
    // recursion.
    guard depth < JSONValue.maximumDepth else {
      try issues.noteNestedTooDeeply(at: index)
      return false
    }
    depth += 1
    defer { depth -= 1 }
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
      guard conversion.isURL(index) else { return try mismatch(node, index) }
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

  private func fillReference(_ node: Int, _ index: Int) throws -> Bool {
    if document.word(at: index).kind == .null, fillNothing(node) { return true }
    guard document.word(at: index).kind == .object else { return try mismatch(node, index) }
    guard nodes[node].buildsObjects else {
      let isOfAnyType = shape.descriptions[node].name == nil
      try issues.note(
        .refused, at: index,
        expected: isOfAnyType
          ? "no object, because no '@JSONFormat(.tagged(by:_:))' states the type of the object"
          : "no object, because the reference does not retain its target")
      return false
    }
    if let handedOver {
      guard let number = handedOver[index] else { return false }
      row.append(Int64(-1 - number), to: node)
      return true
    }
    let number = Self.row(ofObjectAt: index)
    // The issues of an object that could not be built are already reported.
    guard decoder.hasObject(inRow: number) else { return false }
    row.append(UInt32(truncatingIfNeeded: number), to: node)
    return true
  }

  /// Appends a value that cannot contain other values. Returns false and reports an issue if it does not fit.
  func fillScalar(_ node: Int, _ index: Int, _ conversion: JSONScalarConversion) throws -> Bool {
    if append(node, index, conversion) { return true }
    return try mismatch(node, index)
  }

  /// Appends a value that cannot contain other values. Returns false if it does not fit.
  private func append(_ node: Int, _ index: Int, _ conversion: JSONScalarConversion) -> Bool {
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

  private func appendRare(_ node: Int, _ index: Int, _ conversion: JSONScalarConversion) -> Bool {
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
      // A finite number must not become infinite.
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

  func dateFormat(_ node: Int) -> ValueFormat.DateFormat? { shape.dateFormat(ofNode: node) }

  /// Returns the rule that chooses the type of referenced objects by a tag. Nil if all objects have the
  /// declared class.
  func choice(ofReference node: Int) -> TypeChoice? { shape.choice(ofReference: node) }

  /// Returns the row of the object that the JSON object at `index` describes. Each JSON object has its own
  /// row, because each JSON object occupies at least two words of the document's index.
  static func row(ofObjectAt index: Int) -> Int { index / 2 + 1 }

  /// Reports a value that does not fit a node. Returns false.
  func mismatch(_ node: Int, _ index: Int) throws -> Bool {
    let kind = nodes[node].kind
    let code: ModelIssue.Code =
      if kind.isNumber, let hasFraction = conversion.hasFraction(index) {
        hasFraction && kind.isInteger ? .fractionalNumber : .valueOutOfRange
      } else {
        conversion.isString(index) && kind.hasNotation ? .invalidText : .typeMismatch
      }
    try issues.note(code, at: index, expected: words(ofNode: node))
    return false
  }

  /// Returns a description of the JSON value that a node expects, for issues.
  func words(ofNode node: Int) -> String {
    shape.columns.rawValueWords[node]?() ?? dateFormat(node)?.words ?? wordsOfDuration(node)
      ?? nodes[node].kind.words
  }

  /// Returns the JSON that a `Duration` expects, with an example, because its form is hard to guess. Nil if
  /// the node is not a `Duration`.
  private func wordsOfDuration(_ node: Int) -> String? {
    let description = shape.descriptions[node]
    guard description.kind == .structure, description.name == "Duration" else { return nil }
    return #"a duration in attoseconds, such as {"attoseconds":1500000000000000000} for 1.5 seconds"#
  }
}
