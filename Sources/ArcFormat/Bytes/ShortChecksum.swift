/// Computes the CRC-32 of a few hundred bytes, with tables for 16 bytes at a time ("slicing"). For up to one
/// hundred bytes, it takes 10 to 30 nanoseconds. zlib's function is optimized for larger buffers, and takes
/// 50 to 120 nanoseconds.
///
/// Invariant: `tables` has 16 tables of 256 entries each, which are never changed or freed. Entry `b` of
/// table `t` is the contribution to the checksum of a byte `b` that is followed by `t` zero bytes.
struct ShortChecksum: Sendable {
  /// The maximum number of bytes for which `crc32` is faster than zlib's function.
  static let maximumByteCount = 512

  static let shared = ShortChecksum()

  private nonisolated(unsafe) let tables: HandleBuffer<UInt32>

  private init() {
    let tables = HandleBuffer(repeating: 0 as UInt32, count: 16 * 256)
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      tables[byte] = sum
    }
    for index in 256..<16 * 256 {
      let sum = tables[index - 256]
      tables[index] = tables[Int(sum & 0xFF)] ^ sum >> 8
    }
    unsafe self.tables = tables
  }

  /// Returns the CRC-32 of `bytes`. `seed` is the checksum of the preceding bytes.
  func crc32(_ bytes: ByteView, seed: UInt32) -> UInt32 {
    var sum = ~seed
    var offset = 0
    while offset &+ 16 <= bytes.count {
      let first = bytes.integer(at: offset, as: UInt64.self) ^ UInt64(sum)
      sum = fold(first, zeros: 8) ^ fold(bytes.integer(at: offset &+ 8), zeros: 0)
      offset &+= 16
    }
    if offset &+ 8 <= bytes.count {
      sum = fold(bytes.integer(at: offset) ^ UInt64(sum), zeros: 0)
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = UInt8(truncatingIfNeeded: sum) ^ bytes[offset]
      sum = unsafe tables[Int(byte)] ^ sum >> 8
      offset &+= 1
    }
    return ~sum
  }

  /// Returns the CRC-32 of the four bytes of a little-endian number. `seed` is the checksum of the preceding
  /// bytes.
  func crc32(ofWord word: UInt32, seed: UInt32) -> UInt32 { ~fold(UInt64(word ^ ~seed) << 32, zeros: 0) }

  /// Returns what 8 bytes contribute to the checksum, if `zeros` zero bytes follow them.
  @inline(__always) private func fold(_ word: UInt64, zeros: Int) -> UInt32 {
    let low = entry(word, 0, zeros &+ 7) ^ entry(word, 1, zeros &+ 6) ^ entry(word, 2, zeros &+ 5)
    let middle = entry(word, 3, zeros &+ 4) ^ entry(word, 4, zeros &+ 3) ^ entry(word, 5, zeros &+ 2)
    return low ^ middle ^ (entry(word, 6, zeros &+ 1) ^ entry(word, 7, zeros))
  }

  @inline(__always) private func entry(_ word: UInt64, _ byte: UInt64, _ table: Int) -> UInt32 {
    unsafe tables[table &* 256 &+ Int(truncatingIfNeeded: word >> (byte &* 8) & 0xFF)]
  }
}
