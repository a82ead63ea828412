import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcArchive
@testable import ArcFormat
@testable import ArcInspection

final class DiffTests: XCTestCase {
  private func diff(_ first: [UInt8], _ second: [UInt8], _ arguments: String...) throws -> CommandResult {
    let line = ["diff", "a.arc", "b.arc"] + arguments
    let parsed = try Arcdump.parseAsRoot(line)
    let command = try XCTUnwrap(parsed as? any InspectionCommand)
    return command.result { path, _ in path == "a.arc" ? first : second }
  }

  /// Returns an archive with a team of people. Friends are numbers of people, counted from 1.
  private func team(
    _ people: [(name: String, age: Int, friends: [UInt32])], members: [UInt32]? = nil, type: String = "Tq,N"
  ) throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [("team", #"$[@"Person"]"#)])
    let person = try builder.addClass(
      "Person",
      properties: [
        ("name", #"T@"NSString",N"#), ("age", type), ("friends", #"T$[@"Person"],N"#),
        ("tags", #"T$<@"NSString">,N"#),
      ])
    let all = members ?? people.indices.map { UInt32($0 + 1) }
    try builder.row(0, .list(all.map { .reference($0) }))
    for entry in people {
      try builder.row(
        person, .text(entry.name), type == "Tq,N" ? .int(Int64(entry.age)) : .double(Double(entry.age)),
        .list(entry.friends.map { .reference($0) }), .list(["a", "b"]))
    }
    return try builder.finish()
  }

  func testEqualGraphsHaveNoDifferencesDespiteObjectNumbers() throws {
    let one = try team([("Ada", 1, [2]), ("Bob", 2, [1])])
    let two = try team([("Bob", 2, [2]), ("Ada", 1, [1])], members: [2, 1])
    XCTAssertEqual(try diff(one, one), CommandResult(output: ""))
    XCTAssertEqual(try diff(one, two), CommandResult(output: ""))
    let seed = RandomTrials.seed()
    for number in 0..<RandomTrials.count(usually: 4, exhaustively: 15) {
      let random = try [Compression.none, .zlib(level: 1)].map {
        try RandomArchive(seed: seed &+ UInt64(number)).bytes(rowCount: 50, compression: $0)
      }
      XCTAssertEqual(
        try diff(random[0], random[1]), CommandResult(output: ""), "seed \(seed &+ UInt64(number))")
    }
  }

  func testStringSharedByManyObjectsIsReadOnce() throws {
    let text = String(repeating: "long text ", count: 200_000)
    let count = RandomTrials.size(usually: 1_000, exhaustively: 4_000)
    let people = (0..<count).map { (name: text, age: $0, friends: [UInt32]()) }
    let one = try team(people)
    // The first string differs, so that no string has the same number in both files.
    let two = try team([("first", 0, [])] + people.dropFirst() + [(text + ".", 0, [])])
    let start = ContinuousClock.now
    let result = try diff(one, two, "--stat")
    // Reading the string once per object would take minutes.
    let seconds = RandomTrials.size(usually: 10, exhaustively: 20)
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(seconds))
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertTrue(result.output.contains("Person"), result.output)
    XCTAssertEqual(try diff(one, one, "--stat").status, .ok)
  }

  func testOrderOfCodableFieldsIsIgnored() {
    func fields(_ keys: [String], _ name: String = "CodedField") -> ArchiveValue {
      ValueForms().form(
        .array(
          keys.map { key in
            .structure(
              name: name,
              fields: [.init(name: "key", value: .string(key)), .init(name: "value", value: .integer(1))])
          })
      ) { .reference($0) }
    }
    XCTAssertEqual(fields(["a", "b", "c"]), fields(["c", "a", "b"]))
    XCTAssertNotEqual(fields(["a", "b", "c"]), fields(["c", "a", "x"]))
    XCTAssertNotEqual(fields(["a", "b"]), fields(["a", "b", "c"]))
    XCTAssertNotEqual(fields(["a", "b"], "Field"), fields(["b", "a"], "Field"))
  }

  func testDifferencesShowOldAndNewValues() throws {
    let one = try team([("Ada", 1, [2]), ("Bob", 2, [])])
    let two = try team([("Ada", 1, [2]), ("Bob", 3, [1, 2])])
    XCTAssertEqual(
      try diff(one, two),
      CommandResult(
        output: "~ team[1].age: 2 → 3\n~ team[1].friends: [] → 2 elements\n", status: .incomplete))
    XCTAssertEqual(
      try diff(one, two, "--json").output,
      """
      {
        "format":"arc",
        "schema":[],
        "removed":[],
        "added":[],
        "changed":[
          {"first":2,"second":2,"class":"Person","path":"team[1].age","key":"age","old":2,"new":3},
          {"first":2,"second":2,"class":"Person","path":"team[1].friends","key":"friends","old":[],"new":[{"$ref":1},{"$ref":2}]}
        ],
        "moved":[]
      }

      """)
  }

  func testInsertedObjectDoesNotChangeTheRest() throws {
    let one = try team([("Ada", 1, []), ("Bob", 2, []), ("Cleo", 3, [])])
    let two = try team([("Zoe", 9, []), ("Ada", 1, []), ("Bob", 2, []), ("Cleo", 3, [])])
    XCTAssertEqual(
      try diff(one, two).output, "+ Person #1  team[0]\n~ team: 3 elements → 4 elements\n")
    XCTAssertEqual(
      try diff(two, one).output, "- Person #1  team[0]\n~ team: 4 elements → 3 elements\n")
    XCTAssertEqual(
      try diff(one, two, "--stat").output,
      """
      class   removed  added  changed  moved
      $roots        0      0        1      0
      Person        0      1        0      0
      0 differences of the schemas

      """)
  }

  func testMovedObjectsAreReported() throws {
    let one = try team([("Ada", 1, [3]), ("Bob", 2, []), ("Cleo", 3, [])], members: [1, 2])
    let two = try team([("Ada", 1, []), ("Bob", 2, [3]), ("Cleo", 3, [])], members: [1, 2])
    XCTAssertEqual(
      try diff(one, two).output,
      """
      ~ team[0].friends: 1 element → []
      ~ team[1].friends: [] → 1 element
      > Person #3  team[0].friends[0] → team[1].friends[0]

      """)
  }

  func testKeyOptionMatchesObjectsByProperty() throws {
    let one = try team([("Ada", 1, []), ("Bob", 2, [])])
    let two = try team([("Bob", 7, []), ("Ada", 8, [])])
    XCTAssertEqual(
      try diff(one, two, "--key", "Person.name").output,
      "~ team: 2 elements → 2 elements\n~ team[0].age: 1 → 8\n~ team[1].age: 2 → 7\n")
    XCTAssertEqual(
      try diff(one, two).output,
      """
      ~ team[0].name: "Ada" → "Bob"
      ~ team[0].age: 1 → 7
      ~ team[1].name: "Bob" → "Ada"
      ~ team[1].age: 2 → 8

      """)
  }

  func testSchemaOptionAlsoComparesSchemas() throws {
    let one = try team([("Ada", 1, [])])
    let two = try team([("Ada", 1, [])], type: "Td,N")
    let result = try diff(one, two, "--schema")
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertTrue(result.output.hasPrefix("schema  checked: class 'Person', key 'age'"), result.output)
    XCTAssertTrue(try diff(one, two).output.contains("~ team[0].age: 1 → 1.0\n"))
    XCTAssertEqual(try diff(one, one, "--schema"), CommandResult(output: ""))
  }

  func testDiffErrorNamesTheDamagedFile() throws {
    let one = try team([("Ada", 1, [])])
    let result = try diff(one, Array(one.dropLast()))
    XCTAssertEqual(result.status, .dataError)
    XCTAssertTrue(result.errors.hasPrefix("arcdump: b.arc: truncated"), result.errors)
    XCTAssertThrowsError(try diff(one, one, "--schema", "--stat"))
    var mutator = ArchiveMutator(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 4, exhaustively: 60) {
      let changed = mutator.changed(one)
      for result in [try diff(one, changed), try diff(changed, one), try diff(changed, changed)] {
        XCTAssertTrue([.ok, .incomplete, .dataError].contains(result.status))
        XCTAssertEqual(result.status == .dataError, !result.errors.isEmpty)
      }
    }
  }

  /// A file that an older release saved has columns of two types for one property, and structures without
  /// some fields.
  func testSplitColumnsAndAbsentFieldsAreNotDifferences() throws {
    func shelf(_ size: ArchiveValue, isSaved: Bool) throws -> [UInt8] {
      let builder = try ArchiveBuilder(roots: [.init("root", type: #"@"Shelf""#)])
      let box =
        isSaved
        ? ArchiveBuilder.Property("box", attributes: #"T{Box="width"$?q"size"$?q},N,"absent"1 3"#)
        : ArchiveBuilder.Property("box", type: #"{Box="size"q}"#)
      let number = ArchiveBuilder.Property("number", type: "q", isKeyed: isSaved)
      let text = ArchiveBuilder.Property("number", type: #"@"NSString""#, isKeyed: true)
      try builder.addClass("Shelf", properties: isSaved ? [box, text, number] : [box, number])
      let id = try builder.reserveObject(ofClass: "Shelf")
      let fields = [ArchiveValue.Field(name: "size", value: size)]
      let absent = [ArchiveValue.Field(name: "width", value: .null)]
      let value = ArchiveValue.structure(name: "Box", fields: isSaved ? absent + fields : fields)
      let columns: [ArchiveValue?] = isSaved ? [value, nil, 7] : [value, 7]
      try builder.set(columns, ofRow: id)
      try builder.setRoots(["root": .reference(id)])
      return try builder.finish()
    }
    let saved = try diff(shelf(5, isSaved: false), shelf(5, isSaved: true))
    XCTAssertFalse(saved.output.contains("root.box"), saved.output)
    XCTAssertFalse(saved.output.contains("root.number"), saved.output)
    let changed = try diff(shelf(5, isSaved: false), shelf(6, isSaved: true)).output
    XCTAssertTrue(changed.contains("root.box"), changed)
    XCTAssertFalse(changed.contains("root.number"), changed)
  }

  func testLongChainsAreComparedOnSmallStack() throws {
    let length = RandomTrials.size(usually: 10_000, exhaustively: 20_000)
    let one = try QueriedArchives.ring(length, isClosed: true)
    let two = try QueriedArchives.ring(length + 1, isClosed: true)
    try onSmallStack {
      let result = try self.diff(one, two, "--stat")
      XCTAssertTrue(result.output.contains("Node         0      1        1      0\n"), result.output)
    }
  }
}
