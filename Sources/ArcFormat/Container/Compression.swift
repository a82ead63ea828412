import CZlib

/// The compression of the segments of an archive.
///
///     try Archiver(compression: .zlib(level: 9)).write(person, to: url)
///
/// Spec: 02-container, section 3.
public enum Compression: Hashable, Sendable {
  /// Payloads are stored uncompressed.
  case none
  /// Payloads are compressed with zlib (RFC 1950), at a level from 1 (fastest) to 9 (smallest).
  ///
  /// If compression would not make a segment smaller, the segment is stored uncompressed.
  case zlib(level: Int)

  /// Compression with zlib at its default level, 6.
  public static let zlib = Compression.zlib(level: 6)
}

/// Compresses and decompresses payloads. Each block of a payload is a zlib stream, so a large payload can use
/// all processors.
///
/// Spec: 02-container, section 3.
enum Deflate {
  /// The maximum compression ratio of deflate (RFC 1951: 258 bytes from 2 bits). Readers refuse a larger
  /// ratio, because only a crafted file can state it.
  static let maximumRatio = 1032
  /// The number of uncompressed bytes of each block except the last. Most segments are smaller than one
  /// block.
  static let blockByteCount = 1 << 21

  /// Compresses a payload. Returns the compressed bytes, and the points at which decompression can begin. Nil
  /// if the compressed bytes are not fewer than the bytes of the payload.
  ///
  /// `borders` are the offsets in the payload that become points, in ascending order. Spec: 13-directory,
  /// section 5.
  static func compress(
    _ raw: [UInt8], level: Int, borders: [Int] = []
  ) throws(ArchiveError) -> (stored: [UInt8], points: [DecompressionPoint])? {
    let blocks = raw.withByteView { raw in
      Parallel.map(blockCount(raw.count)) {
        let range = range(of: $0, in: raw.count)
        // No point is at the beginning of a block, where decompression can always begin.
        let first = borders.partitioningIndex { $0 > range.lowerBound }
        let inner = borders[first...].prefix { $0 < range.upperBound }
        return compressBlock(raw[range], level, borders: inner.map { $0 - range.lowerBound })
      }
    }
    var stored = ByteWriter()
    var points: [DecompressionPoint] = []
    for (index, block) in blocks.enumerated() {
      let (bytes, blockPoints) = try block.get()
      if stored.count + 4 + bytes.count >= raw.count { return nil }
      stored.fixed(UInt32(bytes.count))
      points += blockPoints.map {
        DecompressionPoint(
          rawOffset: index * blockByteCount + $0.rawOffset, storedOffset: stored.count + $0.storedOffset)
      }
      stored.append(bytes)
    }
    return blocks.isEmpty ? nil : (stored.takeBytes(), points)
  }

  private static func blockCount(_ byteCount: Int) -> Int {
    byteCount / blockByteCount + (byteCount % blockByteCount == 0 ? 0 : 1)
  }

  private static func range(of block: Int, in byteCount: Int) -> Range<Int> {
    block * blockByteCount..<min((block + 1) * blockByteCount, byteCount)
  }

  /// Compresses one block. The offsets of the points are relative to the block.
  private static func compressBlock(
    _ raw: ByteView, _ level: Int, borders: [Int]
  ) -> Result<(stored: [UInt8], points: [DecompressionPoint]), ArchiveError> {
    let level = Int32(min(max(level, 0), 9))
    guard borders.isEmpty else {
      return flushedBlock(raw, level, borders: borders).map { .success($0) } ?? .failure(failure(Z_BUF_ERROR))
    }
    var length = compressBound(uLong(raw.count))
    var status = Z_OK
    let stored = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      status = unsafe raw.withUnsafeBytes { raw in
        unsafe compress2(
          buffer.baseAddress, &length, raw.bindMemory(to: UInt8.self).baseAddress, uLong(raw.count), level)
      }
      count = status == Z_OK ? Int(length) : 0
    }
    return status == Z_OK ? .success((stored, [])) : .failure(failure(status))
  }

  private static func failure(_ status: Int32) -> ArchiveError {
    ArchiveError(
      .compressionFailed, found: "the zlib status \(status) during compression",
      expected: "the zlib status 0")
  }

  /// Decompresses all blocks of `stored` into `raw`. The decompressed blocks must fill `raw` exactly.
  ///
  /// Spec: 02-container, rules Z2 and Z3.
  static func decompress(
    _ stored: ByteView, into raw: ByteBuffer, byteOffset: Int
  ) throws(ArchiveError) {
    var reader = ByteReader(stored, fileOffset: byteOffset)
    var blocks: [ByteView] = []
    for _ in 0..<blockCount(raw.count) {
      let length: UInt32 = try reader.fixed()
      blocks.append(try reader.take(Int(length)))
    }
    try reader.finish("compressed payload")
    let outcomes = Parallel.map(blocks.count) { block in
      decompressBlock(blocks[block], into: raw[range(of: block, in: raw.count)], byteOffset)
    }
    for case let failure? in outcomes { throw failure }
  }

  /// Decompresses the beginning of a payload whose end is missing. The complete payload has `rawByteCount`
  /// bytes. No checksum protects the result.
  static func decompressBeginning(of stored: ByteView, rawByteCount: Int) -> [UInt8] {
    var reader = ByteReader(stored, fileOffset: 0)
    var raw: [UInt8] = []
    // The blocks end with the bytes. The caller checks the number of decompressed bytes.
    while raw.count < rawByteCount, let length = try? reader.fixed(UInt32.self),
      let block = try? reader.take(min(Int(length), reader.remaining))
    {
      let byteCount = min(blockByteCount, rawByteCount - raw.count)
      let possible = block.count.multipliedReportingOverflow(by: maximumRatio)
      let buffer = ByteBuffer(count: possible.overflow ? byteCount : min(byteCount, possible.partialValue))
      defer { buffer.free() }
      // Decompression fails at the truncation. The bytes before it are correct.
      let length = min(inflate(block, into: buffer).byteCount, buffer.count)
      raw += Array(buffer.view[0..<length])
      guard length == byteCount else { break }
    }
    return raw
  }

  /// Decompresses one block up to its end or to the first error. Returns the zlib status, the number of bytes
  /// written, and the number of bytes read.
  private static func inflate(
    _ stored: ByteView, into raw: ByteBuffer
  ) -> (status: Int32, byteCount: Int, storedByteCount: Int) {
    var length = uLong(raw.count)
    var storedLength = uLong(stored.count)
    let status = unsafe stored.withUnsafeBytes { stored in
      unsafe raw.withUnsafeMutableBytes { raw in
        unsafe uncompress2(
          raw.bindMemory(to: UInt8.self).baseAddress, &length,
          stored.bindMemory(to: UInt8.self).baseAddress, &storedLength)
      }
    }
    return (status, Int(length), Int(storedLength))
  }

  /// Decompresses one block. Returns an error if this fails, otherwise nil. Spec: 02-container, rule Z2.
  private static func decompressBlock(
    _ stored: ByteView, into raw: ByteBuffer, _ byteOffset: Int
  ) -> ArchiveError? {
    let (status, length, storedLength) = inflate(stored, into: raw)
    if status == Z_OK, length == raw.count, storedLength == stored.count { return nil }
    return ArchiveError(
      .compressionFailed, found: "the zlib status \(status) after \(length) of \(plural(raw.count, "byte"))",
      expected: "a zlib stream that decompresses to exactly \(plural(raw.count, "byte"))",
      byteOffset: byteOffset)
  }
}
