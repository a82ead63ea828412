import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Properties that are converted from values of other types under other keys in older files.
final class KeyConversionTests: XCTestCase {
  func testPropertyIsComputedFromAnOlderValue() throws {
    let lines = [Was.Line(width: 25), Was.Line(width: 5)]
    let copy = try reread(lines, as: [Now.Line].self)
    XCTAssertEqual(copy.map(\.width), [2.5, 0.5])
    XCTAssertEqual(copy.map(\.label), ["25 pt", "5 pt"])
  }

  func testCurrentKeyTakesPrecedenceOverOlderKeys() throws {
    let line = Now.Line()
    (line.width, line.label) = (7, "seven")
    let bytes = try Archiver().archive(line)
    let copy = try Unarchiver().unarchive(Now.Line.self, from: bytes)
    XCTAssertEqual(copy.width, 7)
    XCTAssertEqual(copy.label, "seven")
    XCTAssertEqual(try ArchiveFile(bytes: bytes).classes[1].columns.map(\.key), ["width", "label"])
  }

  func testFirstConversionWhoseKeysAreStoredIsUsed() throws {
    XCTAssertEqual(try person(Was.FullName("Ada Lovelace")), "full: Ada Lovelace")
    XCTAssertEqual(try person(Was.TwoNames("Ada", "Lovelace")), "two: Ada Lovelace")
    XCTAssertEqual(try person(Was.Nameless()), "nobody")
  }

  private func person(_ old: some Archivable) throws -> String {
    try reread(old, as: Now.Person.self).name
  }

  func testConversionCanSplitOneValueAndJoinThree() throws {
    let shape = try reread(Was.Shape(), as: Now.Shape.self)
    XCTAssertEqual([shape.x, shape.y], [3, 4])
    XCTAssertEqual(shape.color, [0.25, 0.5, 1])
  }

  func testObjectsConvertToStructuresAndReferencesToArrays() throws {
    let owner = Was.Owner("Ada")
    let houses = [Was.House(owner), Was.House(owner)]
    houses[0].neighbour = houses[1]
    let copy = try reread(houses, as: [Now.House].self, classes: ClassTable(registering: [Now.Owner.self]))
    XCTAssertEqual(copy.map(\.person.name), ["Ada", "Ada"])
    XCTAssertEqual(copy.map(\.constant), ["Ada", "Ada"])
    XCTAssertEqual(copy[0].neighbours.count, 1)
    XCTAssertTrue(copy[0].neighbours.first === copy[1])
    XCTAssertEqual(copy[1].neighbours.count, 0)
  }

  func testUninitializedAndInheritedPropertiesAreConverted() throws {
    let dog = Was.Dog()
    (dog.years, dog.trick) = (3, "roll")
    let copy = try reread(dog, as: Now.Dog.self)
    XCTAssertEqual(copy.months, 36)
    XCTAssertEqual(copy.tricks, ["roll"])
  }

  func testPropertiesInSeveralSegmentsAreConverted() throws {
    let count = RandomTrials.size(usually: 3_000, exhaustively: 100_000)
    let segmentBytes = RandomTrials.size(usually: 1 << 13, exhaustively: 1 << 20)
    let bytes = try Archiver(layout: .compact(segmentBytes: segmentBytes))
      .archive((0..<count).map { Was.Line(width: $0) })
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).rowsSegments.count, 1)
    let copy = try Unarchiver().unarchive([Now.Line].self, from: bytes)
    XCTAssertEqual(copy.count, count)
    for (index, line) in copy.enumerated() where line.width != Double(index) / 10 {
      return XCTFail("\(index): \(line.width)")
    }
  }

  func testCheckReportsTheOlderKeysOfConvertedProperties() throws {
    let file = try ArchiveFile(bytes: Archiver().archive(Was.Line(width: 1)))
    XCTAssertEqual(
      try Unarchiver().differences(in: file, readAs: Now.Line.self).map(\.description),
      [
        "checked: class 'Line', key 'width': the file has a value under the older key 'lineWidth', the program "
          + "has type 'Double' (encoding 'd'), to which @Key(…, from:) converts the older value",
        "checked: class 'Line', key 'label': the file has a value under the older key 'lineWidth', the program "
          + "has type 'String' (encoding '@\"NSString\"'), to which @Key(…, from:) converts the older value",
      ])
  }

  func testConversionErrorAndMistypedOlderValueAreRefused() throws {
    assertThrows(.valueOutOfRange, "no width: -1") { try reread(Was.Line(width: -1), as: Now.Line.self) }
    assertThrows(.typeMismatch, "found type 'String' (encoding '@\"NSString\"'), expected type 'Int'") {
      try reread(Was.TextLine(), as: Now.Line.self)
    }
  }

  func testMissingPropertyWithoutInitialValueIsRefused() throws {
    assertThrows(.missingKey, "class 'House', key 'constant'") { try reread(Was.Ruin(), as: Now.House.self) }
  }
}

private enum Was {
  @Archivable("Line") final class Line {
    var lineWidth: Int
    init(width: Int) { lineWidth = width }
  }
  @Archivable("Line") final class TextLine { var lineWidth = "wide" }

  @Archivable("Person") final class FullName {
    let fullName: String
    init(_ name: String) { fullName = name }
  }
  @Archivable("Person") final class TwoNames {
    let first, last: String
    init(_ first: String, _ last: String) { (self.first, self.last) = (first, last) }
  }
  @Archivable("Person") final class Nameless {}

  @Archivable struct Point { var x = 3, y = 4 }
  @Archivable("Shape") final class Shape {
    var origin = Point()
    var r: Float = 0.25
    var g: Float = 0.5
    var b: Float = 1
  }

  @Archivable("Owner") final class Owner {
    let name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("House") final class House {
    var owner: Owner
    var neighbour: House?
    init(_ owner: Owner) { self.owner = owner }
  }
  @Archivable("House") final class Ruin {}

  @Archivable("Animal") class Animal { var years = 0 }
  @Archivable("Dog") final class Dog: Animal { var trick = "" }
}

private enum Now {
  @Archivable("Line") final class Line {
    @Key(
      "lineWidth", from: Int.self,
      {
        guard $0 >= 0 else { throw ArchiveError(.valueOutOfRange, found: "no width: \($0)") }
        return Double($0) / 10
      }) var width = 1.0
    @Key("lineWidth", from: Int.self, { "\($0) pt" }) var label = ""
  }

  @Archivable("Person") final class Person {
    @Key("fullName", from: String.self, { "full: \($0)" })
    @Key("first", "last", from: (String, String).self, { "two: \($0) \($1)" })
    var name = "nobody"
  }

  @Archivable struct Point { var x = 0, y = 0 }
  @Archivable("Shape") final class Shape {
    @Key("origin", from: Point.self, { $0.x }) var x: Int
    @Key("origin", from: Point.self, { $0.y }) let y: Int
    @Key("r", "g", "b", from: (Float, Float, Float).self, { [$0, $1, $2] }) var color: [Float] = []
    init() { (x, y) = (0, 0) }
  }

  @Archivable("Owner") final class Owner {
    let name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable struct Human { var name = "" }
  @Archivable("House") final class House {
    @Key("owner", from: Owner.self, { Human(name: $0.name) }) var person = Human()
    @Key("owner", from: Owner.self, { $0.name }) let constant: String
    @Key("neighbour", from: House?.self, { $0.map { [$0] } ?? [] }) var neighbours: [House] = []
    init() { constant = "" }
  }

  @Archivable("Animal") class Animal {
    @Key("years", from: Int.self, { $0 * 12 }) var months = 0
  }
  @Archivable("Dog") final class Dog: Animal {
    @Key("trick", from: String.self, { [$0] }) var tricks: [String] = []
  }
}
