// Numbers as digits.

extension JSONByteBuffer {
  /// Appends the digits of a number.
  @inline(__always) mutating func append(decimal value: UInt64) {
    if value < 100_000_000 { append(upToEightDigitsOf: value) } else { append(long: value) }
  }

  @inline(never) private mutating func append(long value: UInt64) {
    append(decimal: value / 100_000_000)
    append(Self.eightDigits(value % 100_000_000) | Self.zeros, byteCount: 8)
  }

  @inline(__always) private mutating func append(upToEightDigitsOf value: UInt64) {
    let digits = Self.eightDigits(value)
    let leadingCount = value == 0 ? 7 : digits.trailingZeroBitCount >> 3
    append((digits | Self.zeros) >> UInt64(leadingCount * 8), byteCount: 8 - leadingCount)
  }

  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The digits of a number below 10^8, as numbers, the first in the lowest byte.
  ///
  /// Splits the number into halves three times, all parts at once; multiplying by 10486 / 2^20 and by
  /// 103 / 2^10 divides numbers so small by 100 and by 10.
  @inline(__always) private static func eightDigits(_ value: UInt64) -> UInt64 {
    let fours = (value / 10_000) | (value % 10_000) << 32
    let upper = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let pairs = upper | (fours &- upper &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// Appends a floating-point number that has at most six digits behind the point and fifteen in all, as its
  /// description is; returns false for any other.
  ///
  /// Two different numbers of at most fifteen digits are never the same `Double`. So if the division gives
  /// the number again, no shorter notation does.
  mutating func append(short value: Double) -> Bool {
    let scaled = (value * 1e6).rounded()
    // Of the description of one below 1e-4, the digits have an exponent.
    guard scaled.magnitude < 1e15, scaled / 1e6 == value, scaled.magnitude >= 100 || scaled == 0,
      scaled != 0 || value.sign == .plus
    else { return false }
    if scaled < 0 { append(UInt8(ascii: "-")) }
    let number = UInt64(scaled.magnitude)
    append(decimal: number / 1_000_000)
    let fraction = number % 1_000_000
    let digits = Self.eightDigits(fraction * 100)
    // The bytes up to the last digit that is not 0, at least one.
    let digitCount = fraction == 0 ? 1 : 8 - digits.leadingZeroBitCount >> 3
    append(UInt8(ascii: "."))
    append(digits | Self.zeros, byteCount: digitCount)
    return true
  }

  /// Appends the digits of a finite number that tell it from all others, as its description has them.
  mutating func append(description value: Double) {
    var digits = NumberText()
    value.write(to: &digits)
    append(UInt64(littleEndian: digits.words.0), byteCount: min(digits.count, 8))
    append(UInt64(littleEndian: digits.words.1), byteCount: min(max(digits.count - 8, 0), 8))
    append(UInt64(littleEndian: digits.words.2), byteCount: min(max(digits.count - 16, 0), 8))
    append(UInt64(littleEndian: digits.words.3), byteCount: min(max(digits.count - 24, 0), 8))
  }
}

/// The description of a number, without memory of its own: of a `Double` it has at most 24 bytes.
private struct NumberText: TextOutputStream {
  /// The bytes as they are in memory.
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var count = 0

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { unsafe _writeASCII($0) }
  }

  /// What the standard library calls for a text that it has no string of.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      // No description is longer than there is room.
      guard buffer.count <= bytes.count - count else { return }
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: .init(buffer))
      count += buffer.count
    }
  }
}
