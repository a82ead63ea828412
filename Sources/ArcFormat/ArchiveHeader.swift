/// The first 32 bytes of a file. Spec: 02-container, section 1.
package struct ArchiveHeader: Equatable {
  /// `8A 41 52 43 0D 0A 1A 0A`: not text, `ARC`, and line ends that a text-mode transfer would damage.
  static let signature: [UInt8] = [0x8A, 0x41, 0x52, 0x43, 0x0D, 0x0A, 0x1A, 0x0A]
  package static let byteCount = 32
  /// The version that this library writes. It reads every minor version of the same major one: what a reader must
  /// know of a later one, `requiredFeatures` says.
  package static let currentMajor: UInt16 = 1
  package static let currentMinor: UInt16 = 0
  /// Feature bits that this library understands.
  static let knownFeatures: UInt32 = 0

  package var major = currentMajor
  package var minor = currentMinor
  /// A reader that does not know one of these must refuse the file.
  var requiredFeatures: UInt32 = 0
  /// A reader may ignore these.
  var optionalFeatures: UInt32 = 0

  package init() {}

  /// The header that every file begins with.
  static let current = {
    var writer = ByteWriter()
    ArchiveHeader().write(to: &writer)
    return writer.bytes
  }()

  init(reading reader: inout ByteReader) throws(ArchiveError) {
    let byteCount = reader.remaining
    let bytes = unsafe try reader.take(min(byteCount, Self.byteCount))
    // Nearly all files begin so, and then all is right.
    if unsafe Self.current.withUnsafeBytes({ unsafe $0.isEqual(to: bytes) }) { return }
    guard unsafe bytes.prefix(8).elementsEqual(Self.signature.prefix(bytes.count)) else {
      throw ArchiveError(
        .notAnArchive,
        found: "bytes \(unsafe bytes.prefix(8).map { hexadecimal($0) }.joined(separator: " "))",
        expected: "the signature of an .arc file", remedy: "was the file changed by a text-mode transfer?",
        byteOffset: 0)
    }
    guard byteCount >= Self.byteCount else {
      throw ArchiveError(
        .truncated, found: "a file of \(plural(byteCount, "byte"))",
        expected: "a header of \(Self.byteCount) bytes",
        byteOffset: 0)
    }
    var fields = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[8...]), fileOffset: 8)
    major = try fields.fixed()
    minor = try fields.fixed()
    requiredFeatures = try fields.fixed()
    optionalFeatures = try fields.fixed()
    let reserved: UInt64 = try fields.fixed()
    let crc: UInt32 = try fields.fixed()
    guard unsafe crc == Checksum.crc32(UnsafeRawBufferPointer(rebasing: bytes[..<28])), reserved == 0 else {
      throw ArchiveError(.damagedHeader, found: "a header that does not match its checksum", byteOffset: 0)
    }
    guard major == Self.currentMajor else {
      throw ArchiveError(
        .unsupportedVersion, found: "format version \(major).\(minor)",
        expected: "\(Self.currentMajor).x",
        remedy: major == 0 ? "version 0 was for tests: write the file again" : "update Arc to read this file",
        byteOffset: 8)
    }
    let unknown = requiredFeatures & ~Self.knownFeatures
    guard unknown == 0 else {
      throw ArchiveError(
        .unsupportedFeature, found: "required feature bits 0x\(String(unknown, radix: 16))",
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

/// The last 32 bytes of a file: its absence shows that the file is cut. Spec: 02-container, section 4.
package struct ArchiveTrailer: Equatable {
  package static let byteCount = 32
  /// `43 52 41 8A` as a little-endian number.
  static var signature: UInt32 { 0x8A41_5243 }

  /// Where the index segment begins, bytes from the start of the file.
  var indexOffset: UInt64
  /// All rows, row 0 included.
  package var rowCount: UInt64
  /// Segments before the index.
  var segmentCount: UInt32
  /// CRC-32 of the checksums of these segments, in order.
  var segmentsChecksum: UInt32

  init(indexOffset: UInt64, rowCount: UInt64, segmentCount: UInt32, segmentsChecksum: UInt32) {
    self.indexOffset = indexOffset
    self.rowCount = rowCount
    self.segmentCount = segmentCount
    self.segmentsChecksum = segmentsChecksum
  }

  /// Reads the trailer from the last bytes of a file; `reader` stands at their beginning.
  init(reading reader: inout ByteReader) throws(ArchiveError) {
    let start = reader.offset
    let bytes = unsafe try reader.take(Self.byteCount)
    guard unsafe bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self) == Self.signature.littleEndian
    else {
      throw ArchiveError(
        .truncated, found: "no trailer at the end of the file", expected: "the bytes 43 52 41 8A",
        remedy: "the file was cut or its writer was interrupted", byteOffset: start + Self.byteCount - 4)
    }
    var fields = unsafe ByteReader(bytes, fileOffset: start)
    indexOffset = try fields.fixed()
    rowCount = try fields.fixed()
    segmentCount = try fields.fixed()
    segmentsChecksum = try fields.fixed()
    let crc: UInt32 = try fields.fixed()
    guard unsafe crc == Checksum.crc32(UnsafeRawBufferPointer(rebasing: bytes[..<24])) else {
      throw ArchiveError(
        .damagedTrailer, found: "a trailer that does not match its checksum", byteOffset: start)
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

/// Two hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
