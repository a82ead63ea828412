import ArcMemory
import ArcTestSupport
import Foundation
import XCTest

@testable import Arc

/// Tests of the comparison of graphs without an archive: in memory, and by rows if memory does not show
/// whether the values are equal.
final class ObjectComparisonTests: XCTestCase {
  private func graph(_ count: Int, seed: UInt64) -> [Station] {
    var random = SplitMix64(seed: seed)
    let stations = (0..<count).map { Station(name: "station \($0) of some length", number: $0) }
    for station in stations {
      station.next = stations[Int(random.next() % UInt64(count))]
      station.others = (0..<random.next() % 4).map { _ in stations[Int(random.next() % UInt64(count))] }
      if random.next() & 1 == 0 { station.own = Station(name: "own", number: 7) }
      station.notes = ["a", "a note of more than a word"]
    }
    return stations
  }

  /// Whether two graphs are equal. They are compared without an archive if the layout of objects is trusted.
  /// Otherwise large graphs are compared by an archive.
  private func areEqual<Value: ArchivableValue>(_ one: Value, _ other: Value) throws -> Bool {
    let areEqual = try ObjectComparison.areEqual(one, other)
    if areEqual == nil { XCTAssertFalse(RuntimeLayout.isTrusted) }
    return try areEqual ?? ObjectGraph.isIsomorphic(one, other)
  }

  func testLargeGraphsWithEqualValuesAreEqual() throws {
    for count in [1, 12, 17, 40, 3000] {
      let (one, other) = (graph(count, seed: 1), graph(count, seed: 1))
      XCTAssertEqual(try areEqual(one, other), true, "\(count)")
      XCTAssertEqual(try areEqual(one[0], other[0]), true, "\(count)")
      XCTAssertTrue(try ObjectGraph.isIsomorphic(one, other))
      XCTAssertNil(try ObjectGraph.difference(between: one, and: other))
      XCTAssertFalse(try ObjectGraph.isIsomorphic(one, Array(other.dropLast())))
    }
  }

  func testChainsAreComparedWithoutRecursion() throws {
    let length = RandomTrials.size(usually: 20_000, exhaustively: 200_000)
    func chain(_ last: String) -> Station {
      var station = Station(name: last, number: 0)
      for number in 1..<length {
        let new = Station(name: "s", number: number)
        new.own = station
        station = new
      }
      return station
    }
    let chains = [chain("end"), chain("end"), chain("another end")]
    // Recursion over a chain of this length would overflow only a small stack.
    try onSmallStack(byteCount: RandomTrials.size(usually: 512 << 10, exhaustively: 8 << 20)) {
      XCTAssertEqual(try self.areEqual(chains[0], chains[1]), true)
      XCTAssertEqual(try self.areEqual(chains[0], chains[2]), false)
    }
    for chain in chains { try ObjectGraph.release(chain) }
  }

  func testEachDifferenceInALargeGraphIsDetected() throws {
    let changes: [(Station, [Station]) -> Void] = [
      { station, _ in station.name += "." }, { station, _ in station.number += 1 },
      { station, _ in station.note = "n" }, { station, _ in station.notes[1] = "a note of more than a line" },
      { station, _ in station.notes.append("") }, { station, _ in station.heights = [-0.0] },
      { station, _ in station.own = nil }, { station, _ in station.own?.number = 8 },
      { station, all in station.next = all[5] }, { station, all in station.others.append(all[0]) },
      // Refers to another object with equal values.
      { station, _ in
        if let other = station.next {
          let twin = Station(name: other.name, number: other.number)
          (twin.next, twin.others, twin.own, twin.notes) = (other.next, other.others, other.own, other.notes)
          station.next = twin
        }
      },
    ]
    for (number, change) in changes.enumerated() {
      let (one, other) = (graph(200, seed: 3), graph(200, seed: 3))
      let station = try XCTUnwrap(other.first { $0.own != nil && $0.number > 100 })
      if number == 5 { for graph in [one, other] { graph[station.number].heights = [0] } }
      XCTAssertEqual(try areEqual(one, other), true, "before change \(number)")
      change(station, other)
      XCTAssertEqual(try areEqual(one, other), false, "change \(number)")
      XCTAssertEqual(try areEqual(other, one), false, "change \(number), turned round")
      XCTAssertNotNil(try ObjectGraph.difference(between: one, and: other), "change \(number)")
    }
  }

  func testTwoEqualObjectsDifferFromOneSharedObject() throws {
    let (one, other) = (Station(name: "a", number: 1), Station(name: "a", number: 1))
    let (first, second) = (Station(name: "b", number: 2), Station(name: "b", number: 2))
    one.others = [first, first, second]
    other.others = [first, second, second]
    XCTAssertEqual(try areEqual(one, other), false)
    // In `one`, an array and a property refer to the same object. In `other`, they refer to two equal
    // objects, to which nothing else refers.
    one.others = [Station(name: "c", number: 3), first]
    one.next = one.others[0]
    other.others = [Station(name: "c", number: 3), first]
    other.next = Station(name: "c", number: 3)
    XCTAssertEqual(try areEqual(one, other), false)
    XCTAssertEqual(try areEqual(other, one), false)
  }

  func testArraysSharingStorageShareTheirElements() throws {
    func pair(_ areShared: Bool) -> [Station] {
      let stations = [Station(name: "a", number: 1), Station(name: "b", number: 2)]
      for station in stations { station.others = [Station(name: "c", number: 3)] }
      // Both arrays share one storage, which has the only reference to the element.
      if areShared { stations[1].others = stations[0].others }
      return stations
    }
    XCTAssertEqual(try areEqual(pair(true), pair(true)), true)
    XCTAssertEqual(try areEqual(pair(false), pair(false)), true)
    XCTAssertEqual(try areEqual(pair(true), pair(false)), false)
    XCTAssertEqual(try areEqual(pair(false), pair(true)), false)
    // The root is an array with one station. The station's own array shares the storage of the root, or is
    // another array.
    func ring(_ isShared: Bool) -> [Station] {
      let stations = [Station(name: "a", number: 1)]
      stations[0].others = isShared ? stations : [Station(name: "a", number: 1)]
      if !isShared { stations[0].others[0].others = stations }
      return stations
    }
    XCTAssertEqual(try areEqual(ring(true), ring(true)), true)
    XCTAssertEqual(try areEqual(ring(true), ring(false)), false)
  }

  func testComparisonToleratesGraphChangesByUserCode() throws {
    // Only the comparison in memory does not retain the objects. It must not access released objects.
    guard RuntimeLayout.isTrusted else { return }
    let (one, other) = (Yard(), Yard())
    for yard in [one, other] {
      yard.stations = (0..<3).map { Station(name: "a name of more than a word", number: $0) }
      yard.shed = TellingShed<Int>()
    }
    // Describing the class of the shed releases the stations, just before they are compared.
    Telling.whenAsked = { one.stations = [] }
    defer { Telling.whenAsked = nil }
    XCTAssertEqual(try areEqual(one, other), false)
    XCTAssertEqual(one.stations.count, 0)
  }

  func testComparisonToleratesObjectsReleasedByValues() throws {
    // If the layout of objects is not trusted, an archive compares the graphs, because rows compare fewer
    // objects.
    guard RuntimeLayout.isTrusted else { return }
    let (one, other) = (Tower(), Tower())
    for tower in [one, other] {
      tower.stations = (0..<40).map { Station(name: "a name of more than a word", number: $0) }
    }
    Telling.whenAsked = { one.stations = [] }
    defer { Telling.whenAsked = nil }
    XCTAssertEqual(try areEqual(one, other), true)
    XCTAssertEqual(one.stations.count, 0)
  }

  func testUnreadableValueThrowsUnlessADifferenceComesFirst() throws {
    let (one, other) = (Tower(), Tower())
    for tower in [one, other] { tower.level = TowerLevel(rawValue: 1) }
    XCTAssertTrue(try ObjectGraph.isIsomorphic(one, other))
    for tower in [one, other] { tower.level?.rawValue = -1 }
    XCTAssertThrowsError(try ObjectGraph.isIsomorphic(one, other)) {
      XCTAssertEqual(($0 as? ArchiveError)?.code, .valueOutOfRange)
      XCTAssertEqual(($0 as? ArchiveError)?.objectPath, "root.level")
    }
    // The comparison in memory finds a difference before the value is written.
    guard RuntimeLayout.isTrusted else { return }
    other.stations = [Station(name: "", number: 1)]
    XCTAssertFalse(try ObjectGraph.isIsomorphic(one, other))
  }

  func testDatesStructuresAndEnumerationsAreComparedInMemory() throws {
    guard RuntimeLayout.isTrusted else { return }
    func usesRows<Value: ArchivableValue>(_ type: Value.Type) throws -> Bool {
      !(try XCTUnwrap(ClassComparison(of: ProgramClass.of(KindHolder<Value>.self))).rowRoots.isEmpty)
    }
    for type in [
      Date.self, [UUID]?.self, Data.self, Int128.self, [[Int]].self, KindPoint.self, KindLine.self,
      [KindLine].self, [KindLine?]?.self, KindCached.self, Range<Int>.self, KindWord.self, [KindWord?].self,
      KindNode?.self, [KindNode].self,
    ] as [any ArchivableValue.Type] {
      XCTAssertFalse(try usesRows(type), "\(type)")
    }
    for type in [
      Decimal.self, Character.self, KindTree.self, KindWrappedField.self, KindLink.self, KindShape.self,
      KindCode.self, KindColor.self, [KindNode?].self,
    ] as [any ArchivableValue.Type] {
      XCTAssertTrue(try usesRows(type), "\(type)")
    }
    XCTAssertNil(try ClassComparison(of: ProgramClass.of(KindHolder<Set<Int>>.self)))
  }

  func testObjectComparisonReturnsNilForUnsupportedClasses() throws {
    XCTAssertNil(try ObjectComparison.areEqual(Watched(), Watched()))
    XCTAssertNil(try ObjectComparison.areEqual([1], [1]))
    XCTAssertTrue(try ObjectGraph.isIsomorphic(Watched(), Watched()))
  }
}

@Archivable private final class Station {
  var name: String
  var number: Int
  var note: String?
  var notes: [String] = []
  var heights: [Double] = []
  var own: Station?
  var next: Station?
  var others: [Station] = []

  init(name: String, number: Int) { (self.name, self.number) = (name, number) }
}

@Archivable private final class Watched {
  weak var owner: Station?
  init() {}
}

@Archivable private final class Yard {
  var stations: [Station] = []
  var shed: Shed?
  init() {}
}

@Archivable private class Shed {
  var size = 1
  init() {}
}

@Archivable private final class Tower {
  var stations: [Station] = []
  var bell = Bell()
  var level: TowerLevel?
  init() {}
}

private struct Bell: ArchivableByConversion {
  var archivedForm: Int {
    Telling.whenAsked?()
    return 1
  }
  init() {}
  init(archivedForm: Int) {}
}

private struct TowerLevel: RawRepresentable, ArchivableValue {
  var rawValue: Int
  init?(rawValue: Int) {
    guard rawValue >= 0 else { return nil }
    self.rawValue = rawValue
  }
}

/// A class whose description calls `Telling.whenAsked`. It is generic, so that no search for all classes of
/// the program finds it earlier.
@Archivable private final class TellingShed<Content: ArchivableValue>: Shed {
  var content: Content?
  static var archiveVersion: Int {
    Telling.whenAsked?()
    return 1
  }
}

private enum Telling { nonisolated(unsafe) static var whenAsked: (() -> Void)? }
