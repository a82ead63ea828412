/// The integers of a chunk, in one of four forms: plain, packed, as differences, or in runs.
///
/// Invariant, established by `init`: `bytes` contains all bytes that `form` requires. Therefore, `expand` may
/// load them without checks.
///
/// Spec: 04-columns, section 3.
struct IntegerSequence {
  let form: ChunkForm
  /// The number of bytes of one value.
  let width: Int
  let count: Int
  /// The values if the form is plain. Otherwise, the bytes that follow the width.
  let bytes: ByteView
  /// For packed values or packed differences, the number of bits of each value or difference. For runs, the
  /// number of runs.
  let parameter: Int

  /// Reads the bytes that follow an encoding byte. Nil if they violate a rule. `payloadOffset` is the
  /// position of `reader` in the payload.
  ///
  /// Spec: 04-columns, rules V1, V8, V9, V10 and V11.
  @inline(__always) init?(
    reading reader: inout ByteReader, encoding: UInt8, count: Int, maximumWidth: Int, payloadOffset: Int
  ) throws(ArchiveError) {
    // Fast path: most sequences are plain and short.
    guard Self.isWidth(encoding) else {
      try self.init(
        readingSeldom: &reader, encoding: encoding, count: count, maximumWidth: maximumWidth,
        payloadOffset: payloadOffset)
      return
    }
    let width = Int(encoding)
    guard width <= maximumWidth, count <= reader.remaining >> width.trailingZeroBitCount else { return nil }
    self.init(plain: try reader.take(count * width), count: count, width: width)
  }

  @inline(__always) private init(plain bytes: ByteView, count: Int, width: Int) {
    form = .plain
    self.width = width
    self.count = count
    self.bytes = bytes
    parameter = 0
  }

  /// Whether a plain integer can have `width` bytes.
  @inline(__always) private static func isWidth(_ width: UInt8) -> Bool {
    width < 16 && 0b1_0001_0110 as UInt32 >> UInt32(width) & 1 == 1
  }

  /// The slow path of `init`: aligned values, and forms that are not plain. Spec: 04-columns, rules V1, V8,
  /// V9, V10 and V11.
  @inline(never) private init?(
    readingSeldom reader: inout ByteReader, encoding: UInt8, count: Int, maximumWidth: Int,
    payloadOffset: Int
  ) throws(ArchiveError) {
    let isAligned = encoding & ChunkEncoding.aligned != 0 && encoding != ChunkEncoding.aligned | 1
    let plainWidth = isAligned ? encoding & ~ChunkEncoding.aligned : encoding
    if Self.isWidth(plainWidth) {
      let width = Int(plainWidth)
      guard width <= maximumWidth else { return nil }  // V1
      if isAligned, try !reader.skipPadding(at: payloadOffset) { return nil }  // V11
      guard count <= reader.remaining / width else { return nil }  // V1
      self.init(plain: try reader.take(count * width), count: count, width: width)
      return
    }
    // An unknown encoding is reported before any other error, so nothing is read before this check.
    guard ChunkEncoding.packed...ChunkEncoding.runs ~= encoding else { return nil }  // V1
    guard count <= ChunkEncoding.maximumEncodedCount else { return nil }  // V8
    let width = Int(try reader.fixed(UInt8.self))
    guard Self.isWidth(UInt8(width)), width <= maximumWidth else { return nil }  // V1
    switch encoding {
    case ChunkEncoding.packed: try self.init(readingPacked: &reader, .packed, count: count, width: width)
    case ChunkEncoding.delta: try self.init(readingPacked: &reader, .delta, count: count, width: width)
    default: try self.init(readingRuns: &reader, count: count, width: width)
    }
  }

  /// Reads packed values or packed differences: the bytes that follow the width. Nil if they violate a rule.
  /// Spec: 04-columns, rule V9.
  private init?(
    readingPacked reader: inout ByteReader, _ form: ChunkForm, count: Int, width: Int
  ) throws(ArchiveError) {
    var body = reader
    let bitWidth = Int(try reader.fixed(UInt8.self))
    guard bitWidth < 8 * width, bitWidth <= ChunkEncoding.maximumBitWidth else { return nil }  // V9
    let packedCount = form == .packed ? count : count - 1
    guard packedCount >= 0 else { return nil }  // V1
    // The product cannot overflow: at most 2^18 values (V8) of at most 56 bits (V9).
    let bitCount = packedCount * bitWidth
    let headByteCount = form == .packed ? width : 2 * width
    _ = try reader.take(headByteCount)
    guard (bitCount + 7) / 8 <= reader.remaining else { return nil }  // V1
    let packed = try reader.take((bitCount + 7) / 8)
    if bitCount & 7 != 0, packed[packed.count - 1] >> UInt8(bitCount & 7) != 0 { return nil }  // V9
    self.form = form
    self.width = width
    self.count = count
    parameter = bitWidth
    bytes = try body.take(1 + headByteCount + packed.count)
  }

  /// Reads runs: the bytes that follow the width. Nil if they violate a rule. Spec: 04-columns, rule V10.
  private init?(readingRuns reader: inout ByteReader, count: Int, width: Int) throws(ArchiveError) {
    let runCount = try reader.count(itemBytes: width + 1)
    var body = reader
    _ = try reader.take(runCount * width)
    let lengthWidth = Int(try reader.fixed(UInt8.self))
    guard [1, 2, 4].contains(lengthWidth) else { return nil }  // V1
    guard runCount * lengthWidth <= reader.remaining else { return nil }  // V1
    let lengths = try reader.take(runCount * lengthWidth)
    var total = 0
    for index in 0..<runCount {
      let length = Int(truncatingIfNeeded: lengths.unsigned(index, width: lengthWidth))
      guard length > 0, length <= count - total else { return nil }  // V10
      total += length
    }
    guard total == count else { return nil }  // V10
    form = .runs
    self.width = width
    self.count = count
    parameter = runCount
    bytes = try body.take(runCount * (width + lengthWidth) + 1)
  }

  /// Creates the integer sequence of a chunk. The `init` of the chunk has already checked the bytes.
  init(_ chunk: Chunk) {
    form = chunk.form
    width = chunk.width
    count = chunk.count
    bytes = chunk.values
    parameter = chunk.parameter
  }

  /// Writes all values to `memory`, with `width` bytes per value. The sequence must not be plain, and
  /// `memory` must have `count * width` bytes.
  func expand(into memory: ByteBuffer) {
    switch width {
    case 1: expand(into: memory, as: UInt8.self)
    case 2: expand(into: memory, as: UInt16.self)
    case 4: expand(into: memory, as: UInt32.self)
    default: expand(into: memory, as: UInt64.self)
    }
  }

  private func expand<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    into memory: ByteBuffer, as type: T.Type
  ) {
    let values = memory.values(as: T.self)
    switch form {
    case .plain, .constant: break
    case .packed:
      unpack(after: 1 + width, adding: bytes.integer(at: 1), to: values, count)
    case .delta:
      let difference: T = bytes.integer(at: 1 + width)
      unpack(after: 1 + 2 * width, adding: difference, to: values.dropFirst(1), count - 1)
      var value: T = bytes.integer(at: 1)
      values[0] = value
      for index in 1..<max(count, 1) {
        value = value &+ values[index]
        values[index] = value
      }
    case .runs:
      let lengths = bytes.suffix(from: parameter * width + 1)
      let lengthWidth = Int(bytes[parameter * width])
      var position = 0
      for index in 0..<parameter {
        let length = Int(truncatingIfNeeded: lengths.unsigned(index, width: lengthWidth))
        values.fill(position..<position + length, with: bytes.integer(at: index * width))
        position += length
      }
    }
  }

  /// Adds `base` to each packed value, and writes the sums to `values`, which must have capacity for them.
  @inline(__always)
  private func unpack<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    after head: Int, adding base: T, to values: HandleBuffer<T>, _ count: Int
  ) {
    let bitWidth = parameter
    guard bitWidth > 0 else { return values.fill(0..<max(count, 0), with: base) }
    let mask = (1 as UInt64) << UInt64(bitWidth) &- 1
    // Each of these values can be loaded with 8 bytes inside `bytes`. The last few values are assembled byte
    // by byte.
    let safeCount = max(0, min(count, ((bytes.count - head - 8) * 8) / bitWidth))
    for index in 0..<safeCount {
      let bit = index &* bitWidth
      let eight: UInt64 = bytes.integer(at: head &+ bit >> 3)
      values[index] = base &+ T(truncatingIfNeeded: eight &>> UInt64(bit & 7) & mask)
    }
    for index in safeCount..<max(count, safeCount) {
      let bit = index &* bitWidth
      var eight: UInt64 = 0
      for (number, offset) in (head + bit >> 3..<min(head + bit >> 3 + 8, bytes.count)).enumerated() {
        eight |= UInt64(bytes[offset]) << UInt64(8 * number)
      }
      values[index] = base &+ T(truncatingIfNeeded: eight &>> UInt64(bit & 7) & mask)
    }
  }
}
