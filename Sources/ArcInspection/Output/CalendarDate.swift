import ArcFormat

/// Returns a date in ISO 8601, rounded to microseconds: `2026-11-21T08:00:00.25Z`.
///
/// The seconds count from 2001-01-01 00:00:00 UTC. Years outside of 0 to 9999 have a sign and at least six
/// digits. Nil if the number is not a date: NaN, an infinity, or a number so large that a `Double` cannot
/// represent each second.
func calendarText(secondsSince2001: Double) -> String? {
  guard secondsSince2001.magnitude < 0x1p52 else { return nil }
  let total = nearestMicrosecond(secondsSince2001)
  let microseconds = Int((total % 1_000_000 + 1_000_000) % 1_000_000)
  let seconds = Int((total - Int128(microseconds)) / 1_000_000)
  let secondsOfDay = ((seconds % 86_400) + 86_400) % 86_400
  let date = CivilDate(daysSince2001: (seconds - secondsOfDay) / 86_400)
  let fraction = padded(microseconds, to: 6)
  let digits = fraction.prefix(through: fraction.lastIndex { $0 != "0" } ?? fraction.startIndex)
  let isUsual = (0...9999).contains(date.year)
  let yearText =
    isUsual ? padded(date.year, to: 4) : (date.year < 0 ? "-" : "+") + padded(abs(date.year), to: 6)
  return "\(yearText)-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))T"
    + "\(padded(secondsOfDay / 3600, to: 2)):\(padded(secondsOfDay / 60 % 60, to: 2)):"
    + padded(secondsOfDay % 60, to: 2) + (microseconds == 0 ? "" : "." + digits) + "Z"
}

/// Converts seconds to the nearest number of microseconds. If two numbers are equally near, returns the
/// larger number. The magnitude of `seconds` must be less than 2^52.
///
/// A plain multiplication is not sufficient, because it rounds the product before the comparison with one
/// half. For example, the `Double` 5e-7 is slightly less than half a microsecond.
private func nearestMicrosecond(_ seconds: Double) -> Int128 {
  let product = seconds * 1e6
  let rest = (-product).addingProduct(seconds, 1e6)
  // The product is so large that it is an integer. Only `rest` can contain a fraction.
  if product.magnitude >= 0x1p52 { return Int128(product) + Int128((rest + 0.5).rounded(.down)) }
  let whole = product.rounded(.down)
  return Int128(whole) + ((product - whole - 0.5) + rest >= 0 ? 1 : 0)
}
