import ArcArchive
import ArcFormat

/// The cell of an exported row as a value of SQLite.
///
/// NaN is null, because SQLite has no NaN. A date outside the calendar is null too. Booleans are 0 and 1.
/// Integers that do not fit in 64 signed bits are strings of their digits. Dates are strings in ISO 8601 with
/// microseconds.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ cell: ArchiveValue) {
    // Every exported value passes through this initializer. With `ValueScalar` it would be 11 % slower.
    switch cell {
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text(String(number))
    case .unsigned(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text(String(number))
    // The double with the same decimal digits, 0.1 instead of 0.10000000149011612.
    case .float(let number): self = Self(Double(number.description) ?? Double(number))
    case .double(let number): self = Self(number)
    case .string(let text), .decimal(let text), .url(let text, _): self = .text(text)
    case .data(let bytes): self = .blob(bytes)
    case .date(let seconds): self = calendarText(secondsSince2001: seconds).map { .text($0) } ?? .null
    case .uuid(let bytes): self = .text(UUIDNotation.text(bytes))
    case .reference(let id?): self = .integer(Int64(id.rawValue))
    default: self = .null
    }
  }

  private init(_ number: Double) { self = number.isNaN ? .null : .real(number) }
}
