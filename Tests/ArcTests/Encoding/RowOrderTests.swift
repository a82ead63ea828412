import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@Archivable private final class Station {
  let name: String
  var number = 0
  var depth: Int?? = .some(nil)
  var lines: Set<String> = []
  var next: Station?
  weak var partner: Station?
  var stops: [Stop] = []

  init(_ name: String) { self.name = name }
}

@Archivable private final class Stop {
  let station: Station
  let before: Stop?
  var minute = 0.0

  init(_ station: Station, _ before: Stop?) { (self.station, self.before) = (station, before) }
}

/// Archives with rows grouped by class, sorted rows, or segments of any size contain the same graph.
final class RowOrderTests: XCTestCase {
  private func stations(_ count: Int) -> [Station] {
    let stations = (0..<count).map { Station("station \($0 * 7 % count)") }
    var last: Stop?
    for (index, station) in stations.enumerated() {
      station.number = index * 31 % count
      station.depth = index % 3 == 0 ? .some(nil) : index % 3 == 1 ? nil : index
      station.lines = ["U\(index % 5)", "S\(index % 3)"]
      station.next = stations[(index + 1) % count]
      station.partner = stations[count - 1 - index]
      let stop = Stop(station, index % 10 == 0 ? nil : last)
      stop.minute = index % 4 == 0 ? .nan : Double(-index)
      station.stops = [stop]
      last = stop
    }
    return stations
  }

  private func release(_ stations: [Station]) { for station in stations { station.next = nil } }

  /// Returns the class of each run of rows.
  private func runs(_ bytes: [UInt8]) throws -> [String] {
    let file = try ArchiveFile(verifying: bytes)
    var classes: [Int] = []
    for index in file.rowsSegments {
      for run in try file.rows(inSegment: index).runs where classes.last != run.classIndex {
        classes.append(run.classIndex)
      }
    }
    return classes.map { file.classes[$0].name }
  }

  func testColumnarLayoutGroupsObjectsByClass() throws {
    let stations = stations(300)
    defer { release(stations) }
    XCTAssertGreaterThan(try runs(Archiver().archive(stations[0])).count, 10)
    for archiver in [
      Archiver(layout: .columnar(directory: false)), Archiver(compression: .zlib, layout: .columnar()),
      Archiver(isCanonical: true, layout: .columnar(segmentBytes: 0, directory: false)),
    ] {
      let bytes = try archiver.archive(stations[0])
      // Stops require stations for construction, so they come after the stations.
      XCTAssertEqual(try runs(bytes), ["$roots", "Station", "Stop"])
      var read = [try Unarchiver().unarchive(Station.self, from: bytes)]
      defer { release(read) }
      while let next = read.last?.next, next !== read[0], read.count < stations.count { read.append(next) }
      XCTAssertTrue(try ObjectGraph.isIsomorphic(stations[0], read[0]))
      XCTAssertEqual(read.map(\.name), stations.map(\.name))
      XCTAssertEqual(read.map(\.depth), stations.map(\.depth))
      XCTAssertTrue(zip(read, read.reversed()).allSatisfy { $0.partner === $1 })
    }
  }

  private let sorting = Archiver(
    compression: .zlib, isCanonical: true, metadata: ["k": "v"],
    layout: .columnar(sortedBy: "Station.name", directory: false))

  func testSnapshotsAndFilesHaveEqualBytes() throws {
    let stations = stations(100)
    defer { release(stations) }
    let bytes = try sorting.archive(stations)
    XCTAssertEqual(try sorting.snapshot(of: stations).archive(), bytes)
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("a.arc")
      try sorting.write(stations, to: url)
      XCTAssertEqual(try Array(Data(contentsOf: url)), bytes)
      try sorting.snapshot(of: stations).write(to: url)
      XCTAssertEqual(try Array(Data(contentsOf: url)), bytes)
    }
    XCTAssertEqual(try ArchiveFile(bytes: bytes).metadata(), ["k": "v", "arc.sorted-by": "Station.name"])
  }

  func testSegmentsHaveTheRequestedSize() throws {
    let stations = stations(RandomTrials.size(usually: 500, exhaustively: 2000))
    defer { release(stations) }
    let usual = try Archiver(isCanonical: true).archive(stations)
    XCTAssertEqual(
      try Archiver(isCanonical: true, layout: .compact(segmentBytes: 1 << 20)).archive(stations), usual)
    let segmentBytes = RandomTrials.size(usually: 1 << 12, exhaustively: 1 << 14)
    let small = try Archiver(isCanonical: true, layout: .compact(segmentBytes: segmentBytes))
      .archive(stations)
    XCTAssertEqual(try ArchiveFile(bytes: usual).rowsSegments.count, 1)
    XCTAssertGreaterThan(try ArchiveFile(bytes: small).rowsSegments.count, 5)
    let read = try Unarchiver().unarchive([Station].self, from: small)
    defer { release(read) }
    XCTAssertTrue(try ObjectGraph.isIsomorphic(stations, read))
  }

  func testObjectsAreSortedByAProperty() throws {
    let stations = stations(RandomTrials.size(usually: 200, exhaustively: 500))
    defer { release(stations) }
    let bytes = try Archiver(layout: .columnar(sortedBy: "Station.name", segmentBytes: 1 << 12))
      .archive(stations)
    let file = try ArchiveFile(verifying: bytes)
    let names = try file.rows(ofClass: "Station").column("name", as: String.self)
    XCTAssertEqual(names, stations.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    XCTAssertEqual(
      try file.rows(ofClass: "Station").where("name", atLeast: "station 49").column("name", as: String.self),
      names.filter { $0 >= "station 49" })
    let read = try Unarchiver().unarchive([Station].self, from: bytes)
    defer { release(read) }
    XCTAssertTrue(try ObjectGraph.isIsomorphic(stations, read))
  }

  func testSortingObjectsThatRequireEachOtherIsRefused() throws {
    let stations = stations(30)
    defer { release(stations) }
    XCTAssertThrowsError(try Archiver(layout: .columnar(sortedBy: "Stop.minute")).archive(stations)) {
      error in
      let error = error as? ArchiveError
      XCTAssertEqual(error?.code, .constructionOrder)
      XCTAssertEqual(error?.className, "Stop")
      XCTAssertEqual(error?.localizedDescription.contains("error in the program"), true)
    }
    assertThrows(.typeMismatch) {
      try Archiver(layout: .columnar(sortedBy: "Station.lines")).archive(stations)
    }
    assertThrows(.missingKey) {
      try Archiver(layout: .columnar(sortedBy: "Station.nothing")).snapshot(of: stations).archive()
    }
  }
}
