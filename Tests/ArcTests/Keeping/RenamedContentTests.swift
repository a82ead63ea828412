import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Renamed fields, cases and classes, if the earlier release saves an archive of the later release, and the
/// reverse.
final class RenamedContentTests: XCTestCase {
  private func read<Value: ArchivableValue>(
    _ type: Value.Type, _ bytes: [UInt8], _ types: [any ArchivableValue.Type] = [],
    _ policy: UnknownContentPolicy = .refuse
  ) throws -> Value {
    let classes = try ClassTable(declaring: types)
    return try Unarchiver(classes: classes, unknownContent: policy).unarchive(type, from: bytes)
  }

  /// Returns an archive after another release reads, changes and saves it.
  private func saved<Root: Archivable>(
    _ type: Root.Type, _ bytes: [UInt8], _ types: [any ArchivableValue.Type] = [],
    _ change: (Root) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let unarchiver = Unarchiver(classes: try ClassTable(declaring: types))
    return try PreservedContent().saved(bytes, as: type, with: unarchiver) { try change($0) }
  }

  // MARK: Hand-written classes

  private func laterSheet() -> Later.Sheet {
    let sheet = Later.Sheet()
    sheet.paint = .color(hex: 7)
    sheet.paints = [.none, .color(hex: 1), .fresh("new")]
    sheet.pens = [Later.Pen(nib: .init(width: 4), paint: .color(hex: 2))]
    return sheet
  }

  private let laterTypes: [any ArchivableValue.Type] = [Later.Pen.self]
  private let earlierTypes: [any ArchivableValue.Type] = [Earlier.Pen.self]

  func testHandWrittenClassReadsRenamedCases() throws {
    let bytes = try saved(Earlier.Sheet.self, Archiver().archive(laterSheet()), earlierTypes) { sheet in
      sheet.paints.append(.solid(hex: 3))
      sheet.pens.append(Earlier.Pen(nib: .init(breadth: 6), paint: .solid(hex: 5)))
    }
    func check(_ sheet: Later.Sheet, _ what: String) {
      XCTAssertEqual(sheet.paint, .color(hex: 7), what)
      XCTAssertEqual(sheet.paints, [.none, .color(hex: 1), .fresh("new"), .color(hex: 3)], what)
      XCTAssertEqual(sheet.pens.map(\.nib.width), [4, 6], what)
      XCTAssertEqual(sheet.pens.map(\.paint), [.color(hex: 2), .color(hex: 5)], what)
    }
    check(try read(Later.Sheet.self, bytes, laterTypes), "whole")
    check(try read(Later.Sheet.self, bytes, laterTypes, .leaveOut), "leaving out")
    let classes = try ClassTable(declaring: laterTypes)
    let session = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(classes: classes))
    check(try session.object(Later.Sheet.self), "session")
    check(try read(Later.Sheet.self, saved(Later.Sheet.self, bytes, laterTypes), laterTypes), "saved")
  }

  func testHandWrittenSaveUsesOnlyCurrentCaseNames() throws {
    let sheet = Earlier.Sheet()
    (sheet.paint, sheet.paints) = (.solid(hex: 7), [.none, .solid(hex: 1), .gone])
    let bytes = try saved(Later.Sheet.self, Archiver().archive(sheet), laterTypes)
    let types = try ArchiveFile(bytes: bytes).classes.flatMap(\.columns).map { "\($0.attributes)" }
    XCTAssertFalse(types.contains { $0.contains("solid") }, "\(types)")
    let found = try read(Later.Sheet.self, bytes, laterTypes, .leaveOut)
    XCTAssertEqual(found.paint, .color(hex: 7))
    XCTAssertEqual(found.paints, [.none, .color(hex: 1)])
    // The case that the later release does not know is preserved.
    XCTAssertTrue(types.contains { $0.contains("gone") })
  }

  func testRenamedCasesInInitializerArgumentsArePreserved() throws {
    let bytes = try saved(Earlier.Sheet.self, Archiver().archive(laterSheet()), earlierTypes)
    let found = try read(Later.Sheet.self, bytes, laterTypes)
    XCTAssertEqual(found.paints, [.none, .color(hex: 1), .fresh("new")])
    XCTAssertEqual(found.paint, .color(hex: 7))
    XCTAssertEqual(found.pens.map(\.nib.width), [4])
  }

  // MARK: Fields

  func testRepeatedSavesByEarlierReleasePreserveRenamedFields() throws {
    let stock = Later.Stock()
    stock.sizes = [.init(width: 9), .init(width: 10)]
    stock.counts = [.init(width: 11): 1, .init(width: 12): 2]
    var bytes = try Archiver().archive(stock)
    for round in 1...3 {
      bytes = try saved(Earlier.Stock.self, bytes) { stock in
        XCTAssertEqual(stock.sizes, [.init()], "\(round)")
        XCTAssertEqual(stock.counts.keys.map(\.breadth), [1], "\(round)")
      }
    }
    let found = try read(Later.Stock.self, bytes)
    XCTAssertEqual(found.sizes, stock.sizes)
    XCTAssertEqual(found.counts, stock.counts)
  }

  func testLaterReleaseReadsKeysAddedByEarlierRelease() throws {
    let stock = Later.Stock()
    stock.sizes = [.init(width: 9), .init(width: 10)]
    stock.counts = [.init(width: 11): 1]
    let bytes = try saved(Earlier.Stock.self, Archiver().archive(stock)) { stock in
      stock.sizes.insert(.init(breadth: 20))
      stock.counts[.init(breadth: 21)] = 3
    }
    let found = try read(Later.Stock.self, bytes)
    XCTAssertEqual(found.sizes, [.init(width: 9), .init(width: 10), .init(width: 20)])
    XCTAssertEqual(found.counts, [.init(width: 11): 1, .init(width: 21): 3])
  }

  // MARK: Classes

  func testObjectsOfRenamedClassSurviveTheEarlierRelease() throws {
    let house = Later.House()
    let guest = Later.Guest("g")
    (house.owner, house.guests, house.byName, house.latest) = (Later.Guest("o"), [guest], ["g": guest], guest)
    house.rooms = [Later.Room(guest: guest)]
    let bytes = try saved(Earlier.House.self, Archiver().archive(house)) { house in
      XCTAssertNil(house.owner)
      XCTAssertEqual(house.guests.count, 0)
      house.guests.append(Earlier.Visitor("v"))
      house.byName["v"] = house.guests[0]
    }
    let classes = ClassTable(scope: .declared)
    try classes.register(Later.Guest.self, formerly: "Renamed.Visitor")
    let found = try Unarchiver(classes: classes).unarchive(Later.House.self, from: bytes)
    XCTAssertEqual(found.owner?.name, "o")
    XCTAssertEqual(found.guests.map(\.name), ["g", "v"])
    XCTAssertTrue(found.byName["g"] === found.guests[0])
    XCTAssertTrue(found.byName["v"] === found.guests[1])
    XCTAssertTrue(found.latest === found.guests[0])
    XCTAssertTrue(found.rooms[0].guest === found.guests[0])
  }
}

private enum Later {
  @Archivable("Renamed.Nib") struct Nib: Hashable { @Key("width", "breadth") var width = 1 }
  @Archivable("Renamed.Paint") enum Paint: Hashable {
    case fresh(String)
    @Key("color", "solid") case color(hex: Int)
    case none
  }
  @Archivable("Renamed.Pen") final class Pen {
    var nib: Nib
    var paint: Paint
    init(nib: Nib, paint: Paint) { (self.nib, self.paint) = (nib, paint) }
  }
  /// A class that decodes values in `init(from:)` and objects in `link(from:)`.
  final class Sheet: Archivable {
    var paint = Paint.none
    var paints: [Paint] = []
    var pens: [Pen] = []
    init() {}
    init(from decoder: borrowing ObjectDecoder) throws {
      paint = try decoder.decode(Paint.self, forKey: "paint")
      paints = try decoder.decode([Paint].self, forKey: "paints")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(paint, forKey: "paint", during: .construction)
      try encoder.encode(paints, forKey: "paints", during: .construction)
      try encoder.encode(pens, forKey: "pens", during: .linking)
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      pens = try decoder.decode([Pen].self, forKey: "pens")
    }
    static var archiveSchema: ClassSchema { ClassSchema(Sheet.self, name: "Renamed.Sheet") }
  }
  @Archivable("Renamed.Stock") final class Stock {
    var sizes: Set<Nib> = []
    var counts: [Nib: Int] = [:]
    init() {}
  }
  @Archivable("Renamed.Guest") final class Guest {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Renamed.Room") struct Room { var guest: Guest? }
  @Archivable("Renamed.House") final class House {
    var owner: Guest?
    var guests: [Guest] = []
    var byName: [String: Guest] = [:]
    weak var latest: Guest?
    var rooms: [Room] = []
    init() {}
  }
}

private enum Earlier {
  @Archivable("Renamed.Nib") struct Nib: Hashable { var breadth = 1 }
  @Archivable("Renamed.Paint") enum Paint: Hashable {
    case none
    case solid(hex: Int)
    case gone
  }
  @Archivable("Renamed.Pen") final class Pen {
    var nib: Nib
    var paint = Paint.none
    init(nib: Nib, paint: Paint) { (self.nib, self.paint) = (nib, paint) }
  }
  final class Sheet: Archivable {
    var paint = Paint.none
    var paints: [Paint] = []
    var pens: [Pen] = []
    init() {}
    init(from decoder: borrowing ObjectDecoder) throws {
      paint = try decoder.decode(Paint?.self, forKey: "paint") ?? Paint.none
      paints = try decoder.decode([Paint].self, forKey: "paints")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(paint, forKey: "paint", during: .construction)
      try encoder.encode(paints, forKey: "paints", during: .construction)
      try encoder.encode(pens, forKey: "pens", during: .linking)
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      pens = try decoder.decode([Pen].self, forKey: "pens")
    }
    static var archiveSchema: ClassSchema { ClassSchema(Sheet.self, name: "Renamed.Sheet") }
  }
  @Archivable("Renamed.Stock") final class Stock {
    var sizes: Set<Nib> = []
    var counts: [Nib: Int] = [:]
    init() {}
  }
  @Archivable("Renamed.Visitor") final class Visitor {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Renamed.Room") struct Room { var guest: Visitor? }
  @Archivable("Renamed.House") final class House {
    var owner: Visitor?
    var guests: [Visitor] = []
    var byName: [String: Visitor] = [:]
    weak var latest: Visitor?
    var rooms: [Room] = []
    init() {}
  }
}
