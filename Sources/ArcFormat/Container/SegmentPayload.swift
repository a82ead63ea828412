/// The decompressed bytes of a segment whose checksum is correct.
package struct SegmentPayload {
  package let bytes: ByteView
  /// The offset of the segment in the file, for error messages.
  package let byteOffset: Int
  /// The owner of `bytes` if the payload is stored uncompressed. Otherwise, `inflated` is the owner.
  private let store: ByteStore
  private let inflated: InflatedBytes?

  /// A reader at the beginning of the payload. It must not outlive the payload.
  package var reader: ByteReader { ByteReader(bytes, fileOffset: byteOffset) }

  /// Whether all bytes of the payload are present. If false, only the ranges that were passed to
  /// `reader(of:)` are present.
  package var isWhole: Bool { inflated?.parts == nil }

  /// Returns a reader of the bytes in a range, after their decompression. It must not outlive the payload.
  ///
  /// - Throws: an error if the payload has fewer bytes, or if decompression fails.
  package func reader(of range: Range<Int>) throws(ArchiveError) -> ByteReader {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      throw ArchiveError(
        .truncated, found: "a payload of \(plural(bytes.count, "byte"))",
        expected: "a payload of at least \(plural(range.upperBound, "byte"))", byteOffset: byteOffset)
    }
    try inflated?.parts?.require(range)
    var reader = ByteReader(bytes[0..<range.upperBound], fileOffset: byteOffset)
    _ = try reader.take(range.lowerBound)
    return reader
  }

  /// Reads, checks and decompresses the segment at `info.byteOffset`.
  ///
  /// If `comparesChecksum` is false, the checksum of an uncompressed payload is not verified, so its bytes
  /// are not read. Use this to read a part of the payload that has its own checksum.
  ///
  /// Spec: 02-container, rules Z1 and B4; 13-directory, section 3.
  package init(_ info: SegmentInfo, in store: ByteStore, comparesChecksum: Bool = true) throws(ArchiveError) {
    self.store = store
    byteOffset = info.byteOffset
    guard info.byteOffset <= store.bytes.count else {
      throw ArchiveError(
        .truncated, found: "the end of the file at byte \(store.bytes.count)",
        expected: "a segment at byte \(info.byteOffset), as in the index", byteOffset: info.byteOffset)
    }
    var reader = ByteReader(store.bytes.suffix(from: info.byteOffset), fileOffset: info.byteOffset)
    let stored = try Self.checkedBytes(info, &reader, comparesChecksum || info.isCompressed)
    guard info.isCompressed else {
      bytes = stored
      inflated = nil
      return
    }
    try Self.checkRatio(info)
    let inflated = InflatedBytes(byteCount: info.rawByteCount)
    try Deflate.decompress(stored, into: inflated.bytes, byteOffset: info.byteOffset)
    bytes = inflated.bytes.view
    self.inflated = inflated
  }

  /// Opens a compressed segment without decompressing it. `reader(of:)` later decompresses bytes, beginning
  /// at the point before them. The checksum of the segment is not verified. The caller must not report the
  /// errors of this payload, because wrong points can also cause them.
  ///
  /// Spec: 02-container, rule Z1; 13-directory, sections 3 and 5.
  package init(
    _ info: SegmentInfo, in store: ByteStore, points: ArraySlice<DecompressionPoint>
  ) throws(ArchiveError) {
    self.store = store
    byteOffset = info.byteOffset
    var reader = ByteReader(store.bytes, fileOffset: 0)
    _ = try reader.take(info.byteOffset)
    let stored = try Self.checkedBytes(info, &reader, false)
    try Self.checkRatio(info)
    let inflated = InflatedBytes(byteCount: info.rawByteCount)
    inflated.parts = try PartialInflation(of: stored, into: inflated.bytes, points: points)
    bytes = inflated.bytes.view
    self.inflated = inflated
  }

  /// Throws `limitExceeded` if the compression ratio is greater than the maximum of deflate. Spec:
  /// 02-container, rule Z1.
  private static func checkRatio(_ info: SegmentInfo) throws(ArchiveError) {
    let ratioLimit = Deflate.maximumRatio.multipliedReportingOverflow(by: info.storedByteCount)
    guard ratioLimit.overflow || info.rawByteCount <= ratioLimit.partialValue &+ 64 else {
      throw ArchiveError(
        .limitExceeded,
        found: "\(plural(info.rawByteCount, "byte")) compressed to \(plural(info.storedByteCount, "byte"))",
        expected: "a compression ratio of at most \(Deflate.maximumRatio), the maximum of deflate",
        byteOffset: info.byteOffset)
    }
  }

  /// Describes a segment by the fields that both its header and its index entry contain, for error messages.
  private static func words(
    _ code: SegmentCode, _ isCompressed: Bool, _ storedByteCount: UInt64, _ rawByteCount: UInt64
  ) -> String {
    "a \(code.text) segment \(isCompressed ? "with" : "without") compression, with \(storedByteCount) stored "
      + "and \(rawByteCount) raw bytes"
  }

  /// Checks that the header of a segment is right, and agrees with the entry of the index.
  ///
  /// Spec: 02-container, rules S1 and I4.
  static func checkHeader(_ info: SegmentInfo, in store: ByteStore) throws(ArchiveError) {
    var reader = ByteReader(store.bytes.suffix(from: info.byteOffset), fileOffset: info.byteOffset)
    _ = try checkedHeader(info, &reader)
  }

  private static func checkedHeader(
    _ info: SegmentInfo, _ reader: inout ByteReader
  ) throws(ArchiveError) -> SegmentHeader {
    let header = try SegmentHeader(reading: &reader)
    guard header.storedByteCount == UInt64(info.storedByteCount),
      header.rawByteCount == UInt64(info.rawByteCount),
      header.isCompressed == info.isCompressed, header.kind == info.code
    else {
      throw ArchiveError(
        .indexMismatch,
        found: words(header.kind, header.isCompressed, header.storedByteCount, header.rawByteCount),
        expected: words(
          info.code, info.isCompressed, UInt64(info.storedByteCount), UInt64(info.rawByteCount))
          + ", as in the index",
        byteOffset: info.byteOffset)
    }
    return header
  }

  /// Checks the header and the checksum of a segment. Returns the stored payload.
  ///
  /// Spec: 02-container, rules S2, S3, S5 and I4.
  private static func checkedBytes(
    _ info: SegmentInfo, _ reader: inout ByteReader, _ comparesChecksum: Bool
  ) throws(ArchiveError) -> ByteView {
    var whole = reader
    let header = try checkedHeader(info, &reader)
    guard info.kind != nil || header.flags & SegmentHeader.mayIgnore != 0 else {
      throw ArchiveError(
        .unsupportedFeature, found: "a segment of the unknown kind '\(info.code.text)'",
        expected: "a segment of a kind that this version of Arc knows",
        remedy: "update Arc to read this file",
        byteOffset: info.byteOffset)
    }
    let stored = try reader.take(info.storedByteCount)
    guard comparesChecksum else { return stored }
    let checkedByteCount =
      SegmentHeader.wholeByteCount(info.storedByteCount) - SegmentHeader.checksumByteCount
    let checked = try whole.take(checkedByteCount)
    let crc: UInt32 = try whole.fixed()
    guard crc == Checksum.crc32(checked) else {
      throw ArchiveError(
        .damagedSegment, found: "a \(info.code.text) segment with the checksum \(hexadecimal(crc))",
        expected: "the checksum of the segment's bytes, \(hexadecimal(Checksum.crc32(checked)))",
        remedy: "restore the file from a backup, or recover the intact objects with arcdump recover FILE "
          + "-o OUT; the file was changed after it was written",
        byteOffset: info.byteOffset)
    }
    // Rule S5.
    let end = SegmentHeader.byteCount + info.storedByteCount
    guard checked.suffix(from: end).areZeros else {
      throw ArchiveError(
        .malformedSegment, found: "padding bytes that are not 0",
        expected: "padding bytes of 0 before the checksum", byteOffset: info.byteOffset)
    }
    return stored
  }
}

/// Memory for the decompressed bytes of a segment.
private final class InflatedBytes {
  let bytes: ByteBuffer
  /// Decompresses parts of the bytes when they are requested. Nil if all bytes are already decompressed.
  var parts: PartialInflation?

  init(byteCount: Int) { bytes = ByteBuffer(count: byteCount) }

  deinit { bytes.free() }
}

extension SegmentInfo.Kind {
  /// Creates the kind that a header states. Nil if this library does not know the kind.
  init?(header: SegmentHeader) { self.init(header.kind) }
}
