/// Converts numbers to and from the decimal notation of archives, which has no exponent: `-12.5`.
package enum DecimalNotation {
  /// The maximum number of digits of a number, and the maximum number of zeros before or after its digits. No
  /// `Decimal` exceeds these limits.
  private static let maximumExponent = 130

  /// Returns how many bytes at the beginning of a number form its notation in archives. After these bytes,
  /// only zeros at the end of a fraction may follow: the result is 4 for `12.50`, and 2 for `12.0`.
  ///
  /// - Parameter bytes: a number in UTF-8.
  /// - Returns: the number of bytes. Nil if the number has more than 18 digits, an exponent, zeros at the
  ///   beginning, or a sign before a zero.
  /// - Complexity: O(bytes).
  package static func byteCountOfShortNotation(_ bytes: Span<UInt8>) -> Int? {
    var end = bytes.count
    while end > 0, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    if end < bytes.count {
      if end > 0, bytes[end - 1] == UInt8(ascii: ".") {
        end -= 1
      } else if !(0..<end).contains(where: { bytes[$0] == UInt8(ascii: ".") }) {
        // The zeros belong to a whole number.
        end = bytes.count
      }
    }
    return mantissa(bytes.extracting(first: end)) == nil ? nil : end
  }

  /// Parses a short number in the notation of archives. Returns its digits as an integer, the number of
  /// digits after the point, and whether the number is negative. Nil if the number has more than 18 digits or
  /// is in another notation.
  package static func mantissa(
    _ bytes: Span<UInt8>
  ) -> (digits: UInt64, fractionDigitCount: Int, isNegative: Bool)? {
    let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    var digits: UInt64 = 0
    var point: Int?
    guard first < bytes.count, bytes.count - first <= 19 else { return nil }
    for index in first..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits &* 10 &+ UInt64(bytes[index] &- UInt8(ascii: "0"))
      case UInt8(ascii: "."):
        guard point == nil, index > first else { return nil }
        point = index
      default: return nil
      }
    }
    let wholeDigitCount = (point ?? bytes.count) - first
    let fractionDigitCount = point.map { bytes.count - 1 - $0 } ?? 0
    guard wholeDigitCount + fractionDigitCount <= 18,
      wholeDigitCount == 1 || bytes[first] != UInt8(ascii: "0"),
      point == nil || fractionDigitCount > 0 && bytes[bytes.count - 1] != UInt8(ascii: "0"),
      digits > 0 || !isNegative
    else { return nil }
    return (digits, fractionDigitCount, isNegative)
  }

  /// Returns the notation of `digits` times a power of ten. Nil if `exponent` is not in -20...20.
  package static func text(_ digits: UInt64, exponent: Int, isNegative: Bool) -> String? {
    guard -20...20 ~= exponent else { return nil }
    guard digits > 0 else { return "0" }
    var (rest, exponent) = (digits, exponent)
    while exponent < 0, rest % 10 == 0 { (rest, exponent) = (rest / 10, exponent + 1) }
    let capacity = 48
    return unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
      var first = capacity
      func prepend(_ byte: UInt8) {
        first -= 1
        unsafe buffer[first] = byte
      }
      func prependDigit() {
        prepend(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      for _ in 0..<max(exponent, 0) { prepend(UInt8(ascii: "0")) }
      for _ in 0..<max(-exponent, 0) { prependDigit() }
      if exponent < 0 { prepend(UInt8(ascii: ".")) }
      repeat { prependDigit() } while rest > 0
      if isNegative { prepend(UInt8(ascii: "-")) }
      for index in first..<capacity { unsafe buffer[index - first] = buffer[index] }
      return capacity - first
    }
  }

  /// Converts a number to the notation of archives. The number may be written with an exponent, superfluous
  /// zeros or a plus sign. Nil if the string is not a number.
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

  /// Removes and returns the digits at the beginning of `rest`.
  private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = Array(rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    rest.removeFirst(digits.count)
    return digits
  }

  /// Parses the rest as an exponent. Returns 0 if the rest is empty. Nil if the rest is not an exponent.
  private static func exponent(_ rest: Substring.UTF8View) -> Int? {
    guard let letter = rest.first else { return 0 }
    guard letter | 0x20 == UInt8(ascii: "e"), let exponent = Int(String(rest.dropFirst()) ?? ""),
      exponent.magnitude <= maximumExponent
    else { return nil }
    return exponent
  }

  /// Returns the notation of digits. The decimal point follows the first `point` digits.
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
