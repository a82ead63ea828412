import ArcFormat

/// An encoding of the text of a table.
///
///     let options = TableOptions(encoding: .windows1252)
///
/// A byte order mark at the start of a file states UTF-8 or UTF-16. Without a mark, a table is UTF-8, unless
/// the options state another encoding.
public enum TableEncoding: String, CaseIterable, Sendable {
  /// UTF-8.
  case utf8 = "utf-8"
  /// UTF-16 in which the low byte of each unit comes first, as Windows writes it.
  case utf16LittleEndian = "utf-16le"
  /// UTF-16 in which the high byte of each unit comes first.
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1, in which each byte is the character with the same number.
  case latin1 = "latin-1"
  /// Windows-1252: Latin-1 with printable characters, such as `€`, from 0x80 to 0x9F.
  case windows1252 = "windows-1252"

  /// The encoding that the byte order mark of a file states, and the number of bytes of the mark. Nil if the
  /// file has no mark.
  static func mark(of bytes: [UInt8]) -> (encoding: TableEncoding, byteCount: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  /// The characters of Windows-1252 from 0x80 to 0x9F. Nil for bytes without a character.
  private static let windowsCharacters: [UInt16?] = [
    0x20AC, nil, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, nil,
    0x017D, nil, nil, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, nil, 0x017E, 0x0178,
  ]

  /// Returns the character of a byte in an encoding with one byte per character. Nil if there is none.
  func character(_ byte: UInt8) -> Unicode.Scalar? {
    guard self == .windows1252, 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return Self.windowsCharacters[Int(byte) - 0x80].flatMap { Unicode.Scalar($0) }
  }
}
