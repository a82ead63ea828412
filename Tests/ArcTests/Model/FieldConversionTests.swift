import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The structures of older releases. The current structures convert their fields.
private enum Was {
  @Archivable("Fields.Box") struct Box: Hashable {
    var tenths = 20
    var first = "A"
    var last = "B"
  }
  @Archivable("Fields.Kind") enum Kind {
    case none
    case box(Box)
    case boxes([Box])
  }
  @Archivable("Fields.Room") final class Room {
    var box = Box()
    var boxes: [Box] = []
    var byName: [String: Box] = [:]
    var maybe: Box?
    var kind = Kind.none
    var other = 1
  }
  /// Values of both releases in one file, as after a merge.
  @Archivable("Fields.Box") struct Both {
    var tenths: Int? = 20
    var points: Double?
  }
  @Archivable("Fields.Node") struct Node {
    var weight = 1
    var kids: [Node] = []
    var mark = 0
  }
  @Archivable("Fields.Pet") final class Pet {
    var name = ""
    init(_ name: String) { self.name = name }
  }
  @Archivable("Fields.Home") struct Home {
    var pets: [Pet] = []
    var street = ""
  }
}

private enum Now {
  @Archivable("Fields.Box") struct Box: Hashable {
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points = -1.0
    @Key("full") @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) let full: String?
    @Key("isBig") @Key("tenths", from: Int.self, { $0 > 10 }) var isBig = false
  }
  @Archivable("Fields.Kind") enum Kind: Hashable {
    case none
    case box(Box)
    case boxes([Box])
  }
  @Archivable("Fields.Room") final class Room {
    var box = Box(full: nil)
    var boxes: [Box] = []
    var byName: [String: Box] = [:]
    var maybe: Box?
    var kind = Kind.none
  }
  @Archivable("Fields.Box") struct Points: Hashable {
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points: Double?
    var label = "none"
  }
  @Archivable("Fields.Box") struct Required: Hashable {
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) let points: Double
  }
  @Archivable("Fields.Box") struct Bare: Hashable { var note = "n" }
  @Archivable("Fields.Node") struct Node: Hashable {
    var mark = 0
    @Key("byName")
    @Key("kids", from: [Now.Node].self, { Dictionary(uniqueKeysWithValues: $0.map { ("\($0.mark)", $0) }) })
    var byName: [String: Node] = [:]
    @Key("mass") @Key("weight", from: Int.self, { Double($0) }) var mass = 0.5
  }
  @Archivable("Fields.Pet") final class Pet {
    var name = ""
    init(_ name: String) { self.name = name }
  }
  @Archivable("Fields.Home") struct Home {
    @Key("first") @Key("pets", from: [Now.Pet].self, { $0.first }) var first: Pet?
    @Key("count") @Key("pets", from: [Now.Pet].self, { $0.count }) var count = -1
    var street = ""
  }
}

/// Fields of structures are converted from fields of older files: `@Key("older", from:)`.
final class FieldConversionTests: XCTestCase {
  private func box(_ tenths: Int) -> Was.Box { Was.Box(tenths: tenths, first: "A", last: "\(tenths)") }
  private func converted(_ tenths: Int) -> Now.Box {
    Now.Box(points: Double(tenths) / 10, full: "A \(tenths)", isBig: tenths > 10)
  }

  private func room() -> Was.Room {
    let room = Was.Room()
    (room.box, room.boxes, room.maybe) = (box(1), [box(20), box(3)], box(4))
    (room.byName, room.kind) = (["k": box(50)], .boxes([box(6), box(7)]))
    return room
  }

  private func assertIsConverted(_ room: Now.Room, line: UInt = #line) {
    XCTAssertEqual(room.box, converted(1), line: line)
    XCTAssertEqual(room.boxes, [converted(20), converted(3)], line: line)
    XCTAssertEqual(room.byName, ["k": converted(50)], line: line)
    XCTAssertEqual(room.maybe, converted(4), line: line)
    XCTAssertEqual(room.kind, .boxes([converted(6), converted(7)]), line: line)
  }

  // MARK: Reading

  func testOlderFieldsAreConvertedWhereverTheStructureOccurs() throws {
    let bytes = try Archiver().archive(room())
    let room = try Unarchiver().unarchive(Now.Room.self, from: bytes)
    assertIsConverted(room)
    try assertIsConverted(LazyArchive(bytes: bytes).object(Now.Room.self, at: "root"))
    try assertIsConverted(roundTrip(room))
    try assertIsConverted(ObjectGraph.copy(room))
    XCTAssertEqual(try reread([box(8), box(90)], as: [Now.Box].self), [converted(8), converted(90)])
    XCTAssertEqual(try reread(Was.Kind.box(box(2)), as: Now.Kind.self), .box(converted(2)))
  }

  func testOlderFieldsAreNotWritten() throws {
    let file = try ArchiveFile(bytes: Archiver().archive([Now.Box(full: nil)]))
    XCTAssertEqual(
      try file.roots()["root"]?.elements?.first,
      .structure(
        name: "Fields.Box",
        fields: [
          .init(name: "points", value: -1.0), .init(name: "full", value: nil),
          .init(name: "isBig", value: false),
        ]))
  }

  func testCurrentFieldOverridesOlderFieldEvenIfNil() throws {
    func read(_ values: [Was.Both]) throws -> [Double?] {
      try reread(values, as: [Now.Points].self).map(\.points)
    }
    XCTAssertEqual(
      try read([.init(points: 7), .init(points: nil), .init(tenths: nil, points: nil)]), [7, nil, nil])
  }

  func testFieldWithoutStoredValueKeepsItsInitialValue() throws {
    let bytes = try Archiver().archive([Now.Bare()])
    XCTAssertEqual(
      try Unarchiver().unarchive([Now.Box].self, from: bytes), [Now.Box(points: -1, full: nil, isBig: false)])
    XCTAssertEqual(try Unarchiver().unarchive([Now.Points].self, from: bytes), [Now.Points()])
    assertThrows(.missingKey) { try Unarchiver().unarchive([Now.Required].self, from: bytes) }
    XCTAssertEqual(try reread([box(5)], as: [Now.Required].self).map(\.points), [0.5])
  }

  func testOlderFieldsOfRecursiveStructuresAreConverted() throws {
    let tree = Was.Node(
      weight: 1,
      kids: [.init(weight: 2, kids: [.init(weight: 3, mark: 33)], mark: 22), .init(weight: 4, mark: 44)],
      mark: 11)
    let found = try reread(tree, as: Now.Node.self)
    let inner = Now.Node(mark: 33, mass: 3)
    XCTAssertEqual(
      found,
      Now.Node(
        mark: 11,
        byName: ["22": .init(mark: 22, byName: ["33": inner], mass: 2), "44": .init(mark: 44, mass: 4)],
        mass: 1))
    XCTAssertEqual(try roundTrip(found), found)
  }

  func testOlderFieldsMayReferToObjects() throws {
    let homes = [Was.Home(pets: [Was.Pet("a"), Was.Pet("b")], street: "s"), Was.Home()]
    let classes = try ClassTable(declaring: Now.Pet.self)
    let found = try reread(homes, as: [Now.Home].self, classes: classes)
    XCTAssertEqual(found.map(\.count), [2, 0])
    XCTAssertEqual(found.map(\.first?.name), ["a", nil])
    XCTAssertEqual(found.map(\.street), ["s", ""])
  }

  // MARK: Preserving

  func testPreservingSaveReplacesTheOlderFields() throws {
    let unknown = PreservedContent()
    let room = try Unarchiver(unknownContent: .preserve(in: unknown)).unarchive(
      Now.Room.self, from: Archiver().archive(room()))
    room.boxes[0].points = 9
    let saved = try Archiver(preserving: unknown).archive(room)
    let file = try ArchiveFile(verifying: saved)
    let object = try XCTUnwrap(file.roots()["root"]?.objectID)
    XCTAssertEqual(try file.object(object)["other"], 1)
    guard case .structure(_, let fields)? = try file.object(object)["boxes"]?.elements?.first else {
      return XCTFail("no structure")
    }
    XCTAssertEqual(fields.map(\.name), ["points", "full", "isBig"])
    XCTAssertEqual(fields.map(\.value), [9.0, "A 20", true])
    let again = try Unarchiver().unarchive(Now.Room.self, from: saved)
    XCTAssertEqual(again.boxes, room.boxes)
    XCTAssertEqual(again.kind, room.kind)
  }

  // MARK: Differences

  func testDifferencesReportConvertedFieldsAsChecked() throws {
    for (bytes, isOld) in [
      (try Archiver().archive(box(1)), true), (try Archiver().archive(Now.Bare()), false),
    ] {
      let file = try ArchiveFile(bytes: bytes)
      let found = try Unarchiver().differences(in: file, readAs: Now.Required.self)
      let snapshot = try file.differences(readBy: SchemaSnapshot(of: Now.Required.self))
      for differences in [found, snapshot] {
        XCTAssertEqual(differences.map(\.effect).max(), isOld ? .lossy : .refused, "\(differences)")
      }
    }
    let box = try ArchiveFile(bytes: Archiver().archive([self.box(1)]))
    XCTAssertEqual(try Unarchiver().differences(in: box, readAs: [Now.Box].self).map(\.effect), [.checked])
    let room = try ArchiveFile(bytes: Archiver().archive(self.room()))
    XCTAssertEqual(
      Set(try Unarchiver().differences(in: room, readAs: Now.Room.self).map(\.effect)), [.checked, .lossy])
    let new = try ArchiveFile(bytes: Archiver().archive([Now.Box(full: nil)]))
    XCTAssertEqual(try Unarchiver().differences(in: new, readAs: [Now.Box].self).count, 0)
  }

  func testSchemaSnapshotListsFieldConversions() throws {
    let schema = try SchemaSnapshot(of: Now.Room.self)
    let text = "\(schema)"
    for line in ["points from tenths", "full from first + last", "isBig from tenths"] {
      XCTAssertTrue(text.contains("  in Fields.Box: \(line)\n"), text)
    }
    let parsed = try SchemaSnapshot(parsing: text)
    XCTAssertEqual(parsed, schema)
    XCTAssertEqual(try schema.differences(readingFilesOf: parsed).count, 0)
    XCTAssertEqual(try SchemaSnapshot(of: Was.Room.self).lines.filter { $0.contains(" from ") }, [])
    XCTAssertEqual(
      try schema.differences(readingFilesOf: SchemaSnapshot(of: Was.Room.self)).map(\.effect).max(), .lossy)
    let without = try SchemaSnapshot(
      parsing: text.replacingOccurrences(of: "isBig from tenths", with: "isBig from tenths, from gone"))
    XCTAssertTrue(
      try schema.differences(readingFilesOf: without).contains { $0.remedy?.contains("\"gone\"") ?? false })
  }
}
