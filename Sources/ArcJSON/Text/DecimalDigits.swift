/// Conversions of eight decimal digits at once, in a 64-bit word. Also contains powers of ten.
enum DecimalDigits {
  /// The powers of ten from 10^0 to 10^18, by exponent.
  static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
  ]

  /// Whether all eight bytes of a word are decimal digits.
  @inline(__always) static func areEight(_ word: UInt64) -> Bool {
    ((word &+ 0x4646_4646_4646_4646) | (word &- 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080 == 0
  }

  /// Converts eight digits to a number. The first digit is in the lowest byte of the word. Adjacent digits
  /// are combined to numbers of two digits, then of four digits, and then of eight digits.
  @inline(__always) static func number(ofEight word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF
  }
}
