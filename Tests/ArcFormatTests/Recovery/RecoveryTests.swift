import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Recovery of damaged archives.
final class RecoveryTests: XCTestCase {
  // The nodes fill more than two segments. A writer first checks after 64 rows whether a segment is full.
  private static let nodeCount = RandomTrials.size(usually: 140, exhaustively: 600)
  private static let fillerByteCount = RandomTrials.size(usually: 100, exhaustively: 6000)
  private static let segmentByteCount = RandomTrials.size(
    usually: 1 << 12, exhaustively: ArchiveWriter.usualSegmentByteCount)

  /// Returns a ring of nodes in several segments. Each node has a weak reference to the previous node, a list
  /// of the next two nodes and a shared string.
  private func ring(compression: Compression = .none) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("first", type: #"@"Node""#)], metadata: ["by": "test"], compression: compression)
    // The writer of the other tests, with segments of another size.
    var writer = ArchiveWriter(
      compression: compression, metadata: [("by", "test")], segmentByteCount: Self.segmentByteCount)
    for description in builder.writer.classes { _ = try writer.addClass(description) }
    builder.writer = writer
    try builder.addClass(
      "Node",
      properties: [
        .init("number", type: "q"), .init("name", type: #"@"NSString""#), .init("next", type: #"@"Node""#),
        .init("both", type: #"$[@"Node"]"#), .init("back", attributes: #"T@"Node",W"#),
        .init("filler", type: #"@"NSData""#),
      ])
    let count = Self.nodeCount
    let ids = try (0..<count).map { _ in try builder.reserveObject(ofClass: "Node") }
    try builder.setRoots(["first": .reference(ids[0])])
    for (position, id) in ids.enumerated() {
      let next = ids[(position + 1) % count]
      try builder.setValues(
        [
          "number": .integer(Int128(position)), "name": .string("name \(position / 2)"),
          "next": .reference(next),
          "both": .array([.reference(next), .reference(ids[(position + 2) % count])]),
          "back": .reference(ids[(position + count - 1) % count]),
          "filler": .data((0..<Self.fillerByteCount).map { UInt8(truncatingIfNeeded: $0 &* position) }),
        ], of: id)
    }
    return try builder.finish()
  }

  /// Recovers an archive from the bytes. Asserts that it is valid and that all its objects can be read.
  private func rest(of bytes: [UInt8]) throws -> (ArchiveFile, ArchiveRecovery) {
    let recovery = try ArchiveRecovery(bytes: bytes)
    let file = try ArchiveFile(verifying: try recovery.archive())
    for row in 0..<UInt32(file.rowCount) { _ = try file.object(ObjectID(rawValue: row)) }
    XCTAssertEqual(file.rowCount, recovery.objectCount + 1)
    return (file, recovery)
  }

  func testUndamagedArchiveIsRecoveredUnchanged() throws {
    for (name, bytes) in try Repository.goldenArchives() + [("ring", ring())] {
      let (file, recovery) = try rest(of: bytes)
      XCTAssertTrue(recovery.losses.isEmpty, name)
      XCTAssertEqual(try file.contents(), try ArchiveFile(bytes: bytes).contents(), name)
    }
  }

  func testRecoveryDropsArcMetadataButKeepsUserMetadata() throws {
    let builder = try ArchiveBuilder(
      roots: [.init("n", type: Int.self)],
      metadata: ["arc.id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "arc.sorted-by": "A.b", "arc.mine": "1"])
    try builder.setRoots(["n": 7])
    let (file, _) = try rest(of: builder.finish())
    XCTAssertEqual(try file.metadata(), ["arc.mine": "1"])
  }

  func testLostRowsSegmentLosesOnlyItsObjects() throws {
    for compression in [Compression.none, .zlib] {
      let bytes = try ring(compression: compression)
      let whole = try ArchiveFile(bytes: bytes)
      XCTAssertGreaterThan(whole.rowsSegments.count, 2)
      for position in whole.rowsSegments {
        let segment = whole.segments[position]
        var damaged = bytes
        damaged[segment.byteOffset + 30] ^= 4
        let (file, recovery) = try rest(of: damaged)
        let lost = segment.firstIndex..<segment.firstIndex + segment.count
        XCTAssertEqual(recovery.losses.objectCount, lost.contains(0) ? lost.count - 1 : lost.count)
        XCTAssertEqual(recovery.losses.hasLostRoots, lost.contains(0))
        XCTAssertEqual(recovery.losses.byteRanges, [segment.byteOffset..<segment.endOffset])
        XCTAssertEqual(recovery.objectCount, Self.nodeCount + (lost.contains(0) ? 1 : 0) - lost.count)
        XCTAssertEqual(try file.metadataEntries().map(\.value), ["test"])
        // The number identifies the node.
        let numbers = try file.rows(ofClass: "Node").column("number", as: Int.self)
        XCTAssertEqual(numbers, (0..<Self.nodeCount).filter { !lost.contains($0 + 1) })
        try assertLinks(of: file, lost: lost)
      }
    }
  }

  /// Asserts that each reference has its original target, or is nil if the target is lost, and that lists
  /// omit lost targets.
  private func assertLinks(of file: ArchiveFile, lost: Range<Int>, line: UInt = #line) throws {
    func number(_ id: ObjectID?) throws -> Int? {
      guard let id, case .integer(let number) = try file.object(id)["number"] else { return nil }
      return Int(number)
    }
    func left(_ number: Int) -> Int? {
      let number = (number + Self.nodeCount) % Self.nodeCount
      return lost.contains(number + 1) ? nil : number
    }
    for row in 1..<UInt32(file.rowCount) {
      let object = try file.object(ObjectID(rawValue: row))
      guard case .integer(let own) = object["number"], case .reference(let next) = object["next"],
        case .reference(let back) = object["back"], case .array(let both) = object["both"]
      else { return XCTFail("\(object)", line: line) }
      XCTAssertEqual(try number(next), left(Int(own) + 1), line: line)
      XCTAssertEqual(try number(back), left(Int(own) - 1), line: line)
      let numbers = try both.map { value in
        guard case .reference(let id?) = value else { return -1 }
        return try number(id) ?? -1
      }
      XCTAssertEqual(numbers, [left(Int(own) + 1), left(Int(own) + 2)].compactMap { $0 }, line: line)
    }
  }

  func testObjectsWithoutRemainingReferencesBecomeRoots() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    let middle = whole.segments[whole.rowsSegments[1]]
    var damaged = bytes
    damaged[middle.byteOffset + 30] ^= 1
    let (file, _) = try rest(of: damaged)
    let roots = try file.roots()
    XCTAssertEqual(roots["first"], .reference(ObjectID(rawValue: 1)))
    // The first node after the gap, which reaches all other nodes. The next node is also a root only if no
    // other reference reaches it.
    XCTAssertEqual(roots["recovered"], .array([.reference(ObjectID(rawValue: UInt32(middle.firstIndex)))]))
    var first = bytes
    first[whole.segments[whole.rowsSegments[0]].byteOffset + 30] ^= 1
    let (rest, recovery) = try rest(of: first)
    XCTAssertTrue(recovery.losses.hasLostRoots)
    XCTAssertEqual(try rest.roots().properties.map(\.key), ["recovered"])
    XCTAssertEqual(try rest.roots()["recovered"], .array([.reference(ObjectID(rawValue: 1))]))
  }

  func testCycleWithoutRootIsRecovered() throws {
    let builder = try ArchiveBuilder(roots: [.init("all", type: "$[@]")])
    try builder.addClass(
      "Node", properties: [.init("next", type: #"@"Node""#), .init("recovered", type: "$?q")])
    let (one, two) = (try builder.reserveObject(ofClass: "Node"), try builder.reserveObject(ofClass: "Node"))
    try builder.setRoots([:])
    try builder.setValues(["next": .reference(two)], of: one)
    try builder.setValues(["next": .reference(one)], of: two)
    let (file, _) = try rest(of: builder.finish())
    XCTAssertEqual(try file.roots()["recovered"], .array([.reference(ObjectID(rawValue: 1))]))
  }

  func testLostStringsAreReplacedWithAPlaceholder() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    guard let strings = whole.segments.first(where: { $0.kind == .strings }) else { return XCTFail() }
    var damaged = bytes
    damaged[strings.byteOffset + 30] ^= 1
    let (file, recovery) = try rest(of: damaged)
    XCTAssertEqual(recovery.losses.stringCount, strings.count)
    XCTAssertEqual(recovery.losses.objectCount, 0)
    XCTAssertEqual(try file.object(ObjectID(rawValue: 1))["name"], .string("⟨lost string #0⟩"))
    XCTAssertEqual(try file.object(ObjectID(rawValue: 3))["name"], .string("⟨lost string #1⟩"))
    let last = Self.nodeCount - 1
    XCTAssertEqual(try file.object(ObjectID(rawValue: UInt32(last + 1)))["name"], .string("name \(last / 2)"))
  }

  func testLostWeakReferencesBecomeNil() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    guard let links = whole.segments.first(where: { $0.kind == .weakColumns }) else { return XCTFail() }
    var damaged = bytes
    damaged[links.byteOffset + 30] ^= 1
    let (file, recovery) = try rest(of: damaged)
    XCTAssertEqual(recovery.losses.referenceCount, links.count - 1)
    XCTAssertEqual(file.rowCount, whole.rowCount)
    XCTAssertEqual(try file.object(ObjectID(rawValue: 5))["back"], .reference(nil))
    let row = UInt32(Self.nodeCount - 1)
    XCTAssertEqual(try file.object(ObjectID(rawValue: row))["back"], .reference(ObjectID(rawValue: row - 1)))
  }

  func testTruncatedFileYieldsItsEarlierSegments() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    // One of the four lengths of each segment, unless the run is exhaustive.
    var lengths = TrialSample(oneIn: 4)
    for segment in whole.segments {
      for length in [segment.byteOffset, segment.byteOffset + 25, segment.endOffset - 1, segment.endOffset] {
        guard lengths.includesNext() else { continue }
        let cut = Array(bytes[..<length])
        let kept = whole.segments.filter { $0.endOffset <= length }
        guard kept.contains(where: { $0.kind == .classes }) else {
          assertThrows(.damagedSegment, for: "\(length)") { try ArchiveRecovery(bytes: cut) }
          continue
        }
        let (file, recovery) = try rest(of: cut)
        // If only its checksum is missing, the truncated segment is also complete.
        let isWhole = length == segment.endOffset - 1
        let rowCount = (kept + (isWhole ? [segment] : [])).filter { $0.kind == .rows }.reduce(0) {
          $0 + $1.count
        }
        XCTAssertEqual(file.rowCount, max(rowCount, 1), "\(length)")
        XCTAssertNil(recovery.losses.objectCount)
        guard rowCount > 1 else { continue }
        let numbers = try file.rows(ofClass: "Node").column("number", as: Int.self)
        XCTAssertEqual(numbers, Array(0..<rowCount - 1))
      }
    }
  }

  func testLostRootsAreReportedForEmptySegment() throws {
    var archive = HandMadeArchive(rootTypes: ["q"], chunks: [HandMadeArchive.chunk([7])])
    archive.segments[1].raw = [0, 0]
    let bytes = try archive.bytes()
    let index = try XCTUnwrap(bytes.firstRange(of: Array("INDX".utf8))?.lowerBound)
    let (file, recovery) = try rest(of: Array(bytes[..<index]))
    XCTAssertEqual(file.rowCount, 1)
    XCTAssert(recovery.losses.hasLostRoots)
  }

  func testDamagedIndexTrailerOrHeaderLosesNoObject() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    let contents = try whole.contents()
    guard let index = whole.segments.last?.endOffset else { return XCTFail() }
    for offset in [12, 30, index + 30, bytes.count - 20, bytes.count - 1] {
      var damaged = bytes
      damaged[offset] ^= 1
      let (file, recovery) = try rest(of: damaged)
      XCTAssertEqual(try file.contents(), contents, "\(offset)")
      XCTAssertEqual(recovery.objectCount, Self.nodeCount)
    }
  }

  func testInsertedOrMissingBytesLoseOnlyOneSegment() throws {
    let bytes = try ring()
    let whole = try ArchiveFile(bytes: bytes)
    let middle = whole.segments[whole.rowsSegments[1]]
    let garbage = [UInt8](repeating: 0x55, count: 1237)
    let longer = Array(bytes[..<(middle.byteOffset + 99)]) + garbage + bytes[(middle.byteOffset + 99)...]
    let shorter = Array(bytes[..<(middle.byteOffset + 99)]) + bytes[(middle.byteOffset + 200)...]
    var overwritten = bytes
    overwritten.replaceSubrange(middle.byteOffset + 99..<middle.byteOffset + 99 + 1237, with: garbage)
    for damaged in [longer, shorter, overwritten] {
      let (file, recovery) = try rest(of: damaged)
      XCTAssertEqual(recovery.losses.objectCount, middle.count)
      XCTAssertEqual(file.rowCount, whole.rowCount - middle.count)
    }
    let between = Array(bytes[..<middle.byteOffset]) + garbage + bytes[middle.byteOffset...]
    XCTAssertEqual(try rest(of: between).1.losses.objectCount, 0)
  }

  func testNestedArchiveIsNotMistakenForOuterArchive() throws {
    let builder = try ArchiveBuilder(roots: [.init("inner", type: #"@"NSData""#)])
    try builder.setRoots(["inner": .data(ring())])
    let bytes = try builder.finish()
    let cut = Array(bytes.dropLast(100))
    XCTAssertEqual(try rest(of: cut).0.classes.count, 1)
  }

  func testInputThatIsNotAnArchiveIsRefused() {
    for bytes in [[], Array("plain text\nof two lines".utf8), [UInt8](repeating: 0x8A, count: 5000)] {
      assertThrows(.notAnArchive) { try ArchiveRecovery(bytes: bytes) }
    }
  }

  func testFlippedBitsOfFixturesGiveArchiveOrError() throws {
    for (name, bytes) in try Repository.goldenArchives() {
      for byte in RandomTrials.sample(of: bytes.indices, oneIn: 64) {
        var damaged = bytes
        damaged[byte] ^= 1 << UInt8(byte % 8)
        do {
          _ = try rest(of: damaged)
        } catch let error as ArchiveError {
          XCTAssertTrue(
            [.damagedSegment, .unsupportedVersion, .unsupportedFeature].contains(error.code),
            "\(name) \(byte): \(error)")
        }
      }
      for count in RandomTrials.sample(of: stride(from: 0, to: bytes.count, by: 5), oneIn: 64) {
        do {
          _ = try rest(of: Array(bytes[..<count]))
        } catch let error as ArchiveError {
          XCTAssertTrue([.damagedSegment, .notAnArchive].contains(error.code), "\(name) \(count): \(error)")
        }
      }
    }
  }

  func testChangesWithValidChecksumsGiveErrorOrArchive() throws {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    var mutator = ArchiveMutator(seed: seed)
    let fixtures = try Repository.goldenArchives()
    for round in 0..<RandomTrials.count(usually: 100, exhaustively: 500) {
      guard let (name, bytes) = fixtures.randomElement(using: &random) else { return }
      do {
        _ = try rest(of: mutator.changed(bytes))
      } catch is ArchiveError {
        // The error depends on the contents of the changed class table.
      } catch {
        XCTFail("\(name), seed \(seed), round \(round): \(error)")
      }
    }
  }

  func testManyFakeIndexSegmentsAreRecoveredQuickly() throws {
    var bytes = try ring()
    bytes.removeLast(64)
    // The length of the ring in an exhaustive run. If recovery read all of it for each index, the test would
    // take too long.
    bytes += [UInt8](repeating: 0, count: RandomTrials.size(usually: 4 << 20, exhaustively: 0))
    let header: [UInt8] = Array("INDX".utf8) + [0, 0, 0, 0]
    for _ in 0..<20_000 { bytes += header + [0, 0x10, 0, 0, 0, 0, 0, 0] + [0, 0x10, 0, 0, 0, 0, 0, 0] }
    let start = ContinuousClock.now
    XCTAssertEqual(try ArchiveRecovery(bytes: bytes).objectCount, Self.nodeCount)
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(20))
  }
}
