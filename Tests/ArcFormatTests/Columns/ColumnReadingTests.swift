import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ColumnReadingTests: XCTestCase {
  private typealias Property = ArchiveBuilder.Property

  /// Returns a file with objects of a class `C` with one column `k`, between objects of another class.
  private func file(
    _ type: String, _ values: [ArchiveValue], compression: Compression = .none
  ) throws -> ArchiveFile {
    let builder = try ArchiveBuilder(roots: [], compression: compression)
    try builder.addClass("Other", properties: [])
    try builder.addClass("C", properties: [Property("k", type: type)])
    for value in values {
      try builder.addObject(ofClass: "Other", [:])
      try builder.addObject(ofClass: "C", ["k": value])
    }
    return try ArchiveFile(bytes: builder.finish())
  }

  private func column<Value: ColumnValue>(
    _ type: String, _ values: [ArchiveValue], as wanted: Value.Type
  ) throws -> [Value] {
    try file(type, values).rows(ofClass: "C").column("k", as: wanted)
  }

  func testEachColumnKindIsReadAsMatchingType() throws {
    XCTAssertEqual(try column("B", [.bool(true), .bool(false)], as: Bool.self), [true, false])
    XCTAssertEqual(try column("c", [.integer(-128), .integer(7)], as: Int8.self), [-128, 7])
    XCTAssertEqual(try column("S", [.integer(65_535)], as: UInt16.self), [65_535])
    XCTAssertEqual(try column("q", [.integer(-1), .integer(1 << 40)], as: Int.self), [-1, 1 << 40])
    XCTAssertEqual(try column("Q", [.integer(1 << 63)], as: UInt64.self), [1 << 63])
    XCTAssertEqual(try column("t", [.integer(.min)], as: Int128.self), [.min])
    XCTAssertEqual(try column("T", [.unsigned(.max)], as: UInt128.self), [.max])
    XCTAssertEqual(try column(" ", [.float(0.5)], as: Float.self), [0.5])
    XCTAssertEqual(try column("f", [.float(0.1)], as: Float.self), [0.1])
    XCTAssertEqual(try column("d", [.double(0.1)], as: Double.self), [0.1])
    XCTAssertEqual(try column(#"@"NSDate""#, [.date(-5.25)], as: Double.self), [-5.25])
    XCTAssertEqual(try column(#"@"NSString""#, [.string("é"), .string("")], as: String.self), ["é", ""])
    XCTAssertEqual(try column(#"@"NSDecimalNumber""#, [.decimal("1.5")], as: String.self), ["1.5"])
    XCTAssertEqual(try column(#"@"NSData""#, [.data([1, 255])], as: [UInt8].self), [[1, 255]])
    XCTAssertEqual(
      try column("@", [.reference(ObjectID(rawValue: 1)), .reference(nil)], as: ObjectID?.self),
      [ObjectID(rawValue: 1), nil])
    XCTAssertEqual(try column("$?q", [.null, .integer(3)], as: Int?.self), [nil, 3])
    XCTAssertEqual(
      try column("$[$[c]]", [.array([.array([.integer(1)]), .array([])])], as: [[Int]].self), [[[1], []]])
    let url = ArchiveValue.url("a", base: "http://b")
    let urls = try file(#"@"NSURL""#, [url]).rows(ofClass: "C")
    XCTAssertEqual(try urls.column("k", as: ArchiveValue.self), [url])
  }

  func testColumnsAreReadAsWiderOrOptionalTypes() throws {
    XCTAssertEqual(try column("c", [.integer(-3)], as: Int64.self), [-3])
    XCTAssertEqual(try column("C", [.integer(200)], as: Int16.self), [200])
    XCTAssertEqual(try column("Q", [.integer(1 << 63)], as: Int128.self), [1 << 63])
    XCTAssertEqual(try column(" ", [.float(0.5)], as: Double.self), [0.5])
    XCTAssertEqual(try column("f", [.float(0.5)], as: Double.self), [0.5])
    XCTAssertEqual(try column("q", [.integer(1)], as: Int?.self), [1])
    XCTAssertEqual(try column("$<q>", [.set([.integer(1)])], as: [Int].self), [[1]])
  }

  func testErrorNamesValueThatCannotConvertWithoutLoss() throws {
    XCTAssertEqual(try column("q", [.integer(-3)], as: Int8.self), [-3])
    XCTAssertEqual(try column("d", [.double(-3)], as: Int8.self), [-3])
    XCTAssertEqual(try column("$?q", [.integer(7)], as: Double.self), [7])
    XCTAssertEqual(try column(#"@"NSString""#, [.string("a")], as: [String].self), [["a"]])
    for (type, value, found) in [
      ("q", ArchiveValue.integer(1 << 53 | 1), "the number 9007199254740993"),
      ("$?q", .null, "nil"),
    ] {
      XCTAssertThrowsError(try column(type, [value], as: Double.self)) {
        let error = $0 as? ArchiveError
        XCTAssertEqual(error?.code, .valueOutOfRange, "\($0)")
        XCTAssertEqual(error?.found, found)
        XCTAssertEqual(error?.key, "k")
      }
    }
  }

  func testTypeMismatchErrorNamesBothTypes() throws {
    func assertMismatch<Value: ColumnValue>(_ type: String, _ value: ArchiveValue, _ wanted: Value.Type) {
      XCTAssertThrowsError(try column(type, [value], as: wanted), "\(type) \(wanted)") {
        let error = $0 as? ArchiveError
        XCTAssertEqual(error?.code, .typeMismatch, "\($0)")
        XCTAssertTrue(error?.found.hasSuffix(" (encoding '\(type)')") ?? false, error?.found ?? "")
        XCTAssertEqual(error?.expected, "a column of values that can be read as '\(Value.self)'")
        XCTAssertEqual(error?.key, "k")
      }
    }
    assertMismatch("q", .integer(1), String.self)
    assertMismatch("$[q]", .array([]), Int.self)
    assertMismatch("d", .double(1), String?.self)
    assertMismatch("$[q]", .array([]), [String].self)
    assertMismatch(#"@"NSData""#, .data([]), [Int].self)
    assertMismatch("@", .reference(nil), Int.self)
    assertThrows(.nilReference) { try column("@", [.reference(nil)], as: ObjectID.self) }
  }

  func testUnknownClassesAndKeysThrow() throws {
    let file = try file("q", [])
    assertThrows(.unknownClass) { try file.rows(ofClass: "X") }
    assertThrows(.missingKey) { try file.rows(ofClass: "C").column("x", as: Int.self) }
    assertThrows(.missingKey) { try file.rows(ofClass: "C").column("k", declaredBy: "Other", as: Int.self) }
    XCTAssertEqual(try file.rows(ofClass: "C").column("k", as: Int.self), [])
  }

  func testNestedColumnsContainTheValuesOfAllRows() throws {
    let type = #"$[{P="x"d"name"$?@"NSString"}]"#
    func point(_ x: Double, _ name: String?) -> ArchiveValue {
      .structure(
        name: "P",
        fields: [
          .init(name: "x", value: .double(x)), .init(name: "name", value: name.map { .string($0) } ?? .null),
        ])
    }
    let file = try file(type, [.array([point(1, "a"), point(2, nil)]), .array([]), .array([point(3, "c")])])
    try file.rows(ofClass: "C").forEachBatch { batch in
      XCTAssertEqual(batch.ids.map(\.rawValue), [2, 4, 6])
      let list = try batch.column("k")
      XCTAssertEqual(list.type.description, type)
      XCTAssertEqual(try list.lengths(), [2, 0, 1])
      let points = try list.elements
      XCTAssertEqual(points.count, 3)
      XCTAssertEqual(try points.field("x").values(as: Double.self), [1, 2, 3])
      let names = try points.field("name")
      XCTAssertEqual(try names.presence(), [true, false, true])
      XCTAssertEqual(try names.wrapped.values(as: String.self), ["a", "c"])
      XCTAssertEqual(try names.values(as: String?.self), ["a", nil, "c"])
      assertThrows(.typeMismatch) { try names.lengths() }
      XCTAssertThrowsError(try points.field("y"))
    }
  }

  func testDictionariesAndEnumerationsAreReadAsColumns() throws {
    let map = try file(
      "$<c:d>", [.dictionary([.init(key: .integer(1), value: .double(2))]), .dictionary([])])
    try map.rows(ofClass: "C").forEachBatch { batch in
      let column = try batch.column("k")
      XCTAssertEqual(try column.lengths(), [1, 0])
      XCTAssertEqual(try column.keys.values(as: Int8.self), [1])
      XCTAssertEqual(try column.elements.values(as: Double.self), [2])
    }
    func shape(_ radius: Double?) -> ArchiveValue {
      let payload = radius.map {
        ArchiveValue.structure(name: "?", fields: [.init(name: "r", value: .double($0))])
      }
      return .enumeration(name: "S", case: radius == nil ? "none" : "circle", payload: payload)
    }
    let shapes = try file(#"$(S="none""circle"{?="r"d})"#, [shape(nil), shape(2), shape(3)])
    try shapes.rows(ofClass: "C").forEachBatch { batch in
      let column = try batch.column("k")
      XCTAssertEqual(try column.cases(), [0, 1, 1])
      XCTAssertEqual(try column.payload(ofCase: "circle").field("r").values(as: Double.self), [2, 3])
      XCTAssertThrowsError(try column.payload(ofCase: "none"))
    }
  }

  func testRecursiveValuesCannotBeReadFieldByField() throws {
    let leaf = ArchiveValue.structure(
      name: "T", fields: [.init(name: "v", value: .integer(2)), .init(name: "c", value: .array([]))])
    let tree = ArchiveValue.structure(
      name: "T", fields: [.init(name: "v", value: .integer(1)), .init(name: "c", value: .array([leaf]))])
    let file = try file(#"{T="v"q"c"$[{T}]}"#, [tree, leaf])
    XCTAssertEqual(try file.rows(ofClass: "C").column("k", as: ArchiveValue.self), [tree, leaf])
    try file.rows(ofClass: "C").forEachBatch { batch in
      assertThrows(.typeMismatch) { try batch.column("k").field("v") }
    }
  }

  func testLongArraysAreBorrowedAndShortArraysCopied() throws {
    let numbers = (0..<50_000).map { Double($0) * 1.25 }
    let array = ArchiveValue.array(numbers.map { .double($0) })
    for compression in [Compression.none, .zlib] {
      let file = try file("$[d]", [array, .array([.double(-1)])], compression: compression)
      var seen: [Double] = []
      try file.rows(ofClass: "C").forEachBatch { batch in
        seen += try batch.column("k").elements.withValues(as: Double.self) { span in
          span.indices.map { span[$0] }
        }
      }
      XCTAssertEqual(seen, numbers + [-1])
    }
    let small = try file("i", [.integer(1), .integer(-70_000)])
    try small.rows(ofClass: "C").forEachBatch { batch in
      let sum = try batch.column("k").withValues(as: Int32.self) { $0.indices.count + Int($0[1]) }
      XCTAssertEqual(sum, 2 - 70_000)
      XCTAssertEqual(try batch.column("k").withValues(as: Int.self) { $0[1] }, -70_000)
    }
  }

  func testColumnAcrossManySegmentsEqualsValuesOfObjects() throws {
    let values = (0..<300).map { ArchiveValue.data([UInt8](repeating: UInt8($0 % 251), count: 10_000 + $0)) }
    let file = try file(#"@"NSData""#, values)
    XCTAssertGreaterThan(file.rowsSegments.count, 2)
    let column = try file.rows(ofClass: "C").column("k", as: [UInt8].self)
    XCTAssertEqual(column.map { .data($0) }, values)
    var ids: [ObjectID] = []
    try file.rows(ofClass: "C").forEachBatch { ids += $0.ids }
    XCTAssertEqual(ids.map { try? file.object($0)["k"] }, values)
  }

  func testDamagedSegmentIsDetectedBeforeValuesAreUsed() throws {
    var archive = try HandMadeArchive(takingApart: try file("q", [.integer(1), .integer(2)]).copy())
    guard let rows = archive.segments.firstIndex(where: { $0.kind == "ROWS" }) else { return XCTFail() }
    // The column has one value fewer than the class has rows.
    archive.segments[rows].raw[archive.segments[rows].raw.count - 4] = 1
    let file = try ArchiveFile(bytes: archive.bytes())
    XCTAssertThrowsError(try file.rows(ofClass: "C").column("k", as: Int.self)) {
      let segment = file.segments[rows]
      let range = segment.byteOffset..<segment.byteOffset + segment.storedByteCount + 28
      XCTAssertTrue(range.contains(($0 as? ArchiveError)?.byteOffset ?? 0), "\($0)")
    }
  }
}
