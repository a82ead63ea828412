import ArcFormat

/// Converts between seconds since 2001-01-01 00:00:00 UTC and the dates of HTTP and mail, such as `Wed, 31
/// Jan 2001 12:00:00 GMT` (RFC 9110, section 5.6.7; RFC 1123).
enum HTTPDate {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds of a date. Nil if the string is not a date. The zone must be `GMT`, `UTC` or an
  /// offset such as `+0100`. The day of the week is optional, and is not compared with the date.
  static func seconds(_ text: String) -> Double? {
    var words = text.split(separator: " ")
    if words.first?.last == "," { words.removeFirst() }
    guard words.count == 5, let day = number(words[0], digits: 1...2),
      let month = months.firstIndex(of: String(words[1])),
      let year = number(words[2], digits: 4...4), let time = secondsOfDay(words[3]),
      let offset = offset(words[4]),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    return Double(date.daysSince2001 * 86_400 + time - offset)
  }

  /// Returns the date at a number of seconds, without the fraction of the seconds. Nil if the year has more
  /// than four digits.
  static func text(_ seconds: Double) -> String? {
    guard let (day, date, time) = DateNotation.dateAndTime(seconds) else { return nil }
    // 2001-01-01 was a Monday.
    let weekday = weekdays[((day % 7) + 7) % 7]
    return "\(weekday), \(padded(date.day, to: 2)) \(months[date.month - 1]) \(padded(date.year, to: 4)) "
      + "\(time) GMT"
  }

  private static func secondsOfDay(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
      minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func offset(_ text: Substring) -> Int? {
    if text == "GMT" || text == "UTC" || text == "Z" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-",
      let digits = number(text.dropFirst(), digits: 4...4),
      digits / 100 < 24, digits % 100 < 60
    else { return nil }
    return (digits / 100 * 3600 + digits % 100 * 60) * (sign == "-" ? -1 : 1)
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits ~= text.utf8.count, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else {
      return nil
    }
    return Int(text)
  }
}
