import Arc
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// Lenient reading of JSON: the reader skips everything that is wrong, and reports it.
final class LenientReadingTests: XCTestCase {
  private func read<Value: ArchivableValue>(_ type: Value.Type, _ json: String) throws -> (Value, [String]) {
    let (value, issues) = try ModelReader(.lenient).readWithIssues(type, from: json)
    return (value, issues.map(\.description))
  }

  func testUnreadablePropertyKeepsInitialValueOrIsNil() throws {
    let (sheet, issues) = try read(
      Sheet.self,
      """
      {"title": "x", "level": 200, "flag": "maybe", "date": "soon", "price": [], "author": 7, "outline": "square",
       "rank": "middle", "origin": {"x": 1}, "big": -1}
      """)
    XCTAssertEqual(sheet.level, 3)
    XCTAssertFalse(sheet.flag)
    XCTAssertNil(sheet.date)
    XCTAssertEqual(sheet.price, 0)
    XCTAssertNil(sheet.author)
    XCTAssertEqual(sheet.outline, .empty)
    XCTAssertEqual(sheet.rank, .low)
    XCTAssertEqual(sheet.origin, GridPoint(x: 0, y: 0))
    XCTAssertEqual(sheet.big, 0)
    XCTAssertEqual(
      issues.map { $0.prefix { $0 != ":" } },
      ["level", "flag", "date", "price", "author", "outline", "rank", "origin.y", "big"])
  }

  func testLenientReaderOmitsInvalidElements() throws {
    let (sheet, issues) = try read(
      Sheet.self,
      """
      {"title": "x", "matrix": [[1, "two", 3], 4, [5]], "authors": {"a": {"id": 1}, "b": {"name": "B"}, "c": 0},
       "ranks": ["high", "middle", "low"], "outlines": ["empty", {"polygon": [{"x": 1}, {"x": 1, "y": 2}]}, 3],
       "marks": {"1": true, "x": false, "3": "perhaps"}}
      """)
    XCTAssertEqual(sheet.matrix, [[1, 3], [5]])
    XCTAssertEqual(sheet.authors.mapValues(\.id), ["a": 1])
    XCTAssertEqual(sheet.ranks, [.high, .low])
    XCTAssertEqual(sheet.outlines, [.empty, .polygon([GridPoint(x: 1, y: 2)])])
    XCTAssertEqual(sheet.marks, [1: true])
    XCTAssertEqual(
      issues.map { $0.prefix { $0 != ":" } },
      [
        "matrix[0][1]", "matrix[1]", "authors.b.id", "authors.c", "ranks[1]", "outlines[1].polygon[0].y",
        "outlines[2]", "marks.x", "marks[\"3\"]",
      ])
  }

  func testLenientReaderConvertsEquivalentValues() throws {
    let (sheet, issues) = try read(
      Sheet.self,
      """
      {"title": 7.50, "matrix": [["1", true, "2.0"]], "flag": "YES", "level": " 12 ", "ratio": "1e3",
       "date": "978307200", "big": "18446744073709551615", "createdAtTime": "-Infinity", "price": "1.50",
       "data": "_-8"}
      """)
    XCTAssertEqual(issues, [])
    XCTAssertEqual(sheet.title, "7.50")
    XCTAssertEqual(sheet.matrix, [[1, 1, 2]])
    XCTAssertTrue(sheet.flag)
    XCTAssertEqual(sheet.level, 12)
    XCTAssertEqual(sheet.ratio, 1000)
    XCTAssertEqual(sheet.date, Date(timeIntervalSinceReferenceDate: 0))
    XCTAssertEqual(sheet.big, .max)
    XCTAssertEqual(sheet.createdAtTime, -.infinity)
    XCTAssertEqual(sheet.price, Decimal(string: "1.5"))
    XCTAssertEqual(sheet.data, Data([0xFF, 0xEF]))
  }

  func testRootThatCannotBeBuiltReportsAllIssues() {
    XCTAssertThrowsError(
      try ModelReader(.lenient).read(Editor.self, from: "{\"id\": \"x\", \"name\": 5, \"desk\": []}")
    ) {
      error in
      XCTAssertEqual((error as? ModelReadingError)?.issues.map(\.path), ["id", "desk"])
    }
  }

  /// If references are enabled, the reader sets most members after it builds all objects.
  func testFailedObjectReportsAllIssuesOfItsMembers() throws {
    for text in [
      #"[{"next": 7, "list": [1, {"id": 2}, {}], "byName": {"a": 5, "b": {"id": "y"}}, "text": 1}, {"id": 1}]"#,
      #"[{"id": "x", "text": [], "next": {"id": 3, "next": []}, "set": [{}, 5], "rank": "up"}]"#,
      #"[{"id": 1, "first": {"id": null, "list": 5, "rank": 1}, "next": {"list": {}}}]"#,
      #"[{"id": null, "codes": ["ab", "c"], "next": 1}, {"codes": ["d"], "list": "x"}]"#,
      #"[{"id": 1, "codes": ["ab", "c"], "numbers": [1, 1], "text": [], "next": 5}]"#,
    ] {
      let plain = try read([IssueNode].self, text)
      for references in [.marked, .identified, [.marked, .identified]] as [ModelReferences] {
        let (nodes, issues) = try ModelReader(.lenient, references: references).readWithIssues(
          [IssueNode].self, from: text)
        XCTAssertEqual(issues.map(\.description), plain.1, "\(text) \(references)")
        XCTAssertEqual(nodes.map(\.id), plain.0.map(\.id), text)
      }
    }
  }

  func testOnlyTheFirstThousandIssuesAreReported() throws {
    let count = RandomTrials.size(usually: 5_000, exhaustively: 100_000)
    let text = "[" + String(repeating: "\"x\",", count: count) + "1]"
    let (values, issues) = try read([Int].self, text)
    XCTAssertEqual(values, [1])
    XCTAssertEqual(issues.count, 1000)
    XCTAssertEqual(issues[999].prefix { $0 != ":" }, "[999]")
  }
}

@Archivable private final class IssueNode: ModelEquatable {
  let id: Int
  var text = ""
  var rank = RefusalRank.low
  var first: IssueNode?
  var next: IssueNode?
  var list: [IssueNode] = []
  var set: Set<IssueNode> = []
  var byName: [String: IssueNode] = [:]
  var codes: [RefusalCode] = []
  var numbers: Set<Int> = []

  init(id: Int) { self.id = id }
}
