import ArcTestSupport
import Foundation
import XCTest

@testable import Arc

/// A snapshot is the state of a graph at one time. It later returns the bytes of this state, without the
/// objects.
final class SnapshotTests: XCTestCase {
  /// By default, the segments are so small that few objects fill several segments.
  private static let layout = Archiver.Layout.compact(
    segmentBytes: RandomTrials.size(usually: 1 << 14, exhaustively: 1 << 20))

  /// Returns persons for several segments. They have distinct names, for which the string table is not used,
  /// shared names, and weak references to objects with earlier rows, with later rows and without a row.
  private static func people(_ count: Int) -> [Person] {
    let people = (0..<count).map { number in
      let person = Person("\(number &* 6_364_136_223_846_793_005)", hairCount: number % 9)
      person.intro = "intro \(number % 50)"
      person.age = number
      return person
    }
    let unkept = Person("gone")
    for (number, person) in people.enumerated() {
      person.friends = [people[number * 7919 % count]]
      person.mother = number % 5 == 0 ? unkept : people[number * 104_729 % count]
    }
    return people
  }

  private static func contacts(_ count: Int) -> [Contact] {
    let contacts = (0..<count).map { number in
      let contact = Contact("\(number)")
      // Keys that first occur in late objects.
      if number > count / 2 { contact.extras["phone"] = "\(number * 31)" }
      if number > count / 3, number % 2 == 0 { contact.extras["mail"] = "m\(number % 10)" }
      return contact
    }
    for number in 1..<count {
      contacts[number - 1].next = contacts[number]
      contacts[number].previous = contacts[number - 1]
    }
    return contacts
  }

  private func assertEqualBytes(
    _ root: some ArchivableValue, _ archiver: Archiver = Archiver(), atLeast minimum: Int = 0,
    line: UInt = #line
  ) throws {
    let expected = try archiver.archive(root)
    XCTAssertGreaterThanOrEqual(expected.count, minimum, line: line)
    let snapshot = try archiver.snapshot(of: root)
    for _ in 0..<2 { XCTAssertTrue(try snapshot.archive() == expected, line: line) }
  }

  func testSnapshotAndArchiverWriteEqualBytes() throws {
    let people = Self.people(RandomTrials.size(usually: 2_000, exhaustively: 40_000))
    let contacts = Self.contacts(RandomTrials.size(usually: 2_000, exhaustively: 30_000))
    // Squares are stored without an encoding, even if there are few. A large array is not copied.
    let numbers = (0..<RandomTrials.size(usually: 20_000, exhaustively: 300_000)).map {
      $0 &* $0 &* 0x1E37_79B9_7F4A_7C15
    }
    for compression in [Compression.none, .zlib(level: 1)] {
      let archiver = Archiver(compression: compression, metadata: ["b": "1", "a": "2"], layout: Self.layout)
      try assertEqualBytes(
        people, archiver, atLeast: RandomTrials.size(usually: 1 << 14, exhaustively: 1 << 19))
      try assertEqualBytes(
        contacts, archiver, atLeast: RandomTrials.size(usually: 1 << 11, exhaustively: 1 << 17))
      try assertEqualBytes(
        numbers, archiver, atLeast: RandomTrials.size(usually: 1 << 16, exhaustively: 1 << 20))
      try assertEqualBytes(LetNode(1, LetNode(2, nil)), archiver)
      try assertEqualBytes(Set((0..<1000).map { "\($0)" }), archiver)
      try assertEqualBytes(7, archiver)
    }
    try assertEqualBytes(Array(people.prefix(500)), Archiver(isCanonical: true))
    try assertEqualBytes(["x": people[0], "y": people[1]], Archiver(isCanonical: true))
    for person in people { person.friends = [] }
  }

  func testSnapshotOfSeveralRootsEqualsTheArchive() throws {
    let people = Self.people(100)
    let roots: KeyValuePairs<String, any ArchivableValue> = ["all": people, "first": people[0], "n": 3]
    XCTAssertEqual(try Archiver().snapshot(roots: roots).archive(), try Archiver().archive(roots: roots))
    for person in people { person.friends = [] }
  }

  func testLaterChangesDoNotChangeASnapshot() throws {
    let people = Self.people(RandomTrials.size(usually: 2_000, exhaustively: 20_000))
    // Large arrays are not copied.
    let numbers = Box(Array(0..<RandomTrials.size(usually: 20_000, exhaustively: 100_000)))
    let archiver = Archiver(layout: Self.layout)
    let expected = try archiver.archive(roots: ["people": people, "numbers": numbers])
    let snapshot = try archiver.snapshot(roots: ["people": people, "numbers": numbers])
    for person in people {
      person.age += 1
      person.intro? += "!"
      person.mother = nil
      person.friends = []
    }
    for index in numbers.content.indices { numbers.content[index] = -1 }
    XCTAssertTrue(try snapshot.archive() == expected)
    XCTAssertFalse(try archiver.archive(roots: ["people": people, "numbers": numbers]) == expected)
  }

  func testSnapshotRetainsNoObject() throws {
    for count in [3, 20_000] {
      weak var first: Person?
      weak var last: Person?
      let snapshot = try {
        let people = (0..<count).map { Person("\($0)") }
        people[0].mother = people[count - 1]
        (first, last) = (people[0], people[count - 1])
        return try Archiver().snapshot(of: people)
      }()
      XCTAssertNil(first)
      XCTAssertNil(last)
      let copy = try Unarchiver().unarchive([Person].self, from: snapshot.archive())
      XCTAssertEqual(copy.count, count)
      XCTAssertTrue(copy[0].mother === copy[count - 1])
    }
  }

  func testSnapshotsAreWrittenWhileTheirObjectsChange() throws {
    let people = Self.people(RandomTrials.size(usually: 2_000, exhaustively: 20_000))
    let numbers = Box(Array(0..<RandomTrials.size(usually: 20_000, exhaustively: 100_000)))
    let archiver = Archiver(layout: Self.layout)
    let roots: KeyValuePairs<String, any ArchivableValue> = ["people": people, "numbers": numbers]
    let expected = try archiver.archive(roots: roots)
    let failures = FailureList()
    for round in 0..<3 {
      let snapshot = try archiver.snapshot(roots: roots)
      for _ in 0..<2 {
        Thread {
          defer { failures.finish() }
          do {
            if try snapshot.archive() != expected { failures.add("other bytes") }
          } catch { failures.add("\(error)") }
        }.start()
      }
      for person in people { person.age -= round }
      for index in numbers.content.indices { numbers.content[index] += 1 }
      failures.wait(for: 2 * round + 2)
      for person in people { person.age += round }
      for index in numbers.content.indices { numbers.content[index] -= 1 }
    }
    XCTAssertEqual(failures.all, [])
    for person in people { person.friends = [] }
  }

  func testAlternatingArchivesAndSnapshotsAreIndependent() throws {
    let graphs: [[Leaf]] = [
      [Leaf("a")], [Twig("b", 1), Leaf("c")], [Bough("d", [Leaf("e"), Twig("f", 2)])], [],
      (0..<40).map { Twig("t\($0 % 7)", $0) },
    ]
    for compression in [Compression.none, .zlib] {
      let archiver = Archiver(compression: compression)
      let expected = try graphs.map { try archiver.archive($0) }
      for round in 0..<12 {
        let index = round * 3 % graphs.count
        let snapshot = try archiver.snapshot(of: graphs[index])
        XCTAssertEqual(try archiver.archive(graphs[round % graphs.count]), expected[round % graphs.count])
        XCTAssertEqual(try snapshot.archive(), expected[index], "graph \(index)")
      }
    }
  }

  func testCreatingAnInvalidSnapshotThrows() throws {
    assertThrows(.notArchivable) { try Archiver().snapshot(of: Impostor("x")) }
    assertThrows(.duplicateKey) { try Archiver().snapshot(roots: ["a": 1, "a": 2]) }
    XCTAssertEqual(
      try Unarchiver().unarchive(String.self, from: Archiver().snapshot(of: "fine").archive()), "fine")
  }
}
