import ArcArchive
import ArcFormat

extension ValueScalar {
  /// The value as text without quotes or type names: `true`, `42`, `0.5`, the string itself, a date in ISO
  /// 8601. Nil if the value is nil, data or a date outside the calendar.
  var plainText: String? {
    switch self {
    case .null, .data: nil
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): number.description
    case .real(let number): number.description
    case .string(let text), .decimal(let text), .url(let text, _): text
    case .date(let seconds): calendarText(secondsSince2001: seconds)
    case .uuid(let bytes): UUIDNotation.text(bytes)
    }
  }
}
