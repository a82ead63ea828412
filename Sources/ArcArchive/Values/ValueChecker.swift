import ArcFormat

/// Checks that values are such as a column can hold.
struct ValueChecker {
  let layout: ColumnLayout
  /// Whether to check too what readers do not: that decimals are in their shortest form, and that elements of
  /// sets and keys are distinct. Spec: 05-graph, rule W8.
  let isStrict: Bool
  /// Throws if a reference may not be in the column; receives the class that the reference's type names.
  let checkReference: (ObjectID, String?) throws(ArchiveError) -> Void

  /// The maximum nesting: that of readers with default limits. Spec: 07-limits, rule A8.
  private static let nesting = ArchiveLimits.default.nesting

  /// Throws unless the node can hold the value. `depth` counts mentions on the way to it, `level` all
  /// enclosing values.
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
    func child(_ value: ArchiveValue, _ position: Int) throws(ArchiveError) {
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
    case (.optional, _): try child(value.unwrapped ?? .null, 0)
    case (.array, .array(let elements)): for element in elements { try child(element, 0) }
    case (.set, .set(let elements)):
      for element in elements { try child(element, 0) }
      guard !isStrict || Set(elements).count == elements.count else {
        throw Self.duplicate("elements of a set")
      }
    case (.dictionary, .dictionary(let entries)):
      for entry in entries {
        try child(entry.key, 0)
        try child(entry.value, 1)
      }
      guard !isStrict || Set(entries.map(\.key)).count == entries.count else {
        throw Self.duplicate("keys of a dictionary")
      }
    case (.structure, .structure(_, let fields)):
      guard fields.map(\.name) == node.labels else {
        throw ArchiveError(
          .typeMismatch, found: "a structure with the fields \(Self.list(fields.map(\.name)))",
          expected: "a structure with the fields \(Self.list(node.labels))")
      }
      for (position, field) in fields.enumerated() { try child(field.value, position) }
    case (.enumeration, .enumeration(_, let name, let payload)):
      guard let position = node.labels.firstIndex(of: name) else {
        throw ArchiveError(
          .unknownCase, found: "the case '\(name)'",
          expected: "a case of the enumeration: \(Self.list(node.labels))")
      }
      switch (node.payloads[position], payload) {
      case (nil, nil): break
      case (let inner?, let payload?): try child(payload, inner)
      default:
        throw ArchiveError(
          .typeMismatch,
          found: "the case '\(name)' \(payload == nil ? "without a payload" : "with a payload")",
          expected: payload == nil
            ? "a payload of the type that the case declares" : "a case without a payload")
      }
    case (.reference, .reference(let id)), (.weak, .reference(let id)):
      if let id { try checkReference(id, node.name) }
    default:
      throw Self.mismatch(value, node.kind)
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

  /// Whether a text is a decimal: `-`? digits (`.` digits)?, without needless zeros, or `NaN`.
  /// Spec: 04-columns, section 1.
  private static func isDecimal(_ text: String) -> Bool {
    if text == "NaN" { return true }
    let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { 48...57 ~= $0 } }
    guard areDigits, parts[0].count == 1 || !parts[0].hasPrefix("0") else { return false }
    return parts.count == 1 || !parts[1].hasSuffix("0")
  }
}

extension ArchiveValue {
  /// The kind of value in a few words, for errors.
  var kindInWords: String {
    switch self {
    case .null: "nil"
    case .nestedNull(let depth): "an optional that contains nil at depth \(depth)"
    case .bool: "a boolean"
    case .integer, .unsigned: "an integer"
    case .float: "a 32-bit number"
    case .double: "a 64-bit number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .decimal: "a decimal"
    case .url: "a URL"
    case .reference: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .structure(let name, _): "a structure '\(name)'"
    case .enumeration(let name, _, _): "an enumeration '\(name)'"
    }
  }
}

extension ColumnKind {
  /// The empty value of the kind: nil, or a collection without elements; nil if it has none.
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
