/// Converts numbers to and from the decimal notation of archives, which has no exponent: `-12.5`.
package enum DecimalNotation {
  /// The maximum number of digits of a number, and the maximum number of zeros before or after its digits. No
  /// `Decimal` exceeds these limits.
  private static let maximumExponent = 130

  /// A number of at most 18 digits without an exponent.
  package struct ShortNumber {
    /// The digits without the point and without zeros at the end of the fraction, as an integer.
    package var digits: UInt64 = 0
    /// The number of digits after the point, without zeros at the end.
    package var fractionDigitCount = 0
    package var isNegative = false
    /// The number of bytes of the notation in archives. The text may continue with zeros at the end of the
    /// fraction, which are not counted: 4 for `12.50`, and 2 for `12.0`.
    package var byteCount = 0
  }

  /// Parses a short number, which may have zeros at the end of its fraction.
  ///
  /// - Parameter bytes: a number in UTF-8.
  /// - Returns: the number. Nil if it has more than 18 digits, an exponent, zeros at the beginning, or a sign
  ///   before a zero.
  /// - Complexity: O(bytes).
  package static func shortNumber(_ bytes: Span<UInt8>) -> ShortNumber? {
    let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    var number = ShortNumber(isNegative: isNegative)
    var index = first
    while index < bytes.count, let digit = digit(bytes[index]) {
      number.digits = number.digits &* 10 &+ digit
      index += 1
    }
    let wholeDigitCount = index - first
    guard 1...18 ~= wholeDigitCount, wholeDigitCount == 1 || bytes[first] != UInt8(ascii: "0") else {
      return nil
    }
    number.byteCount = index
    if index < bytes.count {
      guard bytes[index] == UInt8(ascii: "."), index + 1 < bytes.count else { return nil }
      // The zeros after the last digit that is not a zero.
      var zeroCount = 0
      for index in index + 1..<bytes.count {
        guard let digit = digit(bytes[index]) else { return nil }
        if digit == 0 {
          zeroCount += 1
          continue
        }
        number.fractionDigitCount += zeroCount + 1
        guard wholeDigitCount + number.fractionDigitCount <= 18 else { return nil }
        while zeroCount > 0 { (number.digits, zeroCount) = (number.digits &* 10, zeroCount - 1) }
        number.digits = number.digits &* 10 &+ digit
        number.byteCount = index + 1
      }
    }
    return number.digits > 0 || !isNegative ? number : nil
  }

  /// Returns the value of a digit. Nil for another byte.
  @inline(__always) private static func digit(_ byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
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
