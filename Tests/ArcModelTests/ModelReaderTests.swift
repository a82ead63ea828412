import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// Strict reading of JSON as objects.
final class ModelReaderTests: XCTestCase {
  /// Returns the issues of a reading that fails.
  private func issues<Value: ArchivableValue>(
    _ type: Value.Type, _ json: String, _ reader: ModelReader = ModelReader(), line: UInt = #line
  ) -> [String] {
    do {
      _ = try reader.read(type, from: json)
      XCTFail("no error", line: line)
      return []
    } catch let error as ModelReadingError {
      return error.issues.map(\.description)
    } catch {
      XCTFail("\(error)", line: line)
      return []
    }
  }

  func testConstantsAndInheritedPropertiesAreRead() throws {
    let editor = try Editor(
      json: """
        {"secret": "x", "desk": "news", "id": 7, "name": "Ada", "unknown": [1, {}],
         "reports": [{"id": 8}, {"id": 9, "nickname": null}]}
        """)
    XCTAssertEqual(editor.id, 7)
    XCTAssertEqual(editor.name, "Ada")
    XCTAssertEqual(editor.desk, "news")
    XCTAssertTrue(editor.isSecretSet)
    XCTAssertEqual(editor.reports.map(\.id), [8, 9])
    XCTAssertEqual(editor.reports.map(\.name), ["anonymous", "anonymous"])
  }

  func testOnlyNullReplacesAnInitialValueWithNil() throws {
    XCTAssertEqual(try Author(json: "{\"id\": 1}").nickname, "none")
    XCTAssertNil(try Author(json: "{\"id\": 1, \"nickname\": null}").nickname)
  }

  func testValuesOfAllKindsAreRead() throws {
    let sheet = try Sheet(
      json: """
        {"title": "T\\u00e9", "author": {"id": 1}, "authors": {"a": {"id": 2}, "b": {"id": 3}},
         "matrix": [[1, 2], [], [3]], "marks": {"1": true, "-2": false}, "tags": ["x", "y"],
         "outline": {"circle": {"radius": 2}},
         "outlines": ["empty", {"polygon": [{"x": 1, "y": 2.5, "label": "p"}, {"x": 0, "y": -1e3}]}],
         "origin": {"y": 4, "x": 3}, "ranks": ["high", "low"], "rank": "high",
         "date": "2001-01-01T00:00:01.5Z", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
         "price": 12345678901234567890.125, "link": "https://example.org/a?b=c", "data": "aGVsbG8=",
         "big": 18446744073709551615, "huge": -170141183460469231731687303715884105728,
         "ratio": 0.1, "flag": true, "level": -128, "createdAtTime": 3}
        """)
    XCTAssertEqual(sheet.title, "Té")
    XCTAssertEqual(sheet.author?.id, 1)
    XCTAssertEqual(sheet.authors.mapValues(\.id), ["a": 2, "b": 3])
    XCTAssertEqual(sheet.matrix, [[1, 2], [], [3]])
    XCTAssertEqual(sheet.marks, [1: true, -2: false])
    XCTAssertEqual(sheet.tags, ["x", "y"])
    XCTAssertEqual(sheet.outline, .circle(radius: 2))
    XCTAssertEqual(
      sheet.outlines, [.empty, .polygon([GridPoint(x: 1, y: 2.5, label: "p"), GridPoint(x: 0, y: -1000)])])
    XCTAssertEqual(sheet.origin, GridPoint(x: 3, y: 4))
    XCTAssertEqual(sheet.ranks, [.high, .low])
    XCTAssertEqual(sheet.rank, .high)
    XCTAssertEqual(sheet.date, Date(timeIntervalSinceReferenceDate: 1.5))
    XCTAssertEqual(sheet.uuid, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    XCTAssertEqual(sheet.price, Decimal(string: "12345678901234567890.125"))
    XCTAssertEqual(sheet.link?.absoluteString, "https://example.org/a?b=c")
    XCTAssertEqual(sheet.data, Data("hello".utf8))
    XCTAssertEqual(sheet.big, .max)
    XCTAssertEqual(sheet.huge, .min)
    XCTAssertEqual(sheet.ratio, 0.1)
    XCTAssertTrue(sheet.flag)
    XCTAssertEqual(sheet.level, -128)
    XCTAssertEqual(sheet.createdAtTime, 3)
  }

  func testCollectionsAndValuesMayBeRoots() throws {
    XCTAssertEqual(try [Author](json: "[{\"id\": 1}, {\"id\": 2}]").map(\.id), [1, 2])
    XCTAssertEqual(try [String: Author](json: "{\"a\": {\"id\": 1}}").mapValues(\.id), ["a": 1])
    XCTAssertEqual(try GridPoint(json: "{\"x\": 1, \"y\": 2}"), GridPoint(x: 1, y: 2))
    XCTAssertEqual(try [Int?](json: "[1, null]"), [1, nil])
    XCTAssertEqual(try Double(json: "0.25"), 0.25)
    XCTAssertNil(try Author?(json: "null"))
  }

  func testValueInsideJSONIsReadByItsPath() throws {
    let text = "{\"data\": {\"items\": [{\"id\": 1}, {\"id\": 2}]}}"
    XCTAssertEqual(try [Author](json: text, at: "data.items").map(\.id), [1, 2])
    XCTAssertEqual(try Author(json: text, at: "data.items[1]").id, 2)
    XCTAssertThrowsError(try Author(json: text, at: "data.item")) { error in
      XCTAssertEqual("\(error)", "data.item: found nothing, expected a value (line 1, column 1, byte 0)")
    }
  }

  /// Found by the fuzzer: a name can begin with a combining mark, which forms one character with the
  /// character before it.
  func testPathsFindNamesThatBeginWithCombiningMarks() throws {
    for name in ["\u{615}", "\u{301}x", "a\"\u{301}b", "\\\u{301}", ".\u{301}", "]\u{301}"] {
      let key = JSONValue.string(name).description
      let text = "{\"a\": {\(key): {\"id\": 3, \"name\": 5}}}"
      XCTAssertThrowsError(try [String: [String: Author]](json: text)) { error in
        let path = "\(error)".components(separatedBy: ".name: found")[0]
        XCTAssertEqual(try? Int(json: text, at: path + ".id"), 3, "\(name.debugDescription): \(error)")
      }
    }
  }

  func testGenericClassesAreRead() throws {
    XCTAssertEqual(try Crate<Int>(json: "{\"items\": [1, 2]}").items, [1, 2])
    XCTAssertEqual(try Crate<Author>(json: "{\"items\": [{\"id\": 5}]}").items.map(\.id), [5])
  }

  func testNestedObjectsOfOneClassAreRead() throws {
    let knot = try Knot(json: "{\"next\": {\"next\": {\"value\": 3}, \"value\": 2}, \"value\": 1}")
    XCTAssertEqual([knot.value, knot.next?.value, knot.next?.next?.value], [1, 2, 3])
    XCTAssertNil(knot.next?.next?.next)
  }

  func testDeeplyNestedObjectsAreReadOnSmallStack() throws {
    let depth = RandomTrials.size(usually: 15_000, exhaustively: 100_000)
    // The stack of the main thread would be sufficient for so few levels.
    let stackByteCount = RandomTrials.size(usually: 512 << 10, exhaustively: 8 << 20)
    let text =
      String(repeating: "{\"next\":", count: depth) + "{\"value\":7}" + String(repeating: "}", count: depth)
    try onSmallStack(byteCount: stackByteCount) {
      var knot = try ModelReader(limits: JSONLimits(depth: depth + 1)).read(Knot.self, from: text)
      var count = 0
      while let next = knot.next {
        knot.next = nil
        knot = next
        count += 1
      }
      XCTAssertEqual(count, depth)
      XCTAssertEqual(knot.value, 7)
    }
  }

  func testDeeplyNestedValuesAreReadOnSmallStack() throws {
    func text(_ depth: Int) -> String {
      String(repeating: "{\"sum\":[", count: depth) + "\"zero\"" + String(repeating: "]}", count: depth)
    }
    let limits = JSONLimits(depth: 1_000_000)
    // The outermost level also counts.
    let deepest = JSONValue.maximumDepth - 1
    try onSmallStack {
      for reader in [ModelReader(limits: limits), ModelReader(.lenient, limits: limits)] {
        let term = try reader.read(Term.self, from: text(deepest))
        XCTAssertEqual(term.takeApart(), deepest)
        // Swift releases the value recursively.
        _ = try reader.read(Term.self, from: text(deepest))
      }
      XCTAssertThrowsError(try ModelReader(limits: limits).read(Term.self, from: text(deepest + 1)))
    }
  }

  func testObjectForAnUnownedPropertyIsRefused() throws {
    XCTAssertEqual(
      issues(Tenant.self, "{\"owner\": {\"id\": 1}}"),
      ["owner: found an object, expected no object, because the reference does not retain its target"])
    XCTAssertEqual(issues(Tenant.self, "{}"), ["owner: found nothing, expected an object"])
    let editor = try Editor(json: "{\"id\": 1, \"desk\": \"\", \"chief\": {\"id\": 2}}")
    XCTAssertNil(editor.chief)
  }

  func testValueRefusedByItsTypeIsReported() throws {
    XCTAssertEqual(
      issues(Thermometer.self, "{\"celsius\": -300}"),
      ["celsius: found -300.0, expected a temperature above -273.15"])
    let (value, found) = try ModelReader(.lenient).readWithIssues(
      Thermometer.self, from: "{\"celsius\": -300, \"name\": \"x\"}")
    XCTAssertEqual(value.name, "x")
    XCTAssertNil(value.celsius)
    XCTAssertEqual(found.map(\.path), ["celsius"])
  }

  func testOrderOfMembersDoesNotMatter() throws {
    let texts = [
      "{\"id\":1,\"name\":\"a\"}", "{\"name\":\"a\",\"id\":1}", "{\"x\":0,\"name\":\"a\",\"y\":[],\"id\":1}",
    ]
    let authors = try [Author](json: "[\((texts + texts.reversed()).joined(separator: ","))]")
    XCTAssertEqual(authors.map(\.id), Array(repeating: 1, count: 6))
    XCTAssertEqual(authors.map(\.name), Array(repeating: "a", count: 6))
  }

  func testFirstMismatchIsReportedWithItsPosition() {
    XCTAssertThrowsError(try Sheet(json: "{\"title\": \"x\",\n \"matrix\": [[1], [2, \"3\"]]}")) { error in
      XCTAssertEqual(
        "\(error)",
        "matrix[1][1]: found \"3\", expected an integer of 64 bits (line 2, column 22, byte 36)")
    }
    XCTAssertEqual(
      issues(Sheet.self, "{\"title\": \"x\", \"level\": 128}"),
      ["level: found 128, expected an integer of 8 bits"])
    XCTAssertEqual(
      issues(Sheet.self, "{\"title\": \"x\", \"author\": {\"id\": 1, \"name\": null}}"),
      ["author.name: found null, expected a string"])
    XCTAssertEqual(
      issues([Sheet].self, "[{\"title\": \"x\", \"date\": \"soon\"}]"),
      ["[0].date: found \"soon\", expected a date such as \"2001-01-31T12:00:00Z\", or in seconds since 1970"]
    )
    XCTAssertEqual(
      issues(Sheet.self, "{\"title\": \"x\", \"authors\": {\"a b\": []}}"),
      ["authors[\"a b\"]: found an array, expected an object"])
    XCTAssertEqual(
      issues(Sheet.self, "{\"title\": \"x\", \"ranks\": [\"low\", \"middle\"]}").first?.hasPrefix(
        "ranks[1]: found \"middle\", expected"), true)
    XCTAssertEqual(
      issues(Sheet.self, "{\"title\": \"x\", \"outline\": {\"square\": {}}}"),
      [
        #"outline: found an object with the member "square", expected a case: "circle", "polygon", "empty""#
      ])
    XCTAssertEqual(issues(Author.self, "[]"), ["the root: found an array, expected an object"])
  }

  func testFirstIssueIsTheFirstInTheText() {
    let wrong = [
      "\"title\": 5", "\"matrix\": [[\"x\"]]", "\"marks\": {\"1\": 7}", "\"outline\": 1", "\"rank\": 0",
      "\"date\": \"soon\"", "\"level\": 128",
    ]
    for first in wrong.indices {
      for members in [wrong[first...] + wrong[..<first], wrong[...first].reversed() + wrong[(first + 1)...]] {
        let name = wrong[first].split(separator: "\"")[0]
        let issue = issues(Sheet.self, "{\(members.joined(separator: ", "))}")
        XCTAssertEqual(issue.count, 1)
        XCTAssertTrue(issue.first?.hasPrefix(name) ?? false, "\(name): \(issue)")
      }
    }
  }

  func testAllMissingMembersAreReported() {
    XCTAssertEqual(
      issues([Editor].self, "[{\"name\": \"x\"}]"),
      ["[0].desk: found nothing, expected a string", "[0].id: found nothing, expected an integer of 64 bits"])
    XCTAssertEqual(
      issues(GridPoint.self, "{\"label\": \"a\"}"),
      ["x: found nothing, expected a number", "y: found nothing, expected a number"])
  }

  func testEmptyStructureIsReadFromAnyObject() throws {
    XCTAssertEqual(try [EmptyRecord](json: "[{}, {\"x\": 1}]").count, 2)
    XCTAssertEqual(issues([EmptyRecord].self, "[1]"), ["[0]: found 1, expected an object"])
  }

  func testDictionaryIsReadFromKeyValuePairs() throws {
    let authors = try [Int: Author](json: "[[1, {\"id\": 7}], [2, {\"id\": 8}]]")
    XCTAssertEqual(authors.mapValues(\.id), [1: 7, 2: 8])
    let sheet = try Sheet(json: "{\"title\": \"\", \"authors\": [[\"a\", {\"id\": 2}]]}")
    XCTAssertEqual(sheet.authors.mapValues(\.id), ["a": 2])
    XCTAssertEqual(
      issues([Int: Author].self, "[[1]]"),
      ["[0]: found an array, expected an array of one key and one value"])
  }

  func testDocumentMayUseFirstOfDuplicateMembers() throws {
    let text = "{\"id\": 1, \"name\": \"a\", \"name\": \"b\"}"
    let document = try JSONDocument(text, duplicateKeys: .first)
    XCTAssertEqual(try Author(json: document).name, "a")
    let point = "{\"x\": 1, \"x\": 2, \"y\": 0}"
    XCTAssertEqual(try GridPoint(json: JSONDocument(point, duplicateKeys: .first)).x, 1)
    XCTAssertThrowsError(try GridPoint(json: JSONDocument(point, duplicateKeys: .last)))
  }

  /// Keys are compared eight bytes at a time. Keys that differ in one byte, or only in length, must not
  /// match.
  func testKeysThatAlmostMatchANameAreIgnored() throws {
    let text = "{\"id\": 1, \"nam\": \"a\", \"namf\": \"b\", \"nicknamf\": \"c\", \"nickname1\": \"d\"}"
    let author = try Author(json: text)
    XCTAssertEqual(author.name, "anonymous")
    XCTAssertEqual(author.nickname, "none")
    XCTAssertEqual(try Author(json: "{\"id\": 1, \"n\\u0061me\": \"e\"}").name, "e")
  }

  func testDuplicateMemberOfAnObjectIsRefused() {
    XCTAssertEqual(
      issues(Author.self, "{\"id\": 1, \"id\": 2}"),
      ["id: found a second member with the same name, expected members with distinct names"])
    XCTAssertNoThrow(try Author(json: "{\"id\": 1, \"x\": 2, \"x\": 3}"))
  }

  func testInvalidJSONThrowsJSONError() {
    XCTAssertThrowsError(try Author(json: "{\"id\": 1,}")) {
      XCTAssertEqual(($0 as? JSONError)?.byteOffset, 9)
    }
  }

  func testNamingRulesDetermineMemberNames() throws {
    let text = "{\"title\": \"x\", \"created_at_time\": 2.5, \"outlines\": []}"
    XCTAssertEqual(try ModelReader(naming: .snakeCase).read(Sheet.self, from: text).createdAtTime, 2.5)
    for (naming, expected) in [
      (KeyNaming.snakeCase, "image_url_of_page"), (.kebabCase, "image-url-of-page"),
      (.upperSnakeCase, "IMAGE_URL_OF_PAGE"), (.pascalCase, "ImageURLOfPage"),
      (.asDeclared, "imageURLOfPage"),
      (.custom { $0 + "_" }, "imageURLOfPage_"),
    ] {
      let names = try ModelReader(naming: naming).read(Named.self, from: "{\"\(expected)\": 1}")
      XCTAssertEqual(names.imageURLOfPage, 1, expected)
    }
  }

  func testDamagedJSONGivesModelOrError() {
    let text = Array(
      """
      {"title": "T", "author": {"id": 1}, "marks": {"1": true}, "outlines": ["empty", {"circle": {"radius": 2}}],
       "origin": {"y": 4, "x": 3}, "ranks": ["high"], "date": "2001-01-01T00:00:01.5Z", "data": "aGk="}
      """.utf8)
    let counts = [0] + RandomTrials.sample(of: 1..<text.count - 1, oneIn: 15) + [text.count - 1]
    for count in counts { XCTAssertThrowsError(try Sheet(json: Array(text[..<count]))) }
    let bytes = [UInt8(ascii: "0"), UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "["), 0xC3, 0]
    var trials = TrialSample(oneIn: 20)
    for position in text.indices {
      for byte in bytes where trials.includesNext() {
        var changed = text
        changed[position] = byte
        _ = try? Sheet(json: changed)
        _ = try? ModelReader(.lenient).read(Sheet.self, from: changed)
      }
    }
  }
}

@Archivable("ModelNamed") final class Named {
  var imageURLOfPage = 0
}

@Archivable("ModelTerm") indirect enum Term {
  case zero
  case sum([Term])

  /// Returns the depth of the value. Takes the value apart, because Swift releases a deep value recursively.
  consuming func takeApart() -> Int {
    var (term, depth) = (self, 0)
    while case .sum(var parts) = term, let last = parts.popLast() { (term, depth) = (last, depth + 1) }
    return depth
  }
}

@Archivable("ModelTenant") final class Tenant {
  unowned let owner: Author
  init(owner: Author) { self.owner = owner }
}

struct Celsius: ArchivableByConversion {
  let degrees: Double
  var archivedForm: Double { degrees }
  init(archivedForm: Double) throws {
    guard archivedForm > -273.15 else {
      throw ArchiveError(.valueOutOfRange, found: "\(archivedForm)", expected: "a temperature above -273.15")
    }
    degrees = archivedForm
  }
}

@Archivable("ModelThermometer") final class Thermometer {
  var celsius: Celsius?
  var name = ""
}
