import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

final class RoundTripTests: XCTestCase {
  func testCycleOfStrongAndWeakReferencesIsRestored() throws {
    let ada = Person("Ada")
    let bob = Person("Bob")
    ada.friends = [bob, bob, ada]
    bob.mother = ada
    let copy = try roundTrip(ada, .init(compression: .zlib))
    XCTAssertEqual(copy.friends.map(\.name), ["Bob", "Bob", "Ada"])
    XCTAssertTrue(copy.friends[0] === copy.friends[1])
    XCTAssertTrue(copy.friends[2] === copy)
    XCTAssertTrue(copy.friends[0].mother === copy)
    try ObjectGraph.release(copy)
    try ObjectGraph.release(ada)
  }

  func testPrivatePropertiesSharingANameStayDistinct() throws {
    let ada = Person("Ada", hairCount: 3)
    ada.ownHairs = 99
    let copy = try roundTrip(ada)
    XCTAssertEqual(copy.hairs, 3)
    XCTAssertEqual(copy.ownHairs, 99)
  }

  func testSubclassObjectInSuperclassPropertyKeepsItsClass() throws {
    let ada = Person("Ada")
    let eve = Employee("Eve")
    eve.salary = Decimal(string: "1234567890.0123456789")!
    eve.boss = ada
    eve.age = 41
    ada.friends = [eve]
    let copy = try roundTrip(ada, classes: [Employee.self])
    let employee = try XCTUnwrap(copy.friends[0] as? Employee)
    XCTAssertEqual(employee.salary, eve.salary)
    XCTAssertTrue(employee.boss === copy)
    XCTAssertEqual(employee.age, 41)
    XCTAssertEqual(employee.name, "Eve")
    ada.friends = []
    copy.friends = []
  }

  func testNegativeZeroAndNilArePreserved() throws {
    let ada = Person("Ada")
    ada.height = -0.0
    let copy = try roundTrip(ada)
    XCTAssertEqual(copy.height?.bitPattern, Float(-0.0).bitPattern)
    XCTAssertNil(copy.weight)
  }

  func testScalarsPreserveEveryBit() throws {
    let scalars = Scalars()
    scalars.int8 = .min
    scalars.int16 = .min
    scalars.int32 = .min
    scalars.int64 = .min
    scalars.int128 = .min
    scalars.uint8 = .max
    scalars.uint16 = .max
    scalars.uint32 = .max
    scalars.uint64 = .max
    scalars.uint128 = .max
    scalars.int = -1
    scalars.uint = .max
    scalars.float = Float(bitPattern: 0x7FA0_0001)
    scalars.double = Double(bitPattern: 0xFFF0_0000_DEAD_BEEF)
    scalars.bool = true
    scalars.string = "e\u{301}\u{0}\u{10FFFF}é"
    scalars.character = "👩‍👩‍👧"
    scalars.date = Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)
    scalars.data = Data([0, 255, 10])
    scalars.url = URL(string: "../x?q=1", relativeTo: URL(string: "https://example.org/a/b")!)
    scalars.uuid = UUID()
    scalars.decimal = Decimal(string: "-99999999999999999999999999999999999999e-127")!
    let copy = try roundTrip(scalars)
    XCTAssertEqual(copy, scalars)
    XCTAssertEqual(Array(copy.string.utf8), Array(scalars.string.utf8))
    XCTAssertEqual(copy.url?.baseURL, scalars.url?.baseURL)
    XCTAssertEqual(copy.url?.relativeString, "../x?q=1")
    XCTAssertEqual(try roundTrip(Decimal.nan).isNaN, true)
  }

  func testNestedCollectionsOptionalsAndEnumsAreRestored() throws {
    let object = Collections()
    let ada = Person("Ada")
    object.numbers = [1, -200, 70_000, .max]
    object.matrix = [[], [1.5], [-0.0, .infinity]]
    object.names = ["a", "b", ""]
    object.ages = ["Ada": 36, "e\u{301}": 1]
    object.nested = ["x": [1: ["a", "b"], 2: []], "y": [:]]
    object.maybe = [nil, 1, nil, 0]
    object.points = [Point(x: 1, y: 2, secret: 3), Point(x: 4)]
    object.targets = [
      .person(ada), .nowhere, .place(Point(x: 9), named: nil), .place(Point(x: 8), named: "p"),
    ]
    object.colors = [.red: .tuesday, .green: .monday]
    object.expression = .sum(
      .call(function: "f", [.number(1), .variable(name: "x"), .nothing]), .sum(.number(2), .number(3)))
    object.tree = Branch(
      label: "r", children: [Branch(label: "a", children: [Branch(label: "b")]), Branch(label: "c")])
    object.observers = [Observer(person: ada), Observer(person: nil), Observer(person: Person("gone"))]
    object.people = [ada]
    object.doubleOptional = .some(nil)
    object.optionalPeople = [nil, ada]
    let copy = try roundTrip(object)
    XCTAssertEqual(copy.numbers, object.numbers)
    XCTAssertEqual(copy.matrix, object.matrix)
    XCTAssertEqual(copy.matrix[2][0].sign, .minus)
    XCTAssertEqual(copy.names, object.names)
    XCTAssertEqual(copy.ages, object.ages)
    XCTAssertEqual(copy.nested, object.nested)
    XCTAssertEqual(copy.maybe, object.maybe)
    XCTAssertEqual(copy.points, object.points)
    XCTAssertEqual(copy.colors, object.colors)
    XCTAssertEqual(copy.expression, object.expression)
    XCTAssertEqual(copy.tree, object.tree)
    XCTAssertEqual(copy.people.count, 1)
    XCTAssertTrue(copy.observers[0].person === copy.people[0])
    XCTAssertNil(copy.observers[1].person)
    XCTAssertNil(copy.observers[2].person)
    guard case .person(let person) = copy.targets[0], person === copy.people[0] else { return XCTFail() }
    guard case .nowhere = copy.targets[1] else { return XCTFail() }
    guard case .place(Point(x: 9), named: nil) = copy.targets[2] else { return XCTFail() }
    guard case .place(Point(x: 8), named: "p") = copy.targets[3] else { return XCTFail() }
    XCTAssertTrue(copy.doubleOptional == .some(nil))
    XCTAssertNil(copy.optionalPeople[0])
    XCTAssertTrue(copy.optionalPeople[1] === copy.people[0])
  }

  func testUnretainedWeakTargetIsArchivedAsNil() throws {
    let mother = Person("Mother")
    let child = Person("Child")
    child.mother = mother
    XCTAssertNil(try roundTrip(child).mother)
    withExtendedLifetime(mother) {}
  }

  func testEveryKindOfPropertyDeclarationRoundTrips() throws {
    let owner = Person("Owner")
    let object = Declarations(constant: 11, bare: 22, owner: owner)
    object.defaulted = 6
    object.clamped = 77
    object.observed = 3
    object.observedLink = owner
    object.implicitly = "iuo"
    object.hide("more")
    object.modern = "new"
    XCTAssertEqual(object.expensive, 12)
    let copy = try roundTrip(object)
    XCTAssertEqual(copy.constant, 11)
    XCTAssertEqual(copy.bare, 22)
    XCTAssertEqual(copy.defaulted, 6)
    XCTAssertEqual(copy.clamped, 77)
    XCTAssertEqual(copy.observed, 3)
    XCTAssertTrue(copy.observedLink === copy.owner)
    XCTAssertEqual(copy.observations, 0, "no observer runs")
    XCTAssertEqual(copy.implicitly, "iuo")
    XCTAssertEqual(copy.hidden, ["h", "more"])
    XCTAssertEqual(copy.modern, "new")
    XCTAssertEqual(copy.cache(), 42)
    XCTAssertEqual(copy.expensive, 12)
  }

  func testPropertiesAndCasesMayBeNamedSelf() throws {
    let object = SelfNamed()
    object.`Self` = SelfNamedValue(Self: .`Self`(7))
    guard case .`Self`(7) = try roundTrip(object).`Self`.`Self` else { return XCTFail("the case") }
  }

  func testGenericClassesAndStructuresRoundTrip() throws {
    let ada = Person("Ada")
    let box = Box(Pair(first: ada, second: ["x": 1]))
    box.more = [Pair(first: ada, second: [:])]
    let copy = try roundTrip(box)
    XCTAssertTrue(copy.content.first === copy.more[0].first)
    XCTAssertEqual(copy.content.second, ["x": 1])
    XCTAssertEqual(try roundTrip([Box(1), Box(2)]).map(\.content), [1, 2])
  }

  func testNestedTypeNameIncludesTheEnclosingType() throws {
    let inner = Outer.Inner()
    inner.text = "changed"
    let bytes = try Archiver().archive(inner)
    XCTAssertEqual(try ArchiveFile(bytes: bytes).classes.map(\.name), ["$roots", "Outer.Inner"])
    XCTAssertEqual(try Unarchiver().unarchive(Outer.Inner.self, from: bytes).text, "changed")
  }

  func testRootMayBeAnyValue() throws {
    let ada = Person("Ada")
    let people = try roundTrip([ada, ada])
    XCTAssertTrue(people[0] === people[1])
    XCTAssertEqual(try roundTrip(["k": [1, 2]]), ["k": [1, 2]])
    XCTAssertEqual(try roundTrip(Point(x: 3)), Point(x: 3))
    XCTAssertEqual(try roundTrip(Color.green), .green)
    XCTAssertEqual(try roundTrip(Int?.none), nil)
    XCTAssertEqual(try roundTrip(Expression.sum(.number(1), .nothing)), .sum(.number(1), .nothing))
    XCTAssertEqual(try roundTrip(""), "")
  }

  func testNamedRootsShareObjects() throws {
    let ada = Person("Ada")
    let bytes = try Archiver().archive(roots: ["people": [ada], "first": ada, "count": 1])
    let (people, first) = try Unarchiver().unarchive(
      roots: Unarchiver.RootRequest("people", [Person].self), Unarchiver.RootRequest("first", Person.self),
      from: bytes)
    XCTAssertTrue(people[0] === first)
    let registered = Unarchiver(classes: try ClassTable(registering: [Person.self]))
    XCTAssertEqual(try registered.unarchive(Int.self, from: bytes, root: "count"), 1)
    assertThrows(.missingRoot, "'people', 'first', 'count'") {
      try Unarchiver().unarchive(Int.self, from: bytes)
    }
  }

  func testEqualButDistinctObjectsStayDistinct() throws {
    let copy = try roundTrip([Box("x"), Box("x")])
    XCTAssertFalse(copy[0] === copy[1])
  }

  func testObjectsCreatedDuringEncodingStayDistinct() throws {
    let copy = try roundTrip(Temporaries(), classes: [Box<Int>.self])
    XCTAssertEqual(copy.values, Array(0..<Temporaries.count))
    XCTAssertEqual(Set(copy.boxes.map(ObjectIdentifier.init)).count, Temporaries.count)
  }

  func testUnarchivedGraphCanBeSentAcrossIsolationDomains() async throws {
    let bytes = try await Archiver().archive(ChainNode(5))
    let chain = try await Unarchiver().unarchive(ChainNode.self, from: bytes)
    let value = await Task { chain.value }.value
    XCTAssertEqual(value, 5)
  }

  func testUnarchivingHookRunsOnceOnTheCompleteGraph() throws {
    let first = Sleeper()
    first.other = Sleeper()
    first.other?.other = first
    let copy = try roundTrip(first)
    XCTAssertEqual(copy.seen, ["complete"])
    XCTAssertEqual(copy.other?.seen, ["complete"])
    copy.other = nil
    first.other = nil
  }
}

/// A class that encodes temporary objects, which nothing else retains.
final class Temporaries: Archivable {
  static let count = RandomTrials.size(usually: 200, exhaustively: 2_000)
  var boxes: [Box<Int>] = []
  init() {}
  var values: [Int] { boxes.map(\.content) }
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {
    for index in 0..<Self.count { try encoder.encode(Box(index), forKey: "box\(index)") }
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    for index in 0..<Self.count { boxes.append(try decoder.decode(Box<Int>.self, forKey: "box\(index)")) }
  }
}

@Archivable final class Sleeper: UnarchiveFinishing {
  var other: Sleeper?
  @Transient var seen: [String] = []
  init() {}
  func didUnarchive(in context: ArchiveContext) throws {
    seen.append(other?.other === self ? "complete" : "incomplete")
  }
}

@Archivable private enum SelfNamedCase {
  case none
  case `Self`(Int)
}

@Archivable private struct SelfNamedValue { var `Self` = SelfNamedCase.none }

@Archivable private class SelfNamed {
  var `Self` = SelfNamedValue()
  init() {}
}
