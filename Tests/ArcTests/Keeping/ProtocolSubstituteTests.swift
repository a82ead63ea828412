import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Objects of unknown classes in properties of type `any P` are built as a substitute that conforms.
final class ProtocolSubstituteTests: XCTestCase {
  private let content = PreservedContent()

  private func read(
    _ board: FigureBoard.Board, _ policy: UnknownContentPolicy
  ) throws -> FewerFigures.Board {
    try Unarchiver(classes: ClassTable(declaring: [FewerFigures.Dot.self]), unknownContent: policy).unarchive(
      FewerFigures.Board.self, from: Archiver().archive(board))
  }

  private func board() -> FigureBoard.Board {
    let board = FigureBoard.Board()
    let star = FigureBoard.Star("star")
    star.points = 7
    board.figures = [star, FigureBoard.Dot("dot")]
    board.best = star
    board.byName = ["s": star]
    return board
  }

  func testSubstituteConformingToTheProtocolReadsSharedProperties() throws {
    for policy in [
      UnknownContentPolicy.substitute(FewerFigures.Other.self, FewerFigures.Placeholder.self),
      .preserve(in: content, substituting: FewerFigures.Other.self, FewerFigures.Placeholder.self),
    ] {
      let half = try read(board(), policy)
      XCTAssertEqual(half.figures.map(\.label), ["star", "dot"])
      XCTAssertEqual(half.figures.map { "\(type(of: $0))" }, ["Placeholder", "Dot"])
      XCTAssertTrue(half.best as AnyObject? === half.figures[0] as AnyObject)
      XCTAssertTrue(half.byName["s"] as AnyObject? === half.figures[0] as AnyObject)
    }
  }

  func testSubstituteConformsToTheProtocolOfTheProperty() throws {
    let board = board()
    board.marks = [FigureBoard.Tool()]
    let half = try read(board, .substitute(FewerFigures.Placeholder.self, FewerFigures.Other.self))
    XCTAssertEqual(half.marks.map { "\(type(of: $0))" }, ["Other"])
    XCTAssertEqual(half.figures.map(\.label), ["star", "dot"])
    // If the substitute does not conform, the value is omitted, as without a substitute.
    XCTAssertEqual(try read(board, .substitute(FewerFigures.Placeholder.self)).marks.count, 0)
  }

  func testSavingKeepsTheClassOfSubstitutedObjects() throws {
    let half = try read(board(), .preserve(in: content, substituting: FewerFigures.Placeholder.self))
    (half.figures[0] as? FewerFigures.Placeholder)?.label = "renamed"
    half.figures.swapAt(0, 1)
    let classes = try ClassTable(declaring: [FigureBoard.Star.self, FigureBoard.Dot.self])
    let found = try Unarchiver(classes: classes).unarchive(
      FigureBoard.Board.self, from: Archiver(preserving: content).archive(half))
    XCTAssertEqual(found.figures.map(\.label), ["dot", "renamed"])
    XCTAssertEqual((found.best as? FigureBoard.Star)?.points, 7)
    XCTAssertTrue(found.best as AnyObject? === found.figures[1] as AnyObject)
  }

  func testLazyArchiveUsesProtocolSubstitutes() throws {
    let session = try LazyArchive(
      bytes: Archiver().archive(board()),
      unarchiver: Unarchiver(
        classes: ClassTable(declaring: [FewerFigures.Dot.self]),
        unknownContent: .substitute(FewerFigures.Other.self, FewerFigures.Placeholder.self)))
    let half = try session.value(FewerFigures.Board.self, at: "root")
    XCTAssertEqual(half.figures.map(\.label), ["star", "dot"])
  }

  func testSubstituteWithoutConformanceIsRefused() throws {
    XCTAssertThrowsError(try read(board(), .preserve(in: content, substituting: FewerFigures.Stranger.self)))
    {
      XCTAssertEqual(($0 as? ArchiveError)?.code, .invalidUse)
      XCTAssertEqual(($0 as? ArchiveError)?.className, "Stranger")
    }
  }
}

private protocol Figure: AnyObject {
  var label: String { get }
}
private protocol Marked: AnyObject {}

private enum FigureBoard {
  @Archivable("Board.Star") final class Star: Figure {
    var label: String
    var points = 5
    init(_ label: String) { self.label = label }
  }
  @Archivable("Board.Dot") final class Dot: Figure {
    var label: String
    init(_ label: String) { self.label = label }
  }
  @Archivable("Board.Tool") final class Tool: Marked { init() {} }
  @Archivable("Board.Board") final class Board {
    var figures: [any Figure] = []
    var best: (any Figure)?
    var byName: [String: any Figure] = [:]
    var marks: [any Marked] = []
    init() {}
  }
}

private enum FewerFigures {
  @Archivable("Board.Dot") final class Dot: Figure {
    var label: String
    init(_ label: String) { self.label = label }
  }
  @Archivable("Board.Placeholder") final class Placeholder: Figure {
    var label = ""
    init() {}
  }
  /// A class that conforms only to the protocol of another property.
  @Archivable("Board.Other") final class Other: Marked { init() {} }
  @Archivable("Stranger") final class Stranger { init() {} }
  @Archivable("Board.Board") final class Board {
    var figures: [any Figure] = []
    var best: (any Figure)?
    var byName: [String: any Figure] = [:]
    var marks: [any Marked] = []
    init() {}
  }
}
