// Fast conversions of numbers with few digits.

extension JSONText {
  /// Appends the digits at an offset to a number, and moves the offset after the digits. Does not check for
  /// overflow.
  @inline(__always) func appendDigits(_ offset: inout Int, to digits: inout UInt64) {
    while case let word = word(at: offset), DecimalDigits.areEight(word) {
      digits = digits &* 100_000_000 &+ DecimalDigits.number(ofEight: word)
      offset &+= 8
    }
    while case let digit = byte(at: offset) &- UInt8(ascii: "0"), digit < 10 {
      digits = digits &* 10 &+ UInt64(digit)
      offset &+= 1
    }
  }

  /// Returns the `Double` nearest to the number at an offset, and the offset after the number. Nil if the
  /// number is not valid, has an exponent, or has more than 19 digits.
  @inline(__always) func shortNumber(at start: Int) -> (value: Double, end: Int)? {
    var offset = start
    let isNegative = byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset &+= 1 }
    let first = offset
    var digits: UInt64 = 0
    appendDigits(&offset, to: &digits)
    var count = offset &- first
    guard count > 0, count == 1 || byte(at: first) != UInt8(ascii: "0") else { return nil }
    var fractionDigitCount = 0
    if byte(at: offset) == UInt8(ascii: ".") {
      let point = offset &+ 1
      offset = point
      appendDigits(&offset, to: &digits)
      fractionDigitCount = offset &- point
      count &+= fractionDigitCount
      guard fractionDigitCount > 0 else { return nil }
    }
    // A number of twenty digits might not fit in 64 bits.
    guard count <= 19, byte(at: offset) | 0x20 != UInt8(ascii: "e") else { return nil }
    // Both operands are exact, so the only rounding is by the division, and is correct. At most 18 digits are
    // after the point.
    let value =
      digits <= 1 << 53
      ? Double(digits) / Self.powersOfTen[fractionDigitCount] : Self.quotient(digits, fractionDigitCount)
    return (isNegative ? -value : value, offset)
  }

  /// Returns the `Double` nearest to a number. `digits` contains the digits of the number, and must not be 0.
  /// The last `fractionDigitCount` digits, at most 18, are after the decimal point.
  private static func quotient(_ digits: UInt64, _ fractionDigitCount: Int) -> Double {
    let shift = digits.leadingZeroBitCount
    let (quotient, remainder) = (UInt128(digits << UInt64(shift)) << 63).quotientAndRemainder(
      dividingBy: UInt128(DecimalDigits.powersOfTen[fractionDigitCount]))
    // The numerator has 127 bits and the divisor at most 60, so the quotient has more than the 64 bits that
    // are used. The last of these bits is set if a nonzero part was dropped. So rounding the 64 bits to 53 is
    // correct.
    let dropped = 64 - quotient.leadingZeroBitCount
    let significand = UInt64(truncatingIfNeeded: quotient >> UInt128(dropped))
    let isExact = remainder == 0 && UInt128(significand) << UInt128(dropped) == quotient
    return Double(
      sign: .plus, exponent: dropped - 63 - shift,
      significand: Double(isExact ? significand : significand | 1))
  }

  /// The powers of ten from 10^0 to 10^18, by exponent. A `Double` represents each of them exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  ]
}
