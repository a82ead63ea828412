import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Properties with other paths or formats in JSON.
final class ModelMappingTests: XCTestCase {
  private func issues<Value: ArchivableValue>(
    _ type: Value.Type, _ json: String, _ reader: ModelReader = ModelReader(), line: UInt = #line
  ) -> [String] {
    do {
      let issues = try reader.readWithIssues(type, from: json).issues
      XCTAssertEqual(reader.mode, .lenient, "no error", line: line)
      return issues.map { "\($0.code): \($0)" }
    } catch let error as ModelReadingError {
      return error.issues.map { "\($0.code): \($0)" }
    } catch {
      XCTFail("\(error)", line: line)
      return []
    }
  }

  func testFirstAlternativePathWithAValueIsRead() throws {
    func id(_ json: String) throws -> Int { try Customer(json: json).id }
    XCTAssertEqual(try id("{\"isActive\": true, \"user\": {\"id\": 1}, \"uid\": 2}"), 1)
    XCTAssertEqual(try id("{\"isActive\": true, \"user\": {\"id\": null}, \"uid\": 2}"), 2)
    XCTAssertEqual(try id("{\"isActive\": true, \"user\": null, \"ids\": [4, 5]}"), 5)
    XCTAssertEqual(
      issues(Customer.self, "{\"isActive\": true, \"user\": 7, \"ids\": [4, 5]}"),
      ["typeMismatch: user: found 7, expected an object, because of the path 'user.name'"])
    XCTAssertEqual(try id("{\"isActive\": true, \"ids\": [4]}"), 0, "not there")
    XCTAssertEqual(
      issues(Customer.self, "{\"isActive\": true, \"uid\": null, \"ids\": [4]}"),
      ["typeMismatch: uid: found null, expected an integer of 64 bits"])
    XCTAssertEqual(
      issues(Customer.self, "{\"isActive\": true, \"user\": {\"id\": \"x\"}}"),
      ["typeMismatch: user.id: found \"x\", expected an integer of 64 bits"])
  }

  func testSeveralPropertiesCanReadOneMember() throws {
    let customer = try Customer(json: "{\"isActive\": true, \"user\": {\"name\": \"Ada\"}}")
    XCTAssertEqual(customer.name, "Ada")
    XCTAssertEqual(customer.greeting, "Ada")
  }

  func testArchiveKeyIsIndependentOfTheJSONName() throws {
    let customer = try Customer(json: "{\"isActive\": true, \"uid\": 9}")
    let archive = try Archiver().archive(customer)
    XCTAssertEqual(try Unarchiver().unarchive(Customer.self, from: archive).id, 9)
    XCTAssertEqual(Customer.archiveSchema.properties.map(\.keys).prefix(2), [["number"], ["name"]])
  }

  func testRequiredMemberMustExistDespiteInitialValue() {
    for mode in [ModelReader.Mode.strict, .lenient] {
      XCTAssertEqual(
        issues(Customer.self, "{}", ModelReader(mode)),
        ["missingKey: isActive: found nothing, expected true or false"])
    }
  }

  func testPropertiesMarkedOmittedAreNotRead() throws {
    let customer = try Customer(
      json: "{\"isActive\": true, \"token\": \"x\", \"total\": 7, \"note\": \"n\"}")
    XCTAssertEqual(customer.token, "none")
    XCTAssertEqual(customer.total, 1)
    XCTAssertEqual(customer.note, "n")
  }

  func testDatesFollowTheFormatOfTheirProperty() throws {
    let customer = try Customer(
      json: """
        {"isActive": true, "joined": 978307200500,
         "seen": ["Mon, 01 Jan 2001 00:00:01 GMT", "31 Dec 2000 23:00:00 -0100"]}
        """)
    XCTAssertEqual(customer.joined?.timeIntervalSinceReferenceDate, 0.5)
    XCTAssertEqual(customer.seen.map(\.timeIntervalSinceReferenceDate), [1, 0])
    for text in [
      "Mon, 01 Jan 2001", "Mon, 32 Jan 2001 00:00:00 GMT", "01 Foo 2001 00:00:00 GMT",
      "01 Jan 2001 24:00:00 GMT", "01 Jan 2001 00:00:00 +9900", "2001-01-01T00:00:00Z", "",
    ] {
      XCTAssertEqual(
        issues(Customer.self, "{\"isActive\": true, \"seen\": [\"\(text)\"]}"),
        [
          "invalidText: seen[0]: found \"\(text)\", "
            + "expected a date such as \"Wed, 31 Jan 2001 12:00:00 GMT\""
        ], text)
    }
    XCTAssertEqual(
      try ModelReader(.lenient).read(
        Customer.self, from: "{\"isActive\": true, \"seen\": [\"2001-01-01T00:00:00Z\"]}"
      ).seen.map(\.timeIntervalSinceReferenceDate), [0])
  }

  func testEmbeddedStructureReadsMembersOfTheObject() throws {
    let customer = try Customer(json: "{\"isActive\": true, \"street\": \"a\", \"city\": \"b\"}")
    XCTAssertEqual(customer.place, Place(street: "a", city: "b"))
  }

  func testValueWithCustomFormatIsRead() throws {
    let customer = try Customer(json: "{\"isActive\": true, \"color\": \"#FF8000\"}")
    XCTAssertEqual(customer.color, Tint(red: 255, green: 128))
    XCTAssertEqual(
      issues(Customer.self, "{\"isActive\": true, \"color\": 7}"),
      ["refused: color: found 7, which the program refused: a colour as \"#FF8000\""])
    let (lenient, found) = try ModelReader(.lenient).readWithIssues(
      Customer.self, from: "{\"isActive\": true, \"color\": 7}")
    XCTAssertEqual(lenient.color, Tint(red: 1, green: 2))
    XCTAssertEqual(found.count, 1)
  }

  func testJSONMemberDeterminesTheClassOfAnObject() throws {
    let figures = try [Figure](
      json: """
        [{"kind": "disc", "radius": 2, "name": "d"}, {"name": "f"},
         {"width": 3, "inner": [{"radius": 4, "kind": "disc"}], "kind": "box"}]
        """)
    XCTAssertEqual((figures[0] as? Disc)?.radius, 2)
    XCTAssertEqual(figures[0].name, "d")
    XCTAssertTrue(type(of: figures[1]) == Figure.self)
    XCTAssertEqual(((figures[2] as? Box)?.inner.first as? Disc)?.radius, 4)
    XCTAssertEqual(
      issues([Figure].self, "[{\"kind\": \"customer\"}]"),
      [
        "refused: [0]: found an object of class 'Customer', expected an object of class 'Figure' or a subclass"
      ])
  }

  func testClassCanChangeMembersBeforeTheyAreRead() throws {
    let order = try Order(
      json: "{\"PRICE\": \"7 EUR\", \"PARTS\": [{\"AMOUNT\": 1}, {\"PRICE\": \"2 USD\", \"PARTS\": [{}]}]}")
    XCTAssertEqual(order.amount, 7)
    XCTAssertEqual(order.currency, "EUR")
    XCTAssertEqual(order.parts.map(\.amount), [1, 2])
    XCTAssertEqual(order.parts.map(\.currency), ["", "USD"])
    XCTAssertEqual(order.readCount, 4, "each was told, inner ones first")
  }

  func testClassCanRefuseObjectsBeforeOrAfterReading() throws {
    for (text, expected) in [
      ("{\"PARTS\": [{}, {\"VOID\": 1}]}", OrderError.void), ("{\"PARTS\": [{\"AMOUNT\": -1}]}", .negative),
    ] {
      XCTAssertThrowsError(try Order(json: text)) { XCTAssertEqual($0 as? OrderError, expected) }
    }
    XCTAssertEqual(
      issues(Order.self, "{\"PARTS\": [{\"PARTS\": [{\"AMOUNT\": \"x\"}]}]}"),
      ["typeMismatch: PARTS[0].PARTS[0].AMOUNT: found \"x\", expected an integer of 64 bits"])
    let (order, found) = try ModelReader(.lenient).readWithIssues(
      Order.self, from: "{\"PARTS\": [{\"AMOUNT\": -1}, {\"AMOUNT\": 2}, {\"VOID\": 1}]}")
    XCTAssertEqual(order.parts.map(\.amount), [2])
    XCTAssertEqual(
      found.map(\.description),
      [
        "PARTS[0]: found an object, which the program refused: an amount that is not negative",
        "PARTS[2]: found an object, which the program refused: an order that is not void",
      ])
    XCTAssertEqual(found.map { $0.underlyingError as? OrderError }, [.negative, .void])
  }

  func testReaderMappingOverridesTheDeclaration() throws {
    var reader = ModelReader()
    reader.setMapping(
      JSONMapping(
        paths: ["id": ["[\"a.b\"].n"], "name": ["n"]], rules: ["isActive": [], "total": []],
        formats: ["joined": .iso8601], except: ["note"]), for: Customer.self)
    let customer = try reader.read(
      Customer.self,
      from: """
        {"a.b": {"n": 5}, "n": "x", "total": 8, "note": "no", "joined": "2001-01-01T00:00:02Z"}
        """)
    XCTAssertEqual(customer.id, 5)
    XCTAssertEqual(customer.name, "x")
    XCTAssertEqual(customer.greeting, "", "as declared")
    XCTAssertEqual(customer.total, 8)
    XCTAssertNil(customer.note)
    XCTAssertEqual(customer.joined?.timeIntervalSinceReferenceDate, 2)
    reader.setMapping(JSONMapping(rules: ["isActive": []], only: ["name"]), for: Customer.self)
    XCTAssertEqual(try reader.read(Customer.self, from: "{\"uid\": 1}").id, 0)
    reader.setMapping(JSONMapping(paths: ["id": ["a["]]), for: Customer.self)
    XCTAssertThrowsError(try reader.read(Customer.self, from: "{}")) {
      XCTAssertTrue("\($0)".contains("the invalid JSON path 'a['"), "\($0)")
    }
  }

  func testUnsuitablePropertyAttributesAreReportedWhenReading() {
    XCTAssertThrowsError(try Misfit(json: "{}")) {
      XCTAssertTrue(
        "\($0)".contains("'@JSONRule(.embedded)' for a property that is not a structure"), "\($0)")
    }
    XCTAssertThrowsError(try MisfitColor(json: "{}")) {
      XCTAssertTrue("\($0)".contains("a custom format for a property with objects"), "\($0)")
    }
  }

  func testSubclassInheritsAttributesAndMappings() throws {
    var reader = ModelReader()
    reader.setMapping(JSONMapping(rules: ["isActive": []], except: ["note"]), for: Customer.self)
    let text = "{\"user\": {\"id\": 4}, \"note\": \"n\", \"points\": 5, \"isActive\": false}"
    let customer = try reader.read(RegularCustomer.self, from: text)
    XCTAssertEqual(customer.id, 4)
    XCTAssertNil(customer.note)
    XCTAssertEqual(customer.points, 5)
    reader.setMapping(JSONMapping(only: ["id", "isActive"]), for: RegularCustomer.self)
    let other = try reader.read(RegularCustomer.self, from: text)
    XCTAssertEqual(other.points, 0)
    XCTAssertFalse(other.isActive)
  }

  func testUnknownMembersAreReportedOnRequest() throws {
    var reader = ModelReader(.lenient)
    reader.unknownKeys = .reported
    let json =
      "{\"isActive\": true, \"user\": {\"x\": 1}, \"street\": \"\", \"city\": \"\", \"z\": 1, \"token\": 2}"
    XCTAssertEqual(
      issues(Customer.self, json, reader),
      [
        "unknownKey: user.x: found a member that matches no property, expected only known members",
        "unknownKey: z: found a member that matches no property, expected only known members",
        "unknownKey: token: found a member that matches no property, expected only known members",
      ])
    reader.mode = .strict
    XCTAssertEqual(issues(Customer.self, json, reader).count, 1)
    XCTAssertEqual(issues(Customer.self, json, ModelReader(.lenient)), [])
  }
}
