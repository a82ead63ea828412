// Appending numbers as digits.

extension JSONByteBuffer {
  @inline(__always) mutating func append(decimal value: UInt64) {
    if value < 100_000_000 { append(upToEightDigitsOf: value) } else { append(long: value) }
  }

  @inline(never) private mutating func append(long value: UInt64) {
    let (first, rest) = value.quotientAndRemainder(dividingBy: 100_000_000)
    // Nine digits are more frequent than larger counts, for example in identifiers.
    if first < 10 { append(UInt8(truncatingIfNeeded: first) | 0x30) } else { append(decimal: first) }
    append(Self.eightDigits(rest) | Self.zeros, byteCount: 8)
  }

  @inline(__always) private mutating func append(upToEightDigitsOf value: UInt64) {
    let digits = Self.eightDigits(value)
    let leadingCount = value == 0 ? 7 : digits.trailingZeroBitCount >> 3
    append((digits | Self.zeros) >> UInt64(leadingCount * 8), byteCount: 8 - leadingCount)
  }

  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns the digits of a number below 10^8, one digit per byte. The first digit is in the lowest byte.
  ///
  /// Splits the digits into halves three times: eight digits, then four, then two. All parts are in one word.
  /// For such small numbers, multiplying by 10486 / 2^20 is equal to dividing by 100, and multiplying by 103
  /// / 2^10 is equal to dividing by 10.
  @inline(__always) private static func eightDigits(_ value: UInt64) -> UInt64 {
    let fours = (value / 10_000) | (value % 10_000) << 32
    let upper = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let pairs = upper | (fours &- upper &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// Appends the shortest decimal number that a reader converts to the same `Double`. If several decimal
  /// numbers are equally short, appends the nearest of them. The text equals `value.description`. Returns
  /// false and appends nothing if the number is outside the range of this algorithm.
  ///
  /// The number is *m* / 2^*k*. A reader converts a decimal to this number if their distance is less than 1 /
  /// 2^(*k* + 1). Let 10^-*n* be the first power of ten below 1 / 2^*k*. In units of 10^-*n*, the interval of
  /// these decimals is 1 to 10 units wide. So it contains at most one multiple of ten units. This multiple
  /// has the fewest digits. If there is none, the nearest unit is used. The computation is exact in 64 bits
  /// if *k* is at most 59, which includes numbers from 2^-7 on. *k* is positive, so fewer than 17 digits are
  /// before the point.
  @inline(__always) mutating func append(shortest value: Double) -> Bool {
    let bits = value.bitPattern
    if bits << 1 == 0 {
      if bits != 0 { append(UInt8(ascii: "-")) }
      append(0x30_2E30, byteCount: 3)
      return true
    }
    let k = 1075 &- Int(bits >> 52 & 0x7FF)
    guard k >= 1, k <= 59 else { return false }
    // The least integer above k · log10(2), which is never an integer itself.
    let fractionDigitCount = (k &* 78_913) >> 18 &+ 1
    let power = DecimalDigits.powersOfTen[fractionDigitCount]
    let m = bits & 0xF_FFFF_FFFF_FFFF | 1 << 52
    let product = (m << 1).multipliedFullWidth(by: power)
    let shift = UInt64(truncatingIfNeeded: k &+ 1)
    // In parts of 2^-shift units: the distance above the last whole unit, and the distance above the last
    // multiple of ten.
    var units = product.high &<< (64 &- shift) | product.low &>> shift
    let rest = product.low & (1 &<< shift &- 1)
    let lastDigit = units % 10
    let above = lastDigit &<< shift &+ rest
    let below = 10 &<< shift &- above
    // If two numbers are equally near to a decimal, the number with an even *m* is read.
    let reach = m & 1 == 0 ? power : power &- 1
    if above <= reach {
      units &-= lastDigit
    } else if below <= reach {
      units &+= 10 &- lastDigit
    } else {
      let half = 1 &<< (shift &- 1)
      if rest > half || rest == half && units & 1 == 1 { units &+= 1 }
    }
    if bits >> 63 == 1 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: power)
    append(decimal: whole)
    append(UInt8(ascii: "."))
    append(fractionOf18Digits: fraction &* DecimalDigits.powersOfTen[18 &- fractionDigitCount])
    return true
  }

  /// Appends a fraction of 18 digits without its trailing zeros, but at least one digit.
  @inline(__always) private mutating func append(fractionOf18Digits fraction: UInt64) {
    let (first, rest) = fraction.quotientAndRemainder(dividingBy: 10_000_000_000)
    if rest == 0 { return append(upToLastOf: Self.eightDigits(first), atLeast: 1) }
    append(Self.eightDigits(first) | Self.zeros, byteCount: 8)
    let (second, third) = rest.quotientAndRemainder(dividingBy: 100)
    if third == 0 { return append(upToLastOf: Self.eightDigits(second), atLeast: 0) }
    append(Self.eightDigits(second) | Self.zeros, byteCount: 8)
    append(upToLastOf: Self.eightDigits(third &* 1_000_000), atLeast: 0)
  }

  /// Appends eight digits without their trailing zeros, but at least `count` digits.
  @inline(__always) private mutating func append(upToLastOf digits: UInt64, atLeast count: Int) {
    append(digits | Self.zeros, byteCount: max(8 &- digits.leadingZeroBitCount >> 3, count))
  }

  /// Appends `value.description` for a finite number: the fewest digits that represent the number.
  mutating func append(description value: Double) {
    var digits = NumberText()
    value.write(to: &digits)
    append(UInt64(littleEndian: digits.words.0), byteCount: min(digits.count, 8))
    append(UInt64(littleEndian: digits.words.1), byteCount: min(max(digits.count - 8, 0), 8))
    append(UInt64(littleEndian: digits.words.2), byteCount: min(max(digits.count - 16, 0), 8))
    append(UInt64(littleEndian: digits.words.3), byteCount: min(max(digits.count - 24, 0), 8))
  }
}

/// The description of a `Double`, stored without a heap allocation. It has at most 24 bytes.
private struct NumberText: TextOutputStream {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var count = 0

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { unsafe _writeASCII($0) }
  }

  /// Appends ASCII characters. The standard library calls this method instead of `write` for characters that
  /// are not in a `String`.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      // This does not happen, because no description has more than 32 bytes.
      guard buffer.count <= bytes.count - count else { return }
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: .init(buffer))
      count += buffer.count
    }
  }
}
