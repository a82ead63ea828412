/// Writes chunks: the stored form of one node of one class in one segment.
///
///     chunk := byteCount:varint  valueCount:varint  encoding:u8  values
///
/// Spec: 04-columns, section 2.
enum ColumnChunk {
  /// The minimum size of plain values that are aligned, so that a mapped file is used without a copy.
  private static let minimumByteCountToAlign = 4096
  /// The minimum number of equal values that are written as a constant.
  private static let minimumConstantCount = 32

  /// Writes the chunk of a node.
  static func write(_ node: inout ColumnWriterNode, to writer: inout ByteWriter) {
    let count = node.count
    let storage = node.kind.storage
    switch storage {
    case .none: break
    case .bits:
      if canBeConstant(node, count), unsafe isConstant(node.values.bytes, width: 1) {
        writeHead(count, ChunkEncoding.packed, byteCount: 1, to: &writer)
        unsafe writer.fixed(node.values.bytes[0])
      } else {
        writeHead(count, ChunkEncoding.plain, byteCount: (count + 7) / 8, to: &writer)
        unsafe pack(node.values.bytes, to: &writer)
      }
    case .fixed(let width):
      if canBeConstant(node, count), unsafe isConstant(node.values.bytes, width: width) {
        writeHead(count, ChunkEncoding.packed, byteCount: width, to: &writer)
        unsafe writer.append(UnsafeRawBufferPointer(rebasing: node.values.bytes[..<width]))
      } else {
        writePlainHead(count, ChunkEncoding.plain, byteCount: count * width, to: &writer)
        unsafe node.forEachPiece { unsafe writer.append($0) }
      }
    case .integers(let width, let isSigned):
      switch (width, isSigned) {
      case (8, true): writeIntegers(node, Int64.self, to: &writer)
      case (8, false): writeIntegers(node, UInt64.self, to: &writer)
      case (4, true): writeIntegers(node, Int32.self, to: &writer)
      case (4, false): writeIntegers(node, UInt32.self, to: &writer)
      case (2, true): writeIntegers(node, Int16.self, to: &writer)
      case (2, false): writeIntegers(node, UInt16.self, to: &writer)
      case (_, true): writeIntegers(node, Int8.self, to: &writer)
      case (_, false): writeIntegers(node, UInt8.self, to: &writer)
      }
    case .text where node.usesStringTable:
      let ids = unsafe IntegerValues<UInt32>(node.values.bytes)
      unsafe writeText(ids, ChunkEncoding.stringTable, to: &writer)
      node.decideOnStringTable()
    case .text:
      let lengths = unsafe IntegerValues<UInt64>(node.values.bytes)
      unsafe writeText(lengths, ChunkEncoding.plain, followedBy: node.extra.bytes, to: &writer)
    }
  }

  /// Writes a chunk of rows that are known only at the end: a weak column.
  static func writeRows(_ rows: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    let rows = unsafe IntegerValues<UInt32>(rows)
    writeIntegers(rows, rows.narrowestWidth, to: &writer)
  }

  /// Writes a chunk of `count` references to nil.
  static func writeNils(_ count: Int, to writer: inout ByteWriter) {
    writeHead(count, 1, byteCount: count, to: &writer)
    writer.append(repeatElement(0, count: count))
  }

  private static func writeIntegers<T: FixedWidthInteger & BitwiseCopyable>(
    _ node: borrowing ColumnWriterNode, _ type: T.Type, to writer: inout ByteWriter
  ) {
    guard !node.borrowed.isEmpty else {
      let values = unsafe IntegerValues<T>(node.values.bytes)
      return writeIntegers(values, values.narrowestWidth, to: &writer)
    }
    var width = 1
    unsafe node.forEachPiece { width = max(width, unsafe IntegerValues<T>($0).narrowestWidth) }
    writePlainHead(node.count, UInt8(width), byteCount: node.count * width, to: &writer)
    unsafe node.forEachPiece { unsafe IntegerValues<T>($0).store(width: width, to: &writer) }
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

  /// Writes ids, or lengths and then the texts, after an encoding byte of their own.
  private static func writeText<T>(
    _ values: IntegerValues<T>, _ encoding: UInt8,
    followedBy text: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
    to writer: inout ByteWriter
  ) {
    let plan = IntegerPlan(values, width: values.narrowestWidth)
    writeHead(values.count, encoding, byteCount: 1 + plan.byteCount + text.count, to: &writer)
    writer.fixed(plan.encoding)
    plan.write(values, to: &writer)
    unsafe writer.append(text)
  }

  /// Writes the head of a chunk; `byteCount` counts the bytes after the encoding.
  private static func writeHead(_ count: Int, _ encoding: UInt8, byteCount: Int, to writer: inout ByteWriter)
  {
    writer.varint(ByteWriter.varintByteCount(count) + 1 + byteCount)
    writer.varint(count)
    writer.fixed(encoding)
  }

  /// Writes the head of plain values and, if they are many, padding after it that aligns them.
  private static func writePlainHead(
    _ count: Int, _ encoding: UInt8, byteCount: Int, to writer: inout ByteWriter
  ) {
    guard byteCount >= minimumByteCountToAlign, encoding != 1 else {
      return writeHead(count, encoding, byteCount: byteCount, to: &writer)
    }
    let head = ByteWriter.varintByteCount(count) + 1
    // The padding depends on the size of the byte count, which depends on the padding: assume the longest.
    let lengthByteCount = ByteWriter.varintByteCount(head + Alignment.byteCount - 1 + byteCount)
    let padding = Alignment.padding(at: writer.count + lengthByteCount + head)
    guard ByteWriter.varintByteCount(head + padding + byteCount) == lengthByteCount else {
      return writeHead(count, encoding, byteCount: byteCount, to: &writer)
    }
    writeHead(count, encoding | ChunkEncoding.aligned, byteCount: padding + byteCount, to: &writer)
    for _ in 0..<padding { writer.fixed(UInt8(0)) }
  }

  private static func canBeConstant(_ node: borrowing ColumnWriterNode, _ count: Int) -> Bool {
    node.borrowed.isEmpty && minimumConstantCount...ChunkEncoding.maximumEncodedCount ~= count
  }

  /// Whether all values equal the first one; there is one.
  private static func isConstant(_ values: UnsafeRawBufferPointer, width: Int) -> Bool {
    // Equal to themselves shifted by one value.
    for index in width..<values.count where unsafe values[index] != values[index - width] { return false }
    return true
  }

  /// Appends eight bits as a byte, the first value in the lowest bit; bits after the last are 0.
  private static func pack(_ bits: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    var start = 0
    while start + 8 <= bits.count {
      // Eight bytes that are 0 or 1: the highest byte of the product is their sum, each shifted to its bit.
      let eight = UInt64(littleEndian: unsafe bits.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      writer.fixed(UInt8(truncatingIfNeeded: (eight &* 0x0102_0408_1020_4080) >> 56))
      start += 8
    }
    if start < bits.count {
      var last: UInt8 = 0
      for index in start..<bits.count { last |= unsafe bits[index] << UInt8(index - start) }
      writer.fixed(last)
    }
  }
}
