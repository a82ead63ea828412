/// A date of the proleptic Gregorian calendar.
///
/// In computations, years begin with March, so a leap day is the last day of a year. Years are grouped in
/// eras of 400 years or 146,097 days. (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
package struct CivilDate {
  package let year: Int
  package let month: Int
  package let day: Int

  /// The number of days from 0000-03-01 to 2001-01-01.
  private static let referenceDay = 730_791
  private static let daysPerEra = 146_097

  /// Creates a date from a year, a month from 1 to 12, and a day of the month. Nil if there is no such date.
  package init?(year: Int, month: Int, day: Int) {
    guard 1...12 ~= month, 1...Self.dayCount(ofMonth: month, in: year) ~= day else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the date that is a number of days after 2001-01-01, or before 2001-01-01 if the number is
  /// negative.
  package init(daysSince2001: Int) {
    let days = daysSince2001 + Self.referenceDay
    let era = Self.floorDivided(days, Self.daysPerEra)
    let dayOfEra = days - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  }

  /// The number of days from 2001-01-01 to the date. Negative if the date is earlier.
  package var daysSince2001: Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays =
      Self.floorDivided(year, 4) - Self.floorDivided(year, 100) + Self.floorDivided(year, 400)
    return 365 * year + leapDays + dayOfYear - Self.referenceDay
  }

  private static func dayCount(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floorDivided(_ number: Int, _ divisor: Int) -> Int {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }
}

/// Returns a number, padded with zeros to a minimum number of digits. The number must not be negative.
package func padded(_ number: some BinaryInteger, to digitCount: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, digitCount - digits.utf8.count)) + digits
}
