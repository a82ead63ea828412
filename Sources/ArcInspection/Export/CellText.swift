import ArcArchive
import ArcFormat

/// Converts values to the text of one cell or attribute.
enum CellText {
  /// Returns the value itself if it contains no other value. Otherwise returns a string with the JSON of the
  /// value.
  static func cell(_ value: ArchiveValue) throws -> ArchiveValue {
    if case .url(_, base: _?) = value { return .string(try json(value)) }
    return value.containerKind == nil ? value : .string(try json(value))
  }

  /// Returns the JSON text of a value, as `arcdump --json` writes it.
  static func json(_ value: ArchiveValue) throws -> String {
    var bytes: [UInt8] = []
    let output = Output { bytes += $0 }
    try JSONOutput(output: output, byteLimit: .max).value(value)
    try output.flush()
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Returns the text of a value like `text(_:)`, but with at most `scalarLimit` scalars of each string. Nil
  /// if `text(_:)` returns nil. The limit is necessary because a file may contain one long string a million
  /// times.
  static func text(_ value: ArchiveValue, scalarLimit: Int) throws -> String? {
    try text(scalarLimit == .max ? value : shortened(value, scalarLimit))
  }

  /// Returns a value with truncated strings. Recursive over the value, whose nesting is at most
  /// `ArchiveLimits.nesting`.
  private static func shortened(_ value: ArchiveValue, _ scalarLimit: Int) -> ArchiveValue {
    func short(_ text: String) -> String { text.cut(toScalars: scalarLimit).start }
    return switch value {
    case .string(let text): .string(short(text))
    case .decimal(let text): .decimal(short(text))
    case .url(let text, let base): .url(short(text), base: base.map(short))
    default: value.mapChildren { _, child in shortened(child, scalarLimit) }
    }
  }

  /// Returns the text of a value for formats without types: a date in ISO 8601 with microseconds, data in
  /// base64, and `nan`, `inf` and `-inf`. Nil if the value is nil or a date outside the calendar.
  static func text(_ value: ArchiveValue) throws -> String? {
    // This does not use `ValueScalar`, because CSV export would take 6 percent longer.
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
