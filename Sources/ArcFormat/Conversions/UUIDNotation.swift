/// Converts UUIDs between their usual notation, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, and their 16 bytes in
/// archives. The bytes are stored in an integer whose lowest byte is the first byte.
package enum UUIDNotation {
  /// Converts a notation to bytes. Its letters may be uppercase or lowercase. Nil if the string is not a
  /// UUID.
  package static func bytes(_ text: String) -> UInt128? {
    var text = text
    return text.withUTF8 { unsafe bytes(Span(_unsafeElements: $0)) }
  }

  /// Converts a notation in UTF-8 to bytes. Nil if it is not a UUID.
  package static func bytes(_ text: Span<UInt8>) -> UInt128? {
    guard text.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    var count = 0
    for index in text.indices {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexDigit(text[index]) else { return nil }
      // The two digits of a byte are adjacent. The higher digit is first.
      let shift = UInt64(truncatingIfNeeded: count & 15 ^ 1) &* 4
      if count < 16 { low |= digit << shift } else { high |= digit << shift }
      count &+= 1
    }
    return UInt128(high) << 64 | UInt128(low)
  }

  private static func hexDigit(_ character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(character &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Returns the notation of 16 bytes, in uppercase.
  package static func text(_ bytes: [UInt8]) -> String {
    text(bytes.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) })
  }

  /// Returns the notation, in uppercase, of the 16 bytes of an integer. The lowest byte is the first byte.
  package static func text(_ bytes: UInt128) -> String {
    unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var (count, rest) = (0, bytes)
      func append(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      func append(digit: UInt8) {
        append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "A") &+ digit &- 10)
      }
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
        let byte = UInt8(truncatingIfNeeded: rest)
        append(digit: byte >> 4)
        append(digit: byte & 15)
        rest >>= 8
      }
      return count
    }
  }
}
