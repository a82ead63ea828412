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
    var digits: UInt64 = 0
    text.appendDigits(&offset, to: &digits)
    return isNegative ? -Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
  }

  /// The number of an entry with all its digits.
  package func exactNumber(at index: Int) -> JSONNumber { JSONNumber(checked: string(at: index)) }

  /// The number of an entry as the nearest one of 64 bits; nil if that is infinite.
  package func double(at index: Int) -> Double? {
    let word = words[index]
    if let (value, end) = text.shortNumber(at: word.offset), end == word.offset + word.length { return value }
    return exactNumber(at: index).double
  }
}
