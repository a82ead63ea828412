import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Golden files: Arc writes the same bytes, reads the same graph, and prints the same tree as when the file
/// was created.
///
/// `ARC_REWRITE_FIXTURES=1` rewrites them.
final class FixtureTests: XCTestCase {
  func testPersonFixtureRoundTrips() throws {
    let ann = Person("Ann")
    let bob = Person("Bob")
    ann.friends = [bob]
    bob.mother = ann
    try check("person", ann)
  }

  func testSeriesFixtureRoundTrips() throws {
    let series = Series()
    series.station = "North"
    for number in 0..<32 {
      series.times.append(86_400 + 300 * number + number % 3)
      series.levels.append(Int16(1200 + 7 * number % 8))
      series.states.append(number < 20 ? 2 : 200)
      series.areValid.append(true)
      series.factors.append(0.5)
    }
    let metadata = ["made by": "FixtureTests", "unit": "cm"]
    let bytes = try Archiver(isCanonical: true, metadata: metadata).archive(series)
    let golden = try golden("series", bytes)
    XCTAssertEqual(try ArchiveFile(bytes: golden).metadata(), metadata)
    let copy = try Unarchiver().unarchive(Series.self, from: golden)
    XCTAssertEqual(copy.times, series.times)
    XCTAssertEqual(copy.levels, series.levels)
    XCTAssertEqual(copy.states, series.states)
    XCTAssertEqual(copy.areValid, series.areValid)
    XCTAssertEqual(copy.factors, series.factors)
  }

  func testInheritanceFixtureRoundTrips() throws {
    let truck = Truck(serial: 7, plate: "AB 1")
    truck.load = 2.5
    let car = Car(serial: 8, plate: nil)
    truck.trailer = car
    try check("inheritance", [car, truck, car], classes: [Truck.self])
    try check("inheritance-zlib", [car, truck, car], classes: [Truck.self], compression: .zlib(level: 9))
  }

  func testCycleFixtureRoundTrips() throws {
    let first = Knot("first")
    let second = Knot("second")
    (first.next, second.next) = (second, first)
    (first.home, second.home) = (second, second)
    try check("cycle", first)
    try ObjectGraph.release(first)
  }

  func testScalarsFixtureRoundTrips() throws { try check("scalars", Sample()) }

  func testCollectionsRoundTrip() throws {
    let shelf = Shelf()
    let knot = Knot("k")
    shelf.knots = [knot, Knot("l")]
    shelf.watchers = [Watcher(knot: knot), Watcher(knot: nil)]
    shelf.knotSet = [ObjectKey(knot: knot)]
    shelf.formulas = [.owner(knot), .empty]
    try check("collections", shelf)
    try check("collections-zlib", shelf, compression: .zlib(level: 9))
  }

  func testGenericsFixtureRoundTrips() throws {
    try check("generics", Box([Box("a"), Box("b")]), classes: [Box<String>.self])
  }

  func testHandWrittenCoderFixtureRoundTrips() throws {
    let note = Note("hello")
    note.tags = ["red": 1, "blue": 3]
    let reply = Note("re: hello")
    reply.tags = ["green": 2]
    note.reply = reply
    reply.reply = note
    try check("coder", note)
    try ObjectGraph.release(note)
  }

  func testNamedRootsFixtureRoundTrips() throws {
    let knot = Knot("shared")
    knot.home = knot
    let bytes = try Archiver(isCanonical: true).archive(roots: [
      "one": knot, "all": [knot], "count": 1,
    ])
    let golden = try golden("roots", bytes)
    let (one, all) = try Unarchiver().unarchive(
      roots: Unarchiver.RootRequest("one", Knot.self), Unarchiver.RootRequest("all", [Knot].self),
      from: golden)
    XCTAssertTrue(one === all[0])
  }

  /// Reads the file, writes it again, and compares the bytes and the complete tree.
  private func check<Root: ArchivableValue>(
    _ name: String, _ root: Root, classes: [any Archivable.Type] = [], compression: Compression = .none
  ) throws {
    let archiver = Archiver(compression: compression, isCanonical: true)
    let golden = try golden(name, try archiver.archive(root))
    XCTAssertEqual(try archiver.snapshot(of: root).archive(), try archiver.archive(root), name)
    let copy = try Unarchiver(classes: ClassTable(registering: classes)).unarchive(Root.self, from: golden)
    // Versions of zlib may compress to different bytes.
    if compression == .none { XCTAssertEqual(try archiver.archive(copy), golden, name) }
    XCTAssertEqual(try tree(of: try archiver.archive(copy)), try tree(of: golden), name)
    try ArchiveFile(bytes: golden).verify()
    try ObjectGraph.release(copy)
  }

  /// Returns the golden file. Asserts that the written bytes are equal, except for zlib's bytes. The file
  /// with its tree is in the same folder.
  private func golden(_ name: String, _ written: [UInt8]) throws -> [UInt8] {
    let folder = Repository.fixtures
    let file = folder.appendingPathComponent("\(name).arc")
    let picture = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1" {
      try Data(written).write(to: file)
      try Data(tree(of: written).utf8).write(to: picture)
    }
    let golden = try Array(Data(contentsOf: file))
    if !name.hasSuffix("zlib") { XCTAssertEqual(written, golden, name) }
    XCTAssertEqual(try tree(of: golden), try String(contentsOf: picture, encoding: .utf8), name)
    return golden
  }
}
