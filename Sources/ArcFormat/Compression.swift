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

/// zlib's one-shot calls, with sizes that are known beforehand.
enum Deflate {
  /// Deflate cannot shrink more than this, so a larger claim is a bomb. (RFC 1951: 258 bytes from 2 bits.)
  static let greatestRatio = 1032

  /// The compressed form, or nil if it is not smaller.
  static func compress(_ raw: [UInt8], level: Int) throws(ArchiveError) -> [UInt8]? {
    var length = compressBound(uLong(raw.count))
    var status = Z_OK
    let stored = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      unsafe raw.withUnsafeBufferPointer { source in
        unsafe status = compress2(
          buffer.baseAddress, &length, source.baseAddress, uLong(source.count), Int32(min(max(level, 0), 9)))
      }
      count = status == Z_OK ? Int(length) : 0
    }
    guard status == Z_OK else {
      throw ArchiveError(.compressionFailed, found: "zlib status \(status) while compressing")
    }
    return stored.count < raw.count ? stored : nil
  }

  /// Fills `raw` exactly from `stored`; anything more or less is an error.
  static func decompress(
    _ stored: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer, byteOffset: Int
  ) throws(ArchiveError) {
    var length = uLong(raw.count)
    var storedLength = uLong(stored.count)
    let status = unsafe uncompress2(
      raw.bindMemory(to: UInt8.self).baseAddress, &length,
      stored.bindMemory(to: UInt8.self).baseAddress, &storedLength)
    guard status == Z_OK, length == uLong(raw.count), storedLength == uLong(stored.count) else {
      throw ArchiveError(
        .compressionFailed, found: "zlib status \(status) after \(length) of \(raw.count) bytes",
        expected: "a zlib stream of exactly that length", byteOffset: byteOffset)
    }
  }
}
