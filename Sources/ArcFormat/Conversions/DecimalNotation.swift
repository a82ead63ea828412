/// Numbers in decimal notation without an exponent, as archives have decimal numbers: `-12.5`.
package enum DecimalNotation {
  /// The most digits, and the most zeros in front of or behind them: more than `Decimal` has.
  private static let maximumExponent = 130

  /// The notation of a number that is written with or without an exponent, superfluous zeros or a plus sign;
  /// nil if the text is no number.
  package static func normalized(_ text: String) -> String? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = digits(&rest)
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits(&rest)
      if fraction.isEmpty { return nil }
    }
    guard !whole.isEmpty, let exponent = exponent(rest) else { return nil }
    return notation(whole + fraction, point: whole.count + exponent, isNegative: isNegative)
  }

  /// The digits at the beginning, which are removed.
  private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = Array(rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    rest.removeFirst(digits.count)
    return digits
  }

  /// The exponent that is the whole rest; 0 if nothing is left, nil if something else is.
  private static func exponent(_ rest: Substring.UTF8View) -> Int? {
    guard let letter = rest.first else { return 0 }
    guard letter | 0x20 == UInt8(ascii: "e"), let exponent = Int(String(rest.dropFirst()) ?? ""),
      exponent.magnitude <= maximumExponent
    else { return nil }
    return exponent
  }

  /// The notation of some digits with a point behind the first `point`.
  private static func notation(_ digits: [UInt8], point: Int, isNegative: Bool) -> String? {
    let zero = UInt8(ascii: "0")
    let first = digits.firstIndex { $0 != zero } ?? digits.count
    let last = digits.lastIndex { $0 != zero } ?? -1
    guard first <= last else { return "0" }
    let used = Array(digits[first...last])
    let count = point - first
    guard count.magnitude <= maximumExponent + 40, used.count <= maximumExponent else { return nil }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    text +=
      count <= 0 ? [zero] : used.prefix(count) + Array(repeating: zero, count: max(count - used.count, 0))
    if used.count > count {
      text.append(UInt8(ascii: "."))
      text += Array(repeating: zero, count: max(-count, 0)) + used.dropFirst(max(count, 0))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
