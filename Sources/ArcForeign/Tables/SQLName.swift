/// The quoting of table and column names in SQL.
package enum SQLName {
  /// Returns a name as an SQL identifier in double quotes.
  package static func quoted(_ name: String) -> String { quoted(name, "\"") }

  /// Returns a name as an SQL string literal in single quotes.
  package static func literal(_ name: String) -> String { quoted(name, "'") }

  /// Doubles each quote in a name, as SQL requires. Compares scalars, because a quote and a combining mark
  /// after it form one `Character`, which is not equal to a quote.
  private static func quoted(_ name: String, _ quote: Unicode.Scalar) -> String {
    var text = String.UnicodeScalarView([quote])
    for scalar in name.unicodeScalars {
      if scalar == quote { text.append(quote) }
      text.append(scalar)
    }
    text.append(quote)
    return String(text)
  }
}
