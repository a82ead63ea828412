import CZlib

/// The stored form of a compressed payload, as the Spec has it and apart from the code that is tested: one
/// zlib stream behind its length for each block. Spec: 02-container, section 3.
enum ZlibBlocks {
  /// The bytes are no such blocks, or too short for zlib to shrink them.
  struct Failure: Error {}

  private static let blockByteCount = 1 << 21

  /// The stored form of bytes that it is shorter than.
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

  /// The bytes of a stored form, of which is known how many they are.
  static func inflated(_ stored: [UInt8], byteCount: Int) throws -> [UInt8] {
    // Deflate cannot shrink more than this.
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
