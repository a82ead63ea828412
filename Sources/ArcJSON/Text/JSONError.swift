/// An error in a JSON text, with its location.
///
/// The description of an error is one line, for example:
///
///     ']', expected ',' or '}' (line 3, column 17, byte 52)
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of error in a JSON text.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A character that the grammar does not allow at this location.
    case unexpectedCharacter
    /// The text ends within a value, or is empty.
    case unexpectedEnd
    /// A number that is not in JSON's notation, such as `01`, `.5`, `1.` or `+1`.
    case invalidNumber
    /// An unescaped control character in a string.
    case invalidString
    /// An escape that JSON does not define, or half of a surrogate pair.
    case invalidEscape
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Text other than white space after the outermost value.
    case trailingText
    /// Two members of an object have the same name, and the document rejects duplicate names.
    case duplicateKey
    /// The text is longer, or its values are nested more deeply, than the limits allow.
    case limitExceeded
  }

  /// The kind of the error.
  public let code: Code
  /// A description of the text that was found.
  public let found: String
  /// A description of the text that was expected. Nil if ``code`` already describes the expected text.
  public let expected: String?
  /// The offset of the error in the text, in bytes.
  public let byteOffset: Int
  /// The line of the error, counted from 1.
  public let line: Int
  /// The column of the error in its line, in Unicode scalars, counted from 1.
  public let column: Int

  /// The error in one line: what was found, what was expected, and the location.
  public var description: String {
    let wanted = expected.map { ", expected \($0)" } ?? ""
    return "\(found)\(wanted) (line \(line), column \(column), byte \(byteOffset))"
  }

  init(_ code: Code, found: String, expected: String? = nil, at offset: Int, in text: JSONText) {
    self.code = code
    self.found = found
    self.expected = expected
    byteOffset = offset
    (line, column) = text.lineAndColumn(of: offset)
  }
}
