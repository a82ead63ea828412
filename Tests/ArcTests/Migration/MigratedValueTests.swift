import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Structures and cases that a migration sets by one call.
final class MigratedValueTests: XCTestCase {
  private func plot(_ change: @escaping (inout MigratedObject) throws -> Void) throws -> Plot {
    try Plot.$change.withValue(Change(run: change)) {
      try reread(EarlierPlot(), as: Plot.self)
    }
  }

  func testMigrationCreatesAStructureFromNamedFields() throws {
    let found = try plot {
      $0["size"] = .fields(["height": 4, "width": 3])
      $0["sizes"] = .array([.fields(["width": 1, "height": 2]), .fields(["width": 5, "height": 6])])
      $0["parts"] = .dictionary([.init(key: "a", value: .fields(["width": 7, "height": 8, "name": "n"]))])
    }
    XCTAssertEqual(found.size, Plot.Size(width: 3, height: 4))
    XCTAssertEqual(found.sizes, [Plot.Size(width: 1, height: 2), Plot.Size(width: 5, height: 6)])
    XCTAssertEqual(found.parts, ["a": Plot.Size(width: 7, height: 8, name: "n")])
  }

  func testMigrationCreatesAnEnumerationFromACaseName() throws {
    let found = try plot {
      $0["shape"] = .case("circle", ["radius": 2.5])
      $0["shapes"] = .array([.case("none"), .case("box", ["": .fields(["width": 1, "height": 1])])])
    }
    XCTAssertEqual(found.shape, .circle(radius: 2.5))
    XCTAssertEqual(found.shapes, [.none, .box(Plot.Size(width: 1, height: 1))])
  }

  func testMigrationCanAssignASwiftValue() throws {
    let sizes = [Plot.Size(width: 1, height: 2, name: "x")]
    let found = try plot {
      $0["size"] = try ArchiveValue(Plot.Size(width: 9, height: 8))
      $0["sizes"] = try ArchiveValue(sizes)
      $0["shape"] = try ArchiveValue(Plot.Shape.circle(radius: 1))
      $0["parts"] = try ArchiveValue(["b": sizes[0]])
    }
    XCTAssertEqual(found.size, Plot.Size(width: 9, height: 8))
    XCTAssertEqual(found.sizes, sizes)
    XCTAssertEqual(found.shape, .circle(radius: 1))
    XCTAssertEqual(found.parts, ["b": sizes[0]])
  }

  func testMigratedCaseMayReferToAnAddedObject() throws {
    let found = try plot {
      let added = $0.graph.addObject(ofClass: "PlotNote", ["text": "new"])
      $0["shapes"] = .array([.case("note", ["": .reference(added)])])
    }
    guard case .note(let note)? = found.shapes.first else { return XCTFail("\(found.shapes)") }
    XCTAssertEqual(note?.text, "new")
  }

  func testArchiveValueWithObjectReferencesIsRefused() {
    let expected = "a value that refers to objects of the program"
    assertThrows(.invalidUse, expected) { try ArchiveValue(PlotNote()) }
    assertThrows(.invalidUse, expected) { try ArchiveValue(Plot.Shape.note(PlotNote())) }
    assertThrows(.invalidUse, expected) { try ArchiveValue([PlotNote()]) }
  }

  func testWrongFieldOrCaseNameIsAnError() {
    assertThrows(.migrationFailed, "'size'") { try plot { $0["size"] = .fields(["depth": 1]) } }
    assertThrows(.missingKey, "field 'height'") { try plot { $0["size"] = .fields(["width": 1]) } }
    assertThrows(.migrationFailed, "'size'") {
      try plot { $0["size"] = .fields(["width": 1, "height": 2, "nam": "x"]) }
    }
    assertThrows(.migrationFailed, "'shape'") { try plot { $0["shape"] = .case("oval") } }
    assertThrows(.migrationFailed, "'shape'") {
      try plot { $0["shape"] = .case("circle", ["radius": "wide"]) }
    }
  }
}

/// The change that a test makes in the migration.
private struct Change: Sendable {
  nonisolated(unsafe) let run: (inout MigratedObject) throws -> Void
}

@Archivable("MigratedPlot") private final class EarlierPlot { var number = 1 }

@Archivable("PlotNote") private final class PlotNote { var text = "" }

@Archivable("MigratedPlot") private final class Plot {
  @TaskLocal static var change: Change?
  static let archiveVersion = 1

  var size = Size(width: 0, height: 0)
  var sizes: [Size] = []
  var parts: [String: Size] = [:]
  var shape = Shape.none
  var shapes: [Shape] = []

  static func migrate(_ plot: inout MigratedObject, from version: Int) throws { try change?.run(&plot) }

  @Archivable("PlotSize") struct Size: Hashable {
    var width, height: Int
    var name: String?
  }

  @Archivable("PlotShape") enum Shape: Equatable {
    case none
    case circle(radius: Double)
    case box(Size)
    case note(PlotNote?)

    static func == (one: Shape, other: Shape) -> Bool {
      switch (one, other) {
      case (.none, .none): true
      case (.circle(let radius), .circle(let other)): radius == other
      case (.box(let size), .box(let other)): size == other
      case (.note(let note), .note(let other)): note === other
      default: false
      }
    }
  }
}
