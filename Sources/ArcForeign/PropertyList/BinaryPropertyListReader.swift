import ArcFormat

/// Reads a binary property list in one pass through its offset table.
///
/// The trailer, the last 32 bytes, contains the position of the offset table. Each entry of the table is the
/// offset of a value. A value begins with a byte that contains the marker and the length of the value. If the
/// length does not fit in this byte, it follows in further bytes. The content follows. The content of a
/// container consists of the index of each element in the offset table.
///
/// Values of a valid file do not overlap, so all values together have at most as many bytes as precede the
/// table. The reader rejects other files, so that the cost of a file is proportional to its size.
struct BinaryPropertyListReader {
  static let magic = Array("bplist".utf8)
  private static let headerByteCount = 8
  private static let trailerByteCount = 32

  private let bytes: [UInt8]
  private var table = 0
  private var offsetWidth = 0
  private var referenceWidth = 0
  private var count = 0
  private var top = 0

  private var nodes: [PropertyList.Node] = []
  private var byteOffsets: [Int] = []
  private var references: [UInt32] = []
  /// The number of bytes before the offset table that are not yet reserved for values. See `claim`.
  private var bytesLeft = 0

  static func read(_ bytes: [UInt8], _ limits: ArchiveLimits) throws(ImportError) -> PropertyList {
    var reader = BinaryPropertyListReader(bytes)
    try reader.readTrailer(limits)
    try reader.readNodes()
    return PropertyList(
      notation: .binary, content: bytes, nodes: reader.nodes, byteOffsets: reader.byteOffsets,
      references: reader.references, top: reader.top)
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readTrailer(_ limits: ArchiveLimits) throws(ImportError) {
    guard bytes.count > Self.headerByteCount + Self.trailerByteCount else {
      throw malformed(
        "a binary property list of \(plural(bytes.count, "byte"))",
        "at least 42 bytes: a header, a value with an offset, and a trailer", at: 0)
    }
    guard bytes[6] == UInt8(ascii: "0"), bytes[7] == UInt8(ascii: "0") || bytes[7] == UInt8(ascii: "1") else {
      throw ImportError(
        .unsupportedVersion,
        found: "a binary property list that begins with "
          + "'\(printable(String(decoding: bytes[..<8], as: UTF8.self)))'",
        expected: "a file that begins with 'bplist00' or 'bplist01'", byteOffset: 6)
    }
    let trailer = bytes.count - Self.trailerByteCount
    (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth else {
      throw malformed(
        "offsets of \(plural(offsetWidth, "byte")) and references of \(plural(referenceWidth, "byte"))",
        "1 to 8 bytes each", at: trailer + 6)
    }
    let (count, top, table) = (
      number(at: trailer + 8, width: 8), number(at: trailer + 16, width: 8),
      number(at: trailer + 24, width: 8)
    )
    guard count > 0, count <= UInt64(trailer), top < count else {
      throw malformed(
        "\(count) values, with value number \(top) at the top level",
        "at least one value, and at the top level a number below the number of values", at: trailer + 8)
    }
    // The product cannot overflow: the count is below the size of the file, and the width is at most 8.
    guard table > Self.headerByteCount, table <= UInt64(trailer),
      count * UInt64(offsetWidth) <= UInt64(trailer) - table
    else {
      throw malformed(
        "an offset table at byte \(table)", "an offset table before the trailer, which is at byte \(trailer)",
        at: trailer + 24)
    }
    (self.count, self.top, self.table) = (Int(count), Int(top), Int(table))
    bytesLeft = self.table - Self.headerByteCount
    try ImportError.check(self.count, within: limits.elements, "elements", byteOffset: trailer + 8)
  }

  private mutating func readNodes() throws(ImportError) {
    nodes.reserveCapacity(count)
    byteOffsets.reserveCapacity(count)
    for index in 0..<count {
      let entryOffset = table + index * offsetWidth
      let offset = number(at: entryOffset, width: offsetWidth)
      guard offset >= Self.headerByteCount, offset < UInt64(table) else {
        throw malformed(
          "a value at byte \(offset)", "a value before the offset table, which is at byte \(table)",
          at: entryOffset
        )
      }
      byteOffsets.append(Int(offset))
      nodes.append(try node(at: Int(offset)))
    }
  }

  /// Reads the value at an offset.
  private mutating func node(at offset: Int) throws(ImportError) -> PropertyList.Node {
    let marker = bytes[offset]
    let low = Int(marker & 15)
    switch marker >> 4 {
    case 0 where low == 0:
      try claim(1, at: offset)
      return .null
    case 0 where low == 8 || low == 9:
      try claim(1, at: offset)
      return .bool(low == 9)
    case 1 where low <= 4:
      try claim(1 + 1 << low, at: offset)
      return .integer(integer(at: offset + 1, width: 1 << low))
    case 2 where low == 2:
      try claim(5, at: offset)
      return .real(
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(at: offset + 1, width: 4)))))
    case 2 where low == 3:
      try claim(9, at: offset)
      return .real(Double(bitPattern: number(at: offset + 1, width: 8)))
    case 3 where low == 3:
      try claim(9, at: offset)
      return .date(Double(bitPattern: number(at: offset + 1, width: 8)))
    case 4:
      let (start, count) = try extent(at: offset, unit: 1)
      return .data(start: start, count: count)
    case 5:
      let (start, count) = try extent(at: offset, unit: 1)
      guard bytes[start..<start + count].allSatisfy({ $0 < 0x80 }) else {
        throw ImportError(
          .malformedText, found: "a byte above 127 in an ASCII string",
          expected: "bytes below 128", byteOffset: offset)
      }
      return .string(start: start, count: count, .ascii)
    case 6:
      let (start, count) = try extent(at: offset, unit: 2)
      return .string(start: start, count: count * 2, .utf16)
    case 7:
      let (start, count) = try extent(at: offset, unit: 1)
      guard String(validating: bytes[start..<start + count], as: UTF8.self) != nil else {
        throw ImportError(
          .malformedText, found: "a string that is not UTF-8", expected: "a string in UTF-8",
          byteOffset: offset)
      }
      return .string(start: start, count: count, .utf8)
    case 8:
      try claim(2 + low, at: offset)
      let skipped = max(0, low + 1 - 8)
      guard bytes[offset + 1..<offset + 1 + skipped].allSatisfy({ $0 == 0 }) else {
        throw malformed("a UID of more than 64 bits", "a UID of at most 64 bits", at: offset)
      }
      return .uid(number(at: offset + 1 + skipped, width: low + 1 - skipped))
    case 10, 11:
      let (start, count) = try elements(at: offset, perItem: 1)
      return .array(start: start, count: count)
    case 12:
      let (start, count) = try elements(at: offset, perItem: 1)
      return .set(start: start, count: count)
    case 13:
      let (start, count) = try elements(at: offset, perItem: 2)
      return .dictionary(start: start, count: count)
    default:
      throw malformed("the marker 0x\(String(marker, radix: 16))", "the marker of a value", at: offset)
    }
  }

  /// Appends the references of a container. Returns the index of the first reference, and the number of
  /// items.
  private mutating func elements(at offset: Int, perItem: Int) throws(ImportError) -> (start: Int, count: Int)
  {
    let (itemsOffset, count) = try extent(at: offset, unit: perItem * referenceWidth)
    let start = references.count
    for index in 0..<count * perItem {
      let reference = number(at: itemsOffset + index * referenceWidth, width: referenceWidth)
      guard reference < self.count else {
        throw malformed(
          "a reference to value number \(reference)", "a number below \(self.count), the number of values",
          at: offset)
      }
      references.append(UInt32(truncatingIfNeeded: reference))
    }
    return (start, count)
  }

  /// Reads the length of the value at an offset, in items of `unit` bytes. Returns the offset of the first
  /// item, and the number of items. Reserves the bytes of the value.
  private mutating func extent(at offset: Int, unit: Int) throws(ImportError) -> (start: Int, count: Int) {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 15)
    if count == 15 {
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
        throw malformed("a length that is not an integer", "an integer of 1, 2, 4 or 8 bytes", at: offset)
      }
      let width = 1 << Int(bytes[start] & 15)
      guard width < table - start else {
        throw malformed("a truncated length", "all bytes of the length before the offset table", at: offset)
      }
      count = number(at: start + 1, width: width)
      start += 1 + width
    }
    guard count <= UInt64((table - start) / unit) else {
      throw malformed(
        "a value with \(count) items", "at most as many items as bytes remain", at: offset)
    }
    try claim(start - offset + Int(count) * unit, at: offset)
    return (start, Int(count))
  }

  /// Reserves the bytes of a value. Throws if the value extends into the offset table. Also throws if the
  /// values so far have more bytes than the file has before the offset table, because some of them then
  /// overlap.
  private mutating func claim(_ byteCount: Int, at offset: Int) throws(ImportError) {
    guard byteCount <= table - offset else {
      throw malformed(
        "a truncated value", "\(plural(byteCount, "byte")) before the offset table", at: offset)
    }
    guard byteCount <= bytesLeft else {
      throw malformed("values that overlap in the file", "separate bytes for each value", at: offset)
    }
    bytesLeft -= byteCount
  }

  /// Returns an unsigned big-endian number. The caller has checked that its bytes exist.
  private func number(at offset: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for position in offset..<offset + width { value = value << 8 | UInt64(bytes[position]) }
    return value
  }

  /// Returns an integer: unsigned up to 4 bytes, signed with 8 or 16 bytes.
  private func integer(at offset: Int, width: Int) -> Int128 {
    switch width {
    case 16:
      Int128(Int64(bitPattern: number(at: offset, width: 8))) << 64 | Int128(number(at: offset + 8, width: 8))
    case 8: Int128(Int64(bitPattern: number(at: offset, width: 8)))
    default: Int128(number(at: offset, width: width))
    }
  }

  private func malformed(_ found: String, _ expected: String?, at offset: Int) -> ImportError {
    ImportError(.malformedPropertyList, found: found, expected: expected, byteOffset: offset)
  }
}
