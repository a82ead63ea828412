/// Digits in a word, eight at a time.
enum DecimalDigits {
  /// Whether all eight bytes of a word are digits.
  @inline(__always) static func areEight(_ word: UInt64) -> Bool {
    ((word &+ 0x4646_4646_4646_4646) | (word &- 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080 == 0
  }

  /// The number that eight digits stand for, the first in the lowest bits.
  @inline(__always) static func number(ofEight word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    // Pairs, then fours, then eight.
    let pairs = (digits &* 10) &+ (digits >> 8)
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    return (((pairs & mask) &* 0x000F_4240_0000_0064) &+ (((pairs >> 16) & mask) &* 0x0000_2710_0000_0001))
      >> 32
  }
}
