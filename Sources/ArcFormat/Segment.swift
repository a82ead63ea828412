/// What a segment holds, as four ASCII bytes. Spec: 02-container, section 2.
public enum SegmentKind: String, CaseIterable, Sendable {
  /// Classes and their columns, added to the class table.
  case classes = "CLSS"
  /// Strings, added to the string table.
  case strings = "STRS"
  /// Rows: which classes they have, and the columns that are known when a row is written.
  case rows = "ROWS"
  /// The weak columns of an earlier `rows` segment: their targets are known only when all is written.
  case links = "LINK"
  /// What the writer's user says of the archive: names and texts.
  case metadata = "META"
  /// Where every other segment lies; the last segment.
  case index = "INDX"
}

/// The four bytes that name a kind of segment, as a little-endian number.
package struct SegmentCode: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The code of four ASCII characters.
  package init(_ text: String) {
    rawValue = text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension SegmentKind {
  /// The four bytes.
  var code: SegmentCode {
    switch self {
    case .classes: Self.classesCode
    case .strings: Self.stringsCode
    case .rows: Self.rowsCode
    case .links: Self.linksCode
    case .metadata: Self.metadataCode
    case .index: Self.indexCode
    }
  }

  /// The kind with a code, if it is known.
  init?(_ code: SegmentCode) {
    switch code {
    case Self.classesCode: self = .classes
    case Self.stringsCode: self = .strings
    case Self.rowsCode: self = .rows
    case Self.linksCode: self = .links
    case Self.metadataCode: self = .metadata
    case Self.indexCode: self = .index
    default: return nil
    }
  }

  // Numbers, and not made of the names: each look at a kind would ask whether they are made already.
  private static var classesCode: SegmentCode { SegmentCode(rawValue: 0x5353_4C43) }
  private static var stringsCode: SegmentCode { SegmentCode(rawValue: 0x5352_5453) }
  private static var rowsCode: SegmentCode { SegmentCode(rawValue: 0x5357_4F52) }
  private static var linksCode: SegmentCode { SegmentCode(rawValue: 0x4B4E_494C) }
  private static var metadataCode: SegmentCode { SegmentCode(rawValue: 0x4154_454D) }
  private static var indexCode: SegmentCode { SegmentCode(rawValue: 0x5844_4E49) }
}

/// The 24 bytes before the payload of a segment; zeros and a CRC-32 of all follow the payload.
package struct SegmentHeader: Equatable {
  static let byteCount = 24
  static let checksumByteCount = 4
  /// Bytes of a segment with a payload of `storedByteCount` bytes: a multiple of the alignment.
  static func wholeByteCount(_ storedByteCount: Int) -> Int {
    let byteCount = Self.byteCount + storedByteCount + checksumByteCount
    return byteCount + ChunkEncoding.padding(at: byteCount)
  }

  /// Bytes of a segment with a header of that kind at an offset; nil if there is none. Nothing else is checked.
  static func wholeByteCount(
    of kind: SegmentKind, in file: UnsafeRawBufferPointer, at offset: Int
  ) -> Int? {
    guard offset >= 0, offset <= file.count, file.count - offset >= Self.byteCount,
      unsafe file.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == kind.code.rawValue.littleEndian
    else { return nil }
    let stored = unsafe file.loadUnaligned(fromByteOffset: offset + sizesOffset, as: UInt64.self)
    guard let byteCount = Int(exactly: UInt64(littleEndian: stored)), byteCount <= file.count else {
      return nil
    }
    return wholeByteCount(byteCount)
  }

  /// Where the stored and the raw size stand, 8 bytes each.
  static let sizesOffset = 8
  /// Flag: a reader that does not know the kind may skip the segment.
  static let mayIgnore: UInt8 = 1

  var kind: SegmentCode
  var flags: UInt8
  var isCompressed: Bool
  /// Bytes in the file.
  var storedByteCount: UInt64
  /// Bytes after decompression.
  var rawByteCount: UInt64

  init(kind: SegmentKind, isCompressed: Bool, storedByteCount: Int, rawByteCount: Int) {
    self.kind = kind.code
    flags = 0
    self.isCompressed = isCompressed
    self.storedByteCount = UInt64(storedByteCount)
    self.rawByteCount = UInt64(rawByteCount)
  }

  init(reading reader: inout ByteReader) throws(ArchiveError) {
    let start = reader.offset
    kind = SegmentCode(rawValue: try reader.fixed())
    flags = try reader.fixed()
    let codec: UInt8 = try reader.fixed()
    let reserved: UInt16 = try reader.fixed()
    storedByteCount = try reader.fixed()
    rawByteCount = try reader.fixed()
    isCompressed = codec == 1
    guard codec <= 1, reserved == 0, flags & ~Self.mayIgnore == 0,
      isCompressed || storedByteCount == rawByteCount
    else {
      throw ArchiveError(
        .malformedSegment,
        found: "codec \(codec), flags \(flags), \(storedByteCount) stored and \(rawByteCount) raw bytes",
        expected: "a segment header", byteOffset: start)
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.fixed(kind.rawValue)
    writer.fixed(flags)
    writer.fixed(UInt8(isCompressed ? 1 : 0))
    writer.fixed(UInt16(0))
    writer.fixed(storedByteCount)
    writer.fixed(rawByteCount)
  }
}

/// Where a segment lies and what it holds: an entry of the index. Spec: 02-container, section 5.
public struct SegmentInfo: Hashable, Sendable {
  /// What it holds; nil for a kind that this library does not know and may ignore.
  public var kind: SegmentKind? { SegmentKind(code) }
  /// The four bytes that name the kind.
  let code: SegmentCode
  /// Where its header begins, bytes from the start of the file.
  public let byteOffset: Int
  /// Bytes of its payload in the file.
  public let storedByteCount: Int
  /// Bytes of its payload after decompression.
  public let rawByteCount: Int
  /// Whether the payload is compressed.
  public let isCompressed: Bool
  /// The first row, string or class that it adds, or of a `links` segment the first row it completes.
  public let first: Int
  /// How many rows, strings or classes it adds.
  public let count: Int

  /// The same segment at another place.
  func moved(to byteOffset: Int) -> SegmentInfo {
    SegmentInfo(
      code: code, byteOffset: byteOffset, storedByteCount: storedByteCount, rawByteCount: rawByteCount,
      isCompressed: isCompressed, first: first, count: count)
  }

  /// The same segment with other numbers.
  func numbered(first: Int, count: Int) -> SegmentInfo {
    SegmentInfo(
      code: code, byteOffset: byteOffset, storedByteCount: storedByteCount, rawByteCount: rawByteCount,
      isCompressed: isCompressed, first: first, count: count)
  }

  /// Where the next segment begins.
  var endOffset: Int { byteOffset + SegmentHeader.wholeByteCount(storedByteCount) }
}

/// The payload of the index: who wrote the file, and the places of all other segments, in file order.
enum SegmentIndex {
  /// What this library calls itself.
  static let writer = "Arc \(ArchiveHeader.currentMajor).\(ArchiveHeader.currentMinor)"

  /// Kind, stored and raw length, first and count: offsets follow, since segments leave no gap.
  static func write(_ segments: [SegmentInfo], to writer: inout ByteWriter) {
    writer.string(Self.writer)
    writer.varint(segments.count)
    for segment in segments {
      writer.fixed(segment.code.rawValue)
      writer.varint(segment.isCompressed ? 1 : 0)
      writer.varint(segment.storedByteCount)
      writer.varint(segment.rawByteCount)
      writer.varint(segment.first)
      writer.varint(segment.count)
    }
  }

  /// Fills `segments`, whose memory is used again; returns who wrote the file.
  static func read(
    _ reader: inout ByteReader, into segments: inout [SegmentInfo]
  ) throws(ArchiveError) -> String {
    let writer = try reader.string()
    var byteOffset = ArchiveHeader.byteCount
    let count = try reader.count(itemBytes: 9)
    if segments.capacity < count { segments.reserveCapacity(count) }
    for position in 0..<count {
      let start = reader.offset
      let code = SegmentCode(rawValue: try reader.fixed())
      let codec = try reader.varint()
      let stored = try reader.varint()
      let raw = try reader.varint()
      let first = try reader.varint()
      let rows = try reader.varint()
      // Below 2^40 each, so that no sum of offsets can overflow.
      guard codec <= 1, codec == 1 || stored == raw, max(stored, raw, first, rows) < 1 << 40 else {
        throw ArchiveError(.malformedSegment, found: "an index entry out of range", byteOffset: start)
      }
      let segment = SegmentInfo(
        code: code, byteOffset: byteOffset, storedByteCount: Int(stored), rawByteCount: Int(raw),
        isCompressed: codec == 1, first: Int(first), count: Int(rows))
      byteOffset = segment.endOffset
      guard byteOffset < 1 << 48 else {
        throw ArchiveError(.malformedSegment, found: "segments beyond 2^48 bytes", byteOffset: start)
      }
      segments.put(segment, at: position)
    }
    segments.cut(to: count)
    try reader.finish("index")
    return writer
  }
}
