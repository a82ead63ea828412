import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Synchronization
import XCTest

/// Files in which an object comes before the objects that it requires for construction.
final class ConstructionByNeedTests: XCTestCase {
  func testChainThatBecameConstantIsBuiltFromEnd() throws {
    let length = RandomTrials.size(usually: 10_000, exhaustively: 200_000)
    let bytes = try Archiver().archive(Earlier.pearls(length))
    try onSmallStack {
      let head = try Unarchiver().unarchive(Later.Pearl.self, from: bytes)
      var (count, link): (Int, Later.Pearl?) = (0, head)
      while let current = link {
        guard current.number == count else { return XCTFail("\(current.number) at \(count)") }
        (count, link) = (count + 1, current.next)
      }
      XCTAssertEqual(count, length)
    }
  }

  func testErrorInLastObjectReleasesAConstantChain() throws {
    let head = Earlier.pearls(RandomTrials.size(usually: 10_000, exhaustively: 200_000))
    head.number = -1
    let bytes = try Archiver().archive(head)
    try onSmallStack {
      assertThrows(
        .valueOutOfRange,
        "the number -1, expected a number that type 'UInt' can hold (class 'Pearl', key 'number'"
      ) {
        try Unarchiver().unarchive(Later.UnsignedPearl.self, from: bytes)
      }
    }
    XCTAssertEqual(Later.UnsignedPearl.count, 0)
  }

  func testTreeThatBecameConstantPreservesOrderAndSharing() throws {
    let shared = Earlier.Branch("shared", [])
    let root = Earlier.Branch("root", [])
    let count = RandomTrials.size(usually: 2_500, exhaustively: 40_000)
    for number in 0..<count {
      root.branches.append(Earlier.Branch("\(number)", [shared, Earlier.Branch("leaf \(number)", [])]))
    }
    let segmentBytes = RandomTrials.size(usually: 1 << 16, exhaustively: 1 << 20)
    let bytes = try Archiver(layout: .compact(segmentBytes: segmentBytes)).archive(root)
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.filter { $0.kind == .rows }.count, 1)
    let copy = try Unarchiver().unarchive(Later.Branch.self, from: bytes)
    XCTAssertEqual(copy.branches.count, count)
    for (number, branch) in copy.branches.enumerated() {
      guard branch.name == "\(number)", branch.branches.count == 2,
        branch.branches[0] === copy.branches[0].branches[0], branch.branches[0].name == "shared",
        branch.branches[1].name == "leaf \(number)"
      else { return XCTFail("\(number): \(branch.name)") }
    }
  }

  func testInitializerThatIgnoresAReferenceErrorRunsAgain() throws {
    let head = Earlier.pearls(50)
    let copy = try reread(head, as: CarelessPearl.self)
    var (count, link): (Int, CarelessPearl?) = (0, copy)
    while let current = link {
      XCTAssertEqual(current.number, count)
      (count, link) = (count + 1, current.next)
    }
    XCTAssertEqual(count, 50)
    // An object that requires itself is never built without the required object, even if its initializer
    // ignores the error.
    let ring = Earlier.pearls(2)
    ring.next?.next = ring
    let bytes = try Archiver().archive(ring)
    assertThrows(.constructionCycle) { try Unarchiver().unarchive(CarelessPearl.self, from: bytes) }
    ring.next = nil
  }

  func testErrorListsObjectsOfCycleThatBecameConstant() throws {
    let chain = Earlier.pearls(4)
    chain.next?.next?.next?.next = chain.next
    let bytes = try Archiver().archive(chain)
    try assertRefused(
      bytes, as: Later.Pearl.self,
      "constructionCycle: found objects whose initializers need each other: #2 Pearl → #3 Pearl → #4 Pearl → "
        + "#2 Pearl, expected objects that can be built one after another (class 'Pearl', object #2) at root.next; "
        + "declare one property of the cycle as 'var', with an optional type, a collection type or an initial "
        + "value")
    chain.next?.next = nil
  }

  func testObjectNeededByItsOwnInitializerIsRefused() throws {
    let chain = Earlier.pearls(1)
    chain.next = chain
    try assertRefused(
      Archiver().archive(chain), as: Later.Pearl.self,
      "constructionCycle: found objects whose initializers need each other: #1 Pearl → #1 Pearl, expected "
        + "objects that can be built one after another (class 'Pearl', object #1) at root; declare one "
        + "property of the cycle as 'var', with an optional type, a collection type or an initial value")
    chain.next = nil
  }

  func testHandWrittenInitializerReceivesTheObjectsItDecodes() throws {
    let inner = Earlier.Wrapper(Earlier.pearls(3), [])
    let outer = Earlier.Wrapper(nil, [inner, Earlier.Wrapper(nil, []), inner])
    let copy = try reread(outer, as: Later.Wrapper.self, classes: ClassTable(registering: [Later.Pearl.self]))
    XCTAssertEqual(copy.wrappers.count, 3)
    XCTAssertTrue(copy.wrappers[0] === copy.wrappers[2])
    XCTAssertFalse(copy.wrappers[0] === copy.wrappers[1])
    XCTAssertEqual(copy.wrappers[0].link?.number, 0)
    XCTAssertEqual(copy.wrappers[0].link?.next?.next?.number, 2)
  }

  func testMutuallyDependentHandWrittenInitializersAreRefused() throws {
    let outer = Earlier.Wrapper(nil, [])
    outer.wrappers = [Earlier.Wrapper(nil, [outer])]
    assertThrows(.constructionCycle, "#1 Wrapper → #2 Wrapper → #1 Wrapper") {
      try reread(outer, as: Later.Wrapper.self)
    }
    outer.wrappers = []
  }

  func testReplacementHappensBeforeReferrersAreBuilt() throws {
    let country = try reread(Earlier.Country(capital: Earlier.City("Rome")), as: Later.Country.self)
    XCTAssertTrue(country.capital === Later.City.rome)
  }

  func testListIsReadIntoAConstantSet() throws {
    let copy = try reread(
      Earlier.Collection([Earlier.City("Rome"), Earlier.City("Oslo"), Earlier.City("Lima")]),
      as: Later.Collection.self)
    XCTAssertEqual(copy.cities.map(\.name).sorted(), ["Lima", "Oslo", "Rome"])
  }

  private func assertRefused<Object: Archivable>(
    _ bytes: [UInt8], as type: Object.Type, _ message: String, line: UInt = #line
  ) throws {
    XCTAssertThrowsError(try Unarchiver().unarchive(type, from: bytes), line: line) {
      XCTAssertEqual("\($0)", message, line: line)
    }
  }
}

/// The program that wrote the files. It sets all properties after construction.
private enum Earlier {
  @Archivable("Pearl") final class Pearl {
    var number: Int
    var next: Pearl?
    init(_ number: Int) { self.number = number }
  }

  static func pearls(_ count: Int) -> Pearl { chain(of: count, Pearl.init) { $0.next = $1 }.first }

  @Archivable("Branch") final class Branch {
    var name: String
    var branches: [Branch]
    init(_ name: String, _ branches: [Branch]) { (self.name, self.branches) = (name, branches) }
  }

  final class Wrapper: HandWrittenClass {
    let link: Pearl?
    var wrappers: [Wrapper]
    init(_ link: Pearl?, _ wrappers: [Wrapper]) { (self.link, self.wrappers) = (link, wrappers) }
    static var archiveSchema: ClassSchema { ClassSchema(Wrapper.self, name: "Wrapper") }
    init(from decoder: borrowing ObjectDecoder) throws { (link, wrappers) = (nil, []) }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(link, forKey: "link")
      try encoder.encode(wrappers, forKey: "wrappers")
    }
  }

  @Archivable("City") final class City {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Country") final class Country {
    var capital: City?
    init(capital: City) { self.capital = capital }
  }
  @Archivable("Collection") final class Collection {
    var cities: [City]
    init(_ cities: [City]) { self.cities = cities }
  }
}

/// The program that reads the files. Its objects require other objects for construction.
private enum Later {
  @Archivable("Pearl") final class Pearl {
    let number: Int
    let next: Pearl?
    init(_ number: Int, _ next: Pearl?) { (self.number, self.next) = (number, next) }
  }

  @Archivable("Pearl") final class UnsignedPearl {
    let number: UInt
    let next: UnsignedPearl?
    init(_ number: UInt, _ next: UnsignedPearl?) { (self.number, self.next) = (number, next) }
    @Transient private let counted = Counted()
    static var count: Int { Counted.count.value }
  }

  /// A counter of living objects.
  final class Counted: Sendable {
    static let count = SharedNumber()
    init() { Self.count.add(1) }
    deinit { Self.count.add(-1) }
  }

  @Archivable("Branch") final class Branch {
    let name: String
    let branches: [Branch]
    init(_ name: String, _ branches: [Branch]) { (self.name, self.branches) = (name, branches) }
  }

  final class Wrapper: HandWrittenClass {
    let link: Pearl?
    let wrappers: [Wrapper]
    static var archiveSchema: ClassSchema { ClassSchema(Wrapper.self, name: "Wrapper") }
    init(from decoder: borrowing ObjectDecoder) throws {
      link = try decoder.decode(Pearl?.self, forKey: "link")
      wrappers = try decoder.decode([Wrapper].self, forKey: "wrappers")
    }
  }

  @Archivable("City") final class City: UnarchiveReplacing, Hashable {
    let name: String
    init(_ name: String) { self.name = name }
    nonisolated(unsafe) static let rome = City("Rome")
    func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
      name == "Rome" ? Self.rome : self
    }
    static func == (one: City, other: City) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  @Archivable("Country") final class Country {
    let capital: City
    init(_ capital: City) { self.capital = capital }
  }
  @Archivable("Collection") final class Collection {
    let cities: Set<City>
    init(_ cities: Set<City>) { self.cities = cities }
  }
}

/// A number that threads share.
private final class SharedNumber: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func add(_ other: Int) { number.withLock { $0 += other } }
}

/// A class that decodes the next object in `init(from:)`, and continues if this fails.
private final class CarelessPearl: HandWrittenClass {
  let number: Int
  let next: CarelessPearl?
  static var archiveSchema: ClassSchema { ClassSchema(CarelessPearl.self, name: "Pearl") }
  init(from decoder: borrowing ObjectDecoder) throws {
    number = try decoder.decode(Int.self, forKey: "number")
    next = try? decoder.decode(CarelessPearl?.self, forKey: "next")
  }
}
