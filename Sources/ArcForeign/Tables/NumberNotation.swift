/// The value of a number's notation: its significant digits and its power of ten. Two notations of the same
/// number are equal, such as `1.10` and `11e-1`.
struct NumberNotation: Equatable {
  private let isNegative: Bool
  /// The digits without zeros at both ends. Empty for zero.
  private let digits: ArraySlice<UInt8>
  /// The power of ten of the last digit. 0 for zero.
  private let exponent: Int

  /// Parses a number as CSV and JSON write it. Nil if the text is not such a number.
  ///
  /// - Complexity: O(bytes).
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var digits = Self.digits(&rest)
    let wholeCount = digits.count
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += Self.digits(&rest)
    }
    guard wholeCount > 0 else { return nil }
    var exponent = wholeCount - digits.count
    if let letter = rest.first {
      guard letter | 0x20 == UInt8(ascii: "e"), let power = Int(String(rest.dropFirst()) ?? ""),
        power.magnitude < 1 << 32
      else { return nil }
      // The sum cannot overflow, because the digits are in memory.
      exponent += power
    }
    let zero = UInt8(ascii: "0")
    let last = digits.lastIndex { $0 != zero } ?? -1
    self.digits = digits[...last].drop { $0 == zero }
    self.exponent = self.digits.isEmpty ? 0 : exponent + (digits.count - 1 - last)
  }

  private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = Array(rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    rest.removeFirst(digits.count)
    return digits
  }

  /// Returns the Double whose shortest notation is equal to a number, and this notation. Nil if a Double
  /// loses digits of the number, or if the text is not a number.
  static func real(_ text: String) -> (value: Double, written: String)? {
    guard let value = Double(text), value.isFinite else { return nil }
    let written = value.description
    if written == text { return (value, written) }
    guard let notation = NumberNotation(text), NumberNotation(written) == notation else { return nil }
    return (value, written)
  }
}
