/// The median of repeated measurements, with the minimum and the maximum.
struct Spread: Codable {
  let median: Double
  let least: Double
  let greatest: Double

  /// Creates a spread. Nil without values.
  init?(_ values: [Double]) {
    let ordered = values.sorted()
    guard let first = ordered.first, let last = ordered.last else { return nil }
    least = first
    greatest = last
    let middle = ordered.count / 2
    median = ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
  }

  /// Creates the spread of ratios. Each ratio is between values of the same round.
  init?(_ values: [Double], over others: [Double]) {
    self.init(zip(values, others).map { $0 / $1 })
  }
}
