import ArcArchive
import ArcFormat
import ArcJSON

/// Writes the values of an HTML page. Their JSON is shorter than the JSON of `arcdump --json`, because the
/// page has the type of each column.
///
/// | value | JSON |
/// |---|---|
/// | nil, Boolean, floating-point number | `null`, `true`, `0.5`; `"nan"`, `"inf"`, `"-inf"` |
/// | integer | `42`; the digits as a string if the magnitude is 2^53 or more |
/// | string, decimal | `"text"`; a longer string `{"text":"begin…","rest":12}`: `rest` is in bytes |
/// | date | `"2001-01-01T00:00:00Z"`; outside the calendar the seconds since 2001 |
/// | data | `[3,"00ff17"]`: the number of bytes, and the first bytes |
/// | UUID | its text |
/// | URL | `"https://…"`; with a base `["a/b","https://…"]` |
/// | reference | the number of the object, 0 for nil |
/// | array, set | `[…]` |
/// | dictionary | `[key,value,key,value…]` |
/// | structure | its fields in an array |
/// | enumeration | `"case"`; with associated values `["case",payload]` |
struct HTMLValues {
  /// The maximum number of scalars of a string. Longer strings are truncated, because people read the page.
  /// `arcdump --json` writes whole strings.
  private static let scalarCount = 10_000
  private static let dataByteCount = 64

  private let json: JSONOutput

  init(_ json: JSONOutput) { self.json = json }

  /// Writes a value. Recursive over the value, whose nesting is at most `ArchiveLimits.nesting`.
  func write(_ value: ArchiveValue) throws {
    try json.checkLimit()
    switch value {
    case .reference(let id): try json.number(id?.rawValue ?? 0)
    case .enumeration(_, let name, nil): try json.string(name)
    case .enumeration(_, let name, let payload?):
      try json.array {
        try json.string(name)
        try write(payload)
      }
    default:
      if let scalar = ValueScalar(value) { return try write(scalar) }
      try json.array { for (_, child) in value.children { try write(child) } }
    }
  }

  private func write(_ scalar: ValueScalar) throws {
    switch scalar {
    case .null: try json.null()
    case .bool(let flag): try json.bool(flag)
    case .integer(let number):
      // JavaScript rounds larger numbers.
      if let number = number.exactInJSON {
        try json.number(number)
      } else {
        try json.string(number.description)
      }
    case .real(let number):
      let text = number.description
      if let number = JSONNumber(text) { try json.number(number) } else { try json.string(text) }
    case .string(let text), .decimal(let text), .url(let text, base: nil): try write(text)
    case .url(let text, let base?):
      try json.array {
        try write(text)
        try write(base)
      }
    case .data(let bytes):
      try json.array {
        try json.number(bytes.count)
        try json.string(hexadecimal(bytes.prefix(Self.dataByteCount)))
      }
    case .date(let seconds): try json.string(calendarText(secondsSince2001: seconds) ?? "\(seconds) s")
    case .uuid(let bytes): try json.string(UUIDNotation.text(bytes))
    }
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
