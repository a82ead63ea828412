/// A string that grows at its end, as UTF-8 bytes in its own memory.
package struct TextBuffer: ~Copyable {
  private var buffer = GrowableBuffer()

  /// Creates an empty string.
  package init() {}

  deinit { buffer.free() }

  /// The number of bytes.
  package var count: Int { buffer.count }

  /// The bytes. They are valid until the next change.
  package var bytes: ByteView { buffer.bytes }

  /// Appends a byte.
  package mutating func append(_ byte: UInt8) { buffer.append(byte) }

  /// Appends UTF-8 bytes.
  package mutating func append(_ bytes: ByteView) { buffer.append(contentsOf: bytes) }

  /// Appends a string.
  package mutating func append(_ text: String) { text.withUTF8Bytes { buffer.append(contentsOf: $0) } }

  /// Appends the decimal digits of a number.
  package mutating func append(decimal number: UInt64) {
    if number >= 10 { append(decimal: number / 10) }
    buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends `count` spaces.
  package mutating func append(spaces count: Int) {
    for _ in 0..<count / 8 { buffer.append(0x2020_2020_2020_2020 as UInt64) }
    for _ in 0..<count % 8 { buffer.append(UInt8(ascii: " ")) }
  }

  /// Removes all bytes after the first `count` bytes.
  package mutating func truncate(to count: Int) { buffer.truncate(to: count) }

  /// Replaces the bytes in a range with a string.
  ///
  /// - Complexity: O(*n*) in the number of bytes after the range.
  package mutating func replace(_ range: Range<Int>, with text: String) {
    let rest = [UInt8](bytes[range.upperBound..<count])
    truncate(to: range.lowerBound)
    append(text)
    rest.withByteView { append($0) }
  }
}
