/// Text in UTF-8 that grows at the end, in memory of its own.
package struct TextBuffer: ~Copyable {
  private var buffer = GrowableBuffer()

  /// Makes an empty text.
  package init() {}

  deinit { buffer.free() }

  /// The number of bytes.
  package var count: Int { buffer.count }

  /// The bytes, valid until the next change.
  package var bytes: ByteView { buffer.bytes }

  /// Appends a byte.
  package mutating func append(_ byte: UInt8) { buffer.append(byte) }

  /// Appends bytes of another text.
  package mutating func append(_ bytes: ByteView) { buffer.append(contentsOf: bytes) }

  /// Appends a string.
  package mutating func append(_ text: String) { text.withUTF8Bytes { buffer.append(contentsOf: $0) } }

  /// Appends the digits of a number.
  package mutating func append(decimal number: UInt64) {
    if number >= 10 { append(decimal: number / 10) }
    buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends some spaces.
  package mutating func append(spaces count: Int) {
    for _ in 0..<count / 8 { buffer.append(0x2020_2020_2020_2020 as UInt64) }
    for _ in 0..<count % 8 { buffer.append(UInt8(ascii: " ")) }
  }

  /// Removes what stands behind the first bytes.
  package mutating func truncate(to count: Int) { buffer.truncate(to: count) }

  /// Puts a string in place of the bytes in a range.
  ///
  /// - Complexity: O(*n*) in the number of bytes behind them.
  package mutating func replace(_ range: Range<Int>, with text: String) {
    let rest = [UInt8](bytes[range.upperBound..<count])
    truncate(to: range.lowerBound)
    append(text)
    rest.withByteView { append($0) }
  }
}
