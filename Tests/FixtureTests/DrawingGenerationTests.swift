import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// The last of three generations of a drawing editor reads the files of all generations.
/// `ARC_REWRITE_FIXTURES=1` rewrites the files.
final class DrawingGenerationTests: XCTestCase {
  func testDrawingOfTheFirstReleaseIsRead() throws {
    let drawing = try present(golden("drawing-1", first()))
    XCTAssertEqual(drawing.scale, 1.5)
    XCTAssertEqual(drawing.title, "House")
    XCTAssertEqual(drawing.tags, ["home", "plan"])
    XCTAssertEqual(drawing.author, "unknown")
    XCTAssertEqual(drawing.shapes.map(\.width), [2.5, 1])
    XCTAssertEqual(drawing.shapes[0].position, Drawing3.Point(x: 3, y: 4))
    XCTAssertEqual(drawing.shapes[0].colour, Drawing3.Colour(red: 1, green: 128.0 / 255, blue: 0))
    XCTAssertEqual((drawing.shapes[0] as? Drawing3.Ellipse)?.radii, [7, 7])
    let group = try XCTUnwrap(drawing.shapes[1] as? Drawing3.Group)
    XCTAssertTrue(group.children[0] === drawing.shapes[0])
    XCTAssertTrue(drawing.shapes[0].parent === group)
    let texts = group.children.compactMap { $0 as? Drawing3.Text }
    XCTAssertEqual(texts.map(\.string), ["roof", "door"])
    XCTAssertEqual(texts.map { $0.font?.name }, ["Serif", "Serif"])
    XCTAssertTrue(drawing.selected.first === texts[1])
    XCTAssertEqual(drawing.selected.count, 1)
  }

  func testDrawingOfTheSecondReleaseIsRead() throws {
    let drawing = try present(golden("drawing-2", second()))
    XCTAssertEqual(drawing.scale, 0.5)
    XCTAssertNil(drawing.title)
    XCTAssertEqual(drawing.tags, ["plan"])
    XCTAssertEqual(drawing.shapes.map(\.width), [0.75, 1])
    XCTAssertEqual(drawing.shapes[0].position, Drawing3.Point(x: 1.5, y: 2))
    XCTAssertEqual(drawing.shapes[0].colour, Drawing3.Colour(red: 0.25, green: 0.5, blue: 0.75))
    XCTAssertEqual(drawing.shapes[0].dash, .dashed(length: 3, gap: 1))
    XCTAssertEqual((drawing.shapes[0] as? Drawing3.Ellipse)?.radii, [9.5, 9.5])
    let group = try XCTUnwrap(drawing.shapes[1] as? Drawing3.Group)
    XCTAssertTrue(group.children[0] === drawing.shapes[0])
    XCTAssertTrue(drawing.shapes[0].parent === group)
    XCTAssertTrue(drawing.selected[0] === group && drawing.selected[1] === drawing.shapes[0])
  }

  func testDrawingOfThisReleaseIsReadUnchanged() throws {
    let ellipse = Drawing3.Ellipse()
    (ellipse.radii, ellipse.dash, ellipse.colour.alpha) = ([1, 2], .dashed(length: 1, gap: 2), 0.5)
    let text = Drawing3.Text()
    (text.string, text.font) = ("roof", Drawing3.Font("Sans"))
    let group = Drawing3.Group([ellipse, text])
    ellipse.parent = group
    let drawing = Drawing3.Drawing(title: "House")
    (drawing.shapes, drawing.selected, drawing.author) = ([group], [text], "Ada")
    let copy = try present(golden("drawing-3", archive(drawing)))
    XCTAssertNil(try ObjectGraph.difference(between: drawing, and: copy)?.description)
  }

  func testDrawingSavedByAnOlderReleaseLosesNothing() throws {
    let written = try Array(
      Data(contentsOf: Repository.fixtures.appendingPathComponent("generations/drawing-3.arc")))
    let unknown = PreservedContent()
    let classes = ClassTable(scope: .declared)
    try classes.register(all: Drawing2.Ellipse.self, Drawing2.Text.self, Drawing2.Group.self)
    // This version interprets the values of the newer version in the same sense.
    let unarchiver = Unarchiver(
      classes: classes, unknownContent: .preserve(in: unknown), newerVersions: .allow)
    let earlier = try unarchiver.unarchive(Drawing2.Drawing.self, from: written)
    let ellipse = try XCTUnwrap((earlier.shapes.first as? Drawing2.Group)?.children.first)
    (ellipse.width, ellipse.colour.green) = (4, 0.75)
    let saved = try Archiver(isCanonical: true, preserving: unknown).archive(earlier)
    let found = try present(golden("drawing-3-changed-by-2", saved))
    let expected = try present(written)
    let changed = try XCTUnwrap((expected.shapes.first as? Drawing3.Group)?.children.first)
    (changed.width, changed.colour.green) = (4, 0.75)
    XCTAssertEqual(changed.colour.alpha, 0.5)
    XCTAssertNil(try ObjectGraph.difference(between: found, and: expected)?.description)
    // Files from before merged archives stated changed keys or marked absent fields are still read.
    for form in ["unstated", "unmarked"] {
      let url = Repository.fixtures.appendingPathComponent("generations/drawing-3-changed-by-2-\(form).arc")
      let before = try present(Array(Data(contentsOf: url)))
      XCTAssertNil(try ObjectGraph.difference(between: before, and: expected)?.description, form)
    }
  }

  func testDrawingsOfOlderReleasesAreNotRefused() throws {
    for name in ["drawing-1", "drawing-2"] {
      let url = Repository.fixtures.appendingPathComponent("generations/\(name).arc")
      let found = try unarchiver.differences(inContentsOf: url, readAs: Drawing3.Drawing.self)
      XCTAssertFalse(found.contains { $0.effect == .refused }, "\(name): \(found)")
    }
  }

  private var unarchiver: Unarchiver {
    get throws {
      let classes = ClassTable(scope: .declared)
      try classes.register(Drawing3.Ellipse.self, formerly: "Circle")
      try classes.register(all: Drawing3.Text.self, Drawing3.Group.self)
      return Unarchiver(classes: classes)
    }
  }

  private func present(_ bytes: [UInt8]) throws -> Drawing3.Drawing {
    try unarchiver.unarchive(Drawing3.Drawing.self, from: bytes)
  }

  private func first() throws -> [UInt8] {
    let circle = Drawing1.Circle()
    (circle.left, circle.top, circle.lineWidth, circle.colour, circle.radius) = (3, 4, 25, "#FF8000", 7)
    let texts = [Drawing1.Text(), Drawing1.Text()]
    (texts[0].string, texts[1].string) = ("roof", "door")
    let group = Drawing1.Group()
    group.children = [circle] + texts
    circle.parent = group
    let drawing = Drawing1.Drawing()
    (drawing.title, drawing.scale, drawing.tags) = ("House", 150, ["home", "plan"])
    (drawing.shapes, drawing.selection, drawing.notes) = ([circle, group], texts[1], [Drawing1.Note()])
    return try archive(drawing)
  }

  private func second() throws -> [UInt8] {
    let ellipse = Drawing2.Ellipse()
    (ellipse.radius, ellipse.width, ellipse.dash) = (9.5, 0.75, .dashed(length: 3))
    ellipse.position = Drawing2.Point(x: 1.5, y: 2)
    ellipse.colour = Drawing2.Colour(red: 0.25, green: 0.5, blue: 0.75)
    let group = Drawing2.Group()
    group.children = [ellipse]
    ellipse.parent = group
    let drawing = Drawing2.Drawing()
    (drawing.scale, drawing.tags) = (50, ["plan"])
    (drawing.shapes, drawing.selection) = ([ellipse, group], [group, ellipse])
    return try archive(drawing)
  }

  private func archive(_ drawing: some Archivable) throws -> [UInt8] {
    try Archiver(isCanonical: true).archive(drawing)
  }

  /// Returns the golden file. Asserts that its generation still writes the same bytes.
  private func golden(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let url = Repository.fixtures.appendingPathComponent("generations/\(name).arc")
    if ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1" {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    let golden = try Array(Data(contentsOf: url))
    XCTAssertEqual(golden, bytes, "\(name): the same drawing gives other bytes")
    return golden
  }
}
