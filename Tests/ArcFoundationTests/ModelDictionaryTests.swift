import Arc
import ArcFoundation
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

@Archivable("ModelDictionarySettings") final class DictionarySettings {
  var isOn = false
  var count = 0
  var big: UInt64 = 0
  var ratio = 0.0
  var price: Decimal = 0
  var date: Date?
  var data: Data?
  var link: URL?
  var uuid: UUID?
  var names: [String] = []
  var inner: DictionarySettings?
  init() {}
}

private struct CodablePrice: Codable {
  var amount: Decimal = 0
}

@Archivable private final class DecimalBox {
  @Coded var price = CodablePrice()
}

/// Models read from the dictionaries that Foundation reads from JSON.
final class ModelDictionaryTests: XCTestCase {
  func testDictionaryOfSwiftAndFoundationValuesIsRead() throws {
    let uuid = UUID()
    let settings = try DictionarySettings(
      json: [
        "isOn": true, "count": NSNumber(value: 7), "big": UInt64.max, "ratio": 0.1 as Float,
        "price": Decimal(string: "1.50") ?? 0, "date": Date(timeIntervalSinceReferenceDate: 0.25),
        "data": Data([1, 2]), "link": URL(string: "https://a.b/c d") as Any, "uuid": uuid,
        "names": NSArray(array: ["x", "y"]),
        "inner": ["isOn": NSNumber(value: false), "uuid": NSNull() as Any?],
      ] as [String: Any])
    XCTAssertTrue(settings.isOn)
    XCTAssertEqual(settings.count, 7)
    XCTAssertEqual(settings.big, .max)
    XCTAssertEqual(settings.ratio, 0.1)
    XCTAssertEqual(settings.price, 1.5)
    XCTAssertEqual(settings.date?.timeIntervalSinceReferenceDate, 0.25)
    XCTAssertEqual(settings.data, Data([1, 2]))
    XCTAssertEqual(settings.uuid, uuid)
    XCTAssertEqual(settings.names, ["x", "y"])
    XCTAssertEqual(settings.inner?.isOn, false)
  }

  func testDictionariesFromJSONAndPropertyListsAreRead() throws {
    let text =
      #"{"isOn": true, "count": 1, "big": 18446744073709551615, "ratio": 1.5, "names": ["a"], "uuid": null}"#
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let settings = try DictionarySettings(json: XCTUnwrap(object as? [String: Any]))
    XCTAssertTrue(settings.isOn)
    XCTAssertEqual(settings.count, 1)
    XCTAssertEqual(settings.big, .max)
    XCTAssertEqual(settings.ratio, 1.5)
    let list: [String: Any] = [
      "isOn": true, "count": 1, "date": Date(timeIntervalSinceReferenceDate: 9), "data": Data([3]),
      "inner": ["ratio": 2.5],
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      let read = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      let settings = try DictionarySettings(json: XCTUnwrap(read as? [String: Any]))
      XCTAssertTrue(settings.isOn)
      XCTAssertEqual(settings.date?.timeIntervalSinceReferenceDate, 9)
      XCTAssertEqual(settings.data, Data([3]))
      XCTAssertEqual(settings.inner?.ratio, 2.5)
    }
  }

  func testModelsAreWrittenAsDictionariesAndPropertyLists() throws {
    let settings = DictionarySettings()
    settings.isOn = true
    settings.count = .min
    settings.big = .max
    settings.ratio = 0.1
    settings.price = try XCTUnwrap(Decimal(string: "12345678901234567890.25"))
    settings.date = Date(timeIntervalSinceReferenceDate: 0.25)
    settings.data = Data([1, 2])
    settings.names = ["a", "ä"]
    settings.inner = DictionarySettings()
    let object = try settings.jsonObject()
    XCTAssertEqual(object["isOn"] as? Bool, true)
    XCTAssertEqual(object["count"] as? Int, .min)
    XCTAssertEqual(object["big"] as? UInt64, .max)
    XCTAssertEqual(object["ratio"] as? Double, 0.1)
    XCTAssertEqual(object["price"] as? Decimal, settings.price)
    XCTAssertEqual(object["names"] as? [String], ["a", "ä"])
    XCTAssertEqual((object["inner"] as? [String: Any])?["count"] as? Int, 0)
    XCTAssertNil(object["uuid"])
    XCTAssertTrue(try ObjectGraph.isIsomorphic(DictionarySettings(json: object), settings))
    XCTAssertTrue(try settings.jsonObject(by: ModelWriter(nulls: .written))["uuid"] is NSNull)
    // Foundation also accepts the dictionary.
    let data = try JSONSerialization.data(withJSONObject: DictionarySettings().jsonObject())
    XCTAssertTrue(try ObjectGraph.isIsomorphic(DictionarySettings(json: data), DictionarySettings()))
    settings.price = 0.5
    let list = try settings.jsonObject(by: ModelWriter(nulls: .omitted))
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      let read = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      let copy = try DictionarySettings(json: XCTUnwrap(read as? [String: Any]))
      XCTAssertTrue(try ObjectGraph.isIsomorphic(copy, settings))
    }
  }

  func testJSONNumbersBecomeFoundationNumbersWithoutLosingDigits() throws {
    func object(_ text: String) throws -> Any { try JSONValue(parsing: text).foundationObject() }
    XCTAssertEqual(try object("-0.0") as? Double, -0.0)
    XCTAssertEqual(try (object("-0.0") as? Double)?.sign, .minus)
    XCTAssertEqual(try object("1e2") as? Double, 100)
    XCTAssertEqual(try object("5.0") as? Double, 5)
    XCTAssertEqual(try object("1e300") as? Double, 1e300)
    XCTAssertEqual(try object("1e400") as? String, "1e400")
    XCTAssertEqual(try object("0.30000000000000001") as? Decimal, Decimal(string: "0.30000000000000001"))
    XCTAssertEqual(try object("18446744073709551616") as? Decimal, Decimal(string: "18446744073709551616"))
    var deep = "1"
    for _ in 0..<500 { deep = "[\(deep)]" }
    XCTAssertNotNil(try object(deep) as? [Any])
  }

  func testJSONNumberIsNeverRounded() throws {
    let digits = "9876543210987654321098765432109876543211987654321"
    for (text, value) in [
      // A `Double` represents the numbers of the first group in any notation.
      ("0.00001", 1e-05), ("1.50e1", 15), ("0.1", 0.1), ("-12.5E-3", -0.0125), ("0e999999999999", 0),
      ("5e-324", .leastNonzeroMagnitude),
      ("0.3", 0.3), ("1.7976931348623157e308", 1.7976931348623157e308), ("1000000000000000000000", 1e21),
    ] {
      XCTAssertEqual(try JSONValue(parsing: text).foundationObject() as? Double, value, text)
    }
    for text in [String(digits.prefix(38)), "-0." + digits.prefix(38), "123456789012345678901e20"] {
      XCTAssertEqual(try JSONValue(parsing: text).foundationObject() as? Decimal, Decimal(string: text), text)
    }
    for text in [
      String(digits.prefix(40)), "-0." + digits.prefix(40), digits, "1234567890123456789e200",
      "1.2345678901234567891e-200",
      "1e-400", "12345678901234567890e999999999999",
    ] {
      XCTAssertEqual(try JSONValue(parsing: text).foundationObject() as? String, text)
    }
  }

  func testCodableDecimalsAreReadExactlyOrRefused() throws {
    let text = "0.9876543210987654321098765432109876543211"
    let exact = try DecimalBox(json: Data(#"{"price": {"amount": "\#(text.prefix(40))"}}"#.utf8))
    XCTAssertEqual(exact.price.amount, Decimal(string: String(text.prefix(40))))
    XCTAssertThrowsError(try DecimalBox(json: Data(#"{"price": {"amount": "\#(text)"}}"#.utf8)))
  }

  func testValueWithoutJSONFormIsReportedWithPath() {
    for (value, found) in [
      (NSObject() as Any, "a value of type 'NSObject'"), (Double.nan, "the number nan"),
      ([1: 2], "a value of type 'Dictionary<Int, Int>'"),
    ] {
      XCTAssertThrowsError(try DictionarySettings(json: ["inner": ["names": ["a", value]]] as [String: Any]))
      {
        let issue = ($0 as? ModelReadingError)?.issues.first
        XCTAssertEqual(issue?.path, "inner.names[1]")
        XCTAssertEqual(issue?.found, found)
      }
    }
  }

  func testTooDeeplyNestedDictionaryIsRefused() {
    var value: Any = 1
    for _ in 0..<5000 { value = [value] }
    XCTAssertEqual(
      assertThrows(ModelReadingError.self) { try JSONValue(foundation: value) }?.issues.first?.found,
      "values nested more than 1000 levels deep")
  }

  func testTimeZonesAreStoredAsIdentifiers() throws {
    let place = try ModelDictionaryZone(json: #"{"zone": "Europe/Vienna", "others": ["GMT", "Asia/Tokyo"]}"#)
    XCTAssertEqual(place.zone.identifier, "Europe/Vienna")
    XCTAssertEqual(place.others.map(\.identifier), ["GMT", "Asia/Tokyo"])
    XCTAssertEqual(try place.json(), #"{"zone":"Europe/Vienna","others":["GMT","Asia/Tokyo"]}"#)
    XCTAssertThrowsError(try ModelDictionaryZone(json: #"{"others": ["GMT", "Moon/Tycho"]}"#)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["others[1]"])
    }
    let (other, issues) = try ModelReader(.lenient).readWithIssues(
      ModelDictionaryZone.self, from: #"{"zone": "Nowhere", "others": ["GMT", "Moon/Tycho"]}"#)
    XCTAssertEqual(other.zone, TimeZone.gmt)
    XCTAssertEqual(other.others.map(\.identifier), ["GMT"])
    XCTAssertEqual(issues.map(\.path), ["zone", "others[1]"])
  }
}

@Archivable("ModelDictionaryZone") final class ModelDictionaryZone {
  var zone = TimeZone.gmt
  var others: [TimeZone] = []
  init() {}
}
