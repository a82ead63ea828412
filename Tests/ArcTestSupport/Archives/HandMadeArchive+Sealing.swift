import ArcFormat

extension HandMadeArchive {
  /// Returns changed bytes with correct checksums. Lengths in the bytes determine the segments, as long as
  /// they are possible.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= ArchiveHeader.byteCount + ArchiveTrailer.byteCount else { return bytes }
    var bytes = bytes
    func integer(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { ($0 << 8 | Int(bytes[offset + $1])) & Int.max }
    }
    func put(_ crc: UInt32, at offset: Int) {
      bytes.replaceSubrange(offset..<offset + 4, with: littleEndianBytes(crc))
    }
    put(Checksum.crc32(bytes[..<28]), at: 28)
    let trailer = bytes.count - ArchiveTrailer.byteCount
    let indexOffset = integer(trailer, 8)
    var start = ArchiveHeader.byteCount
    var checksum: UInt32 = 0
    while start + 28 <= trailer {
      let stored = integer(start + 8, 8)
      guard stored <= bytes.count else { break }
      let end = start + SegmentLayout.byteCount(stored: stored) - SegmentLayout.checksumByteCount
      guard end <= trailer - 4 else { break }
      put(Checksum.crc32(bytes[start..<end]), at: end)
      if start != indexOffset { checksum = Checksum.crc32(bytes[end..<end + 4], seed: checksum) }
      start = end + 4
    }
    put(checksum, at: trailer + 20)
    put(Checksum.crc32(bytes[trailer..<trailer + 24]), at: trailer + 24)
    return bytes
  }
}

/// Returns the bytes of a checksum in the order of the file.
package func littleEndianBytes(_ crc: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
}
