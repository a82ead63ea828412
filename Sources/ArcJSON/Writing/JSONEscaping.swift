/// The characters of strings that are escaped in addition to quotes, backslashes and control characters.
///
///     let writer = ModelWriter(escaping: .ascii)
public struct JSONEscaping: Sendable {
  /// Says of a scalar whether it is escaped, given whether one before it was shown to which it could belong;
  /// nil for none.
  let escapes: (@Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool)?

  /// No additional characters. Characters outside of ASCII are written in UTF-8.
  public static let required = JSONEscaping(escapes: nil)

  /// All characters outside of ASCII, and DEL. The text is then safe for terminals, logs and 7-bit channels.
  public static let ascii = JSONEscaping { scalar, _ in scalar.value >= 0x7F }

  /// The characters that could end a script or begin markup in a web page: `<`, `>`, `&`, `'`.
  ///
  /// The Unicode line separators are escaped as well, because older JavaScript reads them as line ends.
  public static let html = JSONEscaping { scalar, _ in
    switch scalar {
    case "<", ">", "&", "'", "\u{2028}", "\u{2029}", "\u{7F}": true
    default: false
    }
  }

  /// The characters for which a function returns true. Returns the rule.
  ///
  /// - Parameter escapes: returns whether a scalar is escaped. `isAfterShown` is true if the previous scalar
  ///   is written unescaped, so that a combining mark could join it.
  /// - Returns: the rule.
  public static func custom(
    _ escapes: @escaping @Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool
  ) -> JSONEscaping {
    JSONEscaping(escapes: escapes)
  }
}
