import Arc
import ArcArchive
import ArcFormat
import ArcRuntime
import ArcTestSupport
import XCTest

/// Structures and cases that a release adds to the file of a later release, whose fields it does not all
/// have.
final class AbsentFieldTests: XCTestCase {
  /// Returns an archive after a release reads, changes and saves it.
  private func saved<Root: Archivable>(
    _ type: Root.Type, _ bytes: [UInt8], _ change: (Root) -> Void = { _ in }
  ) throws -> [UInt8] {
    try PreservedContent().saved(bytes, as: type) { change($0) }
  }

  private func types(in bytes: [UInt8]) throws -> [String] {
    try ArchiveFile(bytes: bytes).classes.flatMap(\.columns).map { "\($0.attributes)" }
  }

  private func archiveOfSecondBoxes() throws -> [UInt8] {
    let shelf = SecondBoxes.Shelf()
    shelf.boxes = [.init(size: 1, weight: nil, label: "given"), .init(size: 2, weight: 20, owner: nil)]
    shelf.boxes[0].cat = Pet("given")
    return try Archiver().archive(shelf)
  }

  private func addBox(_ size: Int) -> (FirstBoxes.Shelf) -> Void {
    { $0.boxes.append(.init(size: size)) }
  }

  func testStructureAddedByEarlierReleaseGetsInitialValues() throws {
    let bytes = try saved(FirstBoxes.Shelf.self, archiveOfSecondBoxes(), addBox(3))
    let shelf = try Unarchiver().unarchive(SecondBoxes.Shelf.self, from: bytes)
    XCTAssertEqual(shelf.boxes.map(\.size), [1, 2, 3])
    XCTAssertEqual(shelf.boxes.map(\.label), ["given", "initial", "initial"])
    XCTAssertEqual(shelf.boxes.map(\.cat.name), ["given", "initial", "initial"])
  }

  func testNilFieldDiffersFromAnAbsentField() throws {
    var bytes = try archiveOfSecondBoxes()
    for size in 3...4 { bytes = try saved(FirstBoxes.Shelf.self, bytes, addBox(size)) }
    bytes = try saved(SecondBoxes.Shelf.self, bytes) { $0.boxes[3].weight = nil }
    bytes = try saved(FirstBoxes.Shelf.self, bytes, addBox(5))
    let shelf = try Unarchiver().unarchive(SecondBoxes.Shelf.self, from: bytes)
    XCTAssertEqual(shelf.boxes.map(\.weight), [nil, 20, 7, nil, 7])
    XCTAssertEqual(shelf.boxes.map(\.owner?.name), ["owner", nil, "owner", "owner", "owner"])
  }

  func testRepeatedSavesDoNotAddTypes() throws {
    let once = try saved(FirstBoxes.Shelf.self, archiveOfSecondBoxes(), addBox(3))
    let twice = try saved(FirstBoxes.Shelf.self, once, addBox(4))
    XCTAssertEqual(try types(in: twice), try types(in: once))
    // The later release has all fields of its boxes.
    XCTAssertEqual(try types(in: saved(SecondBoxes.Shelf.self, twice)), try types(in: archiveOfSecondBoxes()))
  }

  func testLazyArchiveReadsInitialValuesOfAbsentFields() throws {
    let bytes = try saved(FirstBoxes.Shelf.self, archiveOfSecondBoxes(), addBox(3))
    let session = try LazyArchive(bytes: bytes)
    XCTAssertEqual(try session.value(SecondBoxes.Box.self, at: "root.boxes[2]").weight, 7)
    XCTAssertNil(try session.value(SecondBoxes.Box.self, at: "root.boxes[0]").weight)
    XCTAssertEqual(try session.object(SecondBoxes.Shelf.self).boxes.map(\.label).last, "initial")
  }

  func testRenamedAbsentFieldGetsItsInitialValue() throws {
    let bytes = try saved(FirstBoxes.Shelf.self, archiveOfSecondBoxes(), addBox(3))
    let latest = try saved(ThirdBoxes.Shelf.self, bytes) { $0.boxes.append(.init(size: 4)) }
    for bytes in [bytes, latest, try saved(FirstBoxes.Shelf.self, latest)] {
      let shelf = try Unarchiver().unarchive(ThirdBoxes.Shelf.self, from: bytes)
      XCTAssertEqual(shelf.boxes.prefix(3).map(\.title), ["given", "initial", "untitled"])
      XCTAssertEqual(shelf.boxes.prefix(3).map(\.mass), [nil, 20, 9])
    }
    XCTAssertFalse(try types(in: latest).contains { $0.contains("label") })
  }

  func testAbsentFieldWithoutInitialValueIsReported() throws {
    let bytes = try saved(FirstBoxes.Shelf.self, archiveOfSecondBoxes(), addBox(3))
    XCTAssertEqual(
      assertThrows(.missingKey) { try Unarchiver().unarchive(StrictBoxes.Shelf.self, from: bytes) }?.remedy,
      "give the field an initial value, or declare it optional")
    let differences = try Unarchiver().differences(
      in: ArchiveFile(bytes: bytes), readAs: StrictBoxes.Shelf.self)
    XCTAssertTrue(differences.contains { $0.found.contains("where some structures lack 'label'") })
  }

  func testInvalidIndexesOfAbsentFieldsAreIgnored() throws {
    let text = #"T{Box="size"q"weight"$?q},N,V_box,"absent"0 2 99 -1 x"#
    let attributes = try PropertyAttributes(parsing: text)
    XCTAssertEqual(attributes.nodesOfAbsentFields, [0, 2, 99, -1])
    let layout = try ColumnLayout(valuesOf: attributes)
    XCTAssertEqual(layout.nodes.indices.filter { layout.nodes[$0].isAbsentIfNil }, [2])
  }
}

@Archivable("AbsentFieldTests.Pet") private final class Pet {
  var name = ""
  init(_ name: String) { self.name = name }
}

private enum FirstBoxes {
  @Archivable("AbsentFieldTests.Box") struct Box { var size = 0 }
  @Archivable("AbsentFieldTests.Shelf") final class Shelf { var boxes: [Box] = [] }
}

private enum SecondBoxes {
  @Archivable("AbsentFieldTests.Box") struct Box {
    var size = 0
    var weight: Int? = 7
    var label = "initial"
    var cat = Pet("initial")
    var owner: Pet? = Pet("owner")
  }
  @Archivable("AbsentFieldTests.Shelf") final class Shelf { var boxes: [Box] = [] }
}

private enum ThirdBoxes {
  @Archivable("AbsentFieldTests.Box") struct Box {
    @Key("mass", "weight") var mass: Int? = 9
    var size = 0
    @Key("title", "label") var title = "untitled"
  }
  @Archivable("AbsentFieldTests.Shelf") final class Shelf { var boxes: [Box] = [] }
}

private enum StrictBoxes {
  @Archivable("AbsentFieldTests.Box") struct Box {
    var size: Int
    var label: String
  }
  @Archivable("AbsentFieldTests.Shelf") final class Shelf { var boxes: [Box] = [] }
}
