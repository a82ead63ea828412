/// The stored form of one column of one class in one segment. Spec: 04-columns, section 2.
///
///     chunk := byteCount:varint  valueCount:varint  encoding:u8  values
enum ColumnChunk {
  /// Encodings of byte strings; for integers the byte says the width, for the rest it is 0.
  static let plain: UInt8 = 0
  static let stringTable: UInt8 = 1

  static func write(_ node: inout ColumnWriterNode, to writer: inout ByteWriter) {
    let count = node.count
    let storage = node.kind.storage
    switch storage {
    case .none: break
    case .bits:
      writeHead(count, plain, valueByteCount: (count + 7) / 8, to: &writer)
      unsafe pack(node.values.bytes, to: &writer)
    case .fixed(let width):
      writeHead(count, plain, valueByteCount: count * width, to: &writer)
      unsafe node.forEachPiece { unsafe writer.append($0) }
    case .integers(let width, let isSigned):
      let narrow = narrowestWidth(node, width, isSigned)
      writeHead(count, UInt8(narrow), valueByteCount: count * narrow, to: &writer)
      unsafe node.forEachPiece { unsafe store($0, width: width, as: narrow, to: &writer) }
    case .text where node.usesStringTable:
      let narrow = narrowestWidth(node, 4, false)
      writeHead(count, stringTable, UInt8(narrow), valueByteCount: count * narrow, to: &writer)
      unsafe store(node.values.bytes, width: 4, as: narrow, to: &writer)
      node.decideOnStringTable()
    case .text:
      let narrow = narrowestWidth(node, 8, false)
      let byteCount = count * narrow + node.extra.count
      writeHead(count, plain, UInt8(narrow), valueByteCount: byteCount, to: &writer)
      unsafe store(node.values.bytes, width: 8, as: narrow, to: &writer)
      unsafe writer.append(node.extra.bytes)
    }
  }

  /// A chunk of rows that are known only at the end: a weak column.
  static func writeRows(_ rows: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    let narrow = unsafe bytes(forBits: significantBits(rows, width: 4, isSigned: false))
    let count = rows.count / 4
    writeHead(count, UInt8(narrow), valueByteCount: count * narrow, to: &writer)
    unsafe store(rows, width: 4, as: narrow, to: &writer)
  }

  private static func writeHead(
    _ count: Int, _ encoding: UInt8, _ width: UInt8? = nil, valueByteCount: Int, to writer: inout ByteWriter
  ) {
    writer.varint(ByteWriter.varintByteCount(count) + (width == nil ? 1 : 2) + valueByteCount)
    writer.varint(count)
    writer.fixed(encoding)
    if let width { writer.fixed(width) }
  }

  /// Unsigned integers with their width: the narrowest of 1, 2, 4 and 8 bytes that holds them all.
  static func writeIntegers(_ values: UnsafeRawBufferPointer, width: Int, to writer: inout ByteWriter) {
    let narrow = unsafe bytes(forBits: significantBits(values, width: width, isSigned: false))
    writer.fixed(UInt8(narrow))
    unsafe store(values, width: width, as: narrow, to: &writer)
  }

  // MARK: Widths

  private static func narrowestWidth(
    _ node: borrowing ColumnWriterNode, _ width: Int, _ isSigned: Bool
  ) -> Int {
    var bits = 0
    unsafe node.forEachPiece {
      bits = unsafe max(bits, significantBits($0, width: width, isSigned: isSigned))
    }
    return bytes(forBits: bits)
  }

  private static func bytes(forBits bits: Int) -> Int {
    switch bits {
    case ...8: 1
    case ...16: 2
    case ...32: 4
    default: 8
    }
  }

  /// The bits that the largest of the values needs, with its sign.
  private static func significantBits(_ values: UnsafeRawBufferPointer, width: Int, isSigned: Bool) -> Int {
    switch (width, isSigned) {
    case (8, true): unsafe significantBits(values, Int64.self)
    case (8, false): unsafe significantBits(values, UInt64.self)
    case (4, true): unsafe significantBits(values, Int32.self)
    case (4, false): unsafe significantBits(values, UInt32.self)
    case (2, true): unsafe significantBits(values, Int16.self)
    case (2, false): unsafe significantBits(values, UInt16.self)
    default: 8
    }
  }

  private static func significantBits<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafeRawBufferPointer, _ type: T.Type
  ) -> Int {
    // Folding a signed value onto its complement keeps just the bits that decide the width.
    var bits: T = 0
    for offset in stride(from: 0, to: values.count, by: MemoryLayout<T>.size) {
      let value = unsafe values.loadUnaligned(fromByteOffset: offset, as: T.self)
      bits |= T.isSigned ? value ^ (value >> (T.bitWidth - 1)) : value
    }
    return T.bitWidth - bits.leadingZeroBitCount + (T.isSigned ? 1 : 0)
  }

  // MARK: Values

  private static func store(
    _ values: UnsafeRawBufferPointer, width: Int, as narrow: Int, to writer: inout ByteWriter
  ) {
    switch (width, narrow) {
    case _ where width == narrow: unsafe writer.append(values)
    case (8, 4): unsafe store(values, UInt64.self, as: UInt32.self, to: &writer)
    case (8, 2): unsafe store(values, UInt64.self, as: UInt16.self, to: &writer)
    case (8, _): unsafe store(values, UInt64.self, as: UInt8.self, to: &writer)
    case (4, 2): unsafe store(values, UInt32.self, as: UInt16.self, to: &writer)
    case (4, _): unsafe store(values, UInt32.self, as: UInt8.self, to: &writer)
    default: unsafe store(values, UInt16.self, as: UInt8.self, to: &writer)
    }
  }

  /// Cuts the upper bytes off, a block at a time: the block stays in the cache.
  private static func store<
    Wide: FixedWidthInteger & BitwiseCopyable, Narrow: FixedWidthInteger & BitwiseCopyable
  >(
    _ values: UnsafeRawBufferPointer, _ wide: Wide.Type, as narrow: Narrow.Type, to writer: inout ByteWriter
  ) {
    let count = values.count / MemoryLayout<Wide>.size
    let blockLength = min(count, 1024)
    guard blockLength > 0 else { return }
    unsafe withUnsafeTemporaryAllocation(of: Narrow.self, capacity: blockLength) { block in
      for start in stride(from: 0, to: count, by: blockLength) {
        let length = min(blockLength, count - start)
        for index in 0..<length {
          let value = unsafe values.loadUnaligned(
            fromByteOffset: (start &+ index) &* MemoryLayout<Wide>.size, as: Wide.self)
          unsafe block.initializeElement(at: index, to: Narrow(truncatingIfNeeded: value).littleEndian)
        }
        unsafe writer.append(
          UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(block)[..<(length * MemoryLayout<Narrow>.size)]))
      }
    }
  }

  /// Eight bits a byte, the first value in the lowest bit; bits after the last are 0.
  private static func pack(_ bits: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
    var start = 0
    while start + 8 <= bits.count {
      // Eight bytes that are 0 or 1: the product has their sum, each shifted to its place, in the highest byte.
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
