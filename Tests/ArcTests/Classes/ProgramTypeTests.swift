import Arc
import ArcTestSupport
import Synchronization
import XCTest

/// Types without a registration, to which no declaration refers, are read if the declared types allow them.
final class ProgramTypeTests: XCTestCase {
  /// A table with only the registered classes.
  private let closed = ClassTable(scope: .declared)

  private func menagerie() -> Cage {
    let cage = Cage()
    let lion = Lion()
    lion.cub = Cub()
    cage.beast = lion
    return cage
  }

  func testUnregisteredSubclassIsRead() throws {
    let cage = menagerie()
    let copy = try reread(cage, as: Cage.self, classes: ClassTable())
    let lion = try XCTUnwrap(copy.beast as? Lion)
    // A subclass of the class that was found, and a class that only the subclass reaches.
    XCTAssertEqual((lion.cub as? Cub)?.toy?.name, "ball")
  }

  func testClassesNestedInTypesAndExtensionsAreRead() throws {
    for (beast, name) in [(Zoo.hiddenBeast, "Hidden"), (Farm.Goat(), "Goat")] {
      let cage = Cage()
      cage.beast = beast
      let copy = try reread(cage, as: Cage.self, classes: ClassTable())
      XCTAssertEqual("\(type(of: try XCTUnwrap(copy.beast)))", name)
    }
  }

  func testExistentialValuesAreRead() throws {
    let bag = Bag()
    bag.things = [Coin(worth: 2), Ticket.seat(7), Paint.red, Lion()]
    let copy = try reread(bag, as: Bag.self, classes: ClassTable())
    XCTAssertEqual(copy.things[0] as? Coin, Coin(worth: 2))
    XCTAssertEqual(copy.things[1] as? Ticket, .seat(7))
    XCTAssertEqual(copy.things[2] as? Paint, .red)
    XCTAssert(copy.things[3] is Lion)
  }

  func testClassWithoutTheRequiredConformanceIsRefused() throws {
    let box = Attic()
    box.things = [Pebble()]
    let bytes = try Archiver().archive(box)
    XCTAssertThrowsError(try Unarchiver(classes: ClassTable()).unarchive(Bag.self, from: bytes)) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .unknownClass)
      XCTAssertEqual((error as? ArchiveError)?.className, "Pebble")
      let text = "\(error)"
      XCTAssertTrue(
        text.contains("of class 'Pebble', whose class in the program does not conform to '"), text)
      XCTAssertTrue(
        text.contains("; make 'Pebble' conform to the type of the property that refers to it; if"), text)
    }
  }

  func testClassesInProtocolCompositionsAreRead() throws {
    let aviary = Aviary()
    aviary.both = Wren()
    aviary.any = [Coin(worth: 3), 7, "text"]
    let copy = try reread(aviary, as: Aviary.self, classes: ClassTable())
    XCTAssert(copy.both is Wren)
    XCTAssertEqual(copy.any[0] as? Coin, Coin(worth: 3))
    XCTAssertEqual(copy.any[1] as? Int, 7)
    XCTAssertEqual(copy.any[2] as? String, "text")
  }

  func testHandWrittenCoderReadsAnUnregisteredSubclass() throws {
    let bytes = try Archiver().archive(Keeper(Lion()))
    XCTAssert(try Unarchiver(classes: ClassTable()).unarchive(Keeper.self, from: bytes).beast is Lion)
  }

  func testClassOutsideTheDeclaredTypesIsRefused() throws {
    let bytes = try Archiver().archive(menagerie())
    // The file contains objects of `Lion`, which is not a subclass of the class that a `Kennel` can contain.
    assertThrows(.unknownClass) { try Unarchiver(classes: ClassTable()).unarchive(Kennel.self, from: bytes) }
  }

  func testClosedClassTableRefusesUnregisteredClasses() throws {
    let bytes = try Archiver().archive(menagerie())
    XCTAssertEqual(
      assertThrows(.unknownClass) { try Unarchiver(classes: closed).unarchive(Cage.self, from: bytes) }?
        .className, "Lion")
    try closed.register(all: Lion.self, Cub.self)
    XCTAssert(try Unarchiver(classes: closed).unarchive(Cage.self, from: bytes).beast is Lion)
  }

  func testRegisteredNameTakesPrecedenceOverTheClassName() throws {
    let bytes = try Archiver().archive(menagerie())
    let classes = ClassTable()
    try classes.register(Tiger.self, as: "Lion")
    XCTAssert(try Unarchiver(classes: classes).unarchive(Cage.self, from: bytes).beast is Tiger)
  }

  func testAmbiguousClassNameIsRefusedUntilRegistered() throws {
    let cage = Cage()
    cage.beast = Zoo.Twin()
    let bytes = try Archiver().archive(cage)
    XCTAssertThrowsError(try Unarchiver(classes: ClassTable()).unarchive(Cage.self, from: bytes)) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .nameConflict)
      for name in ["Zoo.Twin'", "Farm.Twin'"] { XCTAssert("\(error)".contains(name), "\(error)") }
    }
    let classes = ClassTable()
    try classes.register(Farm.Twin.self)
    XCTAssert(try Unarchiver(classes: classes).unarchive(Cage.self, from: bytes).beast is Farm.Twin)
  }

  func testUnarchivableClassAffectsOnlyFilesThatContainIt() throws {
    // `Broken` is also a subclass of `Beast`.
    let bytes = try Archiver().archive(menagerie())
    XCTAssertNoThrow(try Unarchiver(classes: ClassTable()).unarchive(Cage.self, from: bytes))
    assertThrows(.notArchivable) { try Archiver().archive(Broken()) }
  }
}

/// Archiving reports warnings for classes that a reader could not find.
final class WarningTests: XCTestCase {
  private func warnings(archiving roots: any ArchivableValue...) throws -> [ArchiveError] {
    let warnings = Mutex<[ArchiveError]>([])
    var archiver = Archiver()
    archiver.onWarning = { warning in warnings.withLock { $0.append(warning) } }
    for root in roots { _ = try archiver.archive(root) }
    return warnings.withLock { $0 }
  }

  func testGenericClassWithoutExplicitNameCausesOneWarning() throws {
    let bag = Bag()
    bag.things = [Wrapped(1), Wrapped(2)]
    let found = try warnings(archiving: bag, bag)
    XCTAssertEqual(found.map(\.className), ["Wrapped<Int>"])
    XCTAssertEqual(found.first?.code, .unknownClass)
    XCTAssert(found.first?.remedy?.contains("classes.register(Wrapped<Int>.self)") == true, "\(found)")
  }

  func testGenericClassCausesWarningOnlyWhenNotRoot() throws {
    XCTAssertEqual(try warnings(archiving: Wrapped(UInt8(1))), [])
    let bag = Bag()
    bag.things = [Wrapped(UInt8(1))]
    XCTAssertEqual(try warnings(archiving: bag, bag).map(\.className), ["Wrapped<UInt8>"])
  }

  func testHandWrittenSubclassCausesAWarning() throws {
    let stable = Stable()
    stable.donkeys = [Donkey(), Mule()]
    XCTAssertEqual(try warnings(archiving: stable).map(\.className), ["Mule"])
  }

  func testKnownClassesCauseNoWarning() throws {
    try ClassTable().register(Wrapped<Double>.self)
    let bag = Bag()
    bag.things = [Wrapped(1.0), Coin(worth: 1), Lion()]
    let cage = Cage()
    cage.beast = Farm.Goat()
    let named = NamedWrapping()
    named.wrapped = Wrapped("text")
    XCTAssertEqual(try warnings(archiving: bag, cage, named), [])
  }
}

@Archivable private class Beast { var age = 1 }
@Archivable private class Lion: Beast { var cub: Lion? }
@Archivable private final class Cub: Lion { var toy: Toy? = Toy() }
@Archivable private final class Tiger: Beast { var cub: Beast? }
@Archivable private final class Toy { var name = "ball" }
@Archivable private final class Cage { var beast: Beast? }
@Archivable private final class Dog { var name = "" }
@Archivable private final class Kennel { var beast: Dog? }

private enum Zoo {
  @Archivable private final class Hidden: Beast {}
  static var hiddenBeast: Beast { Hidden() }
  @Archivable("Twin") final class Twin: Beast { var number = 1 }
}

private enum Farm {
  @Archivable("Twin") final class Twin: Beast { var number = 2 }
}

extension Farm {
  @Archivable fileprivate final class Goat: Beast {}
}

private class Donkey: Archivable {
  init() {}
  required init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {}
  func link(from decoder: borrowing ObjectDecoder) throws {}
  class var archiveSchema: ClassSchema { ClassSchema(Donkey.self, name: "Donkey") }
}
private final class Mule: Donkey {
  override class var archiveSchema: ClassSchema { ClassSchema(Mule.self, name: "Mule") }
}
@Archivable private final class Stable { var donkeys: [Donkey] = [] }

/// A weak reference that would have to be set before its target exists.
@Archivable private final class Broken: Beast {
  let watched: Watched
  override init() {
    watched = Watched()
    super.init()
  }
}
@Archivable private struct Watched { weak var beast: Beast? }

private protocol Thing {}
@Archivable private final class Bag { var things: [any Thing] = [] }
@Archivable private struct Coin: Thing, Equatable { var worth: Int }
@Archivable private enum Ticket: Thing, Equatable {
  case none
  case seat(Int)
}
@Archivable private enum Paint: String, Thing { case red, green }
extension Lion: Thing {}
private protocol Keepsake {}
@Archivable("Bag") private final class Attic { var things: [any Keepsake] = [] }
@Archivable private struct Pebble: Keepsake { var weight = 1 }
private protocol Winged: AnyObject {}
@Archivable private class Bird: Winged, Thing {}
@Archivable private final class Wren: Bird {}
@Archivable private final class Aviary {
  var both: (any Winged & Thing)?
  @Boxed var any: [Any] = []
}
@Archivable private final class Wrapped<Value: ArchivableValue>: Thing {
  var value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable private final class NamedWrapping { var wrapped: Wrapped<String>? }

private final class Keeper: HandWrittenClass {
  let beast: Beast?
  init(_ beast: Beast) { self.beast = beast }
  init(from decoder: borrowing ObjectDecoder) throws {
    beast = try decoder.decode(Beast?.self, forKey: "beast")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(beast, forKey: "beast", during: .construction)
  }
}
