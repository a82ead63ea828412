import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Objects of unknown classes, under each policy.
final class UnknownContentPolicyTests: XCTestCase {
  func testUnknownClassIsRefusedByDefault() throws {
    assertThrows(.unknownClass, "2 objects of class 'Star'") { try read(file()) }
  }

  func testUnknownObjectsBecomeNilOrAreOmitted() throws {
    let canvas = try read(file(), .leaveOut)
    XCTAssertEqual(canvas.figures.map(\.name), ["circle", "last"])
    XCTAssertEqual(canvas.slots.map { $0?.name }, [nil, "circle"])
    XCTAssertNil(canvas.favourite)
    XCTAssertNil(canvas.latest)
    XCTAssertEqual(canvas.byName.keys.sorted(), ["c"])
    XCTAssertTrue(canvas.byName["c"] === canvas.figures[0])
    XCTAssertEqual(canvas.layers.map { $0.map(\.name) }, [["circle"], []])
    // Only the star refers to the other object.
    XCTAssertNil(canvas.figures[0].partner)
    XCTAssertTrue(canvas.figures[1].partner === canvas.figures[0])
  }

  func testUnknownObjectsAreBuiltAsTheSubstituteClass() throws {
    let canvas = try read(file(), .substitute(Present.Blank.self))
    XCTAssertEqual(canvas.figures.map(\.name), ["star", "circle", "star 2", "last"])
    XCTAssertEqual(canvas.figures.map { "\(type(of: $0))" }, ["Blank", "Circle", "Blank", "Figure"])
    XCTAssertTrue(canvas.favourite === canvas.figures[0])
    XCTAssertTrue(canvas.latest === canvas.figures[2])
    XCTAssertTrue(canvas.figures[0].partner === canvas.figures[2])
  }

  func testDeclaredClassCanBeTheSubstituteClass() throws {
    let plain = try read(file(), .substitute(Present.Figure.self))
    XCTAssertEqual(plain.figures.map { "\(type(of: $0))" }, ["Figure", "Circle", "Figure", "Figure"])
  }

  func testSubstituteThatFitsNoReferenceIsRefused() throws {
    for policy in [
      UnknownContentPolicy.substitute(Present.Stranger.self),
      .substitute(Present.Stranger.self, Present.Figure.self),
      .preserve(in: PreservedContent(), substituting: Present.Stranger.self),
    ] {
      assertThrows(.invalidUse, "the substitute class 'Stranger', which no property or root can hold") {
        try read(file(), policy)
      }
    }
    // A file without unknown content is read without a policy.
    let circles = Earlier.Canvas([Earlier.Circle("circle")])
    XCTAssertEqual(try read(Archiver().archive(circles), .substitute(Present.Stranger.self)).figures.count, 1)
  }

  func testUnknownExistentialValuesAreOmitted() throws {
    let box = Earlier.Box()
    box.things = [Earlier.Star("star"), 7]
    box.thing = Earlier.Star("other")
    let classes = try ClassTable(declaring: Int.self)
    let copy = try Unarchiver(classes: classes, unknownContent: .leaveOut).unarchive(
      Present.Box.self, from: Archiver().archive(box))
    XCTAssertEqual(copy.things.count, 1)
    XCTAssertEqual(copy.things.first as? Int, 7)
    XCTAssertNil(copy.thing)
  }

  func testCheckPredictsReadingUnderEachUnknownContentPolicy() throws {
    let policies: [(UnknownContentPolicy, SchemaDifference.Effect)] = [
      (.refuse, .refused), (.leaveOut, .lossy), (.substitute(Present.Blank.self), .lossy),
      (.substitute(Present.Stranger.self), .refused), (.preserve(in: PreservedContent()), .lossy),
    ]
    for (policy, worst) in policies {
      let unarchiver = Unarchiver(classes: try circles(), unknownContent: policy)
      let found = try unarchiver.differences(in: ArchiveFile(bytes: file()), readAs: Present.Canvas.self)
      XCTAssertEqual(found.map(\.effect).max(), worst)
      XCTAssertEqual(found.contains { $0.effect == .checked }, false, "\(found)")
    }
    let frame = try Archiver().archive(Earlier.Frame(Earlier.Star("star")))
    let found = try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .leaveOut).differences(
      in:
        ArchiveFile(bytes: frame), readAs: Present.Frame.self)
    XCTAssertEqual(
      found.map { "\($0.effect) \($0.className ?? "") \($0.key ?? "")" }.sorted(),
      ["checked Frame figure", "lossy Star "])
  }

  func testErrorReportsNonOptionalPropertyOfUnknownObject() throws {
    let frame = Earlier.Frame(Earlier.Star("star"))
    assertThrows(.nilReference, "class 'Frame', key 'figure'") {
      try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .leaveOut).unarchive(
        Present.Frame.self, from: Archiver().archive(frame))
    }
  }

  func testPoliciesOfSuccessiveSmallFilesAreIndependent() throws {
    let file = try file()
    for _ in 0..<3 {
      XCTAssertEqual(try read(file, .leaveOut).figures.count, 2)
      assertThrows(.unknownClass) { try read(file) }
      XCTAssertEqual(try read(file, .substitute(Present.Blank.self)).figures.count, 4)
    }
  }

  private func file() throws -> [UInt8] {
    let (star, circle, second) = (Earlier.Star("star"), Earlier.Circle("circle"), Earlier.Star("star 2"))
    let last = Earlier.Figure("last")
    (star.partner, last.partner) = (second, circle)
    let canvas = Earlier.Canvas([star, circle, second, last])
    canvas.slots = [star, circle]
    (canvas.favourite, canvas.latest) = (star, second)
    canvas.byName = ["s": star, "c": circle]
    canvas.layers = [[star, circle], [second]]
    return try Archiver().archive(canvas)
  }

  private func read(_ bytes: [UInt8], _ policy: UnknownContentPolicy = .refuse) throws -> Present.Canvas {
    try Unarchiver(classes: circles(), unknownContent: policy).unarchive(Present.Canvas.self, from: bytes)
  }

  private func circles() throws -> ClassTable {
    try ClassTable(declaring: Present.Circle.self)
  }
}

/// The program that wrote the files.
private enum Earlier {
  @Archivable("Figure") class Figure {
    var name: String
    var partner: Figure?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Circle") final class Circle: Figure { var radius = 1.0 }
  @Archivable("Star") final class Star: Figure { var points = 5 }
  @Archivable("Canvas") final class Canvas {
    var figures: [Figure]
    var slots: [Figure?] = []
    var favourite: Figure?
    weak var latest: Figure?
    var byName: [String: Figure] = [:]
    var layers: [[Figure]] = []
    init(_ figures: [Figure]) { self.figures = figures }
  }
  @Archivable("Box") final class Box {
    var things: [any ArchivableValue] = []
    var thing: (any ArchivableValue)?
  }
  @Archivable("Frame") final class Frame {
    let figure: Figure
    init(_ figure: Figure) { self.figure = figure }
  }
}

/// A program without stars.
private enum Present {
  @Archivable("Figure") class Figure {
    var name = ""
    var partner: Figure?
  }
  @Archivable("Circle") final class Circle: Figure { var radius = 1.0 }
  @Archivable final class Blank: Figure {}
  @Archivable final class Stranger {}
  @Archivable("Canvas") final class Canvas {
    var figures: [Figure] = []
    var slots: [Figure?] = []
    var favourite: Figure?
    weak var latest: Figure?
    var byName: [String: Figure] = [:]
    var layers: [[Figure]] = []
  }
  @Archivable("Box") final class Box {
    var things: [any ArchivableValue] = []
    var thing: (any ArchivableValue)?
  }
  @Archivable("Frame") final class Frame {
    let figure: Figure
    init(_ figure: Figure) { self.figure = figure }
  }
}
