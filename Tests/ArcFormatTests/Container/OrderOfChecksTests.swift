import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// The order of checks decides whether an error describes a file as newer or as damaged.
final class OrderOfChecksTests: XCTestCase {
  private typealias Entry = HandMadeArchive.ClassEntry

  private func archive() -> HandMadeArchive {
    HandMadeArchive(rootTypes: ["C"], chunks: [HandMadeArchive.chunk(1, encoding: 1, [7])])
  }

  func testCriticalSegmentOfLaterVersionIsRefused() throws {
    var later = archive()
    later.segments.insert(HandMadeArchive.Segment(kind: "NEWK", raw: [1, 2, 3]), at: 0)
    try assertRefused(later, .unsupportedFeature)
    // The class table has another kind, or types that only a later version of the format defines.
    later.segments[1].kind = "CLS2"
    later.segments[1].flags = SegmentHeader.mayIgnore
    try assertRefused(later, .unsupportedFeature)
    var types = HandMadeArchive(rootTypes: ["$new"], chunks: [HandMadeArchive.chunk(1, encoding: 1, [7])])
    types.segments.append(HandMadeArchive.Segment(kind: "NEWK", raw: []))
    try assertRefused(types, .unsupportedFeature)
    types.header.requiredFeatures = 4
    types.segments.removeLast()
    try assertRefused(types, .unsupportedFeature, "requires the features 0x4")
  }

  func testDuplicateMetadataIsReportedBeforeMissingClassTable() throws {
    var broken = archive()
    broken.segments.remove(at: 0)
    for _ in 0..<2 { broken.segments.append(HandMadeArchive.Segment(kind: "META", raw: [0])) }
    try assertRefused(broken, .malformedSegment, "META segment number 2")
    broken.segments.removeLast(2)
    try assertRefused(broken, .malformedClassTable, "a class table without classes")
  }

  func testTextOfAnySizeIsNotAnArchive() {
    for text in ["a", "short", String(repeating: "text ", count: 20)] {
      assertRefused(Array(text.utf8), .notAnArchive)
    }
    assertRefused([], .truncated)
    for count in 1..<32 { assertRefused(Array(ArchiveHeader.current.prefix(count)), .truncated) }
  }

  func testAnyNumberIsAcceptedAsClassVersion() throws {
    for version in [0, 1, 1 << 63, UInt64.max] {
      var table = ByteWriter()
      table.varint(1)
      table.varint(0)
      table.string("$roots")
      table.varint(0)
      table.varint(version)
      table.varint(0)
      var made = HandMadeArchive([
        .classes([Entry(name: "$roots")]), .rows(runs: [(0, 1)], classes: [(0, [])]),
      ])
      made.segments[0].raw = table.bytes
      let file = try ArchiveFile(verifying: made.bytes())
      XCTAssertEqual(file.classes[0].version, version)
    }
  }

  func testStringThatEndsBeyondItsTableIsRefused() throws {
    var broken = archive()
    // A segment with one string, whose length is greater than the number of bytes after it.
    broken.segments.insert(HandMadeArchive.Segment(kind: "STRS", raw: [1, 1, 9, 65], count: 1), at: 1)
    try assertRefused(broken, .malformedSegment, "a string of 9 bytes, expected at most 1 byte")
  }

  func testUnknownEncodingAtEndOfChunkIsRefused() throws {
    for type in ["@\"NSString\"", "@\"NSData\"", "B", "d", "q"] {
      let chunk: [UInt8] = [2, 1, 99]
      try assertRefused(HandMadeArchive(rootTypes: [type], chunks: [chunk]), .malformedColumn)
    }
  }

  func testClassTableAndIndexErrorsNameTheOffset() throws {
    let other = HandMadeArchive([
      .classes([Entry(name: "Person")]), .rows(runs: [(0, 1)], classes: [(0, [])]),
    ])
    assertThrows(.malformedClassTable, "class 'Person', byte 32") {
      try ArchiveFile(bytes: other.bytes()).verify()
    }
    var rows = archive()
    rows.rowCount = 127
    try assertRefused(
      rows, .indexMismatch,
      "an index whose segments have 1 row, expected a row count of 127, as in the trailer")
    try assertRefused(rows, .indexMismatch, "byte \(rows.bytes().count - 32)")
  }
}
