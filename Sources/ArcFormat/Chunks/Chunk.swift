/// A chunk of a file. Its size has been checked against its number of values.
///
/// Invariant, established by `init`: `values` has the number of bytes that `form` requires for `count` values
/// of the column's storage. The number of bytes of `text` is the sum of the lengths. Readers rely on this
/// invariant: they may load each index below `count` of a plain chunk, and expand any other chunk to a plain
/// chunk.
@usableFromInline package struct Chunk {
  @usableFromInline package var count: Int
  /// The number of bytes per value for integers and fixed storage. 0 for bits.
  @usableFromInline package var width: Int
  /// The form in which the values are stored.
  @usableFromInline package var form = ChunkForm.plain
  /// Whether the values of byte strings are stored as ids in the string table.
  package var usesStringTable = false
  /// For integers, the `parameter` of the chunk's `IntegerSequence`. 0 for values of other kinds.
  private(set) var parameter = 0
  @usableFromInline package var values = ByteView()
  package var text = ByteView()

  /// Creates a plain chunk in memory. The size of `values` must satisfy the invariant.
  package init(count: Int, width: Int, values: ByteView) {
    self.count = count
    self.width = width
    self.values = values
  }

  /// Reads and checks a chunk at the position of `reader`. `reader` reads the payload of a segment.
  ///
  /// Spec: 04-columns, rule V1.
  init(reading reader: inout ByteReader, kind: ColumnKind) throws(ArchiveError) {
    try self.init(reading: &reader, kind: kind, storage: kind.storage)
  }

  /// Reads and checks a chunk. The caller passes the storage of the chunk's kind, so that it is not
  /// determined again. Spec: 04-columns, rule V1.
  package init(
    reading reader: inout ByteReader, kind: ColumnKind, storage: ColumnKind.Storage
  ) throws(ArchiveError) {
    let start = reader.offset
    let byteCount = try reader.count(itemBytes: 1)
    let bodyPosition = reader.position
    var body = ByteReader(try reader.take(byteCount), fileOffset: start)
    count = try body.count(itemBytes: 0)
    var encoding: UInt8 = try body.fixed()
    width = 0
    let isValid: Bool
    switch storage {
    case .none: isValid = false
    case .bits: isValid = try readBits(&body, encoding)
    case .fixed(let width): isValid = try readFixed(&body, encoding, width, bodyPosition)
    case .integers(let width, _):
      isValid = try readIntegers(&body, encoding, atMost: width, bodyPosition)
    case .text:
      usesStringTable = encoding == ChunkEncoding.stringTable
      let isKnown = encoding == ChunkEncoding.plain || (usesStringTable && kind == .string)
      if isKnown { encoding = try body.fixed() }
      isValid = isKnown ? try readText(&body, encoding, start) : false
    }
    guard isValid else {
      throw ArchiveError(
        .malformedColumn,
        found:
          "\(plural(count, "value")) of kind '\(kind)' with bytes that encoding \(encoding) does not allow",
        expected: "an encoding for values of kind '\(kind)', and bytes that are valid in the encoding",
        byteOffset: start)
    }
    try body.finish("column chunk")
  }

  /// Whether the chunk is allowed to store one value that represents all values. Applies to bits and fixed
  /// storage. Spec: 04-columns, rule V8.
  private var canBeConstant: Bool { 1...ChunkEncoding.maximumEncodedCount ~= count }

  /// Reads bits. Returns false if they violate a rule. Spec: 04-columns, rules V1, V3 and V8.
  private mutating func readBits(_ body: inout ByteReader, _ encoding: UInt8) throws(ArchiveError) -> Bool {
    if encoding == ChunkEncoding.packed, canBeConstant {
      form = .constant
      values = try body.take(1)
      return values[0] <= 1
    }
    // `count + 7` might overflow.
    let byteCount = count >> 3 + (count & 7 == 0 ? 0 : 1)
    guard encoding == ChunkEncoding.plain, byteCount <= body.remaining else { return false }
    values = try body.take(byteCount)
    return count & 7 == 0 || values[count >> 3] >> UInt8(count & 7) == 0
  }

  /// Reads values of a fixed size. Returns false if they violate a rule. Spec: 04-columns, rules V1, V8 and
  /// V11.
  private mutating func readFixed(
    _ body: inout ByteReader, _ encoding: UInt8, _ width: Int, _ bodyPosition: Int
  ) throws(ArchiveError) -> Bool {
    self.width = width
    if encoding == ChunkEncoding.packed, canBeConstant {
      form = .constant
      values = try body.take(width)
      return true
    }
    if encoding == ChunkEncoding.plain | ChunkEncoding.aligned {
      guard try body.skipPadding(at: bodyPosition + body.position) else { return false }
    } else if encoding != ChunkEncoding.plain {
      return false
    }
    guard count <= body.remaining / width else { return false }
    values = try body.take(count * width)
    return true
  }

  private mutating func readIntegers(
    _ body: inout ByteReader, _ encoding: UInt8, atMost width: Int, _ bodyPosition: Int
  ) throws(ArchiveError) -> Bool {
    guard
      let sequence = try IntegerSequence(
        reading: &body, encoding: encoding, count: count, maximumWidth: width,
        payloadOffset: bodyPosition + body.position)
    else { return false }
    (form, self.width, parameter) = (sequence.form, sequence.width, sequence.parameter)
    values = sequence.bytes
    return true
  }

  /// Reads string ids, or lengths and the bytes of the strings. Returns false if they violate rule V1.
  private mutating func readText(
    _ body: inout ByteReader, _ encoding: UInt8, _ start: Int
  ) throws(ArchiveError) -> Bool {
    guard encoding & ChunkEncoding.aligned == 0,
      try readIntegers(&body, encoding, atMost: usesStringTable ? 4 : 8, 0)
    else { return false }
    if usesStringTable { return true }
    let total: Int
    if form == .plain {
      total = try Self.sum(values, count: count, width: width, byteOffset: start)
    } else {
      let lengths = ByteBuffer(count: plainByteCount)
      defer { lengths.free() }
      expand(into: lengths)
      total = try Self.sum(lengths.view, count: count, width: width, byteOffset: start)
    }
    guard total <= body.remaining else { return false }
    text = try body.take(total)
    return true
  }

  /// The number of bytes that the values take in the file, including the bytes of strings.
  package var storedByteCount: Int { values.count + text.count }

  /// The name of the form in which the values are stored. If the values are ids in the string table, the name
  /// begins with `table`.
  ///
  /// Spec: 04-columns, sections 2 and 3.
  package var encodingName: String { (usesStringTable ? "table " : "") + "\(form)" }

  /// The number of bytes that the values take in their plain form, including the bytes of strings.
  package var plainStoredByteCount: Int { plainByteCount + text.count }

  /// The number of bytes of `values` in their plain form.
  package var plainByteCount: Int { width == 0 ? (count + 7) / 8 : count * width }

  /// The number of bytes of memory that expanding the values needs. 0 if the values are plain, because they
  /// are read from the memory of the file.
  var expandedByteCount: Int { form == .plain ? 0 : plainByteCount }

  /// Writes the plain form of the values to `memory`, which must have at least `plainByteCount` bytes. Does
  /// nothing if the values are already plain.
  func expand(into memory: ByteBuffer) {
    guard memory.count >= plainByteCount else { return }
    switch form {
    case .plain: break
    case .constant where width == 0:
      let bits = memory[0..<plainByteCount]
      bits.fill(with: values[0] == 0 ? 0 : 0xFF)
      let used = UInt8(truncatingIfNeeded: count & 7)
      if used > 0, values[0] != 0 { bits.values(as: UInt8.self)[bits.count - 1] = (1 << used) - 1 }
    case .constant: for index in 0..<count { memory.copy(values, to: index * width) }
    case .packed, .delta, .runs: IntegerSequence(self).expand(into: memory)
    }
  }

  /// Returns the sum of lengths of strings. Spec: 04-columns, rule V1.
  ///
  /// - Throws: `malformedColumn` if the sum does not fit an `Int`.
  package static func sum(
    _ values: ByteView, count: Int, width: Int, byteOffset: Int? = nil
  ) throws(ArchiveError) -> Int {
    // The sum of narrow lengths cannot overflow, because there are fewer than 2^48 of them.
    switch width {
    case 1: return Int(truncatingIfNeeded: fold(values, count, UInt8.self, 0) { $0 &+ UInt64($1) })
    case 2: return Int(truncatingIfNeeded: fold(values, count, UInt16.self, 0) { $0 &+ UInt64($1) })
    default: break
    }
    var total = 0
    for index in 0..<count {
      let length = values.unsigned(index, width: width)
      let sum = total.addingReportingOverflow(Int(truncatingIfNeeded: length))
      guard length <= UInt64(Int.max), !sum.overflow else {
        throw ArchiveError(
          .malformedColumn, found: "lengths of strings or collections whose sum is 2^63 or more",
          expected: "lengths whose sum is below 2^63", byteOffset: byteOffset)
      }
      total = sum.partialValue
    }
    return total
  }

  /// Combines integers in a loop without branches, which the compiler can vectorize.
  private static func fold<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: ByteView, _ count: Int, _ type: T.Type, _ start: UInt64,
    _ combine: (UInt64, T) -> UInt64
  ) -> UInt64 {
    var result = start
    for index in 0..<count {
      result = combine(result, values.integer(at: index &* MemoryLayout<T>.size))
    }
    return result
  }

  /// Returns the first value that is at least `limit`, as an unsigned integer. Nil if all values are less
  /// than `limit`.
  package func firstValue(notBelow limit: UInt64) -> UInt64? {
    let isAnyBeyond =
      switch width {
      case 1: Self.isAny(UInt8.self, of: values, count, notBelow: limit)
      case 2: Self.isAny(UInt16.self, of: values, count, notBelow: limit)
      case 4: Self.isAny(UInt32.self, of: values, count, notBelow: limit)
      case 8: Self.isAny(UInt64.self, of: values, count, notBelow: limit)
      default: false
      }
    guard isAnyBeyond else { return nil }
    return (0..<count).lazy.map { unsigned($0) }.first { $0 >= limit }
  }

  /// Returns whether one of the integers may be at least `limit`. The result is true if an integer is at
  /// least `limit`, but also if an integer has its highest bit set.
  ///
  /// The loop does not compare integers, because SSE2 cannot compare unsigned integers. Instead, it combines
  /// the highest bits of differences. The highest bit of a difference is set if the difference is negative.
  private static func isAny<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: T.Type, of values: ByteView, _ count: Int, notBelow limit: UInt64
  ) -> Bool {
    guard let limit = T(exactly: limit) else { return false }
    guard limit > 0 else { return count > 0 }
    let greatest = limit - 1
    var bits: T = 0
    for index in 0..<count {
      let value: T = values.integer(at: index &* MemoryLayout<T>.size)
      bits |= value | (greatest &- value)
    }
    return bits >> (T.bitWidth - 1) == 1
  }

  /// Returns the integer at `index` as an unsigned integer.
  @inlinable package func unsigned(_ index: Int) -> UInt64 { values.unsigned(index, width: width) }

  /// Returns the bit at `index`.
  @inlinable package func bit(_ index: Int) -> Bool {
    form == .constant ? values[0] == 1 : values.bit(index)
  }
}
