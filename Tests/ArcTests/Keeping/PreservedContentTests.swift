import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Unknown content of an archive is preserved when a program saves what it read.
final class PreservedContentTests: FolderTestCase {
  private let content = PreservedContent()

  /// Has the program that lacks half of the classes change a drawing, and the other program read it.
  private func passed(
    _ sheet: WholeProgram.Sheet, standingIn: Bool = false, _ change: (HalfProgram.Sheet) -> Void = { _ in }
  ) throws -> WholeProgram.Sheet {
    let half = try HalfProgram.read(Archiver().archive(sheet), preserving: content, standingIn: standingIn)
    change(half)
    let bytes = try Archiver(preserving: content).archive(half)
    try ArchiveFile(bytes: bytes).verify()
    return try WholeProgram.read(bytes)
  }

  private func assertSame(_ found: WholeProgram.Sheet, _ expected: WholeProgram.Sheet, line: UInt = #line)
    throws
  {
    let difference = try ObjectGraph.difference(between: found, and: expected)
    XCTAssertNil(difference.map { "\($0)" }, line: line)
  }

  func testSaveChangesOneValueDespiteManyUnknownClasses() throws {
    let expected = WholeProgram.sheet()
    let found = try passed(expected) { $0.title = "new" }
    expected.title = "new"
    try assertSame(found, expected)
  }

  func testChangedSubstitutesAreSavedAsTheirOriginalClass() throws {
    let expected = WholeProgram.sheet()
    let found = try passed(expected, standingIn: true) { sheet in
      XCTAssertEqual(sheet.shapes.map(\.name), ["star", "circle", "other", "plain"])
      sheet.shapes[0].name = "renamed"
      sheet.best = sheet.shapes[2]
    }
    expected.shapes[0].name = "renamed"
    expected.best = expected.shapes[2]
    try assertSame(found, expected)
  }

  func testUnknownElementsStayAfterTheirPredecessors() throws {
    let expected = WholeProgram.sheet()
    let (star, circle, other, plain) = (
      expected.shapes[0], expected.shapes[1], expected.shapes[2], expected.shapes[3]
    )
    let found = try passed(expected) { sheet in
      XCTAssertEqual(sheet.shapes.map(\.name), ["circle", "plain"])
      sheet.shapes.swapAt(0, 1)
      sheet.shapes.append(sheet.shapes[0])
      sheet.layers[1] = []
    }
    expected.shapes = [star, plain, circle, other, plain]
    expected.layers[1] = [star]
    XCTAssertEqual(found.shapes.map(\.name).sorted(), expected.shapes.map(\.name).sorted())
    XCTAssertEqual(found.shapes.first?.name, "star")
    XCTAssertEqual(found.layers[1].map(\.name), ["star"])
  }

  func testAssignedValueReplacesUnknownValue() throws {
    let expected = WholeProgram.sheet()
    let found = try passed(expected) { sheet in
      XCTAssertNil(sheet.best)
      sheet.best = sheet.shapes[0]
    }
    expected.best = expected.shapes[1]
    try assertSame(found, expected)
  }

  func testUnknownObjectsReferencedByRemovedObjectsAreDropped() throws {
    let expected = WholeProgram.sheet()
    let bytes = try Archiver().archive(expected)
    let half = try HalfProgram.read(bytes, preserving: content)
    let circle = try XCTUnwrap(half.shapes.first)
    let saved = try ArchiveFile(bytes: Archiver(preserving: content).archive(circle))
    // The circle's group reaches stars and their corners, but not the sheet.
    XCTAssertEqual(try saved.rowCount(ofClass: "Kept.Sheet"), 0)
    XCTAssertEqual(try saved.rowCount(ofClass: "Kept.Star"), 2)
    XCTAssertEqual(try saved.rowCount(ofClass: "Kept.Corner"), 2)
    let plain = try XCTUnwrap(half.shapes.last)
    plain.name = "changed"
    let alone = try ArchiveFile(bytes: Archiver(preserving: content).archive(plain))
    XCTAssertEqual(alone.rowCount, 2)
    XCTAssertEqual(try alone.object(ObjectID(rawValue: 1))["weight"], .integer(2))
  }

  func testAddedObjectsGetInitialValuesForUnknownProperties() throws {
    let found = try passed(WholeProgram.sheet()) { $0.shapes.append(HalfProgram.Circle("new")) }
    XCTAssertEqual(found.shapes.last?.name, "new")
    XCTAssertEqual(found.shapes.last?.weight, 7)
    XCTAssertNil(found.shapes.last?.group)
    XCTAssertEqual(found.shapes[1].weight, 1)
    XCTAssertEqual(found.notes, ["x"])
  }

  func testObjectsOfSeveralArchivesPreserveTheirOwnContent() throws {
    let (first, second) = (WholeProgram.sheet(), WholeProgram.sheet())
    second.notes = ["second"]
    second.shapes[1].weight = 99
    let one = try HalfProgram.read(Archiver().archive(first), preserving: content)
    let two = try HalfProgram.read(Archiver().archive(second), preserving: content)
    one.shapes.append(two.shapes[0])
    let found = try WholeProgram.read(Archiver(preserving: content).archive(one))
    XCTAssertEqual(found.notes, ["x"])
    XCTAssertEqual(found.shapes.map(\.weight), [7, 1, 7, 2, 99])
    XCTAssertEqual(found.shapes[4].group?.members.map(\.name), ["star", "plain", "other"])
    XCTAssertFalse(found.shapes[4].group === found.shapes[1].group)
    XCTAssertEqual(try WholeProgram.read(Archiver(preserving: content).archive(two)).notes, ["second"])
  }

  func testUnknownContentSurvivesManySaves() throws {
    let expected = WholeProgram.sheet()
    var bytes = try Archiver().archive(expected)
    for round in 1...3 {
      let half = try HalfProgram.read(bytes, preserving: content)
      half.title = "round \(round)"
      bytes = try Archiver(compression: .zlib, preserving: content).archive(half)
    }
    expected.title = "round 3"
    try assertSame(try WholeProgram.read(bytes), expected)
  }

  func testGraphWithoutUnknownContentIsWrittenUnchanged() throws {
    let sheet = HalfProgram.Sheet()
    sheet.shapes = [HalfProgram.Circle("one")]
    let bytes = try Archiver().archive(sheet)
    let half = try HalfProgram.read(bytes, preserving: content)
    XCTAssertTrue(content.isEmpty)
    XCTAssertEqual(try Archiver(preserving: content).archive(half), bytes)
  }

  func testPreservedContentIsReleasedWithTheObjects() throws {
    let bytes = try Archiver().archive(WholeProgram.sheet())
    var half: HalfProgram.Sheet? = try HalfProgram.read(bytes, preserving: content)
    XCTAssertFalse(content.isEmpty)
    XCTAssertNotNil(half)
    half = nil
    XCTAssertTrue(content.isEmpty)
  }

  func testUnrequestedRootsArePreserved() throws {
    let (sheet, star) = (WholeProgram.sheet(), WholeProgram.Star("alone"))
    let bytes = try Archiver(metadata: ["author": "Ada", "tool": "whole", "arc.sorted-by": "A.b"]).archive(
      roots: [
        "sheet": sheet, "star": star, "best": sheet.shapes[1],
      ])
    let classes = try ClassTable(declaring: HalfProgram.Circle.self)
    let half = try Unarchiver(classes: classes, unknownContent: .preserve(in: content)).unarchive(
      HalfProgram.Sheet.self, from: bytes, root: "sheet")
    let saved = try Archiver(metadata: ["tool": "half"], preserving: content).archive(roots: ["sheet": half])
    let found = try Unarchiver(classes: WholeProgram.classes()).unarchive(
      roots: .init("sheet", WholeProgram.Sheet.self), .init("star", WholeProgram.Star.self),
      .init("best", WholeProgram.Circle.self), from: saved)
    try assertSame(found.0, sheet)
    XCTAssertEqual(found.1.name, "alone")
    XCTAssertTrue(found.2 === found.0.shapes[1])
    XCTAssertEqual(try ArchiveFile(bytes: saved).metadata(), ["author": "Ada", "tool": "half"])
  }

  func testSnapshotsAndFilesContainUnknownContent() async throws {
    let expected = WholeProgram.sheet()
    let half = try { try HalfProgram.read(Archiver().archive(expected), preserving: content) }()
    let archiver = Archiver(preserving: content)
    let snapshot = try { try archiver.snapshot(of: half) }()
    half.title = "later"
    try assertSame(try { try WholeProgram.read(snapshot.archive()) }(), expected)
    expected.title = "later"
    try { try archiver.write(half, to: url("a")) }()
    try assertSame(try WholeProgram.read(Array(Data(contentsOf: url("a")))), expected)
    try await archiver.write(half, to: url("b"))
    try assertSame(try WholeProgram.read(Array(Data(contentsOf: url("b")))), expected)
  }
}
