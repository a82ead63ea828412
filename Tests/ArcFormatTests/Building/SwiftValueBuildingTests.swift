import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class SwiftValueBuildingTests: XCTestCase {
  private typealias Property = ArchiveBuilder.Property
  private typealias Column = ArchiveBuilder.Column

  /// Returns a file whose class `C` has a column `k` of these values, with objects of another class before
  /// and after.
  private func file<Value: ColumnValue>(
    _ values: [Value], compression: Compression = .none
  ) throws -> ArchiveFile {
    let builder = try ArchiveBuilder(roots: [], compression: compression)
    try builder.addClass("Other", properties: [])
    try builder.addClass("C", properties: [Property("k", type: Value.self)])
    try builder.addObject(ofClass: "Other", [:])
    try builder.addObjects(ofClass: "C", columns: [Column("k", values)])
    try builder.addObject(ofClass: "Other", [:])
    let file = try ArchiveFile(verifying: builder.finish())
    return file
  }

  /// Asserts that values round-trip in columns of their type, of optionals, of arrays, and of arrays of
  /// optionals.
  private func assertRead<Value: ColumnValue & Equatable>(
    _ values: [Value], line: UInt = #line
  ) throws {
    try assertReadAlone(values, line)
    try assertReadAlone([nil] + values.map { Optional($0) } + [nil], line)
    try assertReadAlone([values, [], values], line)
    try assertReadAlone([values, nil, []], line)
    try assertReadAlone([values.map { Optional($0) } + [nil], []], line)
    try assertReadAlone([[values, []], [], [values]], line)
    try assertReadAlone([[values.map { Optional($0) }, nil], nil], line)
  }

  private func assertReadAlone<Value: ColumnValue & Equatable>(_ values: [Value], _ line: UInt) throws {
    for compression in [Compression.none, .zlib] {
      let file = try file(values, compression: compression)
      XCTAssertEqual(file.classes[2].columns[0].attributes.type, Value.__columnType, line: line)
      XCTAssertEqual(try file.rows(ofClass: "C").column("k", as: Value.self), values, line: line)
    }
  }

  private func assertIntegersAreRead<Value: FixedWidthInteger & ColumnValue>(_ type: Value.Type) throws {
    try assertRead([0, 1, .min, .max, Value.max / 3] as [Value])
    let count = RandomTrials.size(usually: 2_000, exhaustively: 20_000)
    try assertReadAlone((0..<count).map { Value(truncatingIfNeeded: $0 &* 77) }, #line)
  }

  func testEveryIntegerTypeRoundTrips() throws {
    try assertIntegersAreRead(Int8.self)
    try assertIntegersAreRead(Int16.self)
    try assertIntegersAreRead(Int32.self)
    try assertIntegersAreRead(Int64.self)
    try assertIntegersAreRead(Int128.self)
    try assertIntegersAreRead(Int.self)
    try assertIntegersAreRead(UInt8.self)
    try assertIntegersAreRead(UInt16.self)
    try assertIntegersAreRead(UInt32.self)
    try assertIntegersAreRead(UInt64.self)
    try assertIntegersAreRead(UInt128.self)
    try assertIntegersAreRead(UInt.self)
  }

  func testFloatsBooleansTextAndReferencesRoundTrip() throws {
    try assertRead([0, -0.1, .infinity, .leastNonzeroMagnitude] as [Double])
    try assertRead([0, -0.1, .infinity, .leastNonzeroMagnitude] as [Float])
    try assertRead([true, false, true])
    try assertRead(["", "a", "é", "e\u{301}", "\u{0}", "a text that is too long for a small string"])
    try assertRead(["a", "é", "👩‍👩‍👧"] as [Character])
    try assertRead([ObjectID(rawValue: 1), ObjectID(rawValue: 2)])
  }

  func testFloatBitPatternsArePreserved() throws {
    let doubles: [Double] = [Double(bitPattern: 0x7ff8_0000_0000_0abc), -0.0]
    let same = try file(doubles).rows(ofClass: "C").column("k", as: Double.self)
    XCTAssertEqual(same.map(\.bitPattern), doubles.map(\.bitPattern))
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    func testHalfPrecisionNumbersRoundTripAndWiden() throws {
      try assertRead([0, -0.5, .infinity, .greatestFiniteMagnitude] as [Float16])
      let halves: [Float16] = [Float16(bitPattern: 0x7e01), -0.0, -2]
      let rows = try file(halves).rows(ofClass: "C")
      XCTAssertEqual(try rows.column("k", as: Float16.self).map(\.bitPattern), halves.map(\.bitPattern))
      XCTAssertEqual(try rows.column("k", as: Float.self).dropFirst(), [0, -2])
      XCTAssertEqual(try rows.column("k", as: Double.self).dropFirst(), [0, -2])
    }
  #endif

  func testNarrowColumnsAreReadAsWiderTypes() throws {
    XCTAssertEqual(try file([[-3]] as [[Int8]]).rows(ofClass: "C").column("k", as: [Int].self), [[-3]])
    XCTAssertEqual(try file([1, 2]).rows(ofClass: "C").column("k", as: Int?.self), [1, 2])
    XCTAssertEqual(try file([1, 2]).rows(ofClass: "C").column("k", as: Int32.self), [1, 2])
    assertThrows(.valueOutOfRange) { try file([1, 1 << 31]).rows(ofClass: "C").column("k", as: Int32.self) }
  }

  func testDateAndDecimalColumnsAcceptOnlyMatchingValues() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass(
      "C",
      properties: [
        Property("at", type: #"@"NSDate""#), Property("sum", type: #"@"NSDecimalNumber""#),
        Property("n", type: Int.self),
      ])
    assertThrows(.typeMismatch) {
      try builder.addObjects(
        ofClass: "C", columns: [Column("at", [1.5]), Column("sum", [.decimal("1")]), Column("n", [1])])
    }
    assertThrows(.typeMismatch) {
      try builder.addObjects(
        ofClass: "C", columns: [Column("at", [.date(1)]), Column("sum", ["1"]), Column("n", [1])])
    }
    try builder.addObjects(
      ofClass: "C",
      columns: [
        Column("at", [.date(1.5), .date(-2)]), Column("sum", [.decimal("1.5"), .decimal("NaN")]),
        Column("n", [1, 2]),
      ])
    let file = try ArchiveFile(verifying: builder.finish())
    let rows = try file.rows(ofClass: "C")
    XCTAssertEqual(try rows.column("at", as: Double.self), [1.5, -2])
    XCTAssertEqual(try rows.column("sum", as: String.self), ["1.5", "NaN"])
    XCTAssertEqual(try rows.column("n", as: Int.self), [1, 2])
  }

  func testWritingByColumnsOrObjectsGivesEqualBytes() throws {
    let names = (0..<5000).map { "name \($0 % 70)" }
    let ages = (0..<5000).map { $0 % 3 == 0 ? nil : $0 }
    let samples = (0..<5000).map { (0..<$0 % 5).map { Double($0) / 7 } }
    func bytes(_ add: (ArchiveBuilder) throws -> Void) throws -> [UInt8] {
      let builder = try ArchiveBuilder(roots: [Property("count", type: Int.self)])
      try builder.addClass(
        "C",
        properties: [
          Property("name", type: String.self), Property("age", type: Int?.self),
          Property("samples", type: [Double].self),
        ])
      try builder.setRoots(["count": 5000])
      try add(builder)
      return try builder.finish()
    }
    let byColumn = try bytes {
      try $0.addObjects(
        ofClass: "C", columns: [Column("samples", samples), Column("name", names), Column("age", ages)])
    }
    let byObject = try bytes { builder in
      for index in names.indices {
        try builder.addObject(
          ofClass: "C", ["name": names[index], "age": ages[index], "samples": samples[index]])
      }
    }
    let byValue = try bytes { builder in
      for index in names.indices {
        try builder.addObject(
          ofClass: "C",
          [
            "name": .string(names[index]), "age": ages[index].map { .integer(Int128($0)) } ?? .null,
            "samples": .array(samples[index].map { .double($0) }),
          ])
      }
    }
    try ArchiveFile(bytes: byColumn).verify()
    XCTAssertEqual(byColumn, byValue)
    XCTAssertEqual(byObject, byValue)
  }

  func testLongColumnsAreSplitIntoSegments() throws {
    // A segment contains 131,072 numbers.
    let count = RandomTrials.size(usually: 270_000, exhaustively: 400_000)
    let numbers: [Int] = (0..<count).map { $0 &* 0x1E37_79B9_7F4A_7C15 }
    let file = try file(numbers)
    XCTAssertGreaterThan(file.rowsSegments.count, 2)
    XCTAssertEqual(try file.rows(ofClass: "C").column("k", as: Int.self), numbers)
    let long = Array(numbers.prefix(RandomTrials.size(usually: 20_000, exhaustively: count)))
    let arrays = [long, [], Array(numbers.prefix(3)), long]
    XCTAssertEqual(try self.file(arrays).rows(ofClass: "C").column("k", as: [Int].self), arrays)
  }

  func testNonOptionalValuesFillOptionalColumns() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass(
      "C",
      properties: [
        Property("a", type: Int?.self), Property("b", type: Int??.self),
        Property("c", type: Int.self, isKeyed: true), Property("d", type: Int?.self, isKeyed: true),
      ])
    try builder.addObjects(
      ofClass: "C", columns: [Column("a", [1]), Column("b", [2]), Column("c", [3]), Column("d", [4])])
    try builder.addObjects(
      ofClass: "C",
      columns: [
        Column("a", [nil, 5] as [Int?]), Column("b", [nil, 6] as [Int?]), Column("c", [nil, 7] as [Int?]),
        Column("d", [nil, 8] as [Int?]),
      ])
    let id = try builder.addObject(ofClass: "C", ["a": 9])
    let file = try ArchiveFile(verifying: builder.finish())
    let rows = try file.rows(ofClass: "C")
    XCTAssertEqual(try rows.column("a", as: Int?.self), [1, nil, 5, 9])
    XCTAssertEqual(try rows.column("b", as: Int??.self), [2, .some(nil), 6, nil])
    XCTAssertEqual(try rows.column("c", as: Int?.self), [3, nil, 7, nil])
    XCTAssertEqual(try rows.column("d", as: Int??.self), [4, .some(nil), 8, nil])
    XCTAssertNil(try file.object(id)["c"])
  }

  func testColumnWithSharedKeyIsChosenByType() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("Bag", properties: [])
    try builder.addObjects(ofClass: "Bag", columns: [])
    try builder.addObject(ofClass: "Bag", [:])
    try builder.addProperty(Property("k", type: Int.self, isKeyed: true), toClass: "Bag")
    try builder.addProperty(Property("k", type: String.self, isKeyed: true), toClass: "Bag")
    try builder.addObjects(ofClass: "Bag", columns: [Column("k", ["a", "b"])])
    try builder.addObjects(ofClass: "Bag", columns: [Column("k", [1])])
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(
      try (1...4).map { try file.object(ObjectID(rawValue: $0))["k"] },
      [nil, .string("a"), .string("b"), .integer(1)])
  }
}
