import CZlib

/// Computes CRC-32 with zlib's polynomial. For the sizes in Arc, this checksum detects each error of one or
/// two bits, and each burst error of up to 32 bits.
package enum Checksum {
  /// Returns the CRC-32 of `bytes`. `seed` is the checksum of the preceding bytes, or 0 at the start. A large
  /// buffer is distributed over all processors.
  package static func crc32(_ bytes: ByteView, seed: UInt32 = 0) -> UInt32 {
    if bytes.count <= ShortChecksum.maximumByteCount {
      return ShortChecksum.shared.crc32(bytes, seed: seed)
    }
    let partCount = bytes.count < minimumByteCountForThreads ? 1 : Processors.count
    if partCount == 1 { return serialCRC32(bytes, seed) }
    let partByteCount = bytes.count / partCount
    let sums = Parallel.map(partCount) { part in
      let start = part * partByteCount
      let end = part == partCount - 1 ? bytes.count : start + partByteCount
      return (crc: serialCRC32(bytes[start..<end], part == 0 ? seed : 0), count: end - start)
    }
    return sums.dropFirst().reduce(sums[0].crc) { crc, next in
      UInt32(truncatingIfNeeded: CZlib.crc32_combine(uLong(crc), uLong(next.crc), numericCast(next.count)))
    }
  }

  private static let minimumByteCountForThreads = 4 << 20

  private static func serialCRC32(_ bytes: ByteView, _ seed: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe UInt32(truncatingIfNeeded: CZlib.crc32_z(uLong(seed), $0.baseAddress, $0.count))
    }
  }

  /// Returns the CRC-32 of the four bytes of another checksum, `crc`, in the byte order of the file.
  static func crc32(of crc: UInt32, seed: UInt32) -> UInt32 {
    ShortChecksum.shared.crc32(ofWord: crc, seed: seed)
  }

  /// Returns the CRC-32 of a collection of bytes. `seed` is the checksum of the preceding bytes, or 0 at the
  /// start.
  package static func crc32(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    let fast = bytes.withContiguousStorageIfAvailable {
      crc32(unsafe ByteView(UnsafeRawBufferPointer($0)), seed: seed)
    }
    return fast ?? crc32(Array(bytes), seed: seed)
  }
}
