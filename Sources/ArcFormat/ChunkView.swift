/// A chunk as found in a file: bytes whose length was compared with the count of values.
///
/// Invariant, established by `init`: `values` has room for `count` values of the storage that the column's kind
/// asks for, and `text` for the sum of the lengths. Readers rely on it: a position below `count` is safe to load.
@usableFromInline @safe package struct ChunkView {
  package var count: Int
  /// Bytes a value for integers and fixed storage; 0 for bits.
  package var width: Int
  /// Whether byte strings stand in the string table.
  package var usesStringTable = false
  package var values: UnsafeRawBufferPointer
  package var text: UnsafeRawBufferPointer

  init(reading reader: inout ByteReader, kind: ColumnKind) throws(ArchiveError) {
    let start = reader.offset
    let byteCount = try reader.count(itemBytes: 1)
    var body = unsafe ByteReader(try reader.take(byteCount), fileOffset: start)
    // A bit is the smallest value that a file can hold.
    let limit = byteCount.multipliedReportingOverflow(by: 8)
    let count = try body.count(itemBytes: 0)
    let encoding: UInt8 = try body.fixed()
    guard limit.overflow || count <= limit.partialValue else {
      throw Self.malformed(count, kind, encoding, start)
    }
    self.count = count
    unsafe text = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    switch kind.storage {
    case .none:
      throw Self.malformed(count, kind, encoding, start)
    case .bits:
      width = 0
      unsafe values = unsafe try body.take((count + 7) / 8)
      let unused = unsafe count & 7 == 0 ? 0 : values[count >> 3] >> UInt8(count & 7)
      guard encoding == ColumnChunk.plain, unused == 0 else {
        throw Self.malformed(count, kind, encoding, start)
      }
    case .fixed(let width):
      guard encoding == ColumnChunk.plain, count <= body.remaining / width else {
        throw Self.malformed(count, kind, encoding, start)
      }
      self.width = width
      unsafe values = unsafe try body.take(count * width)
    case .integers(let width, _):
      self.width = try Self.width(encoding, atMost: width, count, kind, body.remaining, start)
      unsafe values = unsafe try body.take(count * self.width)
    case .text:
      guard encoding == ColumnChunk.plain || (encoding == ColumnChunk.stringTable && kind == .string) else {
        throw Self.malformed(count, kind, encoding, start)
      }
      usesStringTable = encoding == ColumnChunk.stringTable
      width = try Self.width(
        try body.fixed(), atMost: usesStringTable ? 4 : 8, count, kind, body.remaining, start)
      unsafe values = unsafe try body.take(count * width)
      if !usesStringTable {
        let total = unsafe try Self.sum(values, count: count, width: width, byteOffset: start)
        unsafe text = unsafe try body.take(total)
      }
    }
    try body.finish("column chunk")
  }

  private static func width(
    _ byte: UInt8, atMost limit: Int, _ count: Int, _ kind: ColumnKind, _ remaining: Int, _ start: Int
  ) throws(ArchiveError) -> Int {
    let width = Int(byte)
    guard [1, 2, 4, 8].contains(width), width <= limit, count <= remaining / width else {
      throw malformed(count, kind, byte, start)
    }
    return width
  }

  private static func malformed(
    _ count: Int, _ kind: ColumnKind, _ encoding: UInt8, _ start: Int
  ) -> ArchiveError {
    ArchiveError(
      .malformedColumn, found: "\(count) values with encoding \(encoding)",
      expected: "an encoding of kind \(kind) and the bytes for it", byteOffset: start)
  }

  /// The sum of lengths. Throws when it does not fit an `Int`.
  package static func sum(
    _ values: UnsafeRawBufferPointer, count: Int, width: Int, byteOffset: Int? = nil
  ) throws(ArchiveError) -> Int {
    // Narrow lengths cannot overflow: there are fewer than 2^48 of them.
    switch width {
    case 1: return unsafe Int(truncatingIfNeeded: fold(values, count, UInt8.self, 0) { $0 &+ UInt64($1) })
    case 2: return unsafe Int(truncatingIfNeeded: fold(values, count, UInt16.self, 0) { $0 &+ UInt64($1) })
    default: break
    }
    var total = 0
    for index in 0..<count {
      let length = unsafe unsigned(values, index: index, width: width)
      let sum = total.addingReportingOverflow(Int(truncatingIfNeeded: length))
      guard length <= UInt64(Int.max), !sum.overflow else {
        throw ArchiveError(.malformedColumn, found: "lengths beyond 2^63", byteOffset: byteOffset)
      }
      total = sum.partialValue
    }
    return total
  }

  /// Combines integers in one loop without branches.
  private static func fold<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafeRawBufferPointer, _ count: Int, _ type: T.Type, _ start: UInt64,
    _ combine: (UInt64, T) -> UInt64
  ) -> UInt64 {
    var result = start
    for index in 0..<count {
      let value = unsafe values.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
      result = combine(result, T(littleEndian: value))
    }
    return result
  }

  /// The greatest of the values as unsigned integers, 0 if there are none.
  package var greatest: UInt64 {
    switch width {
    case 1: unsafe Self.fold(values, count, UInt8.self, 0) { max($0, UInt64($1)) }
    case 2: unsafe Self.fold(values, count, UInt16.self, 0) { max($0, UInt64($1)) }
    case 4: unsafe Self.fold(values, count, UInt32.self, 0) { max($0, UInt64($1)) }
    case 8: unsafe Self.fold(values, count, UInt64.self, 0) { max($0, $1) }
    default: 0
    }
  }

  /// The unsigned integer at `index`, which is below the count that the invariant speaks of.
  @inlinable @inline(__always)
  package static func unsigned(_ values: UnsafeRawPointer, index: Int, width: Int) -> UInt64 {
    switch width {
    case 1: unsafe UInt64(values.load(fromByteOffset: index, as: UInt8.self))
    case 2:
      unsafe UInt64(UInt16(littleEndian: values.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
    case 4:
      unsafe UInt64(UInt32(littleEndian: values.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)))
    case 8: unsafe UInt64(littleEndian: values.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
    default: 0  // Not a column of integers: nothing is loaded.
    }
  }

  /// The same for bytes that begin where `values` do; 0 where there are none.
  package static func unsigned(_ values: UnsafeRawBufferPointer, index: Int, width: Int) -> UInt64 {
    guard let start = values.baseAddress else { return 0 }
    return unsafe unsigned(start, index: index, width: width)
  }

  /// The integer at `index` as an unsigned number.
  package func unsigned(_ index: Int) -> UInt64 { unsafe Self.unsigned(values, index: index, width: width) }

  /// The bit at `index`.
  package func bit(_ index: Int) -> Bool { unsafe values[index >> 3] >> UInt8(index & 7) & 1 == 1 }
}
