import ArcArchive
import ArcFormat

/// Values as texts that stand in one cell or attribute.
enum CellText {
  /// A value without others in it; what has others becomes a text with its JSON.
  static func cell(_ value: ArchiveValue) throws -> ArchiveValue {
    if case .url(_, base: _?) = value { return .string(try json(value)) }
    return value.containerKind == nil ? value : .string(try json(value))
  }

  /// A value as `arcdump --json` writes it.
  static func json(_ value: ArchiveValue) throws -> String {
    var bytes: [UInt8] = []
    let output = Output { bytes += $0 }
    try JSONOutput(output: output, byteLimit: .max).value(value)
    try output.flush()
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// The text of a value as `text(_:)` has it, but of texts in the value at most as many scalars as are shown
  /// of it: a file may mention a long text a million times.
  static func text(_ value: ArchiveValue, scalarLimit: Int) throws -> String? {
    try text(scalarLimit == .max ? value : shortened(value, scalarLimit))
  }

  /// A value with long texts cut. Recursive over the value, which nests as deep as `ArchiveLimits.nesting`.
  private static func shortened(_ value: ArchiveValue, _ scalarLimit: Int) -> ArchiveValue {
    func short(_ text: String) -> String { text.cut(toScalars: scalarLimit).start }
    return switch value {
    case .string(let text): .string(short(text))
    case .decimal(let text): .decimal(short(text))
    case .url(let text, let base): .url(short(text), base: base.map(short))
    default: value.mapChildren { _, child in shortened(child, scalarLimit) }
    }
  }

  /// The text of a value, as formats without types of their own have it: dates in ISO 8601 to the
  /// microsecond, data in base64, `nan`, `inf` and `-inf`; nil for null, and for what is no date.
  static func text(_ value: ArchiveValue) throws -> String? {
    switch value {
    case .null, .nestedNull, .reference(nil): nil
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .float(let number): number.isNaN ? "nan" : number.description
    case .double(let number): number.isNaN ? "nan" : number.description
    case .string(let text), .decimal(let text), .url(let text, base: nil): text
    case .data(let bytes): base64(bytes)
    case .date(let seconds): calendarText(secondsSince2001: seconds)
    case .uuid(let bytes): UUIDNotation.text(bytes)
    case .reference(let id?): String(id.rawValue)
    default: try json(value)
    }
  }
}
