import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Errors for values that the program's own code or types refuse contain the location, the found value, and
/// the expected values.
final class ExplainedRefusalTests: XCTestCase {
  private func message<Value: ArchivableValue>(_ type: Value.Type, _ json: String) -> String {
    do {
      _ = try Value(json: json)
      return "no error"
    } catch { return "\(error)" }
  }

  private func lenient<Value: ArchivableValue>(
    _ type: Value.Type, _ json: String
  ) throws -> (Value, [String]) {
    let (value, issues) = try ModelReader(.lenient).readWithIssues(type, from: json)
    return (value, issues.map(\.description))
  }

  // MARK: Conversions

  func testConverterErrorIsReportedForItsValue() throws {
    let text = """
      {"number": 4, "tint": "tzz", "tints": ["t10", "no", "t20"],
       "byName": {"a": "t30", "b": "bad"}, "inner": {"tint": "x", "note": "n"}, "maybe": "y"}
      """
    let (box, issues) = try lenient(ExplainedBox.self, text)
    XCTAssertEqual(box.number, 4)
    XCTAssertEqual(box.tint, ExplainedTint(value: 7))
    XCTAssertEqual(box.tints.map(\.value), [16, 32])
    XCTAssertEqual(box.byName.mapValues(\.value), ["a": 48])
    XCTAssertEqual(box.inner.note, "n")
    XCTAssertEqual(box.inner.tint.value, 9)
    XCTAssertNil(box.maybe)
    XCTAssertEqual(
      issues,
      [
        #"tint: found "tzz", which the program refused: two hexadecimal digits, not 'zz'"#,
        #"tints[1]: found "no", which the program refused: two hexadecimal digits, not 'no'"#,
        #"byName.b: found "bad", which the program refused: two hexadecimal digits, not 'bad'"#,
        #"inner.tint: found "x", which the program refused: two hexadecimal digits, not 'x'"#,
        #"maybe: found "y", which the program refused: two hexadecimal digits, not 'y'"#,
      ])
  }

  func testStrictErrorContainsPositionAndConverterMessage() {
    XCTAssertEqual(
      message(ExplainedBox.self, "{\"number\": 4,\n \"tints\": [\"t10\", \"no\"]}"),
      #"tints[1]: found "no", which the program refused: two hexadecimal digits, not 'no' (line 2, column 19, byte 32)"#
    )
    XCTAssertEqual(
      message(ExplainedTint.self, "\"no\""),
      #"the root: found "no", which the program refused: two hexadecimal digits, not 'no' (line 1, column 1, byte 0)"#
    )
  }

  func testUpdateDoesNotChangeRefusedValues() throws {
    let box = ExplainedBox()
    let issues = try ModelReader(.lenient).update(box, from: #"{"tint": "no", "number": 5}"#)
    XCTAssertEqual(issues.map(\.path), ["tint"])
    XCTAssertEqual(box.tint.value, 7)
    XCTAssertEqual(box.number, 5)
    XCTAssertThrowsError(try box.update(json: #"{"tint": "no", "number": 6}"#))
    XCTAssertEqual(box.number, 5)
  }

  // MARK: Raw values and cases

  func testUnknownRawValueIsReportedWithKnownValues() throws {
    XCTAssertEqual(
      message(Rank.self, "\"middle\""),
      #"the root: found "middle", expected a raw value of Rank: "low", "high" (line 1, column 1, byte 0)"#)
    XCTAssertEqual(
      message([Rank].self, "[7]"),
      #"[0]: found 7, expected a raw value of Rank: "low", "high" (line 1, column 2, byte 1)"#)
    XCTAssertEqual(
      message(ExplainedMany.self, "99"),
      "the root: found 99, expected a raw value of ExplainedMany: 0, 1, 2, 3, 4, 5, 6, 7, … (line 1, column 1, byte 0)"
    )
    XCTAssertEqual(
      message(ExplainedMany.self, "\"x\""),
      "the root: found \"x\", expected a raw value of ExplainedMany: 0, 1, 2, 3, 4, 5, 6, 7, … (line 1, column 1, byte 0)"
    )
    XCTAssertEqual(
      message(ExplainedListed.self, "\"z\""),
      #"the root: found "z", expected a raw value of ExplainedListed: "x", "y" (line 1, column 1, byte 0)"#)
    XCTAssertEqual(
      message(RefusalTags.self, "[]"),
      "the root: found an array, expected a raw value of RefusalTags (line 1, column 1, byte 0)")
    XCTAssertEqual(
      message(ExplainedRanks.self, "{}"),
      #"rank: found nothing, expected a raw value of Rank: "low", "high" (line 1, column 1, byte 0)"#)
    let (ranks, issues) = try lenient([Rank].self, #"["low", "None", 3, "high"]"#)
    XCTAssertEqual(ranks, [.low, .high])
    XCTAssertEqual(
      issues,
      [
        #"[1]: found "None", expected a raw value of Rank: "low", "high""#,
        #"[2]: found 3, expected a raw value of Rank: "low", "high""#,
      ])
  }

  func testUnknownArchivedRawValueIsReportedWithAlternatives() throws {
    let bytes = try Archiver().archive(["low", "middle"])
    XCTAssertThrowsError(try Unarchiver().unarchive([Rank].self, from: bytes)) { error in
      XCTAssertTrue(
        "\(error)".contains(#"found the raw value "middle", expected a raw value of Rank: "low", "high""#),
        "\(error)")
    }
  }

  func testUnknownCaseIsReportedWithTheKnownCases() throws {
    XCTAssertEqual(
      message(Outline.self, #"{"square": {"side": 1}}"#),
      #"the root: found an object with the member "square", expected a case: "circle", "polygon", "empty" "#
        + "(line 1, column 1, byte 0)")
    XCTAssertEqual(
      message(Outline.self, #""square""#),
      #"the root: found "square", expected a case: "circle", "polygon", "empty" "#
        + "(line 1, column 1, byte 0)")
    XCTAssertTrue(
      message(ExplainedWide.self, #""z""#).contains(
        #"a case: "a", "b", "c", "d", "e", "f", "g", "h", … ("#))
  }

  // MARK: URLs

  func testEmptyStringIsRefusedAsURL() throws {
    XCTAssertEqual(
      message(ExplainedBox.self, #"{"link": ""}"#),
      #"link: found "", expected a URL (line 1, column 10, byte 9)"#)
    let (box, issues) = try lenient(
      ExplainedBox.self, #"{"link": "", "home": "  ", "links": ["", "https://a"], "byLink": {"a": ""}}"#)
    XCTAssertNil(box.link)
    XCTAssertEqual(box.home, URL(string: "https://home"))
    XCTAssertEqual(box.links, [URL(string: "https://a")])
    XCTAssertEqual(box.byLink, [:])
    XCTAssertEqual(
      issues,
      [
        #"link: found "", expected a URL"#, #"home: found "  ", expected a URL"#,
        #"links[0]: found "", expected a URL"#, #"byLink.a: found "", expected a URL"#,
      ])
    XCTAssertNil(try ExplainedBox(json: #"{"link": null}"#).link)
  }

  // MARK: Hand-written classes

  func testHandWrittenClassIsRefusedWithARemedy() {
    for (json, reading) in [
      ("{}", { _ = try HandCoded(json: $0) }), (#"{"child": {}}"#, { _ = try HandOwner(json: $0) }),
      (#"[{"child": {"one": 1}}]"#, { _ = try ModelReader(.lenient).read([HandOwner].self, from: $0) }),
      ("{}", { try HandCoded().update(json: $0) }),
      (#"{"own": 1}"#, { _ = try ExplainedUnderHand(json: $0) }),
    ] as [(String, (String) throws -> Void)] {
      XCTAssertThrowsError(try reading(json), json) { error in
        let error = error as? ArchiveError
        XCTAssertEqual(error?.code, .notArchivable)
        XCTAssertTrue(error?.found.hasPrefix("class '") ?? false, "\(error?.found ?? "")")
        XCTAssertTrue(error?.remedy?.contains("@Archivable") ?? false)
        XCTAssertTrue(error?.remedy?.contains("ArchivableByConversion") ?? false)
      }
    }
    XCTAssertNoThrow(try HandOwner(json: #"{"child": null}"#))
  }
}

struct ExplainedTint: ArchivableByConversion, Equatable {
  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { "two hexadecimal digits, not '\(text)'" }
  }
  var value: Int
  init(value: Int) { self.value = value }
  var archivedForm: String { "t" + String(value, radix: 16) }
  init(archivedForm: String) throws {
    let digits = archivedForm.hasPrefix("t") ? String(archivedForm.dropFirst()) : archivedForm
    guard let value = Int(digits, radix: 16), digits.count == 2 else { throw Failure(text: digits) }
    self.value = value
  }
}

@Archivable("ExplainedInner") struct ExplainedInner {
  var tint = ExplainedTint(value: 9)
  var note = ""
}

@Archivable("ExplainedBox") final class ExplainedBox {
  var number = 0
  var tint = ExplainedTint(value: 7)
  var tints: [ExplainedTint] = []
  var byName: [String: ExplainedTint] = [:]
  var inner = ExplainedInner()
  var maybe: ExplainedTint?
  var link: URL?
  var home = URL(string: "https://home")
  var links: [URL] = []
  var byLink: [String: URL] = [:]
  init() {}
}

enum ExplainedMany: Int, ArchivableValue { case a, b, c, d, e, f, g, h, i, j }

struct ExplainedListed: RawRepresentable, CaseIterable, ArchivableValue {
  let rawValue: String
  init?(rawValue: String) {
    guard rawValue == "x" || rawValue == "y" else { return nil }
    self.rawValue = rawValue
  }
  static var allCases: [ExplainedListed] { ["x", "y"].compactMap(ExplainedListed.init) }
}

@Archivable("ExplainedRanks") final class ExplainedRanks {
  let rank: Rank
  init(rank: Rank) { self.rank = rank }
}

@Archivable("ExplainedWide") enum ExplainedWide {
  case a, b, c, d, e, f, g, h, i
  case j(Int)
}

class ExplainedHand: Archivable {
  class var archiveSchema: ClassSchema { ClassSchema(ExplainedHand.self, name: "ExplainedHand") }
  init() {}
  required init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {}
  func link(from decoder: borrowing ObjectDecoder) throws {}
}

@Archivable("ExplainedUnderHand") final class ExplainedUnderHand: ExplainedHand { var own = 0 }
