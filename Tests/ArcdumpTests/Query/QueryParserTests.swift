import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class QueryParserTests: XCTestCase {
  func testInvalidQueryIsReportedWithItsPosition() {
    let errors = [
      "Person[age >]": "found ']' at character 13 in the query 'Person[age >]', expected a value or a path",
      "name = 3": "found '=' at character 6 in the query 'name = 3', expected '==' for a comparison",
      "name == 'a":
        "found the end of the query 'name == 'a', expected the end of the quoted text that begins at character 9",
      #"name == "\q""#: #"found the escape '\q' at character 10"#,
      "name =~ /(/": "the invalid regular expression",
      "name =~ 3": "found '3' at character 9 in the query 'name =~ 3', expected a regular expression: /text/",
      "a in 3": "expected a list: [1, 2]",
      "#0": "found '0' at character 2 in the query '#0', expected the number of an object, at least 1",
      "a b": "found 'b' at character 3",
      "(a == 1": "found the end of the query '(a == 1', expected ')'",
      "": "found the end of the query '', expected a value or a path",
      "a.@sum": "expected @count, @class, @id or @text",
      "a == -x": "expected a number after '-'",
      "3 5": "expected an operator",
    ]
    for (text, words) in errors {
      XCTAssertThrowsError(try QueryParser.query(text), text) {
        XCTAssertEqual(($0 as? QueryError)?.code, .malformedExpression, text)
        XCTAssertTrue("\($0)".contains(words), "\(text): \($0)")
      }
    }
  }

  func testQueryDepthIsLimitedButNotLength() throws {
    let depth = RandomTrials.size(usually: 10_000, exhaustively: 100_000)
    XCTAssertThrowsError(try QueryParser.query(String(repeating: "(", count: depth))) {
      XCTAssertTrue("\($0)".contains("at most 64 nested brackets"), "\($0)")
    }
    XCTAssertThrowsError(try QueryParser.query(String(repeating: "not ", count: depth) + "a"))
    XCTAssertThrowsError(try QueryParser.query(String(repeating: "a[", count: depth)))
    let length = RandomTrials.size(usually: 5_000, exhaustively: 10_000)
    let long = Array(repeating: "a == 1", count: length).joined(separator: " or ")
    guard case .condition(.any(let parts)) = try QueryParser.query(long) else {
      return XCTFail("no condition")
    }
    XCTAssertEqual(parts.count, length)
    guard case .path(let path) = try QueryParser.query("a" + String(repeating: ".b", count: length)) else {
      return XCTFail("no path")
    }
    XCTAssertEqual(path.steps.count, length + 1)
  }

  func testGenericClassNamesAreDistinguishedFromComparisons() throws {
    func className(_ text: String) throws -> String? {
      guard case .path(let path) = try QueryParser.query(text) else { return nil }
      switch path.start {
      case .objects(let name), .object(_, let name?): return name
      default: return nil
      }
    }
    XCTAssertEqual(try className("Box<Int>"), "Box<Int>")
    XCTAssertEqual(try className("Box<Pair<Int, Text>>[a == 1].b"), "Box<Pair<Int, Text>>")
    XCTAssertEqual(try className("Zoo.Box<Zoo.Animal>#3"), "Zoo.Box<Zoo.Animal>")
    XCTAssertEqual(try className("Zoo.Animal#3"), "Zoo.Animal")
    XCTAssertNil(try className("a<3"))
    XCTAssertNil(try className("a<b"))
  }

  func testParsingRandomQueriesNeverTraps() {
    var state: UInt64 = 7
    let pieces = [
      "a", "b1", " ", ".", "[", "]", "(", ")", "==", "=~", "/x/", "#", "1", "-", "'t'", "`n`", "@", "self",
      "count",
      "and", "or", "not", "in", ",", "*", "<", ">", "…", "\\", "\"", "é", "\u{0}", "true", "nil", "1e9",
      "\u{301}",
    ]
    for _ in 0..<RandomTrials.count(usually: 2_000, exhaustively: 20_000) {
      var text = ""
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      _ = try? QueryParser.query(text)
      _ = try? QueryParser.innerPath(text)
    }
  }
}
