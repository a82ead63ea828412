/// The apostrophe that `arcdump export --format csv` inserts before text that a spreadsheet could read as a
/// formula, and that an import removes.
package enum FormulaGuard {
  /// Whether a spreadsheet may read a string as a formula, because of its first character. Full-width forms
  /// of the signs are included, because some spreadsheets accept them. Also true for a string that begins
  /// with an apostrophe, so that a reader restores every string by removing the guard.
  package static func isNeeded(atStartOf text: Substring.UTF8View) -> Bool {
    guard let first = text.first else { return false }
    return "\t\r\n".utf8.contains(first) || startsWithSign(text)
  }

  /// Whether a spreadsheet may read `rest` as a formula. `rest` follows a semicolon, a tab or an end of line
  /// in a string, because some programs split fields at these characters. If `rest` begins with quotes, the
  /// first character after the quotes decides.
  package static func isNeeded(inside rest: Substring.UTF8View) -> Bool {
    let isQuoted = rest.first == UInt8(ascii: "\"")
    return startsWithSign(isQuoted ? rest.drop { $0 == UInt8(ascii: "\"") } : rest)
  }

  private static func startsWithSign(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first else { return false }
    if first < 0x80 { return "=+-@'".utf8.contains(first) }
    // The same signs as full-width characters, which some spreadsheets accept too.
    return ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains { text.starts(with: $0.utf8) }
  }

  /// Returns a string without its guards. Nil if it has none.
  ///
  /// - Complexity: O(bytes).
  package static func removed(from text: String) -> String? {
    let apostrophe = UInt8(ascii: "'")
    // Most fields have no apostrophe.
    guard text.utf8.contains(apostrophe) else { return nil }
    var rest = text.utf8[...]
    var result: [UInt8] = []
    if rest.first == apostrophe, isNeeded(atStartOf: rest.dropFirst()) { rest.removeFirst() }
    while let byte = rest.popFirst() {
      result.append(byte)
      if ";\t\r\n".utf8.contains(byte), rest.first == apostrophe, isNeeded(inside: rest.dropFirst()) {
        rest.removeFirst()
      }
    }
    return result.count == text.utf8.count ? nil : String(decoding: result, as: UTF8.self)
  }
}
