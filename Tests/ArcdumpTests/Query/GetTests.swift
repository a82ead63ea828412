import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class GetTests: XCTestCase {
  func testGetCommandPrintsAnObjectWithItsProperties() throws {
    XCTAssertEqual(
      try ask("get", "#2", on: QueriedArchives.zoo()).output,
      """
      #2: Dog #2
        age 9
        friends array of 1
          Dog #1 …
        home Home(street: "Oak", number: 1)
        shape Shape.round
        toys [:]
        rival → Zoo.Animal #4 …
        name "Mia"
        Zoo.Animal.age 60
        nick nil
        weak mother nil
        tags {"red"}

      """)
    let deep = try ask("get", "others[0]", "--depth", "2", on: QueriedArchives.zoo()).output
    XCTAssertTrue(deep.hasPrefix("others[0]: Zoo.Animal #3\n  name \"Tom\"\n"), deep)
  }

  func testValuesArePrintedWithTheirPaths() throws {
    let bytes = try QueriedArchives.zoo()
    let expected = [
      ("root.name", "root.name: \"Rex\"\n"),
      ("root.friends.name", "root.friends[0].name: \"Mia\"\nroot.friends[1].name: \"Tom\"\n"),
      ("Dog.home.number", "#1.home.number: 7\n#2.home.number: 1\n"),
      ("Dog[name == 'Rex'].toys[\"two words\"]", "#1.toys[\"two words\"]: 1\n"),
      ("root.toys.keys", "root.toys.keys[0]: \"ball\"\nroot.toys.keys[1]: \"two words\"\n"),
      ("root.toys.values[1]", "root.toys.values[1]: 1\n"),
      ("root.shape.long.length", "root.shape.long.length: 0.5\n"),
      ("root.`Zoo.Animal.age`", "root.`Zoo.Animal.age`: 40\n"), ("root.tags.@count", "root.tags.@count: 2\n"),
      ("root.friends[-1].name", "root.friends[1].name: \"Tom\"\n"), ("others[1]", "others[1]: nil\n"),
      ("root.friends.@class", "root.friends[0].@class: \"Dog\"\nroot.friends[1].@class: \"Zoo.Animal\"\n"),
      ("#3.@text", "#3.name: \"Tom\"\n#3.nick: \"T\"\n"),
    ]
    for (path, output) in RandomTrials.sample(of: expected, oneIn: 3) {
      XCTAssertEqual(try ask("get", path, on: bytes), CommandResult(output: output), path)
    }
    // A path can omit the name of the only root.
    XCTAssertEqual(
      try ask("get", "next.@id", on: QueriedArchives.ring(3, isClosed: false)).output, "first.next.@id: 2\n")
    XCTAssertEqual(try ask("get", "root.age", "#3.age", on: bytes).output, "root.age: 5\n#3.age: 3\n")
  }

  /// A combining mark at the beginning of a name forms one character with the character before it. It still
  /// belongs to the name.
  func testPathsEscapeCombiningMarksInNames() {
    XCTAssertEqual(ValuePath.Step.name("`\u{301}").text, ".`\\u{60}\\u{301}`")
    XCTAssertEqual(ValuePath.Step.name("\\\u{301}").text, ".`\\u{5c}\\u{301}`")
    XCTAssertEqual(ObjectPath(to: "\u{615}x", [.name("y")]).text, "`\\u{615}x`.y")
  }

  func testRawOptionPrintsValuesUnchanged() throws {
    let bytes = try QueriedArchives.zoo()
    XCTAssertEqual(try ask("get", "root.friends.name", "--raw", on: bytes).output, "Mia\nTom\n")
    XCTAssertEqual(try ask("get", "root.shape", "--raw", on: bytes).status, .incomplete)
    let hostile = try SampleArchives.family()
    XCTAssertEqual(try ask("get", "#3.intro", "--raw", on: hostile).output, "a \"quoted\"\n\u{1B}[31m\n")
    XCTAssertEqual(
      try ask("get", "#3.intro", "--raw", on: hostile, isTerminal: true).output,
      "a \"quoted\"\\u{a}\\u{1b}[31m\n")
    let kinds = try SampleArchives.kinds()
    XCTAssertEqual(try ask("get", "all.data", "--raw", on: kinds).output.unicodeScalars.first?.value, 1)
    let refused = try ask("get", "all.data", "--raw", on: kinds, isTerminal: true)
    XCTAssertTrue(refused.errors.contains("typeMismatch: found data at 'all.data'"), refused.errors)
  }

  func testGetCommandWritesObjectsAndValuesAsJSON() throws {
    XCTAssertEqual(
      try ask("get", "#3", "root.tags", "--json", on: QueriedArchives.zoo()).output,
      #"""
      {
        "format":"arc",
        "values":[
          {"path":"#3","object":{"id":3,"class":"Zoo.Animal","properties":{"name":"Tom","age":3,"nick":"T","mother":{"$ref":1},"tags":{"$set":[]}}}},
          {"path":"root.tags","value":{"$set":["big","red"]}}
        ]
      }

      """#)
  }

  func testUnresolvedPathsExitWithCodeOne() throws {
    let bytes = try QueriedArchives.zoo()
    let result = try ask("get", "root.nme", on: bytes)
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertTrue(
      result.errors.contains(
        "missingKey: found an object of class 'Dog' without the property 'nme' at 'root'"))
    XCTAssertEqual(
      try ask("get", "Dog[age > 100]", on: bytes), CommandResult(output: "", status: .incomplete))
    XCTAssertThrowsError(try ask("get", "root.", on: bytes))
    XCTAssertThrowsError(try ask("get", "root", "--raw", "--json", on: bytes))
  }

  func testLimitOptionReportsFurtherResults() throws {
    XCTAssertEqual(
      try ask("get", "root.friends.name", "--limit", "1", on: QueriedArchives.zoo()).output,
      "root.friends[0].name: \"Mia\"\n… more (--limit 1)\n")
    let json = try ask("get", "root.friends.name", "--limit", "1", "--json", on: QueriedArchives.zoo()).output
    XCTAssertTrue(json.hasSuffix("],\n  \"isCut\":true\n}\n"), json)
  }

  func testPathsFromErrorsCanBeQueried() throws {
    // A truncated name, a name that is not a word, and a name with unprintable characters.
    let long = String(repeating: "n", count: 70)
    let builder = try RowWiseArchive(roots: [("a b", #"@"Odd""#)])
    let odd = try builder.addClass(
      "Odd", properties: [(long, "Tq"), ("tab\t`\\u{41}", "Tq"), ("", "Tq"), ("7up", "Tq"), ("and", "Tq")])
    try builder.row(0, .reference(1))
    try builder.row(odd, .int(1), .int(2), .int(3), .int(4), .int(5))
    let bytes = try builder.finish()
    for (number, key) in [long, "tab\t`\\u{41}", "", "7up", "and"].enumerated() {
      let path = ObjectPath(to: "a b", [.name(key)])
      let own = try XCTUnwrap(PathText(root: "a b")).text + XCTUnwrap(ValuePath.Step.name(key).printedText)
      for text in [path.text, own] {
        XCTAssertEqual(
          try ask("get", text, "--raw", on: bytes), CommandResult(output: "\(number + 1)\n"), text)
      }
    }
    XCTAssertEqual(try ask("find", "Odd[and == 5]", on: bytes).output, "Odd #1  `a b`\n")
  }

  func testPathIntoCycleOfBoxObjectsIsRefused() throws {
    let builder = try RowWiseArchive(roots: [("root", #"@"Box""#)])
    let box = try builder.addClass("Box", properties: [("value", #"T@"Box",N,&"#)])
    try builder.row(0, .reference(1))
    try builder.row(box, .reference(1))
    let result = try ask("get", "root.name", on: builder.finish())
    XCTAssertTrue(result.errors.contains("without the property 'name'"), result.errors)
  }

  func testRootNameCanBeOmittedIfUnique() throws {
    let bytes = try QueriedArchives.ring(3, isClosed: false)
    XCTAssertEqual(try ask("get", ".next.@id", on: bytes).output, "first.next.@id: 2\n")
    XCTAssertTrue(
      try ask("get", ".age", on: QueriedArchives.zoo()).errors.contains("a path without the name of a root"))
  }

  func testGetCommandReadsOnlySegmentsOfTheObject() throws {
    let builder = try RowWiseArchive(roots: [("first", #"@"Node""#)])
    let node = try builder.addClass(
      "Node", properties: [("next", #"T@"Node",N,&"#), ("text", #"T@"NSData",N"#)])
    try builder.row(0, .reference(1))
    for row in 1...400 {
      try builder.row(
        node, .reference(row < 400 ? UInt32(row + 1) : 0),
        .bytes(Array(repeating: UInt8(row % 200), count: 20_000))
      )
    }
    var bytes = try builder.finish()
    let segments = try ArchiveFile(bytes: bytes).segments.filter { $0.kind == .rows }
    XCTAssertGreaterThan(segments.count, 4)
    // Damage in a segment that the command does not read has no effect.
    bytes[segments[segments.count - 1].byteOffset + 1000] ^= 1
    XCTAssertEqual(try ask("get", "first.next.next.text.@count", on: bytes).status, .ok)
    XCTAssertEqual(try ask("get", "#400", on: bytes).status, .dataError)
  }

  func testErrorSuggestsSubscriptForADictionaryKey() throws {
    let bytes = try QueriedArchives.zoo()
    let result = try ask("get", "root.toys.ball", on: bytes)
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertEqual(
      result.errors,
      "arcdump: test.arc: missingKey: found a dictionary whose values have no 'ball' at 'root.toys', expected "
        + "the step [\"ball\"] for the value of this key; write 'root.toys[\"ball\"]' for the value of the key\n"
    )
    XCTAssertEqual(try ask("get", "root.toys[\"ball\"]", on: bytes).status, .ok)
    // If a path branches, some branches may have no result.
    XCTAssertEqual(try ask("get", "Dog.toys.ball", on: bytes).errors, "")
  }

  func testLongPathIsFollowedOnASmallStack() throws {
    let length = RandomTrials.size(usually: 10_000, exhaustively: 20_000)
    let bytes = try QueriedArchives.ring(length, isClosed: false)
    try onSmallStack {
      let path = "first" + String(repeating: ".next", count: length - 1)
      let result = try ask("get", path + ".@id", "--raw", on: bytes)
      XCTAssertEqual(result, CommandResult(output: "\(length)\n"))
    }
  }
}
