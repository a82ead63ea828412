/// Bytes under construction; the counterpart of `ByteReader`.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends an integer, little-endian.
  package mutating func fixed<T: FixedWidthInteger>(_ value: T) {
    var rest = value.littleEndian
    unsafe withUnsafeBytes(of: &rest) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends an unsigned LEB128 number. Spec: 02-container, rule B1.
  package mutating func varint(_ value: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends a length in bytes and UTF-8.
  package mutating func string(_ text: String) {
    varint(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Hands out the bytes and starts anew.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
