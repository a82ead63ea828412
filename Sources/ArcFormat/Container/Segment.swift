/// The four bytes that name the kind of a segment, as a little-endian number.
package struct SegmentCode: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the code that consists of four ASCII characters.
  package init(_ text: String) {
    rawValue = text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The four bytes, in the order of the file.
  private var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) } }

  /// The four characters, or hexadecimal digits in the order of the bytes if a character is a space or not
  /// printable ASCII.
  var text: String {
    guard bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { return "0x" + hexadecimal(rawValue.byteSwapped) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a tool that does not know the kind copies the segment when it writes other rows: the fourth
  /// character is a small letter. Spec: 15-conformance, section 3.
  package var isSafeToCopy: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[3] }

  /// Whether segments of this kind only describe where the values of other segments are stored, so that a
  /// file with other segments needs new segments of this kind.
  package var describesOtherSegments: Bool { ["CDIR", "ZPTS"].contains(text) }
}

extension SegmentInfo.Kind {
  /// The code of this kind in segment headers.
  var code: SegmentCode {
    switch self {
    case .classes: Self.classesCode
    case .strings: Self.stringsCode
    case .rows: Self.rowsCode
    case .weakColumns: Self.weakColumnsCode
    case .metadata: Self.metadataCode
    case .index: Self.indexCode
    }
  }

  /// The kind with a code. Nil if this library does not know the code.
  init?(_ code: SegmentCode) {
    switch code {
    case Self.classesCode: self = .classes
    case Self.stringsCode: self = .strings
    case Self.rowsCode: self = .rows
    case Self.weakColumnsCode: self = .weakColumns
    case Self.metadataCode: self = .metadata
    case Self.indexCode: self = .index
    default: return nil
    }
  }

  // The codes are literals because a comparison with a lazy global would check each time whether it is
  // initialized.
  private static var classesCode: SegmentCode { SegmentCode(rawValue: 0x5353_4C43) }
  private static var stringsCode: SegmentCode { SegmentCode(rawValue: 0x5352_5453) }
  private static var rowsCode: SegmentCode { SegmentCode(rawValue: 0x5357_4F52) }
  private static var weakColumnsCode: SegmentCode { SegmentCode(rawValue: 0x4B4E_494C) }
  private static var metadataCode: SegmentCode { SegmentCode(rawValue: 0x4154_454D) }
  private static var indexCode: SegmentCode { SegmentCode(rawValue: 0x5844_4E49) }
}

/// The 24 bytes before the payload of a segment. Padding and a CRC-32 follow the payload.
package struct SegmentHeader: Equatable {
  static let byteCount = 24
  static let checksumByteCount = 4
  /// Returns the number of bytes of a whole segment, which is a multiple of the alignment. `storedByteCount`
  /// is the size of its stored payload.
  static func wholeByteCount(_ storedByteCount: Int) -> Int {
    let byteCount = Self.byteCount + storedByteCount + checksumByteCount
    return byteCount + Alignment.padding(at: byteCount)
  }

  /// Returns the number of bytes of the segment whose header is at `offset`. Nil if the header has another
  /// kind, or if it states a size that exceeds the size of the file. Checks nothing else.
  static func wholeByteCount(of kind: SegmentInfo.Kind, in file: ByteView, at offset: Int) -> Int? {
    guard offset >= 0, offset <= file.count, file.count - offset >= Self.byteCount,
      file.integer(at: offset) == kind.code.rawValue
    else { return nil }
    guard let byteCount = Int(exactly: file.integer(at: offset + sizesOffset, as: UInt64.self)),
      byteCount <= file.count
    else {
      return nil
    }
    return wholeByteCount(byteCount)
  }

  /// The offset of the stored size in the header. The raw size follows the stored size. Each takes 8 bytes.
  static let sizesOffset = 8
  /// A flag of the header: a reader that does not know the kind of the segment skips the segment.
  static let mayIgnore: UInt8 = 1

  var kind: SegmentCode
  var flags: UInt8
  var isCompressed: Bool
  /// The number of bytes of the payload in the file.
  var storedByteCount: UInt64
  /// The number of bytes of the payload after decompression.
  var rawByteCount: UInt64

  init(
    kind: SegmentCode, flags: UInt8 = 0, isCompressed: Bool, storedByteCount: Int, rawByteCount: Int
  ) {
    self.kind = kind
    self.flags = flags
    self.isCompressed = isCompressed
    self.storedByteCount = UInt64(storedByteCount)
    self.rawByteCount = UInt64(rawByteCount)
  }

  /// Reads and checks a header. Spec: 02-container, rule S1.
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
      throw Self.wrongField(codec, reserved, flags, storedByteCount, rawByteCount, byteOffset: start)
    }
  }

  /// Creates the error for a header with a wrong field.
  @inline(never)
  private static func wrongField(
    _ codec: UInt8, _ reserved: UInt16, _ flags: UInt8, _ storedByteCount: UInt64, _ rawByteCount: UInt64,
    byteOffset: Int
  ) -> ArchiveError {
    let (found, expected) =
      if codec > 1 {
        ("a segment header with codec \(codec)", "codec 0 or 1")
      } else if reserved != 0 {
        ("a segment header with \(reserved) in the reserved field", "a reserved field of 0")
      } else if flags & ~mayIgnore != 0 {
        ("a segment header with the flags \(flags)", "flags 0 or \(mayIgnore)")
      } else {
        (
          "a segment without compression, with \(rawByteCount) raw and \(storedByteCount) stored bytes",
          "equal numbers of bytes"
        )
      }
    return ArchiveError(.malformedSegment, found: found, expected: expected, byteOffset: byteOffset)
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

/// An entry of the index of an archive: the kind, the location and the sizes of a segment.
///
/// Spec: 02-container, section 5.
public struct SegmentInfo: Hashable, Sendable {
  /// The kind of a segment, named by four ASCII characters.
  ///
  /// Spec: 02-container, section 2.
  public enum Kind: String, CaseIterable, Sendable {
    /// Descriptions of classes and their columns, to be added to the class table.
    case classes = "CLSS"
    /// Strings, to be added to the string table.
    case strings = "STRS"
    /// Rows: the class of each row, and the values of all columns except weak columns.
    case rows = "ROWS"
    /// The weak columns of an earlier `rows` segment.
    ///
    /// They are stored in a separate segment because the targets of weak references are known only after all
    /// rows are written.
    case weakColumns = "LINK"
    /// Metadata of the archive: keys and values.
    case metadata = "META"
    /// The index, which is the last segment of a file. It has an entry for each other segment.
    case index = "INDX"
  }

  /// The kind of the segment. Nil if this version of Arc does not know the kind.
  public var kind: Kind? { Kind(code) }
  /// The four bytes that name the kind, which may be a kind that this version of Arc does not know.
  package let code: SegmentCode
  /// The name of the kind, in hexadecimal digits if it is not printable.
  package var codeText: String { code.text }
  /// The offset of the segment's header in the file, in bytes.
  public let byteOffset: Int
  /// The size of the segment's payload in the file, in bytes.
  public let storedByteCount: Int
  /// The size of the segment's payload after decompression, in bytes.
  public let rawByteCount: Int
  /// Whether the segment's payload is compressed.
  public let isCompressed: Bool
  /// The index of the segment's first row, string or class. For a `LINK` segment, the index of the first row
  /// whose weak references the segment contains.
  public let firstIndex: Int
  /// The number of rows, strings, classes or metadata entries in the segment. For a `LINK` segment, the
  /// number of rows whose weak references the segment contains.
  public let count: Int

  /// Returns the entry for this segment at another offset in the file.
  func moved(to byteOffset: Int) -> SegmentInfo {
    SegmentInfo(
      code: code, byteOffset: byteOffset, storedByteCount: storedByteCount, rawByteCount: rawByteCount,
      isCompressed: isCompressed, firstIndex: firstIndex, count: count)
  }

  /// Returns the entry with a different `firstIndex` and `count`.
  package func numbered(first: Int, count: Int) -> SegmentInfo {
    SegmentInfo(
      code: code, byteOffset: byteOffset, storedByteCount: storedByteCount, rawByteCount: rawByteCount,
      isCompressed: isCompressed, firstIndex: first, count: count)
  }

  /// The offset at which the segment ends and the next segment begins.
  package var endOffset: Int { byteOffset + SegmentHeader.wholeByteCount(storedByteCount) }
}

/// The checksum at the end of a segment, and the header of the next segment, which directly follows the
/// checksum.
struct SegmentBorder {
  static let byteCount = SegmentHeader.checksumByteCount + SegmentHeader.byteCount

  /// The checksum of the segment before the border.
  let precedingChecksum: UInt32
  /// The kind, flags, codec and reserved field of the segment after the border.
  private let kindAndFlags: UInt64
  private let storedByteCount: UInt64
  private let rawByteCount: UInt64

  /// Reads the border at an offset of a file. Nil if the file does not contain all its bytes.
  static func read(at offset: Int, in store: ByteStore) -> SegmentBorder? {
    store.withBytes(at: offset - SegmentHeader.checksumByteCount, count: byteCount) { SegmentBorder($0) }
  }

  /// Reads a border from the beginning of `bytes`, which must contain all its bytes.
  private init(_ bytes: ByteView) {
    precedingChecksum = bytes.integer(at: 0)
    kindAndFlags = bytes.integer(at: 4)
    storedByteCount = bytes.integer(at: 12)
    rawByteCount = bytes.integer(at: 20)
  }

  /// Whether the header after the border is right, and agrees with an entry of the index. Spec: 02-container,
  /// rules S1 and I4.
  func isHeader(of segment: SegmentInfo) -> Bool {
    let codec: UInt64 = segment.isCompressed ? 1 : 0
    return kindAndFlags & ~(UInt64(SegmentHeader.mayIgnore) << 32)
      == UInt64(segment.code.rawValue) | codec << 40
      && storedByteCount == UInt64(segment.storedByteCount) && rawByteCount == UInt64(segment.rawByteCount)
  }
}

/// The payload of an `INDX` segment: the name of the software that wrote the file, and an entry for each
/// other segment in file order.
enum SegmentIndex {
  /// The name and version of this library. The library writes them into its files.
  static let writer = "Arc \(ArchiveHeader.currentMajor).\(ArchiveHeader.currentMinor)"

  /// Writes an index. The index does not contain the offsets of segments. There are no gaps between segments,
  /// so a reader computes the offsets from the sizes.
  static func write(_ segments: [SegmentInfo], to writer: inout ByteWriter) {
    writer.string(Self.writer)
    writer.varint(segments.count)
    for segment in segments {
      writer.fixed(segment.code.rawValue)
      writer.varint(segment.isCompressed ? 1 : 0)
      writer.varint(segment.storedByteCount)
      writer.varint(segment.rawByteCount)
      writer.varint(segment.firstIndex)
      writer.varint(segment.count)
    }
  }

  /// Reads an index into `segments`, and reuses the memory of this array. Returns the name of the software
  /// that wrote the file.
  ///
  /// Spec: 02-container, rule I3.
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
      // Each number is below 2^40, so sums of offsets do not overflow.
      guard codec <= 1, codec == 1 || stored == raw, max(stored, raw, first, rows) < 1 << 40 else {
        throw wrongEntry(codec, stored, raw, max(first, rows), byteOffset: start)
      }
      let segment = SegmentInfo(
        code: code, byteOffset: byteOffset, storedByteCount: Int(stored), rawByteCount: Int(raw),
        isCompressed: codec == 1, firstIndex: Int(first), count: Int(rows))
      byteOffset = segment.endOffset
      guard byteOffset < 1 << 48 else {
        throw ArchiveError(
          .malformedSegment, found: "an index entry for a segment that ends at byte \(byteOffset)",
          expected: "an index entry for a segment that ends before byte 2^48", byteOffset: start)
      }
      segments.setOrAppend(segment, at: position)
    }
    segments.truncate(to: count)
    try reader.finish("index")
    return writer
  }

  /// Creates the error for an index entry with a wrong field.
  @inline(never)
  private static func wrongEntry(
    _ codec: UInt64, _ stored: UInt64, _ raw: UInt64, _ number: UInt64, byteOffset: Int
  ) -> ArchiveError {
    let (found, expected) =
      if codec > 1 {
        ("an index entry with codec \(codec)", "codec 0 or 1")
      } else if codec == 0, stored != raw {
        (
          "an index entry without compression, with \(raw) raw and \(stored) stored bytes",
          "equal numbers of bytes"
        )
      } else {
        ("an index entry with the number \(max(stored, raw, number))", "numbers below 2^40")
      }
    return ArchiveError(.malformedSegment, found: found, expected: expected, byteOffset: byteOffset)
  }
}
