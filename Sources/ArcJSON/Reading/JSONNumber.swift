/// A JSON number with all digits of its text.
///
///     let number = JSONNumber("0.1000")
///     number?.double             // 0.1
///     number?.integer(Int.self)  // nil
///
/// Two numbers are equal if they are written with the same characters. So `1.0` and `1` are different.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The text of the number, in JSON notation.
  public let text: String

  /// Creates a number from its text. Nil if the text is not a single JSON number.
  public init?(_ text: String) {
    let bytes = JSONText(Array(text.utf8).span)
    var scanner = JSONScanner(bytes)
    // If the text is not a number, the result is nil and not an error.
    guard (try? scanner.number()) != nil, scanner.offset == bytes.count else { return nil }
    self.text = text
  }

  /// Creates a number from a text that is already checked.
  init(checked text: String) { self.text = text }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number from a `Double`. Nil for infinity and NaN.
  ///
  /// The text has the fewest digits that represent the value.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// The text of the number.
  public var description: String { text }

  /// Returns the number as an integer. Nil if the type cannot represent the number exactly.
  ///
  /// The numbers `1.0` and `1e2` are the integers 1 and 100.
  ///
  /// - Parameter type: the type of the integer.
  /// - Returns: the integer.
  /// - Complexity: O(digits).
  public func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
    if let value = Value(text) { return value }
    if isZero { return 0 }
    guard let (digits, exponent) = digitsAndExponent else { return nil }
    guard exponent >= 0, exponent <= 40 else { return nil }
    return Value(digits + String(repeating: "0", count: exponent))
  }

  /// Whether all digits before the exponent are 0.
  private var isZero: Bool {
    text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy {
      !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0)
    }
  }

  /// The nearest `Double`. Nil if the number is too large for a `Double`.
  public var double: Double? {
    let value = Double(text)
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether the number has a fraction that is not 0, so that it is not an integer.
  package var hasFraction: Bool { !isZero && digitsAndExponent.map { $0.exponent < 0 } ?? false }

  /// Whether a `Double` preserves the number: converting it to the nearest `Double` and back to text does not
  /// change its value.
  package var isDouble: Bool {
    guard let double, let nearest = JSONNumber(double), isZero == nearest.isZero else { return false }
    if isZero { return true }
    guard let own = digitsAndExponent, let other = nearest.digitsAndExponent else { return false }
    return own == other
  }

  /// The significant digits with the sign, and the power of ten by which these digits are multiplied. Nil if
  /// the exponent in the text does not fit into 32 bits.
  private var digitsAndExponent: (digits: String, exponent: Int)? {
    var mantissa = Substring(text)
    var exponent = 0
    if let mark = text.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      guard let power = Int32(text[text.index(after: mark)...]) else { return nil }
      exponent = Int(power)
      mantissa = text[..<mark]
    }
    var digits = String(mantissa)
    if let point = mantissa.firstIndex(of: ".") {
      let fraction = mantissa[mantissa.index(after: point)...]
      digits = String(mantissa[..<point] + fraction)
      exponent -= fraction.utf8.count
    }
    let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    let sign = digits.hasPrefix("-") ? "-" : ""
    let significant = digits.dropFirst(sign.utf8.count).dropLast(zeros).drop { $0 == "0" }
    return (sign + significant, exponent + zeros)
  }
}
