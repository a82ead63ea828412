import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// `Codable` values in the JSON of a model have the form of `JSONEncoder`.
final class CodableValueJSONTests: XCTestCase {
  private static let style = JSONStyle(
    name: "é\n", width: 0.1, dashes: [1.5, 2.5], isBold: true, nested: ["a": .init(limits: [nil, 3])],
    note: nil,
    id: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID(), big: .max,
    link: URL(string: "https://a.b/c"), price: Decimal(string: "0.1234567890123456789") ?? 0,
    data: Data([1, 2, 3]), kind: .dotted(gap: 2))

  func testCodableValueIsWrittenAsByJSONEncoder() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let plain = String(decoding: try encoder.encode(Self.style), as: UTF8.self)
    let sheet = JSONStyleSheet(style: Self.style)
    XCTAssertEqual(
      try JSONValue(parsing: sheet.json(sortsKeys: true, only: ["style"])),
      try JSONValue(parsing: "{\"style\":\(plain)}"))
    XCTAssertEqual(
      try JSONDecoder().decode(JSONStyle.self, from: Data(try JSONStyleBox(sheet.style).json().utf8)),
      sheet.style)
  }

  func testWrittenCodableValuesAreReadBackEqual() throws {
    let sheet = JSONStyleSheet(style: Self.style)
    sheet.styles = ["x": Self.style, "y": .init()]
    sheet.maybe = .init()
    sheet.date = Date(timeIntervalSinceReferenceDate: 0.25)
    for isPretty in [false, true] {
      let copy = try JSONStyleSheet(json: sheet.json(isPretty: isPretty))
      XCTAssertEqual(copy.style, sheet.style)
      XCTAssertEqual(copy.styles, sheet.styles)
      XCTAssertEqual(copy.maybe, sheet.maybe)
      XCTAssertEqual(copy.date, sheet.date)
    }
  }

  func testWrittenCodableValuesFollowTheirFormats() throws {
    let sheet = JSONStyleSheet(style: .init(name: "n"))
    sheet.date = Date(timeIntervalSince1970: 0)
    XCTAssertEqual(
      try sheet.json(only: ["style", "date", "number"]),
      """
      {"style":{"name":"n","width":1.0,"dashes":[],"isBold":false,"nested":{},\
      "id":"00000000-0000-0000-0000-000000000000","big":0,"price":0,"data":"","kind":{"solid":{}}},\
      "date":"1970-01-01T00:00:00Z","number":7}
      """)
    XCTAssertEqual(try JSONStyleBox(.init(name: "n")).json(), try sheet.json(only: ["style"]).unwrapped)
  }

  func testFittingNumbersInAnyNotationAreRead() throws {
    XCTAssertEqual(try CodableValue<[Int]>(json: "[1, 2.0, 1e2]").value, [1, 2, 100])
    XCTAssertEqual(try CodableValue<[Float]>(json: "[0.1, 3]").value, [0.1, 3])
    XCTAssertEqual(
      try CodableValue<[Double]>(json: "[0.12345678901234567890]").value, [0.12345678901234567890])
    XCTAssertEqual(try CodableValue<[UInt64]>(json: "[18446744073709551615]").value, [.max])
    XCTAssertEqual(
      try CodableValue<[Decimal]>(json: "[0.1, 12345678901234567890.25]").value.map { "\($0)" },
      ["0.1", "12345678901234567890.25"])
    XCTAssertEqual(
      try CodableValue<[Date]>(json: "[0, \"1970-01-01T00:00:01Z\"]").value.map(\.timeIntervalSince1970),
      [0, 1])
    XCTAssertEqual(
      try CodableValue<[String: Int?]>(json: "{\"a\": null, \"b\": 1}").value, ["a": nil, "b": 1])
  }

  func testUnsuitableValueIsReportedForItsProperty() throws {
    let text = #"{"number": 3, "style": {"name": 5}, "date": "soon"}"#
    XCTAssertThrowsError(try JSONStyleSheet(json: text)) { error in
      let issue = (error as? ModelReadingError)?.issues.first
      XCTAssertEqual(issue?.path, "style")
      XCTAssertEqual(issue?.line, 1)
      XCTAssertTrue("\(error)".contains("'name'"), "\(error)")
    }
    let (sheet, issues) = try ModelReader(.lenient).readWithIssues(JSONStyleSheet.self, from: text)
    XCTAssertEqual(issues.map(\.path), ["style", "date"])
    XCTAssertEqual(sheet.style, .init())
    XCTAssertEqual(sheet.number, 3)
    XCTAssertNil(sheet.date)
    for wrong in ["[1, 1e400]", "{\"a\": [true]}", "\"x\"", "7"] {
      XCTAssertThrowsError(try CodableValue<[Int]>(json: wrong), wrong)
    }
    XCTAssertThrowsError(try CodableValue<URL>(json: "\"\""))
  }

  func testMissingOrNullOptionalsAreNil() throws {
    XCTAssertNil(try JSONStyleSheet(json: "{}").maybe)
    XCTAssertNil(try JSONStyleSheet(json: #"{"maybe": null}"#).maybe)
  }

  func testUpdateReplacesTheWholeCodableValue() throws {
    let sheet = JSONStyleSheet(style: Self.style)
    try sheet.update(json: #"{"style": {"name": "new"}}"#)
    XCTAssertEqual(sheet.style, .init(name: "new"))
    XCTAssertThrowsError(try sheet.update(json: #"{"number": 1, "style": []}"#))
    XCTAssertEqual(sheet.number, 7)
  }

  func testCustomFormatConvertsTheWholeValue() throws {
    let text = #"{"tone":"TONE"}"#
    let sheet = try JSONToneSheet(json: text)
    XCTAssertEqual(sheet.tone, JSONTone(name: "tone"))
    XCTAssertEqual(try sheet.json(), text)
    XCTAssertThrowsError(try JSONDateToneSheet().json()) {
      XCTAssertTrue("\($0)".contains("@JSONFormat(.custom"), "\($0)")
    }
  }

  func testDamagedCodableTextGivesValueOrError() throws {
    let bytes = Array(try JSONStyleSheet(style: Self.style).json().utf8)
    for index in RandomTrials.sample(of: bytes.indices, oneIn: 16) {
      XCTAssertThrowsError(try JSONStyleSheet(json: Array(bytes.prefix(index))))
      var changed = bytes
      changed[index] ^= 1 << UInt8(index % 8)
      guard let sheet = try? ModelReader(.lenient).read(JSONStyleSheet.self, from: changed) else { continue }
      XCTAssertEqual(try JSONStyleSheet(json: sheet.json()).style, sheet.style)
    }
  }
}

struct JSONStyle: Codable, Equatable {
  struct Inner: Codable, Equatable { var limits: [Int?] = [] }
  enum Kind: Codable, Equatable {
    case solid
    case dotted(gap: Int)
  }
  var name = ""
  var width = 1.0
  var dashes: [Double] = []
  var isBold = false
  var nested: [String: Inner] = [:]
  var note: String?
  var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var big: UInt64 = 0
  var link: URL?
  var price: Decimal = 0
  var data = Data()
  var kind = Kind.solid

  init(
    name: String = "", width: Double = 1, dashes: [Double] = [], isBold: Bool = false,
    nested: [String: Inner] = [:], note: String? = nil,
    id: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), big: UInt64 = 0,
    link: URL? = nil,
    price: Decimal = 0, data: Data = Data(), kind: Kind = .solid
  ) {
    (self.name, self.width, self.dashes, self.isBold) = (name, width, dashes, isBold)
    (self.nested, self.note, self.id, self.big) = (nested, note, id, big)
    (self.link, self.price, self.data, self.kind) = (link, price, data, kind)
  }

  /// Missing members have default values, as in many clients of servers.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
    width = try values.decodeIfPresent(Double.self, forKey: .width) ?? 1
    dashes = try values.decodeIfPresent([Double].self, forKey: .dashes) ?? []
    isBold = try values.decodeIfPresent(Bool.self, forKey: .isBold) ?? false
    nested = try values.decodeIfPresent([String: Inner].self, forKey: .nested) ?? [:]
    note = try values.decodeIfPresent(String.self, forKey: .note)
    id = try values.decodeIfPresent(UUID.self, forKey: .id) ?? JSONStyle().id
    big = try values.decodeIfPresent(UInt64.self, forKey: .big) ?? 0
    link = try values.decodeIfPresent(URL.self, forKey: .link)
    price = try values.decodeIfPresent(Decimal.self, forKey: .price) ?? 0
    data = try values.decodeIfPresent(Data.self, forKey: .data) ?? Data()
    kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .solid
  }
}

@Archivable("JSONStyleSheet") final class JSONStyleSheet {
  @Coded var style: JSONStyle = JSONStyle()
  @Coded var styles: [String: JSONStyle] = [:]
  @Coded var maybe: JSONStyle? = nil
  @Coded var date: Date? = nil
  var number = 7
  init(style: JSONStyle) { self.style = style }
}

/// The same value as a root.
typealias JSONStyleBox = CodableValue<JSONStyle>

struct JSONTone: Codable, Equatable { var name: String }

@Archivable("JSONToneSheet") final class JSONToneSheet {
  @Coded
  @JSONFormat(
    .custom(
      read: { value in
        guard case .string(let text) = value else { return value }
        return ["name": .string(text.lowercased())]
      },
      write: { value in
        guard case .string(let text)? = value["name"] else { return value }
        return .string(text.uppercased())
      }))
  var tone: JSONTone = JSONTone(name: "")
  init() {}
}

@Archivable("JSONDateToneSheet") final class JSONDateToneSheet {
  @Coded @JSONFormat(.millisecondsSince1970) var tone: JSONTone = JSONTone(name: "")
  init() {}
}

extension String {
  /// The value of the only member `style` of an object.
  fileprivate var unwrapped: String { String(dropFirst("{\"style\":".count).dropLast()) }
}
