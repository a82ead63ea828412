import CZlib

/// CRC-32 with zlib's polynomial: finds all 1- and 2-bit errors at our sizes and every burst up to 32 bits.
package enum Checksum {
  /// The CRC-32 of `bytes`, continuing from `seed` (0 at the start).
  package static func crc32(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    guard let base = bytes.baseAddress else { return seed }
    return unsafe UInt32(truncatingIfNeeded: CZlib.crc32_z(uLong(seed), base, bytes.count))
  }

  /// The CRC-32 of an array.
  package static func crc32(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    let fast = bytes.withContiguousStorageIfAvailable { unsafe crc32(UnsafeRawBufferPointer($0), seed: seed) }
    return fast ?? crc32(Array(bytes), seed: seed)
  }
}
