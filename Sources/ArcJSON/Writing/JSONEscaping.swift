/// Which characters of strings are written as escapes, besides those that must be: quotes, backslashes and
/// control characters.
public struct JSONEscaping: Sendable {
  /// Says of a scalar whether it is escaped, given whether one before it was shown to which it could belong;
  /// nil for none.
  let escapes: (@Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool)?

  /// None: all that is not ASCII is written in UTF-8.
  public static let required = JSONEscaping(escapes: nil)

  /// All that is not ASCII. Such text does nothing to a terminal, a log or a channel of seven bits.
  public static let ascii = JSONEscaping { scalar, _ in scalar.value >= 0x7F }

  /// What could end a script in a page or begin markup: `<`, `>`, `&`, `'`, and the line separators of
  /// Unicode, which older JavaScript takes for ends of lines.
  public static let html = JSONEscaping { scalar, _ in
    switch scalar {
    case "<", ">", "&", "'", "\u{2028}", "\u{2029}", "\u{7F}": true
    default: false
    }
  }

  /// What a rule of one's own says.
  ///
  /// - Parameter escapes: says of a scalar whether it is escaped; `isAfterShown` is whether the scalar before
  ///   it is there and is shown, so that a combining mark can join it.
  /// - Returns: the rule.
  public static func custom(
    _ escapes: @escaping @Sendable (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool
  ) -> JSONEscaping {
    JSONEscaping(escapes: escapes)
  }
}
