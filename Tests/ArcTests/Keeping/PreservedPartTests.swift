import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Preserved content of objects and values that a program knows partially.
final class PreservedPartTests: XCTestCase {
  private let content = PreservedContent()

  func testUnknownFieldsOfStructuresSurviveSaving() throws {
    let map = Later.Chart()
    map.places = [
      Later.Place(x: 1, y: 2, z: 3), Later.Place(x: 4, y: 5, z: 6), Later.Place(x: 7, y: 8, z: 9),
    ]
    map.home = Later.Place(x: 10, y: 11, z: 12)
    map.named = ["a": Later.Place(x: 13, y: 14, z: 15)]
    let found = try content.pass(map, as: Older.Chart.self) { map in
      map.places[1].x = 40
      map.places.append(Older.Place(x: 70, y: 80))
      map.places.remove(at: 0)
      map.home?.y = 110
    }
    XCTAssertEqual(
      found.places,
      [Later.Place(x: 40, y: 5, z: 6), Later.Place(x: 7, y: 8, z: 9), Later.Place(x: 70, y: 80, z: nil)])
    XCTAssertEqual(found.home, Later.Place(x: 10, y: 110, z: 12))
    XCTAssertEqual(found.named, ["a": Later.Place(x: 13, y: 14, z: 15)])
  }

  func testChangedConvertedNumberIsSaved() throws {
    let reading = Later.Reading()
    (reading.count, reading.ratio, reading.extra) = (7, 2.5, ["unknown"])
    let found = try content.pass(reading, as: Older.Reading.self) { $0.count = 8.0 }
    XCTAssertEqual(found.count, 8)
    XCTAssertEqual(found.ratio, 2.5)
    XCTAssertEqual(found.extra, ["unknown"])
  }

  func testUnreadHandWrittenKeysSurviveSaving() throws {
    let record = Later.Record()
    (record.first, record.second, record.friend) = ("one", [1, 2], record)
    let found = try content.pass(record, as: Older.Record.self) { $0.first = "changed" }
    XCTAssertEqual(found.first, "changed")
    XCTAssertEqual(found.second, [1, 2])
    XCTAssertTrue(found.friend === found)
  }

  func testValuesPassedToAnInitializerPreserveUnknownParts() throws {
    let parcel = Later.Parcel()
    parcel.place = Later.Place(x: 1, y: 2, z: 3)
    parcel.places = [Later.Place(x: 4, y: 5, z: 6), Later.Place(x: 7, y: 8, z: 9)]
    let found = try content.pass(parcel, as: Older.Parcel.self) { parcel in
      parcel.place.x = 10
      parcel.places.remove(at: 0)
    }
    XCTAssertEqual(found.place, Later.Place(x: 10, y: 2, z: 3))
    XCTAssertEqual(found.places, [Later.Place(x: 7, y: 8, z: 9)])
  }

  func testHandWrittenReferencesToUnknownObjectsSurviveSaving() throws {
    let gift = Later.Gift()
    (gift.wrap, gift.wraps) = (Later.Bow(), [Later.Bow(), Later.Wrap()])
    let found = try content.pass(
      gift, as: Older.Gift.self, through: [Older.Wrap.self], back: [Later.Bow.self]
    ) { gift in
      XCTAssertNil(gift.wrap)
      gift.wraps[0].name = "changed"
    }
    XCTAssertTrue(found.wrap is Later.Bow)
    XCTAssertEqual(found.wraps.map(\.name), ["wrap", "changed"])
    XCTAssertTrue(found.wraps[0] is Later.Bow)
  }

  func testSavingARenamedClassPreservesUnknownContent() throws {
    let tree = Later.Tree("root")
    tree.branches = [Later.Tree("a"), Later.Twig("b")]
    tree.branches[0].keeper = Later.Keeper([tree.branches[1], tree])
    let classes = ClassTable(scope: .declared)
    try classes.register(Older.Plant.self, formerly: "Kept.Tree")
    let bytes = try Archiver().archive(tree)
    let plant = try Unarchiver(classes: classes, unknownContent: .preserve(in: content)).unarchive(
      Older.Plant.self, from: bytes)
    plant.name = "changed"
    let saved = try Archiver(preserving: content).archive(plant)
    let back = try ClassTable(declaring: Later.Twig.self, Later.Keeper.self)
    try back.register(Later.Tree.self, formerly: "Kept.Plant")
    let found = try Unarchiver(classes: back).unarchive(Later.Tree.self, from: saved)
    tree.name = "changed"
    XCTAssertNil(try ObjectGraph.difference(between: found, and: tree))
  }

  func testUnknownObjectsNeededForConstructionArePreserved() throws {
    // The badge is unknown, and each bearer requires its badge for construction.
    let bearers = [Later.Bearer("a", Later.Badge(1)), Later.Bearer("b", Later.Badge(2))]
    let found = try content.pass(
      bearers, as: [Older.Bearer].self, back: [Later.Badge.self]
    ) { $0[1].name = "changed" }
    XCTAssertEqual(found.map { $0.badge?.number }, [1, 2])
    XCTAssertEqual(found.map(\.name), ["a", "changed"])
  }

  func testMigratedObjectStaysReferencedByUnknownObject() throws {
    let label = Later.Label()
    (label.size, label.text) = (3, "text")
    let page = Later.Page([label])
    page.sticker = Later.Sticker(label)
    let found = try content.pass(
      page, as: Older.Page.self, back: [Later.Sticker.self], allowing: .allow
    ) { page in
      XCTAssertEqual(page.labels[0].size, 30)
    }
    XCTAssertEqual(found.labels[0].size, 30)
    XCTAssertTrue(found.sticker?.label === found.labels[0])
  }

  func testSetsAndDictionariesPreserveUnknownObjects() throws {
    let bag = Later.Bag()
    let (known, unknown) = (Later.Item(1), Later.Rare(2))
    bag.items = [known, unknown]
    bag.counts = [known: 10, unknown: 20]
    bag.owners = ["k": known, "u": unknown]
    let found = try content.pass(bag, as: Older.Bag.self, back: [Later.Rare.self]) { bag in
      XCTAssertEqual(bag.items.count, 1)
      bag.owners["n"] = bag.items.first
      bag.owners["k"] = nil
    }
    XCTAssertEqual(found.items.map(\.number).sorted(), [1, 2])
    XCTAssertEqual(Set(found.counts.map { "\($0.key.number): \($0.value)" }), ["1: 10", "2: 20"])
    XCTAssertEqual(found.owners.mapValues(\.number), ["n": 1, "u": 2])
    XCTAssertTrue(found.items.contains(try XCTUnwrap(found.owners["u"])))
  }

  func testUnknownCasesAndRawValuesSurviveSaving() throws {
    let task = Later.Job()
    (task.state, task.level, task.last) = (.waiting(reason: "rain"), .urgent, .urgent)
    task.history = [.open, .waiting(reason: "paint"), .done, .waiting(reason: "key")]
    task.levels = [.low, .urgent, .high]
    task.marks = ["a": .low, "b": .urgent]
    task.steps = [
      Later.Step(state: .waiting(reason: "step"), level: .low), Later.Step(state: .open, level: .high),
    ]
    let found = try content.pass(task, as: Older.Job.self, through: [], back: []) { task in
      XCTAssertNil(task.state)
      XCTAssertNil(task.level)
      XCTAssertEqual(task.last, .low)
      XCTAssertEqual(task.history, [.open, .done])
      XCTAssertEqual(task.levels, [.low, .high])
      XCTAssertEqual(task.marks, ["a": .low])
      XCTAssertEqual(task.steps.map(\.level), [.high])
      task.history.append(.open)
      task.levels[0] = .high
      task.marks["c"] = .high
      task.steps[0].level = .low
    }
    XCTAssertEqual(found.state, .waiting(reason: "rain"))
    XCTAssertEqual([found.level, found.last], [.urgent, .urgent])
    XCTAssertEqual(found.history, [.open, .waiting(reason: "paint"), .done, .waiting(reason: "key"), .open])
    XCTAssertEqual(found.levels, [.high, .urgent, .high])
    XCTAssertEqual(found.marks, ["a": .low, "b": .urgent, "c": .high])
    XCTAssertEqual(found.steps.map(\.state), [.waiting(reason: "step"), .open])
    XCTAssertEqual(found.steps.map(\.level), [.low, .low])
  }

  func testUnknownExistentialValueSurvivesSaving() throws {
    let task = Later.Job()
    (task.anything, task.level) = (Later.Level.urgent, .urgent)
    let older = try ClassTable(declaring: Older.Level.self)
    let value = try Unarchiver(classes: older, unknownContent: .preserve(in: content)).unarchive(
      Older.Job.self, from: Archiver().archive(task))
    XCTAssertNil(value.anything)
    let later = try ClassTable(declaring: Later.Level.self)
    let found = try Unarchiver(classes: later).unarchive(
      Later.Job.self, from: Archiver(preserving: content).archive(value))
    XCTAssertEqual(found.anything as? Later.Level, .urgent)
    XCTAssertEqual(found.level, .urgent)
  }

  func testAssignedCaseReplacesUnknownCase() throws {
    let task = Later.Job()
    (task.state, task.level, task.last) = (.waiting(reason: "rain"), .urgent, .urgent)
    let found = try content.pass(task, as: Older.Job.self) { task in
      (task.state, task.level, task.last) = (.done, .high, .high)
    }
    XCTAssertEqual(found.state, .done)
    XCTAssertEqual([found.level, found.last], [.high, .high])
  }

  func testRootValuesPreserveTheirUnknownParts() throws {
    let places = [Later.Place(x: 1, y: 2, z: 3)]
    XCTAssertEqual(try content.pass(places, as: [Older.Place].self) { _ in }, places)
    let states: [Later.State] = [.open, .waiting(reason: "root")]
    XCTAssertEqual(try content.pass(states, as: [Older.State].self) { _ in }, states)
  }

  func testCanonicalArchivesWithUnknownContentAreEqual() throws {
    let bag = Later.Bag()
    bag.items = [Later.Item(1), Later.Rare(2)]
    let bytes = try Archiver(isCanonical: true).archive(bag)
    var saved: Set<[UInt8]> = []
    for _ in 0..<3 {
      let value = try Unarchiver(
        classes: ClassTable(scope: .declared), unknownContent: .preserve(in: content)
      )
      .unarchive(Older.Bag.self, from: bytes)
      saved.insert(try Archiver(isCanonical: true, preserving: content).archive(value))
    }
    XCTAssertEqual(saved.count, 1)
  }

  func testUnknownReferenceToRemovedObjectBecomesNil() throws {
    let page = Later.Page([Later.Label()])
    page.sticker = Later.Sticker(page.labels[0])
    let found = try content.pass(page, as: Older.Page.self, back: [Later.Sticker.self]) { $0.labels = [] }
    XCTAssertEqual(found.labels.count, 0)
    // The program no longer has the label, which was migrated, so the sticker has no label.
    XCTAssertNil(found.sticker?.label)
  }
}

/// The program that wrote the archives, and reads the archives that the other program saved.
private enum Later {
  @Archivable("Kept.Place") struct Place: Hashable {
    var x: Int
    var y: Int
    var z: Int?
  }
  @Archivable("Kept.Chart") final class Chart {
    var places: [Place] = []
    var home: Place?
    var named: [String: Place] = [:]
    init() {}
  }
  @Archivable("Kept.Reading") final class Reading {
    var count = 0
    var ratio = 0.0
    var extra: [String] = []
    init() {}
  }
  @Archivable("Kept.Record") final class Record {
    var first = ""
    var second: [Int] = []
    var friend: Record?
    init() {}
  }
  @Archivable("Kept.Tree") class Tree {
    var name: String
    var branches: [Tree] = []
    var keeper: Keeper?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Kept.Twig") final class Twig: Tree { var length = 3 }
  @Archivable("Kept.Keeper") final class Keeper {
    var trees: [Tree]
    init(_ trees: [Tree]) { self.trees = trees }
  }
  @Archivable("Kept.Badge") final class Badge {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
  @Archivable("Kept.State") enum State: Equatable {
    case open
    case waiting(reason: String)
    case done
  }
  @Archivable("Kept.Level") enum Level: Int { case low, high, urgent }
  @Archivable("Kept.Step") struct Step: Equatable {
    var state: State
    var level: Level
  }
  @Archivable("Kept.Job") final class Job {
    var state: State?
    var level: Level?
    var last = Level.low
    var history: [State] = []
    var levels: [Level] = []
    var marks: [String: Level] = [:]
    var anything: (any ArchivableValue)?
    var steps: [Step] = []
    init() {}
  }
  @Archivable("Kept.Bearer") final class Bearer {
    var name: String
    let badge: Badge?
    init(_ name: String, _ badge: Badge) { (self.name, self.badge) = (name, badge) }
  }
  @Archivable("Kept.Label") final class Label {
    var size = 1
    var text = ""
    init() {}
  }
  @Archivable("Kept.Sticker") final class Sticker {
    var label: Label?
    init(_ label: Label) { self.label = label }
  }
  @Archivable("Kept.Page") final class Page {
    var labels: [Label]
    var sticker: Sticker?
    init(_ labels: [Label]) { self.labels = labels }
  }
  @Archivable("Kept.Item") class Item: Hashable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (left: Item, right: Item) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
  @Archivable("Kept.Rare") final class Rare: Item {}
  @Archivable("Kept.Bag") final class Bag {
    var items: Set<Item> = []
    var counts: [Item: Int] = [:]
    var owners: [String: Item] = [:]
    init() {}
  }
}

/// The program that knows a part of the classes and properties.
private enum Older {
  @Archivable("Kept.Place") struct Place: Hashable {
    var x: Int
    var y: Int
  }
  @Archivable("Kept.Chart") final class Chart {
    var places: [Place] = []
    var home: Place?
    var named: [String: Place] = [:]
    init() {}
  }
  @Archivable("Kept.Reading") final class Reading {
    var count = 0.0
    var ratio = 0.0
    init() {}
  }
  final class Record: HandWrittenClass {
    static var archiveSchema: ClassSchema { ClassSchema(Record.self, name: "Kept.Record") }
    var first = ""
    init() {}
    init(from decoder: borrowing ObjectDecoder) throws {
      first = try decoder.decode(String.self, forKey: "first")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(first, forKey: "first") }
  }
  @Archivable("Kept.Plant") final class Plant {
    var name: String
    var branches: [Plant] = []
    init(_ name: String) { self.name = name }
  }
  @Archivable("Kept.State") enum State: Equatable {
    case open, done
  }
  @Archivable("Kept.Level") enum Level: Int { case low, high }
  @Archivable("Kept.Step") struct Step: Equatable {
    var state: State
    var level: Level
  }
  @Archivable("Kept.Job") final class Job {
    var state: State?
    var level: Level?
    var last = Level.low
    var history: [State] = []
    var levels: [Level] = []
    var marks: [String: Level] = [:]
    var anything: (any ArchivableValue)?
    var steps: [Step] = []
    init() {}
  }
  @Archivable("Kept.Bearer") final class Bearer {
    var name = ""
    init() {}
  }
  @Archivable("Kept.Label") final class Label {
    static let archiveVersion = 1
    var size = 10
    var text = ""
    init() {}
    static func migrate(_ label: inout MigratedObject, from version: Int) throws {
      if let size = label["size"]?.int { label["size"] = .integer(Int128(size * 10)) }
    }
  }
  @Archivable("Kept.Page") final class Page {
    var labels: [Label] = []
    init() {}
  }
  @Archivable("Kept.Item") final class Item: Hashable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (left: Item, right: Item) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
  @Archivable("Kept.Bag") final class Bag {
    var items: Set<Item> = []
    var counts: [Item: Int] = [:]
    var owners: [String: Item] = [:]
    init() {}
  }
}

extension Later {
  @Archivable("Kept.Wrap") class Wrap { var name = "wrap" }
  @Archivable("Kept.Bow") final class Bow: Wrap { var loops = 2 }
  @Archivable("Kept.Gift") final class Gift {
    var wrap: Wrap?
    var wraps: [Wrap] = []
    init() {}
  }
  @Archivable("Kept.Parcel") final class Parcel {
    var place = Place(x: 0, y: 0, z: nil)
    var places: [Place] = []
    init() {}
  }
}

extension Older {
  @Archivable("Kept.Wrap") final class Wrap { var name = "" }
  /// A class that does not know the third coordinate of a place.
  final class Parcel: HandWrittenClass {
    static var archiveSchema: ClassSchema { ClassSchema(Parcel.self, name: "Kept.Parcel") }
    var place: Place
    var places: [Place]
    init(from decoder: borrowing ObjectDecoder) throws {
      place = try decoder.decode(Place.self, forKey: "place")
      places = try decoder.decode([Place].self, forKey: "places")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(place, forKey: "place")
      try encoder.encode(places, forKey: "places")
    }
  }
  /// A class that does not know bows.
  final class Gift: Archivable {
    static var archiveSchema: ClassSchema { ClassSchema(Gift.self, name: "Kept.Gift") }
    var wrap: Wrap?
    var wraps: [Wrap] = []
    init(from decoder: borrowing ObjectDecoder) throws {}
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(wrap, forKey: "wrap", during: .linking)
      try encoder.encode(wraps, forKey: "wraps", during: .linking)
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      wrap = try decoder.decode(Wrap?.self, forKey: "wrap")
      wraps = try decoder.decode([Wrap].self, forKey: "wraps")
    }
  }
}
