import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class LimitsTests: XCTestCase {
  /// Asserts that an archive is accepted at `limit` and refused below.
  private func assertExact(
    _ archive: HandMadeArchive, _ keyPath: WritableKeyPath<ArchiveLimits, Int>, _ name: String, _ limit: Int,
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    for preset in [ArchiveLimits.default, .untrusted] {
      var limits = preset
      limits[keyPath: keyPath] = limit
      XCTAssertNoThrow(
        try ArchiveFile(bytes: archive.bytes(), limits: limits).verify(), name, file: file, line: line)
      limits[keyPath: keyPath] = limit - 1
      try assertRefused(archive, .limitExceeded, name, limits: limits, file: file, line: line)
    }
  }

  func testFilesAreAcceptedExactlyUpToEachLimit() throws {
    typealias Entry = HandMadeArchive.ClassEntry
    typealias Column = HandMadeArchive.Column
    let numbers = HandMadeArchive(rootTypes: ["$[C]"], chunks: [chunk([100]), chunk(Array(0..<100))])
    let count = try numbers.bytes().count
    try assertExact(numbers, \.fileBytes, "fileBytes", count)
    try assertExact(numbers, \.elements, "elements", 100)
    try assertExact(numbers, \.columnsPerClass, "columnsPerClass", 2)
    try assertExact(numbers, \.classTableBytes, "classTableBytes", numbers.segments[0].raw.count)
    let raw = try numbers.segments.reduce(numbers.indexByteCount) { $0 + $1.raw.count }
    try assertExact(numbers, \.rawBytes, "rawBytes", raw)

    let rows = HandMadeArchive(
      [
        .classes([
          Entry(name: "$roots"),
          Entry(name: "A", columns: [Column(declaringClass: 1, key: "k", attributes: "TC")]),
          Entry(name: "B"),
        ]),
        .rows(runs: [(0, 1), (1, 99)], classes: [(0, []), (1, [chunk(Array(0..<99))])]),
      ], rowCount: 100)
    try assertExact(rows, \.rows, "rows", 100)
    try assertExact(rows, \.classes, "classes", 3)

    let type = "{T=\"c\"$[{T}]}"
    let tree = HandMadeArchive(rootTypes: [type], chunks: [chunk([1, 1, 1, 0])])
    for nesting in 2...3 {
      var limits = ArchiveLimits.untrusted
      limits.nesting = nesting
      let file = try ArchiveFile(bytes: tree.bytes(), limits: limits)
      if nesting == 3 {
        XCTAssertNoThrow(try file.roots())
      } else {
        assertThrows(.limitExceeded, "nested") { try file.roots() }
      }
    }
  }

  func testStringsCountAgainstTheElementLimit() throws {
    var archive = HandMadeArchive(rootTypes: ["C"], chunks: [chunk([1])])
    archive.segments.insert(.strings([[97], [98], [99]]), at: 1)
    try assertExact(archive, \.elements, "elements", 3)
  }

  func testEmptyElementsAndRowsCountMoreAgainstLimits() throws {
    let elements = HandMadeArchive(rootTypes: ["$[{E=}]"], chunks: [chunk([3])])
    try assertExact(elements, \.elements, "elements", 3 * ArchiveLimits.costWithoutBytes)
    let rows = HandMadeArchive(
      [
        .classes([.init(name: "$roots"), .init(name: "A")]),
        .rows(runs: [(0, 1), (1, 4)], classes: [(0, []), (0, [])]),
      ], rowCount: 5)
    try assertExact(rows, \.rows, "rows", 5 * ArchiveLimits.costWithoutBytes)
  }

  func testIndexSizeIsLimitedBeforeDecompression() throws {
    var archive = HandMadeArchive(rootTypes: ["C"], chunks: [chunk([1])])
    archive.isIndexCompressed = true
    archive.indexTail = [UInt8](repeating: 0, count: 1 << 20)
    var limits = ArchiveLimits.default
    limits.rawBytes = 1 << 20
    try assertRefused(archive, .limitExceeded, "rawBytes", limits: limits)
    try assertRefused(archive, .malformedSegment, "after the end of the index")
  }

  func testChunkMemoryOfEverySegmentCountsAgainstLimit() throws {
    // A class with many columns without bytes, and many segments with one row each.
    let columns = (0..<1000).map {
      HandMadeArchive.Column(declaringClass: 1, key: "k\($0)", attributes: "T{E=}")
    }
    var archive = HandMadeArchive([
      .classes([.init(name: "$roots"), .init(name: "A", columns: columns)]),
      .rows(runs: [(0, 1)], classes: [(0, [])]),
    ])
    for row in 1...200 { archive.segments.append(.rows(runs: [(1, 1)], classes: [(1000, [])], first: row)) }
    archive.rowCount = 201
    var limits = ArchiveLimits.default
    limits.rawBytes = 4 << 20
    try assertRefused(archive, .limitExceeded, "rawBytes", limits: limits)
  }

  func testSumsOfClaimedSizesDoNotOverflow() throws {
    var archive = HandMadeArchive([])
    archive.segments = (0..<100).map { _ in
      .init(kind: "NOTE", raw: [0], claimedRawByteCount: 1 << 40 - 1)
    }
    try assertRefused(archive, .malformedSegment)
    var limits = ArchiveLimits.default
    (limits.fileBytes, limits.rawBytes, limits.elements, limits.rows) = (.max, .max, .max - 1, .max)
    let huge = HandMadeArchive.chunk(1, encoding: 8, [255, 255, 255, 255, 255, 255, 255, 0x7F])
    for type in ["$[{E=}]", "$<{E=}:{E=}>"] {
      try assertRefused(
        HandMadeArchive(rootTypes: [type, type], chunks: [huge, huge]), .limitExceeded, limits: limits)
    }
    XCTAssertThrowsError(try root("$[$[C]]", huge, chunk([]), chunk([]), limits: limits))
  }
}
