import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class DynamicReaderTests: XCTestCase {
  private func fixed(_ bytes: [UInt8]) -> [UInt8] { HandMadeArchive.chunk(1, encoding: 0, bytes) }
  private func bit(_ value: UInt8) -> [UInt8] { fixed([value]) }
  private func text(_ text: String) -> [UInt8] { fixed([1, UInt8(text.utf8.count)] + text.utf8) }

  func testScalarsRoundTrip() throws {
    XCTAssertEqual(try root("B", bit(1)), .bool(true))
    for type in ["c", "s", "i", "q"] { XCTAssertEqual(try root(type, chunk([0xFE])), .integer(-2)) }
    for type in ["C", "S", "I", "Q"] { XCTAssertEqual(try root(type, chunk([0xFE])), .integer(254)) }
    XCTAssertEqual(try root("f", fixed([0, 0, 0x80, 0x3F])), .float(1))
    XCTAssertEqual(try root("d", fixed([0, 0, 0, 0, 0, 0, 0xF0, 0x3F])), .double(1))
    XCTAssertEqual(try root("@\"NSDate\"", fixed([0, 0, 0, 0, 0, 0, 0xF0, 0xBF])), .date(-1))
    XCTAssertEqual(try root("@\"NSUUID\"", fixed(Array(0..<16))), .uuid(Array(0..<16)))
    XCTAssertEqual(try root("@\"NSDecimalNumber\"", text("1.50")), .decimal("1.50"))
    XCTAssertEqual(try root("@\"NSData\"", fixed([1, 2, 0, 255])), .data([0, 255]))
    XCTAssertEqual(try root("@\"NSString\"", text("e\u{301}")), .string("e\u{301}"))
  }

  func testHalfPrecisionNumbersAreReadExactly() throws {
    let halves: [(UInt16, Float)] = [
      (0x3C00, 1), (0xC000, -2), (0x7BFF, 65_504), (0x0001, 0x1p-24), (0x0400, 0x1p-14), (0x7C00, .infinity),
      (0xFC00, -.infinity), (0x0000, 0), (0x03FF, 0x1.ff8p-15), (0x3555, 0.333_251_953_125),
    ]
    for (bits, value) in halves {
      XCTAssertEqual(try root(" ", fixed(littleEndian(bits))), .float(value), "\(bits)")
    }
    guard case .float(let zero) = try root(" ", fixed([0, 0x80])) else { return XCTFail() }
    XCTAssertEqual(zero.sign, .minus)
    guard case .float(let nan) = try root(" ", fixed([1, 0x7E])) else { return XCTFail() }
    XCTAssertTrue(nan.isNaN)
  }

  private func littleEndian(_ bits: UInt16) -> [UInt8] { [UInt8(bits & 0xFF), UInt8(bits >> 8)] }

  func testBaseOfURLIsPreserved() throws {
    XCTAssertEqual(
      try root("@\"NSURL\"", text("../x"), bit(1), text("https://a/b")), .url("../x", base: "https://a/b"))
    XCTAssertEqual(
      try root("@\"NSURL\"", text("x"), bit(0), HandMadeArchive.chunk(0, encoding: 0, [1])),
      .url("x", base: nil))
  }

  func testOptionalsAndCollectionsRoundTrip() throws {
    XCTAssertEqual(try root("$?i", bit(0), chunk([])), .null)
    XCTAssertEqual(try root("$?$?i", bit(1), bit(0), chunk([])), .nestedNull(depth: 1))
    XCTAssertEqual(try root("$?i", bit(1), chunk([3])), .integer(3))
    XCTAssertEqual(
      try root("$[$[c]]", chunk([2]), chunk([0, 2]), chunk([1, 2])),
      .array([.array([]), .array([.integer(1), .integer(2)])]))
    XCTAssertEqual(try root("$<c>", chunk([2]), chunk([1, 2])), .set([.integer(1), .integer(2)]))
    XCTAssertEqual(
      try root("$<c:B>", chunk([1]), chunk([9]), bit(1)),
      .dictionary([ArchiveValue.Entry(key: .integer(9), value: .bool(true))]))
  }

  func testStructuresAndEnumerationsPreserveTheirNames() throws {
    XCTAssertEqual(
      try root("{P=\"x\"c\"y\"c}", chunk([1]), chunk([2])),
      .structure(
        name: "P",
        fields: [
          ArchiveValue.Field(name: "x", value: .integer(1)),
          ArchiveValue.Field(name: "y", value: .integer(2)),
        ]))
    XCTAssertEqual(try root("{E=}"), .structure(name: "E", fields: []))
    let type = "$(E=\"none\"\"some\"{?=\"\"c})"
    XCTAssertEqual(try root(type, chunk([0]), chunk([])), .enumeration(name: "E", case: "none", payload: nil))
    XCTAssertEqual(
      try root(type, chunk([1]), chunk([4])),
      .enumeration(
        name: "E", case: "some",
        payload: .structure(name: "?", fields: [ArchiveValue.Field(name: "", value: .integer(4))])))
  }

  func testStrongAndWeakNilReferencesAreRead() throws {
    XCTAssertEqual(try root("@\"A\"", chunk([0])), .reference(nil))
    var archive = HandMadeArchive(rootTypes: ["$~@\"A\"", "@"], chunks: [chunk([0])])
    archive.segments.append(.links([chunk([0])], first: 0, count: 1))
    XCTAssertEqual(try ArchiveFile(bytes: archive.bytes()).roots()["root0"], .reference(nil))
  }

  func testKeyedPropertiesAreAbsentIfNotWritten() throws {
    typealias Entry = HandMadeArchive.ClassEntry
    typealias Column = HandMadeArchive.Column
    let columns = [
      Column(declaringClass: 1, key: "a", attributes: "Tc", flags: 2),
      Column(declaringClass: 1, key: "b", attributes: "T$?c", flags: 2),
    ]
    let archive = HandMadeArchive(
      [
        .classes([Entry(name: "$roots"), Entry(name: "K", columns: columns)]),
        .rows(
          runs: [(0, 1), (1, 2)],
          classes: [
            (0, []),
            (
              2,
              [
                HandMadeArchive.chunk(2, encoding: 0, [0b10]), chunk([7]),
                HandMadeArchive.chunk(2, encoding: 0, [0b01]), bit(0), chunk([]),
              ]
            ),
          ]),
      ], rowCount: 3)
    let file = try ArchiveFile(verifying: archive.bytes())
    let objects = try [1, 2].map { try file.object(ObjectID(rawValue: $0)) }
    XCTAssertEqual(objects[0].properties.map(\.key), ["b"])
    XCTAssertEqual(objects[0]["b"], .null)
    XCTAssertEqual(objects[1].properties.map(\.key), ["a"])
    XCTAssertEqual(objects[1].properties.map(\.columnIndex), [0])
    XCTAssertEqual(objects[1]["a"], .integer(7))
    XCTAssertNil(objects[1]["b"])
  }

  func testReadingInvalidUnverifiedRowsThrows() throws {
    let bad: [(String, [[UInt8]])] = [
      ("$[c]", [chunk([200]), chunk([1])]), ("$(E=\"a\")", [chunk([9])]),
      ("$[{E=}]", [HandMadeArchive.chunk(1, encoding: 8, [0, 0, 0, 0, 0, 0, 0, 0x10])]),
      ("$<{E=}:{E=}>", [HandMadeArchive.chunk(1, encoding: 4, [0, 0, 0, 0x70])]),
      ("$[c]", [HandMadeArchive.chunk(1, encoding: 4, [0, 0x65, 0xCD, 0x1D]), chunk([1])]),
      ("@\"NSString\"", [HandMadeArchive.chunk(1, encoding: 1, [1, 9])]),
      ("@\"NSString\"", [fixed([1, 1, 0xFF])]),
    ]
    for (type, chunks) in bad {
      let file = try ArchiveFile(bytes: HandMadeArchive(rootTypes: [type], chunks: chunks).bytes())
      assertThrows(ArchiveError.self, for: type) { try file.roots() }
    }
  }
}
