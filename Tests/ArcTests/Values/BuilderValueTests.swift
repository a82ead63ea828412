import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The columns that `ArchiveBuilder` writes from values of this module's types, and the types that require a
/// graph.
final class BuilderValueTests: XCTestCase {
  @Archivable final class Visit {
    var name = ""
    var at = Date(timeIntervalSinceReferenceDate: 0)
    var cost: Decimal?
    var page: [URL] = []
    var raw = Data()
    var id = UUID()
    var kind = Kind.short
    weak var next: Visit?
    init() {}
  }
  enum Kind: Int, ArchivableValue { case short, long }
  @Archivable struct Point: Hashable { var x = 0.0 }
  /// A type whose `init(rawValue:)` returns nil for 7.
  struct Odd: RawRepresentable, ArchivableValue {
    var rawValue: Int
    init?(rawValue: Int) { if rawValue == 7 { return nil } else { self.rawValue = rawValue } }
    init(any rawValue: Int) { self.rawValue = rawValue }
  }

  /// A type that refuses some values: `archivedForm` values below 0, the initializer values from 100 on, and
  /// both 7 with an error of their own.
  struct Percentage: ArchivableByConversion, Equatable {
    struct Unlucky: Error {}
    var value: Int
    var archivedForm: Int {
      get throws {
        if value == 7 { throw Unlucky() }
        if value < 0 { throw ArchiveError(.valueOutOfRange, found: "\(value)", expected: "none below 0") }
        return value
      }
    }
    init(value: Int) { self.value = value }
    init(archivedForm: Int) throws {
      if archivedForm >= 100 { throw ArchiveError(.valueOutOfRange, found: "\(archivedForm)") }
      value = archivedForm
    }
  }
  /// A type that is an array in files. Reading a graph checks the elements.
  struct Distinct: ArchivableValue {
    var elements: Set<Int>
    static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [Int].__typeEncoding(in: context)
    }
    static func __read(from column: ColumnReader) throws -> Distinct {
      Distinct(elements: Set(try [Int].__read(from: column)))
    }
    func __write(to column: ColumnWriter) throws {
      try column.checkDistinct(elements)
      try Array(elements).__write(to: column)
    }
  }

  private typealias Column = ArchiveBuilder.Column

  /// Returns a builder with a class `C` with one column `k` of this type.
  private func builder<Value: ColumnValue>(_ type: Value.Type) throws -> ArchiveBuilder {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("C", properties: [.init("k", type: type)])
    return builder
  }

  private func assertRead<Value: ColumnValue & Equatable>(_ values: [Value], line: UInt = #line) throws {
    let builder = try builder(Value.self)
    try builder.addObjects(ofClass: "C", columns: [Column("k", values)])
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(try file.rows(ofClass: "C").column("k", as: Value.self), values, line: line)
  }

  func testFoundationValuesRoundTrip() throws {
    let dates = [-0.25, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    try assertRead(dates)
    try assertRead([dates, []])
    try assertRead([Data(), Data([0, 255])])
    try assertRead([UUID(), UUID()])
    try assertRead([Decimal(string: "-12.50"), nil, Decimal(0)])
    try assertRead([URL(string: "http://a/b"), nil, URL(string: "c", relativeTo: URL(string: "http://d"))])
    try assertRead([[Kind.long, .short], []])
    try assertRead([ContiguousArray([1, 2]), []])
  }

  func testDatesAndDecimalsAreReadAsPrimitives() throws {
    let dates = try builder(Date.self)
    try dates.addObjects(ofClass: "C", columns: [Column("k", [Date(timeIntervalSinceReferenceDate: 1.5)])])
    XCTAssertEqual(
      try ArchiveFile(bytes: dates.finish()).rows(ofClass: "C").column("k", as: Double.self), [1.5])
    let sums = try builder(Decimal.self)
    try sums.addObjects(ofClass: "C", columns: [Column("k", [Decimal(string: "1.50") ?? 0])])
    XCTAssertEqual(
      try ArchiveFile(bytes: sums.finish()).rows(ofClass: "C").column("k", as: String.self), ["1.5"])
    assertThrows(.typeMismatch) {
      try self.builder(Date.self).addObjects(ofClass: "C", columns: [Column("k", [1.5])])
    }
  }

  func testClassReadsAnArchiveFromTheBuilder() throws {
    let builder = try ArchiveBuilder(roots: [.init("root", type: [Visit].self)])
    let name = try ArchiveFile(bytes: Archiver().archive(Visit())).classes[1].name
    try builder.addClass(
      name,
      properties: [
        .init("name", type: String.self), .init("at", type: Date.self), .init("cost", type: Decimal?.self),
        .init("page", type: [URL].self), .init("raw", type: Data.self), .init("id", type: UUID.self),
        .init("kind", type: Kind.self), .init("next", type: ObjectID?.self),
      ])
    let ids = try builder.reserveObjects(ofClass: name, count: 2)
    try builder.setRoots(["root": ids])
    let (first, second) = (UUID(), UUID())
    try builder.setValues(
      [
        Column("name", ["a", "b"]), Column("at", [Date(timeIntervalSinceReferenceDate: 5), .distantPast]),
        Column("cost", [nil, Decimal(7)] as [Decimal?]), Column("page", [[], [URL(filePath: "/x")]]),
        Column("raw", [Data([1]), Data()]), Column("id", [first, second]),
        Column("kind", [Kind.long, .short]),
        Column("next", [ids[1], ids[0]]),
      ], of: ids)
    let bytes = try builder.finish()
    try ArchiveFile(bytes: bytes).verify()
    let visits = try Unarchiver().unarchive([Visit].self, from: bytes)
    XCTAssertEqual(visits.map(\.name), ["a", "b"])
    XCTAssertEqual(visits.map(\.at), [Date(timeIntervalSinceReferenceDate: 5), .distantPast])
    XCTAssertEqual(visits.map(\.cost), [nil, 7])
    XCTAssertEqual(visits.map(\.page), [[], [URL(filePath: "/x")]])
    XCTAssertEqual(visits.map(\.raw), [Data([1]), Data()])
    XCTAssertEqual(visits.map(\.id), [first, second])
    XCTAssertEqual(visits.map(\.kind), [.long, .short])
    XCTAssertTrue(visits[0].next === visits[1] && visits[1].next === visits[0])
  }

  func testBuilderRefusesValuesThatRequireAGraph() throws {
    func assertRefused<Value: ColumnValue>(_ value: Value) throws {
      let builder = try builder(Value.self)
      assertThrows(.typeMismatch) { try builder.addObjects(ofClass: "C", columns: [Column("k", [value])]) }
      assertThrows(.typeMismatch) { try builder.addObjects(ofClass: "C", columns: [Column("k", [[value]])]) }
      assertThrows(.typeMismatch) { try builder.addObject(ofClass: "C", ["k": value]) }
    }
    try assertRefused(Visit())
    try assertRefused([Visit?.none])
    try assertRefused(Point())
    try assertRefused([Point?.none])
    try assertRefused(Set([1]))
    try assertRefused(["a": 1])
  }

  func testRefusedRawValueInvalidatesTheBuilder() throws {
    let builder = try builder(Odd.self)
    try builder.addObjects(ofClass: "C", columns: [Column("k", [Odd(any: 1)])])
    try builder.setRoots([:])
    XCTAssertThrowsError(
      try builder.addObjects(ofClass: "C", columns: [Column("k", [Odd(any: 2), Odd(any: 7)])])
    ) {
      let error = $0 as? ArchiveError
      XCTAssertEqual(error?.code, .valueOutOfRange)
      XCTAssertEqual(error?.className, "C")
      XCTAssertEqual(error?.key, "k")
    }
    assertThrows(.valueOutOfRange) {
      try builder.addObjects(ofClass: "C", columns: [Column("k", [Odd(any: 1)])])
    }
    assertThrows(.valueOutOfRange) { try builder.finish() }
  }

  func testFailedConversionInvalidatesTheBuilderAndReportsColumn() throws {
    try assertRead([Percentage(value: 0), Percentage(value: 99)])
    let cases = [(-1, ArchiveError.Code.valueOutOfRange), (100, .valueOutOfRange)]
    for (value, code) in cases {
      let builder = try builder([Percentage?].self)
      try builder.setRoots([:])
      XCTAssertThrowsError(
        try builder.addObjects(ofClass: "C", columns: [Column("k", [[nil, Percentage(value: value)]])])
      ) {
        let error = $0 as? ArchiveError
        XCTAssertEqual(error?.code, code)
        XCTAssertEqual(error?.found, "\(value)")
        XCTAssertEqual(error?.className, "C")
        XCTAssertEqual(error?.key, "k")
      }
      assertThrows(code) { try builder.finish() }
    }
    let unlucky = try builder(Percentage.self)
    try unlucky.setRoots([:])
    assertThrows(.notArchivable) {
      try unlucky.addObjects(ofClass: "C", columns: [Column("k", [Percentage(value: 7)])])
    }
    let components = try builder(URLComponents.self)
    try components.setRoots([:])
    var relative = URLComponents()
    (relative.host, relative.path) = ("a", "b")
    assertThrows(.valueOutOfRange) {
      try components.addObjects(ofClass: "C", columns: [Column("k", [relative])])
    }
  }

  func testFailedConversionNamesTheReadColumn() throws {
    let builder = try builder(Int.self)
    try builder.addObjects(ofClass: "C", columns: [Column("k", [1, 100])])
    let file = try ArchiveFile(bytes: builder.finish())
    XCTAssertThrowsError(try file.rows(ofClass: "C").column("k", as: Percentage.self)) {
      let error = $0 as? ArchiveError
      XCTAssertEqual(error?.code, .valueOutOfRange)
      XCTAssertEqual(error?.className, "C")
      XCTAssertEqual(error?.key, "k")
    }
  }

  func testBuilderRefusesElementsItCannotVerifyAsDistinct() throws {
    let builder = try builder(Distinct.self)
    try builder.setRoots([:])
    assertThrows(.notArchivable) {
      try builder.addObjects(ofClass: "C", columns: [Column("k", [Distinct(elements: [1, 2])])])
    }
  }

  func testColumnsRefuseExistentialsButReadIdentifiers() throws {
    let builder = try builder(ObjectID?.self)
    let ids = try builder.reserveObjects(ofClass: "C", count: 2)
    assertThrows(.typeMismatch) {
      try builder.setValues([Column("k", [__Existential<Any>(1), __Existential<Any>(2)])], of: ids)
    }
    try builder.setValues([Column("k", [ids[1], nil])], of: ids)
    let rows = try ArchiveFile(bytes: builder.finish()).rows(ofClass: "C")
    XCTAssertEqual(try rows.column("k", as: ObjectID?.self), [ids[1], nil])
    assertThrows(.typeMismatch) { try rows.column("k", as: __Existential<Any>?.self) }
  }
}
