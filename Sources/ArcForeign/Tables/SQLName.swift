/// The quoting of table and column names in SQL.
package enum SQLName {
  /// Returns a name as an SQL identifier in double quotes.
  package static func quoted(_ name: String) -> String { quoted(name, "\"") }

  /// Returns a name as an SQL string literal in single quotes.
  package static func literal(_ name: String) -> String { quoted(name, "'") }

  /// Doubles quotes by scalar, as SQL does. As a `Character`, a quote followed by a combining mark would
  /// differ from a quote, and would not be doubled.
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
