/// The first 32 bytes of a file.
///
/// Spec: 02-container, section 1.
package struct ArchiveHeader: Equatable {
  /// The bytes `8A 41 52 43 0D 0A 1A 0A`: a byte that does not occur in text, then `ARC`, then line breaks. A
  /// file transfer in text mode would change these line breaks.
  package static let signature: [UInt8] = [0x8A, 0x41, 0x52, 0x43, 0x0D, 0x0A, 0x1A, 0x0A]
  package static let byteCount = 32
  /// The major format version that this library writes. The library reads all minor versions of this major
  /// version. If a reader must know a feature of a later version, the feature has a bit in
  /// `requiredFeatures`.
  package static let currentMajor: UInt16 = 1
  package static let currentMinor: UInt16 = 0
  /// The versions of the format that this library knows. Version 1.1 only has additions that readers may
  /// ignore, so files that use them are files of version 1.0. Spec: 15-conformance, section 2.
  package static let knownVersions = ["1.0", "1.1"]
  /// The feature bits that this library knows. There are none yet.
  static let knownFeatures: UInt32 = 0

  package var major = currentMajor
  package var minor = currentMinor
  /// The bits of the features that a reader must know. A reader refuses a file that requires an unknown
  /// feature.
  var requiredFeatures: UInt32 = 0
  /// The bits of features that a reader may ignore.
  var optionalFeatures: UInt32 = 0

  package init() {}

  /// The header that this library writes.
  static let current = {
    var writer = ByteWriter()
    ArchiveHeader().write(to: &writer)
    return writer.bytes
  }()

  /// Reads and checks a header. Spec: 02-container, rules H1, H2, H3, H4 and H5.
  init(reading reader: inout ByteReader) throws(ArchiveError) {
    let byteCount = reader.remaining
    let bytes = try reader.take(min(byteCount, Self.byteCount))
    // Fast path: nearly all files begin with these bytes.
    if Self.current.withByteView({ $0.isEqual(to: bytes) }) { return }
    let signature = Array(bytes[0..<min(byteCount, 8)])
    guard signature.elementsEqual(Self.signature.prefix(byteCount)) else {
      let rest = try reader.take(min(reader.remaining, OtherFileFormat.prefixByteCount - Self.byteCount))
      let format = OtherFileFormat(prefix: Array(bytes) + Array(rest))
      throw ArchiveError(
        .notAnArchive,
        found: format?.words
          ?? "a file that begins with the bytes \(signature.map { hexadecimal($0) }.joined(separator: " "))",
        expected:
          "the signature of an archive, \(Self.signature.map { hexadecimal($0) }.joined(separator: " "))",
        remedy: format?.remedy
          ?? "open an .arc file; if an .arc file was transferred in text mode, transfer the file in binary mode",
        byteOffset: 0)
    }
    guard byteCount >= Self.byteCount else {
      throw ArchiveError(
        .truncated, found: "a file of \(plural(byteCount, "byte"))",
        expected: "at least \(Self.byteCount) bytes, for a header",
        remedy: byteCount == 0 ? "write the file again: an empty file is not an archive" : nil, byteOffset: 0)
    }
    var fields = ByteReader(bytes.suffix(from: 8), fileOffset: 8)
    major = try fields.fixed()
    minor = try fields.fixed()
    requiredFeatures = try fields.fixed()
    optionalFeatures = try fields.fixed()
    let reserved: UInt64 = try fields.fixed()
    let crc: UInt32 = try fields.fixed()
    guard crc == Checksum.crc32(bytes[0..<28]), reserved == 0 else {
      throw ArchiveError(
        .damagedHeader,
        found: reserved == 0
          ? "a header with the checksum \(hexadecimal(crc))"
          : "\(reserved) in the reserved field of the header",
        expected: reserved == 0
          ? "the checksum of the header's bytes, \(hexadecimal(Checksum.crc32(bytes[0..<28])))"
          : "a reserved field of 0",
        remedy:
          "restore the file from a backup, or recover the intact objects with arcdump recover FILE -o OUT",
        byteOffset: 0)
    }
    guard major == Self.currentMajor else {
      throw ArchiveError(
        .unsupportedVersion, found: "format version \(major).\(minor)",
        expected: "format version \(Self.currentMajor).x",
        remedy: major == 0
          ? "write the file again: version 0 was only for tests" : "update Arc to read this file",
        byteOffset: 8)
    }
    let unknown = requiredFeatures & ~Self.knownFeatures
    guard unknown == 0 else {
      throw ArchiveError(
        .unsupportedFeature, found: "a file that requires the features 0x\(String(unknown, radix: 16))",
        expected: "only features that this version of Arc has",
        remedy: "update Arc to read this file", byteOffset: 12)
    }
  }

  func write(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(Self.signature)
    writer.fixed(major)
    writer.fixed(minor)
    writer.fixed(requiredFeatures)
    writer.fixed(optionalFeatures)
    writer.fixed(UInt64(0))
    writer.fixed(writer.checksum(from: start))
  }
}

/// The last 32 bytes of a file. A file that does not end with a trailer was truncated.
///
/// Spec: 02-container, section 4.
package struct ArchiveTrailer: Equatable {
  package static let byteCount = 32
  /// `43 52 41 8A` as a little-endian number.
  static var signature: UInt32 { 0x8A41_5243 }

  /// The offset of the index segment in the file.
  var indexOffset: UInt64
  /// The number of rows, including row 0.
  package var rowCount: UInt64
  /// The number of segments before the index.
  var segmentCount: UInt32
  /// The CRC-32 of the checksums of all segments before the index, in file order.
  var segmentsChecksum: UInt32

  init(indexOffset: UInt64, rowCount: UInt64, segmentCount: UInt32, segmentsChecksum: UInt32) {
    self.indexOffset = indexOffset
    self.rowCount = rowCount
    self.segmentCount = segmentCount
    self.segmentsChecksum = segmentsChecksum
  }

  /// Reads and checks a trailer. `reader` must be at the first of the last 32 bytes of a file.
  ///
  /// Spec: 02-container, rules T1 and T2.
  init(reading reader: inout ByteReader) throws(ArchiveError) {
    let start = reader.offset
    let bytes = try reader.take(Self.byteCount)
    guard bytes.integer(at: 28) == Self.signature else {
      throw ArchiveError(
        .truncated, found: "a file that does not end with a trailer",
        expected: "the bytes 43 52 41 8A at the end",
        remedy:
          "restore the complete file from a backup: the file was truncated, or its writer was interrupted",
        byteOffset: start + Self.byteCount - 4)
    }
    var fields = ByteReader(bytes, fileOffset: start)
    indexOffset = try fields.fixed()
    rowCount = try fields.fixed()
    segmentCount = try fields.fixed()
    segmentsChecksum = try fields.fixed()
    let crc: UInt32 = try fields.fixed()
    guard crc == Checksum.crc32(bytes[0..<24]) else {
      throw ArchiveError(
        .damagedTrailer, found: "a trailer with the checksum \(hexadecimal(crc))",
        expected: "the checksum of the trailer's bytes, \(hexadecimal(Checksum.crc32(bytes[0..<24])))",
        remedy:
          "restore the file from a backup, or recover the intact objects with arcdump recover FILE -o OUT",
        byteOffset: start)
    }
  }

  func write(to writer: inout ByteWriter) {
    let start = writer.count
    writer.fixed(indexOffset)
    writer.fixed(rowCount)
    writer.fixed(segmentCount)
    writer.fixed(segmentsChecksum)
    writer.fixed(writer.checksum(from: start))
    writer.fixed(Self.signature)
  }
}

/// Returns a checksum as eight hexadecimal digits.
func hexadecimal(_ checksum: UInt32) -> String {
  let digits = String(checksum, radix: 16, uppercase: true)
  return String(repeating: "0", count: 8 - digits.count) + digits
}

/// Returns a byte as two hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
