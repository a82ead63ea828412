package import ArcFormat
import ArcRuntime

extension ArchiveValue {
  /// Whether a value without references is the same bit by bit: NaN is itself, and -0 is not 0.
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

  /// The maximum number of characters of text in words, and of parts of a value.
  private static var shownLength: Int { 60 }
  private static var shownCount: Int { 4 }
  /// The maximum number of values around one that is in words.
  private static var shownDepth: Int { 5 }

  /// The value in a few words; `object` gives those for an object. What is deep inside is an ellipsis.
  package func words(_ object: (ObjectID) -> String) -> String { words(object, depth: 0) }

  private func words(_ object: (ObjectID) -> String, depth: Int) -> String {
    func inner(_ value: ArchiveValue) -> String {
      depth < Self.shownDepth ? value.words(object, depth: depth + 1) : "…"
    }
    func list(_ parts: [ArchiveValue], _ open: String, _ close: String) -> String {
      if parts.count > Self.shownCount { return "\(plural(parts.count, "element"))" }
      return open + parts.map(inner).joined(separator: ", ") + close
    }
    func quoted(_ text: String) -> String {
      ValuePath.literal(of: ValuePath.Name(text), truncated: true)
    }
    switch self {
    case .null, .reference(nil): return "nil"
    case .nestedNull: return ".some(\((unwrapped ?? .null).words(object)))"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .string(let text): return quoted(text)
    case .data(let bytes): return Self.hexadecimal(bytes) + " (\(plural(bytes.count, "byte")))"
    case .date(let seconds): return DateNotation.text(seconds) ?? "\(seconds) seconds since 2001"
    case .uuid(let bytes): return Self.hexadecimal(bytes)
    case .decimal(let text): return printableName(text, scalars: Self.shownLength)
    case .url(let text, let base):
      return quoted(text) + (base.map { " relative to " + quoted($0) } ?? "")
    case .reference(let id?): return object(id)
    case .array(let elements), .set(let elements): return list(elements, "[", "]")
    case .dictionary(let entries): return "a dictionary of \(plural(entries.count, "value"))"
    case .structure(let name, let fields):
      if fields.count > Self.shownCount { return "a value of type '\(printableName(name))'" }
      let parts = fields.map { field in
        (field.name.isEmpty ? "" : printableName(field.name) + ": ") + inner(field.value)
      }
      return (name == "?" ? "" : printableName(name)) + "(" + parts.joined(separator: ", ") + ")"
    case .enumeration(_, let name, let payload):
      return "." + printableName(name)
        + (payload.map { $0.isStructure ? inner($0) : "(\(inner($0)))" } ?? "")
    }
  }

  private var isStructure: Bool {
    if case .structure = self { return true }
    return false
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return shown.joined() + (bytes.count > 16 ? "…" : "")
  }
}
