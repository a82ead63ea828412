import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Paths through structures, arrays, dictionaries and sets.
final class KeyPathTests: XCTestCase {
  private func city() -> (city: City, ada: Resident, bob: Resident) {
    let ada = Resident("Ada", Address(street: "Rue 1", number: 7, tags: ["old"]))
    let bob = Resident("Bob", Address(street: "Rue 2", number: nil, tags: []))
    let city = City()
    city.residents = [ada, bob]
    city.addresses = [ada.address, bob.address]
    city.byName = ["ada": ada, "a.b": bob]
    city.byNumber = [7: ada.address]
    city.guests = [ada]
    city.grid = [[1, 2], [3]]
    return (city, ada, bob)
  }

  func testStructureFieldsAreReadByKeyPath() throws {
    let (city, ada, _) = city()
    XCTAssertEqual(try ada.value(forKeyPath: "address.street", as: String.self), "Rue 1")
    XCTAssertEqual(try ada.value(forKeyPath: "address.number", as: Int.self), 7)
    XCTAssertEqual(try ada.value(forKeyPath: "address.place.x", as: Double.self), 0)
    XCTAssertEqual(try ada.value(forKeyPath: "address.kept", as: Int.self), 5, "in another form in archives")
    XCTAssertEqual(try city.value(forKeyPath: "span.lowerBound", as: Int.self), 1)
    XCTAssertNil(try city.value(forKeyPath: "center.street"), "nil on the way reads as nil")
  }

  func testStructureFieldsAreChangedByKeyPath() throws {
    let (_, ada, _) = city()
    try ada.setValue("Rue 9", forKeyPath: "address.street")
    try ada.setValue(nil, forKeyPath: "address.number")
    try ada.setValue(2.5, forKeyPath: "address.place.x")
    try ada.setValue("new", forKeyPath: "address.tags[0]")
    try ada.setValue(6, forKeyPath: "address.kept")
    try ada.setValue(200, forKeyPath: "address.level")
    XCTAssertEqual(ada.address.street, "Rue 9")
    XCTAssertNil(ada.address.number)
    XCTAssertEqual(ada.address.place.x, 2.5)
    XCTAssertEqual(ada.address.tags, ["new"])
    XCTAssertEqual(ada.address.kept, 6)
    XCTAssertEqual(ada.address.level, 100, "through the wrapper")
    XCTAssertEqual(ada.changes, 6, "the property is set as a whole, and its observer runs")
  }

  func testFieldsOfConvertedTypesHaveKeyPaths() throws {
    let city = City()
    XCTAssertEqual(try city.value(forKeyPath: "visit.duration", as: Double.self), 5)
    try city.setValue(7.0, forKeyPath: "visit.duration")
    XCTAssertEqual(city.visit, DateInterval(start: .distantPast, duration: 7))
    XCTAssertThrowsError(try city.setValue(-1.0, forKeyPath: "visit.duration")) {
      let error = $0 as? KeyAccessError
      XCTAssertEqual(error?.code, .typeMismatch)
      XCTAssertEqual(error?.className, "DateInterval")
      XCTAssertTrue("\($0)".contains("found a duration of -1.0 seconds"), "\($0)")
    }
    XCTAssertEqual(city.visit.duration, 7)
  }

  func testElementsAreAccessedByIndexInKeyPath() throws {
    let (city, ada, bob) = city()
    XCTAssertTrue(try city.value(forKeyPath: "residents[1]") as? Resident === bob)
    XCTAssertEqual(try city.value(forKeyPath: "residents[0].name", as: String.self), "Ada")
    XCTAssertEqual(try city.value(forKeyPath: "residents[0].address.tags[0]", as: String.self), "old")
    XCTAssertEqual(try city.value(forKeyPath: "grid[0][1]", as: Int.self), 2)
    try city.setValue("Bea", forKeyPath: "residents[1].name")
    try city.setValue(9, forKeyPath: "addresses[0].number")
    try city.setValue(8, forKeyPath: "grid[1][0]")
    try city.setValue(ada, forKeyPath: "residents[1]")
    XCTAssertEqual(bob.name, "Bea")
    XCTAssertEqual(city.addresses.map(\.number), [9, nil])
    XCTAssertEqual(ada.address.number, 7, "a structure is not shared")
    XCTAssertEqual(city.grid, [[1, 2], [8]])
    XCTAssertTrue(city.residents[1] === ada)
  }

  func testDictionaryValuesAreAccessibleByKeyPath() throws {
    let (city, ada, bob) = city()
    XCTAssertTrue(try city.value(forKeyPath: "byName.ada") as? Resident === ada)
    XCTAssertEqual(try city.value(forKeyPath: "byName[\"a.b\"].name", as: String.self), "Bob")
    XCTAssertEqual(try city.value(forKeyPath: "byNumber[7].street", as: String.self), "Rue 1")
    XCTAssertNil(try city.value(forKeyPath: "byName.eve.name"), "no entry reads as nil")
    try city.setValue(bob, forKeyPath: "byName.eve")
    try city.setValue(nil, forKeyPath: "byName.ada")
    try city.setValue("Rue 3", forKeyPath: "byNumber[7].street")
    try city.setValue("Bo", forKeyPath: "byName.eve.name")
    XCTAssertEqual(city.byName.keys.sorted(), ["a.b", "eve"])
    XCTAssertEqual(city.byNumber[7]?.street, "Rue 3")
    XCTAssertEqual(bob.name, "Bo")
  }

  func testKeyAfterACollectionAccessesEachElement() throws {
    let (city, ada, bob) = city()
    XCTAssertEqual(try city.value(forKeyPath: "residents.name", as: [String].self), ["Ada", "Bob"])
    XCTAssertEqual(try city.value(forKeyPath: "addresses.number", as: [Int?].self), [7, nil])
    XCTAssertEqual(try city.value(forKeyPath: "residents.address.tags", as: [[String]].self), [["old"], []])
    XCTAssertEqual(try city.value(forKeyPath: "guests.name", as: [String].self), ["Ada"])
    try city.setValue(1, forKeyPath: "residents.address.number")
    try city.setValue("here", forKeyPath: "addresses.street")
    try city.setValue("Eva", forKeyPath: "guests.name")
    XCTAssertEqual([ada.address.number, bob.address.number], [1, 1])
    XCTAssertEqual(city.addresses.map(\.street), ["here", "here"])
    XCTAssertEqual(ada.name, "Eva")
  }

  func testDictionaryKeysMayBeIntegersOrRawValues() throws {
    let city = City()
    city.counts = ["a": 1, "\u{301}a": 2, "x": 3, "x\u{600}": 4, "\u{301}": 5]
    XCTAssertEqual(try city.value(forKeyPath: "counts[\"\u{301}a\"]", as: Int.self), 2)
    XCTAssertEqual(try city.value(forKeyPath: "counts[\"x\u{600}\"]", as: Int.self), 4)
    try city.setValue(nil, forKeyPath: "counts[\"\u{301}a\"]")
    try city.setValue(6, forKeyPath: "counts[\"\u{301}\"]")
    XCTAssertEqual(city.counts, ["a": 1, "x": 3, "x\u{600}": 4, "\u{301}": 6])
    city.small = [7: "seven"]
    city.bySide = [.left: 1]
    XCTAssertEqual(try city.value(forKeyPath: "small[7]", as: String.self), "seven")
    XCTAssertEqual(try city.value(forKeyPath: "bySide.left", as: Int.self), 1)
    try city.setValue("eight", forKeyPath: "small[8]")
    try city.setValue(2, forKeyPath: "bySide[\"right\"]")
    XCTAssertEqual(city.small, [7: "seven", 8: "eight"])
    XCTAssertEqual(city.bySide, [.left: 1, .right: 2])
    for path in ["small[300]", "small.seven", "bySide.up", "counts[7]"] {
      XCTAssertThrowsError(try city.value(forKeyPath: path), path) {
        XCTAssertEqual(($0 as? KeyAccessError)?.code, .noElement)
      }
    }
  }

  /// The paths that errors and `arcdump` print are key paths after the name of the root.
  func testArchivePathsAreValidKeyPaths() throws {
    let (city, _, _) = city()
    let names = [
      "", ".", "a.b", "[0]", "\"]", "'", "`", "\\", "\\u{41}", "\n", "\u{301}", "e\u{301}", "\u{200D}", "😀",
    ]
    for (index, name) in names.enumerated() { city.counts[name] = index }
    city.flags = [true: 1, false: 2]
    city.seasons = [.summer: 3]
    city.counts["cafe\u{301}"] = 8
    let archive = try LazyArchive(bytes: Archiver().archive(city))
    func assertIsFound(_ value: Int, _ steps: ValuePath.Step...) throws {
      let path = steps.map(\.text).joined().dropFirst()
      XCTAssertEqual(try city.value(forKeyPath: String(path), as: Int.self), value, String(path))
      XCTAssertEqual(try archive.value(Int.self, at: "root.\(path)"), value, String(path))
      try city.setValue(value, forKeyPath: String(path))
    }
    for (index, name) in names.enumerated() {
      try assertIsFound(index, .name("counts"), .key(.text(ValuePath.Name(name))))
    }
    try assertIsFound(8, .name("counts"), .key(.text(ValuePath.Name("caf\u{E9}"))))
    try assertIsFound(2, .name("flags"), .key(.bool(false)))
    try assertIsFound(3, .name("seasons"), .key(.enumerationCase(ValuePath.Name("summer"))))
    try assertIsFound(2, .name("grid"), .element(0), .element(1))
    try assertIsFound(7, .name("byNumber"), .element(7), .name("number"))
    XCTAssertEqual(try city.value(forKeyPath: "`counts`['a.b']", as: Int.self), 2)
    try city.setValue(4, forKeyPath: "seasons[.winter]")
    XCTAssertEqual(city.seasons, [.summer: 3, .winter: 4])
    city.heights = [.low: 4]
    try city.setValue(5, forKeyPath: "heights[.low]")
    XCTAssertEqual(city.heights, [.low: 5])
    for path in ["seasons[.spring]", "heights[.high]", "heights[3]", "flags[0]", "counts[true]"] {
      XCTAssertEqual(assertThrows(KeyAccessError.self) { try city.value(forKeyPath: path) }?.code, .noElement)
    }
  }

  func testKeyPathErrorsNameTheFailingKey() throws {
    let (city, ada, _) = city()
    let failures: [(KeyAccessError.Code, String, String, () throws -> Void)] = [
      (.unknownKey, "streat", "Address", { _ = try ada.value(forKeyPath: "address.streat") }),
      (.unknownKey, "", "Address", { _ = try ada.value(forKeyPath: "address.") }),
      (.readOnly, "country", "Address", { try ada.setValue("FR", forKeyPath: "address.country") }),
      (.readOnly, "lowerBound", "Range<Int>", { try city.setValue(2, forKeyPath: "span.lowerBound") }),
      (.typeMismatch, "number", "Address", { try ada.setValue("7", forKeyPath: "address.number") }),
      (.typeMismatch, "street", "Address", { try ada.setValue(nil, forKeyPath: "address.street") }),
      (.typeMismatch, "[0]", "Array<String>", { try ada.setValue(1, forKeyPath: "address.tags[0]") }),
      (.nilOnPath, "center", "City", { try city.setValue("x", forKeyPath: "center.street") }),
      (
        .nilOnPath, "[\"eve\"]", "Dictionary<String, Resident>",
        {
          try city.setValue("x", forKeyPath: "byName.eve.name")
        }
      ),
      (.noElement, "[2]", "Array<Resident>", { _ = try city.value(forKeyPath: "residents[2].name") }),
      (.noElement, "[-1]", "Array<Resident>", { try city.setValue(ada, forKeyPath: "residents[-1]") }),
      (.noElement, "[\"0\"]", "Array<Resident>", { _ = try city.value(forKeyPath: "residents[\"0\"]") }),
      (.noElement, "[7]", "Dictionary<String, Resident>", { _ = try city.value(forKeyPath: "byName[7]") }),
      (.hasNoKeys, "guests", "City", { _ = try city.value(forKeyPath: "guests[0]") }),
      (.hasNoKeys, "street", "Address", { _ = try ada.value(forKeyPath: "address.street.count") }),
      (.hasNoKeys, "address", "Resident", { _ = try ada.value(forKeyPath: "address[0]") }),
      (.badPath, "residents", "City", { _ = try city.value(forKeyPath: "residents[x]") }),
      (.badPath, "residents", "City", { _ = try city.value(forKeyPath: "residents[0") }),
      (.badPath, "residents", "City", { _ = try city.value(forKeyPath: "residents[0]name") }),
      (.badPath, "byName", "City", { _ = try city.value(forKeyPath: "byName[\"a") }),
      (.badPath, "byName", "City", { try city.setValue(ada, forKeyPath: "byName.") }),
      (.badPath, "residents", "City", { _ = try city.value(forKeyPath: "residents[+0]") }),
      (.hasNoKeys, "[0]", "Array<Resident>", { _ = try city.value(forKeyPath: "residents[0][0]") }),
    ]
    for (code, key, className, body) in failures {
      let error = assertThrows(KeyAccessError.self, for: "\(code) \(key)", body)
      XCTAssertEqual(error?.code, code)
      XCTAssertEqual(error?.key, key)
      XCTAssertEqual(error?.className.hasSuffix(className), true, "\(code) \(key)")
    }
    XCTAssertEqual(ada.address, Address(street: "Rue 1", number: 7, tags: ["old"]))
  }

  func testSettingElementsOfASetIsRefused() throws {
    let (city, _, _) = city()
    city.places = [Place(x: 1)]
    XCTAssertEqual(try city.value(forKeyPath: "places.x", as: [Double].self), [1])
    XCTAssertThrowsError(try city.setValue(2.0, forKeyPath: "places.x")) {
      XCTAssertEqual(($0 as? KeyAccessError)?.code, .readOnly)
    }
    XCTAssertEqual(city.places, [Place(x: 1)])
  }

  func testLongKeyPathIsFollowedOnSmallStack() throws {
    let node = Loop()
    node.next = node
    node.all = [node]
    defer { (node.next, node.all) = (nil, []) }
    let length = RandomTrials.size(usually: 8_000, exhaustively: 100_000)
    let long = String(repeating: "next.", count: length) + "number"
    try onSmallStack {
      XCTAssertEqual(try node.value(forKeyPath: long, as: Int.self), 1)
      try node.setValue(2, forKeyPath: long)
    }
    XCTAssertEqual(node.number, 2)
    let deep = String(repeating: "all.", count: length) + "number"
    XCTAssertEqual(assertThrows(KeyAccessError.self) { try node.value(forKeyPath: deep) }?.code, .badPath)
    // Each key doubles the number of values.
    node.all = [node, node]
    let wide = String(repeating: "all.", count: 40) + "number"
    XCTAssertThrowsError(try node.setValue(3, forKeyPath: wide)) {
      XCTAssertEqual(($0 as? KeyAccessError)?.code, .badPath)
    }
  }
}

@propertyWrapper private struct Percent: Hashable {
  private var value = 0
  var wrappedValue: Int {
    get { value }
    set { value = min(newValue, 100) }
  }
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

@Archivable private struct Place: Hashable { var x = 0.0 }

@Archivable private struct Address: Equatable {
  var street: String
  var number: Int?
  var tags: [String]
  let country: String
  var place = Place()
  @Coded var kept = 5
  @Percent var level = 1

  init(street: String, number: Int?, tags: [String]) {
    (self.street, self.number, self.tags, country) = (street, number, tags, "NL")
  }
}

@Archivable private final class Resident: HashedByIdentity {
  var name: String
  var address: Address { didSet { changes += 1 } }
  @Transient var changes = 0

  init(_ name: String, _ address: Address) { (self.name, self.address) = (name, address) }
}

@Archivable private final class City {
  var residents: [Resident] = []
  var addresses: [Address] = []
  var byName: [String: Resident] = [:]
  var byNumber: [Int: Address] = [:]
  var guests: Set<Resident> = []
  var places: Set<Place> = []
  var grid: [[Int]] = []
  var center: Address?
  var span = 1..<3
  var visit = DateInterval(start: .distantPast, duration: 5)
  var counts: [String: Int] = [:]
  var small: [UInt8: String] = [:]
  var bySide: [Side: Int] = [:]
  var flags: [Bool: Int] = [:]
  var seasons: [Season: Int] = [:]
  var heights: [Height: Int] = [:]
  init() {}
}

@Archivable private enum Season: Hashable, CaseIterable { case winter, summer }

/// An enumeration whose cases cannot be listed.
@Archivable private enum Height: Hashable { case low, high }

private enum Side: String, ArchivableValue { case left, right }

@Archivable private final class Loop {
  var number = 1
  var next: Loop?
  var all: [Loop] = []
  init() {}
}
