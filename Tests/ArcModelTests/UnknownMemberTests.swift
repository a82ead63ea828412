import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

@Archivable("KeepCard") class KeepCard: UnknownMemberPreserving {
  var name = ""
  @Key(json: "place.city") var city: String?
  @JSONRule(.embedded) var size = KeepSize(width: 0)
  var inner: KeepCard?
  var plain: KeepPlain?
  var count: Int?
  @Transient var unknownMembers = JSONObject()
  init() {}
}

@Archivable("KeepBusinessCard") final class KeepBusinessCard: KeepCard { var firm = "" }

@Archivable("KeepSize") struct KeepSize { var width: Int }

@Archivable("KeepPlain") final class KeepPlain {
  var x = 0
  init() {}
}

/// A class whose hooks refuse some unknown members, and change the written JSON.
@Archivable("KeepChecked")
final class KeepChecked: UnknownMemberPreserving, ModelFinishing, JSONPostprocessing {
  var x = 0
  @Transient var unknownMembers = JSONObject()
  init() {}
  func didRead() throws { if unknownMembers["bad"] != nil { throw NegativeNumber() } }
  func willWrite(_ object: inout JSONObject) { object["seen"] = .array(object.names.map { .string($0) }) }
}

/// Members that no property reads.
final class UnknownMemberTests: XCTestCase {
  private let reader = ModelReader(unknownKeys: .preserved)

  func testPreservedMembersAreWrittenAfterProperties() throws {
    let text = """
      {"extra":{"b":[1,2.50,null],"a":"\\u00e9"},"name":"n","zip":12345678901234567890,"place":{"city":"c"},\
      "width":2,"inner":{"other":true}}
      """
    let card = try reader.read(KeepCard.self, from: text)
    XCTAssertEqual(card.unknownMembers.names, ["extra", "zip"])
    XCTAssertEqual(card.inner?.unknownMembers.names, ["other"])
    XCTAssertEqual(
      try card.json(),
      """
      {"name":"n","place":{"city":"c"},"width":2,"inner":{"name":"","width":0,"other":true},\
      "extra":{"b":[1,2.50,null],"a":"é"},"zip":12345678901234567890}
      """)
    XCTAssertEqual(
      try card.json(sortsKeys: true),
      """
      {"extra":{"a":"é","b":[1,2.50,null]},"inner":{"name":"","other":true,"width":0},"name":"n",\
      "place":{"city":"c"},"width":2,"zip":12345678901234567890}
      """)
    XCTAssertEqual(try card.json(only: ["name"]), "{\"name\":\"n\"}")
    XCTAssertTrue(try card.json(isPretty: true).hasSuffix("\n  \"zip\": 12345678901234567890\n}"))
  }

  func testUnknownMembersNeverOverwriteProperties() throws {
    let card = KeepCard()
    for name in ["name", "place", "width", "count", "e\u{301}"] { card.unknownMembers[name] = "over" }
    XCTAssertEqual(
      try card.json(), "{\"name\":\"\",\"width\":0,\"e\u{301}\":\"over\"}")
    let read = try reader.read(KeepCard.self, from: card.json())
    XCTAssertEqual(read.unknownMembers.names, ["e\u{301}"])
  }

  func testPreservedMembersAreWrittenUnchanged() throws {
    let text =
      "{\"name\":\"n\",\"place\":{\"city\":\"c\"},\"width\":1,\"firm\":\"f\",\"tags\":[{\"a\":{}}],\"u\":null}"
    XCTAssertEqual(try reader.read(KeepBusinessCard.self, from: text).json(), text)
  }

  func testUnknownMembersThatCannotBePreservedAreReported() throws {
    XCTAssertThrowsError(try reader.read(KeepCard.self, from: "{\"plain\": {\"y\": 1}}")) {
      XCTAssertEqual(
        ($0 as? ModelReadingError)?.issues.map(\.description),
        [
          "plain.y: found a member that matches no property, expected only known members, or a class that conforms to UnknownMemberPreserving"
        ])
    }
    let lenient = ModelReader(.lenient, unknownKeys: .preserved)
    let (card, issues) = try lenient.readWithIssues(KeepCard.self, from: "{\"z\": 1, \"plain\": {\"y\": 1}}")
    XCTAssertEqual(issues.map(\.path), ["plain.y"])
    XCTAssertEqual(card.unknownMembers.names, ["z"])
  }

  func testUnknownMembersArePreservedOnlyOnRequest() throws {
    XCTAssertEqual(try KeepCard(json: "{\"z\": 1}").unknownMembers.count, 0)
    let reporting = ModelReader(.lenient, unknownKeys: .reported)
    let (card, issues) = try reporting.readWithIssues(KeepCard.self, from: "{\"z\": 1}")
    XCTAssertEqual(issues.map(\.code), [.unknownKey])
    XCTAssertEqual(card.unknownMembers.count, 0)
  }

  func testDuplicateUnknownMemberIsReported() throws {
    let text = "{\"z\": 1, \"z\": 2}"
    XCTAssertThrowsError(try reader.read(KeepCard.self, from: text)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.duplicateKey])
    }
    let lenient = ModelReader(.lenient, unknownKeys: .preserved)
    XCTAssertEqual(try lenient.read(KeepCard.self, from: text).unknownMembers["z"], 2)
  }

  func testUpdateMergesPreservedMembers() throws {
    let card = try reader.read(KeepCard.self, from: "{\"a\": 1, \"b\": 2, \"inner\": {}}")
    try reader.update(card, from: "{\"b\": null, \"c\": 3, \"inner\": {\"d\": 4}}")
    XCTAssertEqual(JSONValue.object(card.unknownMembers), ["a": 1, "b": .null, "c": 3])
    XCTAssertEqual(card.inner?.unknownMembers["d"], 4)
    XCTAssertThrowsError(try reader.update(card, from: "{\"e\": 3, \"name\": 5}"))
    XCTAssertNil(card.unknownMembers["e"])
    try card.update(json: "{\"e\": 3}")
    XCTAssertNil(card.unknownMembers["e"])
  }

  func testObjectCanRefuseItsPreservedMembers() throws {
    let checked = try reader.read(KeepChecked.self, from: "{\"good\": 1, \"x\": 2}")
    XCTAssertThrowsError(try reader.update(checked, from: "{\"bad\": 1, \"x\": 3}"))
    XCTAssertEqual(JSONValue.object(checked.unknownMembers), ["good": 1])
    XCTAssertEqual(checked.x, 2)
    XCTAssertThrowsError(try reader.read(KeepChecked.self, from: "{\"bad\": 1}"))
    XCTAssertEqual(try checked.json(), "{\"x\":2,\"good\":1,\"seen\":[\"x\",\"good\"]}")
  }

  func testReferenceMarksAreNotPreservedAsMembers() throws {
    let reader = ModelReader(references: .marked, unknownKeys: .preserved)
    let text =
      "[{\"$id\":\"1\",\"name\":\"n\",\"width\":0,\"z\":{\"$ref\":\"1\"}},{\"$ref\":\"1\"}]"
    let cards = try reader.read([KeepCard].self, from: text)
    XCTAssertEqual(cards[0].unknownMembers.names, ["z"])
    XCTAssertEqual(try ModelWriter(references: .marked).text(of: cards), text)
  }

  func testDamagedUnknownMembersRoundTripOrThrow() throws {
    let bytes = Array(
      "{\"name\":\"n\",\"place\":{\"city\":\"c\"},\"z\":{\"a\":[1,{\"b\":null}]},\"inner\":{\"w\":\"\\u0041\"}}"
        .utf8)
    for mode in [ModelReader.Mode.strict, .lenient] {
      let reader = ModelReader(mode, references: .marked, unknownKeys: .preserved)
      for index in bytes.indices {
        XCTAssertThrowsError(try reader.read(KeepCard.self, from: Array(bytes.prefix(index))))
        for bit in 0..<8 {
          var changed = bytes
          changed[index] ^= 1 << UInt8(bit)
          guard let card = try? reader.read(KeepCard.self, from: changed) else { continue }
          let text = try card.json()
          XCTAssertEqual(try reader.read(KeepCard.self, from: text).json(), text)
        }
      }
    }
  }
}
