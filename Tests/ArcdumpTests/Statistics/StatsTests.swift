import ArcArchive
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class StatsTests: XCTestCase {
  func testStatsCommandShowsStatisticsOfEachColumn() throws {
    XCTAssertEqual(
      try ask("stats", "--class", "Dog", on: QueriedArchives.zoo()).output,
      """
      Dog
                             kind         values  nil  distinct  bytes  plain  lengths         encodings
        age                  int64             2              2      2      2                  plain
        friends              array             2                     2      2  1…2, 3 in all   plain
          friends[]          reference         3              3      3      3                  plain
        home                 structure         0                     0      0
          home.street        string            2              2      2      2  3               table plain
          home.number        int64             2              2      2      2                  plain
        shape                enumeration       2              2      2      2                  plain
          shape.long.length  float64           1              1      8      8                  plain
        toys                 dictionary        2                     2      2  0…2, 2 in all   plain
          toys.keys          string            2              2      2      2  4…9, 13 in all  table plain
          toys.values        int64             2              2      2      2                  plain
        rival                reference         2    1         1      2      2                  plain
        name                 string            2              2      2      2  3               table plain
        Zoo.Animal.age       int64             2              2      2      2                  plain
        nick                 string            2    1         1      2      2  4               plain, table plain
        mother               weak              2    1         1      2      2                  plain
        tags                 set               2                     2      2  1…2, 3 in all   plain
          tags[]             string            3              2      3      3  3               table plain

      """)
  }

  func testColumnStatisticsMatchTheValues() throws {
    let builder = try RowWiseArchive(roots: [("all", #"$[@"Node"]"#)])
    let node = try builder.addClass(
      "Node",
      properties: [
        ("city", #"T@"NSString",N"#), ("note", #"T$?@"NSString",N"#), ("flag", "TB,N"), ("list", "T$[q],N"),
        ("next", #"T@"Node",N,&"#),
      ])
    try builder.row(0, .list([.reference(1)]))
    for row in 0..<1000 {
      try builder.row(
        node, .text("city \(row % 10)"), row % 4 == 0 ? .none : .some(.text("n\(row)")), .bool(row % 2 == 0),
        .list(Array(repeating: .int(7), count: row % 3)), .reference(row < 500 ? 1 : 0))
    }
    let statistics = try FileStatistics(ObjectCatalog(ArchiveFile(bytes: builder.finish())))
    let entry = statistics.classes[1]
    XCTAssertEqual(entry.objectCount, 1000)
    func counts(_ label: String) throws -> NodeStatistics {
      try XCTUnwrap(entry.nodes.first { $0.label == label })
    }
    XCTAssertEqual(try counts("city").distinct.count, 10)
    XCTAssertEqual(try counts("city").lengths?.total, 6000)
    XCTAssertEqual(try counts("note").valueCount, 1000)
    XCTAssertEqual(try counts("note").nilCount, 250)
    XCTAssertEqual(try counts("note").distinct.count, 750)
    XCTAssertEqual(try counts("note").lengths?.least, 2)
    XCTAssertEqual(try counts("flag").distinct.count, 2)
    XCTAssertEqual(try counts("list").lengths?.total, 999)
    XCTAssertEqual(try counts("list").lengths?.greatest, 2)
    XCTAssertEqual(try counts("list[]").distinct.count, 1)
    XCTAssertEqual(try counts("list[]").valueCount, 999)
    XCTAssertLessThan(try counts("list[]").storedByteCount, try counts("list[]").plainByteCount)
    XCTAssertEqual(try counts("next").nilCount, 500)
    XCTAssertEqual(try counts("next").distinct.count, 1)
  }

  func testStatsCommandListsSegmentsAndClasses() throws {
    let output = try ask("stats", on: QueriedArchives.ring(5000, isClosed: true)).output
    XCTAssertTrue(output.hasPrefix("segments  number  "), output)
    XCTAssertTrue(output.contains("\nNode\n"), output)
    let json = try ask("stats", "--json", on: QueriedArchives.zoo()).output
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let classes = try XCTUnwrap(document?["classes"] as? [[String: Any]])
    XCTAssertEqual(classes.map { $0["objects"] as? Int }, [1, 2, 2])
    let unknown = try ask("stats", "--class", "Cat", on: QueriedArchives.zoo())
    XCTAssertEqual(unknown.status, .incomplete)
    XCTAssertTrue(unknown.errors.contains("unknownClass: found no class 'Cat'"), unknown.errors)
  }

  func testDistinctValuesAreCountedUpToALimit() {
    var room = DistinctValues.Room(count: 3)
    var values = DistinctValues()
    for value in [1, 2, 1, 3, 2] { values.add(value, &room) }
    XCTAssertEqual(values.count, 3)
    XCTAssertFalse(values.isIncomplete)
    values.add(4, &room)
    XCTAssertEqual(values.count, 3)
    XCTAssertTrue(values.isIncomplete)
  }
}
