import Arc
import ArcTestSupport
import XCTest

/// Objects of several alternating classes. Arc builds all objects of a class together.
final class AlternatingClassTests: XCTestCase {
  private static let count = 500

  /// Returns pieces of three alternating classes, each with a child and a note. Every third note uses the
  /// optional key.
  private func makePieces() -> [Piece] {
    let pieces = (0..<Self.count).map { index -> Piece in
      switch index % 3 {
      case 0: Piece(index)
      case 1: WidePiece(index)
      default: TaggedPiece(index, tag: AlternatingTag("tag \(index % 7)"))
      }
    }
    for (index, piece) in pieces.enumerated() {
      piece.note = Note(index % 3 == 0 ? "note \(index)" : nil)
      piece.child =
        index % 2 == 0 ? TaggedPiece(-index, tag: AlternatingTag("child \(index)")) : WidePiece(-index)
      piece.child?.neighbor = piece
      piece.neighbor = pieces[(index * 7 + 1) % pieces.count]
    }
    return pieces
  }

  func testAlternatingClassesRoundTripWithValuesAndLinks() throws {
    let pieces = makePieces()
    let classes = ClassTable()
    try classes.register(WidePiece.self)
    try classes.register(TaggedPiece.self)
    let read = try reread(pieces, as: [Piece].self, classes: classes)
    XCTAssertEqual(read.count, pieces.count)
    for (index, (piece, copy)) in zip(pieces, read).enumerated() {
      XCTAssertEqual(copy.summary, piece.summary)
      XCTAssertEqual(copy.child?.summary, piece.child?.summary)
      XCTAssertEqual(copy.note?.text, piece.note?.text, "of piece \(index)")
      XCTAssertTrue(copy.child?.neighbor === copy)
      XCTAssertTrue(copy.neighbor === read[(index * 7 + 1) % read.count])
    }
  }

  func testEqualGraphsGiveEqualBytes() throws {
    XCTAssertEqual(try Archiver().archive(makePieces()), try Archiver().archive(makePieces()))
  }

  func testErrorNamesTheClassOfTheFailingObject() throws {
    let pieces = makePieces()
    pieces[300].note = Note("unwritable")
    XCTAssertEqual(assertThrows(.duplicateKey) { try Archiver().archive(pieces) }?.className, "Note")
  }
}

@Archivable private class Piece {
  let number: Int
  var note: Note?
  var child: Piece?
  weak var neighbor: Piece?

  init(_ number: Int) { self.number = number }

  var summary: String { "\(type(of: self)) \(number)" }
}

@Archivable private final class WidePiece: Piece {
  var width = 1.5

  override init(_ number: Int) {
    super.init(number)
    width = Double(number) / 4
  }

  override var summary: String { super.summary + " \(width)" }
}

/// A piece that requires its tag for construction.
@Archivable private final class TaggedPiece: Piece {
  let tag: AlternatingTag

  init(_ number: Int, tag: AlternatingTag) {
    self.tag = tag
    super.init(number)
  }

  override var summary: String { super.summary + " \(tag.text)" }
}

@Archivable private final class AlternatingTag {
  let text: String
  init(_ text: String) { self.text = text }
}

/// A class with hand-written coding and a key that not every object uses.
private final class Note: HandWrittenClass {
  let text: String?
  init(_ text: String?) { self.text = text }

  init(from decoder: borrowing ObjectDecoder) throws {
    text = try decoder.decodeIfPresent(String.self, forKey: "text")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    guard let text else { return }
    try encoder.encode(text, forKey: "text")
    if text == "unwritable" { try encoder.encode(text, forKey: "text") }
  }
}
