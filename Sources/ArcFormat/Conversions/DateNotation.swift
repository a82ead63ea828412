/// Points in time in the notation of ISO 8601, `2026-11-22T16:45:24.5Z`, and as seconds since 2001-01-01
/// 00:00:00 UTC, as archives have them.
package enum DateNotation {
  private static let secondsPerDay = 86_400
  private static let nanosecondsPerSecond = 1_000_000_000

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
    // The nearest number, which the sum of two others need not be.
    let nanoseconds = Int128(whole) * Int128(nanosecondsPerSecond) + Int128(fraction)
    let magnitude = nanoseconds.magnitude
    let remainder = Int(truncatingIfNeeded: magnitude % UInt128(nanosecondsPerSecond))
    let text = "\(magnitude / UInt128(nanosecondsPerSecond)).\(padded(remainder, to: 9))"
    return Double(nanoseconds < 0 ? "-" + text : text)
  }

  /// The notation of some seconds, in UTC; nil if none of up to nine digits behind the point gives the same
  /// seconds again, or the year has more than four.
  package static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return nil }
    for digits in [0, 3, 6, 9] {
      var scale = 1
      for _ in 0..<digits { scale *= 10 }
      var whole = Int(seconds.rounded(.down))
      var fraction = Int(((seconds - Double(whole)) * Double(scale)).rounded())
      if fraction == scale { (whole, fraction) = (whole + 1, 0) }
      // Rounded up, it may be in a year that has no notation.
      if let text = text(whole, fraction, digits: digits), self.seconds(text) == seconds { return text }
    }
    return nil
  }

  private static func text(_ seconds: Int, _ fraction: Int, digits: Int) -> String? {
    let day = (seconds >= 0 ? seconds : seconds - secondsPerDay + 1) / secondsPerDay
    let time = seconds - day * secondsPerDay
    let date = CivilDate(daysSince2001: day)
    guard 0...9999 ~= date.year else { return nil }
    return "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))T"
      + "\(padded(time / 3600, to: 2)):\(padded(time / 60 % 60, to: 2)):\(padded(time % 60, to: 2))"
      + (digits == 0 ? "" : "." + padded(fraction, to: digits)) + "Z"
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

  /// The fraction of a second in nanoseconds, 0 if there is none; nil for a part of one.
  private static func fraction(_ rest: inout Substring.UTF8View) -> Int? {
    guard take(".", &rest) || take(",", &rest) else { return 0 }
    let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
    guard 1...9 ~= count, var fraction = number(count, &rest) else { return nil }
    for _ in count..<9 { fraction *= 10 }
    return fraction
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
