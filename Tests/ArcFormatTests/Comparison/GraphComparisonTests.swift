import ArcArchive
import ArcFormat
import XCTest

/// Two files are compared without classes. The numbers of objects do not matter.
final class GraphComparisonTests: XCTestCase {
  private struct Person {
    var name: String
    var friends: [Int] = []
    var best: Int?
  }

  /// Returns an archive of persons. The root is the first person, and the rows are in the order of `order`.
  private func file(_ people: [Person], order: [Int]? = nil) throws -> ArchiveFile {
    let order = order ?? Array(people.indices)
    let builder = try ArchiveBuilder(roots: [.init("first", type: ObjectID.self)])
    try builder.addClass(
      "Person",
      properties: [
        .init("name", type: String.self), .init("friends", type: [ObjectID].self),
        .init("best", type: ObjectID?.self),
      ])
    let ids = try builder.reserveObjects(ofClass: "Person", count: people.count)
    let rows = people.indices.map { ids[order.firstIndex(of: $0) ?? 0] }
    for (person, row) in zip(people, rows) {
      let values: [ArchiveBuilder.Key: ArchiveValue] = [
        "name": .string(person.name), "friends": .array(person.friends.map { .reference(rows[$0]) }),
        "best": .reference(person.best.map { rows[$0] }),
      ]
      try builder.setValues(values, of: row)
    }
    try builder.setRoots(["first": .reference(rows[0])])
    return try ArchiveFile(bytes: builder.finish())
  }

  private let people = [
    Person(name: "Ann", friends: [1, 2], best: 2), Person(name: "Bob", friends: [0]),
    Person(name: "Cy", friends: [3], best: 0), Person(name: "Dan", best: 3),
  ]

  private func differences(_ first: ArchiveFile, _ second: ArchiveFile) throws -> [String] {
    try GraphComparison(first, second).differences(atMost: 10).map(\.description)
  }

  func testGraphsAreEqualDespiteDifferentRowNumbers() throws {
    XCTAssertEqual(try differences(file(people), file(people, order: [3, 1, 0, 2])), [])
  }

  func testOnlyOneDifferencePerObjectIsReported() throws {
    var changed = people
    changed[1].name = "Bo"
    changed[3].best = nil
    changed[3].name = "Don"
    XCTAssertEqual(
      try differences(file(people), file(changed, order: [2, 3, 1, 0])),
      [
        #"first.friends[0].name: "Bob" in the first graph, "Bo" in the second"#,
        #"first.friends[1].friends[0].name: "Dan" in the first graph, "Don" in the second"#,
      ])
  }

  func testReferenceToDifferentObjectIsReported() throws {
    var changed = people
    changed[2].friends = [1]
    XCTAssertEqual(
      try differences(file(people), file(changed)),
      [
        "first.friends[1].friends[0]: another object in the first graph, "
          + "the same object as first.friends[0] in the second"
      ])
  }

  func testPropertyMissingFromOneGraphIsADifference() throws {
    func file(_ key: String) throws -> ArchiveFile {
      let builder = try ArchiveBuilder(roots: [.init("first", type: ObjectID.self)])
      try builder.addClass("Thing", properties: [.init(key, type: Int.self)])
      try builder.setRoots(["first": .reference(builder.addObject(ofClass: "Thing", [.init(key): 3]))])
      return try ArchiveFile(bytes: builder.finish())
    }
    XCTAssertEqual(
      try differences(file("old"), file("new")), ["first.old: 3 in the first graph, nothing in the second"])
  }

  func testComparisonIgnoresNumberWidthsButNotRootNames() throws {
    func file<Value: ColumnValue>(_ name: String, _ value: Value) throws -> ArchiveFile {
      let builder = try ArchiveBuilder(roots: [.init(name, type: Value.self)])
      try builder.setRoots([.init(name): value])
      return try ArchiveFile(bytes: builder.finish())
    }
    XCTAssertEqual(try differences(file("a", 3), file("a", 3 as Int8)), [])
    XCTAssertEqual(
      try differences(file("a", 3), file("a", "3")), [#"a: 3 in the first graph, "3" in the second"#])
    XCTAssertEqual(
      try differences(file("a", 3), file("b", 3)), ["a: 3 in the first graph, nothing in the second"])
  }
}
