import Arc
import ArcModel
import Foundation
import XCTest

/// The private properties that are members in JSON.
final class PrivatePropertyTests: XCTestCase {
  func testPrivatePropertiesAreNeitherReadNorWritten() throws {
    let safe = try Safe(json: #"{"label": "a", "token": "x", "pin": 7, "count": 3, "state": 4}"#)
    XCTAssertEqual(safe.secrets, ["none", "0"])
    XCTAssertEqual([safe.count, safe.state], [3, 4])
    XCTAssertEqual(try safe.json(), #"{"label":"a","count":3,"state":4}"#)
    try safe.update(json: #"{"token": "y", "pin": 8, "count": 5}"#)
    XCTAssertEqual(safe.secrets, ["none", "0"])
    XCTAssertEqual(safe.count, 5)
  }

  func testAnyJSONAttributeIncludesAPrivateProperty() throws {
    let text = #"{"k":"1","r":2,"f":978307202000}"#
    let marked = try MarkedSafe(json: text)
    XCTAssertEqual(marked.secrets, ["1", "2", "2.0", "0"])
    XCTAssertEqual(try marked.json(), text)
    XCTAssertThrowsError(try MarkedSafe(json: "{}")) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.missingKey])
    }
  }

  func testMappingCanIncludeAPrivateProperty() throws {
    for (mapping, text) in [
      (JSONMapping(paths: ["token": ["t"]]), #"{"label":"a","t":"x","count":0,"state":0}"#),
      (JSONMapping(rules: ["token": .required]), #"{"label":"a","token":"x","count":0,"state":0}"#),
      (JSONMapping(only: ["token"]), #"{"token":"x"}"#),
      (
        JSONMapping(formats: ["token": .custom(read: { $0 }, write: { $0 })]),
        #"{"label":"a","token":"x","count":0,"state":0}"#
      ),
    ] {
      var reader = ModelReader()
      reader.setMapping(mapping, for: Safe.self)
      let safe = try reader.read(Safe.self, from: text)
      XCTAssertEqual(safe.secrets, ["x", "0"])
      var writer = ModelWriter()
      writer.setMapping(mapping, for: Safe.self)
      XCTAssertEqual(try writer.text(of: safe), text)
    }
    var writer = ModelWriter()
    writer.setMapping(JSONMapping(paths: ["token": []], except: ["count", "state"]), for: Safe.self)
    XCTAssertEqual(try writer.text(of: Safe()), #"{"label":""}"#)
  }

  func testClassMappingCanIncludeAPrivateProperty() throws {
    XCTAssertEqual(try MappedSafe(json: #"{"label": "a", "the_pin": 4}"#).pinCode, 4)
    XCTAssertEqual(try MappedSafe().json(), #"{"the_pin":1,"label":""}"#)
  }

  func testPrivateFieldsOfStructuresAreNotConverted() throws {
    let text = #"{"key": {"bits": 5, "salt": 6, "note": "n"}}"#
    let box = try KeyBox(json: text)
    XCTAssertEqual(box.key.values, [5, 1])
    XCTAssertEqual(box.key.text, "n")
    XCTAssertEqual(try box.json(), #"{"key":{"bits":5,"note":"n"}}"#)
    XCTAssertEqual(try KeyPart(json: #"{"salt": 9}"#).values, [0, 1])
    var writer = ModelWriter()
    writer.setMapping(JSONMapping(only: ["salt"]), for: KeyPart.self)
    XCTAssertEqual(try writer.text(of: KeyPart()), #"{"salt":1}"#)
  }

  func testUnwrittenIdentifyingPropertyIsAnError() throws {
    let safe = IdentifiedSafe()
    XCTAssertEqual(try ModelWriter(references: .identified).text(of: [safe]), #"[{"label":"a"}]"#)
    XCTAssertThrowsError(try ModelWriter(references: .identified).text(of: [safe, safe])) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .notArchivable)
      XCTAssertTrue(
        "\(error)".contains("the identifying property 'number', which is not a member of the JSON"),
        "\(error)")
    }
    XCTAssertEqual(try ModelWriter().text(of: [safe, safe]), #"[{"label":"a"},{"label":"a"}]"#)
  }

  func testPrivatePropertiesWithOneNameDoNotConflict() throws {
    XCTAssertEqual(try TwiceHidden().json(), #"{"number":3}"#)
    XCTAssertEqual(try TwiceHidden(json: #"{"hidden": 5, "number": 4}"#).number, 4)
  }

  func testMembersForPrivatePropertiesAreReportedAsUnknown() throws {
    let reader = ModelReader(.lenient, unknownKeys: .reported)
    let (_, issues) = try reader.readWithIssues(Safe.self, from: #"{"label": "a", "token": "x"}"#)
    XCTAssertEqual(issues.map(\.path), ["token"])
  }

  func testArchivesCopiesAndComparisonsContainPrivateProperties() throws {
    let safe = Safe()
    safe.close("t", 5)
    XCTAssertEqual(try Unarchiver().unarchive(Safe.self, from: Archiver().archive(safe)).secrets, ["t", "5"])
    XCTAssertEqual(try safe.shallowCopy().secrets, ["t", "5"])
    XCTAssertEqual(try ObjectGraph.copy(safe).secrets, ["t", "5"])
    XCTAssertFalse(try ObjectGraph.isIsomorphic(safe, Safe()))
    XCTAssertNotEqual(safe, Safe())
    XCTAssertTrue(safe.modelDescription.contains(#"token: "t""#), safe.modelDescription)
    XCTAssertEqual(try safe.value(forKey: "token") as? String, "t")
  }
}

@Archivable("PrivateSafe") private final class Safe: ModelEquatable {
  var label = ""
  private var token = "none"
  fileprivate var pin = 0
  private(set) var count = 0
  fileprivate(set) var state = 0
  init() {}

  var secrets: [String] { [token, "\(pin)"] }
  func close(_ token: String, _ pin: Int) { (self.token, self.pin) = (token, pin) }
}

@Archivable("PrivateMarked") private final class MarkedSafe {
  @Key(json: "k") private var key = "none"
  @Key("rule", json: "r") @JSONRule(.required) fileprivate let rule: Int
  @Key(json: "f") @JSONFormat(.millisecondsSince1970) private var format = Date(
    timeIntervalSinceReferenceDate: 0)
  @JSONRule(.omitted) private var omitted = 0
  init(rule: Int) { self.rule = rule }

  var secrets: [String] { [key, "\(rule)", "\(format.timeIntervalSinceReferenceDate)", "\(omitted)"] }
}

@Archivable("PrivateMappedBase") private class MappedSafeBase: ModelMapping {
  private var pin = 1
  init() {}
  var pinCode: Int { pin }
  class var mapping: JSONMapping { JSONMapping(paths: ["pin": ["the_pin"]]) }
}

@Archivable("PrivateMapped") private final class MappedSafe: MappedSafeBase { var label = "" }

@Archivable("PrivateBox") private final class KeyBox { var key = KeyPart() }

@Archivable("PrivatePart") private struct KeyPart {
  var bits = 0
  private var salt = 1
  @Key(json: "note") fileprivate var note: String?
  init() {}
  var values: [Int] { [bits, salt] }
  var text: String? { note }
}

@Archivable("PrivateTwiceBase") private class TwiceHiddenBase { private var hidden = 1 }

@Archivable("PrivateTwice") private final class TwiceHidden: TwiceHiddenBase {
  private var hidden = 2
  var number = 3
}

@Archivable("PrivateIdentified") private final class IdentifiedSafe: ModelIdentifiable {
  private var number = 1
  var label = "a"
  static var identifyingProperties: [String] { ["number"] }
}
