/// Writes chunks. A chunk is the stored form of the values of one node of one class in one segment.
///
///     chunk := byteCount:varint  valueCount:varint  encoding:u8  values
///
/// Spec: 04-columns, section 2.
extension Chunk {
  /// The minimum size, in bytes, of plain values that are aligned in the file. A reader can use aligned
  /// values of a mapped file without a copy.
  private static let minimumByteCountToAlign = 4096
  /// The minimum number of values that are written as one constant if they are all equal.
  private static let minimumConstantCount = 32

  /// Writes a chunk of bits. `bits` contains one byte per bit. Spec: 04-columns, rules V3 and V8.
  static func write(bits: ByteView, to writer: inout ByteWriter) {
    if canBeConstant(bits.count), isConstant(bits, width: 1) {
      writeHead(bits.count, ChunkEncoding.packed, byteCount: 1, to: &writer)
      writer.fixed(bits[0])
    } else {
      writeHead(bits.count, ChunkEncoding.plain, byteCount: (bits.count + 7) / 8, to: &writer)
      pack(bits, to: &writer)
    }
  }

  /// Writes a chunk of values of `width` bytes each. Spec: 04-columns, rules V8 and V11.
  static func write(fixed values: CollectedValues, width: Int, to writer: inout ByteWriter) {
    let byteCount = values.byteCount
    if values.borrowed.isEmpty, canBeConstant(byteCount / width), isConstant(values.bytes, width: width) {
      writeHead(byteCount / width, ChunkEncoding.packed, byteCount: width, to: &writer)
      writer.append(values.bytes[0..<width])
    } else {
      writePlainHead(byteCount / width, ChunkEncoding.plain, byteCount: byteCount, to: &writer)
      values.forEachPiece { writer.append($0) }
    }
  }

  /// Writes a chunk of integers, in as few bytes as possible. The integers were collected with `width` bytes
  /// each. Spec: 04-columns, rule V4.
  static func write(
    integers values: CollectedValues, width: Int, isSigned: Bool, to writer: inout ByteWriter
  ) {
    switch (width, isSigned) {
    case (8, true): write(values, as: Int64.self, to: &writer)
    case (8, false): write(values, as: UInt64.self, to: &writer)
    case (4, true): write(values, as: Int32.self, to: &writer)
    case (4, false): write(values, as: UInt32.self, to: &writer)
    case (2, true): write(values, as: Int16.self, to: &writer)
    case (2, false): write(values, as: UInt16.self, to: &writer)
    case (_, true): write(values, as: Int8.self, to: &writer)
    case (_, false): write(values, as: UInt8.self, to: &writer)
    }
  }

  /// Writes a chunk of ids in the string table.
  static func write(stringIDs: ByteView, to writer: inout ByteWriter) {
    writeText(IntegerValues<UInt32>(stringIDs), ChunkEncoding.stringTable, to: &writer)
  }

  /// Writes a chunk of byte strings. `lengths` contains their lengths, with 8 bytes each, and `text` contains
  /// their bytes.
  static func write(lengths: ByteView, of text: ByteView, to writer: inout ByteWriter) {
    writeText(IntegerValues<UInt64>(lengths), ChunkEncoding.plain, followedBy: text, to: &writer)
  }

  /// Writes a chunk of a weak column. `rows` contains the row numbers of the targets, which are known only
  /// when all rows are written.
  static func write(rows: ByteView, to writer: inout ByteWriter) {
    let rows = IntegerValues<UInt32>(rows)
    writeIntegers(rows, rows.narrowestWidth, to: &writer)
  }

  /// Writes a chunk of `count` null references.
  static func write(nils count: Int, to writer: inout ByteWriter) {
    writeHead(count, 1, byteCount: count, to: &writer)
    writer.append(repeatElement(0, count: count))
  }

  private static func write<T: FixedWidthInteger & BitwiseCopyable>(
    _ collected: CollectedValues, as type: T.Type, to writer: inout ByteWriter
  ) {
    guard !collected.borrowed.isEmpty else {
      let values = IntegerValues<T>(collected.bytes)
      return writeIntegers(values, values.narrowestWidth, to: &writer)
    }
    var width = 1
    collected.forEachPiece { width = max(width, IntegerValues<T>($0).narrowestWidth) }
    let count = collected.byteCount / MemoryLayout<T>.size
    writePlainHead(count, UInt8(width), byteCount: count * width, to: &writer)
    collected.forEachPiece { IntegerValues<T>($0).store(width: width, to: &writer) }
  }

  private static func writeIntegers<T>(_ values: IntegerValues<T>, _ width: Int, to writer: inout ByteWriter)
  {
    let plan = IntegerPlan(values, width: width)
    if plan.isPlain {
      writePlainHead(values.count, plan.encoding, byteCount: plan.byteCount, to: &writer)
    } else {
      writeHead(values.count, plan.encoding, byteCount: plan.byteCount, to: &writer)
    }
    plan.write(values, to: &writer)
  }

  /// Writes string ids, or lengths followed by the bytes of the strings. `encoding` is the encoding byte of
  /// the chunk.
  private static func writeText<T>(
    _ values: IntegerValues<T>, _ encoding: UInt8,
    followedBy text: ByteView = ByteView(), to writer: inout ByteWriter
  ) {
    let plan = IntegerPlan(values, width: values.narrowestWidth)
    writeHead(values.count, encoding, byteCount: 1 + plan.byteCount + text.count, to: &writer)
    writer.fixed(plan.encoding)
    plan.write(values, to: &writer)
    writer.append(text)
  }

  /// Writes the head of a chunk: the byte count, the value count and the encoding byte. `byteCount` is the
  /// number of bytes that follow the encoding byte.
  private static func writeHead(_ count: Int, _ encoding: UInt8, byteCount: Int, to writer: inout ByteWriter)
  {
    writer.varint(ByteWriter.varintByteCount(count) + 1 + byteCount)
    writer.varint(count)
    writer.fixed(encoding)
  }

  /// Writes the head of plain values. If the values take many bytes, also writes padding that aligns them.
  private static func writePlainHead(
    _ count: Int, _ encoding: UInt8, byteCount: Int, to writer: inout ByteWriter
  ) {
    guard byteCount >= minimumByteCountToAlign, encoding != 1 else {
      return writeHead(count, encoding, byteCount: byteCount, to: &writer)
    }
    let head = ByteWriter.varintByteCount(count) + 1
    // The padding depends on the size of the byte count, which depends on the padding. Assume the longest
    // padding.
    let lengthByteCount = ByteWriter.varintByteCount(head + Alignment.byteCount - 1 + byteCount)
    let padding = Alignment.padding(at: writer.count + lengthByteCount + head)
    guard ByteWriter.varintByteCount(head + padding + byteCount) == lengthByteCount else {
      return writeHead(count, encoding, byteCount: byteCount, to: &writer)
    }
    writeHead(count, encoding | ChunkEncoding.aligned, byteCount: padding + byteCount, to: &writer)
    for _ in 0..<padding { writer.fixed(UInt8(0)) }
  }

  private static func canBeConstant(_ count: Int) -> Bool {
    minimumConstantCount...ChunkEncoding.maximumEncodedCount ~= count
  }

  /// Whether all values are equal to the first value. Precondition: there is a first value.
  private static func isConstant(_ values: ByteView, width: Int) -> Bool {
    // The values are constant if they are equal to themselves shifted by one value.
    for index in width..<values.count where values[index] != values[index - width] { return false }
    return true
  }

  /// Packs eight bits into each byte, and appends the bytes. The first bit is the lowest bit of a byte. The
  /// bits after the last value are 0.
  private static func pack(_ bits: ByteView, to writer: inout ByteWriter) {
    var start = 0
    while start + 8 <= bits.count {
      // The eight bytes are 0 or 1. The highest byte of the product is their sum, in which each byte is
      // shifted to its bit.
      let eight = bits.integer(at: start, as: UInt64.self)
      writer.fixed(UInt8(truncatingIfNeeded: (eight &* 0x0102_0408_1020_4080) >> 56))
      start += 8
    }
    if start < bits.count {
      var last: UInt8 = 0
      for index in start..<bits.count { last |= bits[index] << UInt8(index - start) }
      writer.fixed(last)
    }
  }
}
