import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// Updates of structures: fields without a member keep their values.
final class StructureUpdateTests: XCTestCase {
  func testMissingMembersPreserveFieldsOfStructures() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"size": {"width": 5}, "sender": {"city": {"name": "Oslo"}}}"#, parcel)
      XCTAssertEqual(parcel.size.width, 5, update.name)
      XCTAssertEqual(parcel.size.height, 20, update.name)
      XCTAssertEqual(parcel.sender?.city.name, "Oslo", update.name)
      XCTAssertEqual(parcel.sender?.city.codes, [1, 2], update.name)
      XCTAssertEqual(parcel.sender?.street, "Main", update.name)
    }
  }

  func testMissingMembersPreserveFieldsOfEmbeddedStructures() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"weight": 9}"#, parcel)
      XCTAssertEqual(parcel.contents.weight, 9, update.name)
      XCTAssertEqual(parcel.contents.label, "books", update.name)
      XCTAssertEqual(parcel.contents.price, 7, update.name)
    }
  }

  func testNullSetsOptionalFieldToNil() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"sender": {"street": null}, "label": null}"#, parcel)
      XCTAssertNil(parcel.sender?.street, update.name)
      XCTAssertEqual(parcel.sender?.city.name, "Bern", update.name)
      XCTAssertNil(parcel.contents.label, update.name)
      XCTAssertEqual(parcel.contents.weight, 3, update.name)
    }
  }

  func testRequiredFieldKeepsItsValueInAnUpdate() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"label": "maps"}"#, parcel)
      XCTAssertEqual(parcel.contents.price, 7, update.name)
      XCTAssertEqual(parcel.contents.label, "maps", update.name)
    }
  }

  func testUpdateOfNilStructureNeedsRequiredMembers() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      parcel.sender = nil
      XCTAssertThrowsError(try update.apply(#"{"sender": {"street": "Side"}}"#, parcel), update.name)
      XCTAssertNil(parcel.sender, update.name)
      try update.apply(#"{"sender": {"city": {"name": "Rome"}}}"#, parcel)
      XCTAssertEqual(parcel.sender?.city.name, "Rome", update.name)
      XCTAssertEqual(parcel.sender?.city.codes, [], update.name)
    }
  }

  func testStructureMarkedReplacedResetsMissingFields() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"returnAddress": {"city": {"name": "Nice"}}}"#, parcel)
      XCTAssertNil(parcel.returnAddress.street, update.name)
      XCTAssertEqual(parcel.returnAddress.city.codes, [], update.name)
      try update.apply(#"{"sender": {"kind": {"code": 4}}}"#, parcel)
      XCTAssertEqual(parcel.sender?.kind.code, 4, update.name)
      XCTAssertEqual(parcel.sender?.kind.name, "unknown", update.name)
      XCTAssertEqual(parcel.sender?.street, "Main", update.name)
    }
  }

  func testPropertyMarkedReplacedGetsANewObject() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      let (driver, owner) = (parcel.driver, parcel.owner)
      try update.apply(#"{"driver": {"name": "Bo"}, "owner": {"name": "Cy"}}"#, parcel)
      XCTAssertTrue(parcel.driver === driver, update.name)
      XCTAssertEqual(parcel.driver?.age, 40, update.name)
      XCTAssertFalse(parcel.owner === owner, update.name)
      XCTAssertEqual(parcel.owner?.name, "Cy", update.name)
      XCTAssertEqual(parcel.owner?.age, 0, update.name)
      XCTAssertEqual(owner?.name, "Ada", update.name)
    }
  }

  func testPreservedFieldsKeepIdenticalObjects() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      let (driver, owner) = (try XCTUnwrap(parcel.driver), try XCTUnwrap(parcel.owner))
      parcel.handling = Handling(by: owner, helpers: [driver, owner], watcher: driver, note: "old")
      parcel.handling?.guide = driver
      try update.apply(#"{"handling": {"note": "new"}}"#, parcel)
      XCTAssertTrue(parcel.handling?.by === owner, update.name)
      XCTAssertEqual(
        parcel.handling?.helpers.map(ObjectIdentifier.init), [driver, owner].map(ObjectIdentifier.init))
      XCTAssertTrue(parcel.handling?.watcher === driver, update.name)
      XCTAssertTrue(parcel.handling?.guide === driver, update.name)
      XCTAssertEqual(parcel.handling?.note, "new", update.name)
      try update.apply(#"{"handling": {"by": {"name": "New"}}, "driver": {"age": 41}}"#, parcel)
      XCTAssertEqual(parcel.handling?.by?.name, "New", update.name)
      XCTAssertEqual(parcel.handling?.note, "new", update.name)
      XCTAssertTrue(parcel.handling?.helpers.first === driver, update.name)
      XCTAssertEqual(driver.age, 41, update.name)
    }
  }

  func testObjectsOfPreservedFieldsAreNotLeaked() throws {
    for update in Self.updates {
      weak var helper: Carrier?
      try autoreleasing {
        let parcel = Self.parcel()
        parcel.handling = Handling(by: nil, helpers: [Carrier()], watcher: nil, note: "")
        helper = parcel.handling?.helpers.first
        try update.apply(#"{"handling": {"note": "new"}}"#, parcel)
      }
      XCTAssertNil(helper, update.name)
    }
  }

  func testLenientUpdatePreservesAnInvalidField() throws {
    let parcel = Self.parcel()
    let issues = try ModelReader(.lenient).update(
      parcel, from: #"{"size": {"width": [], "height": 6}, "weight": {}, "label": "x"}"#)
    XCTAssertEqual(issues.map(\.path), ["weight", "size.width"].sorted(), "\(issues)")
    XCTAssertEqual([parcel.size.width, parcel.size.height], [10, 6])
    XCTAssertEqual(parcel.contents.weight, 3)
    XCTAssertEqual(parcel.contents.label, "x")
  }

  func testRefusedUpdatePreservesStructures() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      XCTAssertThrowsError(
        try update.apply(#"{"size": {"width": 5}, "weight": 8, "driver": 5}"#, parcel), update.name)
      XCTAssertEqual(parcel.size.width, 10, update.name)
      XCTAssertEqual(parcel.contents.weight, 3, update.name)
    }
  }

  func testUpdateReplacesStructuresInCollections() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      try update.apply(#"{"stops": [{"name": "A"}], "byName": {"b": {"name": "B"}}}"#, parcel)
      XCTAssertEqual(parcel.stops.map(\.codes), [[]], update.name)
      XCTAssertEqual(parcel.byName.mapValues(\.codes), ["b": []], update.name)
    }
  }

  func testUpdateReplacesRecursiveStructureAsAWhole() throws {
    let parcel = Self.parcel()
    parcel.tree = Branch(name: "root", weight: 2, branches: [Branch(name: "leaf", weight: 3, branches: [])])
    try parcel.update(json: #"{"tree": {"name": "new"}}"#)
    XCTAssertEqual(parcel.tree, Branch(name: "new", weight: 1, branches: []))
  }

  func testNestedObjectsOfOneClassKeepOwnFields() throws {
    for update in Self.updates {
      let parcel = Self.parcel()
      let inner = Parcel()
      inner.size = Extent(width: 1, height: 2)
      inner.handling = Handling(by: Carrier(), helpers: [], watcher: nil, note: "inner")
      let by = inner.handling?.by
      parcel.inner = inner
      parcel.handling = Handling(by: parcel.driver, helpers: [], watcher: nil, note: "outer")
      try update.apply(
        #"{"size": {"height": 7}, "handling": {"note": "o"}, "inner": {"size": {"width": 8}, "handling": {"note": "i"}}}"#,
        parcel)
      XCTAssertEqual([parcel.size.width, parcel.size.height], [10, 7], update.name)
      XCTAssertEqual([inner.size.width, inner.size.height], [8, 2], update.name)
      XCTAssertTrue(parcel.handling?.by === parcel.driver, update.name)
      XCTAssertTrue(inner.handling?.by === by, update.name)
      XCTAssertEqual([parcel.handling?.note, inner.handling?.note], ["o", "i"], update.name)
    }
  }

  func testRefusedFieldIsReportedForItsProperty() throws {
    for update in Self.gaugeUpdates {
      let gauge = Gauge(Pressure(limit: EvenNumber(1), other: OwnEvenNumber(2), note: "old"))
      XCTAssertThrowsError(try update.apply(#"{"count": 1, "pressure": {"note": "new"}}"#, gauge)) {
        let issues = ($0 as? ModelReadingError)?.issues
        XCTAssertEqual(issues?.map(\.path), ["pressure"], "\(update.name): \($0)")
        XCTAssertEqual(issues?.map(\.expected), ["an even number"], "\(update.name): \($0)")
      }
      XCTAssertEqual([gauge.pressure.note, "\(gauge.count)"], ["old", "0"], update.name)
      gauge.pressure = Pressure(limit: EvenNumber(2), other: OwnEvenNumber(1), note: "old")
      XCTAssertThrowsError(try update.apply(#"{"count": 1, "pressure": {"note": "new"}}"#, gauge)) {
        let issue = ($0 as? ModelReadingError)?.issues.first
        XCTAssertEqual(issue?.path, "pressure", "\(update.name): \($0)")
        XCTAssertTrue(issue?.underlyingError is OddNumber, "\(update.name): \($0)")
      }
      XCTAssertEqual([gauge.pressure.note, "\(gauge.count)"], ["old", "0"], update.name)
      try update.apply(#"{"pressure": {"limit": 4, "other": 6, "note": "new"}}"#, gauge)
      XCTAssertEqual(gauge.pressure.other.number, 6, update.name)
    }
  }

  func testLenientUpdateOmitsStructuresWithRefusedFields() throws {
    for references in [[], .marked, .identified] as [ModelReferences] {
      let gauge = Gauge(Pressure(limit: EvenNumber(1), other: OwnEvenNumber(2), note: "old"))
      let issues = try ModelReader(.lenient, references: references).update(
        gauge, from: #"{"count": 1, "pressure": {"note": "new"}}"#)
      XCTAssertEqual(issues.map(\.path), ["pressure"], "\(issues)")
      XCTAssertEqual([gauge.pressure.note, "\(gauge.count)"], ["old", "1"])
    }
  }

  private static let gaugeUpdates: [(name: String, apply: @Sendable (String, Gauge) throws -> Void)] = [
    ("text", { try $1.update(json: $0) }),
    ("bytes", { try $1.update(json: Array($0.utf8)) }),
    ("document", { try $1.update(json: try JSONDocument(Array($0.utf8))) }),
    ("value", { try $1.update(json: try JSONValue(parsing: $0)) }),
    ("marked", { try ModelReader(references: .marked).update($1, from: $0) }),
    ("identified", { try ModelReader(references: .identified).update($1, from: $0) }),
    ("reported", { try ModelReader(unknownKeys: .reported).update($1, from: $0) }),
  ]

  func testReplacedRuleWithoutEffectIsRefused() throws {
    XCTAssertThrowsError(try ModelReader().read(ReplacedNumber.self, from: "{}")) { error in
      XCTAssertTrue("\(error)".contains("'@JSONRule(.replaced)'"), "\(error)")
    }
  }

  // MARK: Random updates

  /// An update with a random part of another object's JSON changes exactly the members in this part.
  func testRandomUpdateChangesOnlyItsMembers() throws {
    var random = SplitMix64(seed: 39)
    let writer = ModelWriter(nulls: .written)
    for round in 0..<400 {
      let (old, new) = (randomParcel(&random), randomParcel(&random))
      let before = try writer.value(of: old)
      let patch = part(of: try writer.value(of: new), &random)
      let expected = joined(before, patch, path: "")
      let update = Self.updates[round % Self.updates.count]
      try update.apply("\(patch)", old)
      XCTAssertEqual(try writer.value(of: old), expected, "\(update.name) round \(round): \(patch)")
    }
  }

  private func randomParcel(_ random: inout SplitMix64) -> Parcel {
    let parcel = Parcel()
    parcel.size = Extent(
      width: Int.random(in: -9...9, using: &random), height: Int.random(in: 0...300, using: &random))
    let city = City(
      name: "c\(UInt8.random(in: 0...9, using: &random))", codes: [Int8.random(in: -5...5, using: &random)])
    parcel.sender = Address(
      street: Bool.random(using: &random) ? "s" : nil, city: city, kind: Kind(code: 1, name: "k"))
    parcel.contents.weight = Int32.random(in: -1000...1000, using: &random)
    parcel.contents.label = Bool.random(using: &random) ? "l" : nil
    parcel.contents.price = UInt16.random(in: 0...9, using: &random)
    return parcel
  }

  /// Returns a random part of an object's members, also in nested structures.
  private func part(of value: JSONValue, _ random: inout SplitMix64) -> JSONValue {
    guard case .object(let members) = value else { return value }
    var part = JSONObject()
    for key in members.names where !["driver", "owner", "inner", "handling", "tree"].contains(key) {
      guard Bool.random(using: &random) else { continue }
      part[key] = key == "returnAddress" ? members[key] : members[key].map { self.part(of: $0, &random) }
    }
    return .object(part)
  }

  private func joined(_ old: JSONValue, _ new: JSONValue, path: String) -> JSONValue {
    guard case .object(var members) = old, case .object(let others) = new else { return new }
    for key in others.names {
      let value = others[key] ?? .null
      if key == "returnAddress" {
        members[key] = value
      } else if key == "byName" || key == "kind" {
        members[key] = completed(value, key)
      } else {
        members[key] = joined(members[key] ?? .null, value, path: path + key + ".")
      }
    }
    return .object(members)
  }

  /// Returns the JSON of a structure that was replaced: fields without members have their initial values.
  private func completed(_ value: JSONValue, _ key: String) -> JSONValue {
    guard case .object(var members) = value else { return value }
    switch key {
    case "kind":
      members["code"] = members["code"] ?? 0
      members["name"] = members["name"] ?? "unknown"
    default: break
    }
    return .object(members)
  }

  // MARK: Updates

  private struct Update {
    let name: String
    let apply: (String, Parcel) throws -> Void
  }

  private static var updates: [Update] {
    [
      Update(name: "strict") { try $1.update(json: $0) },
      Update(name: "bytes") { try $1.update(json: Array($0.utf8)) },
      Update(name: "value") { try $1.update(json: try JSONValue(parsing: $0)) },
      Update(name: "marked") { try ModelReader(references: .marked).update($1, from: $0) },
      Update(name: "identified") { try ModelReader(references: .identified).update($1, from: $0) },
      Update(name: "reported") { try ModelReader(unknownKeys: .reported).update($1, from: $0) },
      Update(name: "at a path") { try ModelReader().update($1, from: #"{"data": \#($0)}"#, at: "data") },
      Update(name: "inside of another object") {
        let outer = Parcel()
        outer.inner = $1
        try outer.update(json: #"{"inner": \#($0)}"#)
      },
    ]
  }

  private static func parcel() -> Parcel {
    let parcel = Parcel()
    parcel.size = Extent(width: 10, height: 20)
    parcel.sender = Address(
      street: "Main", city: City(name: "Bern", codes: [1, 2]), kind: Kind(code: 3, name: "home"))
    parcel.returnAddress = Address(street: "Back", city: City(name: "Ulm", codes: [9]))
    parcel.contents = Contents(weight: 3, label: "books", price: 7)
    parcel.driver = Carrier(name: "Al", age: 40)
    parcel.owner = Carrier(name: "Ada", age: 30)
    parcel.stops = [City(name: "S", codes: [4])]
    parcel.byName = ["a": City(name: "A", codes: [5])]
    return parcel
  }

  private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
}

@Archivable private final class Parcel {
  var size = Extent(width: 0, height: 0)
  var sender: Address?
  @JSONRule(.replaced) var returnAddress = Address(street: nil, city: City())
  @JSONRule(.embedded) var contents = Contents(weight: 0, label: nil, price: 0)
  var driver: Carrier?
  @JSONRule(.replaced) var owner: Carrier?
  var handling: Handling?
  var stops: [City] = []
  var byName: [String: City] = [:]
  var tree: Branch?
  var inner: Parcel?

  init() {}
}

@Archivable private struct Extent {
  var width: Int
  var height: Int
}

@Archivable private struct Address {
  var street: String?
  var city: City
  @JSONRule(.replaced) var kind = Kind()
}

@Archivable private struct City {
  var name = "?"
  var codes: [Int8] = []
}

@Archivable private struct Kind {
  var code = 0
  var name = "unknown"
}

@Archivable private struct Contents {
  var weight: Int32
  var label: String?
  @JSONRule(.required) var price: UInt16
}

@Archivable private struct Handling {
  var by: Carrier?
  var helpers: [Carrier]
  weak var watcher: Carrier?
  unowned var guide: Carrier?
  var note: String
}

@Archivable private final class Carrier {
  var name = ""
  var age = 0

  init(name: String = "", age: Int = 0) { (self.name, self.age) = (name, age) }
}

@Archivable private struct Branch: Equatable {
  var name: String
  var weight = 1
  var branches: [Branch] = []
}

@Archivable private final class Gauge {
  var pressure: Pressure
  var count = 0

  init(_ pressure: Pressure) { self.pressure = pressure }
}

@Archivable private struct Pressure {
  var limit: EvenNumber
  var other: OwnEvenNumber
  var note: String
}

/// A number that a program can set to any value, and whose archived form must be even.
private struct EvenNumber: ArchivableByConversion {
  var number: Int
  init(_ number: Int) { self.number = number }
  var archivedForm: Int { number }
  init(archivedForm: Int) throws {
    guard archivedForm % 2 == 0 else {
      throw ArchiveError(.valueOutOfRange, found: "\(archivedForm)", expected: "an even number")
    }
    number = archivedForm
  }
}

/// A number like `EvenNumber`, which refuses forms with an error of its own.
private struct OwnEvenNumber: ArchivableByConversion {
  var number: Int
  init(_ number: Int) { self.number = number }
  var archivedForm: Int { number }
  init(archivedForm: Int) throws {
    guard archivedForm % 2 == 0 else { throw OddNumber() }
    number = archivedForm
  }
}

private struct OddNumber: Error {}

@Archivable private final class ReplacedNumber {
  @JSONRule(.replaced) var number = 0
}
