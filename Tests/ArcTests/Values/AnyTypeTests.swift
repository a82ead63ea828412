import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import Synchronization
import XCTest

private protocol Component { var weight: Double { get } }
private protocol Monitor: AnyObject { var number: Int { get } }

@Archivable private final class Engine: Component, Monitor {
  var weight = 2.5
  var number = 4
  var vehicle: Car?
  init() {}
}

@Archivable private struct Seat: Component, Hashable {
  var weight = 1.0
  var name = "é"
}

@Archivable private enum Light: Component, Equatable {
  case on(Int)
  case off
  var weight: Double { 0 }
}

/// A value with a back reference to its owner, like the components of an entity.
@Archivable private struct Follower: Component {
  let target: Car
  var weight: Double { 0 }
}

@Archivable private final class Car {
  var main: (any Component)?
  var parts: [any Component] = []
  var byName: [String: any Component] = [:]
  weak var watcher: (any Monitor)?
  var engine: Engine?
  var rows: [[(any Component)?]]?
  @Boxed var payload: [String: Any] = [:]
  @Boxed var object: AnyObject?
  init() {}
}

/// Values in `Any` that cannot be archived, such as closures, tuples and objects of other frameworks.
final class UnarchivableAnyTests: XCTestCase {
  func testErrorForUnmarkedTypeSuggestsAnAlternative() {
    let closure: @MainActor () -> Int = { 1 }
    let values: [(Any, String)] = [
      ((1, "x"), "a tuple or function has no name: put a value of a structure with @Archivable in its place"),
      ({ (number: Int) in number }, "a tuple or function has no name"),
      (closure, "a tuple or function has no name"),
      ([{ 1 }] as [() -> Int], "declare a property of an archivable type for its parts, such as '[any P]'"),
      (["k": NSObject()], "declare a property of an archivable type for its parts"),
      (NSObject(), "mark the type with @Archivable"),
    ]
    for (value, remedy) in values {
      let car = Car()
      car.payload = ["k": value]
      assertThrows(.notArchivable, #" at root.payload["k"]; \#(remedy)"#, for: "\(type(of: value))") {
        try Archiver().archive(car)
      }
    }
  }
}

@Archivable("Car") private final class OldCar {
  @Boxed var main: Any?
  init() {}
}

private protocol Stone {}
@Archivable private struct Pebble: Stone { var weight = 1 }
@Archivable("AnyBox") private final class StoneBox {
  var value: (any Stone)?
  init() {}
}

@Archivable private final class AnyBox {
  @Boxed var value: Any?
  init(_ value: Any?) { self.value = value }
}

@Archivable private final class Rigid {
  let part: any Component
  var size: (width: Int, height: Double) = (1, -0.0)
  var pairs: [(Int, part: any Component)] = []
  init(_ part: any Component) { self.part = part }
}

@Archivable private struct Slot {
  var part: any Component
  weak var watcher: (any Monitor)?
  var range: (Int, Int)?
}

@Archivable private enum Choice {
  case part(any Component)
  case size((Int, String))
  case none
}

/// A class without identity. Each reference to an object is read as a separate object.
private final class Badge: Monitor, ArchivableByConversion {
  let number: Int
  init(_ number: Int) { self.number = number }
  var archivedForm: Int { number }
  convenience init(archivedForm: Int) { self.init(archivedForm) }
}

@Archivable private final class Guest {
  weak var badge: (any Monitor)?
  var kept: (any Monitor)?
  init() {}
}

@Archivable private struct Visit {
  weak var badge: (any Monitor)?
}

@Archivable private final class Guard {
  unowned var badge: (any Monitor)?
  var kept: (any Monitor)?
  init() {}
}

private final class Unarchivable: Component { var weight = 0.0 }

final class AnyTypeTests: XCTestCase {
  private func classes() throws -> ClassTable {
    let classes = ClassTable()
    try classes.register(all: Seat.self, Light.self, Follower.self, Engine.self)
    try classes.register(Int.self)
    try classes.register([String].self)
    return classes
  }

  private func copy<Value: ArchivableValue>(_ value: Value, isCanonical: Bool = false) throws -> Value {
    let bytes = try Archiver(isCanonical: isCanonical).archive(value)
    try ArchiveFile(bytes: bytes).verify()
    return try Unarchiver(classes: classes()).unarchive(Value.self, from: bytes)
  }

  func testMixedObjectsAndValuesPreserveIdentity() throws {
    for isCanonical in [false, true] {
      let car = Car()
      let engine = Engine()
      (car.engine, car.watcher, car.object) = (engine, engine, engine)
      car.main = Seat(weight: 7, name: "main")
      car.parts = [engine, Seat(), Light.on(3), Light.off, Seat()]
      car.byName = ["engine": engine, "seat": Seat(weight: 9)]
      car.rows = [[engine, nil], [], [Seat()]]
      car.payload = ["number": 3, "names": ["a", "b"], "engine": engine]
      let copy = try copy(car, isCanonical: isCanonical)
      let read = try XCTUnwrap(copy.engine)
      XCTAssertEqual(copy.main as? Seat, Seat(weight: 7, name: "main"))
      XCTAssert(copy.parts[0] as? Engine === read)
      XCTAssertEqual(copy.parts[1] as? Seat, Seat())
      XCTAssertEqual(copy.parts[2] as? Light, .on(3))
      XCTAssertEqual(copy.parts[3] as? Light, .off)
      XCTAssert(copy.byName["engine"] as? Engine === read)
      XCTAssertEqual(copy.byName["seat"] as? Seat, Seat(weight: 9))
      XCTAssert(copy.watcher === read)
      XCTAssert(copy.object === read)
      XCTAssert(copy.rows?[0][0] as? Engine === read)
      XCTAssertEqual(copy.rows?[0].count, 2)
      XCTAssertNil(copy.rows?[0][1])
      XCTAssertEqual(copy.payload["number"] as? Int, 3)
      XCTAssertEqual(copy.payload["names"] as? [String], ["a", "b"])
      XCTAssert(copy.payload["engine"] as? Engine === read)
    }
  }

  func testUnregisteredCollectionsOfKnownElementsAreRead() throws {
    let engine = Engine()
    let allValues: [String: any ArchivableValue & Equatable & Sendable] = [
      "integers": [1, 2], "texts": ["a"], "dates": [Date(timeIntervalSinceReferenceDate: 3)],
      "counts": ["a": 1, "b": 2], "nested": ["a": [["x": 1.5]], "b": []], "set": Set(["x", "y"]),
      "byNumber": [7: Data([1])], "optionals": [1, nil] as [Int?], "seats": [Seat()],
      "seatsByName": ["a": Set([Seat()])], "lights": [[Light.on(2)]], "nothing": [String: [Int]](),
    ]
    var sample = TrialSample(oneIn: 4)
    let values = allValues.filter { _ in sample.includesNext() }
    let car = Car()
    car.payload = values
    car.payload["engines"] = [engine]
    car.engine = engine
    var archiver = Archiver(isCanonical: true)
    let warnings = Mutex<[ArchiveError]>([])
    archiver.onWarning = { warning in warnings.withLock { $0.append(warning) } }
    let bytes = try archiver.archive(car)
    XCTAssertEqual(warnings.withLock { $0 }.map(\.description), [])
    let copy = try Unarchiver(classes: ClassTable()).unarchive(Car.self, from: bytes)
    XCTAssertEqual(copy.payload.count, values.count + 1)
    for (key, value) in values { assertEqual(copy.payload[key], value, key) }
    XCTAssertTrue((copy.payload["engines"] as? [Engine])?.first === copy.engine)
    XCTAssertNotNil(copy.engine)
  }

  private func assertEqual<Value: Equatable>(_ found: Any?, _ value: Value, _ key: String) {
    XCTAssertEqual(found as? Value, value, key)
  }

  func testCollectionsOfUnknownElementTypesAreRefused() throws {
    let car = Car()
    car.payload = ["values": [1]]
    let bytes = try Archiver().archive(car)
    let closed = try ClassTable(declaring: Int.self)
    assertThrows(.unknownClass, "register(Array<Int>.self)") {
      try Unarchiver(classes: closed).unarchive(Car.self, from: bytes)
    }
    // Only `Any` accepts values of any type.
    assertThrows(.unknownClass, "class 'Array<Pebble>'") {
      try reread(AnyBox([Pebble()]), as: StoneBox.self, classes: ClassTable())
    }
  }

  func testNestingOfComposedTypeNamesIsLimited() throws {
    var type: any ArchivableValue.Type = Int.self
    let triedDepths = RandomTrials.isExhaustive ? 1...12 : 8...9
    for depth in 1...12 {
      type = array(of: type)
      guard triedDepths.contains(depth) else { continue }
      let bytes = try Archiver().archive(AnyBox(emptyValue(of: type)))
      if depth <= 8 {
        XCTAssertNotNil(try Unarchiver(classes: ClassTable()).unarchive(AnyBox.self, from: bytes).value)
      } else {
        assertThrows(.unknownClass) {
          try Unarchiver(classes: ClassTable()).unarchive(AnyBox.self, from: bytes)
        }
      }
    }
  }

  private func array<Element: ArchivableValue>(of type: Element.Type) -> any ArchivableValue.Type {
    [Element].self
  }

  private func emptyValue<Value: ArchivableValue>(of type: Value.Type) -> Any? { Value.__emptyValue }

  func testExistentialValuesMayReferToTheirOwner() throws {
    for isCanonical in [false, true] {
      let car = Car()
      car.parts = [Follower(target: car), Seat()]
      let copy = try copy(car, isCanonical: isCanonical)
      XCTAssert((copy.parts[0] as? Follower)?.target === copy)
    }
  }

  func testObjectMayNeedAnExistentialForConstruction() throws {
    let car = Car()
    let rigid = Rigid(Follower(target: car))
    rigid.pairs = [(1, part: Seat()), (2, part: Follower(target: car))]
    rigid.size = (3, .infinity)
    let copy = try copy([rigid, Rigid(Seat(weight: 5)), Rigid(Seat(weight: 6))])
    let target = try XCTUnwrap(copy[0].part as? Follower).target
    XCTAssert((copy[0].pairs[1].part as? Follower)?.target === target)
    XCTAssertEqual(copy[0].pairs[0].0, 1)
    XCTAssertEqual(copy[0].size.width, 3)
    XCTAssertEqual(copy[0].size.height, .infinity)
    XCTAssertEqual(copy[1].size.height.sign, .minus)
    XCTAssertEqual(copy[1].part as? Seat, Seat(weight: 5))
    XCTAssertEqual(copy[2].part as? Seat, Seat(weight: 6))
  }

  func testFieldsAndPayloadsMayBeTuplesOrExistentials() throws {
    let engine = Engine()
    let slots = try copy([Slot(part: engine, watcher: engine, range: (3, 4)), Slot(part: Seat())])
    XCTAssert(slots[0].part as? Engine === slots[0].watcher)
    XCTAssertEqual(slots[0].range?.1, 4)
    XCTAssertNil(slots[1].range)
    let choices = try copy([Choice.part(Seat(weight: 2)), .size((1, "x")), .none])
    guard case .part(let part) = choices[0], case .size((1, "x")) = choices[1], case .none = choices[2] else {
      return XCTFail("\(choices)")
    }
    XCTAssertEqual(part as? Seat, Seat(weight: 2))
  }

  func testExistentialsInSeveralRootsStaySeparate() throws {
    let bytes = try Archiver(isCanonical: true).archive(roots: [
      "a": Slot(part: Seat(weight: 1)), "b": Slot(part: Seat(weight: 2)),
    ])
    let (a, b) = try Unarchiver(classes: classes()).unarchive(
      roots: .init("a", Slot.self), .init("b", Slot.self), from: bytes)
    XCTAssertEqual([a.part.weight, b.part.weight], [1, 2])
  }

  func testArchiveContainsProtocolsAndTypesOfValues() throws {
    let car = Car()
    car.parts = [Seat(weight: 3)]
    let file = try ArchiveFile(bytes: Archiver().archive(car))
    let parts = try XCTUnwrap(file.classes.first { $0.name == "Car" }?.columns.first { $0.key == "parts" })
    XCTAssertEqual(parts.attributes.description, #"T$[@"<Component>"],N,C,V_parts"#)
    let seat = try XCTUnwrap(file.classes.first { $0.name == "Seat" })
    XCTAssertEqual(
      seat.columns.map(\.attributes.description), [#"T{Seat="weight"d"name"@"NSString"},N,R,V_value"#])
  }

  func testValueThatNoLongerConformsIsRefused() throws {
    let car = OldCar()
    car.main = 5
    let bytes = try Archiver().archive(car)
    XCTAssertThrowsError(try Unarchiver(classes: classes()).unarchive(Car.self, from: bytes)) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .wrongClass)
      XCTAssertEqual((error as? ArchiveError)?.key, "main")
      XCTAssert("\(error)".contains("'Int'"), "\(error)")
    }
  }

  func testErrorNamesTheTypeToRegister() throws {
    let car = Car()
    car.main = Seat()
    let bytes = try Archiver().archive(car)
    let classes = ClassTable(scope: .declared)
    assertThrows(.unknownClass, "register(Seat.self)") {
      try Unarchiver(classes: classes).unarchive(Car.self, from: bytes)
    }
  }

  func testWritingAnUnarchivableValueIsRefused() {
    let car = Car()
    car.parts = [Seat(), Unarchivable()]
    XCTAssertThrowsError(try Archiver().archive(car)) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .notArchivable)
      XCTAssertEqual((error as? ArchiveError)?.key, "parts")
      XCTAssert("\(error)".contains("Unarchivable"), "\(error)")
    }
  }

  func testWeakReferenceToObjectArchivedAsValueFails() throws {
    let badge = Badge(7)
    let (guest, keeper) = (Guest(), Guard())
    (guest.badge, guest.kept, keeper.badge, keeper.kept) = (badge, badge, badge, badge)
    func assertRefused(_ reference: String, _ archive: @autoclosure () throws -> [UInt8]) {
      XCTAssertThrowsError(try archive()) { error in
        XCTAssertEqual((error as? ArchiveError)?.code, .notArchivable)
        XCTAssert(
          "\(error)".contains("\(reference) reference to a 'Badge', which is archived as a value"), "\(error)"
        )
        XCTAssert("\(error)".contains("mark the class with @Archivable"), "\(error)")
      }
    }
    for archiver in [Archiver(), Archiver(isCanonical: true)] {
      assertRefused("a weak", try archiver.archive(guest))
      assertRefused("a weak", try archiver.archive(Visit(badge: badge)))
      assertRefused("an unowned", try archiver.archive(keeper))
    }
    (guest.badge, keeper.badge) = (nil, nil)
    let classes = try classes()
    try classes.register(Badge.self)
    let copies = try Unarchiver(classes: classes).unarchive(
      roots: .init("guest", Guest.self), .init("guard", Guard.self),
      from: Archiver().archive(roots: ["guest": guest, "guard": keeper]))
    XCTAssertEqual(copies.0.kept?.number, 7)
    XCTAssertEqual(copies.1.kept?.number, 7)
  }

  func testKeyValueAccessUsesTheDeclaredTypes() throws {
    let car = Car()
    car.parts = [Seat(weight: 3)]
    XCTAssertEqual(try car.value(forKey: "parts", as: [any Component].self)[0].weight, 3)
    XCTAssertNil(try car.value(forKey: "main"))
    try car.setValue(Seat(weight: 8), forKey: "main")
    XCTAssertEqual(car.main?.weight, 8)
    try car.setValue(nil, forKey: "main")
    XCTAssertNil(car.main)
    let rigid = Rigid(Seat())
    try rigid.setValue((width: 5, height: 6.0), forKey: "size")
    XCTAssertEqual(rigid.size.width, 5)
  }

  func testReusedEncoderDoesNotRepeatPreviousValues() throws {
    for weight in [1.0, 2, 3] {
      let car = Car()
      car.main = Seat(weight: weight)
      XCTAssertEqual(try copy(car).main?.weight, weight)
    }
  }
}
