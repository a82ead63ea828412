/// What repeated measurements gave: the middle one, and how far the others are from it.
struct Spread: Codable {
  let median: Double
  let least: Double
  let greatest: Double

  /// Nil for no values.
  init?(_ values: [Double]) {
    let ordered = values.sorted()
    guard let first = ordered.first, let last = ordered.last else { return nil }
    least = first
    greatest = last
    let middle = ordered.count / 2
    median = ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
  }

  /// The spread of the ratios of values that were measured in the same round.
  init?(_ values: [Double], over others: [Double]) {
    self.init(zip(values, others).map { $0 / $1 })
  }
}
