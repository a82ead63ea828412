/// The stored form of one column of one class in one segment. Spec: 04-columns, section 2.
///
///     chunk := byteCount:varint  valueCount:varint  encoding:u8  values
enum ColumnChunk {
  /// Encodings of byte strings; for integers the byte says the width, for the rest it is 0.
  static let plain: UInt8 = 0
  static let stringTable: UInt8 = 1

  static func write(_ node: inout ColumnWriterNode, to writer: inout ByteWriter) {
    var body = ByteWriter()
    body.varint(node.count)
    switch node.kind.storage {
    case .none: break
    case .bits:
      body.fixed(plain)
      unsafe body.append(pack(node.values.bytes))
    case .fixed:
      body.fixed(plain)
      unsafe body.append(node.values.bytes)
    case .integers(let width, let isSigned):
      unsafe writeIntegers(node.values.bytes, width: width, isSigned: isSigned, to: &body)
    case .text where node.usesStringTable:
      body.fixed(stringTable)
      unsafe writeIntegers(node.values.bytes, width: 4, isSigned: false, to: &body)
      // Ids pay while strings repeat; a column of distinct strings goes plain from the next segment on.
      unsafe node.usesStringTable = node.strings.takeUnretainedValue().pays
    case .text:
      body.fixed(plain)
      unsafe writeIntegers(node.values.bytes, width: 8, isSigned: false, to: &body)
      unsafe body.append(node.extra.bytes)
    }
    writer.varint(body.count)
    writer.append(body.bytes)
  }

  /// Integers with their width: the narrowest of 1, 2, 4 and 8 bytes that holds them all.
  static func writeIntegers(
    _ values: UnsafeRawBufferPointer, width: Int, isSigned: Bool, to writer: inout ByteWriter
  ) {
    switch (width, isSigned) {
    case (8, true): unsafe narrow(values.bindMemory(to: Int64.self), to: &writer)
    case (8, false): unsafe narrow(values.bindMemory(to: UInt64.self), to: &writer)
    case (4, true): unsafe narrow(values.bindMemory(to: Int32.self), to: &writer)
    case (4, false): unsafe narrow(values.bindMemory(to: UInt32.self), to: &writer)
    case (2, true): unsafe narrow(values.bindMemory(to: Int16.self), to: &writer)
    case (2, false): unsafe narrow(values.bindMemory(to: UInt16.self), to: &writer)
    default:
      writer.fixed(UInt8(1))
      unsafe writer.append(values)
    }
  }

  private static func narrow<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<T>, to writer: inout ByteWriter
  ) {
    // Folding a signed value onto its complement keeps just the bits that decide the width.
    var bits: T = 0
    for index in 0..<values.count {
      let value = unsafe values[index]
      bits |= T.isSigned && value < 0 ? ~value : value
    }
    let needed = T.bitWidth - bits.leadingZeroBitCount + (T.isSigned ? 1 : 0)
    switch needed {
    case ...8: unsafe store(values, as: UInt8.self, to: &writer)
    case ...16: unsafe store(values, as: UInt16.self, to: &writer)
    case ...32: unsafe store(values, as: UInt32.self, to: &writer)
    default: unsafe store(values, as: UInt64.self, to: &writer)
    }
  }

  private static func store<T: FixedWidthInteger, Narrow: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<T>, as narrow: Narrow.Type, to writer: inout ByteWriter
  ) {
    writer.fixed(UInt8(MemoryLayout<Narrow>.size))
    let narrowed = unsafe values.map { Narrow(truncatingIfNeeded: $0).littleEndian }
    unsafe narrowed.withUnsafeBytes { unsafe writer.append($0) }
  }

  /// Eight bits a byte, the first value in the lowest bit; bits after the last are 0.
  private static func pack(_ bits: UnsafeRawBufferPointer) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for index in 0..<bits.count where unsafe bits[index] != 0 { packed[index >> 3] |= 1 << UInt8(index & 7) }
    return packed
  }
}
