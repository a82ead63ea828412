// Writing strings, with the escapes that JSON requires and the additional escapes of the writer.

extension JSONWriter {
  /// Appends text without quotes. The text must not contain a character that must be escaped.
  mutating func append(plain text: String) {
    var text = text
    text.withUTF8Span { output.append(contentsOf: $0) }
  }

  /// Appends a string in quotes.
  mutating func append(quoted text: String) {
    var text = text
    text.withUTF8Span { append(quoted: $0) }
  }

  /// Appends a string in quotes, from its UTF-8 bytes.
  mutating func append(quoted bytes: Span<UInt8>) {
    if let escapes = escaping.escapes { return append(String(copying: bytes), escapes) }
    let plainCount = output.append(quoted: bytes)
    if plainCount < bytes.count { append(escapesOf: bytes, from: plainCount) }
  }

  /// Appends the rest of a string, beginning with the first byte that must be escaped.
  @inline(never) private mutating func append(escapesOf bytes: Span<UInt8>, from first: Int) {
    var index = first
    while index < bytes.count {
      append(escape: UInt16(bytes[index]))
      index = output.append(unescaped: bytes, from: index + 1)
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func append(
    _ text: String, _ escapes: (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool
  ) {
    output.append(UInt8(ascii: "\""))
    var isAfterShown = false
    for scalar in text.unicodeScalars {
      let mustBe = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustBe || escapes(scalar, isAfterShown) {
        for unit in scalar.utf16 { append(escape: unit) }
        isAfterShown = false
      } else {
        for byte in scalar.utf8 { output.append(byte) }
        isAfterShown = true
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends the escape of a UTF-16 code unit.
  private mutating func append(escape unit: UInt16) {
    output.append(UInt8(ascii: "\\"))
    switch unit {
    case 0x22, 0x5C: output.append(UInt8(unit))
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x09: output.append(UInt8(ascii: "t"))
    default:
      output.append(UInt8(ascii: "u"))
      for shift in stride(from: 12, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
