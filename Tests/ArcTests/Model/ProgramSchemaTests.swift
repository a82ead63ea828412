import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The schema of a program as text, in a stable order.
final class ProgramSchemaTests: XCTestCase {
  func testSchemaTextDescribesTheDeclarations() throws {
    let classes = ClassTable(scope: .declared)
    try classes.register(Atlas.self, formerly: "OldAtlas", "V1.Atlas")
    XCTAssertEqual(
      try SchemaSnapshot(of: [Place].self, classes: classes).description,
      #"""
      Arc schema 1

      root root: [Place] | $[@"SchemaPlace"]

      class SchemaAtlas: SchemaBook, was OldAtlas, V1.Atlas
        scale: Double | default | d

      class SchemaBook
        places: [SchemaPlace] | default | $[@"SchemaPlace"]

      class SchemaGuide: SchemaBook, keyed

      class SchemaPlace
        title: String | let, required, was name, "full name" | @"NSString"
        owner: SchemaGuide | weak, optional | @"SchemaGuide"
        note: String? | default | $?@"NSString"
        spot: SchemaSpot | required | {SchemaSpot="x"d"y"d}
        in SchemaSpot: x was left, lft

      """#.replacingOccurrences(of: "[Place] |", with: "[SchemaPlace] |"))
  }

  func testParsedSchemaTextEqualsTheWrittenSchema() throws {
    let snapshot = try SchemaSnapshot(of: [Place].self)
    XCTAssertEqual(try SchemaSnapshot(parsing: snapshot.description), snapshot)
  }

  func testOpenClassTableAddsSubclassesToTheSchema() throws {
    let closed = try SchemaSnapshot(of: Place.self, classes: ClassTable(scope: .declared))
    XCTAssertFalse(closed.description.contains("class SchemaAtlas"))
    let open = try SchemaSnapshot(of: Place.self, classes: ClassTable())
    XCTAssertTrue(open.description.contains("\nclass SchemaAtlas: SchemaBook\n"))
  }

  func testEncodingsThatEndInASpaceAreParsed() throws {
    for type in [Float16.self, Float16?.self, [Float16].self] as [any ArchivableValue.Type] {
      let snapshot = try SchemaSnapshot(roots: ["a": type], classes: ClassTable(scope: .declared))
      XCTAssertEqual(try SchemaSnapshot(parsing: snapshot.description), snapshot)
      XCTAssertFalse(snapshot.description.contains(" \n"))
    }
  }

  func testSchemaTextListsTheRoots() throws {
    let snapshot = try SchemaSnapshot(
      roots: ["spots": [Spot].self, "count": Int.self], classes: ClassTable(scope: .declared))
    XCTAssertEqual(
      snapshot.description,
      """
      Arc schema 1

      root spots: [SchemaSpot] | $[{SchemaSpot="x"d"y"d}]
        in SchemaSpot: x was left, lft

      root count: Int | q

      """)
  }

  @MainActor func testTypesOfTheMainActorHaveASchema() throws {
    XCTAssertEqual(
      try SchemaSnapshot(of: Stage.self, classes: ClassTable(scope: .declared)).description,
      "Arc schema 1\n\nroot root: SchemaStage | @\"SchemaStage\"\n\nclass SchemaStage\n  width: Int | default | q\n"
    )
  }

  func testSchemaOfUnarchivableTypeIsAnError() {
    assertNotArchivable { try SchemaSnapshot(of: Unmarked.self, classes: ClassTable(scope: .declared)) }
  }

  private func assertNotArchivable(_ body: () throws -> SchemaSnapshot, line: UInt = #line) {
    assertThrows(.notArchivable, line: line) { try body() }
  }

  func testProgramFilesMatchTheProgramsSchema() throws {
    let book = Atlas()
    book.places = [Place(title: "a", spot: Spot(x: 1, y: 2))]
    let bytes = try Archiver().archive([book] as [Book])
    let snapshot = try SchemaSnapshot(of: [Book].self, classes: ClassTable())
    XCTAssertEqual(try ArchiveFile(bytes: bytes).differences(readBy: snapshot), [])
  }
}

@Archivable("SchemaSpot") private struct Spot {
  @Key("x", "left", "lft") var x: Double
  var y: Double
}
@Archivable("SchemaPlace") private final class Place {
  @Key("title", "name", "full name") let title: String
  weak var owner: Guide?
  var note: String? = nil
  var spot: Spot
  init(title: String, spot: Spot) {
    self.title = title
    self.spot = spot
  }
}
@Archivable("SchemaStage") @MainActor private final class Stage { var width = 1 }
@Archivable("SchemaBook") private class Book {
  var places: [Place] = []
  init() {}
}
@Archivable("SchemaAtlas") private final class Atlas: Book {
  var scale = 1.0
  override init() { super.init() }
}
private final class Guide: Book {
  override class var archiveSchema: ClassSchema { ClassSchema(Guide.self, name: "SchemaGuide") }
  required init(from decoder: borrowing ObjectDecoder) throws { try super.init(from: decoder) }
  override func encode(to encoder: borrowing ObjectEncoder) throws {}
  override func link(from decoder: borrowing ObjectDecoder) throws {}
}
private final class Unmarked: Book2 {}
@Archivable private class Book2 {
  var size = 1
  init() {}
}
