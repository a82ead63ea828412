/// Points in time in the notation of ISO 8601, `2026-11-22T16:45:24.5Z`, and as seconds since 2001-01-01
/// 00:00:00 UTC, as archives have them.
enum DateNotation {
  private static let secondsPerDay = 86_400
  private static let nanosecondsPerSecond = 1_000_000_000
  /// Days from 0000-03-01 to 2001-01-01.
  private static let referenceDay = 730_791

  /// The seconds of a notation with date, time and offset; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
      let day = number(2, &rest), take("T", &rest) || take("t", &rest) || take(" ", &rest),
      let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest), take(":", &rest),
      let second = number(2, &rest), let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty,
      1...12 ~= month, 1...daysPerMonth(month, year) ~= day, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = daysFromCivil(year, month, day)
    let whole = (days * secondsPerDay) + hour * 3600 + minute * 60 + second - offset
    // The nearest number, which the sum of two others need not be.
    let nanoseconds = Int128(whole) * Int128(nanosecondsPerSecond) + Int128(fraction)
    let magnitude = nanoseconds.magnitude
    let remainder = Int(truncatingIfNeeded: magnitude % UInt128(nanosecondsPerSecond))
    let text = "\(magnitude / UInt128(nanosecondsPerSecond)).\(padded(remainder, 9))"
    return Double(nanoseconds < 0 ? "-" + text : text)
  }

  /// The notation of some seconds, in UTC; nil if none of up to nine digits behind the point gives the same
  /// seconds again, or the year has more than four.
  static func text(_ seconds: Double) -> String? {
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
    let (year, month, dayOfMonth) = civil(day)
    guard 0...9999 ~= year else { return nil }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
    return date + "T" + clock + (digits == 0 ? "" : "." + padded(fraction, digits)) + "Z"
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
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

  private static func daysPerMonth(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 2001-01-01 to a date of the Gregorian calendar, counted in years that begin in March, so
  /// that a leap day is the last.
  private static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = floorDivided(year, 4) - floorDivided(year, 100) + floorDivided(year, 400)
    return 365 * year + leapDays + dayOfYear - referenceDay
  }

  /// The date that is some days after 2001-01-01.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + referenceDay
    let (era, dayOfEra) = (floorDivided(days, 146_097), days - floorDivided(days, 146_097) * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func floorDivided(_ number: Int, _ divisor: Int) -> Int {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }
}
