import Arc
import ArcFoundation
import ArcTestSupport
import Foundation
import Observation
import XCTest

/// A style that several shapes share, so that one change restyles all of them.
@Archivable @MainActor private final class Style {
  var name: String
  var lineWidth: CGFloat
  init(name: String, lineWidth: CGFloat) { (self.name, self.lineWidth) = (name, lineWidth) }
}

@Archivable private struct Colour: Hashable { var red, green, blue: Double }

@Archivable private enum Fill: Hashable {
  case none
  case solid(Colour)
  case gradient(stops: [Colour], from: CGPoint, to: CGPoint)
}

/// An opacity from 0 to 1, also in files.
private struct Opacity: ArchivableByConversion {
  var value: Double
  var archivedForm: Double { value }
  init(value: Double) { self.value = value }
  init(archivedForm value: Double) throws {
    guard (0...1).contains(value) else {
      throw ArchiveError(.valueOutOfRange, found: "opacity \(value)", expected: "0 to 1")
    }
    self.value = value
  }
}

@Archivable @MainActor private class Shape {
  let id: UUID
  var frame: CGRect
  var fill = Fill.none
  var style: Style
  weak var parent: Group?
  init(frame: CGRect, style: Style) { (id, self.frame, self.style) = (UUID(), frame, style) }
}

@Archivable @MainActor private final class Rectangle: Shape {
  var cornerRadius: CGFloat = 0
}

@Archivable private final class Ellipse: Shape {}

@Archivable @MainActor private final class Group: Shape {
  private(set) var children: [Shape] = []
  func add(_ shape: Shape) {
    shape.parent?.children.removeAll { $0 === shape }
    shape.parent = self
    children.append(shape)
  }
}

@Archivable @MainActor private final class Layer {
  var name: String
  var isVisible = true
  var opacity = Opacity(value: 1)
  var shapes: [Shape] = []
  init(name: String) { self.name = name }
}

/// A value that a plug-in stores in the document.
@MainActor private protocol PluginValue {}
@Archivable @MainActor private struct Grid: PluginValue, Equatable { var spacing: CGFloat, origin: CGPoint }
@Archivable private nonisolated enum Export: PluginValue, Equatable {
  case png(scale: Int)
  case pdf
}
@Archivable @MainActor private final class Bookmark: PluginValue {
  weak var shape: Shape?
  init(shape: Shape) { self.shape = shape }
}

@Archivable @Observable @MainActor private final class Document {
  let id: UUID
  let created: Date
  var title: String
  var layers: [Layer] = []
  var styles: [Style] = []
  var plugins: [String: any PluginValue] = [:]
  weak var focus: Shape?
  @Transient private(set) var undoing: [@MainActor () -> Void] = []

  init(title: String) { (id, created, self.title) = (UUID(), Date(), title) }

  func rename(to title: String) {
    let old = self.title
    undoing.append { [weak self] in self?.title = old }
    self.title = title
  }
  func undo() { undoing.popLast()?() }
}

/// A drawing editor saves its document from the main actor while the user continues to draw.
final class EditorDocumentTests: XCTestCase {
  @MainActor func testDocumentRoundTripsWithValuesAndIdentity() async throws {
    let document = drawing()
    let copy = try await reopened(document)
    XCTAssertEqual(copy.id, document.id)
    XCTAssertEqual(copy.created, document.created)
    XCTAssertEqual(copy.title, "House")
    XCTAssertEqual(copy.layers.map(\.name), ["Walls", "Notes"])
    XCTAssertEqual(copy.layers.map(\.isVisible), [true, false])
    XCTAssertTrue(copy.undoing.isEmpty)

    let house = try XCTUnwrap(copy.layers[0].shapes.first as? Group)
    XCTAssertNil(house.parent)
    XCTAssertEqual(house.children.count, 3)
    for child in house.children { XCTAssertTrue(child.parent === house) }
    let wall = try XCTUnwrap(house.children[0] as? Rectangle)
    XCTAssertEqual(wall.cornerRadius, 2.5)
    XCTAssertEqual(wall.frame, CGRect(x: 10, y: 20, width: 300, height: 200))
    XCTAssertEqual(wall.fill, .solid(Colour(red: 1, green: 0.5, blue: 0.25)))
    let windows = try XCTUnwrap(house.children[2] as? Group)
    let window = try XCTUnwrap(windows.children.first as? Ellipse)
    XCTAssertTrue(window.parent === windows)
    XCTAssertTrue(window === copy.focus)
    XCTAssertEqual(window.fill, sky)

    XCTAssertTrue(copy.styles[0] === wall.style)
    XCTAssertTrue(copy.styles[0] === house.children[1].style)
    XCTAssertTrue(copy.styles[1] === window.style)
    XCTAssertEqual(copy.styles.map(\.lineWidth), [1, 0.5])
    XCTAssertFalse(copy.styles[0] === document.styles[0])

    XCTAssertEqual(Set(copy.plugins.keys), ["grid", "export", "bookmark"])
    XCTAssertEqual(copy.plugins["grid"] as? Grid, Grid(spacing: 8, origin: CGPoint(x: 4, y: -4)))
    XCTAssertEqual(copy.plugins["export"] as? Export, .png(scale: 2))
    XCTAssertTrue(try XCTUnwrap(copy.plugins["bookmark"] as? Bookmark).shape === copy.focus)
  }

  @MainActor func testOpenedDocumentIsObservedAndUndone() async throws {
    let copy = try await reopened(drawing())
    let changed = expectation(description: "the title's observer is called")
    withObservationTracking({ _ = copy.title }, onChange: { changed.fulfill() })
    copy.rename(to: "Castle")
    await fulfillment(of: [changed], timeout: 10)
    copy.undo()
    XCTAssertEqual(copy.title, "House")
  }

  @MainActor func testSaveContainsTheStateAtItsStart() async throws {
    let noteCount = RandomTrials.size(usually: 4_000, exhaustively: 20_000)
    let document = drawing(noteCount: noteCount)
    let url = try newFile()
    let isPacking = expectation(description: "the walk is over")
    isPacking.assertForOverFulfill = false
    let autosave = Task {
      try await Archiver(compression: .zlib).write(document, to: url) { _ in isPacking.fulfill() }
    }
    // The task has left the main actor to wait for the disk, so the user can continue to draw.
    await fulfillment(of: [isPacking], timeout: 60)
    document.rename(to: "Changed")
    for style in document.styles { style.lineWidth = 99 }
    for note in document.layers[1].shapes { note.frame.origin.x = -1 }
    document.layers.removeFirst()
    try await autosave.value

    let copy = try await Unarchiver().read(Document.self, from: url)
    XCTAssertEqual(copy.title, "House")
    XCTAssertEqual(copy.layers.map(\.name), ["Walls", "Notes"])
    XCTAssertEqual(copy.styles.map(\.lineWidth), [1, 0.5])
    let notes = copy.layers[1].shapes
    XCTAssertEqual(notes.count, noteCount)
    XCTAssertTrue(notes.enumerated().allSatisfy { $1.frame.origin.x == CGFloat($0) })
    XCTAssertTrue(notes.allSatisfy { $0.style === copy.styles[1] })
  }

  @MainActor func testCancelledSavePreservesTheOldFile() async throws {
    let document = drawing(noteCount: RandomTrials.size(usually: 2_000, exhaustively: 40_000))
    let url = try newFile()
    try await Archiver().write(drawing(), to: url)
    let old = try Data(contentsOf: url)
    let bar = Progress(totalUnitCount: 100)
    // The user cancels the save when the progress bar first moves.
    let save = Task {
      try await Archiver(compression: .zlib).write(document, to: url) { progress in
        bar.cancel()
        try bar.follow(progress)
      }
    }
    let late = Task { try await Archiver(compression: .zlib).write(document, to: url) }
    late.cancel()
    for task in [save, late] {
      do {
        try await task.value
        XCTFail("The save went on.")
      } catch is CancellationError {}
    }
    XCTAssertEqual(try Data(contentsOf: url), old)
    let folder = url.deletingLastPathComponent().path
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [url.lastPathComponent])
  }

  @MainActor func testFailedReadNamesThePath() async throws {
    let document = drawing()
    document.layers[1].opacity.value = 7
    do {
      _ = try await reopened(document)
      XCTFail("An opacity is at most 1.")
    } catch let error as ArchiveError {
      XCTAssertEqual(error.code, .valueOutOfRange)
      XCTAssertEqual(error.objectPath, "root.layers[1].opacity")
    }
  }

  private func newFile() throws -> URL { try temporaryFolder().appendingPathComponent("drawing.arc") }

  @MainActor private func reopened(_ document: Document) async throws -> Document {
    let url = try newFile()
    try await Archiver(compression: .zlib).write(document, to: url)
    return try await Unarchiver().read(Document.self, from: url)
  }

  private let sky = Fill.gradient(
    stops: [Colour(red: 0, green: 0, blue: 1), Colour(red: 1, green: 1, blue: 1)],
    from: .zero, to: CGPoint(x: 0, y: 40))

  /// Returns a drawing of a house with a wall, a door, a window and notes.
  @MainActor private func drawing(noteCount: Int = 2) -> Document {
    let thick = Style(name: "thick", lineWidth: 1)
    let thin = Style(name: "thin", lineWidth: 0.5)
    let house = Group(frame: .zero, style: thick)
    let windows = Group(frame: .zero, style: thin)
    let wall = Rectangle(frame: CGRect(x: 10, y: 20, width: 300, height: 200), style: thick)
    wall.cornerRadius = 2.5
    wall.fill = .solid(Colour(red: 1, green: 0.5, blue: 0.25))
    let window = Ellipse(frame: CGRect(x: 50, y: 60, width: 40, height: 40), style: thin)
    window.fill = sky
    for shape in [wall, Rectangle(frame: .zero, style: thick), windows] { house.add(shape) }
    windows.add(window)

    let document = Document(title: "House")
    let walls = Layer(name: "Walls")
    let notes = Layer(name: "Notes")
    walls.shapes = [house]
    notes.isVisible = false
    notes.shapes = (0..<noteCount).map {
      Rectangle(frame: CGRect(x: CGFloat($0), y: 0, width: 1, height: 1), style: thin)
    }
    (document.layers, document.styles) = ([walls, notes], [thick, thin])
    document.plugins = [
      "grid": Grid(spacing: 8, origin: CGPoint(x: 4, y: -4)), "export": Export.png(scale: 2),
      "bookmark": Bookmark(shape: window),
    ]
    document.focus = window
    return document
  }
}
