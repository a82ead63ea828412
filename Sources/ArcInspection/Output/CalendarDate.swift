/// A date of an archive in ISO 8601: `2026-11-21T08:00:00.25Z`, rounded to microseconds.
///
/// Years beyond four digits have a sign and six digits at least. Nil for what is no date: NaN, infinities,
/// and seconds so many that a `Double` no longer counts them.
/// The seconds count from 2001-01-01 00:00:00 UTC.
func calendarText(secondsSince2001: Double) -> String? {
  guard secondsSince2001.magnitude < 0x1p52 else { return nil }
  let total = nearestMicrosecond(secondsSince2001)
  let microseconds = Int((total % 1_000_000 + 1_000_000) % 1_000_000)
  let seconds = Int((total - Int128(microseconds)) / 1_000_000)
  let secondsOfDay = ((seconds % 86_400) + 86_400) % 86_400
  // 1970-01-01 is 11,323 days earlier.
  let (year, month, day) = civilDate(daysSince1970: (seconds - secondsOfDay) / 86_400 + 11_323)
  let fraction = padded(microseconds, to: 6)
  let digits = fraction.prefix(through: fraction.lastIndex { $0 != "0" } ?? fraction.startIndex)
  let isUsual = (0...9999).contains(year)
  let yearText = isUsual ? padded(year, to: 4) : (year < 0 ? "-" : "+") + padded(abs(year), to: 6)
  return "\(yearText)-\(padded(month, to: 2))-\(padded(day, to: 2))T"
    + "\(padded(secondsOfDay / 3600, to: 2)):\(padded(secondsOfDay / 60 % 60, to: 2)):"
    + padded(secondsOfDay % 60, to: 2) + (microseconds == 0 ? "" : "." + digits) + "Z"
}

/// The nearest number of microseconds, of two the larger, for fewer than 2^52 seconds.
///
/// The product alone would be rounded before it is compared: the seconds of 5e-7 are less than half a
/// microsecond.
private func nearestMicrosecond(_ seconds: Double) -> Int128 {
  let product = seconds * 1e6
  let rest = (-product).addingProduct(seconds, 1e6)
  // From here on there is no fraction but in the rest, which has few digits.
  if product.magnitude >= 0x1p52 { return Int128(product) + Int128((rest + 0.5).rounded(.down)) }
  let whole = product.rounded(.down)
  return Int128(whole) + ((product - whole - 0.5) + rest >= 0 ? 1 : 0)
}

/// Year, month and day of the proleptic Gregorian calendar. The year is counted from March, so that the leap
/// day ends it, in eras of 400 years or 146,097 days.
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let days = daysSince1970 + 719_468
  let era = (days >= 0 ? days : days - 146_096) / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return (
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  )
}

private func padded(_ value: Int, to width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
