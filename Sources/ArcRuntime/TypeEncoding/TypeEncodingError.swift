/// An error in a type encoding, a method's type or a property attribute string.
///
///     unknown type code 'x', expected a type code, at byte 3
///       {S=x}
///          ^
public struct TypeEncodingError: Error, Hashable, Sendable {
  /// The kind of an error.
  public enum Code: String, CaseIterable, Sendable {
    /// The character at this position does not begin a type.
    case unknownTypeCode
    /// The character at this position cannot follow the text before it.
    case unexpectedCharacter
    /// A bracket is not closed. The position of the error is the position of the bracket.
    case unclosedBracket
    /// A quote is not closed. The position of the error is the position of the quote.
    case unclosedQuote
    /// The type is missing after a code of Arc's extension, such as `$?` or `$[`.
    case missingType
    /// A case of an enumeration has no name.
    case missingName
    /// A bit-field or vector has no number.
    case missingNumber
    /// A number begins with a redundant zero. No compiler writes such a number.
    case leadingZero
    /// A number does not fit into 64 bits.
    case numberTooLarge
    /// Types are nested more deeply than ``TypeEncoding/maximumDepth``.
    case tooDeep
    /// More text follows the type.
    case trailingText
  }

  /// The contents of the error, in an object so that an error takes little stack. Each function of the parser
  /// reserves stack for an error at each level of a nested type.
  private let contents: Contents

  private final class Contents: Sendable {
    let code: Code
    let text: String
    let byteOffset: Int
    let expected: String

    init(code: Code, text: String, byteOffset: Int, expected: String) {
      self.code = code
      self.text = text
      self.byteOffset = byteOffset
      self.expected = expected
    }
  }

  /// Creates an error. An offset outside the text is moved to the nearer end of the text.
  package init(code: Code, text: String, byteOffset: Int, expected: String) {
    contents = Contents(
      code: code, text: text, byteOffset: min(max(byteOffset, 0), text.utf8.count), expected: expected)
  }

  /// The kind of the error.
  public var code: Code { contents.code }
  /// The whole text that was parsed.
  public var text: String { contents.text }
  /// The position of the error in the text, in UTF-8 bytes.
  public var byteOffset: Int { contents.byteOffset }
  /// A description of the text that was expected at the position.
  public var expected: String { contents.expected }

  /// Returns whether two errors have equal values of ``code``, ``byteOffset``, ``text`` and ``expected``.
  public static func == (a: Self, b: Self) -> Bool {
    a.code == b.code && a.byteOffset == b.byteOffset && a.text == b.text && a.expected == b.expected
  }

  /// Hashes the kind, the position and the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(byteOffset)
    hasher.combine(text)
  }
}

extension TypeEncodingError: CustomStringConvertible {
  /// A line with ``message`` and the position, followed by ``picture``.
  public var description: String {
    "\(message), at byte \(byteOffset)\n\(picture)"
  }

  /// One line that states what was found and what was expected, without the position.
  ///
  /// For example: "unknown type code 'x', expected a type code".
  public var message: String { "\(reason), expected \(expected)" }

  private var foundText: String {
    let scalars = text.unicodeScalars
    let position = text.utf8.index(text.utf8.startIndex, offsetBy: byteOffset)
    return position < scalars.endIndex ? "'\(Self.printable(scalars[position]))'" : "the end of the text"
  }

  private var reason: String {
    switch code {
    case .unknownTypeCode: "unknown type code \(foundText)"
    case .unexpectedCharacter:
      byteOffset < text.utf8.count ? "unexpected \(foundText)" : "unexpected end of the text"
    case .unclosedBracket: "unclosed bracket \(foundText)"
    case .unclosedQuote: "unclosed quote \(foundText)"
    case .missingType: "missing type before \(foundText)"
    case .missingName: "missing case name before \(foundText)"
    case .missingNumber: "missing number before \(foundText)"
    case .leadingZero: "number with a leading zero"
    case .numberTooLarge: "number too large"
    case .tooDeep: "types nested too deeply"
    case .trailingText: "text after the type, which begins with \(foundText)"
    }
  }

  /// Two lines: the text, and a caret below the position. A long text is truncated on both sides of the
  /// position.
  public var picture: String {
    let scalarsShownOnEitherSide = 32
    let position = text.utf8.index(text.utf8.startIndex, offsetBy: byteOffset)
    let before = text.unicodeScalars[..<position]
    let after = text.unicodeScalars[position...]
    var line = before.count > scalarsShownOnEitherSide ? "…" : ""
    line.unicodeScalars += before.suffix(scalarsShownOnEitherSide).map(Self.printable)
    let indent = String(repeating: " ", count: line.unicodeScalars.count)
    line.unicodeScalars += after.prefix(scalarsShownOnEitherSide).map(Self.printable)
    if after.count > scalarsShownOnEitherSide { line += "…" }
    return "  \(line)\n  \(indent)^"
  }

  /// Replaces characters that could move the cursor of a terminal, because the text may be untrusted.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: scalar
    }
  }
}
