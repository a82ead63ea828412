import CZlib

/// A stream of zlib, in memory of its own: zlib requires that the address of the stream does not change.
///
/// Invariant: `stream` is initialized until `deinit`, which also releases the memory that zlib reserved.
/// zlib accesses bytes of the caller only during a call, and only in the ranges that the call passes.
@safe private final class ZlibStream {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isCompressing: Bool
  /// The status of the beginning of the stream.
  let status: Int32

  /// Begins a zlib stream [RFC1950] that compresses at a level. Without a level, begins to decompress deflate
  /// [RFC1951], which is a zlib stream without its header and checksum.
  init(compressionLevel level: Int32?) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // zlib compares the version and the size with the version and the size for which it was built.
    let byteCount = unsafe Int32(MemoryLayout<z_stream>.size)
    isCompressing = level != nil
    status =
      if let level {
        unsafe deflateInit_(stream, level, ZLIB_VERSION, byteCount)
      } else {
        unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, byteCount)
      }
  }

  deinit {
    if isCompressing { unsafe deflateEnd(stream) } else { unsafe inflateEnd(stream) }
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Resets the stream, so that decompression does not depend on bytes that were decompressed before. Returns
  /// the status of zlib.
  func restart() -> Int32 { unsafe inflateReset(stream) }

  /// Compresses or decompresses `input` into `output`. Returns the status of zlib, the number of bytes read,
  /// and the number of bytes written.
  func run(_ input: ByteView, into output: ByteBuffer, _ step: Step) -> (
    status: Int32, inputCount: Int, outputCount: Int
  ) {
    // Blocks and their streams are smaller than 2^32 bytes.
    let inputCount = UInt32(clamping: input.count)
    let outputCount = UInt32(clamping: output.count)
    return unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = inputCount
        unsafe stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = outputCount
        let status =
          switch step {
          case .compress: unsafe deflate(stream, Z_FINISH)
          case .compressAndFlush: unsafe deflate(stream, Z_FULL_FLUSH)
          case .decompress: unsafe inflate(stream, Z_SYNC_FLUSH)
          }
        return unsafe (
          status, Int(inputCount - stream.pointee.avail_in), Int(outputCount - stream.pointee.avail_out)
        )
      }
    }
  }

  enum Step {
    /// Compresses the last bytes of a stream.
    case compress
    /// Compresses bytes, and flushes the stream so that decompression can begin after these bytes.
    case compressAndFlush
    case decompress
  }
}

extension Deflate {
  /// Compresses a block as one zlib stream in which decompression can begin at each of `borders`.
  ///
  /// Returns the stream and its points. The offsets of the points are relative to the block and to the
  /// stream. Nil if zlib fails. `borders` are offsets in `raw`, in ascending order, without the beginning and
  /// the end of `raw`.
  ///
  /// Spec: 13-directory, section 5.
  static func flushedBlock(
    _ raw: ByteView, _ level: Int32, borders: [Int]
  ) -> (stored: [UInt8], points: [DecompressionPoint])? {
    // A flush takes at most 10 bytes: the end of a deflate block, and an empty block without compression.
    let capacity = zip([0] + borders, borders + [raw.count]).reduce(16) {
      $0 + Int(compressBound(uLong($1.1 - $1.0))) + 10
    }
    let buffer = ByteBuffer(count: capacity)
    defer { buffer.free() }
    let stream = ZlibStream(compressionLevel: level)
    guard stream.status == Z_OK else { return nil }
    var points: [DecompressionPoint] = []
    var (start, count) = (0, 0)
    for end in borders + [raw.count] {
      let isLast = end == raw.count
      let found = stream.run(
        raw[start..<end], into: buffer.suffix(from: count), isLast ? .compress : .compressAndFlush)
      count += found.outputCount
      // If no space is left, a flush may be incomplete.
      guard found.status == (isLast ? Z_STREAM_END : Z_OK), found.inputCount == end - start, count < capacity
      else { return nil }
      if !isLast { points.append(DecompressionPoint(rawOffset: end, storedOffset: count)) }
      start = end
    }
    return (Array(buffer.view[0..<count]), points)
  }
}

/// Decompresses a part of a zlib block, from the beginning of the block or from a point, as far as needed.
///
/// Spec: 13-directory, section 5.
final class PartStream {
  private let stream = ZlibStream(compressionLevel: nil)

  /// Begins a part. Resets the stream, so that the parts before have no influence.
  func begin() throws(ArchiveError) {
    guard stream.status == Z_OK, stream.restart() == Z_OK else { throw Self.failure(stream.status) }
  }

  /// Decompresses the next bytes of the part.
  ///
  /// - Parameters:
  ///   - stored: the bytes of the part that were not read yet.
  ///   - raw: receives the bytes.
  /// - Returns: the numbers of bytes read and written, and whether the last deflate block has ended.
  /// - Throws: an error if the bytes are not deflate.
  func next(
    _ stored: ByteView, into raw: ByteBuffer
  ) throws(ArchiveError) -> (storedByteCount: Int, byteCount: Int, isAtEnd: Bool) {
    let found = stream.run(stored, into: raw, .decompress)
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(found.status) else { throw Self.failure(found.status) }
    return (found.inputCount, found.outputCount, found.status == Z_STREAM_END)
  }

  private static func failure(_ status: Int32) -> ArchiveError {
    ArchiveError(
      .compressionFailed, found: "the zlib status \(status) in a part of a zlib block",
      expected: "a part that decompresses without the bytes before it")
  }
}
