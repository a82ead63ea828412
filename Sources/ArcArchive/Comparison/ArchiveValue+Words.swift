package import ArcFormat
import ArcRuntime

extension ArchiveValue {
  /// Whether two values without references are identical bit by bit. NaN is equal to itself, and -0 is not 0.
  func isExactly(_ other: ArchiveValue) -> Bool {
    switch (self, other) {
    case (.float(let one), .float(let two)): one.bitPattern == two.bitPattern
    case (.double(let one), .double(let two)), (.date(let one), .date(let two)):
      one.bitPattern == two.bitPattern
    case (.string(let one), .string(let two)), (.decimal(let one), .decimal(let two)):
      one.hasSameBytes(as: two)
    case (.url(let one, let base), .url(let two, let other)):
      one.hasSameBytes(as: two) && (base.map { Array($0.utf8) } == other.map { Array($0.utf8) })
    default: self == other
    }
  }

  /// The maximum number of nested values that the description of a value lists.
  private static var shownCount: Int { 4 }
  /// The maximum nesting depth of values in a description.
  private static var shownDepth: Int { 5 }

  /// Returns a short description of the value. `object` returns the description of an object. Values that are
  /// nested too deeply are shown as an ellipsis.
  package func words(_ object: (ObjectID) -> String) -> String { words(object, depth: 0) }

  private func words(_ object: (ObjectID) -> String, depth: Int) -> String {
    func inner(_ value: ArchiveValue) -> String {
      depth < Self.shownDepth ? value.words(object, depth: depth + 1) : "…"
    }
    switch ValueToken(self) {
    case .plainText: return ""
    case .scalar(let scalar): return scalar.words
    case .reference(let id, _): return id.map(object) ?? "nil"
    case .elements(let count, _):
      if count > Self.shownCount { return plural(count, "element") }
      return "[" + children.map { inner($0.value) }.joined(separator: ", ") + "]"
    case .entries(let count): return "a dictionary of \(plural(count, "value"))"
    case .fields(let names):
      if names.labels.count > Self.shownCount { return "a value of type '\(names.shownType)'" }
      let parts = zip(names.shownLabels, children).map { label, child in
        (label.isEmpty ? "" : label + ": ") + inner(child.value)
      }
      return (names.isNameless ? "" : names.shownType) + "(" + parts.joined(separator: ", ") + ")"
    case .enumerationCase(let names, let index, _):
      let payload = children[0].map { $0.value.fields == nil ? "(\(inner($0.value)))" : inner($0.value) }
      return "." + names.shownLabels[index] + (payload ?? "")
    }
  }
}

extension ValueScalar {
  /// The maximum number of Unicode scalars in the description of a decimal.
  private static var shownLength: Int { 60 }

  /// A short description of the value.
  fileprivate var words: String {
    switch self {
    case .null(let depth):
      String(repeating: ".some(", count: depth) + "nil" + String(repeating: ")", count: depth)
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): Self.quoted(text)
    case .data(let bytes): Self.hexadecimal(bytes) + " (\(plural(bytes.count, "byte")))"
    case .date(let seconds): DateNotation.text(seconds) ?? "\(seconds) seconds since 2001"
    case .uuid(let bytes): Self.hexadecimal(bytes)
    case .decimal(let text): printableName(text, scalars: Self.shownLength)
    case .url(let text, let base): Self.quoted(text) + (base.map { " relative to " + Self.quoted($0) } ?? "")
    }
  }

  private static func quoted(_ text: String) -> String {
    ValuePath.literal(of: ValuePath.Name(text), truncated: true)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return shown.joined() + (bytes.count > 16 ? "…" : "")
  }
}
