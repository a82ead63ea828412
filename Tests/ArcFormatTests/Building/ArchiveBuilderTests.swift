import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ArchiveBuilderTests: XCTestCase {
  private typealias Property = ArchiveBuilder.Property

  func testRewrittenFixturesEqualTheOriginals() throws {
    let fixtures = try Repository.goldenArchives()
    XCTAssertGreaterThan(fixtures.count, 5)
    for (name, bytes) in fixtures {
      let file = try ArchiveFile(bytes: bytes)
      let copy = try file.copy()
      try ArchiveFile(bytes: copy).verify()
      XCTAssertEqual(try ArchiveFile(bytes: copy).contents(), try file.contents(), name)
      // The text does not distinguish the levels of nil in nested optionals.
      if !name.hasSuffix("zlib.arc"), name != "scalars.arc" { XCTAssertEqual(copy, bytes, name) }
    }
  }

  func testCopiesOfRandomArchivesHaveEqualContents() throws {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    for round in 0..<RandomTrials.count(usually: 10, exhaustively: 40) {
      let bytes = try RandomBuild(&random).bytes
      let file = try ArchiveFile(verifying: bytes)
      let copy = try file.copy(compression: round % 2 == 0 ? .none : .zlib)
      XCTAssertEqual(
        try ArchiveFile(bytes: copy).contents(), try file.contents(), "seed \(seed), round \(round)")
    }
  }

  func testReservedObjectsCanGetValuesInAnyOrder() throws {
    let builder = try ArchiveBuilder(roots: [Property("root", type: #"@"Node""#)], metadata: ["by": "hand"])
    try builder.addClass(
      "Node",
      properties: [
        Property("name", type: #"@"NSString""#), Property("next", type: #"@"Node""#),
        Property("back", attributes: #"T@"Node",W"#),
      ])
    let ids = try (0..<3).map { _ in try builder.reserveObject(ofClass: "Node") }
    for position in [2, 0, 1] {
      try builder.setValues(
        [
          "name": .string("n\(position)"), "next": .reference(ids[(position + 1) % 3]),
          "back": .reference(position == 0 ? nil : ids[position - 1]),
        ], of: ids[position])
    }
    try builder.setRoots(["root": .reference(ids[1])])
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(try file.metadata().map { "\($0.key)=\($0.value)" }, ["by=hand"])
    XCTAssertEqual(try file.roots()["root"], .reference(ids[1]))
    let last = try file.object(ids[2])
    XCTAssertEqual(last.properties.map(\.value), [.string("n2"), .reference(ids[0]), .reference(ids[1])])
  }

  func testManyObjectsAreSplitIntoSegments() throws {
    let builder = try ArchiveBuilder(roots: [Property("all", type: #"$[@"Row"]"#)])
    try builder.addClass("Row", properties: [Property("data", type: #"@"NSData""#)])
    let ids = try (0..<400).map { _ in try builder.reserveObject(ofClass: "Row") }
    try builder.setRoots(["all": .array(ids.map { .reference($0) })])
    for id in ids {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: id.rawValue), count: 10_000)
      try builder.setValues(["data": .data(bytes)], of: id)
    }
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertGreaterThan(file.rowsSegments.count, 3)
    XCTAssertEqual(try file.object(ids[399])["data"], .data([UInt8](repeating: 144, count: 10_000)))
  }

  func testSubclassInheritsAndCanShadowProperties() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("Base", properties: [Property("age", type: "d"), Property("kept", type: "$?q")])
    try builder.addClass("Leaf", superclass: "Base", version: 3, properties: [Property("age", type: "q")])
    try builder.addObject(
      ofClass: "Leaf", ["age": .integer(3), .init("age", declaredBy: "Base"): .double(0.5)])
    let file = try ArchiveFile(verifying: builder.finish())
    let leaf = try file.object(ObjectID(rawValue: 1))
    XCTAssertEqual(leaf.properties.map(\.declaringClass), ["Leaf", "Base", "Base"])
    XCTAssertEqual(leaf.properties.map(\.value), [.integer(3), .double(0.5), .null])
    XCTAssertEqual(file.classInfos.map(\.version), [0, 3])
  }

  func testKeyedPropertiesCanBeAddedLaterOrOmitted() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("Bag", properties: [])
    try builder.addObject(ofClass: "Bag", [:])
    try builder.addProperty(Property("k", type: "q", isKeyed: true), toClass: "Bag")
    try builder.addProperty(Property("k", type: #"@"NSString""#, isKeyed: true), toClass: "Bag")
    try builder.addObject(ofClass: "Bag", ["k": .string("text")])
    try builder.addObject(ofClass: "Bag", ["k": .integer(5)])
    assertThrows(.duplicateKey) {
      try builder.addObject(ofClass: "Bag", ["k": .integer(5), .init("k", declaredBy: "Bag"): .string("")])
    }
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(
      try (1...3).map { try file.object(ObjectID(rawValue: $0))["k"] }, [nil, .string("text"), .integer(5)])
  }

  func testUnsuitableValuesAreRefusedAndNotWritten() throws {
    let cases: [(String, ArchiveValue, ArchiveError.Code)] = [
      ("c", .integer(128), .valueOutOfRange), ("c", .integer(-129), .valueOutOfRange),
      ("C", .integer(-1), .valueOutOfRange), ("C", .integer(256), .valueOutOfRange),
      ("Q", .integer(-1), .valueOutOfRange), ("Q", .integer(1 << 64), .valueOutOfRange),
      ("q", .integer(1 << 63), .valueOutOfRange), ("T", .integer(-1), .valueOutOfRange),
      ("q", .string("1"), .typeMismatch), ("q", .null, .typeMismatch), ("d", .float(1), .typeMismatch),
      (" ", .float(0.1), .valueOutOfRange), (" ", .float(65_536), .valueOutOfRange),
      (#"@"NSUUID""#, .uuid([1]), .valueOutOfRange),
      (#"@"NSDecimalNumber""#, .decimal("01"), .valueOutOfRange),
      (#"@"NSDecimalNumber""#, .decimal("1.50"), .valueOutOfRange),
      (#"@"NSDecimalNumber""#, .decimal("1e5"), .valueOutOfRange),
      ("$[q]", .array([.integer(1), .bool(true)]), .typeMismatch),
      ("$<q>", .set([.integer(1), .integer(1)]), .duplicateKey),
      (
        "$<q:q>",
        .dictionary([
          ArchiveValue.Entry(key: .integer(1), value: .integer(1)),
          ArchiveValue.Entry(key: .integer(1), value: .integer(2)),
        ]), .duplicateKey
      ),
      (#"{P="x"q}"#, .structure(name: "P", fields: []), .typeMismatch),
      (#"$(E="a")"#, .enumeration(name: "E", case: "b", payload: nil), .unknownCase),
      (#"$(E="a"{?=""q})"#, .enumeration(name: "E", case: "a", payload: nil), .typeMismatch),
      (#"@"Leaf""#, .reference(ObjectID(rawValue: 1)), .wrongClass),
      (#"@"Other""#, .reference(ObjectID(rawValue: 1)), .wrongClass),
      ("@", .reference(ObjectID(rawValue: 0)), .danglingReference),
      ("@", .reference(ObjectID(rawValue: 9)), .danglingReference),
    ]
    for (type, value, code) in cases {
      let builder = try ArchiveBuilder(roots: [])
      try builder.addClass("Base", properties: [])
      try builder.addClass("Leaf", superclass: "Base", properties: [])
      try builder.addClass("C", properties: [Property("before", type: "q"), Property("k", type: type)])
      try builder.addObject(ofClass: "Base", [:])
      assertThrows(code, for: type) {
        try builder.addObject(ofClass: "C", ["before": .integer(1), "k": value])
      }
      let file = try ArchiveFile(verifying: builder.finish())
      XCTAssertEqual(file.rowCount, 2)
    }
  }

  func testValueNestedTooDeeplyIsRefused() throws {
    let builder = try ArchiveBuilder(roots: [Property("tree", type: #"{T="c"$[{T}]}"#)])
    var tree = ArchiveValue.structure(name: "T", fields: [.init(name: "c", value: .array([]))])
    for _ in 0..<1000 { tree = .structure(name: "T", fields: [.init(name: "c", value: .array([tree]))]) }
    let deep = tree
    assertThrows(.limitExceeded) { try builder.setRoots(["tree": deep]) }
  }

  func testInvalidClassDeclarationsAreRefused() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("A", properties: [Property("k", type: "q")])
    assertThrows(.nameConflict) { try builder.addClass("A", properties: []) }
    assertThrows(.nameConflict) { try builder.addClass("NSString", properties: []) }
    assertThrows(.nameConflict) { try builder.addClass("$roots", properties: []) }
    assertThrows(.nameConflict) { try builder.addClass("a\"b", properties: []) }
    assertThrows(.duplicateKey) {
      try builder.addClass("B", properties: [Property("k", type: "q"), Property("k", type: "d")])
    }
    assertThrows(.duplicateKey) {
      try ArchiveBuilder(roots: [Property("r", type: "q"), Property("r", type: "d")])
    }
    assertThrows(.unknownClass) { try builder.addClass("B", superclass: "X", properties: []) }
    assertThrows(.unknownClass) {
      try builder.addClass("B", properties: [Property("k", type: "q", declaredBy: "A")])
    }
    assertThrows(.malformedEncoding) { try builder.addClass("B", properties: [Property("k", type: "^v")]) }
    assertThrows(.malformedEncoding) {
      try builder.addClass("B", properties: [Property("k", attributes: "N")])
    }
    assertThrows(.invalidUse) { try builder.addProperty(Property("l", type: "q"), toClass: "A") }
    assertThrows(.invalidUse) { try ArchiveBuilder(roots: [Property("r", type: "q", isKeyed: true)]) }
    try builder.addObject(ofClass: "A", ["k": .integer(1)])
    XCTAssertNoThrow(try ArchiveFile(bytes: builder.finish()).verify())
  }

  func testBuilderCallsInWrongOrderAreRefused() throws {
    let builder = try ArchiveBuilder(roots: [Property("count", type: "q")])
    try builder.addClass("A", properties: [Property("a", type: #"@"A""#, isConstruction: true)])
    let id = try builder.reserveObject(ofClass: "A")
    assertThrows(.constructionOrder) { try builder.setValues(["a": .reference(id)], of: id) }
    assertThrows(.missingKey) { try builder.setValues(["b": .null], of: id) }
    assertThrows(.missingKey) { try builder.finish() }
    try builder.setRoots(["count": .integer(1)])
    assertThrows(.duplicateKey) { try builder.setRoots(["count": .integer(1)]) }
    assertThrows(.danglingReference) { try builder.finish() }
    assertThrows(.danglingReference) { try builder.setValues([:], of: ObjectID(rawValue: 2)) }
    try builder.setValues([:], of: id)
    assertThrows(.duplicateKey) { try builder.setValues([:], of: id) }
    XCTAssertNoThrow(try ArchiveFile(bytes: builder.finish()).verify())
    assertThrows(.invalidUse) { try builder.finish() }
    assertThrows(.invalidUse) { try builder.addClass("Late", properties: []) }
    assertThrows(.invalidUse) {
      try builder.addProperty(Property("late", type: "q", isKeyed: true), toClass: "A")
    }
  }

  func testHalfPrecisionNumbersKeepAllTheirBits() {
    for bits in UInt16.min...UInt16.max { XCTAssertEqual(Float(half: bits).halfBits, bits) }
  }
}
