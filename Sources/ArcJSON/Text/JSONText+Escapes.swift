// Strings with escapes.

extension JSONText {
  /// Returns the string in a range of the text. The range must be a validated string with escapes.
  func unescaped(_ range: Range<Int>) -> String {
    String(decoding: unescapedBytes(range), as: UTF8.self)
  }

  /// Returns the UTF-8 bytes of the string in a range of the text. The range must be a validated string with
  /// escapes.
  @usableFromInline func unescapedBytes(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var scanner = JSONScanner(self, at: range.lowerBound)
    while scanner.offset < range.upperBound {
      let byte = scanner.byte
      scanner.offset += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let kind = scanner.byte
      scanner.offset += 1
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        // The escape is valid, because the scanner checked it before.
        if let scalar = try? scanner.scalarOfEscape() { result += Array(String(scalar).utf8) }
      default: result.append(kind)
      }
    }
    return result
  }
}
