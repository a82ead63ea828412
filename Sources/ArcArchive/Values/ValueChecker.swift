import ArcFormat
import ArcRuntime

/// Checks whether values can be written to a column.
struct ValueChecker {
  let layout: ColumnLayout
  /// Whether to also check the rules that readers do not check: decimals have their shortest form, and the
  /// elements of sets and the keys of dictionaries are distinct. Spec: 05-graph, rule W8.
  let isStrict: Bool
  /// Throws if the column must not contain a reference to an object. The arguments are the number of the
  /// object, and the name of the class that the type of the reference declares.
  let checkReference: (ObjectID, String?) throws(ArchiveError) -> Void

  /// The maximum nesting of values: the limit of readers with default limits. Spec: 07-limits, rule A8.
  private static let nesting = ArchiveLimits.default.nesting

  /// Throws unless the node can contain the value. `level` is the number of enclosing values. `depth` is the
  /// number of times that a recursive type contains itself again on the path to the value.
  ///
  /// Spec: 05-graph, rule W8; 07-limits, rule A8.
  func check(
    _ value: ArchiveValue, node index: Int, depth: Int = 0, level: Int = 0
  ) throws(ArchiveError) {
    guard depth <= Self.nesting, level / 4 <= Self.nesting else {
      throw ArchiveError(
        .limitExceeded, found: "values nested more than \(Self.nesting) levels deep",
        expected: "at most \(Self.nesting) levels of nested values")
    }
    let node = layout.nodes[index]
    func checkChild(_ value: ArchiveValue, _ position: Int) throws(ArchiveError) {
      let inner = node.children[position]
      try StackExtension.step { () throws(ArchiveError) in
        try check(value, node: inner, depth: depth + (inner <= index ? 1 : 0), level: level + 1)
      }
    }
    switch (node.kind, value) {
    case (.bool, .bool), (.float32, .float), (.float64, .double), (.date, .date), (.string, .string),
      (.data, .data), (.url, .url), (.optional, .null), (.uint128, .unsigned):
      break
    case (_, .integer(let number)) where node.kind.integerType != nil:
      try check(number, node.kind)
    case (.float16, .float(let number)):
      guard number.isNaN || Float(half: number.halfBits) == number else {
        throw ArchiveError(
          .valueOutOfRange, found: "the number \(number)",
          expected: "a number that a 16-bit float can represent")
      }
    case (.uuid, .uuid(let bytes)):
      guard bytes.count == 16 else {
        throw ArchiveError(
          .valueOutOfRange, found: "a UUID of \(plural(bytes.count, "byte"))", expected: "a UUID of 16 bytes")
      }
    case (.decimal, .decimal(let text)):
      guard !isStrict || Self.isDecimal(text) else {
        throw ArchiveError(
          .valueOutOfRange, found: "the decimal '\(text)'",
          expected: "a decimal without unnecessary zeros, or 'NaN'")
      }
    case (.optional, .nestedNull(let depth)) where depth < 1: throw Self.mismatch(value, node.kind)
    case (.optional, _): try checkChild(value.unwrapped ?? .null, 0)
    case (.reference, .reference(let id)), (.weak, .reference(let id)):
      if let id { try checkReference(id, node.name) }
    default:
      guard value.containerKind == node.kind else { throw Self.mismatch(value, node.kind) }
      try Self.checkNames(value, node)
      for (step, child) in value.children {
        if let position = layout.position(of: step, in: index) { try checkChild(child, position) }
      }
      guard !isStrict || value.keys.map({ Set($0).count == $0.count }) ?? true else {
        throw Self.duplicate(node.kind == .set ? "elements of a set" : "keys of a dictionary")
      }
    }
  }

  /// Checks the names in a value. A structure must have the fields that the node declares. An enumeration
  /// must have a case that the node declares, and must have associated values if and only if the node
  /// declares them for the case.
  private static func checkNames(_ value: ArchiveValue, _ node: ColumnLayout.Node) throws(ArchiveError) {
    if let fields = value.fields, fields.map(\.name) != node.labels {
      throw ArchiveError(
        .typeMismatch, found: "a structure with the fields \(list(fields.map(\.name)))",
        expected: "a structure with the fields \(list(node.labels))")
    }
    guard case .enumeration(_, let name, let payload) = value else { return }
    guard let position = node.labels.firstIndex(where: { $0.hasSameBytes(as: name) }) else {
      throw ArchiveError(
        .unknownCase, found: "the case '\(name)'",
        expected: "a case of the enumeration: \(list(node.labels))")
    }
    guard (node.payloads[position] == nil) == (payload == nil) else {
      throw ArchiveError(
        .typeMismatch,
        found: "the case '\(name)' \(payload == nil ? "without a payload" : "with a payload")",
        expected: payload == nil
          ? "a payload of the type that the case declares" : "a case without a payload")
    }
  }

  private static func mismatch(_ value: ArchiveValue, _ kind: ColumnKind) -> ArchiveError {
    ArchiveError(.typeMismatch, found: value.kindInWords, expected: "a value for a column of kind \(kind)")
  }

  private func check(_ number: Int128, _ kind: ColumnKind) throws(ArchiveError) {
    guard let (bits, isSigned) = kind.integerType else { return }
    let fits =
      switch (bits, isSigned) {
      case (128, true): true
      case (128, false): number >= 0
      case (_, true): number >> Int128(bits - 1) == 0 || number >> Int128(bits - 1) == -1
      case (_, false): number >> Int128(bits) == 0
      }
    guard fits else {
      throw ArchiveError(
        .valueOutOfRange, found: "the integer \(number)",
        expected: "an integer that a column of kind \(kind) can contain")
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "(none)" : names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func duplicate(_ what: String) -> ArchiveError {
    ArchiveError(.duplicateKey, found: "two equal \(what)", expected: "distinct \(what)")
  }

  /// Whether a string is a decimal: `-`? digits (`.` digits)?, without unnecessary zeros, or `NaN`. Spec:
  /// 04-columns, section 1.
  private static func isDecimal(_ text: String) -> Bool {
    if text == "NaN" { return true }
    let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { 48...57 ~= $0 } }
    guard areDigits, parts[0].count == 1 || !parts[0].hasPrefix("0") else { return false }
    return parts.count == 1 || !parts[1].hasSuffix("0")
  }
}

extension ColumnKind {
  /// The empty value of the kind: an optional or a reference that is nil, or a collection without elements.
  /// Nil if the kind has no empty value.
  var emptyValue: ArchiveValue? {
    switch self {
    case .optional: .null
    case .reference, .weak: .reference(nil)
    case .array: .array([])
    case .set: .set([])
    case .dictionary: .dictionary([])
    default: nil
    }
  }
}
