// Validating UTF-8 in strings (RFC 3629).

extension JSONScanner {
  /// Throws `invalidUTF8` unless a range of the text is valid UTF-8.
  @inline(never) func checkUTF8(_ range: Range<Int>) throws(JSONError) {
    var next = range.lowerBound
    while next < range.upperBound {
      let word = text.word(at: next)
      let high = word & 0x8080_8080_8080_8080
      if high & 0x80 == 0 {
        next += high == 0 ? 8 : high.trailingZeroBitCount / 8
        continue
      }
      guard let length = Self.length(UInt32(truncatingIfNeeded: word)), next + length <= range.upperBound
      else { throw invalidUTF8(at: next) }
      next += length
    }
  }

  /// Returns the number of bytes of a scalar outside ASCII. Nil if the bytes are not valid UTF-8. The first
  /// byte of the scalar is in the lowest bits of `bytes`.
  @inline(__always) private static func length(_ bytes: UInt32) -> Int? {
    let (first, second) = (bytes & 0xFF, bytes >> 8 & 0xFF)
    if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
      return (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ? nil : 3
    }
    if bytes & 0xC0E0 == 0x80C0 { return first < 0xC2 ? nil : 2 }
    if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
      return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90) || first > 0xF4 ? nil : 4
    }
    return nil
  }
}
