import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class VerificationTests: XCTestCase {
  private typealias Entry = HandMadeArchive.ClassEntry
  private typealias Column = HandMadeArchive.Column

  /// Returns an archive with a root that refers to row 1, and with rows of class `A`, which has a column of
  /// this type.
  private func objects(
    _ attributes: String, flags: UInt8 = 0, rows: Int = 1, chunks: [[UInt8]]
  ) -> HandMadeArchive {
    HandMadeArchive(
      [
        .classes([
          Entry(name: "$roots", columns: [Column(key: "r", attributes: "T@\"A\"")]),
          Entry(
            name: "A", columns: [Column(declaringClass: 1, key: "k", attributes: attributes, flags: flags)]),
          Entry(name: "B"),
        ]),
        .rows(runs: [(0, 1), (1, rows), (2, 1)], classes: [(1, [chunk([1])]), (1, chunks), (0, [])]),
      ], rowCount: rows + 2)
  }

  private func verify(_ archive: HandMadeArchive) throws { try ArchiveFile(bytes: archive.bytes()).verify() }

  func testReferencesToRowsOfWrongClassesAreRefused() throws {
    XCTAssertNoThrow(try verify(objects("T@\"A\"", rows: 2, chunks: [chunk([2, 0])])))
    XCTAssertNoThrow(try verify(objects("T@", chunks: [chunk([2])])))
    try assertRefused(objects("T@\"A\"", chunks: [chunk([3])]), .danglingReference, "class 'A', key 'k'")
    try assertRefused(objects("T@\"A\"", chunks: [chunk([255])]), .danglingReference, "object #255")
    try assertRefused(objects("T@\"A\"", chunks: [chunk([2])]), .wrongClass, "class 'B'")
    try assertRefused(objects("T@\"Ghost\"", chunks: [chunk([1])]), .wrongClass, "'Ghost'")
    XCTAssertNoThrow(try verify(objects("T@\"Ghost\"", chunks: [chunk([0])])))
    try assertRefused(
      objects("T@\"A\"", chunks: [HandMadeArchive.chunk(1, encoding: 4, [255, 255, 255, 255])]),
      .danglingReference)
  }

  func testReferencesNestedInValuesAreVerified() throws {
    XCTAssertNoThrow(
      try verify(objects("T$[{S=\"a\"$?@\"A\"}]", chunks: [chunk([2]), [3, 2, 0, 2], chunk([1])])))
    try assertRefused(objects("T$[@\"A\"]", chunks: [chunk([2]), chunk([1, 2])]), .wrongClass)
    try assertRefused(
      objects("T$<@\"A\":i>", chunks: [chunk([1]), chunk([9]), chunk([5])]), .danglingReference)
  }

  func testWeakReferencesInLinkSegmentsAreVerified() throws {
    var archive = objects("T@\"A\",W", chunks: [])
    archive.segments.append(.links([chunk([1])], first: 0, count: 3))
    XCTAssertNoThrow(try verify(archive))
    archive.segments[2] = .links([chunk([2])], first: 0, count: 3)
    try assertRefused(archive, .wrongClass)
    archive.segments[2] = .links([chunk([77])], first: 0, count: 3)
    try assertRefused(archive, .danglingReference)
    archive.segments[2] = .links([chunk([1, 1])], first: 0, count: 3)
    try assertRefused(archive, .malformedColumn)
  }

  func testConstructionReferenceToLaterRowIsRefused() throws {
    XCTAssertNoThrow(try verify(objects("T@\"A\"", flags: 1, rows: 3, chunks: [chunk([0, 1, 2])])))
    try assertRefused(
      objects("T@\"A\"", flags: 1, rows: 3, chunks: [chunk([0, 2, 1])]), .constructionOrder,
      "to object #2, which the initializer of object #2 needs")
    try assertRefused(objects("T@\"A\"", flags: 1, chunks: [chunk([1])]), .constructionOrder)
  }

  func testNestedConstructionReferenceToLaterRowIsRefused() throws {
    XCTAssertNoThrow(
      try verify(objects("T$[@\"A\"]", flags: 1, rows: 3, chunks: [chunk([0, 1, 2]), chunk([1, 1, 2])])))
    try assertRefused(
      objects("T$[@\"A\"]", flags: 1, rows: 3, chunks: [chunk([0, 1, 2]), chunk([2, 1, 1])]),
      .constructionOrder, "to object #2, which the initializer of object #2 needs")
    try assertRefused(
      objects("T{S=\"a\"q\"b\"@\"A\"}", flags: 1, rows: 2, chunks: [[], chunk([5, 5]), chunk([0, 2])]),
      .constructionOrder, "to object #2, which the initializer of object #2 needs")
  }

  func testColumnWithWrongCountOfValuesIsRefused() throws {
    for values: [UInt8] in [[], [1], [1, 1, 1]] {
      try assertRefused(objects("Ti", rows: 2, chunks: [chunk(values)]), .malformedColumn)
    }
    try assertRefused(objects("Ti", chunks: []), .truncated)
    try assertRefused(objects("Ti", chunks: [chunk([1]), chunk([1])]), .malformedSegment)
  }

  func testInnerColumnsWithWrongCountsAreRefused() throws {
    try assertRefused(objects("T$[i]", chunks: [chunk([2]), chunk([1])]), .malformedColumn)
    try assertRefused(objects("T$[i]", chunks: [chunk([2]), chunk([1, 2, 3])]), .malformedColumn)
    try assertRefused(objects("T$?i", chunks: [[3, 1, 0, 1], chunk([])]), .malformedColumn)
    try assertRefused(objects("T$?i", chunks: [[3, 1, 0, 0], chunk([1])]), .malformedColumn)
    try assertRefused(objects("T$<i:i>", chunks: [chunk([1]), chunk([1]), chunk([])]), .malformedColumn)
    XCTAssertNoThrow(try verify(objects("T{T=\"c\"$[{T}]}", chunks: [chunk([2, 1, 0, 0])])))
    try assertRefused(objects("T{T=\"c\"$[{T}]}", chunks: [chunk([2, 1, 0])]), .malformedColumn)
    try assertRefused(objects("T{T=\"c\"$[{T}]}", chunks: [chunk([0, 0])]), .malformedColumn)
  }

  func testUnknownCasesAndWrongPayloadCountsAreRefused() throws {
    let type = "T$(E=\"a\"\"b\"{?=\"\"i})"
    XCTAssertNoThrow(try verify(objects(type, rows: 2, chunks: [chunk([0, 1]), chunk([5])])))
    try assertRefused(objects(type, chunks: [chunk([2]), chunk([])]), .unknownCase, "case number 2")
    try assertRefused(objects(type, chunks: [chunk([255]), chunk([])]), .unknownCase)
    try assertRefused(objects(type, chunks: [chunk([1]), chunk([])]), .malformedColumn)
    try assertRefused(objects(type, chunks: [chunk([0]), chunk([5])]), .malformedColumn)
  }

  func testInvalidUTF8AndUnknownStringNumbersAreRefused() throws {
    let type = "T@\"NSString\""
    let bad: [[UInt8]] = [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ]
    for text in bad {
      let plain = HandMadeArchive.chunk(1, encoding: 0, [1, UInt8(text.count)] + text)
      try assertRefused(objects(type, chunks: [plain]), .invalidString)
      try assertRefused(objects("T@\"NSDecimalNumber\"", chunks: [plain]), .invalidString)
      XCTAssertNoThrow(try verify(objects("T@\"NSData\"", chunks: [plain])))
      var table = objects(type, chunks: [HandMadeArchive.chunk(1, encoding: 1, [1, 0])])
      table.segments.insert(.strings([text]), at: 1)
      try assertRefused(table, .invalidString, "string number 0")
      table.segments[1] = .strings([Array("ok".utf8)])
      XCTAssertNoThrow(try verify(table))
    }
    try assertRefused(
      objects(type, chunks: [HandMadeArchive.chunk(1, encoding: 1, [1, 0])]), .malformedColumn,
      "string number 0")
  }

  func testStringTableWithWrongLengthsIsRefused() throws {
    func table(_ raw: [UInt8], count: Int) -> HandMadeArchive {
      var archive = objects("Ti", chunks: [chunk([1])])
      archive.segments.insert(.init(kind: "STRS", raw: raw, count: count), at: 1)
      return archive
    }
    XCTAssertNoThrow(try verify(table([1, 1, 1, 97], count: 1)))
    try assertRefused(table([1, 1, 2, 97], count: 1), .malformedSegment)
    try assertRefused(table([1, 1, 0, 97], count: 1), .malformedSegment)
    try assertRefused(table([1, 3, 1, 97, 0, 0], count: 1), .malformedSegment)
    try assertRefused(table([9, 1, 1, 97], count: 9), .malformedSegment)
    try assertRefused(table([1, 1, 1, 97], count: 2), .indexMismatch)
    try assertRefused(table([1, 8, 0, 0, 0, 0, 0, 0, 0, 0x80], count: 1), .malformedSegment)
    try assertRefused(table([1, 8, 0, 0, 0, 0, 0, 0, 0, 0x40], count: 1), .malformedSegment)
  }

  func testInvalidRowsSegmentsAreRefused() throws {
    func rows(_ raw: [UInt8], count: Int = 3) throws -> HandMadeArchive {
      var archive = objects("Ti", chunks: [chunk([1])])
      archive.segments[1].raw = raw
      archive.segments[1].count = count
      archive.rowCount = count
      return archive
    }
    let body: [UInt8] = [1] + chunk([1]) + [1] + chunk([1]) + [0]
    XCTAssertNoThrow(try verify(rows([3, 0, 1, 1, 1, 2, 1] + body)))
    try assertRefused(rows([3, 0, 1, 1, 1, 3, 1] + body), .malformedSegment, "class 3")
    try assertRefused(rows([3, 0, 1, 1, 0, 2, 1] + body), .malformedSegment, "0 rows")
    try assertRefused(rows([3, 0, 1, 1, 1, 2, 2] + body), .malformedSegment)
    try assertRefused(rows([3, 0, 1, 1, 1, 2, 1] + body, count: 4), .malformedSegment, "3 rows")
    try assertRefused(rows([3, 1, 1, 0, 1, 2, 1] + body), .malformedSegment, "row 0")
    try assertRefused(rows([4, 0, 1, 1, 1, 2, 1, 0, 1] + body, count: 4), .malformedSegment, "row 0")
    try assertRefused(rows([3, 0, 1, 1, 1, 2, 1, 2] + body.dropFirst()), .malformedSegment, "2 columns")
    try assertRefused(rows([3, 0, 1, 1, 1, 2, 1, 0] + body.dropFirst(5)), .malformedSegment, "0 columns")
  }

  func testErrorsNameTheOffsetOfTheSegment() throws {
    let bytes = try objects("T@\"A\"", chunks: [chunk([3])]).bytes()
    let offset = try ArchiveFile(bytes: bytes).segments[1].byteOffset
    assertRefused(bytes, .danglingReference, "byte \(offset)")
  }
}
