import CZlib

/// The stored form of a compressed payload, implemented by the Spec and without the code under test: for each
/// block its length, followed by a zlib stream. Spec: 02-container, section 3.
enum ZlibBlocks {
  /// The bytes are not such blocks, or zlib cannot shrink them because they are too short.
  struct Failure: Error {}

  private static let blockByteCount = 1 << 21

  /// Returns the stored form of bytes. Throws an error if it is not shorter than the bytes.
  static func deflated(_ raw: [UInt8]) throws -> [UInt8] {
    var stored: [UInt8] = []
    for start in stride(from: 0, to: raw.count, by: blockByteCount) {
      let block = Array(raw[start..<min(start + blockByteCount, raw.count)])
      var length = compressBound(uLong(block.count))
      var stream = [UInt8](repeating: 0, count: Int(length))
      guard unsafe compress2(&stream, &length, block, uLong(block.count), 9) == Z_OK else { throw Failure() }
      stored +=
        (0..<4).map { UInt8(truncatingIfNeeded: Int(length) >> (8 * $0)) } + stream.prefix(Int(length))
    }
    guard !raw.isEmpty, stored.count < raw.count else { throw Failure() }
    return stored
  }

  /// Returns the bytes of a stored form. `byteCount` is their number.
  static func inflated(_ stored: [UInt8], byteCount: Int) throws -> [UInt8] {
    // Deflate cannot shrink data by a larger factor.
    guard byteCount / 1032 <= stored.count else { throw Failure() }
    var raw: [UInt8] = []
    var rest = stored[...]
    while raw.count < byteCount {
      let streamByteCount = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let stream = Array(rest.dropFirst(4).prefix(streamByteCount))
      rest = rest.dropFirst(4 + streamByteCount)
      var block = [UInt8](repeating: 0, count: min(blockByteCount, byteCount - raw.count))
      var length = uLong(block.count)
      let status = unsafe uncompress(&block, &length, stream, uLong(stream.count))
      guard status == Z_OK, Int(length) == block.count else { throw Failure() }
      raw += block
    }
    return raw
  }
}
