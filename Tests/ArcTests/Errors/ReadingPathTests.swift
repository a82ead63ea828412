import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// A reading error contains the path from a root to the value.
final class ReadingPathTests: XCTestCase {
  /// Reads an archive of old classes as the current classes. Returns the path of the error.
  private func path(
    of root: some ArchivableValue, file: StaticString = #filePath, line: UInt = #line
  ) throws -> String? {
    let bytes = try Archiver().archive(root)
    var path: String?
    XCTAssertThrowsError(try Unarchiver().unarchive(Sheet.self, from: bytes), file: file, line: line) {
      let error = $0 as? ArchiveError
      XCTAssertEqual(error?.code, .unknownCase, file: file, line: line)
      path = error?.objectPath
      XCTAssertTrue("\($0)".contains(") at \(path ?? "");"), "\($0)", file: file, line: line)
    }
    return path
  }

  func testErrorPathIncludesArraysDictionariesAndFields() throws {
    let root = OldSheet()
    root.parts = [OldSheet(), OldSheet()]
    let ada = OldSheet()
    root.parts[1].index = ["bob": OldSheet(), "ada": ada]
    ada.spans = [OldSpan(style: "plain"), OldSpan(style: "wild")]
    XCTAssertEqual(try path(of: root), #"root.parts[1].index["ada"].spans[1].style"#)
    // In the columns, the values of another object come first.
    root.parts[0].spans = [OldSpan(style: "plain"), OldSpan(style: "plain"), OldSpan(style: "plain")]
    XCTAssertEqual(try path(of: root), #"root.parts[1].index["ada"].spans[1].style"#)
    ada.spans.removeFirst()
    XCTAssertEqual(try path(of: root), #"root.parts[1].index["ada"].spans[0].style"#)
  }

  func testErrorPathIncludesKeysFieldsAndCases() throws {
    let root = OldSheet()
    root.byName = [
      "x": [OldSpan(style: "plain")], "a \"b\"": [OldSpan(style: "plain"), OldSpan(style: "wild")],
    ]
    XCTAssertEqual(try path(of: root), #"root.byName["a \"b\""][1].style"#)
    root.byName = [:]
    root.byNumber = [-7: OldSpan(style: "wild")]
    XCTAssertEqual(try path(of: root), "root.byNumber[-7].style")
    root.byNumber = [:]
    root.marks = [
      nil, .blank, .span(OldSpan(style: "plain")), nil,
      .pair(OldSpan(style: "plain"), right: OldSpan(style: "wild")),
    ]
    XCTAssertEqual(try path(of: root), "root.marks[4].pair.right.style")
    root.marks[4] = .pair(OldSpan(style: "wild"), right: OldSpan(style: "plain"))
    XCTAssertEqual(try path(of: root), "root.marks[4].pair.0.style")
    root.marks[4] = .span(OldSpan(style: "wild"))
    XCTAssertEqual(try path(of: root), "root.marks[4].span.style")
    root.marks = []
    root.ownSpan = OldSpan(style: "wild")
    XCTAssertEqual(try path(of: root), "root.ownSpan.style")
  }

  func testErrorPathIncludesAssociatedValuesAndKeyObjects() throws {
    let root = OldSheet()
    let inner = OldSheet()
    let key = OldSheet()
    inner.spans = [OldSpan(style: "wild")]
    root.links = [.nothing, .both(left: OldSheet(), inner)]
    XCTAssertEqual(try path(of: root), "root.links[1].both.1.spans[0].style")
    root.links = [.one(inner)]
    XCTAssertEqual(try path(of: root), "root.links[0].one.spans[0].style")
    root.links = []
    key.spans = inner.spans
    root.weights = [key: 1]
    XCTAssertEqual(try path(of: root), "root.weights.keys[0].spans[0].style")
  }

  func testErrorReportsTheShortestPathToAnObject() throws {
    let root = OldSheet()
    let middle = OldSheet()
    let last = OldSheet()
    root.parts = [middle, last]
    middle.parts = [last, root]
    last.parts = [middle, last, root]
    last.spans = [OldSpan(style: "wild")]
    XCTAssertEqual(try path(of: root), "root.parts[1].spans[0].style")
    last.parts = []
    middle.parts = []
  }

  func testErrorPathsBeginWithTheRootName() throws {
    let sheet = OldSheet()
    sheet.ownSpan = OldSpan(style: "wild")
    let bytes = try Archiver().archive(roots: ["good": [1], "sheet": sheet])
    XCTAssertThrowsError(try Unarchiver().unarchive(roots: .init("sheet", Sheet.self), from: bytes)) {
      XCTAssertEqual(($0 as? ArchiveError)?.objectPath, "sheet.ownSpan.style")
    }
    let values = try Archiver().archive(roots: ["two words": [["x": OldSpan(style: "wild")]]])
    XCTAssertThrowsError(try Unarchiver().unarchive([[String: Span]].self, from: values, root: "two words")) {
      let error = $0 as? ArchiveError
      XCTAssertEqual(error?.objectPath, "`two words`[0][\"x\"].style")
      XCTAssertNil(error?.objectID, "roots are no object")
    }
  }

  func testLongPathIsShortenedAndFoundWithoutRecursion() throws {
    let length = RandomTrials.size(usually: 10_000, exhaustively: 100_000)
    let (first, last) = chain(of: length + 1, { _ in OldSheet() }, linking: { $0.parts = [$1] })
    last.spans = [OldSpan(style: "wild")]
    let bytes = try Archiver().archive(first)
    try ObjectGraph.release(first)
    let shown = String(repeating: ".parts[0]", count: 8)
    try onSmallStack {
      XCTAssertThrowsError(try Unarchiver().unarchive(Sheet.self, from: bytes)) {
        // The first step is the name of the root.
        XCTAssertEqual(
          ($0 as? ArchiveError)?.objectPath,
          "root\(shown.dropLast(9)) … \(length - 15) more … \(shown).spans[0].style")
      }
    }
  }

  func testExistentialsAddNoStepsToPathsWhenReading() throws {
    let hall = OldHall([OldSeat(limit: 1, inner: OldHall([OldSeat(limit: 2), OldSeat(limit: 300)]))])
    let classes = ClassTable()
    try classes.register(Seat.self)
    assertThrows(.typeMismatch) { try reread([hall], as: Hall.self, classes: classes) }
    XCTAssertThrowsError(try reread([hall], as: [Hall].self, classes: classes)) {
      XCTAssertEqual(
        "\($0)",
        "valueOutOfRange: found 300, expected a limit below 256 (class 'PathSeat', key 'value', object #5) at "
          + "root[0].seats[0].inner.seats[1].limit")
    }
  }

  func testTypeMismatchReportsTheDifferingField() throws {
    let classes = ClassTable()
    try classes.register(Seat.self)
    let box = try Archiver().archive(OldHall([OlderSeat(limit: "two")]))
    let seat = "'PathSeat' (encoding"
    XCTAssertThrowsError(try Unarchiver(classes: classes).unarchive(Hall.self, from: box)) {
      XCTAssertTrue("\($0)".hasPrefix("typeMismatch: found type \(seat)"), "\($0)")
      XCTAssertTrue("\($0)".contains(", whose 'limit' does not fit, expected type \(seat)"), "\($0)")
    }
    let root = try Archiver().archive([7: [OldCase.seat(nil, OlderSeat(limit: ""))]])
    XCTAssertThrowsError(try Unarchiver(classes: classes).unarchive([Int: [Case]].self, from: root)) {
      XCTAssertTrue("\($0)".contains(", whose 'seat.1.limit' does not fit, expected a root of"), "\($0)")
    }
  }

  func testKeysInErrorPathsAreOneLineLiterals() throws {
    let wild = [OldSpan(style: "wild")]
    for (key, literal) in [
      ("a\nb", #""a\nb""#), ("\\(x)\"", #""\\(x)\"""#), ("\r\t\u{1B}[2J", #""\r\t\u{1b}[2J""#),
      ("e\u{2028}", #""e\u{2028}""#), ("Grüße 👍", #""Grüße 👍""#),
    ] {
      let root = OldSheet()
      root.byName = [key: wild]
      XCTAssertEqual(try path(of: root), "root.byName[\(literal)][0].style")
      let bytes = try Archiver().archive(roots: .init(dictionaryLiteral: (key, wild)))
      XCTAssertThrowsError(try Unarchiver().unarchive(roots: .init(key, [Span].self), from: bytes)) {
        XCTAssertEqual("\($0)".split(whereSeparator: \.isNewline).count, 1, "\($0)")
      }
    }
    let bytes = try Archiver().archive(roots: ["a`b\n": wild])
    XCTAssertThrowsError(try Unarchiver().unarchive(roots: .init("a`b\n", [Span].self), from: bytes)) {
      XCTAssertEqual(($0 as? ArchiveError)?.objectPath, #"`a\u{60}b\u{a}`[0].style"#)
      XCTAssertEqual(($0 as? ArchiveError)?.key, "a`b\n", "a key is as in the file")
    }
  }

  func testErrorInTheUnarchivingHookNamesTheObject() throws {
    let root = Dreamer()
    root.others = [Dreamer(), Dreamer()]
    root.others[1].fails = true
    XCTAssertEqual(assertThrows(ArchiveError.self) { try roundTrip(root) }?.objectPath, "root.others[1]")
  }

  func testPathOfRenamedPropertyUsesTheStoredName() throws {
    let root = OldSheet()
    root.past = [OldSpan(style: "wild")]
    XCTAssertEqual(try path(of: root), "root.past[0].style")
    let archive = try LazyArchive(bytes: Archiver().archive(root))
    XCTAssertEqual(try archive.value(String.self, at: "root.past[0].style"), "wild")
  }

  func testHandWrittenDecodingErrorNamesTheFailingElement() throws {
    let bytes = try Archiver().archive([ByKey(["bold"]), ByKey(["plain", "wild", "bold"])])
    XCTAssertThrowsError(try Unarchiver().unarchive([ByKey].self, from: bytes)) {
      XCTAssertEqual(($0 as? ArchiveError)?.objectPath, "root[1].styles[1]")
    }
  }
}

private protocol Seated {}
@Archivable("PathHall") private final class OldHall {
  var seats: [any Seated]
  init(_ seats: [any Seated]) { self.seats = seats }
}
@Archivable("PathSeat") private struct OldSeat: Seated {
  var limit: Int
  var inner: OldHall?
}

@Archivable("PathHall") private final class Hall { var seats: [any Seated] = [] }
@Archivable("PathSeat") private struct Seat: Seated {
  var limit: SeatLimit
  var inner: Hall?
}
@Archivable("PathSeat") private struct OlderSeat: Seated { var limit: String }
@Archivable("PathCase") private enum OldCase { case seat(Int?, OlderSeat) }
@Archivable("PathCase") private enum Case { case seat(Int?, Seat) }
private struct SeatLimit: ArchivableByConversion {
  var archivedForm: Int
  init(archivedForm: Int) throws {
    guard archivedForm < 256 else {
      throw ArchiveError(.valueOutOfRange, found: "\(archivedForm)", expected: "a limit below 256")
    }
    self.archivedForm = archivedForm
  }
}

@Archivable private enum Style: String { case plain, bold }

@Archivable("Span") private struct OldSpan {
  var style: String
}
@Archivable private struct Span { var style = Style.plain }

@Archivable("Mark") private enum OldMark {
  case blank
  case span(OldSpan)
  case pair(OldSpan, right: OldSpan)
}
@Archivable private enum Mark {
  case blank
  case span(Span)
  case pair(Span, right: Span)
}

@Archivable("SheetLink") private enum OldSheetLink {
  case nothing
  case one(OldSheet)
  case both(left: OldSheet, OldSheet)
}
@Archivable private enum SheetLink {
  case nothing
  case one(Sheet)
  case both(left: Sheet, Sheet)
}

@Archivable("Sheet") private final class OldSheet: HashedByIdentity {
  var parts: [OldSheet] = []
  var index: [String: OldSheet] = [:]
  var weights: [OldSheet: Int] = [:]
  var links: [OldSheetLink] = []
  var spans: [OldSpan] = []
  var byName: [String: [OldSpan]] = [:]
  var byNumber: [Int: OldSpan] = [:]
  var marks: [OldMark?] = []
  var ownSpan = OldSpan(style: "plain")
  var past: [OldSpan] = []
  init() {}
}

@Archivable private final class Sheet: HashedByIdentity {
  var parts: [Sheet] = []
  var index: [String: Sheet] = [:]
  var weights: [Sheet: Int] = [:]
  var links: [SheetLink] = []
  var spans: [Span] = []
  var byName: [String: [Span]] = [:]
  var byNumber: [Int: Span] = [:]
  var marks: [Mark?] = []
  var ownSpan = Span()
  @Key("present", "past") var present: [Span] = []
  init() {}
}

@Archivable private final class Dreamer: UnarchiveFinishing {
  var others: [Dreamer] = []
  var fails = false
  init() {}
  func didUnarchive(in context: ArchiveContext) throws {
    if fails { throw ArchiveError(.valueOutOfRange, found: "a bad dream") }
  }
}

/// A class that decodes its strings as styles, by key.
private final class ByKey: HandWrittenClass {
  let styles: [String]
  init(_ styles: [String]) { self.styles = styles }
  init(from decoder: borrowing ObjectDecoder) throws {
    styles = try decoder.decode([Style].self, forKey: "styles").map(\.rawValue)
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(styles, forKey: "styles", during: .construction)
  }
  static var archiveSchema: ClassSchema { ClassSchema(ByKey.self, name: "ByKey") }
}
