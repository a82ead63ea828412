import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// A strict reader throws the first issue in the order of the text, which is the first issue of a lenient
/// reader.
final class FirstIssueTests: XCTestCase {
  func testStrictReaderThrowsFirstIssueOfLenientReader() throws {
    for text in [
      #"{"list": [5, {"id": 2}], "id": 1}"#, #"{"list": [{"id": 1}, 5, {"id": []}], "id": 1}"#,
      #"{"id": 1, "one": 5, "text": 7}"#, #"{"id": 1, "text": {}, "list": [{"id": "q"}]}"#,
      #"{"list": [5, {"id": []}], "numbers": [[]], "id": 1}"#, #"{"numbers": [[]], "list": [{"id": 1}]}"#,
      #"{"id": {}, "box": {"count": []}}"#, #"{"box": {"count": [], "one": {"id": []}}, "id": {}}"#, "[]",
      "5",
    ] {
      try assertFirstIssue(text)
    }
  }

  func testUpdateDoesNotReportUnchangedFields() throws {
    for references in [[], .marked] as [ModelReferences] {
      let record = IssueRecord()
      record.box = IssueBox(count: 1)
      XCTAssertThrowsError(
        try ModelReader(references: references).update(
          record, from: #"{"box": {"one": {"id": 1}}, "text": 5}"#)
      ) { XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["text"]) }
    }
  }

  func testFirstIssueInAStructureNamesItsField() throws {
    for references in [[], .marked] as [ModelReferences] {
      for (text, path) in [
        (#"{"part": {"level": 5}}"#, "part.level"), (#"{"part": {"level": "z"}, "n": "x"}"#, "part.level"),
        (#"{"n": "x", "part": {"level": "z"}}"#, "n"), (#"{"n": "x", "path": 5}"#, "n"),
        (#"{"path": 5, "n": "x"}"#, "path"), (#"{"n": "x", "unknown": 1}"#, "n"),
      ] {
        let reader = ModelReader(references: references, unknownKeys: .reported)
        XCTAssertThrowsError(try reader.read(IssuePaths.self, from: text), text) {
          XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), [path], text)
        }
      }
    }
  }

  func testUnknownMemberDoesNotHideLaterIssues() throws {
    for references in [[], .marked] as [ModelReferences] {
      let reader = ModelReader(references: references, unknownKeys: .reported)
      for (text, path) in [
        (#"{"zz": 1, "a": 1, "b": 2}"#, "zz"), (#"{"a": 1, "zz": 1, "b": 2}"#, "zz"),
        (#"{"a": 1, "b": 2, "zz": 1}"#, "zz"), (#"{"zz": 1, "a": 1}"#, "b"), (#"{"zz": 1, "b": "x"}"#, "a"),
        (#"{"a": "x", "zz": 1, "b": 2}"#, "a"), (#"{"zz": 1, "a": 1, "a": 2, "b": 2}"#, "zz"),
      ] {
        for (name, read) in [
          ("text", { _ = try reader.read(RequiredMembers.self, from: text) }),
          ("document", { _ = try reader.read(RequiredMembers.self, from: JSONDocument(text)) }),
          ("value", { _ = try reader.read(RequiredMembers.self, from: JSONValue(parsing: text)) }),
          ("array", { _ = try reader.read([RequiredMembers].self, from: "[\(text)]") }),
        ] as [(String, () throws -> Void)]
        // Documents and values refuse members with equal names.
        where !["document", "value"].contains(name) || !text.contains(#""a": 2"#) {
          XCTAssertThrowsError(try read(), text) {
            let paths = ($0 as? ModelReadingError)?.issues.map(\.path)
            XCTAssertEqual(paths, [name == "array" ? "[0].\(path)" : path], "\(name) \(text)")
          }
        }
      }
    }
  }

  func testConversionErrorIsReportedByEachReader() throws {
    for references in [[], .marked] as [ModelReferences] {
      let text = #"{"parts": [{"value": 1}, {"value": -1}], "value": -2}"#
      let (root, issues) = try ModelReader(.lenient, references: references).readWithIssues(
        IssueConversions.self, from: text)
      XCTAssertEqual(root.value.number, 7)
      XCTAssertEqual(root.parts.map(\.value.number), [1, 7])
      XCTAssertEqual(issues.map(\.path), ["parts[1].value", "value"])
      XCTAssertThrowsError(try ModelReader(references: references).read(IssueConversions.self, from: text)) {
        XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["parts[1].value"], "\($0)")
      }
    }
  }

  func testReadersReportEqualFirstIssuesForRandomJSON() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<300 { try assertFirstIssue(value(.record, depth: 3, &random)) }
  }

  private func assertFirstIssue(_ text: String) throws {
    let expected: [ModelIssue]
    do { expected = try ModelReader(.lenient).readWithIssues(IssueRecord.self, from: text).issues } catch {
      expected = (error as? ModelReadingError)?.issues ?? []
    }
    for references in [[], .marked, .identified, [.marked, .identified]] as [ModelReferences] {
      do {
        _ = try ModelReader(references: references).read(IssueRecord.self, from: text)
        XCTAssertEqual(expected, [], text)
      } catch let error as ModelReadingError {
        XCTAssertEqual(error.issues.first, expected.first, "\(references.rawValue): \(text)")
      }
    }
  }

  private enum Kind: CaseIterable { case record, records, integer, text, integers, box }

  /// Returns a random text, which sometimes is of the wrong kind.
  private func value(_ kind: Kind, depth: Int, _ random: inout SplitMix64) -> String {
    if Int.random(in: 0..<12, using: &random) == 0 { return "[[]]" }
    switch kind {
    case .integer: return "7"
    case .text: return #""t""#
    case .integers: return Bool.random(using: &random) ? "[1, 2]" : "[1, {}, []]"
    case .records:
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        value(depth > 0 ? .record : .integer, depth: depth - 1, &random)
      }
      return "[\(elements.joined(separator: ", "))]"
    case .box:
      let count = value(.integer, depth: 0, &random)
      let one = depth > 0 ? #", "one": \#(value(.record, depth: depth - 1, &random))"# : ""
      return #"{"count": \#(count)\#(one)}"#
    case .record:
      var members = [("id", Kind.integer), ("text", .text), ("numbers", .integers), ("box", .box)]
      if depth > 0 { members += [("list", .records), ("one", .record)] }
      let texts = members.shuffled(using: &random).filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
        .map { #""\#($0.0)": \#(value($0.1, depth: depth - 1, &random))"# }
      return "{\(texts.joined(separator: ", "))}"
    }
  }
}

@Archivable private final class IssueRecord {
  var id: Int
  var text = ""
  var list: [IssueRecord] = []
  var one: IssueRecord?
  var numbers: [Int] = []
  var box: IssueBox?

  init() { id = 0 }

}

@Archivable private struct IssueBox {
  var count: Int
  var one: IssueRecord?
}

@Archivable private final class IssuePaths {
  var part = IssuePart()
  var n = 0
  @Key(json: "path.value") var value: Int?
}

@Archivable private struct IssuePart {
  var level: IssueLevel?
  var count = 0
}

@Archivable private enum IssueLevel: String { case low, high }

@Archivable private final class IssueConversions {
  var parts: [IssueConversions] = []
  var value = IssueConverted(number: 7)
}

private struct IssueConverted: ArchivableByConversion {
  let number: Int
  init(number: Int) { self.number = number }
  init(archivedForm: Int) throws {
    if archivedForm < 0 { throw IssueRefusal() }
    number = archivedForm
  }
  var archivedForm: Int { number }
}

private struct IssueRefusal: Error {}

@Archivable private final class RequiredMembers {
  let a: Int
  @JSONRule(.required) var b = 0
  init(a: Int) { self.a = a }
}
