/// A checksum over the fields that a walk reads, in order. It prevents the optimizer from removing the reads,
/// and equal graphs have equal digests.
struct Digest {
  private(set) var value: UInt64 = 0

  @inline(__always) mutating func fold(_ word: UInt64) { value = (value << 1 | value >> 63) &+ word }

  @inline(__always) mutating func fold(_ number: some FixedWidthInteger) {
    fold(UInt64(truncatingIfNeeded: number))
  }

  @inline(__always) mutating func fold(_ number: Double) { fold(number.bitPattern) }

  @inline(__always) mutating func fold(_ flag: Bool) { fold(flag ? UInt64(1) : 2) }

  @inline(__always) mutating func fold(_ text: String) { fold(Self.sum(of: text)) }

  /// Adds a case of an enumeration without associated values, by its byte in memory.
  @inline(__always) mutating func fold(choice: some CaseIterable) {
    withUnsafeBytes(of: choice) { fold($0.first ?? 0) }
  }

  /// Reads all UTF-8 bytes, eight at a time. Add the sums of several strings if their order is random.
  @inline(__always) static func sum(of text: String) -> UInt64 {
    var sum: UInt64 = 0
    text.utf8.withContiguousStorageIfAvailable { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      sum = UInt64(bytes.count)
      guard bytes.count >= 8 else {
        for byte in bytes { sum = sum << 8 | UInt64(byte) }
        return
      }
      var offset = 0
      while offset < bytes.count {
        // The last word overlaps the previous word.
        let start = min(offset, bytes.count - 8)
        sum = (sum << 5 | sum >> 59) &+ bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        offset += 8
      }
    }
    return sum
  }

  /// Adds a string or nil. Nil adds a value, too, so that nil differs from zero.
  @inline(__always) mutating func fold(_ text: String?) {
    if let text { fold(text) } else { fold(UInt64(3)) }
  }

  @inline(__always) mutating func fold(_ number: Double?) {
    if let number { fold(number) } else { fold(UInt64(5)) }
  }

  @inline(__always) mutating func fold(_ number: Int?) {
    if let number { fold(number) } else { fold(UInt64(7)) }
  }
}
