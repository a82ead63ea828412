/// Conversions of eight decimal digits at once, in a word of 64 bits, and powers of ten.
enum DecimalDigits {
  /// The powers of ten up to 18.
  static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
  ]

  /// Whether all eight bytes of a word are decimal digits.
  @inline(__always) static func areEight(_ word: UInt64) -> Bool {
    ((word &+ 0x4646_4646_4646_4646) | (word &- 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the number with eight digits, whose first digit is in the lowest byte. Adjacent digits are
  /// joined to numbers of two digits, then of four, then of eight.
  @inline(__always) static func number(ofEight word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF
  }
}
