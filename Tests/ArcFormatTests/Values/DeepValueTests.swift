import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Values nested as deeply as the limits allow, on a small stack, and their printed forms.
final class DeepValueTests: XCTestCase {
  /// A recursive type with four values between a value of the type and the next nested value of the type.
  private static let type = "{T=\"a\"$?$[$?{T}]\"n\"q}"

  private static func value(depth: Int, number: Int = 0) -> ArchiveValue {
    var value = ArchiveValue.structure(
      name: "T", fields: [.init(name: "a", value: .null), .init(name: "n", value: .integer(Int128(number)))])
    for _ in 0..<depth {
      value = .structure(
        name: "T", fields: [.init(name: "a", value: .array([value])), .init(name: "n", value: 1)])
    }
    return value
  }

  private func archive(_ value: ArchiveValue) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("value", type: Self.type)])
    try builder.setRoots(["value": value])
    return try builder.finish()
  }

  func testDeepestValuesAreProcessedOnASmallStack() throws {
    let depth = ArchiveLimits.default.nesting
    try onSmallStack {
      let value = Self.value(depth: depth)
      let bytes = try self.archive(value)
      let file = try ArchiveFile(bytes: bytes)
      let roots = try file.roots()
      XCTAssertTrue(roots["value"] == value)
      XCTAssertEqual(roots["value"]?.hashValue, value.hashValue)
      XCTAssertFalse(roots["value"] == Self.value(depth: depth, number: 7))
      XCTAssertFalse(roots["value"] == Self.value(depth: depth - 1))
      var columns: [ArchiveValue] = []
      try file.rows(ofClass: "$roots").forEachBatch { columns += try $0.column("value").values() }
      XCTAssertTrue(columns == [value])
      let other = try ArchiveFile(bytes: self.archive(Self.value(depth: depth, number: 7)))
      XCTAssertEqual(try GraphComparison(file, other).differences(atMost: 1).count, 1)
      XCTAssertEqual(try GraphComparison(file, ArchiveFile(bytes: bytes)).differences(atMost: 1).count, 0)
    }
  }

  func testValuesTooDeepForTheStackAreRefused() throws {
    let depth = RandomTrials.size(usually: 20_000, exhaustively: 100_000)
    let archive = try HandMadeArchive(
      rootTypes: ["{T=\"c\"$[{T}]}"], chunks: [chunk([UInt8](repeating: 1, count: depth) + [0])]
    ).bytes()
    var limits = ArchiveLimits.default
    limits.nesting = 2 * depth
    try onSmallStack {
      let file = try ArchiveFile(verifying: archive, limits: limits)
      assertThrows(.limitExceeded, "nested more than 400 levels deep") { try file.roots() }
    }
  }

  func testDescriptionsOfLargeValuesAreShort() throws {
    let long = String(repeating: "long ", count: 1 << 20)
    let wide = ArchiveValue.array(Array(repeating: .string(long), count: 1000))
    let values: [ArchiveValue] = [
      .string(long), wide, Self.value(depth: 120), .data(Array(repeating: 7, count: 1 << 20)),
      .dictionary([.init(key: .string(long), value: wide)]),
      .enumeration(name: long, case: long, payload: wide), .url(long, base: long), .decimal(long),
    ]
    try onSmallStack {
      for value in values {
        let object = ArchiveObject(
          id: ObjectID(rawValue: 1), classIndex: 1, className: long,
          properties: [.init(declaringClass: long, key: long, columnIndex: 0, value: value)])
        for text in [
          "\(value)", String(reflecting: value), "\([value])", "\(object)", "\(object.properties)",
        ] {
          XCTAssertLessThan(text.utf8.count, 3000)
          XCTAssertGreaterThan(text.utf8.count, 5)
        }
      }
    }
  }

  func testValueDescriptionsShowCaseAndContents() {
    let point = ArchiveValue.structure(name: "P", fields: [.init(name: "x", value: .double(0.5))])
    let table: [(ArchiveValue, String)] = [
      (.null, "null"), (true, "bool(true)"), (7, "integer(7)"), (.string("a\"b\n"), #"string("a\"b\n")"#),
      (.reference(nil), "reference(nil)"), (.reference(ObjectID(rawValue: 3)), "reference(#3)"),
      (.array([1, .null]), "array([integer(1), null])"), (point, #"structure("P", [x: double(0.5)])"#),
      (.dictionary([.init(key: "k", value: 1)]), #"dictionary([string("k"): integer(1)])"#),
      (.enumeration(name: "E", case: "c", payload: nil), #"enumeration("E", "c")"#),
      (.enumeration(name: "E", case: "c", payload: 1), #"enumeration("E", "c", integer(1))"#),
      (.data([1]), "data(1 byte)"),
      (
        .array(Array(repeating: .null, count: 22)),
        "array([" + String(repeating: "null, ", count: 20) + "… 2 more])"
      ),
    ]
    for (value, text) in table { XCTAssertEqual("\(value)", text) }
    let object = ArchiveObject(
      id: ObjectID(rawValue: 4), classIndex: 1, className: "Dog",
      properties: [.init(declaringClass: "Dog", key: "name", columnIndex: 0, value: "Rex")])
    XCTAssertEqual("\(object)", #"Dog #4 (name: string("Rex"))"#)
  }

  func testErrorsWithLongNamesAreShort() {
    let long = String(repeating: "é", count: 1 << 20)
    let error = ArchiveError(
      .typeMismatch, found: long, expected: long, remedy: long, className: long, key: long)
    XCTAssertLessThan("\(error)".utf8.count, 50_000)
    XCTAssertEqual(error.className, long)
  }

  func testManifestWithHugeValueGivesShortError() throws {
    let huge = ArchiveValue.array((0..<100_000).map { .integer($0) })
    let builder = try ArchiveBuilder(roots: [.init("shards", type: "$[$[q]]")])
    try builder.setRoots(["shards": .array([huge])])
    let bytes = try builder.finish()
    var text = ""
    do { _ = try ShardManifest(ArchiveFile(bytes: bytes)) } catch { text = "\(error)" }
    XCTAssertEqual(
      text, "typeMismatch: found an array, expected a reference to an object of class 'Shard' (key 'shards')")
  }

  func testDifferencesOfLargeValuesAreDescribedBriefly() {
    func tree(_ depth: Int) -> ArchiveValue {
      depth == 0
        ? .string(String(repeating: "x", count: 1000)) : .array(Array(repeating: tree(depth - 1), count: 4))
    }
    XCTAssertLessThan(tree(6).words { _ in "an object" }.utf8.count, 100_000)
    XCTAssertTrue(tree(6).words { _ in "an object" }.contains("…"))
  }

  func testTruncatedTextReportsTheOmittedByteCount() {
    let text = String(repeating: "é", count: 300)
    XCTAssertEqual(text.cut(toScalars: 100).start, String(repeating: "é", count: 100))
    XCTAssertEqual(text.cut(toScalars: 100).restByteCount, 400)
    XCTAssertEqual(text.cut(toScalars: 300).restByteCount, 0)
    XCTAssertEqual(text.cut(toScalars: .max).restByteCount, 0)
    // A single character with thousands of combining marks.
    let cluster = "a" + String(repeating: "\u{301}", count: 10_000)
    XCTAssertLessThan(ValuePath.literal(of: ValuePath.Name(cluster), truncated: true).utf8.count, 1000)
  }
}
