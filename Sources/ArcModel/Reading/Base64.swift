/// Decodes data from base64 text (RFC 4648).
enum Base64 {
  /// Returns the bytes of a base64 string in the standard or the URL-safe alphabet. Padding and line breaks
  /// are optional. Returns nil if the string is not valid base64.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, bitCount, paddingCount, digitCount): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "="): paddingCount += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      default:
        guard paddingCount == 0, let digit = digit(character) else { return nil }
        digitCount += 1
        bits = bits << 6 | UInt32(digit)
        bitCount += 6
        if bitCount >= 8 {
          bitCount -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
          bits &= (1 << UInt32(bitCount)) - 1
        }
      }
    }
    let isWhole = paddingCount == 0 || (digitCount + paddingCount) % 4 == 0 && paddingCount <= 2
    // A single digit has too few bits for a byte, and unused bits after the last byte must be zero.
    return isWhole && digitCount % 4 != 1 && bits == 0 ? bytes : nil
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
