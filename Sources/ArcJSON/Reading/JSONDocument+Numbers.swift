// Numbers of a document, as values of Swift.

extension JSONDocument {
  /// The number of an entry as an integer of 64 bits, if it is one; nil for any other number.
  package func integer(at index: Int) -> Int64? {
    let word = words[index]
    // Eighteen digits always fit.
    guard word.kind == .integer, word.length <= 18 else { return exactNumber(at: index).integer() }
    var offset = word.offset
    let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var value: Int64 = 0
    while offset < word.offset + word.length {
      value = value &* 10 &+ Int64(text.byte(at: offset) &- UInt8(ascii: "0"))
      offset += 1
    }
    return isNegative ? -value : value
  }

  /// The number of an entry with all its digits.
  package func exactNumber(at index: Int) -> JSONNumber { JSONNumber(checked: string(at: index)) }

  /// The number of an entry as the nearest one of 64 bits; nil if that is infinite.
  package func double(at index: Int) -> Double? {
    exactDouble(at: index) ?? exactNumber(at: index).double
  }

  /// The number of an entry if it is the quotient or product of two that are exact: then its rounding is that
  /// of one operation, and so right. Nil for one with more digits, or with an exponent.
  private func exactDouble(at index: Int) -> Double? {
    let word = words[index]
    guard word.length <= 19 else { return nil }
    let end = word.offset + word.length
    var offset = word.offset
    let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var digits: UInt64 = 0
    var point = end
    while offset < end {
      let byte = text.byte(at: offset)
      if byte == UInt8(ascii: ".") {
        point = offset + 1
      } else {
        guard byte &- UInt8(ascii: "0") < 10 else { return nil }
        digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
      }
      offset += 1
    }
    guard digits <= 1 << 53, end - point <= 22 else { return nil }
    let value = Double(digits) / Self.powersOfTen[end - point]
    return isNegative ? -value : value
  }

  /// The powers of ten that are exact in 64 bits.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]
}
