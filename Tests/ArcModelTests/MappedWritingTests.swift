import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

@Archivable("MappedOwner") class MappedOwner {
  @Key(json: "user.id", or: "uid") var id = 1
  @Key(json: "user.name") var name = "a"
  @Key(json: "user.name") var greeting = "b"
  @JSONRule(.omitted) var token = "none"
  @JSONRule(.writeOnly) var total = 2
  @JSONRule(.readOnly) var note: String?
  @JSONFormat(.millisecondsSince1970) var joined: Date?
  @JSONFormat(.rfc1123) var seen: [Date] = []
  @JSONFormat(.secondsSince1970) var left: Date?
  @JSONRule(.embedded) var place = Place(street: "s", city: "c")
  @JSONFormat(
    .custom(
      read: { value in
        guard case .string(let text) = value else { return .null }
        return ["red": .number(JSONNumber(text.utf8.count)), "green": 0]
      },
      write: { value in
        guard case .number(let red)? = value["red"] else { return .null }
        return .string(String(repeating: "r", count: red.integer(Int.self) ?? 0))
      }))
  var tint: Tint? = Tint(red: 3, green: 0)
  @JSONRule(.included) weak var chief: MappedOwner?
  weak var friend: MappedOwner?
  init() {}
}

@Archivable("MappedMember") final class MappedMember: MappedOwner { var createdAt = 5 }

extension MappedMember: ModelMapping {
  static var mapping: JSONMapping { JSONMapping(naming: .snakeCase, except: ["seen", "left"]) }
}

@Archivable("MappedLevel") enum MappedLevel {
  case low
  case high
}

@Archivable("MappedHook") final class MappedHook: JSONPostprocessing {
  var level = MappedLevel.low
  @JSONFormat(.custom(read: { $0 }, write: { $0 == "low" ? "low/1" : $0 })) var other = MappedLevel.low
  func willWrite(_ object: inout JSONObject) { object["added"] = ["é"] }
}

@Archivable("MappedClash") final class MappedClash {
  @Key(json: "a.b") var first = 0
  @Key(json: "a") var second = 1
  init() {}
}

@Archivable("MappedElement") final class MappedElement {
  @Key(json: "ids[0]") var first = 0
  init() {}
}

/// Writing properties with other paths or formats in JSON.
final class MappedWritingTests: XCTestCase {
  func testMembersAreWrittenAtTheirDeclaredPaths() throws {
    let owner = MappedOwner()
    owner.note = "n"
    owner.joined = Date(timeIntervalSinceReferenceDate: 0.5)
    owner.seen = [Date(timeIntervalSinceReferenceDate: 1)]
    owner.left = Date(timeIntervalSinceReferenceDate: 2)
    let text = try owner.json()
    XCTAssertEqual(
      text,
      #"{"user":{"id":1,"name":"a"},"total":2,"joined":978307200500,"seen":["Mon, 01 Jan 2001 00:00:01 GMT"],"#
        + #""left":978307202,"street":"s","city":"c","tint":"rrr"}"#)
    let read = try MappedOwner(json: text)
    XCTAssertEqual(read.joined, owner.joined)
    XCTAssertEqual(read.seen, owner.seen)
    XCTAssertEqual(read.left, owner.left)
    XCTAssertEqual(read.place, owner.place)
    XCTAssertEqual(read.tint, owner.tint)
    XCTAssertEqual(read.greeting, "a")
    XCTAssertEqual(
      try owner.json(sortsKeys: true).prefix(50), #"{"city":"c","joined":978307200500,"left":978307202"#)
  }

  func testWeakPropertyIsWrittenOnRequest() throws {
    let (owner, other) = (MappedOwner(), MappedOwner())
    owner.chief = other
    owner.friend = other
    let value = try ModelWriter().value(of: owner)
    XCTAssertEqual(value["chief"]?["user"]?["id"], 1)
    XCTAssertNil(value["friend"])
    owner.chief = owner
    XCTAssertThrowsError(try owner.json()) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .cycle)
      XCTAssertEqual(($0 as? ModelWritingError)?.path, "chief")
    }
  }

  func testClassAndWriterMappingsOverrideTheDeclaration() throws {
    let member = MappedMember()
    XCTAssertEqual(
      try member.json(),
      #"{"user":{"id":1,"name":"a"},"total":2,"street":"s","city":"c","tint":"rrr","created_at":5}"#)
    var writer = ModelWriter()
    writer.setMapping(
      JSONMapping(paths: ["id": ["[\"a.b\"].c"]], formats: ["joined": .iso8601], only: ["id", "createdAt"]),
      for: MappedMember.self)
    XCTAssertEqual(try writer.text(of: member), #"{"a.b":{"c":1},"created_at":5}"#)
  }

  func testNilWithCustomFormatIsOmittedOrNull() throws {
    let owner = MappedOwner()
    owner.tint = nil
    XCTAssertEqual(try ModelWriter(nulls: .omitted).value(of: owner)["tint"], nil)
    XCTAssertEqual(try ModelWriter(nulls: .written).value(of: owner)["tint"], .null)
  }

  func testWriterOptionsDoNotAffectHooksOrFormats() throws {
    let expected: JSONValue = ["level": "low", "other": "low/1", "added": ["é"]]
    for isPretty in [false, true] {
      for escaping in [JSONEscaping.required, .ascii, .html] {
        let writer = ModelWriter(isPretty: isPretty, escaping: escaping)
        XCTAssertEqual(try writer.value(of: MappedHook()), expected)
        XCTAssertEqual(try JSONValue(parsing: writer.text(of: MappedHook())), expected)
      }
    }
  }

  func testUnwritablePathsAreReported() {
    XCTAssertThrowsError(try MappedClash().json()) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .duplicateName)
    }
    XCTAssertThrowsError(try MappedElement().json()) {
      let expected = "the JSON path 'ids[0]' with an index, for a property that is written to JSON"
      XCTAssertTrue("\($0)".contains(expected), "\($0)")
    }
  }

  /// A value is rounded to the nearest 16-bit number, not down.
  func testSixteenBitFloatsAreRoundedToNearest() throws {
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      for (text, value) in [
        ("1.5", 1.5), ("-0.1", -0.1), ("65504", 65504), ("1e-7", 1e-7), ("3.1415927", .pi),
      ]
        as [(String, Double)]
      {
        XCTAssertEqual(try Float16(json: text), Float16(value), text)
        XCTAssertEqual(try [Float16](json: "[\(text), 2]"), [Float16(value), 2], text)
      }
    #endif
  }
}
