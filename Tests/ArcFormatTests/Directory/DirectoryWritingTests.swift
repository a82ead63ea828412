import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// The chunk directories that this library writes. `verify` compares a directory with its archive.
final class DirectoryWritingTests: XCTestCase {
  /// Returns an archive of one class with values of each kind of order, and with weak references.
  private func archive(
    count: Int, noteEnd: String = "", compression: Compression = .none, hasChunkDirectory: Bool = true
  ) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("all", type: [ObjectID].self)], compression: compression,
      hasChunkDirectory: hasChunkDirectory)
    try builder.addClass(
      "Reading",
      properties: [
        .init("number", type: Int.self), .init("level", type: Double.self), .init("name", type: String.self),
        .init("note", type: String?.self), .init("previous", type: ObjectID?.self),
      ])
    let ids = try builder.reserveObjects(ofClass: "Reading", count: count)
    try builder.setRoots(["all": ids])
    var (numbers, levels, names): ([Int], [Double], [String]) = ([], [], [])
    var (notes, previous): ([String?], [ObjectID?]) = ([], [])
    for index in 0..<count {
      numbers.append(index * 7 - 40)
      levels.append(index % 5 == 0 ? Double.nan : Double(index) / 4 - 9)
      names.append("reading \(index * 31 % 17)")
      notes.append(index % 3 == 0 ? nil : "a note of its own, \(index)\(noteEnd)")
      previous.append(index == 0 ? nil : ids[index - 1])
    }
    try builder.setValues(
      [
        .init("number", numbers), .init("level", levels), .init("name", names), .init("note", notes),
        .init("previous", previous),
      ], of: ids)
    return try builder.finish()
  }

  private func directory(of file: ArchiveFile) throws -> ChunkDirectory? {
    guard let info = file.segments.first(where: { $0.code == ChunkDirectory.code }) else { return nil }
    let payload = try SegmentPayload(info, in: file.store)
    var reader = payload.reader
    return try ChunkDirectory(reading: &reader, layouts: file.layouts, limits: .default)
  }

  func testDirectoryMatchesTheSegmentsOfTheFile() throws {
    let count = RandomTrials.size(usually: 8_000, exhaustively: 50_000)
    // If the notes are long, few rows fill several segments.
    let noteEnd = String(repeating: ".", count: RandomTrials.size(usually: 300, exhaustively: 0))
    for compression in [Compression.none, .zlib] {
      let bytes = try archive(count: count, noteEnd: noteEnd, compression: compression)
      let file = try ArchiveFile(verifying: bytes)
      let directory = try XCTUnwrap(self.directory(of: file))
      XCTAssertEqual(directory.segments.count, file.rowsSegments.count)
      XCTAssertGreaterThan(directory.segments.count, 1)
      XCTAssertEqual(directory.blocks.map(\.rowCount).reduce(0, +), UInt64(file.rowCount))
      XCTAssertEqual(file.segments.last?.code, ChunkDirectory.code)
      let numbers = try XCTUnwrap(
        zip(directory.chunks, directory.ranges).compactMap { $1?.order == .signed ? $1 : nil }.first)
      XCTAssertEqual(Int64(bitPattern: numbers.least), -40)
      let levels = directory.ranges.compactMap(\.self).filter { $0.order == .numbers }
      XCTAssertEqual(levels.map(\.outsideCount).reduce(0, +), UInt64(count / 5))
      XCTAssertEqual(levels.map { Double(bitPattern: $0.least) }.min(), 1.0 / 4 - 9)
      XCTAssertEqual(levels.map { Double(bitPattern: $0.most) }.max(), Double(count - 1) / 4 - 9)
    }
  }

  func testDirectoryDoesNotChangeOtherSegments() throws {
    let plain = try ArchiveFile(bytes: archive(count: 300, hasChunkDirectory: false))
    let file = try ArchiveFile(bytes: archive(count: 300))
    XCTAssertNil(try directory(of: plain))
    XCTAssertEqual(file.segments.dropLast().map(\.rawByteCount), plain.segments.map(\.rawByteCount))
    for row in 0..<plain.rowCount {
      let id = ObjectID(rawValue: UInt32(row))
      XCTAssertEqual("\(try file.object(id))", "\(try plain.object(id))")
    }
  }
}
