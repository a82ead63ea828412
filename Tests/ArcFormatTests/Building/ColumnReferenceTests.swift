import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// References between objects whose values are set by column, and invalid columns.
final class ColumnReferenceTests: XCTestCase {
  private typealias Property = ArchiveBuilder.Property
  private typealias Column = ArchiveBuilder.Column

  func testColumnsCanReferToLaterObjects() throws {
    let builder = try ArchiveBuilder(roots: [Property("all", type: [ObjectID].self)])
    try builder.addClass(
      "Node",
      properties: [
        Property("next", type: ObjectID?.self), Property("near", type: [[ObjectID?]].self),
        Property("back", attributes: #"T@"Node",W"#),
      ])
    try builder.addClass("Leaf", superclass: "Node", properties: [Property("n", type: Int.self)])
    // Rows 1, 3 and 4 are nodes, rows 2 and 5 are leaves.
    let classes = ["Node", "Leaf", "Node", "Node", "Leaf"]
    let ids = try classes.map { try builder.reserveObject(ofClass: $0) }
    let (nodes, leaves) = ([ids[3], ids[0], ids[2]], [ids[4], ids[1]])
    try builder.setValues([Column("n", [5, 2]), Column("next", [nil, ids[4]])], of: leaves)
    try builder.setValues(
      [
        Column("next", [ids[4], ids[1], ids[2]]), Column("near", [[[ids[4], nil], []], [], [[ids[0]]]]),
        Column("back", [nil, ids[3], ids[4]]),
      ], of: nodes)
    try builder.setRoots(["all": ids.reversed() as [ObjectID]])
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(try file.roots()["all"], .array(ids.reversed().map { .reference($0) }))
    let rows = try file.rows(ofClass: "Node")
    XCTAssertEqual(try rows.column("next", as: ObjectID?.self), [ids[1], ids[2], ids[4]])
    XCTAssertEqual(try rows.column("near", as: [[ObjectID?]].self), [[], [[ids[0]]], [[ids[4], nil], []]])
    XCTAssertEqual(try rows.column("back", as: ObjectID?.self), [ids[3], ids[4], nil])
    XCTAssertEqual(try file.rows(ofClass: "Leaf").column("n", as: Int.self), [2, 5])
    XCTAssertEqual(try file.rows(ofClass: "Leaf").column("next", as: ObjectID?.self), [ids[4], nil])
  }

  func testErrorForInvalidReferenceNamesTheObject() throws {
    func id(_ row: UInt32) -> ObjectID { ObjectID(rawValue: row) }
    let mistakes: [(String, Column, ArchiveError.Code)] = [
      ("any", Column("any", [id(1), id(9)]), .danglingReference),
      ("any", Column("any", [id(1), id(0)]), .danglingReference),
      ("any", Column("any", [nil, id(.max)]), .danglingReference),
      ("leaf", Column("leaf", [id(2), id(1)]), .wrongClass),
      ("leaf", Column("leaf", [nil, id(3)]), .wrongClass),
      ("none", Column("none", [nil, id(1)]), .wrongClass),
      ("early", Column("early", [id(1), id(4)]), .constructionOrder),
      ("many", Column("many", [[[id(1)]], [[id(1), nil], [id(7)]]]), .danglingReference),
    ]
    for (key, column, code) in mistakes {
      let builder = try ArchiveBuilder(roots: [])
      try builder.addClass("Base", properties: [])
      try builder.addClass("Leaf", superclass: "Base", properties: [])
      try builder.addClass(
        "C",
        properties: [
          Property("any", type: ObjectID?.self), Property("leaf", type: #"@"Leaf""#),
          Property("none", type: #"@"None""#),
          Property("early", type: ObjectID?.self, isConstruction: true),
          Property("many", type: [[ObjectID?]].self),
        ])
      try builder.addObject(ofClass: "Base", [:])
      try builder.addObject(ofClass: "Leaf", [:])
      XCTAssertThrowsError(try builder.addObjects(ofClass: "C", columns: [column]), key) {
        let error = $0 as? ArchiveError
        XCTAssertEqual(error?.code, code, key)
        XCTAssertEqual(error?.key, key)
        XCTAssertEqual(error?.className, "C")
        XCTAssertEqual(error?.objectID, id(4), key)
      }
      let file = try ArchiveFile(verifying: builder.finish())
      XCTAssertEqual(file.rowCount, 3)
    }
  }

  func testInvalidColumnsAreRefusedAndNotWritten() throws {
    let mistakes: [([Column], ArchiveError.Code)] = [
      ([Column("n", [1, 2]), Column("s", ["a"])], .invalidUse),
      ([Column("s", ["a"]), Column("n", [] as [Int])], .invalidUse),
      ([Column("s", ["a", "b"])], .missingKey),
      ([Column("n", [1]), Column("s", ["a"]), Column("x", [1])], .missingKey),
      ([Column("n", [1]), Column("s", ["a"]), Column("n", [2])], .duplicateKey),
      ([Column("n", [1]), Column(.init("s", declaredBy: "Other"), ["a"])], .missingKey),
      ([Column("n", ["1"]), Column("s", ["a"])], .typeMismatch),
      ([Column("n", [1] as [Int32]), Column("s", ["a"])], .typeMismatch),
      ([Column("n", [1] as [UInt]), Column("s", ["a"])], .typeMismatch),
      ([Column("n", [1] as [Int?]), Column("s", ["a"])], .typeMismatch),
      ([Column("n", [[1]]), Column("s", ["a"])], .typeMismatch),
      ([Column("n", [.integer(1), .string("")]), Column("s", ["a", "b"])], .typeMismatch),
      ([Column("n", [ObjectID(rawValue: 1)]), Column("s", ["a"])], .typeMismatch),
    ]
    for (columns, code) in mistakes {
      let builder = try ArchiveBuilder(roots: [])
      try builder.addClass(
        "C", properties: [Property("n", type: Int.self), Property("s", type: String.self)])
      assertThrows(code) { try builder.addObjects(ofClass: "C", columns: columns) }
      try builder.addObjects(ofClass: "C", columns: [Column("n", [1]), Column("s", ["a"])])
      let file = try ArchiveFile(verifying: builder.finish())
      XCTAssertEqual(file.rowCount, 2)
    }
  }

  func testSettingValuesOfWrongObjectsIsRefused() throws {
    let builder = try ArchiveBuilder(roots: [Property("n", type: Int.self)])
    try builder.addClass("A", properties: [Property("n", type: Int.self)])
    try builder.addClass("B", properties: [Property("n", type: Int.self)])
    let ids = try builder.reserveObjects(ofClass: "A", count: 3)
    let other = try builder.reserveObject(ofClass: "B")
    assertThrows(.unknownClass) { try builder.reserveObjects(ofClass: "X", count: 1) }
    assertThrows(.unknownClass) { try builder.reserveObjects(ofClass: "$roots", count: 1) }
    assertThrows(.unknownClass) { try builder.addObjects(ofClass: "X", columns: []) }
    assertThrows(.invalidUse) { try builder.reserveObjects(ofClass: "A", count: -1) }
    assertThrows(.limitExceeded) { try builder.reserveObjects(ofClass: "A", count: .max) }
    assertThrows(.limitExceeded) { try builder.reserveObjects(ofClass: "A", count: Int(UInt32.max)) }
    assertThrows(.invalidUse) { try builder.setValues([Column("n", [1, 2])], of: ids) }
    assertThrows(.invalidUse) { try builder.setValues([Column("n", [1])], of: []) }
    assertThrows(.wrongClass) { try builder.setValues([Column("n", [1, 2])], of: [ids[0], other]) }
    assertThrows(.duplicateKey) { try builder.setValues([Column("n", [1, 2])], of: [ids[0], ids[0]]) }
    for row: UInt32 in [0, 5, .max] {
      assertThrows(.danglingReference) {
        try builder.setValues([Column("n", [1, 2])], of: [ids[0], ObjectID(rawValue: row)])
      }
    }
    assertThrows(.typeMismatch) { try builder.setRoots(["n": "1"]) }
    try builder.setRoots(["n": 1])
    assertThrows(.duplicateKey) { try builder.setRoots(["n": 1]) }
    try builder.setValues([Column("n", [1, 3])], of: [ids[0], ids[2]])
    assertThrows(.duplicateKey) { try builder.setValues([Column("n", [1, 2, 3])], of: ids) }
    assertThrows(.danglingReference) { try builder.finish() }
    try builder.setValues(["n": 2], of: ids[1])
    try builder.setValues(["n": 4], of: other)
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(try file.rows(ofClass: "A").column("n", as: Int.self), [1, 2, 3])
    XCTAssertEqual(try file.rows(ofClass: "B").column("n", as: Int.self), [4])
    assertThrows(.invalidUse) { try builder.setValues([Column("n", [1])], of: [other]) }
    assertThrows(.invalidUse) { try builder.addObjects(ofClass: "A", columns: [Column("n", [1])]) }
  }
}
