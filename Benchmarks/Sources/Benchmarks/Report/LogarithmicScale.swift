import Foundation

/// The positions of values on an axis that spans whole powers of ten.
struct LogarithmicScale {
  private let lowest: Double
  private let highest: Double
  private let start: Double
  private let end: Double

  /// Creates an axis that contains all values, which are positive.
  init(_ values: [Double], from start: Double, to end: Double) {
    lowest = floor(log10(values.min() ?? 1))
    highest = max(ceil(log10(values.max() ?? 10)), lowest + 1)
    self.start = start
    self.end = end
  }

  func position(of value: Double) -> Double {
    start + (end - start) * (log10(value) - lowest) / (highest - lowest)
  }

  /// The exponents of the powers of ten.
  var ticks: [Double] { stride(from: lowest, through: highest, by: 1).map { pow(10, $0) } }
}
