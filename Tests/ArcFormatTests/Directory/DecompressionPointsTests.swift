import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Points at which decompression of a segment can begin. Wrong points never change a value.
final class DecompressionPointsTests: XCTestCase {
  private static let count = RandomTrials.size(usually: 9_000, exhaustively: 18_000)

  /// Returns an archive of rows of two classes that alternate. Large and small columns alternate, some of
  /// them weak, and the strings of the table take several parts.
  private func archive(
    compression: Compression = .zlib, hasChunkDirectory: Bool = true, textByteCount: Int = 40
  ) throws -> [UInt8] {
    var random = SplitMix64(seed: 41)
    let builder = try ArchiveBuilder(
      roots: [.init("all", type: [ObjectID].self)], compression: compression,
      hasChunkDirectory: hasChunkDirectory)
    try builder.addClass(
      "Reading",
      properties: [
        .init("number", type: Int.self), .init("isNew", type: Bool.self), .init("level", type: Double?.self),
        .init("place", type: String.self), .init("text", type: String.self),
        .init("tags", type: [String].self), .init("owner", attributes: "T@,W"),
        .init("rival", attributes: "T@,W"),
        .init("next", type: ObjectID?.self),
      ])
    try builder.addClass(
      "Gap", properties: [.init("number", type: Int.self), .init("note", type: String.self)])
    var all: [ObjectID] = []
    for first in stride(from: 0, to: Self.count, by: 3000) {
      let numbers = Array(first..<first + 3000)
      let ids = try builder.reserveObjects(ofClass: "Reading", count: 3000)
      // Values without regularity, so that each part takes space.
      let noise = numbers.map { _ in Int(random.next() >> 8) }
      try builder.setValues(
        [
          .init("number", noise), .init("isNew", noise.map { $0 % 2 == 0 }),
          .init("level", noise.map { $0 % 3 == 0 ? nil : Double($0) / 4 }),
          .init("place", noise.map { "place \($0 % 4001) of the table" }),
          .init("text", noise.map { "\($0)" + String(repeating: "-", count: $0 % textByteCount) }),
          .init("tags", noise.map { Array(repeating: "tag", count: $0 % 3) }),
          .init("owner", noise.map { ids[$0 % 3000] as ObjectID? }),
          .init("rival", noise.map { $0 % 7 == 0 ? nil : ids[$0 % 2999] }),
          .init("next", noise.map { $0 % 5 == 0 ? nil : ids[$0 % 3000] }),
        ], of: ids)
      let gaps = try builder.reserveObjects(ofClass: "Gap", count: 100)
      try builder.setValues(
        [.init("number", Array(first..<first + 100)), .init("note", noise.prefix(100).map { "note \($0)" })],
        of: gaps)
      all += ids
    }
    try builder.setRoots(["all": all])
    return try builder.finish()
  }

  private func trusted(_ bytes: [UInt8]) throws -> ArchiveFile {
    let file = try ArchiveFile(bytes: bytes)
    file.trustsChunkDirectory = true
    return file
  }

  /// Returns the text of the values of each column, by class and key.
  private func columns(of file: ArchiveFile) throws -> [String: String] {
    var columns: [String: String] = [:]
    for description in file.classes {
      for column in description.columns {
        columns["\(description.name).\(column.key)"] = try text(of: column.key, description.name, file)
      }
    }
    return columns
  }

  private func text(of key: String, _ className: String, _ file: ArchiveFile) throws -> String {
    "\(try file.rows(ofClass: className).column(key) as [ArchiveValue])"
  }

  private func points(of bytes: [UInt8]) throws -> [(info: SegmentInfo, points: [DecompressionPoint])] {
    let file = try ArchiveFile(bytes: bytes)
    guard let info = file.segments.first(where: \.isDecompressionPoints) else { return [] }
    let listed = file.segments.filter(\.canHaveDecompressionPoints)
    var reader = try SegmentPayload(info, in: file.store).reader
    let points = try DecompressionPoints(reading: &reader, of: listed, limits: .default)
    return Array(zip(listed, points.segments.map(\.points)))
  }

  // MARK: The same values

  func testPointsDoNotChangeColumns() throws {
    let plain = try columns(of: ArchiveFile(bytes: archive(compression: .none, hasChunkDirectory: false)))
    for level in [1, 6, 9] {
      let bytes = try archive(compression: .zlib(level: level))
      XCTAssertEqual(try columns(of: ArchiveFile(verifying: bytes)), plain)
      XCTAssertEqual(try columns(of: trusted(bytes)), plain)
      let listed = try points(of: bytes)
      for kind in [SegmentInfo.Kind.strings, .rows, .weakColumns] {
        XCTAssertTrue(listed.contains { $0.info.kind == kind && !$0.points.isEmpty }, "\(kind)")
      }
      XCTAssertEqual(try archive(compression: .zlib(level: level)), bytes)
    }
  }

  func testPointsAreWhereLargeColumnsBeginAndEnd() throws {
    let file = try trusted(archive())
    let directory = try XCTUnwrap(file.usableDirectory())
    let listed = try points(of: archive())
    for (number, index) in file.rowsSegments.enumerated() {
      for (segment, areWeak) in [(file.segments[index], false), (links(of: file, index), true)] {
        guard let segment, let found = listed.first(where: { $0.info.byteOffset == segment.byteOffset })
        else {
          continue
        }
        let borders = directory.borders(
          ofColumnsInSegment: number, layouts: file.layouts, areWeak: areWeak, minimumByteCount: 1 << 14)
        XCTAssertEqual(
          found.points.map(\.rawOffset), borders.filter { $0 > 0 && $0 < segment.rawByteCount })
        let everyBorder = directory.borders(
          ofColumnsInSegment: number, layouts: file.layouts, areWeak: areWeak, minimumByteCount: 0)
        XCTAssertEqual(everyBorder.last, segment.rawByteCount)
      }
    }
    for (info, points) in listed where info.kind == .strings {
      XCTAssertEqual(
        points.map(\.rawOffset), Array(stride(from: 1 << 16, to: info.rawByteCount, by: 1 << 16)))
    }
  }

  private func links(of file: ArchiveFile, _ index: Int) -> SegmentInfo? {
    let rows = file.segments[index]
    return file.segments.first { $0.kind == .weakColumns && $0.firstIndex == rows.firstIndex }
  }

  func testColumnsAcrossZlibBlocksAreReadFromPoints() throws {
    // One segment whose strings take more than two blocks.
    let bytes = try archive(textByteCount: 3_000)
    let large = try ArchiveArrangement.arrange(
      bytes, segmentByteCount: 1 << 26, compression: .zlib, hasChunkDirectory: true)
    let file = try ArchiveFile(verifying: large)
    XCTAssertGreaterThan(file.segments.map(\.rawByteCount).max() ?? 0, 3 * Deflate.blockByteCount)
    // Arranging gives rows new numbers, which may have more digits.
    let references = ["$roots.all", "Reading.owner", "Reading.rival", "Reading.next"]
    func lengths(_ bytes: [UInt8]) throws -> [String: Int] {
      try columns(of: trusted(bytes)).filter { !references.contains($0.key) }.mapValues(\.count)
    }
    XCTAssertEqual(try lengths(large), try lengths(bytes))
    XCTAssertEqual(try columns(of: trusted(large)), try columns(of: ArchiveFile(bytes: large)))
  }

  func testEachReaderOfOneColumnSkipsOtherColumns() throws {
    let bytes = try archive()
    let (info, points) = try XCTUnwrap(
      points(of: bytes).first { $0.info.kind == .rows && $0.points.count > 3 })
    // The part of the first large column, which is `number`.
    let start = info.byteOffset + SegmentHeader.byteCount + points[0].storedOffset
    var damaged = bytes
    for offset in start + 20..<start + 60 { damaged[offset] ^= 0x5A }
    let file = try trusted(damaged)
    XCTAssertEqual(try text(of: "text", "Reading", file), try text(of: "text", "Reading", trusted(bytes)))
    assertThrows(.damagedSegment) { try self.text(of: "number", "Reading", file) }
  }

  // MARK: Writers

  func testArchivesWithoutDirectoryHaveNoFlushes() throws {
    let bytes = try archive(hasChunkDirectory: false)
    let file = try ArchiveFile(bytes: bytes)
    XCTAssertFalse(file.segments.contains { $0.isDecompressionPoints || $0.isChunkDirectory })
    for info in file.segments where info.isCompressed {
      let payload = try SegmentPayload(info, in: file.store)
      let raw = withExtendedLifetime(payload) { Array(payload.bytes) }
      let start = info.byteOffset + SegmentHeader.byteCount
      let stored = try XCTUnwrap(Deflate.compress(raw, level: 6)).stored
      XCTAssertEqual(Array(bytes[start..<start + info.storedByteCount]), stored)
    }
  }

  func testSmallAndUncompressedArchivesHaveNoPoints() throws {
    XCTAssertTrue(try points(of: archive(compression: .none)).isEmpty)
    let builder = try ArchiveBuilder(
      roots: [.init("n", type: [Int].self)], compression: .zlib, hasChunkDirectory: true)
    try builder.setRoots(["n": Array(repeating: 7, count: 500)])
    let small = try builder.finish()
    XCTAssertTrue(try ArchiveFile(verifying: small).segments.contains(where: \.isChunkDirectory))
    XCTAssertTrue(try points(of: small).isEmpty)
  }

  /// Each program that writes an archive from an archive writes points of its own, or none.
  func testRewrittenArchivesHaveRightPoints() throws {
    let bytes = try archive()
    let right = try columns(of: ArchiveFile(bytes: bytes))
    for compression in [Compression.none, .zlib] {
      for hasDirectory in [false, true] {
        var streamed: [UInt8] = []
        let whole = try ArchiveArrangement.arrange(
          bytes, segmentByteCount: 1 << 18, compression: compression, hasChunkDirectory: hasDirectory)
        _ = try ArchiveArrangement.arrange(
          bytes, segmentByteCount: 1 << 18, compression: compression, hasChunkDirectory: hasDirectory,
          to: { streamed += $0 })
        XCTAssertEqual(streamed, whole)
        let file = try ArchiveFile(verifying: whole)
        XCTAssertEqual(
          file.segments.contains(where: \.isDecompressionPoints), hasDirectory && compression != .none)
        XCTAssertEqual(try columns(of: trusted(whole)).count, right.count)
        XCTAssertEqual(try columns(of: trusted(whole)), try columns(of: ArchiveFile(bytes: whole)))
      }
      let recovered = try ArchiveRecovery(bytes: bytes).archive(compression: compression)
      XCTAssertFalse(try ArchiveFile(verifying: recovered).segments.contains(where: \.isDecompressionPoints))
    }
  }

  // MARK: Wrong points

  /// Reads each column of an archive. Asserts that it is right or refused.
  private func refusals(_ bytes: [UInt8], _ right: [String: String]) throws -> Int {
    let file: ArchiveFile
    do { file = try trusted(bytes) } catch { return right.count }
    var refusalCount = 0
    for description in file.classes {
      for column in description.columns {
        do {
          let found = try text(of: column.key, description.name, file)
          XCTAssertTrue(
            found == right["\(description.name).\(column.key)"], "\(description.name).\(column.key)")
        } catch let error as ArchiveError {
          XCTAssertTrue(
            [.malformedSegment, .indexMismatch, .limitExceeded, .damagedSegment].contains(error.code))
          refusalCount += 1
        }
      }
    }
    return refusalCount
  }

  func testWrongPointsNeverChangeValues() throws {
    let bytes = try archive()
    let right = try columns(of: ArchiveFile(bytes: bytes))
    var random = SplitMix64(seed: RandomTrials.seed())
    let trialCount = RandomTrials.count(usually: 10, exhaustively: 40)
    var (refused, verified) = (0, 0)
    for _ in 0..<trialCount {
      var archive = try HandMadeArchive(takingApart: bytes, keepsStored: true)
      let index = try XCTUnwrap(archive.segments.firstIndex { $0.kind == "ZPTS" })
      let size = archive.segments[index].raw.count
      let offset = Int.random(in: 0..<size, using: &random)
      archive.segments[index].raw[offset] &+= UInt8.random(
        in: 1...(Bool.random(using: &random) ? 3 : 255), using: &random)
      let changed = try archive.bytes()
      if try refusals(changed, right) > 0 { refused += 1 }
      if (try? ArchiveFile(bytes: changed).verify()) != nil { verified += 1 }
    }
    XCTAssertEqual(verified, 0)
    XCTAssertLessThan(refused, trialCount)
  }

  func testDamagedBytesNeverChangeValues() throws {
    let bytes = try archive()
    let right = try columns(of: ArchiveFile(bytes: bytes))
    var random = SplitMix64(seed: RandomTrials.seed())
    var refused = 0
    let trialCount = RandomTrials.count(usually: 10, exhaustively: 40)
    let segments = try ArchiveFile(bytes: bytes).segments.filter(\.canHaveDecompressionPoints)
    for _ in 0..<trialCount {
      let info = try XCTUnwrap(segments.randomElement(using: &random))
      var damaged = bytes
      let offset = Int.random(in: 0..<info.storedByteCount, using: &random)
      damaged[info.byteOffset + SegmentHeader.byteCount + offset] ^=
        1 << UInt8.random(in: 0...7, using: &random)
      if try refusals(damaged, right) > 0 { refused += 1 }
      assertThrows(.damagedSegment) { try ArchiveFile(bytes: damaged).verify() }
    }
    XCTAssertGreaterThan(refused, trialCount / 4)
  }

  func testChangedAndTruncatedListsNeverTrap() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    let info = try XCTUnwrap(file.segments.first(where: \.isDecompressionPoints))
    let listed = file.segments.filter(\.canHaveDecompressionPoints)
    let segment = try SegmentPayload(info, in: file.store)
    let payload = withExtendedLifetime(segment) { Array(segment.bytes) }
    func read(_ bytes: [UInt8]) -> Bool {
      bytes.withByteView {
        var reader = ByteReader($0, fileOffset: 0)
        return (try? DecompressionPoints(reading: &reader, of: listed, limits: .untrusted)) != nil
      }
    }
    XCTAssertTrue(read(payload))
    for count in payload.indices { XCTAssertFalse(read(Array(payload.prefix(count))), "\(count) bytes") }
    for offset in payload.indices {
      for bit in 0..<8 {
        var changed = payload
        changed[offset] ^= 1 << UInt8(bit)
        _ = read(changed)
      }
    }
  }

  func testMemoryOfPointsIsChargedBeforeItIsReserved() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    let listed = file.segments.filter(\.canHaveDecompressionPoints)
    // 2^18 points of one segment, in a few bytes: each distance is 1.
    let counts = [1 << 18] + Array(repeating: 0, count: listed.count - 1)
    var writer = ByteWriter()
    writer.varint(listed.count)
    ChunkDirectory.write(counts.map { UInt64($0) }, to: &writer)
    writer.append([ChunkEncoding.packed, 1, 0, 1])
    var limits = ArchiveLimits.default
    limits.rawBytes = 96 << 18
    let payload = writer.takeBytes()
    assertThrows(.limitExceeded) {
      try payload.withByteView { view in
        Result {
          var reader = ByteReader(view, fileOffset: 0)
          _ = try DecompressionPoints(reading: &reader, of: listed, limits: limits)
        }
      }.get()
    }
  }
}
