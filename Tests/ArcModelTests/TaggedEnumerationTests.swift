import Arc
import ArcModel
import XCTest

@Archivable("TaggedCircle") struct TaggedCircle: Equatable { var radius: Double }

@Archivable("TaggedPet") final class TaggedPet { var name = "" }

@Archivable("TaggedForm") enum TaggedForm: Equatable {
  case circle(TaggedCircle)
  case rectangle(width: Double, height: Double)
  case named(String)
  case empty
}

@Archivable("TaggedLoose") enum TaggedLoose: Equatable {
  case number(Int)
  case text(String)
  case point(x: Int, y: Int)
  case list([Int])
  case none
}

@Archivable("TaggedOwner") enum TaggedOwned {
  case pet(TaggedPet)
  case pets([TaggedPet])
  case nobody
}

@Archivable("TaggedDrawing") final class TaggedDrawing {
  @JSONFormat(.tagged(by: "type")) var forms: [TaggedForm] = []
  @JSONFormat(.tagged(by: "kind")) var owned: [TaggedOwned] = []
  @JSONFormat(.untagged) var loose: [TaggedLoose] = []
  init() {}
}

@Archivable("TaggedMisfit") final class TaggedMisfit {
  @JSONFormat(.untagged) var owned = TaggedOwned.nobody
  init() {}
}

@Archivable("TaggedTwice") final class TaggedTwice {
  @JSONFormat(.tagged(by: "radius")) var form = TaggedForm.empty
  init() {}
}

/// Enumerations whose case a member states, and enumerations without such a member.
final class TaggedEnumerationTests: XCTestCase {
  func testTagMemberDeterminesTheEnumerationCase() throws {
    let text =
      #"{"forms":[{"type":"circle","radius":2.0},{"type":"rectangle","width":1.0,"height":3.0},"#
      + #"{"type":"named","_0":"x"},{"type":"empty"}],"owned":[],"loose":[]}"#
    let drawing = try TaggedDrawing(json: text)
    XCTAssertEqual(
      drawing.forms, [.circle(TaggedCircle(radius: 2)), .rectangle(width: 1, height: 3), .named("x"), .empty])
    XCTAssertEqual(try drawing.json(), text)
  }

  func testObjectsNextToTheTagAreRead() throws {
    let text =
      #"{"owned": [{"kind": "pet", "name": "a"}, {"kind": "pets", "_0": [{"name": "b"}]}, {"kind": "nobody"}]}"#
    let drawing = try TaggedDrawing(json: text)
    guard case .pet(let pet) = drawing.owned[0], case .pets(let pets) = drawing.owned[1] else {
      return XCTFail()
    }
    XCTAssertEqual(pet.name, "a")
    XCTAssertEqual(pets.map(\.name), ["b"])
    XCTAssertEqual(
      try TaggedDrawing(json: drawing.json()).json(), try drawing.json(), "written with `_0`, and read again")
  }

  func testUntaggedEnumerationReadsTheFirstFittingCase() throws {
    let text = #"{"forms":[],"owned":[],"loose":[7,"x",{"x":1,"y":2},[1,2],"none",[]]}"#
    let drawing = try TaggedDrawing(json: text)
    XCTAssertEqual(
      drawing.loose, [.number(7), .text("x"), .point(x: 1, y: 2), .list([1, 2]), .text("none"), .list([])])
    XCTAssertEqual(try drawing.json(), text)
    XCTAssertEqual(
      try ModelReader(.lenient).read(TaggedDrawing.self, from: #"{"loose": ["7", true, {"x": 1}]}"#).loose,
      [.text("7")], "exactly as it is, also for a lenient reader")
  }

  func testUnknownEnumerationCaseIsReported() {
    for (text, wanted) in [
      (
        #"{"forms": [{"type": "square"}]}"#,
        #"forms[0]: found an object whose "type" is "square", expected an object whose "type" is a case"#
      ),
      (
        #"{"forms": [{"radius": 2}]}"#,
        #"forms[0]: found an object, expected an object whose "type" is a case"#
      ),
      (#"{"forms": ["empty"]}"#, #"forms[0]: found "empty", expected an object whose "type" is a case"#),
      (#"{"forms": [{"type": "circle"}]}"#, "forms[0].radius: found nothing, expected a number"),
      (#"{"loose": [1.5]}"#, "loose[0]: found 1.5, expected the associated values of one of these cases"),
      (
        #"{"loose": [{"x": 1}]}"#,
        "loose[0]: found an object, expected the associated values of one of these cases"
      ),
    ] {
      XCTAssertThrowsError(try TaggedDrawing(json: text), text) { error in
        XCTAssertTrue("\(error)".hasPrefix(wanted), "\(error)")
      }
    }
  }

  func testUnsuitableFormatsOfEnumerationsAreReported() {
    XCTAssertThrowsError(try TaggedMisfit(json: "{}")) {
      XCTAssertTrue(
        "\($0)".contains("'@JSONFormat(.untagged)' for enumerations with objects in their values"), "\($0)")
    }
    XCTAssertThrowsError(try TaggedTwice().json()) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .duplicateName)
    }
  }
}
