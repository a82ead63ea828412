/// Tells why and where a text is not a type encoding or a property attribute string.
///
///     unknown type code 'x', expected a type code, at byte 3
///       {S=x}
///          ^
public struct TypeEncodingError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// A character that starts no type is where a type must start.
    case unknownTypeCode
    /// A character is where the form that was begun needs another.
    case unexpectedCharacter
    /// A bracket is not closed before the end; the position is that of the bracket.
    case unclosedBracket
    /// A quote is not closed before the end; the position is that of the quote.
    case unclosedQuote
    /// A form of Arc's extension lacks the type that it is made of.
    case missingType
    /// A case of an enumeration lacks its name.
    case missingName
    /// A bit-field or vector lacks a number.
    case missingNumber
    /// A number starts with a needless zero, which no compiler writes and which would not print back.
    case leadingZero
    /// A number does not fit into 64 bits.
    case numberTooLarge
    /// Types are nested deeper than ``TypeEncoding/maximumDepth``.
    case tooDeep
    /// The type ends before the text does.
    case trailingText
  }

  /// One pointer: the parser's functions reserve stack for an error each, at every level of a nested type.
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

  /// Makes an error; an offset outside the text is moved to the nearer end of it.
  package init(code: Code, text: String, byteOffset: Int, expected: String) {
    contents = Contents(
      code: code, text: text, byteOffset: min(max(byteOffset, 0), text.utf8.count), expected: expected)
  }

  /// The kind of failure.
  public var code: Code { contents.code }
  /// The whole text that was read.
  public var text: String { contents.text }
  /// The position of the failure in the text, as an offset in UTF-8 bytes.
  public var byteOffset: Int { contents.byteOffset }
  /// What would have been right, in words.
  public var expected: String { contents.expected }

  /// Whether both report the same failure at the same position of the same text.
  public static func == (a: Self, b: Self) -> Bool {
    a.code == b.code && a.byteOffset == b.byteOffset && a.text == b.text && a.expected == b.expected
  }

  /// Feeds kind, position and text into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(byteOffset)
    hasher.combine(text)
  }
}

extension TypeEncodingError: CustomStringConvertible {
  /// One line that says what was found and expected, then the text with a caret below the position.
  public var description: String {
    "\(message), at byte \(byteOffset)\n\(picture)"
  }

  /// What was found and expected, on one line without the position: "unknown type code 'x', expected a type
  /// code".
  public var message: String { "\(reason), expected \(expected)" }

  private var found: String {
    let scalars = text.unicodeScalars
    let place = text.utf8.index(text.utf8.startIndex, offsetBy: byteOffset)
    return place < scalars.endIndex ? "'\(Self.printable(scalars[place]))'" : "the end"
  }

  private var reason: String {
    switch code {
    case .unknownTypeCode: "unknown type code \(found)"
    case .unexpectedCharacter: "unexpected \(found)"
    case .unclosedBracket: "bracket \(found) is never closed"
    case .unclosedQuote: "quote \(found) is never closed"
    case .missingType: "missing type before \(found)"
    case .missingName: "missing case name before \(found)"
    case .missingNumber: "missing number before \(found)"
    case .leadingZero: "number with a leading zero"
    case .numberTooLarge: "number too large"
    case .tooDeep: "types nested too deeply"
    case .trailingText: "text behind the type, starting with \(found)"
    }
  }

  /// Two lines: the text, and a caret below the position; of a long text, only what surrounds the position.
  public var picture: String {
    let scalarsShownOnEitherSide = 32
    let place = text.utf8.index(text.utf8.startIndex, offsetBy: byteOffset)
    let before = text.unicodeScalars[..<place]
    let after = text.unicodeScalars[place...]
    var line = before.count > scalarsShownOnEitherSide ? "…" : ""
    line.unicodeScalars += before.suffix(scalarsShownOnEitherSide).map(Self.printable)
    let indent = String(repeating: " ", count: line.unicodeScalars.count)
    line.unicodeScalars += after.prefix(scalarsShownOnEitherSide).map(Self.printable)
    if after.count > scalarsShownOnEitherSide { line += "…" }
    return "  \(line)\n  \(indent)^"
  }

  /// The text may be a stranger's: what could move a terminal's cursor is not printed.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: scalar
    }
  }
}
