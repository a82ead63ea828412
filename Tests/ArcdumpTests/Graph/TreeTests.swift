import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

final class TreeTests: XCTestCase {
  private let family = """
    root: Person #1
      name "Ada"
      age 36
      weak mother → Person #3 (below)
      friends array of 2
        Person #2
          name "Bob"
          age 40
          weak mother nil
          friends array of 2
            Person #1 (cycle)
            Person #3 (below)
          Biology.age nan
          intro nil
        Person #3
          name "Cleo"
          age 70
          weak mother nil
          friends []
          Biology.age -0.0
          intro "a \\"quoted\\"\\n\\u{1b}[31m"
      Biology.age 0.5
      intro "first"
    scores: ["math": 1, "art": -2]

    """

  func testEachObjectIsPrintedOnceAtFirstReference() throws {
    XCTAssertEqual(try arcdump(on: SampleArchives.family()), CommandResult(output: family))
  }

  func testCompressionDoesNotChangeTheOutput() throws {
    XCTAssertEqual(try arcdump("tree", on: SampleArchives.family(compression: .zlib)).output, family)
  }

  func testTreePrintsEveryKindOfValue() throws {
    let any = """
      bool true
      int32 -7
      uint64 18446744073709551615
      uint128 340282366920938463463374607431768211455
      float 0.1
      double -inf
      data 2 bytes 01ab
      date 2026-11-22T00:26:40.25Z
      uuid 00010203-0405-0607-0809-0A0B0C0D0E0F
      decimal 1.50
      url <a/b> in <https://example.org>
      none nil
      noObject nil
      set {1, 2}
      empty []
      point Point(x: 1.0, y: 2.5)
      shape Shape.circle(radius: 3.0)
      plain Shape.none
      nested [[1], []]
      long array of 2
        "word word word word word word word word "
        "word word word word word word word word "
      keys dictionary of 1
      """.split(separator: "\n")
    var lines = ["all: Any #1"] + any.map { "  " + $0 } + ["    entry", "      key: Any #2"]
    lines += any.map { "        " + $0 }
    lines += [
      "          entry", "            key: Any #2 (cycle)", "            value: 5", "        pair Pair",
      "          owner: Any #1 (cycle)", "          weak link: Any #2 (cycle)", "      value: 5",
      "  pair Pair", "    owner: Any #1 (cycle)", "    weak link: Any #2 (above)", "",
    ]
    let result = try arcdump(on: SampleArchives.kinds())
    XCTAssertEqual(result, CommandResult(output: lines.joined(separator: "\n")))
  }

  func testDepthLimitReportsTheOmittedObjects() throws {
    let expected = """
      root: Person #1
        name "Ada"
        age 36
        weak mother → Person #3
        friends array of 2
          Person #2 …
          Person #3 …
        Biology.age 0.5
        intro "first"
      scores: ["math": 1, "art": -2]
      … 2 more objects (--depth 1)

      """
    XCTAssertEqual(try arcdump("--depth", "1", on: SampleArchives.family()).output, expected)
  }

  func testCollectionLimitReportsTheOmittedElements() throws {
    let expected = """
      root: Person #1
        name "Ada"
        age 36
        weak mother → Person #3
        friends array of 2
          … 2 more
        Biology.age 0.5
        intro "first"
      scores: ["math": 1, "art": -2]
      … 2 more objects (--limit 1)

      """
    XCTAssertEqual(try arcdump("--limit", "1", on: SampleArchives.family()).output, expected)
    XCTAssertEqual(
      try arcdump("--limit", "0", "--depth", "0", on: SampleArchives.chain(5)).output,
      "first: Node #1 …\n… 5 more objects (--limit 0)\n")
  }

  func testLongOutputIsTruncatedOnlyOnATerminal() throws {
    let chain = try SampleArchives.chain(3000)
    let lines = try arcdump(on: chain).output.split(separator: "\n")
    XCTAssertEqual(lines.count, 3001)
    XCTAssertEqual(lines[3], "      next → Node #4")
    XCTAssertEqual(lines[3000], String(repeating: "  ", count: 40) + "[3000] next nil")
    let shown = try arcdump(on: chain, isTerminal: true, environment: ["TERM": "dumb"]).output
    XCTAssertEqual(
      shown.split(separator: "\n").suffix(2),
      [
        "            next → Node #7 …", "… 2,994 more objects (--depth 6)",
      ])
  }

  func testLongChainIsPrintedOnSmallStack() throws {
    let length = RandomTrials.size(usually: 20_000, exhaustively: 200_000)
    let chain = try SampleArchives.chain(length)
    try onSmallStack {
      let text = try arcdump(on: chain).output
      XCTAssertEqual(text.utf8.count { $0 == UInt8(ascii: "\n") }, length + 1)
    }
  }

  func testObjectsWithoutStrongReferencesAreCounted() throws {
    let builder = try RowWiseArchive(roots: [("one", #"@"Node""#)])
    let node = try builder.addClass("Node", properties: [("link", #"T@"Node",W"#)])
    try builder.row(0, .reference(1))
    try builder.row(node, .weak(2))
    try builder.row(node, .weak(1))
    XCTAssertEqual(
      try arcdump(on: builder.finish()).output,
      "one: Node #1\n  weak link → Node #2\n… 1 more object (no strong reference leads to them)\n")
  }

  func testAbsentHandWrittenKeysAreNotPrinted() throws {
    let builder = try RowWiseArchive(roots: [("one", #"@"Bag""#)])
    let bag = try builder.addClass(
      "Bag", properties: [("a", "Tq"), ("b", "T$?q"), ("c", "Tq")], flags: .keyed)
    try builder.row(0, .reference(1))
    try builder.row(bag, .none, .some(nil), .some(.int(3)))
    XCTAssertEqual(try arcdump(on: builder.finish()).output, "one: Bag #1\n  b nil\n  c 3\n")
  }

  func testReferenceToAMissingObjectIsAnError() throws {
    let builder = try RowWiseArchive(roots: [("one", #"@"Node""#)])
    try builder.row(0, .reference(9))
    let result = try arcdump(on: builder.finish())
    XCTAssertEqual(result.output, "")
    XCTAssertTrue(
      result.errors.contains(
        "danglingReference: found a reference to object #9, expected a reference to an object with a number below 1 (class '$roots', key 'one'"
      ),
      result.errors)
    XCTAssertEqual(result.status, .dataError)
  }

  func testInvalidTreeArgumentsAreRefused() {
    let lines = [["--depth=-1"], ["--limit=-1"], ["--json", "--depth=1"], ["--color=blue"], ["--depth=x"]]
    for arguments in lines {
      XCTAssertThrowsError(try Arcdump.parseAsRoot(arguments + ["file"]), "\(arguments)")
    }
  }
}
