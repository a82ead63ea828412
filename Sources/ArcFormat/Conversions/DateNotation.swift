/// Converts points in time between ISO 8601 notation, `2026-11-22T16:45:24.5Z`, and the form in archives:
/// seconds since 2001-01-01 00:00:00 UTC.
package enum DateNotation {
  private static let secondsPerDay = 86_400
  /// The number of seconds from 1970-01-01 00:00:00 UTC to 2001-01-01 00:00:00 UTC.
  package static let secondsFrom1970 = 978_307_200.0

  /// Converts a notation with date, time and offset to seconds since 2001. Nil if the string is not such a
  /// notation.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { unsafe seconds(Span(_unsafeElements: $0)) }
  }

  /// Converts a notation in UTF-8 to seconds since 2001. Nil if the bytes are not such a notation.
  package static func seconds(_ bytes: Span<UInt8>) -> Double? {
    var scanner = DateScanner()
    guard let year = scanner.number(4, bytes), scanner.take("-", bytes),
      let month = scanner.number(2, bytes), scanner.take("-", bytes), let day = scanner.number(2, bytes),
      scanner.take("T", bytes) || scanner.take("t", bytes) || scanner.take(" ", bytes),
      let hour = scanner.number(2, bytes), scanner.take(":", bytes),
      let minute = scanner.number(2, bytes), scanner.take(":", bytes),
      let second = scanner.number(2, bytes), let fraction = fraction(&scanner, bytes),
      let offset = offset(&scanner, bytes), scanner.offset == bytes.count,
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
    else { return nil }
    let whole = date.daysSince2001 * secondsPerDay + hour * 3600 + minute * 60 + second - offset
    return fraction.digits == 0 ? Double(whole) : nearest(whole, fraction)
  }

  /// Returns the floating-point number that is nearest to the exact sum of whole seconds and a fraction.
  /// Adding two rounded numbers might return a different number.
  private static func nearest(_ whole: Int, _ fraction: Fraction) -> Double? {
    let scale = fraction.scale
    let sum = Int128(whole) * scale + fraction.digits
    // The quotient of two exact numbers is rounded only once.
    if sum.magnitude < 1 << 53, scale < 1 << 53 { return Double(Int64(sum)) / Double(Int64(scale)) }
    let (quotient, remainder) = sum.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
    let text = "\(quotient).\(padded(remainder, to: fraction.digitCount))"
    return Double(sum < 0 ? "-" + text : text)
  }

  /// Returns the notation, in UTC, of a number of seconds. Nil if the year has more than four digits. Also
  /// nil if the exact notation needs more than nine digits after the point.
  package static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    if whole == seconds { return text(Int(whole), Fraction(digits: 0, digitCount: 0)) }
    let thousandths = ((seconds - whole) * 1000).rounded()
    // The nearest number to the thousandths, as in `nearest`.
    if thousandths < 1000, (whole * 1000 + thousandths) / 1000 == seconds {
      return text(Int(whole), Fraction(digits: Int128(thousandths), digitCount: 3))
    }
    for digitCount in [6, 9] {
      var fraction = Fraction(digits: 0, digitCount: digitCount)
      var whole = Int(seconds.rounded(.down))
      fraction.digits = Int128(((seconds - Double(whole)) * Double(fraction.scale)).rounded())
      if fraction.digits == fraction.scale { (whole, fraction.digits) = (whole + 1, 0) }
      // If the number was rounded up, it may be in a year that has no notation.
      if let text = text(whole, fraction), self.seconds(text) == seconds { return text }
    }
    return nil
  }

  /// Returns the notation of a number of seconds as `text` does, but with up to 24 digits after the point.
  /// Near 2001, the seconds of a date can have this many digits.
  package static func exactText(_ seconds: Double) -> String? {
    if let text = text(seconds) { return text }
    guard let parts = DecimalNotation.normalized(seconds.description)?.split(separator: "."),
      parts.count == 2, let whole = Int(parts[0]), parts[1].utf8.count <= maximumDigitCount,
      let digits = Int128(parts[1])
    else { return nil }
    let fraction = Fraction(digits: digits, digitCount: parts[1].utf8.count)
    guard seconds < 0 else { return text(whole, fraction) }
    return text(whole - 1, Fraction(digits: fraction.scale - digits, digitCount: fraction.digitCount))
  }

  /// The digits after a decimal point.
  private struct Fraction {
    var digits: Int128
    let digitCount: Int

    /// The power of ten by which the digits are divided.
    var scale: Int128 {
      var scale: Int128 = 1
      for _ in 0..<digitCount { scale *= 10 }
      return scale
    }
  }

  /// The maximum number of digits after the decimal point. An `Int128` can represent this number of digits in
  /// addition to the seconds of any year.
  private static let maximumDigitCount = 24

  private static func text(_ seconds: Int, _ fraction: Fraction) -> String? {
    guard let (_, date, time) = parts(seconds) else { return nil }
    return unsafe String(unsafeUninitializedCapacity: 21 + maximumDigitCount) { buffer in
      var count = 0
      func append(_ character: Unicode.Scalar) {
        unsafe buffer[count] = UInt8(ascii: character)
        count += 1
      }
      func append(_ number: some FixedWidthInteger, digits: Int) {
        var rest = number
        for index in (count..<count + digits).reversed() {
          unsafe buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        count += digits
      }
      append(date.year, digits: 4)
      append("-")
      append(date.month, digits: 2)
      append("-")
      append(date.day, digits: 2)
      append("T")
      append(time / 3600, digits: 2)
      append(":")
      append(time / 60 % 60, digits: 2)
      append(":")
      append(time % 60, digits: 2)
      if fraction.digitCount > 0 {
        append(".")
        append(fraction.digits, digits: fraction.digitCount)
      }
      append("Z")
      return count
    }
  }

  /// Splits a number of seconds into the days since 2001-01-01, the date, and the time, such as `12:00:00`.
  /// Ignores the fraction of a second. Nil if the year has more than four digits.
  package static func dateAndTime(_ seconds: Double) -> (day: Int, date: CivilDate, time: String)? {
    // All years of four digits are in this range, and an `Int` can represent it.
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return nil }
    guard let (day, date, time) = parts(Int(seconds.rounded(.down))) else { return nil }
    return (
      day, date, "\(padded(time / 3600, to: 2)):\(padded(time / 60 % 60, to: 2)):\(padded(time % 60, to: 2))"
    )
  }

  /// Whether the year of a date is from 0 to 9999. `seconds` is the number of seconds from the start of 2001
  /// to the date.
  package static func hasText(_ seconds: Double) -> Bool {
    // From the beginning of year 0 to the end of year 9999.
    seconds >= -63_145_526_400 && seconds < 252_423_993_600
  }

  /// Splits a number of seconds into the days since 2001-01-01, the date, and the second of the day. Nil if
  /// the year has more than four digits.
  private static func parts(_ seconds: Int) -> (day: Int, date: CivilDate, time: Int)? {
    let day = (seconds >= 0 ? seconds : seconds - secondsPerDay + 1) / secondsPerDay
    let date = CivilDate(daysSince2001: day)
    guard 0...9999 ~= date.year else { return nil }
    return (day, date, seconds - day * secondsPerDay)
  }

  // MARK: Parts

  /// Reads the fraction of a second. Returns 0 if there is no fraction, and nil if the fraction is malformed.
  private static func fraction(_ scanner: inout DateScanner, _ bytes: Span<UInt8>) -> Fraction? {
    guard scanner.take(".", bytes) || scanner.take(",", bytes) else {
      return Fraction(digits: 0, digitCount: 0)
    }
    let (digits, count) = scanner.digits(upTo: maximumDigitCount, bytes)
    return count == 0 || scanner.digit(bytes) != nil ? nil : Fraction(digits: digits, digitCount: count)
  }

  /// Reads the offset from UTC, and returns it in seconds. Returns nil if the offset is malformed.
  private static func offset(_ scanner: inout DateScanner, _ bytes: Span<UInt8>) -> Int? {
    if scanner.take("Z", bytes) || scanner.take("z", bytes) { return 0 }
    let isNegative = scanner.take("-", bytes)
    guard isNegative || scanner.take("+", bytes), let hours = scanner.number(2, bytes) else { return nil }
    // ISO 8601 permits an offset without minutes.
    let hasMinutes = scanner.take(":", bytes) || scanner.digit(bytes) != nil
    guard let minutes = hasMinutes ? scanner.number(2, bytes) : 0, hours < 24, minutes < 60 else {
      return nil
    }
    return (hours * 60 + minutes) * (isNegative ? -60 : 60)
  }
}

/// Scans the parts of a date and time in UTF-8. All functions must be called with the same bytes.
private struct DateScanner {
  /// The offset of the next byte.
  private(set) var offset = 0

  /// Returns the next decimal digit, without skipping it. Nil if the next byte is not a digit.
  func digit(_ bytes: Span<UInt8>) -> UInt8? {
    guard offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] else { return nil }
    return bytes[offset] &- UInt8(ascii: "0")
  }

  /// Skips an ASCII character. If another character is next, skips nothing and returns false.
  mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset &+= 1
    return true
  }

  /// Reads a number of exactly `count` digits. Nil if there are fewer digits.
  mutating func number(_ count: Int, _ bytes: Span<UInt8>) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit(bytes) else { return nil }
      number = number &* 10 &+ Int(digit)
      offset &+= 1
    }
    return number
  }

  /// Reads the next digits, at most `limit`. Returns the number and the count of the digits.
  mutating func digits(upTo limit: Int, _ bytes: Span<UInt8>) -> (Int128, count: Int) {
    var (number, count): (Int128, Int) = (0, 0)
    while count < limit, let digit = digit(bytes) {
      number = number * 10 + Int128(digit)
      count += 1
      offset &+= 1
    }
    return (number, count)
  }
}
