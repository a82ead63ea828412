import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// A comparison skips the equal rows at the beginning of two files, even if their bytes differ.
final class EqualRowsTests: XCTestCase {
  private struct Song {
    var title: String
    var singer: String
    var length = 0
    var previous: Int?
  }

  private let songs = (0..<200).map {
    Song(title: "title \($0 % 60)", singer: "singer \($0 % 40)", length: $0, previous: $0 > 0 ? $0 / 2 : nil)
  }

  /// Returns an archive of songs. The strings have numbers in the order of the columns.
  private func file(_ songs: [Song], order: [Int]? = nil) throws -> ArchiveFile {
    let builder = try ArchiveBuilder(roots: [.init("songs", type: [ObjectID].self)])
    try builder.addClass(
      "Song",
      properties: [
        .init("title", type: String.self), .init("singer", type: String.self),
        .init("length", type: Int.self), .init("previous", type: ObjectID?.self),
      ])
    let ids = try builder.reserveObjects(ofClass: "Song", count: songs.count)
    let order = order ?? Array(songs.indices)
    let rows = songs.indices.map { ids[order.firstIndex(of: $0) ?? 0] }
    let ordered = order.map { songs[$0] }
    try builder.setRoots(["songs": .array(rows.map { .reference($0) })])
    try builder.setValues(
      [
        .init("title", ordered.map(\.title)), .init("singer", ordered.map(\.singer)),
        .init("length", ordered.map(\.length)),
        .init("previous", ordered.map { $0.previous.map { rows[$0] } }),
      ], of: ids)
    return try ArchiveFile(bytes: builder.finish())
  }

  /// Returns the differences of two files. Asserts that a comparison that skips no rows finds the same
  /// differences.
  private func differences(
    _ first: [Song], _ second: [Song], order: [Int]? = nil, line: UInt = #line
  ) throws -> [String] {
    func differences(skipsEqualRows: Bool) throws -> [String] {
      try GraphComparison(file(first), file(second, order: order))
        .differences(atMost: 1_000, skipsEqualRows: skipsEqualRows).map(\.description)
    }
    let found = try differences(skipsEqualRows: true)
    XCTAssertEqual(found, try differences(skipsEqualRows: false), line: line)
    return found
  }

  /// Returns the number of equal rows at the beginning, including row 0.
  private func equalRowCount(_ first: [Song], _ second: [Song]) throws -> Int {
    try EqualRows(file(first), file(second)).count
  }

  func testDifferencesAreFoundDespiteReorderedStringTables() throws {
    var changed = songs
    changed[199].title = "new"
    XCTAssertEqual(try equalRowCount(songs, changed), 200)
    XCTAssertEqual(
      try differences(songs, changed),
      [#"songs[199].title: "title 19" in the first graph, "new" in the second"#])
    changed[120].singer = "title 7"
    changed[150].singer = "another"
    XCTAssertEqual(
      try differences(songs, changed),
      [
        #"songs[120].singer: "singer 0" in the first graph, "title 7" in the second"#,
        #"songs[150].singer: "singer 30" in the first graph, "another" in the second"#,
        #"songs[199].title: "title 19" in the first graph, "new" in the second"#,
      ])
  }

  func testDifferencesAreFoundDespiteDifferentNumberWidths() throws {
    var changed = songs
    changed[130].length = -1
    changed[198].length = 1 << 50
    XCTAssertEqual(try equalRowCount(songs, changed), 131)
    XCTAssertEqual(
      try differences(songs, changed),
      [
        "songs[130].length: 130 in the first graph, -1 in the second",
        "songs[198].length: 198 in the first graph, \(1 << 50) in the second",
      ])
  }

  func testChangedReferencesAreFound() throws {
    var changed = songs
    changed[180].previous = 3
    changed[190].previous = nil
    XCTAssertEqual(try equalRowCount(songs, changed), 181)
    XCTAssertEqual(
      try differences(songs, changed),
      [
        "songs[180].previous: the same object as songs[90] in the first graph, the same object as songs[3] in "
          + "the second",
        "songs[190].previous: the same object as songs[95] in the first graph, nil in the second",
      ])
  }

  func testReorderedRowsAreEqualAndMissingObjectsDiffer() throws {
    XCTAssertEqual(try differences(songs, songs, order: songs.indices.reversed()), [])
    XCTAssertEqual(try differences(songs, songs, order: Array(0..<100) + (100..<200).reversed()), [])
    XCTAssertEqual(try equalRowCount(songs, songs), 201)
    XCTAssertEqual(try equalRowCount(songs, Array(songs.dropLast())), 0)
    XCTAssertEqual(
      try differences(songs, Array(songs.dropLast())),
      ["songs[199]: an object of class 'Song' in the first graph, nothing in the second"])
  }

  /// Equal rows at one index in both files can represent different objects.
  func testEqualRowsCanRepresentDifferentObjects() throws {
    func file(_ first: Int, _ second: Int) throws -> ArchiveFile {
      let builder = try ArchiveBuilder(roots: [.init("last", type: ObjectID.self)])
      try builder.addClass("Link", properties: [.init("to", type: [ObjectID].self)])
      let ids = try builder.reserveObjects(ofClass: "Link", count: 4)
      try builder.setRoots(["last": .reference(ids[3])])
      for id in ids[..<2] { try builder.setValues(["to": .array([])], of: id) }
      try builder.setValues(["to": .array([.reference(ids[first])])], of: ids[2])
      let targets: [ArchiveValue] = [.reference(ids[2]), .reference(ids[second])]
      try builder.setValues(["to": .array(targets)], of: ids[3])
      return try ArchiveFile(bytes: builder.finish())
    }
    XCTAssertEqual(try GraphComparison(file(0, 1), file(1, 0)).differences(atMost: 10), [])
    XCTAssertEqual(try GraphComparison(file(0, 0), file(1, 0)).differences(atMost: 10).count, 1)
  }
}
