import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Archives with rows in another order contain the same graph.
final class ArchiveArrangementTests: XCTestCase {
  private func arrange(
    _ bytes: [UInt8], sortKey: String? = nil, segmentByteCount: Int = 1 << 20,
    compression: Compression = .none
  ) throws -> ArchiveFile {
    let file = try ArchiveFile(
      verifying: ArchiveArrangement.arrange(
        bytes, sortedBy: sortKey, segmentByteCount: segmentByteCount, compression: compression,
        hasChunkDirectory: true))
    return file
  }

  private func assertSame(_ file: ArchiveFile, as bytes: [UInt8], _ name: String) throws {
    let original = try ArchiveFile(bytes: bytes)
    XCTAssertEqual(file.rowCount, original.rowCount, name)
    XCTAssertEqual(file.classes, original.classes, name)
    XCTAssertEqual(
      try GraphComparison(original, file, isBox: { _ in false }).differences(atMost: 3).map(\.description),
      [],
      name)
  }

  /// Returns the class of each run of rows.
  private func runs(of file: ArchiveFile) throws -> [Int] {
    var classes: [Int] = []
    for index in file.rowsSegments {
      for run in try file.rows(inSegment: index).runs where classes.last != run.classIndex {
        classes.append(run.classIndex)
      }
    }
    return classes
  }

  func testArrangingGoldenArchivesPreservesTheirContents() throws {
    var count = 0
    for (name, bytes) in try Repository.allArchives() {
      let isSound = !name.hasPrefix("invalid/") && !name.contains("-Y") && !name.contains("/Y")
      guard isSound, (try? ArchiveFile(bytes: bytes).verify()) != nil else { continue }
      for segmentByteCount in [64, 1 << 20] {
        try assertSame(arrange(bytes, segmentByteCount: segmentByteCount), as: bytes, name)
      }
      count += 1
    }
    XCTAssertGreaterThan(count, 30)
  }

  func testArrangingRandomArchivesPreservesTheirContents() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for trial in 0..<RandomTrials.count(usually: 15, exhaustively: 100) {
      let bytes = try RandomBuild(&random).bytes
      let file = try arrange(
        bytes, segmentByteCount: Int.random(in: 1...2000, using: &random),
        compression: trial % 2 == 0 ? .none : .zlib)
      try assertSame(file, as: bytes, "trial \(trial)")
      let runs = try runs(of: file)
      XCTAssertEqual(runs.count, Set(runs).count)
    }
  }

  /// Returns an archive with rows of two alternating classes. `construction` lists the properties that a row
  /// needs for construction.
  private func archive(
    count: Int, construction: Set<String> = [], values: [String: [ArchiveValue]] = [:]
  ) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("all", type: "$[@]")], metadata: ["of": "tests"])
    try builder.addClass(
      "Album.Item",
      properties: [
        .init("number", type: Int.self),
        .init("box", type: #"@"Box""#, isConstruction: construction.contains("box")),
        .init("other", type: #"@"Album.Item""#, isConstruction: construction.contains("other")),
        .init("k", type: "$?d"),
        .init("name.text", type: "$?$?@\"NSString\""), .init("e", type: "$(E=\"a\"\"b\"\"c\")"),
      ])
    try builder.addClass("Special", superclass: "Album.Item", properties: [.init("more", type: Bool.self)])
    try builder.addClass(
      "Box",
      properties: [.init("item", type: #"@"Album.Item""#, isConstruction: construction.contains("item"))])
    var ids: [ObjectID] = []
    for index in 0..<count {
      let item = try builder.reserveObject(ofClass: index % 3 == 0 ? "Special" : "Album.Item")
      let box = try builder.reserveObject(ofClass: "Box")
      // References to the box and the item in earlier rows.
      var all: [ArchiveBuilder.Key: ArchiveValue] = [
        "number": .integer(Int128((index * 7919) % count)), "box": .reference(ids.last),
        "other": .reference(ids.dropLast().last), "k": .null, "name.text": .null,
        "e": .enumeration(name: "E", case: ["a", "b", "c"][index % 3], payload: nil),
      ]
      for (key, column) in values { all[.init(key)] = column[index % column.count] }
      if index % 3 == 0 { all["more"] = true }
      try builder.setValues(all, of: item)
      try builder.setValues(["item": .reference(item)], of: box)
      ids += [item, box]
    }
    try builder.setRoots(["all": .array(ids.map { .reference($0) })])
    return try builder.finish()
  }

  func testRowsNeededForConstructionAreArrangedFirst() throws {
    let free = try arrange(archive(count: 40))
    XCTAssertEqual(try runs(of: free), [0, 1, 2, 3])
    // Each item is built with the item before it, so the items remain in their order.
    let chain = try archive(count: 40, construction: ["other"])
    let mixed = try arrange(chain)
    try assertSame(mixed, as: chain, "other")
    XCTAssertEqual(try runs(of: mixed).count { $0 == 3 }, 1)
    XCTAssertGreaterThan(try runs(of: mixed).count { $0 == 1 }, 10)
    // Boxes require items for construction.
    let boxes = try archive(count: 40, construction: ["item"])
    try assertSame(arrange(boxes), as: boxes, "item")
    XCTAssertEqual(try runs(of: arrange(boxes)), [0, 1, 2, 3])
    // Items require boxes for construction. The boxes precede them.
    let items = try archive(count: 40, construction: ["box"])
    try assertSame(arrange(items), as: items, "box")
    XCTAssertEqual(try runs(of: arrange(items)), [0, 3, 1, 2])
    // Items and boxes require each other, so all rows remain in their order.
    let both = try archive(count: 40, construction: ["box", "item"])
    try assertSame(arrange(both), as: both, "both")
    XCTAssertGreaterThan(try runs(of: arrange(both)).count, 40)
  }

  func testSegmentsHaveTheRequestedSize() throws {
    let bytes = try archive(count: 3000)
    let (small, large) = (try arrange(bytes, segmentByteCount: 4096), try arrange(bytes))
    XCTAssertEqual(large.rowsSegments.count, 1)
    XCTAssertGreaterThan(small.rowsSegments.count, 15)
    for index in small.rowsSegments.dropLast() {
      XCTAssertLessThan(small.segments[index].rawByteCount, 4 * 4096)
    }
  }

  func testRowsOfEachClassAreSortedByKey() throws {
    let bytes = try archive(count: 2000)
    let file = try arrange(bytes, sortKey: "Album.Item.number", segmentByteCount: 4096)
    try assertSame(file, as: bytes, "sorted")
    for name in ["Album.Item", "Special"] {
      let numbers = try file.rows(ofClass: name).column("number", as: Int.self)
      XCTAssertGreaterThan(numbers.count, 600)
      XCTAssertEqual(numbers, numbers.sorted())
    }
    XCTAssertEqual(try file.metadata(), ["of": "tests", "arc.sorted-by": "Album.Item.number"])
    // Only the segments whose range of numbers contains a match are read.
    file.trustsChunkDirectory = true
    XCTAssertEqual(
      try file.rows(ofClass: "Special").where("number", atMost: 10).column("number", as: Int.self),
      stride(from: 0, to: 2000, by: 3).map { $0 * 7919 % 2000 }.filter { $0 <= 10 }.sorted())
  }

  func testSortIsStableAndPutsNilAfterNumbers() throws {
    let values: [ArchiveValue] = [
      .double(2), .null, .double(.nan), .double(-.infinity), .double(2), .double(-0.0),
    ]
    let numbers = (0..<6).map { ArchiveValue.integer(Int128($0)) }
    let file = try arrange(
      archive(count: 6, values: ["k": values, "number": numbers]), sortKey: "Album.Item.k")
    XCTAssertEqual(
      try file.rows(ofClass: "Album.Item").column("k", as: Double?.self).map {
        "\($0.map { "\($0)" } ?? "nil")"
      },
      ["-0.0", "2.0", "nil", "nan"].filter { $0 != "-inf" })
    XCTAssertEqual(try file.rows(ofClass: "Special").column("number", as: Int.self), [3, 0])
    // Strings are sorted by their bytes, even if they are optional at several levels.
    let texts: [ArchiveValue] = ["b", "\u{e9}", .null, "e\u{301}", "", "B"]
    let names = try arrange(archive(count: 6, values: ["name.text": texts]), sortKey: "Album.Item.name.text")
    XCTAssertEqual(try names.rows(ofClass: "Special").column("name.text"), ["b", "e\u{301}"])
    XCTAssertEqual(try names.rows(ofClass: "Album.Item").column("name.text"), ["", "B", "\u{e9}", .null])
    let cases = try arrange(archive(count: 9), sortKey: "Album.Item.e").rows(ofClass: "Album.Item").column(
      "e")
    XCTAssertEqual(cases.map { "\($0)".contains("\"b\"") }, [true, true, true, false, false, false])
  }

  func testSortingByUnsuitableKeysIsRefused() throws {
    let bytes = try archive(count: 20)
    for (key, code) in [
      ("Album.Item.none", ArchiveError.Code.missingKey), ("Album.Item.other", .typeMismatch),
      ("Special.more", .typeMismatch),
    ] {
      assertThrows(code, for: key) { try arrange(bytes, sortKey: key) }
    }
    // The class has no rows, so nothing is sorted.
    XCTAssertEqual(try arrange(bytes, sortKey: "Absent.k").metadata()["arc.sorted-by"], "Absent.k")
    for construction in [["other"], ["box", "item"]] as [Set<String>] {
      assertThrows(.constructionOrder) {
        try arrange(archive(count: 20, construction: construction), sortKey: "Album.Item.number")
      }
    }
    // Objects that other objects require for construction can be sorted.
    let boxes = try archive(count: 20, construction: ["item"])
    try assertSame(arrange(boxes, sortKey: "Album.Item.number"), as: boxes, "item")
  }

  func testRowsAddedBeforeAColumnHaveNoValue() throws {
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("C", properties: [.init("a", type: Int.self)])
    _ = try builder.addObject(ofClass: "C", ["a": 2])
    try builder.addProperty(.init("b", type: Int.self, isKeyed: true), toClass: "C")
    _ = try builder.addObject(ofClass: "C", ["a": 1, "b": 7])
    let bytes = try builder.finish()
    let file = try arrange(bytes, sortKey: "C.a")
    try XCTAssertEqual((1...2).map { try file.object(ObjectID(rawValue: $0))["b"] }, [.integer(7), nil])
  }
}
