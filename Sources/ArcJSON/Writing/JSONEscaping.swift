/// The characters of strings that are escaped in addition to quotes, backslashes and control characters.
///
///     let writer = ModelWriter(escaping: .ascii)
public struct JSONEscaping: Sendable {
  /// A function that returns whether a scalar is escaped. `isAfterShown` is true if the previous scalar is
  /// written unescaped. The function is nil if no additional characters are escaped.
  let escapes: (@Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool)?
  /// The predefined escaping. Nil for a function of the program, which cannot be compared.
  package let predefined: Predefined?

  /// The predefined escapings.
  package enum Predefined: Hashable, Sendable {
    case required, ascii, html
  }

  private init(
    _ predefined: Predefined? = nil,
    escapes: (@Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool)?
  ) {
    self.escapes = escapes
    self.predefined = predefined
  }

  /// Escapes only quotes, backslashes and control characters. Characters outside ASCII are written in UTF-8.
  public static let required = JSONEscaping(.required, escapes: nil)

  /// Escapes DEL and all characters outside ASCII.
  ///
  /// The resulting text is safe for terminals, logs and 7-bit channels.
  public static let ascii = JSONEscaping(.ascii) { scalar, _ in scalar.value >= 0x7F }

  /// Escapes characters that could end a script or begin markup in a web page.
  ///
  /// These characters are `<`, `>`, `&`, `'` and DEL. The Unicode line separators U+2028 and U+2029 are also
  /// escaped, because older JavaScript reads them as line ends.
  public static let html = JSONEscaping(.html) { scalar, _ in
    switch scalar {
    case "<", ">", "&", "'", "\u{2028}", "\u{2029}", "\u{7F}": true
    default: false
    }
  }

  /// Returns an escaping that escapes the characters that a function selects.
  ///
  /// Quotes, backslashes and control characters are always escaped.
  ///
  /// - Parameter escapes: returns whether a Unicode scalar is escaped. The argument `isAfterShown` is true if
  ///   the previous scalar is written without an escape. In this case, a combining mark without an escape
  ///   would join the previous scalar.
  /// - Returns: the escaping.
  public static func custom(
    _ escapes: @escaping @Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool
  ) -> JSONEscaping {
    JSONEscaping(escapes: escapes)
  }
}
