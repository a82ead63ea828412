import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// The parts of a file that a reader of some rows reads, caches and checks.
final class LazyReadingTests: XCTestCase {
  private static let nodeCount = RandomTrials.size(usually: 600, exhaustively: 3_000)
  /// If there are fewer nodes, their names are longer, so that the file always has several segments.
  private static let nameLength = RandomTrials.size(usually: 12_000, exhaustively: 300)
  private static let numberCount = RandomTrials.size(usually: 20, exhaustively: 100)

  /// Returns an archive of some megabytes with distinct strings and references in both directions. Some
  /// references are weak.
  private func archive(compression: Compression = .none) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("first", type: #"@"Node""#)], compression: compression)
    try builder.addClass(
      "Node",
      properties: [
        .init("name", type: #"@"NSString""#), .init("next", type: #"@"Node""#),
        .init("back", attributes: #"T@"Node",W"#), .init("numbers", type: "$[d]"),
      ])
    let count = Self.nodeCount
    let ids = try (0..<count).map { _ in try builder.reserveObject(ofClass: "Node") }
    try builder.setRoots(["first": .reference(ids[0])])
    for (position, id) in ids.enumerated() {
      try builder.setValues(
        [
          "name": .string("node \(position / 2) " + String(repeating: "x", count: Self.nameLength)),
          "next": .reference(ids[(position * 7 + 1) % count]),
          "back": .reference(ids[count - 1 - position]),
          "numbers": .array((0..<Self.numberCount).map { .double(Double($0 * position) + 0.5) }),
        ], of: id)
    }
    return try builder.finish()
  }

  private func temporaryFile(_ bytes: [UInt8]) throws -> String {
    let url = try temporaryFolder().appendingPathComponent("a.arc")
    try Data(bytes).write(to: url)
    return url.path
  }

  func testOrderOfReadingDoesNotChangeRows() throws {
    for compression in [Compression.none, .zlib] {
      let bytes = try archive(compression: compression)
      let (forwards, anyhow) = (try ArchiveFile(bytes: bytes), try ArchiveFile(bytes: bytes))
      XCTAssertGreaterThan(forwards.rowsSegments.count, 2)
      let objects = try (0...Self.nodeCount).map { try forwards.object(ObjectID(rawValue: UInt32($0))) }
      // The number of rows and 1237 have no common divisor, so the loop visits each row.
      for step in objects.indices {
        let row = step * 1237 % objects.count
        XCTAssertEqual(try anyhow.object(ObjectID(rawValue: UInt32(row))), objects[row])
      }
    }
  }

  func testMappedFileIsReadLikeFileInMemory() throws {
    let bytes = try archive(compression: .zlib)
    let path = try temporaryFile(bytes)
    let (mapped, read) = (try ArchiveFile(mapping: path), try ArchiveFile(path: path))
    try mapped.verify()
    try read.verify()
    let last = UInt32(Self.nodeCount)
    for row in stride(from: 0, through: last, by: 97) {
      let object = try ArchiveFile(bytes: bytes).object(ObjectID(rawValue: row))
      XCTAssertEqual(try mapped.object(ObjectID(rawValue: row)), object)
      XCTAssertEqual(try read.object(ObjectID(rawValue: row)), object)
    }
    // Replacing a file does not change the open file.
    try FileManager.default.removeItem(atPath: path)
    XCTAssertEqual(
      try mapped.object(ObjectID(rawValue: last - 1)), try read.object(ObjectID(rawValue: last - 1)))
  }

  func testReadingOneObjectReadsOnlyItsSegments() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    let wanted = file.rowsSegments[1]
    // All segments except the class table are damaged. The checksums in the trailer still match the index.
    var damaged = bytes
    var strings = 0
    for (index, segment) in file.segments.enumerated() where segment.kind != .classes {
      if segment.kind == .strings {
        strings += 1
        // A segment of rows comes after the segment with its new strings.
        if segment.firstIndex + segment.count > 0,
          file.segments[index + 1].firstIndex == file.segments[wanted].firstIndex
        {
          continue
        }
      }
      if index == wanted
        || segment.kind == .weakColumns && segment.firstIndex == file.segments[wanted].firstIndex
      {
        continue
      }
      damaged[segment.byteOffset + 25] ^= 1
    }
    XCTAssertGreaterThan(strings, 1)
    let lazy = try ArchiveFile(bytes: damaged)
    let id = ObjectID(rawValue: UInt32(file.segments[wanted].firstIndex + 100))
    XCTAssertEqual(try lazy.object(id), try file.object(id))
    XCTAssertEqual(
      assertThrows(.damagedSegment) { try lazy.object(ObjectID(rawValue: 1)) }?.byteOffset,
      file.segments[file.rowsSegments[0]].byteOffset)
    XCTAssertThrowsError(try lazy.verify())
  }

  func testLazyReaderRefusesReferenceToWrongClass() throws {
    let archive = HandMadeArchive(
      [
        .classes([
          HandMadeArchive.ClassEntry(
            name: "$roots", columns: [HandMadeArchive.Column(key: "r", attributes: #"T@"A""#)]),
          HandMadeArchive.ClassEntry(name: "A"), HandMadeArchive.ClassEntry(name: "B"),
        ]), .rows(runs: [(0, 1), (2, 1)], classes: [(1, [chunk([1])]), (0, [])]),
      ], rowCount: 2)
    assertThrows(.wrongClass) { try ArchiveFile(bytes: archive.bytes()).roots() }
  }

  func testFilesThatCannotBeMappedAreRefused() throws {
    for (path, code) in [
      ("/dev/zero", ArchiveError.Code.fileSystem), ("/tmp", .fileSystem), ("/nowhere/x.arc", .fileSystem),
      (try temporaryFile([]), .truncated), (try temporaryFile(Array("plain text".utf8)), .notAnArchive),
    ] {
      assertThrows(code, for: path) { try ArchiveFile(mapping: path) }
    }
    assertThrows(.limitExceeded) { try ArchiveFile(path: "/dev/zero", limits: .untrusted) }
    var limits = ArchiveLimits.untrusted
    limits.fileBytes = 100
    let path = try temporaryFile([UInt8](repeating: 0, count: 101))
    for open in [
      { try ArchiveFile(path: path, limits: limits) },
      { try ArchiveFile(mapping: path, limits: limits) },
    ] {
      assertThrows(.limitExceeded) { try open() }
    }
  }
}
