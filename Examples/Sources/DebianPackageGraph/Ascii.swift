/// The ASCII characters in the grammars of control files.
enum Ascii {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let minus = UInt8(ascii: "-")
  static let colon = UInt8(ascii: ":")

  /// Whether the byte is a space or a tab.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  /// Whether the byte is a space, a tab or a line end.
  static func isWhitespace(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == newline || byte == carriageReturn
  }

  /// Whether the byte is printable and not a space, as in field names (Debian Policy 5.1).
  static func isPrintable(_ byte: UInt8) -> Bool {
    (33...126).contains(byte)
  }

  /// Whether the name of a package or an architecture may contain the byte.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      return true
    default:
      return false
    }
  }
}
