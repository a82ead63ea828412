/// Bytes under construction; the counterpart of `ByteReader`.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func append(_ more: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: more) }

  /// Appends an integer, little-endian.
  package mutating func fixed<T: FixedWidthInteger>(_ value: T) {
    var rest = value.littleEndian
    unsafe withUnsafeBytes(of: &rest) { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func fixed(_ byte: UInt8) { bytes.append(byte) }

  /// Appends an unsigned LEB128 number. Spec: 02-container, rule B1.
  package mutating func varint(_ value: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// How many bytes `varint` takes for a number.
  package static func varintByteCount(_ value: Int) -> Int {
    max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  /// Appends a length in bytes and UTF-8.
  package mutating func string(_ text: String) {
    varint(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes an integer over bytes that are there already.
  mutating func overwrite<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, with value: T) {
    precondition(offset >= 0 && bytes.count - offset >= MemoryLayout<T>.size)
    unsafe bytes.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }

  /// The CRC-32 of the bytes from an offset on.
  func checksum(from start: Int) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Makes room for so many more bytes, so that they are not moved while they are appended. Where they must be moved
  /// now, there is room for `expected` bytes in all afterwards.
  mutating func reserve(_ more: Int, expected: Int) {
    let needed = bytes.count + more
    if needed > bytes.capacity { bytes.reserveCapacity(max(needed, min(expected, needed * 2))) }
  }

  /// Makes room for so many bytes in all, and for no more than that.
  mutating func reserveExactly(_ count: Int) { bytes.reserveCapacity(count) }

  /// Forgets the bytes and keeps the room.
  package mutating func reset() { bytes.removeAll(keepingCapacity: true) }

  /// Hands out the bytes and starts anew.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
