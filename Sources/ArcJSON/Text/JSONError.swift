/// Why a text is no JSON, or more of it than was allowed.
///
///     ']', expected ',' or '}' (line 3, column 17, byte 52)
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong. Rules are those of RFC 8259.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Something else than the grammar allows at the place.
    case unexpectedCharacter
    /// The text ends within a value, or has none.
    case unexpectedEnd
    /// A number that is written in a way that JSON has not, as `01`, `.5`, `1.` or `+1`.
    case invalidNumber
    /// A control character in a string that is not escaped.
    case invalidString
    /// An escape that JSON has not, or half of a surrogate pair.
    case invalidEscape
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More text after the value.
    case trailingText
    /// An object with two members of one name, where that is refused.
    case duplicateKey
    /// A text that is longer, or values that nest more deeply, than was allowed.
    case limitExceeded
  }

  /// What is wrong.
  public let code: Code
  /// What is there.
  public let found: String
  /// What would be right there; nil where that goes without saying.
  public let expected: String?
  /// How many bytes come before the place.
  public let byteOffset: Int
  /// The line of the place, counted from 1.
  public let line: Int
  /// The place in its line, counted in Unicode scalars from 1.
  public let column: Int

  /// The error in one line: what was found, what was expected, and where.
  public var description: String {
    let wanted = expected.map { ", expected \($0)" } ?? ""
    return "\(found)\(wanted) (line \(line), column \(column), byte \(byteOffset))"
  }

  init(_ code: Code, found: String, expected: String? = nil, at offset: Int, in text: JSONText) {
    self.code = code
    self.found = found
    self.expected = expected
    byteOffset = offset
    (line, column) = text.place(of: offset)
  }
}
