import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ContainerTests: XCTestCase {
  private let simple = HandMadeArchive(rootTypes: ["C"], chunks: [HandMadeArchive.chunk(1, encoding: 1, [7])])

  func testHandMadeArchiveMatchesTheSpec() throws {
    let bytes = try simple.bytes()
    XCTAssertEqual(
      Array(bytes[..<28]),
      [0x8A, 0x41, 0x52, 0x43, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 16))
    XCTAssertEqual(Array(bytes[32..<40]), Array("CLSS".utf8) + [0, 0, 0, 0])
    XCTAssertEqual(Array(bytes.suffix(4)), [0x43, 0x52, 0x41, 0x8A])
    let file = try ArchiveFile(verifying: bytes)
    XCTAssertEqual(file.segments.map(\.kind), [.classes, .rows])
    XCTAssertEqual(
      file.segments.map(\.byteOffset),
      [32, 32 + SegmentHeader.wholeByteCount(file.segments[0].storedByteCount)])
    XCTAssertEqual(file.rowCount, 1)
    XCTAssertEqual(try file.roots()["root0"], .integer(7))
    XCTAssertEqual(HandMadeArchive.sealed(bytes), bytes)
  }

  func testChecksumsDetectEachFlippedBit() throws {
    let bytes = try simple.bytes()
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      assertThrows(ArchiveError.self, for: "bit \(bit)") { try ArchiveFile(bytes: damaged).verify() }
    }
  }

  func testTruncatedOrExtendedFilesAreRefused() throws {
    let bytes = try simple.bytes()
    for count in 0..<bytes.count {
      XCTAssertThrowsError(try ArchiveFile(bytes: Array(bytes[..<count])), "\(count) bytes")
    }
    assertRefused(bytes + [0], .truncated)
    assertRefused(bytes + Array(bytes.suffix(32)), .indexMismatch)
    assertRefused(Array(bytes.prefix(32)), .truncated)
    assertRefused([], .truncated, "0 bytes")
  }

  // MARK: Header

  func testTextIsNotAnArchive() {
    assertRefused(Array(String(repeating: "<html>", count: 20).utf8), .notAnArchive, "3C 68 74 6D")
  }

  func testUnknownVersionsAndRequiredFeaturesAreRefused() throws {
    var archive = simple
    for (major, text) in [(2, "update Arc"), (0, "write the file again"), (256, "256.0")] {
      archive.header.major = UInt16(major)
      try assertRefused(archive, .unsupportedVersion, text)
    }
    archive.header.major = ArchiveHeader.currentMajor
    archive.header.minor = 7
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
    archive.header.minor = 0
    archive.header.requiredFeatures = 1 << 31
    try assertRefused(archive, .unsupportedFeature, "0x80000000")
    archive.header.requiredFeatures = 0
    archive.header.optionalFeatures = .max
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
  }

  func testReservedBytesOfTheHeaderMustBeZero() throws {
    var bytes = try simple.bytes()
    bytes[20] = 1
    assertRefused(HandMadeArchive.sealed(bytes), .damagedHeader)
  }

  // MARK: Trailer

  func testInvalidTrailerFieldsAreRefused() throws {
    let bytes = try simple.bytes()
    let trailer = bytes.count - 32
    func changed(_ offset: Int, to value: [UInt8]) -> [UInt8] {
      var bytes = bytes
      bytes.replaceSubrange(trailer + offset..<trailer + offset + value.count, with: value)
      let crc = littleEndianBytes(Checksum.crc32(bytes[trailer..<trailer + 24]))
      bytes.replaceSubrange(trailer + 24..<trailer + 28, with: crc)
      return bytes
    }
    let far = [UInt8](repeating: 0xFF, count: 8)
    assertRefused(changed(0, to: far), .damagedTrailer, "between the header and the trailer")
    assertRefused(changed(0, to: [31, 0, 0, 0, 0, 0, 0, 0]), .damagedTrailer)
    assertRefused(changed(0, to: [32, 0, 0, 0, 0, 0, 0, 0]), .indexMismatch)
    assertRefused(changed(8, to: far), .indexMismatch)
    assertRefused(changed(8, to: [0]), .indexMismatch)
    assertRefused(changed(16, to: [1]), .indexMismatch)
    assertRefused(changed(20, to: [0, 0, 0, 0]), .damagedTrailer, "checksums")
    XCTAssertNoThrow(try ArchiveFile(bytes: changed(8, to: [1])))
  }

  // MARK: Segments

  func testInvalidSegmentHeaderFieldsAreRefused() throws {
    let bytes = try simple.bytes()
    let rows = try ArchiveFile(bytes: bytes).segments[1].byteOffset
    func changed(_ offset: Int, to value: UInt8) -> [UInt8] {
      var bytes = bytes
      bytes[rows + offset] = value
      return HandMadeArchive.sealed(bytes)
    }
    assertRefused(changed(0, to: UInt8(ascii: "X")), .indexMismatch)
    assertRefused(changed(4, to: 2), .malformedSegment, "flags 2")
    assertRefused(changed(5, to: 2), .malformedSegment, "codec 2")
    assertRefused(changed(5, to: 1), .indexMismatch)
    assertRefused(changed(6, to: 1), .malformedSegment)
    assertRefused(changed(16, to: 1), .malformedSegment)
  }

  func testUnknownSegmentIsSkippedOnlyIfMarkedIgnorable() throws {
    var archive = simple
    archive.segments.append(.init(kind: "NOTE", raw: [1, 2, 3], flags: SegmentHeader.mayIgnore))
    XCTAssertEqual(try ArchiveFile(bytes: archive.bytes()).segments.last?.kind, nil)
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
    archive.segments[2].flags = 0
    try assertRefused(archive, .unsupportedFeature, "unknown kind")
  }

  func testCompressedSegmentMustInflateToExactlyItsLength() throws {
    let values = [UInt8](repeating: 5, count: 500)
    var archive = HandMadeArchive(
      rootTypes: ["$[C]"],
      chunks: [
        HandMadeArchive.chunk(1, encoding: 2, [0xF4, 1]), HandMadeArchive.chunk(500, encoding: 1, values),
      ])
    archive.segments[1].isCompressed = true
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
    let truth = archive.segments[1].raw.count
    for claim in [truth - 1, truth + 1] {
      archive.segments[1].claimedRawByteCount = claim
      try assertRefused(archive, .compressionFailed)
    }
    archive.segments[1].claimedRawByteCount = 0
    try assertRefused(archive, .malformedSegment, "after the end of the compressed payload")
    archive.segments[1].claimedRawByteCount = 10 << 30
    try assertRefused(archive, .limitExceeded)
    archive.segments[1].claimedRawByteCount = 1 << 20
    try assertRefused(archive, .limitExceeded, "ratio")
  }

  // MARK: Index

  func testIndexWithGapsOrWrongCountsIsRefused() throws {
    var archive = simple
    archive.segments[1].first = 1
    try assertRefused(archive, .indexMismatch, "begins at entry 1")
    archive.segments[1].first = 0
    archive.segments[1].count = 0
    try assertRefused(archive, .indexMismatch)
    archive.segments[1].count = 1 << 40
    try assertRefused(archive, .malformedSegment, "numbers below 2^40")
    archive.segments[1].count = 1 << 39
    archive.rowCount = 1 << 39
    try assertRefused(archive, .indexMismatch)
    archive = simple
    archive.indexTail = [0]
    try assertRefused(archive, .malformedSegment, "after the end of the index")
    archive = simple
    archive.segments.append(.init(kind: "INDX", raw: []))
    try assertRefused(archive, .indexMismatch, "INDX")
    archive = simple
    archive.segments.removeLast()
    try assertRefused(archive, .indexMismatch, "0 rows")
  }

  func testLinkSegmentsWithoutMatchingRowsAreRefused() throws {
    var archive = simple
    archive.segments.append(.links([], first: 0, count: 1))
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
    archive.segments.append(.links([], first: 0, count: 1))
    try assertRefused(archive, .malformedSegment, "LINK")
    archive.segments[3].count = 5
    try assertRefused(archive, .malformedSegment, "LINK")
    archive = HandMadeArchive(rootTypes: ["$~@\"A\""], chunks: [])
    try assertRefused(archive, .malformedSegment, "no LINK segment")
    archive.segments.append(.links([HandMadeArchive.chunk(1, encoding: 1, [0])], first: 0, count: 1))
    XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify())
    archive.segments[2].raw.append(0)
    try assertRefused(archive, .malformedSegment, "after the end of the links segment")
  }
}
