/// Digits in a word, eight at a time.
enum DecimalDigits {
  /// Whether all eight bytes of a word are digits.
  @inline(__always) static func areEight(_ word: UInt64) -> Bool {
    ((word &+ 0x4646_4646_4646_4646) | (word &- 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080 == 0
  }
}
