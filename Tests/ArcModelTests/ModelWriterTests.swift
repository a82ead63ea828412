import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Writing objects as JSON.
final class ModelWriterTests: XCTestCase {
  private func boat() -> Tugboat {
    let boat = Tugboat(hull: 7)
    boat.tows = [Vessel(hull: 8), Vessel(hull: 9)]
    boat.harbour = boat.tows[0]
    return boat
  }

  func testMembersAreInPropertyOrderWithSuperclassesFirst() throws {
    XCTAssertEqual(
      try boat().json(),
      #"{"hull":7,"label":"none","the_power":0.5,"#
        + #""tows":[{"hull":8,"label":"none"},{"hull":9,"label":"none"}]}"#)
  }

  func testNilIsOmittedIfReadingRestoresIt() throws {
    let vessel = Vessel(hull: 1)
    vessel.label = nil
    XCTAssertEqual(try vessel.json(), #"{"hull":1,"label":null}"#)
    XCTAssertNil(try Vessel(json: vessel.json()).label)
    XCTAssertEqual(try vessel.json(nulls: .omitted), #"{"hull":1}"#)
    XCTAssertEqual(try vessel.json(nulls: .written), #"{"hull":1,"nick":null,"label":null}"#)
    XCTAssertEqual(try [Spot(x: 1), nil].json(), #"[{"x":1},null]"#)
    XCTAssertEqual(try [Spot(x: 1)].json(nulls: .written), #"[{"x":1,"note":null}]"#)
    XCTAssertEqual(try Strand?.none.json(), "null")
  }

  func testUnownedPropertiesAreNotWritten() throws {
    let owner = Vessel(hull: 1)
    XCTAssertEqual(try Pier(owner: owner).json(), #"{"length":1}"#)
  }

  func testOnlyOutermostObjectsAreLimitedToChosenProperties() throws {
    XCTAssertEqual(
      try [boat()].json(only: ["hull", "tows", "unknown"]),
      #"[{"hull":7,"tows":[{"hull":8,"label":"none"},{"hull":9,"label":"none"}]}]"#)
    let strand = Strand()
    strand.next = Strand()
    let writer = ModelWriter(only: ["next"])
    for _ in 0..<3 {
      XCTAssertEqual(
        try writer.text(of: ["a": strand]), #"{"a":{"next":{"number":0,"friends":[],"byName":{}}}}"#)
    }
    XCTAssertEqual(try strand.json(only: []), "{}")
  }

  func testNamingRuleAppliesToWritingAndReading() throws {
    let boat = boat()
    boat.enginePower = 3
    let text = try boat.json(naming: .upperSnakeCase)
    XCTAssertTrue(text.hasPrefix(#"{"HULL":7,"LABEL":"none","THE_POWER":3.0,"TOWS":[{"HULL":8"#))
    let read = try ModelReader(naming: .upperSnakeCase).read(Tugboat.self, from: text)
    XCTAssertEqual(read.enginePower, 3)
    XCTAssertEqual(try Spot(x: 1).json(naming: .pascalCase), #"{"X":1}"#)
  }

  func testPrettyTextPutsEachMemberOnALine() throws {
    let strand = Strand()
    strand.friends = [Strand()]
    XCTAssertEqual(
      try strand.json(isPretty: true),
      """
      {
        "number": 0,
        "friends": [
          {
            "number": 0,
            "friends": [],
            "byName": {}
          }
        ],
        "byName": {}
      }
      """)
  }

  func testSortedTextOfEqualValuesIsEqual() throws {
    let words = Set((0..<40).map { "w\($0)" })
    let table = Dictionary(uniqueKeysWithValues: (0..<40).map { (Spot(x: $0, note: "\"\($0)"), $0) })
    for isPretty in [false, true] {
      XCTAssertEqual(
        try words.json(isPretty: isPretty, sortsKeys: true),
        try words.sorted().json(isPretty: isPretty), "elements of sets")
      XCTAssertEqual(
        try [Bool: [String: Int]](json: "{\"true\": {\"b\": 1, \"a!\": 2, \"a\": 3}, \"false\": {}}")
          .json(isPretty: isPretty, sortsKeys: true),
        isPretty
          ? "{\n  \"false\": {},\n  \"true\": {\n    \"a\": 3,\n    \"a!\": 2,\n    \"b\": 1\n  }\n}"
          : #"{"false":{},"true":{"a":3,"a!":2,"b":1}}"#)
      let text = try table.json(isPretty: isPretty, sortsKeys: true)
      XCTAssertEqual(
        text, try Dictionary(uniqueKeysWithValues: table.shuffled()).json(isPretty: isPretty, sortsKeys: true)
      )
      XCTAssertEqual(try [Spot: Int](json: text), table)
    }
    XCTAssertEqual(
      try Vessel(hull: 1).json(sortsKeys: true), #"{"hull":1,"label":"none"}"#)
  }

  func testWrittenValuesHaveTheExpectedNotations() throws {
    let all = AllKinds()
    all.string = "a\"\\\n\u{1}é😀</script>"
    all.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    all.data = Data([0, 1, 254, 255])
    all.uuid = try XCTUnwrap(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    all.url = URL(string: "b?c", relativeTo: URL(string: "https://example.org/a/"))
    all.decimal = try XCTUnwrap(Decimal(string: "-12345678901234567890.125"))
    all.int128 = .min
    all.uint64 = .max
    all.float = 0.1
    let value = try ModelWriter().value(of: all)
    XCTAssertEqual(value["string"], .string(all.string))
    XCTAssertEqual(value["date"], "2023-11-14T22:13:20.250Z")
    XCTAssertEqual(value["data"], "AAH+/w==")
    XCTAssertEqual(value["uuid"], "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    XCTAssertEqual(value["url"], "https://example.org/a/b?c")
    XCTAssertEqual(value["decimal"].map { "\($0)" }, "-12345678901234567890.125")
    XCTAssertEqual(value["int128"].map { "\($0)" }, "-170141183460469231731687303715884105728")
    XCTAssertEqual(value["uint64"].map { "\($0)" }, "18446744073709551615")
    XCTAssertEqual(value["float"].map { "\($0)" }, "0.1")
    XCTAssertEqual(value["level"], 1)
    XCTAssertEqual(value["empty"], .object(JSONObject()))
  }

  func testEnumerationCasesAreWrittenAsNamesOrObjects() throws {
    let strand = Strand()
    for (grade, text) in [
      (Grade.top, #""top""#), (.marked(3), #"{"marked":3}"#), (.pair(1, "a"), #"{"pair":[1,"a"]}"#),
      (.mixed(1, word: "a"), #"{"mixed":{"_0":1,"word":"a"}}"#),
      (.table(["_0": 1]), #"{"table":{"_0":{"_0":1}}}"#), (.maybe(nil), #"{"maybe":null}"#),
      (.span(from: 1, to: nil), #"{"span":{"from":1}}"#), (.spot(Spot(x: 1)), #"{"spot":{"x":1}}"#),
      (.nested(.nested(.top)), #"{"nested":{"nested":"top"}}"#),
    ] {
      XCTAssertEqual(try grade.json(), text)
      XCTAssertEqual(try Grade(json: text), grade)
    }
    XCTAssertEqual(
      try Grade.boat(strand).json(isPretty: false), #"{"boat":{"number":0,"friends":[],"byName":{}}}"#)
    XCTAssertEqual(try Grade.top.json(isPretty: true), #""top""#)
  }

  func testTuplesAndRangesAreWrittenAsObjects() throws {
    let tuples = Tuples()
    tuples.closed = 1...2
    let text = try tuples.json()
    XCTAssertEqual(
      text,
      #"{"pair":{"0":1,"1":"a"},"named":{"0":1,"1":2.5},"range":{"lowerBound":1,"upperBound":4},"#
        + #""closed":{"lowerBound":1.0,"upperBound":2.0}}"#)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(tuples, Tuples(json: text)))
    XCTAssertEqual(try Tuples(json: #"{"pair": [2, "b"]}"#).pair.1, "b")
    XCTAssertThrowsError(try Tuples(json: #"{"pair": [2]}"#))
    XCTAssertThrowsError(try Tuples(json: #"{"range": [1, 4]}"#))
  }

  func testDictionariesWithoutStringKeysAreWrittenAsPairs() throws {
    XCTAssertEqual(try [Spot(x: 1): "a"].json(), #"[[{"x":1},"a"]]"#)
    XCTAssertEqual(try [-1: true].json(), #"{"-1":true}"#)
    XCTAssertEqual(try [1.5: true].json(), #"{"1.5":true}"#)
    XCTAssertEqual(try ["a\"b": 1].json(), #"{"a\"b":1}"#)
    XCTAssertEqual(try [Spot: Int]().json(), "[]")
  }

  func testDatesRoundTrip() throws {
    for seconds in [
      0, 1, -1, 0.1, -0.1, 1e-7, -123.456789012345, 8_388_607.123456789, 700_000_000.1234567, -6e10, 2.5e11,
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try date.json()
      XCTAssertTrue(text.hasPrefix("\"") && text.hasSuffix("Z\""), text)
      XCTAssertEqual(try Date(json: text), date, text)
    }
    let far = Date(timeIntervalSinceReferenceDate: 1e12)
    XCTAssertEqual(try far.json(), "1000978307200.0")
    XCTAssertEqual(try Date(json: far.json()), far)
  }

  func testProtocolTypedValuesAreWrittenByActualType() throws {
    let hold = Hold()
    let timber = Timber()
    hold.main = timber
    hold.all = [Sack(), timber, Sack(weight: 9)]
    hold.extra = ["list": [1, 2], "sack": Sack(weight: 4), "word": "x"]
    hold.later = Lazy(timber)
    XCTAssertEqual(
      try hold.json(sortsKeys: true),
      #"{"all":[{"weight":2},{"beams":3},{"weight":9}],"extra":{"list":[1,2],"sack":{"weight":4},"word":"x"},"#
        + #""later":{"beams":3},"main":{"beams":3}}"#)
  }

  func testObjectReferencedTwiceIsWrittenTwice() throws {
    let (strand, friend) = (Strand(), Strand())
    friend.number = 5
    strand.friends = [friend, friend]
    strand.next = friend
    XCTAssertEqual(try strand.json().components(separatedBy: "\"number\":5").count, 4)
  }

  func testNonFiniteNumbersAreWrittenOnRequest() throws {
    let numbers: [Double] = [.nan, .infinity, -.infinity, 1]
    XCTAssertEqual(try ModelWriter(nonFinite: .null).text(of: numbers), "[null,null,null,1.0]")
    let text = try ModelWriter(nonFinite: .text).text(of: numbers)
    XCTAssertEqual(text, #"["NaN","Infinity","-Infinity",1.0]"#)
    XCTAssertEqual(
      try ModelReader(.lenient).read([Double].self, from: text).map(\.description),
      ["nan", "inf", "-inf", "1.0"])
    XCTAssertEqual(try ModelWriter(nonFinite: .text).text(of: [Float.nan]), #"["NaN"]"#)
    XCTAssertEqual(try ModelWriter(nonFinite: .null).text(of: [Decimal.nan]), "[null]")
  }

  func testOptionalEscapesAreWrittenOnRequest() throws {
    XCTAssertEqual(
      try ModelWriter(escaping: .ascii).text(of: ["é": "😀"]), #"{"\u00e9":"\ud83d\ude00"}"#)
    XCTAssertEqual(try ModelWriter(escaping: .html).text(of: "</a>"), #""\u003c/a\u003e""#)
  }

  func testLargeArraysOfNumbersAreWrittenInFull() throws {
    let all = AllKinds()
    all.numbers = [(0..<20_000).map(Double.init), [], [0.5], (0..<9000).map { Double($0) / 8 }]
    all.bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
    all.children = [AllKinds(), AllKinds()]
    all.children[0].numbers = all.numbers.reversed()
    all.children[1].bytes = all.bytes.reversed()
    let read = try AllKinds(json: all.json())
    XCTAssertEqual(read.numbers, all.numbers)
    XCTAssertEqual(read.bytes, all.bytes)
    XCTAssertEqual(read.children[0].numbers, all.children[0].numbers)
    XCTAssertEqual(read.children[1].bytes, all.children[1].bytes)
  }

  func testChangedWriterCanBeReused() throws {
    var writer = ModelWriter()
    let spot = Spot(x: 1)
    XCTAssertEqual(try writer.text(of: spot), #"{"x":1}"#)
    writer.nulls = .written
    XCTAssertEqual(try writer.text(of: spot), #"{"x":1,"note":null}"#)
    writer.naming = .pascalCase
    XCTAssertEqual(try writer.bytes(of: spot), Array(#"{"X":1,"Note":null}"#.utf8))
    let (shared, count) = (writer, 100)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<count { XCTAssertEqual(try? shared.text(of: [spot]), #"[{"X":1,"Note":null}]"#) }
    }
  }
}
