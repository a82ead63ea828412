import Foundation

extension Double {
  /// The number with three significant digits, or all digits before the decimal point: `0.0512`, `1.25`,
  /// `38.1`, `1204`.
  var short: String {
    let size = abs(self)
    if size > 0, size < 0.0005 { return "<0.001" }
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.995 || size == 0 ? 2 : 3
    let text = String(format: "%.\(digits)f", self)
    guard text.contains(".") else { return text }
    let end = text.lastIndex { $0 != "0" }
    return end.map { text[$0] == "." ? String(text[..<$0]) : String(text[...$0]) } ?? text
  }
}

extension Spread {
  /// The median, with the minimum and the maximum if they differ: `1.2 (1.1–1.4)`.
  var text: String {
    least == greatest ? median.short : "\(median.short) (\(least.short)–\(greatest.short))"
  }
}
