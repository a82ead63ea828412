import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// A value that could not be read again is refused during writing, before the save replaces a good file.
final class UnreadableValueTests: XCTestCase {
  func testConstructionTargetsCreatedAnewByEncodeAreRefused() throws {
    let makers = [Maker(), Maker()]
    assertThrows(.constructionOrder, "class 'Maker', key 'helper', object #2") {
      try Archiver().archive(makers)
    }
    for maker in makers { maker.makesAnew = false }
    let copy = try roundTrip(makers, classes: [Bead.self])
    XCTAssertEqual(copy.map(\.seen.name), ["kept", "kept"])
    XCTAssertTrue(copy[0].seen === copy[1].seen)
  }

  func testConstructionTargetsDifferingBetweenEncodeCallsAreRefused() {
    let later = Bead("later")
    let fickle = Fickle(later)
    assertThrows(.constructionOrder, "identical objects in both calls of encode(to:)") {
      try Archiver().archive(roots: ["fickle": fickle, "later": later])
    }
  }

  func testGetterReturningDifferentObjectsIsNotCalled() throws {
    let root = Bound(Bead("base"))
    XCTAssertNoThrow(try Archiver().archive(root))
    let read = try reread(Unbound(), as: Unbound.self)
    XCTAssertEqual(read.stored.name, "base")
  }

  func testSetWithElementsThatBecameEqualIsRefused() throws {
    let (first, second) = (Named("a"), Named("b"))
    let holder = NamedSets()
    holder.set = [first, second]
    holder.keyed = [[first]: 1, [second]: 2]
    XCTAssertEqual(try roundTrip(holder).set.count, 2)
    second.name = "a"
    assertThrows(.duplicateKey, "class 'NamedSets', key 'set', object #1") { try Archiver().archive(holder) }
    holder.set = []
    assertThrows(.duplicateKey, "two equal keys") { try Archiver().archive(holder) }
    // Releasing a graph does not check its values.
    try ObjectGraph.release(holder)
  }

  func testKeysWithEqualArchivedValuesAreRefused() throws {
    assertThrows(.duplicateKey, "equal archived values") {
      try Archiver().archive([Partial(kept: 1, left: 1), Partial(kept: 1, left: 2)] as Set)
    }
    assertThrows(.duplicateKey) {
      try Archiver().archive([Partial(kept: 1, left: 1): "a", Partial(kept: 1, left: 2): "b"])
    }
    assertThrows(.duplicateKey) { try Archiver().archive([Rounded(1.25), Rounded(1.5)] as Set) }
    // The archived properties differ, but `==` compares a property that is not archived.
    let named = [Numbered(name: "a", id: 1), Numbered(name: "b", id: 2)] as Set
    assertThrows(.duplicateKey, "equal archived values") { try Archiver().archive(named) }
    XCTAssertEqual(try roundTrip([Partial(kept: 1, left: 0), Partial(kept: 2, left: 0)] as Set).count, 2)
    XCTAssertEqual(try roundTrip([Rounded(1), Rounded(2)] as Set).count, 2)
  }

  func testNanKeysArePreserved() throws {
    XCTAssertEqual(try roundTrip([Double.nan, .nan, 1] as Set).count, 3)
    let copy = try roundTrip([Measured(value: .nan), Measured(value: .nan), Measured(value: 1)] as Set)
    XCTAssertEqual(copy.count, 3)
  }

  func testInvalidRawValueIsRefused() throws {
    var percent = try XCTUnwrap(Percent(rawValue: 50))
    XCTAssertEqual(try roundTrip([percent, nil]), [percent, nil])
    percent.rawValue = 200
    assertThrows(
      .valueOutOfRange,
      "'Percent' with the raw value 200, which could not be read again, expected a raw value that init(rawValue:) accepts (key 'root')"
    ) { try Archiver().archive([percent]) }
  }

  func testCaseWithInvalidRawValueIsRefused() throws {
    XCTAssertEqual(try roundTrip([Shade.red, .other("blue"), .red]), [.red, .other("blue"), .red])
    for _ in 0..<2 {
      assertThrows(.valueOutOfRange, "'Shade' with the raw value") {
        try Archiver().archive([Shade.red, .other("")])
      }
      assertThrows(.valueOutOfRange, "'Mode' with the raw value 99") {
        try Archiver().archive([Mode.on, .off, .on, .unknown])
      }
    }
    XCTAssertEqual(try roundTrip([Mode.on, .off, .on]), [.on, .off, .on])
  }

  func testHandWrittenSubclassIsReadAsSubclass() throws {
    let child = HandBelow()
    child.depth = 9
    child.name = "child"
    let bytes = try Archiver().archive([child, Above()] as [Above])
    try ArchiveFile(bytes: bytes).verify()
    let copy = try Unarchiver(classes: ClassTable(registering: [HandBelow.self])).unarchive(
      [Above].self, from: bytes)
    XCTAssertEqual((copy[0] as? HandBelow)?.depth, 9)
    XCTAssertEqual(copy[0].name, "child")
  }
}

/// A class that creates a helper at each call, or retains one helper.
private final class Maker: HandWrittenClass {
  nonisolated(unsafe) static let kept = Bead("kept")
  var makesAnew = true
  let seen: Bead
  init() { seen = Self.kept }
  init(from decoder: borrowing ObjectDecoder) throws {
    seen = try decoder.decode(Bead.self, forKey: "helper")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(makesAnew ? Bead("new") : seen, forKey: "helper", during: .construction)
  }
}

/// A class that at first requires no object for construction, and at the second call requires a later object.
private final class Fickle: HandWrittenClass {
  private var later: Bead?
  private var callCount = 0
  init(_ later: Bead) { self.later = later }
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {
    callCount += 1
    try encoder.encode(callCount > 1 ? later : nil, forKey: "target", during: .construction)
  }
}

@Archivable private class Tied {
  private(set) var base: Bead
  init() { base = Bead("base") }
}

@Archivable private final class Unbound: Tied {
  override init() { super.init() }
  override var base: Bead { Bead("another") }
  var stored: Bead { super.base }
}

@Archivable private final class Named: Hashable {
  var name: String
  init(_ name: String) { self.name = name }
  static func == (left: Named, right: Named) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable private final class NamedSets {
  var set: Set<Named> = []
  var keyed: [[Named]: Int] = [:]
  init() {}
}

@Archivable private struct Partial: Hashable {
  var kept: Int
  @Transient var left = 0
}

private struct Rounded: RawRepresentable, Hashable, ArchivableValue {
  let value: Double
  init(_ value: Double) { self.value = value }
  init(rawValue: Int) { value = Double(rawValue) }
  var rawValue: Int { Int(value) }
  static func == (left: Rounded, right: Rounded) -> Bool { left.value == right.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

@Archivable private struct Measured: Hashable {
  var value: Double
  @Transient var unit = 0
}

private struct Percent: RawRepresentable, Hashable, ArchivableValue {
  var rawValue: Int
  init?(rawValue: Int) {
    guard (0...100).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }
}

@Archivable private class Above {
  var name = "above"
  init() {}
}

private final class HandBelow: Above {
  override class var archiveSchema: ClassSchema { ClassSchema(HandBelow.self, name: "HandBelow") }
  var depth = 0
  override init() { super.init() }
  required init(from decoder: borrowing ObjectDecoder) throws {
    depth = try decoder.decode(Int.self, forKey: "depth")
    super.init()
    name = try decoder.decode(String.self, forKey: "name")
  }
  override func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(depth, forKey: "depth")
    try encoder.encode(name, forKey: "name")
  }
  override func link(from decoder: borrowing ObjectDecoder) throws {}
}

@Archivable private struct Numbered: Hashable {
  var name: String
  @Transient var id = 0
  static func == (left: Numbered, right: Numbered) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private enum Shade: RawRepresentable, ArchivableValue, Equatable {
  case red
  case other(String)
  init?(rawValue: String) {
    guard !rawValue.isEmpty else { return nil }
    self = rawValue == "red" ? .red : .other(rawValue)
  }
  var rawValue: String {
    switch self {
    case .red: "red"
    case .other(let name): name
    }
  }
}

private enum Mode: RawRepresentable, ArchivableValue {
  case on, off, unknown
  init?(rawValue: Int) {
    switch rawValue {
    case 0: self = .off
    case 1: self = .on
    default: return nil
    }
  }
  var rawValue: Int {
    switch self {
    case .off: 0
    case .on: 1
    case .unknown: 99
    }
  }
}
