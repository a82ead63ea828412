// Numbers of a document, as values of Swift.

extension JSONDocument {
  /// The number of an entry as an integer of 64 bits, if it is one; nil for any other number.
  package func integer(at index: Int) -> Int64? {
    let word = words[index]
    // Eighteen digits always fit.
    guard word.kind == .integer, word.length <= 18 else { return exactNumber(at: index).integer() }
    var offset = word.offset
    let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var digits: UInt64 = 0
    appendDigits(&offset, upTo: word.offset + word.length, to: &digits)
    return isNegative ? -Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
  }

  /// Appends the digits before an offset, or before what is no digit, to a number, without a look at how
  /// large it becomes.
  @inline(__always) private func appendDigits(_ offset: inout Int, upTo end: Int, to digits: inout UInt64) {
    while end &- offset >= 8, case let word = text.word(at: offset), DecimalDigits.areEight(word) {
      digits = digits &* 100_000_000 &+ DecimalDigits.number(ofEight: word)
      offset &+= 8
    }
    while offset < end, case let digit = text.byte(at: offset) &- UInt8(ascii: "0"), digit < 10 {
      digits = digits &* 10 &+ UInt64(digit)
      offset &+= 1
    }
  }

  /// The number of an entry with all its digits.
  package func exactNumber(at index: Int) -> JSONNumber { JSONNumber(checked: string(at: index)) }

  /// The number of an entry as the nearest one of 64 bits; nil if that is infinite.
  package func double(at index: Int) -> Double? {
    exactDouble(at: index) ?? exactNumber(at: index).double
  }

  /// The nearest number to one of at most 19 digits without an exponent; nil for any other.
  private func exactDouble(at index: Int) -> Double? {
    let word = words[index]
    // With a sign and a point.
    guard word.length <= 21 else { return nil }
    let end = word.offset + word.length
    var offset = word.offset
    let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var digits: UInt64 = 0
    var point = end
    guard end - offset <= 20 else { return nil }
    appendDigits(&offset, upTo: end, to: &digits)
    if offset < end, text.byte(at: offset) == UInt8(ascii: ".") {
      offset += 1
      point = offset
      appendDigits(&offset, upTo: end, to: &digits)
    }
    // With an exponent.
    guard offset == end else { return nil }
    // Twenty digits are too many for 64 bits; with a point there are at most 19.
    guard point < end || end - word.offset <= 19 else { return nil }
    let places = end - point
    let value: Double
    if digits <= 1 << 53, places <= 22 {
      // Of two exact numbers: the rounding is that of one operation, and so right.
      value = Double(digits) / Self.powersOfTen[places]
    } else if places <= 18 {
      value = Self.quotient(digits, places)
    } else {
      return nil
    }
    return isNegative ? -value : value
  }

  /// The nearest number to digits that are not 0, with up to 18 of them behind the point.
  private static func quotient(_ digits: UInt64, _ places: Int) -> Double {
    let shift = digits.leadingZeroBitCount
    let (quotient, remainder) = (UInt128(digits << UInt64(shift)) << 63).quotientAndRemainder(
      dividingBy: UInt128(integerPowersOfTen[places]))
    // The numerator has 127 bits and the divisor at most 60: there are more bits than the 64 that are kept.
    // The last of these says whether anything but 0 follows; then rounding them to 53 is right.
    let dropped = 64 - quotient.leadingZeroBitCount
    let kept = UInt64(truncatingIfNeeded: quotient >> UInt128(dropped))
    let isExact = remainder == 0 && UInt128(kept) << UInt128(dropped) == quotient
    return Double(sign: .plus, exponent: dropped - 63 - shift, significand: Double(isExact ? kept : kept | 1))
  }

  /// The powers of ten up to 18.
  private static let integerPowersOfTen: [UInt64] = (0...18).map { count in
    (0..<count).reduce(1) { power, _ in power * 10 }
  }

  /// The powers of ten that are exact in 64 bits.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]
}
