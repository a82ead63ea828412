import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class MetadataTests: XCTestCase {
  private func archive(_ metadata: [String: String], compression: Compression = .none) throws -> [UInt8] {
    var writer = ArchiveWriter(compression: compression, metadata: metadata.map { ($0.key, $0.value) })
    _ = try writer.addClass(ClassDescription(name: "$roots", superclassIndex: nil))
    try writer.addRow(classIndex: 0)
    return try writer.finish { UInt32($0) }
  }

  func testMetadataEntriesAreSortedByTheirBytes() throws {
    let file = try ArchiveFile(verifying: archive(["b": "2", "a": "", "ä": "3", "B": "\u{0}é"]))
    XCTAssertEqual(try file.metadataEntries().map(\.key), ["B", "a", "b", "ä"])
    XCTAssertEqual(try file.metadataEntries().map(\.value), ["\u{0}é", "", "2", "3"])
    XCTAssertEqual(file.segments[0].kind, .metadata)
    XCTAssertEqual(file.segments[0].count, 4)
  }

  func testFileWithoutMetadataHasNoMetadataSegment() throws {
    let file = try ArchiveFile(bytes: archive([:]))
    XCTAssertTrue(try file.metadata().isEmpty)
    XCTAssertEqual(file.segments.map(\.kind), [.classes, .rows])
  }

  func testArchiveContainsTheNameOfItsWritingProgram() throws {
    XCTAssertTrue(try ArchiveFile(bytes: archive([:])).writer.hasPrefix("Arc "))
    var other = try HandMadeArchive(takingApart: archive([:]))
    other.writer = "somebody else 7"
    XCTAssertEqual(try ArchiveFile(bytes: other.bytes()).writer, "somebody else 7")
  }

  func testInvalidMetadataIsRefused() throws {
    let valid = try HandMadeArchive(takingApart: archive(["a": "1", "b": "2"]))
    func changed(_ raw: [UInt8], count: Int = 2) -> HandMadeArchive {
      var archive = valid
      archive.segments[0].raw = raw
      archive.segments[0].count = count
      return archive
    }
    XCTAssertNoThrow(try ArchiveFile(bytes: changed([2, 1, 97, 0, 1, 98, 0]).bytes()).verify())
    try assertRefused(changed([2, 1, 97, 0, 1, 97, 0]), .malformedSegment, "distinct keys")
    try assertRefused(changed([2, 1, 98, 0, 1, 97, 0]), .malformedSegment, "'a' after 'b'")
    try assertRefused(
      changed([2, 1, 97, 0, 1, 98, 0, 0]), .malformedSegment, "after the end of the metadata")
    try assertRefused(changed([2, 1, 97, 0, 1, 98]), .truncated)
    try assertRefused(changed([9, 1, 97, 0, 1, 98, 0]), .malformedSegment)
    try assertRefused(changed([2, 1, 97, 0, 1, 0xFF, 0]), .invalidString)
    try assertRefused(changed([2, 1, 97, 0, 1, 98, 0], count: 3), .indexMismatch)
    var twice = valid
    twice.segments.append(valid.segments[0])
    try assertRefused(twice, .malformedSegment, "META segment number 2")
    var late = valid
    late.segments[0].first = 1
    try assertRefused(late, .malformedSegment, "begins at entry 1")
  }
}
