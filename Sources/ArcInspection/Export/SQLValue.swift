import ArcArchive
import ArcFormat

/// A cell as a value of SQLite.
///
/// NaN is null, as in SQLite itself, and so is a date outside of the calendar. Booleans are 0 and 1. Integers
/// of more than 64 bits are text with their digits. Dates are text in ISO 8601 with microseconds.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ cell: ArchiveValue) {
    // There is one for each value of an export, which is 11 % slower by way of `ValueScalar`.
    switch cell {
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text(String(number))
    case .unsigned(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text(String(number))
    // The number of the same digits: 0.1 and not 0.10000000149011612.
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
