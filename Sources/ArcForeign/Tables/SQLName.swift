/// Names of tables and columns in SQL.
package enum SQLName {
  /// A name as an identifier.
  package static func quoted(_ name: String) -> String { quoted(name, "\"") }

  /// A name as a text.
  package static func literal(_ name: String) -> String { quoted(name, "'") }

  /// By scalars: SQL knows no other characters, and a quote with a combining mark behind it would be another
  /// character, which is not doubled.
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
