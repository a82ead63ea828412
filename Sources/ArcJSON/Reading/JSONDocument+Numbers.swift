// Conversions of a document's numbers to Swift numbers.

extension JSONDocument {
  /// Returns the number at an index as an `Int64`. Nil if `Int64` cannot represent the number.
  package func integer(at index: Int) -> Int64? {
    let word = words[index]
    // An integer of eighteen digits always fits.
    guard word.kind == .integer, word.length <= 18 else { return exactNumber(at: index).integer() }
    var offset = word.offset
    let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var digits: UInt64 = 0
    text.appendDigits(&offset, to: &digits)
    return isNegative ? -Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
  }

  /// Returns the number at an index with all its digits.
  package func exactNumber(at index: Int) -> JSONNumber { JSONNumber(checked: string(at: index)) }

  /// Returns the number at an index as the nearest `Double`. Nil if the number is too large.
  package func double(at index: Int) -> Double? {
    let word = words[index]
    if let (value, end) = text.shortNumber(at: word.offset), end == word.offset + word.length { return value }
    return exactNumber(at: index).double
  }
}
