import Arc
import ArcJSON
import ArcModel
import XCTest

/// Unknown members of structures, cases and tagged objects.
final class UnknownFieldTests: XCTestCase {
  private func paths<Value: ArchivableValue>(
    _ type: Value.Type, _ json: String, _ rule: ModelReader.UnknownKeys = .reported
  ) throws -> [String] {
    let reader = ModelReader(.lenient, unknownKeys: rule)
    let (_, issues) = try reader.readWithIssues(type, from: json)
    XCTAssertEqual(Set(issues.map(\.code)).subtracting([.unknownKey]), [], json)
    if issues.isEmpty {
      XCTAssertNoThrow(try ModelReader(unknownKeys: rule).read(type, from: json), json)
    } else {
      XCTAssertThrowsError(try ModelReader(unknownKeys: rule).read(type, from: json), json) {
        XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path).count, 1)
      }
    }
    XCTAssertNoThrow(try Value(json: json), json)
    return issues.map(\.path)
  }

  func testUnknownMembersOfStructuresAreReportedWithPaths() throws {
    let json = """
      {"x": 1, "place": {"x": 1, "y": 2, "z": 3}, "places": [{"x": 0, "y": 0}, {"x": 0, "y": 0, "label": "l", "w": {}}],
       "byName": {"a": {"x": 0, "y": 0, "q": null}}, "inner": {"city": {"name": "n", "zip": 1}, "town": 2}}
      """
    XCTAssertEqual(
      try paths(UnknownFieldBox.self, json),
      ["x", "place.z", "places[1].w", "byName.a.q", "inner.city.zip", "inner.town"])
    XCTAssertEqual(try paths(UnknownFieldBox.self, json, .ignored), [])
    XCTAssertEqual(
      try paths(UnknownFieldBox.self, json, .preserved),
      ["x", "place.z", "places[1].w", "byName.a.q", "inner.city.zip", "inner.town"],
      "nobody keeps them")
  }

  func testMembersReadByPathOrEmbeddingAreKnown() throws {
    XCTAssertEqual(
      try paths(
        UnknownFieldBox.self, #"{"width": 3, "inner": {"city": {"name": "n"}}, "place": {"x": 1, "y": 2}}"#),
      [])
    XCTAssertEqual(try paths(UnknownFieldBox.self, #"{"width": 3, "height": 4}"#), ["height"])
    XCTAssertEqual(try paths(GridPoint.self, #"{"x": 1, "y": 2, "z": 3}"#), ["z"])
  }

  func testUnknownMembersOfEnumerationsAreReported() throws {
    XCTAssertEqual(try paths(Outline.self, #"{"circle": {"radius": 1, "colour": 2}}"#), ["circle.colour"])
    XCTAssertEqual(
      try paths(
        UnknownFieldBox.self,
        #"{"shapes": [{"type": "round", "radius": 1}, {"type": "round", "radius": 1, "a": 0}, {"type": "none", "b": 0}]}"#
      ),
      ["shapes[1].a", "shapes[2].b"])
    XCTAssertEqual(
      try paths(
        UnknownFieldBox.self,
        #"{"pets": [{"kind": "cat", "lives": 9, "a": 0}, {"kind": "stone", "weight": 1, "b": 0}]}"#),
      ["pets[0].a", "pets[1].b"])
  }

  func testJSONValuePropertiesHaveNoUnknownMembers() throws {
    XCTAssertEqual(
      try paths(UnknownFieldBox.self, #"{"any": {"a": {"b": 1}}, "coded": {"name": "n", "other": 1}}"#), [])
  }

  func testTagsAreNotPreservedAsUnknownMembers() throws {
    let text = #"{"pets":[{"kind":"dog","name":"Rex","age":3}]}"#
    let box = try ModelReader(unknownKeys: .preserved).read(UnknownFieldBox.self, from: text)
    XCTAssertEqual((box.pets.first as? UnknownFieldDog)?.unknownMembers.names, ["age"])
    XCTAssertEqual(try ModelWriter(only: ["pets"]).text(of: box), text)
  }
}

protocol UnknownFieldPet {}

@Archivable("UnknownFieldCat") final class UnknownFieldCat: UnknownFieldPet {
  var lives = 0
  init() {}
}
@Archivable("UnknownFieldDog") final class UnknownFieldDog: UnknownFieldPet, UnknownMemberPreserving {
  var name = ""
  @Transient var unknownMembers = JSONObject()
  init() {}
}
@Archivable("UnknownFieldStone") struct UnknownFieldStone: UnknownFieldPet { var weight = 0 }

@Archivable("UnknownFieldShape") enum UnknownFieldShape {
  case round(radius: Int)
  case none
}

@Archivable("UnknownFieldSize") struct UnknownFieldSize { var width = 0 }
@Archivable("UnknownFieldAddress") struct UnknownFieldAddress { @Key(json: "city.name") var city = "" }

@Archivable("UnknownFieldBox") final class UnknownFieldBox {
  var place: GridPoint?
  var places: [GridPoint] = []
  var byName: [String: GridPoint] = [:]
  var inner = UnknownFieldAddress()
  @JSONRule(.embedded) var size = UnknownFieldSize()
  @JSONFormat(.tagged(by: "type")) var shapes: [UnknownFieldShape] = []
  @JSONFormat(
    .tagged(
      by: "kind", ["cat": UnknownFieldCat.self, "dog": UnknownFieldDog.self, "stone": UnknownFieldStone.self])
  )
  var pets: [any UnknownFieldPet] = []
  var any: JSONValue?
  @Coded var coded: JSONTone? = nil
  init() {}
}
