import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Rows of a class and its subclasses, and rows that fulfil conditions.
final class RowConditionTests: XCTestCase {
  /// Returns a file with animals of three alternating classes. `Animal` itself has no objects.
  private func animals() throws -> ArchiveFile {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass(
      "Animal", properties: [.init("name", type: String.self), .init("age", type: Int?.self)])
    try builder.addClass("Dog", superclass: "Animal", properties: [.init("tail", type: Double.self)])
    try builder.addClass("Poodle", superclass: "Dog", properties: [.init("name", type: Int.self)])
    try builder.addClass("Stone", properties: [.init("name", type: String.self)])
    for index in 0..<30 {
      switch index % 3 {
      case 0:
        _ = try builder.addObject(
          ofClass: "Dog",
          ["name": .string("dog \(index)"), "age": .integer(Int128(index)), "tail": 1.5])
      case 1:
        _ = try builder.addObject(
          ofClass: "Poodle",
          [
            .init("name", declaredBy: "Animal"): .string("poodle \(index)"),
            "age": index % 2 == 0 ? .null : .integer(Int128(index)), "tail": 2.5,
            .init("name", declaredBy: "Poodle"): .integer(7),
          ])
      default: _ = try builder.addObject(ofClass: "Stone", ["name": "stone"])
      }
    }
    return try ArchiveFile(bytes: builder.finish())
  }

  func testSuperclassColumnsIncludeSubclassRowsInOrder() throws {
    let file = try animals()
    let rows = try file.rows(ofClass: "Animal", includingSubclasses: true)
    let ids = try rows.ids()
    XCTAssertEqual(ids, ids.sorted())
    XCTAssertEqual(ids.count, 20)
    let names = try rows.column("name", as: String.self)
    XCTAssertEqual(
      names,
      try ids.map { id in
        try file.object(id).properties.first { $0.declaringClass == "Animal" && $0.key == "name" }?.value
          .string
      })
    XCTAssertEqual(Array(names.prefix(3)), ["dog 0", "poodle 1", "dog 3"])
    XCTAssertEqual(try rows.column("age").count, 20)
    XCTAssertEqual(
      assertThrows(.missingKey) { try rows.column("tail", as: Double.self) }?.expected,
      "one of the keys 'name', 'age'")
    XCTAssertEqual(try file.rows(ofClass: "Dog", includingSubclasses: true).column("tail").count, 20)
    XCTAssertEqual(try file.rows(ofClass: "Dog").column("tail", as: Double.self).count, 10)
    XCTAssertEqual(try file.rows(ofClass: "Animal").ids(), [])
    var counts: [String: Int] = [:]
    try rows.forEachBatch { batch in
      counts[batch.className, default: 0] += batch.count
      XCTAssertEqual(batch.isMatching, [Bool](repeating: true, count: batch.count))
    }
    XCTAssertEqual(counts, ["Dog": 10, "Poodle": 10])
  }

  func testConditionsSelectRowsOfSubclasses() throws {
    let rows = try animals().rows(ofClass: "Animal", includingSubclasses: true)
    XCTAssertEqual(
      try rows.where("age", atLeast: 24).column("name", as: String.self), ["dog 24", "poodle 25", "dog 27"])
    XCTAssertEqual(
      try rows.where("name", isIn: ["dog 3", "poodle 1", "stone"]).column("age", as: Int?.self), [1, 3])
    XCTAssertEqual(try rows.where("age", equals: nil).ids().count, 5)
    XCTAssertEqual(try rows.where("age", equals: nil).where("name", atMost: "poodle 10").ids().count, 1)
  }

  func testColumnIsNilForSubclassesWithoutIt() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("Base", properties: [])
    try builder.addClass(
      "One", superclass: "Base", properties: [.init("key", type: Int.self, isKeyed: true, declaredBy: "Base")]
    )
    try builder.addClass("Two", superclass: "Base", properties: [])
    _ = try builder.addObject(ofClass: "One", ["key": 1])
    _ = try builder.addObject(ofClass: "Two", [:])
    _ = try builder.addObject(ofClass: "One", [:])
    let rows = try ArchiveFile(bytes: builder.finish()).rows(ofClass: "Base", includingSubclasses: true)
    XCTAssertEqual(try rows.column("key", as: Int?.self), [1, nil, nil])
    XCTAssertEqual(try rows.column("key"), [1, nil, nil])
    XCTAssertEqual(try rows.where("key", equals: nil).ids().map(\.rawValue), [2, 3])
    XCTAssertEqual(try rows.where("key", atLeast: 0).ids().map(\.rawValue), [1])
    XCTAssertThrowsError(try rows.where("key", atLeast: 0).where("key", equals: nil).column("other"))
    assertThrows(.valueOutOfRange) { try rows.column("key", as: Int.self) }
  }

  // MARK: Equality

  /// Returns a file with an object for each value. Key `k` has the value, and key `n` has the index of the
  /// value.
  private func rows(_ type: String, _ values: [ArchiveValue], hasDirectory: Bool = true) throws -> ArchiveRows
  {
    let builder = try ArchiveBuilder(roots: [], hasChunkDirectory: hasDirectory)
    try builder.addClass("C", properties: [.init("k", type: type), .init("n", type: Int.self)])
    for (index, value) in values.enumerated() {
      _ = try builder.addObject(ofClass: "C", ["k": value, "n": .integer(Int128(index))])
    }
    let file = try ArchiveFile(bytes: builder.finish())
    file.trustsChunkDirectory = hasDirectory
    return try file.rows(ofClass: "C")
  }

  func testEqualityConditionWorksForEachKindOfValue() throws {
    let uuid = [UInt8](1...16)
    let mood = { (name: String) in ArchiveValue.enumeration(name: "Mood", case: name, payload: nil) }
    let kinds: [(type: String, values: [ArchiveValue])] = [
      ("B", [true, false]), ("c", [-3, 4]), ("Q", [.integer(1 << 63), 7]), ("t", [.integer(.min), 5]),
      ("T", [.unsigned(.max), .unsigned(3)]), ("f", [.float(0.5), .float(2)]), ("d", [0.1, -0.0]),
      (#"@"NSString""#, ["e\u{301}", "\u{e9}"]), (#"@"NSDate""#, [.date(7.5), .date(-1)]),
      (#"@"NSData""#, [.data([1]), .data([])]), (#"@"NSUUID""#, [.uuid(uuid), .uuid(uuid.reversed())]),
      (#"@"NSDecimalNumber""#, [.decimal("1.5"), .decimal("2")]),
      (#"@"NSURL""#, [.url("a", base: nil), .url("b", base: nil)]),
      (#"$(Mood="glad""sad")"#, [mood("glad"), mood("sad")]),
    ]
    for (type, values) in kinds {
      for hasDirectory in [true, false] {
        let plain = try rows(type, values, hasDirectory: hasDirectory)
        let optional = try rows("$?" + type, values + [nil], hasDirectory: hasDirectory)
        for (index, value) in values.enumerated() {
          XCTAssertEqual(
            try plain.where("k", equals: value).column("n", as: Int.self), [index], "\(type) \(value)")
          XCTAssertEqual(
            try optional.where("k", isIn: [value, nil]).column("n", as: Int.self), [index, 2], type)
          XCTAssertEqual(try optional.where("k", isIn: [value]).column("n", as: Int.self), [index], type)
        }
        XCTAssertEqual(try plain.where("k", isIn: values).ids().count, 2, type)
        XCTAssertEqual(try plain.where("k", isIn: [] as [ArchiveValue]).ids(), [], type)
        XCTAssertEqual(try optional.where("k", equals: nil).column("n", as: Int.self), [2], type)
        XCTAssertEqual(try plain.where("k", equals: nil).ids(), [], type)
      }
    }
    XCTAssertEqual(try rows(#"$(Mood="glad""sad")"#, [mood("sad")]).where("k", equals: "sad").ids().count, 1)
  }

  func testConditionsAcceptSwiftValues() throws {
    let text = "b"
    let names = try rows(#"@"NSString""#, ["a", "b", "c"])
    XCTAssertEqual(try names.where("k", equals: text).column("n", as: Int.self), [1])
    XCTAssertEqual(try names.where("k", isIn: Set(["a", "c"])).column("n", as: Int.self), [0, 2])
    XCTAssertEqual(try names.where("k", isIn: [text]).column("n", as: Int.self), [1])
    XCTAssertEqual(try names.where("k", atLeast: text).column("n", as: Int.self), [1, 2])
    let number = 5
    let numbers = try rows("$?q", [5, nil, 6])
    XCTAssertEqual(try numbers.where("k", equals: number).column("n", as: Int.self), [0])
    XCTAssertEqual(try numbers.where("k", equals: nil as Int?).column("n", as: Int.self), [1])
    XCTAssertEqual(try numbers.where("k", isIn: [number, nil]).column("n", as: Int.self), [0, 1])
    XCTAssertEqual(try numbers.where("k", atMost: UInt8(5)).column("n", as: Int.self), [0])
    XCTAssertEqual(try rows("B", [true]).where("k", equals: true).ids().count, 1)
    assertThrows(.typeMismatch) { try numbers.where("k", equals: text) }
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("C", properties: [.init("next", type: ObjectID?.self)])
    let first = try builder.addObject(ofClass: "C", ["next": .reference(nil)])
    let second = try builder.addObject(ofClass: "C", ["next": .reference(first)])
    let objects = try ArchiveFile(bytes: builder.finish()).rows(ofClass: "C")
    XCTAssertEqual(try objects.where("next", equals: first).ids(), [second])
    XCTAssertEqual(try objects.where("next", equals: nil as ObjectID?).ids(), [first])
    XCTAssertEqual(try objects.where("next", equals: nil).ids(), [first])
    XCTAssertEqual(try objects.where("next", isIn: [first, nil]).ids(), [first, second])
  }

  // MARK: Paths

  private func addresses(hasDirectory: Bool) throws -> ArchiveRows {
    func address(_ city: String, _ number: Int?) -> ArchiveValue {
      .structure(
        name: "Address",
        fields: [
          .init(name: "number", value: number.map { .integer(Int128($0)) } ?? .null),
          .init(
            name: "city",
            value: .structure(name: "City", fields: [.init(name: "name", value: .string(city))])),
        ])
    }
    return try rows(
      #"$?{Address="number"$?q"city"{City="name"@"NSString"}}"#,
      [address("Delft", 1), nil, address("Gouda", nil), address("Delft", 3)], hasDirectory: hasDirectory)
  }

  func testConditionPathsReachFieldsOfStructures() throws {
    for hasDirectory in [true, false] {
      let rows = try addresses(hasDirectory: hasDirectory)
      func found(_ rows: ArchiveRows) throws -> [Int] { try rows.column("n", as: Int.self) }
      XCTAssertEqual(try found(rows.where("k.city.name", equals: "Delft")), [0, 3])
      XCTAssertEqual(try found(rows.where("k.city.name", isIn: ["Gouda", nil])), [1, 2])
      XCTAssertEqual(try found(rows.where("k.number", atLeast: 2)), [3])
      XCTAssertEqual(try found(rows.where("k.number", equals: nil)), [1, 2])
      XCTAssertEqual(try found(rows.where("k.number")), [0, 3])
      XCTAssertEqual(try rows.column("k.number", as: Int?.self), [1, nil, nil, 3])
      XCTAssertEqual(try rows.column("k.city.name", as: String?.self), ["Delft", nil, "Gouda", "Delft"])
      XCTAssertEqual(try rows.column("k.city.name"), ["Delft", nil, "Gouda", "Delft"])
      XCTAssertEqual(try rows.where("k.number").column("k.city.name", as: String?.self), ["Delft", "Delft"])
      assertThrows(.valueOutOfRange) { try rows.column("k.city.name", as: String.self) }
    }
  }

  func testPropertyKeysMayContainDots() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass(
      "C",
      properties: [
        .init("a", type: #"{A="b"q}"#), .init("a.c", type: Int.self), .init("a.b", type: Int.self),
      ])
    let value = ArchiveValue.structure(name: "A", fields: [.init(name: "b", value: 1)])
    _ = try builder.addObject(ofClass: "C", ["a": value, "a.c": 2, "a.b": 3])
    let rows = try ArchiveFile(bytes: builder.finish()).rows(ofClass: "C")
    XCTAssertEqual(try rows.column("a.b", as: Int.self), [3])
    XCTAssertEqual(try rows.column("a.c", as: Int.self), [2])
    XCTAssertEqual(try rows.where("a.b", equals: 3).ids().count, 1)
  }

  func testErrorForWrongNameListsTheValidNames() throws {
    let rows = try addresses(hasDirectory: false)
    func assertNamed(
      _ code: ArchiveError.Code, _ expected: String, line: UInt = #line, _ body: () throws -> ArchiveRows
    ) {
      XCTAssertEqual(assertThrows(code, line: line, body)?.expected, expected, line: line)
    }
    assertNamed(.missingKey, "one of the keys 'k', 'n'") { try rows.where("m", equals: 1) }
    assertNamed(.missingKey, "one of the keys 'k', 'n'") { try rows.where("m.city", atLeast: 1) }
    assertNamed(.missingKey, "one of the fields 'number', 'city'") { try rows.where("k.town", equals: 1) }
    assertNamed(.missingKey, "one of the fields 'name'") { try rows.where("k.city.nam", equals: "a") }
    assertNamed(.typeMismatch, "a path in which each field belongs to a structure") {
      try rows.where("n.city", equals: 1)
    }
    assertNamed(
      .typeMismatch, "a column without collections and structures, and a value of the column's type"
    ) {
      try rows.where("k", equals: 1)
    }
    assertNamed(.unknownClass, "the coded name of a class in the file, such as 'C'") {
      try rows.file.rows(ofClass: "D")
    }
    let moods = try self.rows(#"$(Mood="glad""sad")"#, [])
    assertNamed(.unknownCase, "one of the cases 'glad', 'sad'") { try moods.where("k", equals: "mad") }
  }

  // MARK: Several tasks

  func testIDRangesContainEachRowOnce() throws {
    let builder = try ArchiveBuilder(roots: [], hasChunkDirectory: true)
    try builder.addClass("C", properties: [.init("n", type: Int.self), .init("root", type: Double.self)])
    let count = RandomTrials.size(usually: 12_000, exhaustively: 300_000)
    for first in stride(from: 0, to: count, by: 1000) {
      let numbers = Array(first..<first + 1000)
      _ = try builder.addObjects(
        ofClass: "C", columns: [.init("n", numbers), .init("root", numbers.map { Double($0).squareRoot() })])
    }
    var bytes = try builder.finish()
    if !RandomTrials.isExhaustive {
      // If the segments are smaller, fewer rows fill several segments.
      bytes = try ArchiveArrangement.arrange(bytes, segmentByteCount: 1 << 15, hasChunkDirectory: true)
    }
    let file = try ArchiveFile(bytes: bytes)
    let rows = try file.rows(ofClass: "C")
    XCTAssertGreaterThan(file.rowsSegments.count, 1)
    for wanted in [1, 2, 3, 100] {
      let ranges = rows.idRanges(atMost: wanted)
      XCTAssertEqual(ranges.count, min(wanted, file.rowsSegments.count))
      XCTAssertEqual(
        try ranges.flatMap { try rows.where(ids: $0).column("n", as: Int.self) }, Array(0..<count))
    }
    let some = rows.where(ids: ObjectID(rawValue: 11)...ObjectID(rawValue: 20))
    XCTAssertEqual(try some.column("n", as: Int.self), Array(10..<20))
    XCTAssertEqual(
      try some.where(ids: ObjectID(rawValue: 15)...ObjectID(rawValue: 90)).column("n", as: Int.self),
      Array(14..<20))
    XCTAssertEqual(
      try some.where(ids: ObjectID(rawValue: 50)...ObjectID(rawValue: 90)).column("n", as: Int.self), [])
    XCTAssertEqual(try some.where("n", atLeast: 18).ids().map(\.rawValue), [19, 20])
    XCTAssertEqual(
      try ArchiveFile(bytes: ArchiveBuilder(roots: []).finish()).rows(ofClass: "$roots").idRanges(atMost: 2)
        .count, 1)
  }

  func testTasksCanReadColumnsConcurrently() async throws {
    let builder = try ArchiveBuilder(roots: [], compression: .zlib, hasChunkDirectory: true)
    try builder.addClass("C", properties: [.init("n", type: Int.self), .init("text", type: String.self)])
    let count = 40_000
    let numbers = Array(0..<count)
    _ = try builder.addObjects(
      ofClass: "C", columns: [.init("n", numbers), .init("text", numbers.map { "text \($0 % 1000)" })])
    let file = try ArchiveFile(bytes: builder.finish())
    let ranges = try file.rows(ofClass: "C").idRanges(atMost: 4)
    for (isVerified, isTrusted) in [(false, false), (false, true), (true, false)] {
      if isVerified { try file.verify() }
      file.trustsChunkDirectory = isTrusted
      let source = file.source
      let sums = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for range in ranges + ranges {
          group.addTask {
            let file = try ArchiveFile(source)
            XCTAssertEqual(try file.usableDirectory() != nil, isVerified || isTrusted)
            let rows = try file.rows(ofClass: "C").where(ids: range)
            let texts = try rows.column("text", as: String.self)
            let values = try rows.column("n", as: Int.self)
            XCTAssertEqual(texts, values.map { "text \($0 % 1000)" })
            XCTAssertEqual(try file.rowCount(ofClass: "C"), 40_000)
            return (values.count, values.reduce(0, +))
          }
        }
        return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
      }
      XCTAssertEqual(sums.0, 2 * count)
      XCTAssertEqual(sums.1, count * (count - 1))
    }
  }
}
