import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Fields of structures: fields that a text can omit, and marks.
final class ModelFieldTests: XCTestCase {
  private func lenient<Value: ArchivableValue>(_ type: Value.Type, _ json: String) throws -> (Value, [String])
  {
    let (value, issues) = try ModelReader(.lenient).readWithIssues(type, from: json)
    return (value, issues.map(\.description))
  }

  private func message<Value: ArchivableValue>(_ type: Value.Type, _ json: String) -> String {
    do {
      _ = try Value(json: json)
      return "no error"
    } catch { return "\(error)" }
  }

  // MARK: Initial values

  func testFieldMissingFromJSONKeepsItsInitialValue() throws {
    let parcel = FieldParcel(number: 7)
    for mode in [ModelReader.Mode.strict, .lenient] {
      let reader = ModelReader(mode)
      XCTAssertEqual(try reader.read(FieldParcel.self, from: "{\"number\": 7}"), parcel)
      XCTAssertEqual(try reader.read([FieldParcel].self, from: "[{\"number\": 7}]"), [parcel])
      let shelf = try reader.read(
        FieldShelf.self,
        from: """
          {"parcel": {"number": 1, "weight": null, "label": "x"},
           "parcels": [{"number": 2, "tags": []}, {"label": "y", "number": 3}, {"number": 4, "note": "n"}],
           "named": {"a": {"number": 5}, "b": {"number": 6, "weight": 2, "inner": [{"number": 8, "label": "z"},
             {"number": 9}]}, "c": {"number": 10}}}
          """)
      XCTAssertEqual(shelf.parcel, FieldParcel(number: 1, label: "x", weight: nil))
      XCTAssertEqual(
        shelf.parcels,
        [
          FieldParcel(number: 2, tags: []), FieldParcel(number: 3, label: "y"),
          FieldParcel(number: 4, note: "n"),
        ])
      XCTAssertEqual(
        shelf.named,
        [
          "a": FieldParcel(number: 5),
          "b": FieldParcel(
            number: 6, weight: 2, inner: [FieldParcel(number: 8, label: "z"), FieldParcel(number: 9)]),
          "c": FieldParcel(number: 10),
        ])
    }
  }

  func testFieldWithoutInitialValueIsRequired() {
    XCTAssertEqual(
      message([FieldParcel].self, "[{\"number\": 1}, {\"label\": \"x\"}]"),
      "[1].number: found nothing, expected an integer of 64 bits (line 1, column 17, byte 16)")
  }

  func testNestedMissingFieldsHaveTheirInitialValues() throws {
    let text = """
      {"twig": {"left": [{"size": 1}, {"right": [{}], "left": [{"size": 2}]}], "size": 3}}
      """
    let twig = try FieldShelf(json: text).twig
    let wanted = FieldTwig(
      left: [FieldTwig(size: 1), FieldTwig(right: [FieldTwig()], left: [FieldTwig(size: 2)])], size: 3)
    XCTAssertEqual(twig, wanted)
    for writer in [ModelWriter(), ModelWriter(sortsKeys: true), ModelWriter(isPretty: true, sortsKeys: true)]
    {
      XCTAssertEqual(try FieldTwig(json: writer.text(of: wanted)), wanted)
    }
    XCTAssertEqual(
      try ModelWriter(sortsKeys: true).text(of: FieldTwig(right: [FieldTwig(size: 1)], size: 2)),
      #"{"left":[],"right":[{"left":[],"right":[],"size":1}],"size":2}"#)
  }

  func testMissingAssociatedValueHasItsInitialValue() throws {
    func branch(_ json: String) throws -> FieldBranch { try FieldBranch(json: json) }
    XCTAssertEqual(try branch(#"{"fork": {}}"#), .fork(.leaf, .leaf))
    XCTAssertEqual(
      try branch(#"{"fork": {"_1": {"fork": {"_0": {"sized": {"height": 2}}}}}}"#),
      .fork(.leaf, .fork(.sized(width: 1, height: 2), .leaf)))
    XCTAssertEqual(
      try branch(#"{"fork": {"_0": {"fork": {"_1": {"sized": {"width": 3, "height": 2}}}}, "_1": "leaf"}}"#),
      .fork(.fork(.leaf, .sized(width: 3, height: 2)), .leaf))
    XCTAssertEqual(
      message(FieldBranch.self, #"{"sized": {"width": 3}}"#),
      "sized.height: found nothing, expected an integer of 64 bits (line 1, column 11, byte 10)")
  }

  func testUnreadableFieldBecomesNilOrKeepsInitialValue() throws {
    let (shelf, issues) = try lenient(
      FieldShelf.self,
      """
      {"parcels": [{"number": 1, "label": [], "tags": ["a", {}, "b"], "note": {}, "weight": "heavy"},
        {"number": "x", "label": "lost"}, {"number": 2, "tags": 7, "inner": [{"number": 3, "label": {}}, {}]}],
       "parcel": {"number": 4, "inner": 5}}
      """)
    XCTAssertEqual(
      shelf.parcels,
      [
        FieldParcel(number: 1, tags: ["a", "b"]),
        FieldParcel(number: 2, inner: [FieldParcel(number: 3)]),
      ])
    XCTAssertEqual(shelf.parcel, FieldParcel(number: 4))
    XCTAssertEqual(
      issues.map { $0.prefix { $0 != ":" } },
      [
        "parcels[0].label", "parcels[0].tags[1]", "parcels[0].note", "parcels[0].weight", "parcels[1].number",
        "parcels[2].tags", "parcels[2].inner[0].label", "parcels[2].inner[1].number", "parcel.inner",
      ])
    XCTAssertEqual(
      message(FieldParcel.self, #"{"number": 1, "label": null}"#),
      "label: found null, expected a string (line 1, column 24, byte 23)")
  }

  func testNilFieldIsWrittenDespiteItsInitialValue() throws {
    let parcel = FieldParcel(number: 1, weight: nil)
    let text = try parcel.json()
    XCTAssertEqual(text, #"{"number":1,"label":"none","weight":null,"tags":["new"],"inner":[]}"#)
    XCTAssertEqual(try FieldParcel(json: text), parcel)
    XCTAssertEqual(
      try parcel.json(nulls: .omitted), #"{"number":1,"label":"none","tags":["new"],"inner":[]}"#)
    XCTAssertEqual(
      try parcel.json(nulls: .written),
      #"{"number":1,"label":"none","weight":null,"note":null,"tags":["new"],"inner":[]}"#)
  }

  func testMissingStructureKeepsItsWholeInitialValue() throws {
    let shelf = try FieldShelf(json: "{\"parcels\": [{\"number\": 1}]}")
    XCTAssertEqual(shelf.parcel, FieldParcel(number: 0))
    XCTAssertEqual(shelf.parcels, [FieldParcel(number: 1)])
    try shelf.update(json: "{\"parcel\": {\"number\": 2, \"label\": \"u\"}}")
    XCTAssertEqual(shelf.parcel, FieldParcel(number: 2, label: "u"))
    try shelf.update(json: "{\"parcel\": {\"number\": 3}}")
    XCTAssertEqual(shelf.parcel, FieldParcel(number: 3), "structures are replaced")
    XCTAssertEqual(shelf.parcels, [FieldParcel(number: 1)])
  }

  // MARK: Marks

  func testFieldsAcceptTheAttributesOfClassProperties() throws {
    let text = """
      {"tickets": [{"ticket": {"id": 7}, "title": "a", "secret": "x", "source": "s", "total": 9,
         "issued": 978307200500, "seen": ["Mon, 01 Jan 2001 00:00:01 GMT"], "w": 4, "color": "1f"},
       {"no": 8, "title": "b"}]}
      """
    let tickets = try FieldDesk(json: text).tickets
    XCTAssertEqual(
      tickets,
      [
        FieldTicket(
          id: 7, title: "a", source: "s", issued: Date(timeIntervalSinceReferenceDate: 0.5),
          seen: [Date(timeIntervalSinceReferenceDate: 1)], size: FieldSize(width: 4), color: 31),
        FieldTicket(id: 8, title: "b"),
      ])
    XCTAssertEqual(
      try tickets.json(),
      #"[{"ticket":{"id":7},"title":"a","total":3,"issued":978307200500,"#
        + #""seen":["Mon, 01 Jan 2001 00:00:01 GMT"],"w":4,"maxHeight":2,"color":"1f"},"#
        + #"{"ticket":{"id":8},"title":"b","total":3,"seen":[],"w":1,"maxHeight":2,"color":"ff"}]"#)
    let desk = FieldDesk()
    desk.ticket = tickets[0]
    desk.tickets = tickets
    var read = try FieldDesk(json: desk.json())
    XCTAssertNil(read.ticket?.source, "is not written")
    read.ticket?.source = "s"
    XCTAssertEqual(read.ticket, tickets[0])
    read = try Unarchiver().unarchive(FieldDesk.self, from: Archiver().archive(desk))
    XCTAssertEqual(read.tickets, tickets, "archives have all")
  }

  func testErrorsOfFieldsWithAttributesAreReported() throws {
    XCTAssertEqual(
      message(FieldTicket.self, "{\"no\": 1}"),
      "title: found nothing, expected a string (line 1, column 1, byte 0)")
    XCTAssertEqual(
      message([FieldTicket].self, #"[{"title": "", "ticket": {"id": "x"}}]"#),
      "[0].ticket.id: found \"x\", expected an integer of 64 bits (line 1, column 33, byte 32)")
    XCTAssertEqual(
      message([FieldTicket].self, #"[{"title": "", "issued": "2001-01-01T00:00:00Z"}]"#),
      "[0].issued: found \"2001-01-01T00:00:00Z\", expected a date in milliseconds since 1970 "
        + "(line 1, column 26, byte 25)")
    XCTAssertEqual(
      message(FieldTicket.self, #"{"title": "", "color": "red"}"#),
      "color: found \"red\", which the program refused: hexadecimal digits (line 1, column 24, byte 23)")
    let (ticket, issues) = try lenient(
      FieldTicket.self, #"{"title": "", "color": "red", "issued": {}, "seen": ["x"], "w": {}}"#)
    XCTAssertEqual(ticket, FieldTicket())
    XCTAssertEqual(issues.map { $0.prefix { $0 != ":" } }, ["color", "issued", "seen[0]", "w"])
    XCTAssertThrowsError(try ModelReader(.lenient).read(FieldTicket.self, from: "{}"), "required")
  }

  func testCasesAreNamedByTheirKeyAttributes() throws {
    XCTAssertEqual(
      try [FieldState](
        json: #"[{"active": {"sinceYear": 1}}, {"enabled": {"sinceYear": 2}}, "switchedOff"]"#),
      [.on(sinceYear: 1), .on(sinceYear: 2), .switchedOff])
    XCTAssertEqual(
      try [FieldState.on(sinceYear: 1), .switchedOff].json(), #"[{"active":{"sinceYear":1}},"switchedOff"]"#)
    XCTAssertEqual(
      message(FieldState.self, "\"on\""),
      "the root: found \"on\", expected a case: \"active\", \"switchedOff\" (line 1, column 1, byte 0)"
    )
    XCTAssertEqual(
      try FieldState(json: try ModelWriter(naming: .snakeCase).text(of: FieldState.switchedOff)), .switchedOff
    )
  }

  func testEmbeddedStructuresFollowNamingRuleOfTheClass() throws {
    let owner = FieldOwner()
    owner.fullName = FieldNamed(firstName: "a", lastName: "b", plainNote: "c")
    owner.runMode = .veryFast(topSpeed: 9)
    let text = try owner.json()
    XCTAssertEqual(
      text,
      #"{"full_name":{"first-name":"a","surname":"b"},"open_span":{"firstDay":0,"lastDay":0},"#
        + #""first_day":0,"last_day":0,"run_mode":{"very_fast":{"top_speed":9}}}"#)
    let read = try FieldOwner(
      json: #"{"full_name":{"first-name":"a","surname":"b","plain-note":"c"},"open_span":{"firstDay":1},"#
        + #""last_day":2,"run_mode":"lame"}"#)
    XCTAssertEqual(read.fullName, FieldNamed(firstName: "a", lastName: "b"))
    XCTAssertEqual(read.openSpan, FieldSpan(firstDay: 1))
    XCTAssertEqual(read.ownSpan, FieldSpan(lastDay: 2))
    XCTAssertEqual(read.runMode, .verySlow)
    XCTAssertEqual(try FieldOwner(json: text).runMode, .veryFast(topSpeed: 9))
    XCTAssertEqual(
      try ModelWriter(naming: .pascalCase).text(of: owner),
      #"{"full_name":{"first-name":"a","surname":"b"},"open_span":{"FirstDay":0,"LastDay":0},"#
        + #""first_day":0,"last_day":0,"run_mode":{"very_fast":{"top_speed":9}}}"#)
  }

  func testMappingsOfReaderAndWriterOverrideTheDeclaration() throws {
    let mapping = JSONMapping(naming: .upperSnakeCase, paths: ["id": ["key"]], rules: ["title": []])
    var reader = ModelReader()
    reader.setMapping(mapping, for: FieldTicket.self)
    XCTAssertEqual(
      try reader.read(FieldTicket.self, from: #"{"key": 5, "COLOR": "a"}"#), FieldTicket(id: 5, color: 10))
    var writer = ModelWriter(nulls: .omitted)
    writer.setMapping(JSONMapping(only: ["maxHeight"]), for: FieldSize.self)
    XCTAssertEqual(
      try writer.text(of: [FieldSize(), FieldSize(maxHeight: 3)]), #"[{"maxHeight":2},{"maxHeight":3}]"#)
  }

  func testUnsuitableFieldAttributesAreReportedWhenReading() {
    for (message, wanted) in [
      (
        message(FieldMisfitEmbedded.self, "{}"),
        "'@JSONRule(.embedded)' for a property that is not a structure"
      ),
      (message(FieldMisfitDate.self, "{}"), "a format of dates for values without dates"),
      (message(FieldMisfitCase.self, "\"two\""), "the JSON path 'a.b' for a case"),
      (message(FieldMisfitRules.self, "\"two\""), "rules, formats or exceptions for an enumeration"),
    ] {
      XCTAssertTrue(message.contains(wanted), message)
    }
    XCTAssertThrowsError(try FieldMisfitTree().json()) {
      XCTAssertTrue("\($0)".contains("in a structure that contains itself"), "\($0)")
    }
  }

  func testRandomRecursiveStructuresRoundTrip() throws {
    var numbers = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &numbers)
    var state = seed
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    /// Returns a random twig and its text. The text sometimes omits fields with initial values.
    func twig(_ depth: Int) -> (FieldTwig, String) {
      var twig = FieldTwig()
      var members: [String] = []
      for side in 0..<2 where depth > 0 && next(3) > 0 {
        let children = (0..<next(3)).map { _ in self_twig(depth - 1) }
        if side == 0 { twig.right = children.map(\.0) } else { twig.left = children.map(\.0) }
        let list = "[\(children.map(\.1).joined(separator: ","))]"
        members.append("\"\(side == 0 ? "right" : "left")\":\(list)")
      }
      if next(2) == 0 {
        twig.size = Int(next(100))
        members.insert("\"size\":\(twig.size)", at: Int(next(UInt64(members.count + 1))))
      }
      return (twig, "{\(members.joined(separator: ","))}")
    }
    func self_twig(_ depth: Int) -> (FieldTwig, String) { twig(depth) }
    for _ in 0..<200 {
      let (wanted, text) = twig(4)
      XCTAssertEqual(try FieldTwig(json: text), wanted, "seed \(seed): \(text)")
      XCTAssertEqual(
        try ModelReader(.lenient).read(FieldTwig.self, from: text), wanted, "seed \(seed): \(text)")
      XCTAssertEqual(try FieldTwig(json: try wanted.json(sortsKeys: true)), wanted, "seed \(seed)")
    }
  }
}
