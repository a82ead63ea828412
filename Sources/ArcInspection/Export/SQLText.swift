import ArcArchive
import ArcFormat

/// Writes the cells of exported rows as literals of SQLite's SQL.
enum SQLText {
  /// Returns a cell as a literal.
  static func literal(_ cell: ArchiveValue) -> String {
    var bytes: [UInt8] = []
    append(cell, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a cell as a literal. Infinities are `9e999`, which SQLite reads as infinity. Some characters,
  /// such as U+0000, could control a terminal or end a statement. A string with such characters is written as
  /// a cast of its UTF-8 bytes.
  static func append(_ cell: ArchiveValue, to bytes: inout [UInt8]) {
    switch SQLValue(cell) {
    case .null: bytes += "NULL".utf8
    case .integer(let number): bytes += String(number).utf8
    case .real(let number):
      bytes += (number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description).utf8
    case .text(let text): append(text, to: &bytes)
    case .blob(let data): appendBlob(data, to: &bytes)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isPlain || isShown(text) { return quote(text, to: &bytes) }
    bytes += "CAST(".utf8
    appendBlob(Array(text.utf8), to: &bytes)
    bytes += " AS TEXT)".utf8
  }

  /// Whether a literal can contain a string unchanged. True if each character is printable, an end of line or
  /// a tab.
  private static func isShown(_ text: String) -> Bool {
    var filter = PrintableFilter()
    return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || filter.shows($0) }
  }

  private static func quote(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "'"))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "'"))
  }

  private static func appendBlob(_ data: [UInt8], to bytes: inout [UInt8]) {
    bytes += "X'".utf8
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in data {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    bytes.append(UInt8(ascii: "'"))
  }
}
