import CZlib

/// How the bytes of a segment are stored. Spec: 02-container, section 3.
public enum Compression: Hashable, Sendable {
  /// As they are.
  case none
  /// zlib (RFC 1950); `level` 1 is fastest, 9 smallest. A segment that would not shrink is stored as it is.
  case zlib(level: Int)

  /// zlib at its usual level, 6.
  public static let zlib = Compression.zlib(level: 6)
}

/// A payload as a row of zlib streams, one for each block of it: large payloads take all processors, in both
/// directions. Spec: 02-container, section 3.
enum Deflate {
  /// Deflate cannot shrink more than this, so a larger claim is a bomb. (RFC 1951: 258 bytes from 2 bits.)
  static let greatestRatio = 1032
  /// Bytes of all blocks but the last, before compression: more than most segments have.
  static let blockByteCount = 1 << 21

  /// The compressed form, or nil if it is not smaller.
  static func compress(_ raw: [UInt8], level: Int) throws(ArchiveError) -> [UInt8]? {
    let blocks = unsafe raw.withUnsafeBytes { raw in
      Parallel.map(blockCount(raw.count)) { unsafe compressBlock(raw[range(of: $0, in: raw.count)], level) }
    }
    var stored = ByteWriter()
    for block in blocks {
      let bytes = try block.get()
      if stored.count + 4 + bytes.count >= raw.count { return nil }
      stored.fixed(UInt32(bytes.count))
      stored.append(bytes)
    }
    return blocks.isEmpty ? nil : stored.takeBytes()
  }

  private static func blockCount(_ byteCount: Int) -> Int {
    byteCount / blockByteCount + (byteCount % blockByteCount == 0 ? 0 : 1)
  }

  private static func range(of block: Int, in byteCount: Int) -> Range<Int> {
    block * blockByteCount..<min((block + 1) * blockByteCount, byteCount)
  }

  private static func compressBlock(
    _ block: Slice<UnsafeRawBufferPointer>, _ level: Int
  ) -> Result<[UInt8], ArchiveError> {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: block)
    var length = compressBound(uLong(raw.count))
    var status = Z_OK
    let stored = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      status = unsafe compress2(
        buffer.baseAddress, &length, raw.bindMemory(to: UInt8.self).baseAddress, uLong(raw.count),
        Int32(min(max(level, 0), 9)))
      count = status == Z_OK ? Int(length) : 0
    }
    if status == Z_OK { return .success(stored) }
    return .failure(ArchiveError(.compressionFailed, found: "zlib status \(status) while compressing"))
  }

  /// Fills `raw` exactly from `stored`; anything more or less is an error. Spec: 02-container, rule Z2.
  static func decompress(
    _ stored: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer, byteOffset: Int
  ) throws(ArchiveError) {
    var reader = unsafe ByteReader(stored, fileOffset: byteOffset)
    var blocks: [UnsafeRawBufferPointer] = unsafe []
    for _ in 0..<blockCount(raw.count) {
      let length: UInt32 = try reader.fixed()
      unsafe blocks.append(try reader.take(Int(length)))
    }
    try reader.finish("compressed payload")
    let outcomes = unsafe Parallel.map(blocks.count) { block in
      unsafe decompressBlock(
        blocks[block], into: UnsafeMutableRawBufferPointer(rebasing: raw[range(of: block, in: raw.count)]),
        byteOffset)
    }
    for case let failure? in outcomes { throw failure }
  }

  private static func decompressBlock(
    _ stored: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer, _ byteOffset: Int
  ) -> ArchiveError? {
    var length = uLong(raw.count)
    var storedLength = uLong(stored.count)
    let status = unsafe uncompress2(
      raw.bindMemory(to: UInt8.self).baseAddress, &length,
      stored.bindMemory(to: UInt8.self).baseAddress, &storedLength)
    if status == Z_OK, length == uLong(raw.count), storedLength == uLong(stored.count) { return nil }
    return ArchiveError(
      .compressionFailed, found: "zlib status \(status) after \(length) of \(raw.count) bytes",
      expected: "a zlib stream of exactly that length", byteOffset: byteOffset)
  }
}
