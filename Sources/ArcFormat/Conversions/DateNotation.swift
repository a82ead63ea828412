/// Points in time in the notation of ISO 8601, `2026-11-22T16:45:24.5Z`, and as seconds since 2001-01-01
/// 00:00:00 UTC, as archives have them.
package enum DateNotation {
  private static let secondsPerDay = 86_400
  /// From 1970-01-01 00:00:00 UTC to the beginning of 2001.
  package static let secondsFrom1970 = 978_307_200.0

  /// The seconds of a notation with date, time and offset; nil for any other text.
  package static func seconds(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
      let day = number(2, &rest), take("T", &rest) || take("t", &rest) || take(" ", &rest),
      let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest), take(":", &rest),
      let second = number(2, &rest), let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty,
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
    else { return nil }
    let whole = date.daysSince2001 * secondsPerDay + hour * 3600 + minute * 60 + second - offset
    return fraction.digits == 0 ? Double(whole) : nearest(whole, fraction)
  }

  /// The nearest number to a sum, which the sum of the two nearest need not be.
  private static func nearest(_ whole: Int, _ fraction: Fraction) -> Double? {
    let sum = Int128(whole) * fraction.scale + fraction.digits
    let (quotient, remainder) = sum.magnitude.quotientAndRemainder(dividingBy: fraction.scale.magnitude)
    let text = "\(quotient).\(padded(remainder, to: fraction.digitCount))"
    return Double(sum < 0 ? "-" + text : text)
  }

  /// The notation of some seconds, in UTC; nil if none of up to nine digits behind the point gives the same
  /// seconds again, or the year has more than four.
  package static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return nil }
    for digitCount in [0, 3, 6, 9] {
      var fraction = Fraction(digits: 0, digitCount: digitCount)
      var whole = Int(seconds.rounded(.down))
      fraction.digits = Int128(((seconds - Double(whole)) * Double(fraction.scale)).rounded())
      if fraction.digits == fraction.scale { (whole, fraction.digits) = (whole + 1, 0) }
      // Rounded up, it may be in a year that has no notation.
      if let text = text(whole, fraction), self.seconds(text) == seconds { return text }
    }
    return nil
  }

  /// The notation of some seconds as `text` has it, but with as many digits as it takes, up to 24: near 2001
  /// the seconds of a date have many.
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

  /// Digits behind the point.
  private struct Fraction {
    var digits: Int128
    let digitCount: Int

    /// By what the digits are divided.
    var scale: Int128 {
      var scale: Int128 = 1
      for _ in 0..<digitCount { scale *= 10 }
      return scale
    }
  }

  /// So many that the seconds of any year fit in front of them.
  private static let maximumDigitCount = 24

  private static func text(_ seconds: Int, _ fraction: Fraction) -> String? {
    guard let (_, date, time) = dateAndTime(seconds) else { return nil }
    return "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))T\(time)"
      + (fraction.digitCount == 0
        ? "" : "." + padded(fraction.digits.magnitude, to: fraction.digitCount)) + "Z"
  }

  /// The days since 2001-01-01, the date and the time, as `12:00:00`, of some seconds, without their
  /// fraction; nil for a year of more than four digits.
  package static func dateAndTime(_ seconds: Double) -> (day: Int, date: CivilDate, time: String)? {
    // No year of four digits has as many, and an `Int` has them.
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return nil }
    return dateAndTime(Int(seconds.rounded(.down)))
  }

  /// The same of whole seconds.
  private static func dateAndTime(_ seconds: Int) -> (day: Int, date: CivilDate, time: String)? {
    let day = (seconds >= 0 ? seconds : seconds - secondsPerDay + 1) / secondsPerDay
    let time = seconds - day * secondsPerDay
    let date = CivilDate(daysSince2001: day)
    guard 0...9999 ~= date.year else { return nil }
    return (
      day, date, "\(padded(time / 3600, to: 2)):\(padded(time / 60 % 60, to: 2)):\(padded(time % 60, to: 2))"
    )
  }

  // MARK: Parts

  private static func number(_ count: Int, _ rest: inout Substring.UTF8View) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// The fraction of a second, 0 if there is none; nil for a part of one.
  private static func fraction(_ rest: inout Substring.UTF8View) -> Fraction? {
    guard take(".", &rest) || take(",", &rest) else { return Fraction(digits: 0, digitCount: 0) }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard 1...maximumDigitCount ~= digits.count else { return nil }
    rest.removeFirst(digits.count)
    return Fraction(
      digits: digits.reduce(0) { $0 * 10 + Int128($1 - UInt8(ascii: "0")) }, digitCount: digits.count)
  }

  /// The offset from UTC in seconds.
  private static func offset(_ rest: inout Substring.UTF8View) -> Int? {
    if take("Z", &rest) || take("z", &rest) { return 0 }
    let isNegative = take("-", &rest)
    guard isNegative || take("+", &rest), let hours = number(2, &rest) else { return nil }
    _ = take(":", &rest)
    guard let minutes = number(2, &rest), hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -60 : 60)
  }
}
