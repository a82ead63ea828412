import ArcArchive
import ArcFormat
import ArcJSON

/// Writes the values of a page: shorter than those of `arcdump --json`, for the page knows the type of each
/// column and what it says need not be said with each value.
///
/// | value | JSON |
/// |---|---|
/// | nil, Boolean, floating-point number | `null`, `true`, `0.5`; `"nan"`, `"inf"`, `"-inf"` |
/// | integer | `42`; from a magnitude of 2^53 on its digits as a string |
/// | string, decimal | `"text"`; a longer one `{"text":"begin…","rest":12}`, the number of bytes that are
/// missing | | date | `"2001-01-01T00:00:00Z"`; seconds since then for no date of a calendar | | data |
/// `[3,"00ff17"]`: the number of bytes and the first of them | | UUID | its text | | URL | `"https://…"`;
/// with a base `["a/b","https://…"]` | | reference | the number of the object, 0 for nil | | array, set |
/// `[…]` | | dictionary | `[key,value,key,value…]` | | structure | its fields in an array | | enumeration |
/// `"case"`; with a payload `["case",payload]` |
struct HTMLValues {
  /// Longer strings are cut: a page is for people, `arcdump --json` has everything.
  private static let scalarCount = 10_000
  private static let dataByteCount = 64

  private let json: JSONOutput

  init(_ json: JSONOutput) { self.json = json }

  /// Writes a value. Recursive over values, which nest as deep as `ArchiveLimits.nesting`.
  func write(_ value: ArchiveValue) throws {
    try json.checkLimit()
    switch value {
    case .null, .nestedNull: try json.null()
    case .bool(let flag): try json.bool(flag)
    case .integer(let number): try write(number)
    case .unsigned(let number): try write(number)
    case .float(let number): try write(floating: number.description)
    case .double(let number): try write(floating: number.description)
    case .string(let text), .decimal(let text): try write(text)
    case .data(let bytes):
      try json.array {
        try json.number(bytes.count)
        try json.string(hexadecimal(bytes.prefix(Self.dataByteCount)))
      }
    case .date(let seconds): try json.string(calendarText(secondsSince2001: seconds) ?? "\(seconds) s")
    case .uuid(let bytes): try json.string(UUIDNotation.text(bytes))
    case .url(let text, let base?):
      try json.array {
        try write(text)
        try write(base)
      }
    case .url(let text, nil): try write(text)
    case .reference(let id): try json.number(id?.rawValue ?? 0)
    case .enumeration(_, let name, nil): try json.string(name)
    case .enumeration(_, let name, let payload?):
      try json.array {
        try json.string(name)
        try write(payload)
      }
    default: try json.array { for (_, child) in value.children { try write(child) } }
    }
  }

  private func write<Number: FixedWidthInteger>(_ number: Number) throws {
    // JavaScript rounds larger ones.
    if number.magnitude < 1 << 53 { try json.number(number) } else { try json.string(String(number)) }
  }

  private func write(floating text: String) throws {
    if let number = JSONNumber(text) { try json.number(number) } else { try json.string(text) }
  }

  private func write(_ text: String) throws {
    let (start, restByteCount) = text.cut(toScalars: Self.scalarCount)
    guard restByteCount > 0 else { return try json.string(text) }
    try json.object {
      try json.member("text", start)
      try json.member("rest", restByteCount)
    }
  }
}
