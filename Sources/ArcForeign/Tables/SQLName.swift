/// Names of tables and columns in SQL.
package enum SQLName {
  /// A name as an identifier.
  package static func quoted(_ name: String) -> String { quoted(name, "\"") }

  /// A name as a text.
  package static func literal(_ name: String) -> String { quoted(name, "'") }

  private static func quoted(_ name: String, _ quote: String) -> String {
    quote + name.split(separator: quote, omittingEmptySubsequences: false).joined(separator: quote + quote)
      + quote
  }
}
