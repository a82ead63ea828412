import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// If a type refuses one of several values, the reader reports and omits only this value.
final class ModelRefusalTests: XCTestCase {
  private func lenient(_ json: String, line: UInt = #line) throws -> (RefusalBox, [String]) {
    let (box, issues) = try ModelReader(.lenient).readWithIssues(RefusalBox.self, from: json)
    return (box, issues.map(\.description))
  }

  private func message<Value: ArchivableValue>(_ type: Value.Type, _ json: String) -> String {
    do {
      _ = try Value(json: json)
      return "no error"
    } catch { return "\(error)" }
  }

  private func strict(_ json: String) -> String { message(RefusalBox.self, json) }

  func testDurationErrorDescribesTheExpectedForm() {
    XCTAssertEqual(
      message([Duration].self, "[1.5]"),
      "[0]: found 1.5, expected a duration in attoseconds, such as {\"attoseconds\":1500000000000000000} for 1.5 seconds "
        + "(line 1, column 2, byte 1)")
    XCTAssertEqual(message([Duration].self, #"[{"attoseconds":1500000000000000000}]"#), "no error")
  }

  func testRefusedElementsAreOmittedFromCollections() throws {
    let (box, issues) = try lenient(
      """
      {"codes": ["ab", "abc", "cd"], "level": 300, "pairs": [[1, 2], [2, 1], [3], [4, 5]], "code": "x",
       "prices": [1, 1e400, 2], "letters": ["a", "bc", "d"], "tags": [["x"], [], ["y", "z"]],
       "records": {"a": {"name": "n", "codes": ["long", "ok"], "letter": ""}, "b": {"letter": "é"}}}
      """)
    XCTAssertEqual(box.codes.map(\.text), ["ab", "cd"])
    XCTAssertEqual(box.pairs, [RefusalPair(1, 2), RefusalPair(4, 5)])
    XCTAssertNil(box.code)
    XCTAssertEqual(box.prices, [1, 2])
    XCTAssertEqual(box.letters, ["a", "d"])
    XCTAssertEqual(box.tags.map(\.rawValue), [["x"], ["y", "z"]])
    XCTAssertEqual(
      box.records,
      ["a": RefusalRecord(name: "n", codes: [RefusalCode("ok")]), "b": RefusalRecord(letter: "é")])
    XCTAssertEqual(box.level, 1)
    XCTAssertEqual(
      issues.map { $0.prefix { $0 != ":" } },
      [
        "codes[1]", "level", "pairs[1]", "pairs[2]", "code", "prices[1]", "letters[1]", "tags[1]",
        "records.a.codes[0]", "records.a.letter",
      ])
    XCTAssertEqual(issues[0], "codes[1]: found the code 'abc', expected two letters")
    XCTAssertEqual(issues[2], "pairs[1]: found an array, which the program refused: a pair in order")
  }

  func testStrictErrorNamesTheRefusedValue() {
    XCTAssertEqual(
      strict(#"{"level": 2, "codes": ["ab", "abc"]}"#),
      "codes[1]: found the code 'abc', expected two letters (line 1, column 30, byte 29)")
    XCTAssertEqual(
      strict(#"{"pairs": [[1, 2], [2, 1]]}"#),
      "pairs[1]: found an array, which the program refused: a pair in order (line 1, column 20, byte 19)")
    XCTAssertEqual(
      strict(#"{"records": {"x": {"codes": ["ab", "c"]}}}"#),
      "records.x.codes[1]: found the code 'c', expected two letters (line 1, column 36, byte 35)")
    XCTAssertEqual(
      message([RefusalRecord].self, #"[{}, {"codes": ["q"]}]"#),
      "[1].codes[0]: found the code 'q', expected two letters (line 1, column 17, byte 16)")
    XCTAssertEqual(
      message([String: RefusalPair].self, #"{"a": [1, 1], "b": [1]}"#),
      "b: found an array, which the program refused: a pair in order (line 1, column 20, byte 19)")
  }

  func testDuplicateElementsAndKeysAreReported() throws {
    let text =
      #"{"numbers": [1, 2, 1, 3], "words": ["é", "e\u0301"], "byNumber": {"1": "a", "2": "b"}, "#
      + #""items": [{"id": 1}, {"id": 2}, {"id": 1}], "byCode": {"ab": 1, "c": 2}}"#
    let (box, issues) = try lenient(text)
    XCTAssertEqual(box.numbers, [1, 2, 3])
    XCTAssertEqual(box.words, ["é"])
    XCTAssertEqual(box.byNumber, [1: "a", 2: "b"])
    XCTAssertEqual(box.byCode, [RefusalCode("ab"): 1])
    XCTAssertEqual(Set(box.items.map(\.id)), [1, 2])
    XCTAssertEqual(box.items.count, 2)
    XCTAssertEqual(
      issues.map { $0.prefix { $0 != ":" } }, ["numbers[2]", "words[1]", "items[2]", "byCode.c"])
    XCTAssertEqual(
      strict(#"{"numbers": [1, 2, 1]}"#),
      "numbers[2]: found a repeated element, expected distinct elements (line 1, column 20, byte 19)")
    XCTAssertEqual(
      strict(#"{"items": [{"id": 1}, {"id": 1}]}"#),
      "items[1]: found a repeated element, expected distinct elements (line 1, column 23, byte 22)")
  }

  func testSetOfObjectsRoundTrips() throws {
    let box = try RefusalBox(json: #"{"items": [{"id": 3}, {"id": 1}]}"#)
    XCTAssertEqual(box.items.map(\.id).sorted(), [1, 3])
    XCTAssertEqual(
      try ModelWriter(sortsKeys: true, only: ["items"]).text(of: box), #"{"items":[{"id":1},{"id":3}]}"#)
    XCTAssertEqual(try Set<RefusalItem>(json: #"[{"id": 3}, {"id": 1}]"#), box.items)
  }

  func testStrictReaderRefusesKeysInUnusualNotation() throws {
    for key in ["01", "+1", " 1", "1 ", "1.0", "1e2", "-0", "", "one", "0x1", "１"] {
      XCTAssertTrue(
        strict("{\"byNumber\": {\"\(key)\": \"\"}}").contains("expected an integer of 64 bits"), key)
    }
    XCTAssertEqual(
      strict(#"{"level": 2, "byNumber": {"2": "", "07": ""}}"#),
      #"byNumber["07"]: found "07", expected an integer of 64 bits (line 1, column 36, byte 35)"#)
    XCTAssertEqual(
      try RefusalBox(json: #"{"byNumber": {"0": "a", "-7": "b", "9223372036854775807": "c"}}"#).byNumber,
      [0: "a", -7: "b", .max: "c"])
    XCTAssertEqual(
      try RefusalBox(json: #"{"byReal": {"1": "a", "-0.5": "b", "1e20": "c"}}"#).byReal,
      [1: "a", -0.5: "b", 1e20: "c"])
    XCTAssertTrue(strict(#"{"byReal": {"NaN": ""}}"#).contains("expected a number"))
    XCTAssertEqual(try RefusalBox(json: #"{"byFlag": {"true": "a"}}"#).byFlag, [true: "a"])
    XCTAssertTrue(strict(#"{"byFlag": {"yes": "a"}}"#).contains("expected true or false"))
    let (box, issues) = try lenient(
      #"{"byNumber": {" 01.0 ": "x", "1e2": "a", "+1": "b"}, "byFlag": {"yes": "a"}}"#)
    XCTAssertEqual(box.byNumber, [100: "a"])
    XCTAssertEqual(box.byFlag, [true: "a"])
    XCTAssertEqual(issues.count, 2)
  }

  func testInvalidRawValueKeysAreReported() throws {
    let (box, issues) = try lenient(#"{"byRank": {"low": "a", "middle": "b", "high": "c"}}"#)
    XCTAssertEqual(box.byRank, [.low: "a", .high: "c"])
    XCTAssertEqual(issues.map { $0.prefix { $0 != ":" } }, ["byRank.middle"])
    XCTAssertTrue(strict(#"{"byRank": {"middle": "b"}}"#).hasPrefix("byRank.middle: found \"middle\""))
  }

  func testUpdateOmitsRefusedElements() throws {
    let box = RefusalBox()
    box.code = RefusalCode("zz")
    let issues = try ModelReader(.lenient).update(
      box, from: #"{"codes": ["ab", "abc"], "code": "abc", "level": 4, "numbers": [1, 1]}"#)
    XCTAssertEqual(box.codes.map(\.text), ["ab"])
    XCTAssertEqual(box.code?.text, "zz", "what is refused stays as it is")
    XCTAssertEqual(box.level, 4)
    XCTAssertEqual(box.numbers, [1])
    XCTAssertEqual(issues.map(\.path), ["codes[1]", "code", "numbers[1]"])
    XCTAssertThrowsError(try box.update(json: #"{"level": 5, "codes": ["abc"]}"#)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["codes[0]"])
    }
    XCTAssertEqual(box.level, 4)
  }

  func testInvalidURLCharactersAreRefused() throws {
    let box = try RefusalBox(
      json:
        #"{"links": ["https://example.org/é?q=日本#x", "https://例え.テスト/a%20b", "/relative", "https://a%20b"]}"#)
    XCTAssertEqual(box.links.count, 4)
    XCTAssertEqual(box.links[0], URL(string: "https://example.org/é?q=日本#x"))
    XCTAssertEqual(box.links[2].relativeString, "/relative")
    XCTAssertEqual(try RefusalBox(json: box.json()).links, box.links)
    for text in [
      "a b", " a", "a\\n", "a//[b", "aa%41//[a", "http://a@b@c/", "{x}", "%zz", "%4", "a^", "#a#b", ":",
      "<a>", "a|b",
    ] {
      XCTAssertThrowsError(try RefusalBox(json: #"{"links": ["\#(text)"]}"#), text)
    }
    for text in [
      "http://[::1]:80/a", "mailto:a@b.c", "a/b@c@d", "//a@b", "?a=b", "a?b/c?d", "a:b",
      "%41",
    ] {
      XCTAssertEqual(
        try RefusalBox(json: #"{"links": ["\#(text)"]}"#).links.map(\.absoluteString), [text])
    }
    let (other, issues) = try lenient(#"{"links": ["https://a", "https://[x", "b"]}"#)
    XCTAssertEqual(other.links.map(\.relativeString), ["https://a", "b"])
    XCTAssertEqual(issues, ["links[1]: found the string 'https://[x', expected a URL"])
  }
}
