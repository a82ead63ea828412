import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Archives with a chunk directory and with points for decompression. A file in `Fixtures/directory` whose
/// name begins with a rule breaks only this rule.
final class DirectoryFixtureTests: XCTestCase {
  private let codes: [String: ArchiveError.Code] = [
    "Y1": .malformedSegment, "Y2": .malformedSegment, "Y3": .indexMismatch, "Y4": .damagedSegment,
    "Y5": .indexMismatch, "Y6": .malformedSegment, "Y7": .malformedSegment, "Y8": .indexMismatch,
    "Y9": .indexMismatch, "Y10": .damagedSegment,
  ]

  private func archives() throws -> [(name: String, bytes: [UInt8])] {
    try Repository.allArchives().filter { $0.name.hasPrefix("directory/") }
      .map { (String($0.name.dropFirst("directory/".count)), $0.bytes) }
  }

  func testInvalidDirectoryIsRefusedWithTheSpecifiedCode() throws {
    var counts: [String: Int] = [:]
    for (name, bytes) in try archives() {
      let rule = String(name.prefix { $0 != "-" && $0 != "." })
      guard let code = codes[rule] else {
        XCTAssertNoThrow(try ArchiveFile(bytes: bytes, limits: .untrusted).verify(), name)
        continue
      }
      counts[rule, default: 0] += 1
      assertThrows(code, for: name) { try ArchiveFile(bytes: bytes, limits: .untrusted).verify() }
    }
    XCTAssertEqual(Set(counts.keys), Set(codes.keys))
  }

  func testInvalidDirectoryDoesNotChangeValues() throws {
    var values: Set<String> = []
    for (_, bytes) in try archives() {
      let file = try ArchiveFile(bytes: bytes, limits: .untrusted)
      var rows = ""
      for row in 0..<file.rowCount { rows += "\(try file.object(ObjectID(rawValue: UInt32(row))))\n" }
      values.insert(rows)
    }
    XCTAssertEqual(values.count, 1)
  }

  func testChangedDirectoryBytesNeverTrap() throws {
    let right = try XCTUnwrap(archives().first { $0.name == "right.arc" }).bytes
    let file = try ArchiveFile(bytes: right)
    let info = try XCTUnwrap(file.segments.first { $0.code == ChunkDirectory.code })
    let payload = info.byteOffset + SegmentHeader.byteCount
    for offset in payload..<payload + info.rawByteCount {
      var bytes = right
      bytes[offset] ^= 0x41
      // The directory is read without its segment, whose checksum detects each change. No changed byte may
      // cause a trap.
      bytes.withByteView {
        var reader = ByteReader($0[payload..<payload + info.rawByteCount], fileOffset: 0)
        _ = try? ChunkDirectory(reading: &reader, layouts: file.layouts, limits: .default)
      }
      XCTAssertThrowsError(try ArchiveFile(bytes: bytes).verify(), "byte \(offset)")
    }
  }

  func testEachTruncatedDirectoryIsRefused() throws {
    let right = try XCTUnwrap(archives().first { $0.name == "right.arc" }).bytes
    let file = try ArchiveFile(bytes: right)
    let info = try XCTUnwrap(file.segments.first { $0.code == ChunkDirectory.code })
    let payload = info.byteOffset + SegmentHeader.byteCount
    for count in 0..<info.rawByteCount {
      let isRead = right.withByteView { bytes in
        var reader = ByteReader(bytes[payload..<payload + count], fileOffset: 0)
        return (try? ChunkDirectory(reading: &reader, layouts: file.layouts, limits: .default)) != nil
      }
      XCTAssertFalse(isRead, "\(count) bytes")
    }
  }

  func testDirectorySizeIsLimitedBeforeAllocation() throws {
    let right = try XCTUnwrap(archives().first { $0.name == "right.arc" }).bytes
    var limits = ArchiveLimits.untrusted
    // The limit is sufficient for the file and for 16 of the 17 chunks.
    limits.rawBytes = 1600
    XCTAssertNoThrow(try ArchiveFile(bytes: right, limits: limits).verifyRows(isComplete: true))
    assertThrows(.limitExceeded) { try ArchiveFile(bytes: right, limits: limits).verify() }
  }

  func testDirectoryBlocksWithoutChunksAreReadQuickly() throws {
    // A column of 2,000 empty structures has no chunk. A block describes the column in a few bytes.
    let type = "{A=" + (0..<2000).map { "\"f\($0)\"{B=}" }.joined() + "}"
    let layout = try ColumnLayout(of: TypeEncoding(parsing: type))
    let count = RandomTrials.size(usually: 1 << 15, exhaustively: 1 << 18)
    func all(_ value: UInt8) -> [UInt8] { [ChunkEncoding.packed, 1, 0, value] }
    let stated: [UInt8] = [0x80, 0x80, UInt8(count >> 14)]
    var payload: [UInt8] = stated + all(0) + Array(repeating: 0, count: 4 * count) + all(1)
    payload += all(0) + all(1) + all(1) + all(0) + all(1)
    payload += [1, 1, 1, 1]
    let directory = try payload.withByteView { bytes in
      var reader = ByteReader(bytes, fileOffset: 0)
      return try ChunkDirectory(reading: &reader, layouts: [layout], limits: .default)
    }
    XCTAssertEqual(directory.blocks.count, count)
    XCTAssertEqual(directory.chunks.count, 0)
  }
}
