import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Small files that require much time or memory if they are read carelessly. Each is read or refused in
/// seconds and with little memory.
final class BombTests: XCTestCase {
  private typealias Entry = HandMadeArchive.ClassEntry
  private typealias Column = HandMadeArchive.Column

  /// Runs `body`. Asserts that it takes a few seconds in a debug build and at most 256 MiB more memory than
  /// before. For smaller inputs, the bound for the time is smaller, so that quadratic time fails.
  private func assertModest(
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
  ) rethrows {
    let (start, memory) = (Self.processorTime(), Self.peakMemory())
    try body()
    // Only the time of this process counts, because other processes may be running.
    let seconds = RandomTrials.size(usually: 8, exhaustively: 20)
    XCTAssertLessThan(Self.processorTime() - start, Double(seconds), "seconds", file: file, line: line)
    XCTAssertLessThan(Self.peakMemory() - memory, 256 << 10, "KiB", file: file, line: line)
  }

  /// Returns the time for which all threads of the process have run, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the maximum memory that the process has used, in KiB. 0 if the system does not report it.
  private static func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }

  func testDeflateBombIsRefused() throws {
    var archive = HandMadeArchive(rootTypes: ["@\"NSData\""], chunks: [])
    archive.segments[1].raw = [UInt8](repeating: 0, count: 1 << 20)
    archive.segments[1].isCompressed = true
    for claim in [10 << 30, 1 << 39, (1 << 20) - 1, 1 << 20] {
      archive.segments[1].claimedRawByteCount = claim
      try assertModest {
        XCTAssertThrowsError(try ArchiveFile(bytes: archive.bytes(), limits: .untrusted).verify())
      }
    }
  }

  func testFileThatClaimsTenGigabytesIsAlwaysRefused() throws {
    var archive = HandMadeArchive(rootTypes: ["@\"NSData\""], chunks: [])
    archive.segments[1].raw = [UInt8](repeating: 0, count: 1 << 20)
    archive.segments[1].isCompressed = true
    archive.segments[1].claimedRawByteCount = 10 << 30
    XCTAssertLessThan(try archive.bytes().count, 1400)
    var unlimited = ArchiveLimits.default
    (unlimited.rawBytes, unlimited.fileBytes) = (.max, .max)
    for limits in [ArchiveLimits.untrusted, .default, unlimited] {
      try assertModest { try assertRefused(archive, .limitExceeded, limits: limits) }
    }
  }

  func testDecompressedSizesOfSegmentsAreLimitedInTotal() throws {
    var archive = HandMadeArchive(rootTypes: ["C"], chunks: [chunk([1])])
    let bomb = HandMadeArchive.Segment(
      kind: "NOTE", raw: [UInt8](repeating: 0, count: 1 << 20), flags: SegmentHeader.mayIgnore,
      isCompressed: true)
    // The limit for untrusted files is 256 MiB.
    let megabytes = RandomTrials.size(usually: 16, exhaustively: 256)
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = megabytes << 20
    archive.segments += [HandMadeArchive.Segment](repeating: bomb, count: megabytes + 1)
    XCTAssertLessThan(try archive.bytes().count, 300_000)
    try assertModest { try assertRefused(archive, .limitExceeded, "rawBytes", limits: limits) }
  }

  func testHugeArrayLengthsAreRefused() throws {
    let length = HandMadeArchive.chunk(1, encoding: 8, [0, 0, 0, 0, 0, 0, 0, 0x40])
    for type in ["$[C]", "$[{E=}]", "$<{E=}>", "$<{E=}:{E=}>", "$[$[{E=}]]", "$[$?{E=}]", "$[B]"] {
      try assertModest {
        let chunks = [length] + [[UInt8]](repeating: chunk([]), count: 2)
        for count in 1...3 {
          let archive = HandMadeArchive(rootTypes: [type], chunks: Array(chunks[..<count]))
          XCTAssertThrowsError(try ArchiveFile(bytes: archive.bytes()).verify(), type)
          XCTAssertThrowsError(try ArchiveFile(bytes: archive.bytes()).roots(), type)
        }
      }
    }
  }

  func testElementsWithoutBytesAreReadUpToLimit() throws {
    let count = ArchiveLimits.untrusted.elements / ArchiveLimits.costWithoutBytes
    for (claim, isRead) in [(count - 1, true), (count + 1, false)] {
      let archive = try HandMadeArchive(rootTypes: ["$[{E=}]"], chunks: [length(claim)]).bytes()
      try assertModest {
        let file = try ArchiveFile(bytes: archive, limits: .untrusted)
        if isRead {
          try file.verify()
          guard case .array(let elements) = try file.roots()["root0"] else { return XCTFail() }
          XCTAssertEqual(elements.count, claim)
        } else {
          assertThrows(.limitExceeded) { try file.verify() }
          assertThrows(.limitExceeded) { try file.roots() }
        }
      }
    }
  }

  func testLargeValuesAreLimitedBeforeTheyAreBuilt() throws {
    // An array with the maximum number of integers, all equal, in a file of ten kilobytes.
    let scale = RandomTrials.size(usually: 20, exhaustively: 1)
    var limits = ArchiveLimits.untrusted
    limits.elements /= scale
    limits.rawBytes /= scale
    let count = 9_990_000 / scale
    let ones = [UInt8](repeating: 1, count: count)
    var archive = HandMadeArchive(rootTypes: ["$[q]"], chunks: [length(count), chunk(ones)])
    archive.segments[1].isCompressed = true
    let file = try ArchiveFile(bytes: archive.bytes(), limits: limits)
    XCTAssertLessThan(file.byteCount, 12_000)
    try assertModest {
      try file.verify()
      assertThrows(.limitExceeded, "ArchiveLimits.rawBytes") { try file.roots() }
      // In memory, each number has eight bytes.
      XCTAssertEqual(try file.rows(ofClass: "$roots").column("root0", as: [Int].self)[0].count, count)
    }
    // Structures also need memory for their fields.
    let field = chunk([UInt8](repeating: 1, count: 2_000_000 / scale))
    var structures = HandMadeArchive(
      rootTypes: ["$[{S=\"a\"C\"b\"C\"c\"C\"d\"C}]"],
      chunks: [length(2_000_000 / scale)] + [[UInt8]](repeating: field, count: 4))
    structures.segments[1].isCompressed = true
    assertModest {
      assertThrows(.limitExceeded, "ArchiveLimits.rawBytes") {
        try ArchiveFile(bytes: structures.bytes(), limits: limits).roots()
      }
    }
  }

  /// Returns the chunk with the length of one collection.
  private func length(_ count: Int) -> [UInt8] {
    HandMadeArchive.chunk(1, encoding: 4, (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
  }

  func testTooManyRowsWithoutBytesAreRefused() throws {
    let archive = HandMadeArchive(
      [
        .classes([Entry(name: "$roots"), Entry(name: "A")]),
        .rows(runs: [(0, 1), (1, 49_999_999)], classes: [(0, []), (0, [])]),
      ], rowCount: 50_000_000)
    try assertModest {
      try assertRefused(archive, .limitExceeded)
      assertThrows(.limitExceeded) {
        try ArchiveFile(bytes: archive.bytes(), limits: .untrusted).object(ObjectID(rawValue: 1))
      }
    }
  }

  func testValuesNestedBeyondTheLimitAreRefused() throws {
    let depth = RandomTrials.size(usually: 6_000, exhaustively: 50_000)
    let bombs: [(String, [[UInt8]])] = [
      ("{T=\"c\"$[{T}]}", [chunk([UInt8](repeating: 1, count: depth) + [0])]),
      (
        "{T=\"n\"$?{T}}",
        [HandMadeArchive.chunk(depth * 8 + 1, encoding: 0, [UInt8](repeating: 255, count: depth) + [0])]
      ),
      ("$(E=\"a\"\"b\"$(E))", [chunk([UInt8](repeating: 1, count: depth) + [0])]),
      (
        "$(E=\"a\"{?=\"\"$[$(E)]})",
        [chunk([UInt8](repeating: 0, count: depth)), chunk([UInt8](repeating: 1, count: depth - 1) + [0])]
      ),
      (
        "$(E=\"a\"\"b\"{?=$(E)$(E)})",
        [chunk([UInt8](repeating: 1, count: depth) + [UInt8](repeating: 0, count: depth + 1))]
      ),
    ]
    for (type, chunks) in bombs {
      let archive = try HandMadeArchive(rootTypes: [type], chunks: chunks).bytes()
      try assertModest {
        try onSmallStack {
          self.assertRefused(archive, .limitExceeded, "nested")
          assertThrows(.limitExceeded, "nested") { try ArchiveFile(bytes: archive).roots() }
          // The check is not recursive.
          var limits = ArchiveLimits.default
          limits.nesting = 8 * depth
          try ArchiveFile(bytes: archive, limits: limits).verify()
        }
      }
    }
  }

  func testDeepRecursiveTypesAreRefused() throws {
    let levels = 100
    let type =
      "{T=\"a\"" + String(repeating: "$?", count: levels) + "$[{T}]}"
    let ones = [UInt8](repeating: 255, count: RandomTrials.size(usually: 100, exhaustively: 2_000))
    func archive(lastLength: UInt8) throws -> [UInt8] {
      try HandMadeArchive(
        rootTypes: [type],
        chunks: [[UInt8]](repeating: HandMadeArchive.chunk(ones.count * 8, encoding: 0, ones), count: levels)
          + [chunk([UInt8](repeating: 1, count: ones.count * 8 - 1) + [lastLength])]
      ).bytes()
    }
    let (endless, deep) = (try archive(lastLength: 1), try archive(lastLength: 0))
    try onSmallStack(byteCount: 4 << 20) {
      self.assertRefused(endless, .malformedColumn)
      assertThrows(.malformedColumn) { try ArchiveFile(bytes: endless).roots() }
      assertThrows(.limitExceeded) { try ArchiveFile(bytes: deep).roots() }
    }
  }

  func testLongChainInLargeEnumerationIsVerifiedCheaply() throws {
    let caseCount = RandomTrials.size(usually: 10_000, exhaustively: 20_000)
    let cases = (0..<caseCount).map { "\"c\($0)\"{?=C}" }.joined()
    let depth = RandomTrials.size(usually: 20_000, exhaustively: 50_000)
    let archive = try HandMadeArchive(
      rootTypes: ["$(E=\"n\"\"e\"{?=$(E)}" + cases + ")"],
      chunks: [chunk([UInt8](repeating: 1, count: depth) + [0])]
        + [[UInt8]](repeating: chunk([]), count: caseCount)
    ).bytes()
    var limits = ArchiveLimits.default
    limits.nesting = depth
    try assertModest { try ArchiveFile(bytes: archive, limits: limits).verify() }
    assertRefused(archive, .limitExceeded, "nested")
  }

  func testLongSuperclassChainIsVerifiedCheaply() throws {
    let count = RandomTrials.size(usually: 20_000, exhaustively: 60_000)
    let chain =
      [Entry(name: "$roots")] + (1..<count).map { Entry(name: "C\($0)", superclass: $0 == 1 ? 0 : $0) }
    let archive = HandMadeArchive([.classes(chain), .rows(runs: [(0, 1)], classes: [(0, [])])])
    try assertModest { XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify()) }
    try assertModest { try assertRefused(archive, .limitExceeded, limits: .untrusted) }
    // The count exceeds the limit of 65,535.
    let largeCount = RandomTrials.size(usually: 66_000, exhaustively: 100_000)
    let more = [Entry(name: "$roots")] + (1..<largeCount).map { Entry(name: "C\($0)") }
    try assertModest {
      try assertRefused(
        HandMadeArchive([.classes(more), .rows(runs: [(0, 1)], classes: [(0, [])])]), .limitExceeded)
    }
  }

  func testManySegmentsAreReadCheaply() throws {
    let count = RandomTrials.size(usually: 8_000, exhaustively: 20_000)
    var archive = HandMadeArchive([
      .classes([
        Entry(name: "$roots"),
        Entry(name: "A", columns: [Column(declaringClass: 1, key: "w", attributes: "T@,W")]),
      ]),
      .rows(runs: [(0, 1)], classes: [(0, [])]),
    ])
    for row in 1...count { archive.segments.append(.rows(runs: [(1, 1)], classes: [(1, [])], first: row)) }
    for row in 1...count { archive.segments.append(.links([chunk([0])], first: row, count: 1)) }
    archive.rowCount = count + 1
    try assertModest {
      let file = try ArchiveFile(verifying: archive.bytes())
      for row in stride(from: 1, through: count, by: 7) {
        XCTAssertEqual(try file.object(ObjectID(rawValue: UInt32(row)))["w"], .reference(nil))
      }
    }
  }

  func testManyRowGroupsAndColumnsAreVerifiedCheaply() throws {
    let columns = (0..<4000).map { Column(declaringClass: 1, key: "k\($0)", attributes: "T{E=}") }
    let runs = (0..<20_000).flatMap { _ in [(1, 1), (2, 1)] }
    let archive = HandMadeArchive(
      [
        .classes([Entry(name: "$roots"), Entry(name: "A", columns: columns), Entry(name: "B")]),
        .rows(runs: [(0, 1)] + runs, classes: [(0, []), (4000, []), (0, [])]),
      ], rowCount: 40_001)
    try assertModest { XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify()) }
  }

  func testManyRecursiveSetsAreVerifiedCheaply() throws {
    let fields = (0..<10_000).map { "\"s\($0)\"$<{T}>" }.joined()
    let archive = try HandMadeArchive(
      rootTypes: ["{T=" + fields + "}"], chunks: [[UInt8]](repeating: chunk([0]), count: 10_000)
    ).bytes()
    try assertModest { XCTAssertNoThrow(try ArchiveFile(bytes: archive).verify()) }
  }

  func testDecodedColumnSizeIsLimitedBeforeDecoding() throws {
    // Each column has 2^18 equal numbers: a few bytes in the file, 2 MB in memory. All columns together need
    // more than 4 GB.
    typealias Column = HandMadeArchive.Column
    let count = ChunkEncoding.maximumEncodedCount
    let columnCount = RandomTrials.size(usually: 6_000, exhaustively: 60_000)
    let columns = (0..<columnCount).map { Column(declaringClass: 1, key: "\($0)", attributes: "Tq") }
    let chunk = HandMadeArchive.chunk(count, encoding: 0x10, [8, 0] + [UInt8](repeating: 1, count: 8))
    let archive = HandMadeArchive(
      [
        .classes([.init(name: "$roots"), .init(name: "A", columns: columns)]),
        .rows(
          runs: [(0, 1), (1, count)],
          classes: [(0, []), (columns.count, [[UInt8]](repeating: chunk, count: columns.count))]),
      ], rowCount: count + 1)
    try assertRefused(archive, .limitExceeded, "rawBytes")
    var few = archive
    few.segments[0] = .classes([.init(name: "$roots"), .init(name: "A", columns: Array(columns[..<10]))])
    few.segments[1] = .rows(
      runs: [(0, 1), (1, count)], classes: [(0, []), (10, [[UInt8]](repeating: chunk, count: 10))])
    try assertRefused(few, .limitExceeded, "rawBytes", limits: limits(rawBytes: 10 * 8 * count - 1))
    XCTAssertNoThrow(
      try ArchiveFile(bytes: few.bytes(), limits: limits(rawBytes: 10 * 8 * count + 4096)).verify())
  }

  private func limits(rawBytes: Int) -> ArchiveLimits {
    var limits = ArchiveLimits.default
    limits.rawBytes = rawBytes
    return limits
  }
}
