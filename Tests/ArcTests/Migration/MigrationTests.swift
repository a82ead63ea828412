import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Objects of older versions of a program. The classes of the current version migrate them before they are
/// built.
final class MigrationTests: XCTestCase {
  // MARK: Values

  func testMigrateMethodConvertsTheStoredValues() throws {
    let sheet = try migrated(Version1.Sheet([Version1.Line("a", width: 25), Version1.Line("b", width: 5)]))
    XCTAssertEqual(sheet.lines.map(\.width), [2.5, 0.5])
    XCTAssertEqual(sheet.lines.map(\.title), ["A", "B"])
  }

  func testFilesOfThePresentVersionAreNotMigrated() throws {
    let sheet = Version3.Sheet()
    sheet.lines = [Version3.Line()]
    sheet.lines[0].width = 25
    let bytes = try Archiver().archive(sheet)
    let file = try ArchiveFile(bytes: bytes)
    XCTAssertEqual(file.classes.map(\.version), [0, 0, 3])
    XCTAssertEqual(try Unarchiver().unarchive(Version3.Sheet.self, from: bytes).lines[0].width, 25)
  }

  func testMigrationReceivesTheVersionOfTheFile() throws {
    let sheet = Version2.Sheet()
    sheet.lines = [Version2.Line()]
    let copy = try reread(sheet, as: Version3.Sheet.self)
    // In version 2, only the title has an older form.
    XCTAssertEqual(copy.lines.map(\.width), [7.5])
    XCTAssertEqual(copy.lines.map(\.title), ["SECOND"])
  }

  func testSuperclassMigratesBeforeItsSubclass() throws {
    let dog = Version1.Dog()
    let copy = try reread(dog, as: Version3.Animal.self)
    XCTAssertEqual(copy.name, "dog, animal 0, dog 0")
    let second = try reread(Version2.Dog(), as: Version3.Animal.self)
    XCTAssertEqual(second.name, "dog, dog 1")
    let cat = try reread(Version1.Cat(), as: Version3.Animal.self)
    XCTAssertEqual(cat.name, "cat, animal 0")
  }

  func testHandWrittenCoderReadsMigratedKeys() throws {
    let note = try reread(Version1.Note(text: "one", count: 3), as: Version3.Note.self)
    XCTAssertEqual(note.texts, ["one", "one", "one"])
    XCTAssertEqual(try ArchiveFile(bytes: Archiver().archive(note)).classes.last?.version, 2)
  }

  // MARK: Objects

  func testMigrationTurnsAnObjectIntoAStructure() throws {
    let shared = Version1.Point(1, 2)
    let shape = Version1.Shape([shared, Version1.Point(3, 4), shared])
    shape.center = shared
    let copy = try reread(shape, as: Version3.Shape.self)
    XCTAssertEqual(
      copy.points, [Version3.Point(x: 1, y: 2), Version3.Point(x: 3, y: 4), Version3.Point(x: 1, y: 2)])
    XCTAssertEqual(copy.center, Version3.Point(x: 1, y: 2))
  }

  func testMigrationTurnsAStructureIntoAnObject() throws {
    let person = Version1.Person("Ada", Version1.Address(street: "Main", number: 5))
    let copy = try reread(person, as: Version3.Person.self)
    XCTAssertEqual(copy.name, "Ada")
    XCTAssertEqual(copy.home?.street, "Main 5")
    XCTAssertTrue(copy.home?.owner === copy)
  }

  func testMigrationMergesEqualObjectsAndPreservesCycles() throws {
    let (a, b, c) = (Version1.Tag("x"), Version1.Tag("y"), Version1.Tag("x"))
    (a.next, b.next, c.next) = (b, c, a)
    let copies = try reread([a, b, c, a], as: [Version3.Tag].self)
    XCTAssertEqual(copies.map(\.name), ["x", "y", "x", "x"])
    XCTAssertTrue(copies[0] === copies[2])
    XCTAssertTrue(copies[0].next === copies[1])
    XCTAssertTrue(copies[1].next === copies[0])
    XCTAssertTrue(copies[1].previous === copies[0])
    for tag in [a, b, c] { tag.next = nil }
    for tag in copies { tag.next = nil }
  }

  func testObjectsDroppedByMigrationAreNilOrOmitted() throws {
    let (kept, dropped) = (Version1.Item("kept"), Version1.Item("dropped"))
    let box = Version1.Box()
    box.items = [dropped, kept, dropped]
    box.optionals = [dropped, kept]
    (box.first, box.second) = (dropped, kept)
    box.byName = ["a": dropped, "b": kept]
    let copy = try reread(box, as: Version3.Box.self)
    XCTAssertEqual(copy.items.map(\.name), ["kept"])
    XCTAssertEqual(copy.optionals.map { $0?.name }, [nil, "kept"])
    XCTAssertNil(copy.first)
    XCTAssertTrue(copy.second === copy.items[0])
    XCTAssertEqual(copy.byName.mapValues(\.name), ["b": "kept"])
  }

  func testMigrationCanChangeTheClassOfAnObject() throws {
    let zoo = Version1.Zoo([Version1.Pet("cat"), Version1.Pet("dog"), Version1.Pet("newt")])
    let copy = try reread(
      zoo, as: Version3.Zoo.self,
      classes: ClassTable(registering: [Version3.Kitten.self, Version3.Puppy.self]))
    XCTAssertEqual(copy.pets.map { "\(type(of: $0))" }, ["Kitten", "Puppy", "Pet"])
    XCTAssertEqual(copy.pets.map(\.kind), ["cat", "dog", "newt"])
  }

  func testWeakReferencesReferToMigratedObjects() throws {
    let sheet = Version1.Sheet([Version1.Line("a", width: 10), Version1.Line("b", width: 20)])
    sheet.lines[0].neighbour = sheet.lines[1]
    sheet.lines[1].neighbour = sheet.lines[0]
    let copy = try migrated(sheet)
    XCTAssertTrue(copy.lines[0].neighbour === copy.lines[1])
    XCTAssertTrue(copy.lines[1].neighbour === copy.lines[0])
  }

  func testMigratedObjectsInSeveralSegmentsStayInOrder() throws {
    let count = RandomTrials.size(usually: 1_200, exhaustively: 60_000)
    let lines = (0..<count).map { Version1.Line("line \($0)", width: $0) }
    let segmentBytes = RandomTrials.size(usually: 1 << 13, exhaustively: 1 << 20)
    let bytes = try Archiver(layout: .compact(segmentBytes: segmentBytes)).archive(Version1.Sheet(lines))
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.filter { $0.kind == .rows }.count, 1)
    let copy = try Unarchiver().unarchive(Version3.Sheet.self, from: bytes)
    XCTAssertEqual(copy.lines.count, count)
    for (index, line) in copy.lines.enumerated() where line.width != Double(index) / 10 {
      return XCTFail("\(index): \(line.width)")
    }
  }

  func testCheckReportsThatTheClassMigrates() throws {
    let bytes = try Archiver().archive(Version1.Sheet([Version1.Line("a", width: 1)]))
    let found = try Unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: Version3.Sheet.self)
    XCTAssertEqual(
      found.map(\.description),
      [
        "checked: class 'Line': the file has version 0 of the class, the program has version 3 of the class; "
          + "its migrate(_:from:) converts objects of older versions"
      ])
    let own = try Archiver().archive(Version3.Sheet())
    XCTAssertEqual(try Unarchiver().differences(in: ArchiveFile(bytes: own), readAs: Version3.Sheet.self), [])
  }

  // MARK: Errors

  func testMigrationErrorReportsClassVersionAndObject() throws {
    let bad = try Archiver().archive(
      Version1.Sheet([Version1.Line("a", width: 1), Version1.Line("bad", width: 1)]))
    try assertRefused(
      bad, as: Version3.Sheet.self,
      "migrationFailed: found Unreadable(title: \"bad\"), when class 'Line' migrated an object of version 0 "
        + "(class 'Line', object #3) at root.lines[1]")
  }

  func testMistypedMigratedValueErrorReportsKeyAndType() throws {
    let bytes = try Archiver().archive(Version1.Sheet([Version1.Line("text", width: 1)]))
    try assertRefused(
      bytes, as: Version3.Sheet.self,
      "migrationFailed: found a string for the key 'width', when class 'Line' migrated an object of version 0, "
        + "expected type 'Double' (encoding 'd') (class 'Line', key 'width', object #2) at root.lines[0].width"
    )
  }

  func testReferenceToAMissingObjectIsRefused() throws {
    let bytes = try Archiver().archive(Version1.Sheet([Version1.Line("dangling", width: 1)]))
    try assertRefused(
      bytes, as: Version3.Sheet.self,
      "migrationFailed: found a reference to object #99 for the key 'neighbour', when class 'Line' migrated an "
        + "object of version 0, expected type 'Line' (encoding '@\"Line\"') (class 'Line', key 'neighbour', object #2) "
        + "at root.lines[0].neighbour")
  }

  func testUnknownClassIsRefused() throws {
    let bytes = try Archiver().archive(Version1.Sheet([Version1.Line("class", width: 1)]))
    assertThrows(.migrationFailed, "an object of class 'Nobody', when class 'Line' migrated") {
      try Unarchiver().unarchive(Version3.Sheet.self, from: bytes)
    }
  }

  func testObjectsMergedInACycleAreRefused() throws {
    let bytes = try Archiver().archive(Version1.Sheet([Version1.Line("circle", width: 1)]))
    assertThrows(.danglingReference, "merged into each other in a cycle") {
      try Unarchiver().unarchive(Version3.Sheet.self, from: bytes)
    }
  }

  func testNegativeVersionIsRefusedWhenWriting() {
    assertThrows(.notArchivable, "with the archiveVersion -1") { try Archiver().archive(Version3.Negative()) }
  }

  private func migrated(_ sheet: Version1.Sheet) throws -> Version3.Sheet {
    try reread(sheet, as: Version3.Sheet.self)
  }

  private func assertRefused<Object: Archivable>(
    _ bytes: [UInt8], as type: Object.Type, _ message: String, line: UInt = #line
  ) throws {
    XCTAssertThrowsError(try Unarchiver().unarchive(type, from: bytes), line: line) {
      XCTAssertEqual("\($0)", message, line: line)
    }
  }
}
