import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The nil at the end of a chain does not disturb the encoding of the column's other references, which refer
/// to consecutive rows.
final class ChainTests: XCTestCase {
  private func carriages(_ count: Int) throws -> [UInt8] {
    let (first, _) = chain(of: count, Carriage.init) { $0.next = $1 }
    defer { try? ObjectGraph.release(first) }
    return try Archiver().archive(first)
  }

  func testArchivesOfShortAndLongChainsAreSmall() throws {
    let longest = RandomTrials.size(usually: 20_000, exhaustively: 300_000)
    for count in [2, 3, 300, 3000, longest / 10, longest] {
      let archive = try carriages(count)
      XCTAssertLessThan(archive.count, 3000, "\(count) objects")
      var carriage: Carriage? = try Unarchiver().unarchive(Carriage.self, from: archive)
      let first = carriage
      for number in 0..<count {
        XCTAssertEqual(carriage?.number, number)
        carriage = carriage?.next
      }
      XCTAssertNil(carriage)
      if let first { try ObjectGraph.release(first) }
    }
  }

  func testChainsWithDifferentEndsAreRestored() throws {
    for end in [0, 1, 2998, 2999] {
      let carriages = (0..<3000).map { Carriage($0) }
      for (one, next) in zip(carriages, carriages.dropFirst()) { one.next = next }
      carriages[2999].next = carriages[end]
      let restored = try reread(carriages, as: [Carriage].self)
      XCTAssertEqual(restored.map(\.number), carriages.map(\.number))
      XCTAssertTrue(restored[2999].next === restored[end])
      for carriage in carriages + restored { carriage.next = nil }
    }
  }

  func testSnapshotOfAChainEqualsTheArchive() throws {
    let carriages = (0..<3000).map { Carriage($0) }
    for (one, next) in zip(carriages, carriages.dropFirst()) { one.next = next }
    let archiver = Archiver(layout: .compact(directory: true))
    let archive = try archiver.archive(carriages[0])
    XCTAssertEqual(try archiver.snapshot(of: carriages[0]).archive(), archive)
    XCTAssertNoThrow(try ArchiveFile(bytes: archive).verify())
    for carriage in carriages { carriage.next = nil }
  }

  func testChainWithManyDistinctLabelsRoundTrips() throws {
    let links = (0..<6000).map { Labelled("label \($0)") }
    for (one, next) in zip(links, links.dropFirst()) { one.next = next }
    defer { for link in links { link.next = nil } }
    for archive in [try Archiver().archive(links), try Archiver().snapshot(of: links).archive()] {
      let restored = try Unarchiver().unarchive([Labelled].self, from: archive)
      XCTAssertEqual(restored.map(\.label), links.map(\.label))
      for link in restored { link.next = nil }
    }
  }

  func testChainOfObjectsWithArraysRoundTrips() throws {
    let pearls = (0..<3000).map { Pearl("pearl \($0)") }
    for (one, next) in zip(pearls, pearls.dropFirst()) { one.next = next }
    var pearl: Pearl? = try reread(pearls[0], as: Pearl.self)
    for number in 0..<3000 {
      XCTAssertEqual(pearl?.names, ["pearl \(number)"])
      pearl = pearl?.next
    }
    for pearl in pearls { pearl.next = nil }
  }
}

@Archivable private final class Carriage {
  var number: Int
  var next: Carriage?
  init(_ number: Int) { self.number = number }
}

@Archivable private final class Pearl {
  var names: [String]
  var next: Pearl?
  init(_ name: String) { names = [name] }
}

@Archivable private final class Labelled {
  var label: String
  var next: Labelled?
  init(_ label: String) { self.label = label }
}
