import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class FindTests: XCTestCase {
  /// Returns the numbers of the objects that an expression finds in the zoo.
  private func find(_ expression: String) throws -> [Int] {
    let file = try ArchiveFile(bytes: QueriedArchives.zoo())
    var ids: [Int] = []
    try QueryRunner(ObjectCatalog(file)).forEachObject(of: QueryParser.query(expression)) { id, _ in
      ids.append(Int(id.rawValue))
    }
    return ids.sorted()
  }

  func testQueryConditionsWorkOnAllKindsOfValues() throws {
    let expected: [String: [Int]] = [
      #"name == "Rex""#: [1], "name == 'Tom' or name == 'Lea'": [3, 4], "name != 'Rex'": [2, 3, 4],
      "name < 'N'": [2, 4], "name =~ /^.e/": [1, 4], "name =~ /REX/i": [1], "name !~ /e/": [2, 3],
      "name contains 'o'": [3], "name beginswith 'M'": [2],
      "name endswith 'a' and not name contains 'L'": [2],
      "name in ['Mia', 'Tom', 'Ann']": [2, 3], "age > 4": [1, 2], "age >= 9": [2], "age < 3": [4],
      "nick == nil": [2, 4], "nick != nil": [1, 3], "nick == 'T'": [3], "nick": [1, 3],
      "not nick": [2, 4], "*[nick]": [1, 3], "tags == 'red'": [1, 2], "tags contains 'big'": [1],
      "tags contains 'bi'": [], "tags =~ /^b/": [1], "tags.@count == 0": [3, 4],
      "tags[@self == 'red']": [1, 2],
      "toys['ball'] == 2": [1], "toys contains 1": [1], "toys.keys contains 'ball'": [1], "toys > 1": [1],
      "home.street == 'Oak'": [2], "home.number > 3": [1], "shape == .round": [2], "shape == .long": [1],
      "shape.long.length == 0.5": [1], "shape in [.round, .square]": [2], "mother == #2": [1],
      "mother.name == 'Rex'": [3], "mother.mother.name == 'Mia'": [3], "mother == nil": [2, 4],
      "friends.name == 'Tom'": [1], "friends[age > 30]": [], "friends.tags": [1, 2],
      "friends[name == 'Mia' and age > 5]": [1],
      "friends[0].friends[0] == #1": [1], "rival.name == 'Lea'": [2], "@class == 'Dog'": [1, 2],
      "@id > 2": [3, 4], "@text contains 'El'": [1], "@text == 'two words'": [1], "mother.age > age": [1, 3],
      "age == mother.mother.age": [], "#1.age == age": [1], "true == true": [1, 2, 3, 4],
      "`Zoo.Animal.age` == 40": [1], "(age == 5 || age == 9) && !(name == 'Rex')": [2],
    ]
    for (expression, ids) in expected {
      XCTAssertEqual(try find(expression), ids, expression)
    }
  }

  /// Each object of a layer refers to all objects of the next layer, so that each step multiplies the number
  /// of paths.
  func testEachQueryStepVisitsSharedObjectsOnce() throws {
    let (width, layers) = (RandomTrials.size(usually: 15, exhaustively: 30), 7)
    let targets = (0...width * layers).map { row -> [UInt32] in
      let layer = (row + width - 1) / width
      return layer < layers ? (1...width).map { UInt32(layer * width + $0) } : []
    }
    let file = try ArchiveFile(bytes: QueriedArchives.graph(targets))
    func find(_ expression: String) throws -> Int {
      var count = 0
      try QueryRunner(ObjectCatalog(file)).forEachObject(of: QueryParser.query(expression)) { _, _ in
        count += 1
      }
      return count
    }
    let steps = Array(repeating: "to", count: layers - 1).joined(separator: ".")
    XCTAssertEqual(try find("all.\(steps)"), width)
    XCTAssertEqual(try find("Node.\(steps)"), width)
    XCTAssertEqual(try find("Node[\(steps).@id == 1]"), 0)
    XCTAssertEqual(try find("all.\(steps).to"), 0)
    // Paths without a result cost nothing, even if each path is counted.
    let paths = try ask("get", "all.\(steps)[@id == 1]", on: QueriedArchives.graph(targets))
    XCTAssertEqual(paths.output, "")
    let values = try ask("get", "all[0].to[0].to.@id", on: QueriedArchives.graph(targets))
    XCTAssertEqual(values.output.split(separator: "\n").count, width)
  }

  func testQueryPathsSelectObjects() throws {
    let expected: [String: [Int]] = [
      "Dog": [1, 2], "Zoo.Animal": [1, 2, 3, 4], "*": [1, 2, 3, 4], "Dog[age == 5]": [1],
      "Zoo.Animal[age > 4]": [1, 2], "Zoo.Animal[`Zoo.Animal.age` > 4]": [1, 2], "Dog.friends": [1, 2, 3],
      "root": [1],
      "others": [3], "#2": [2], "4": [4], "Dog#1.friends": [2, 3], "Zoo.Animal#1": [1], "Dog[-1]": [2],
      "Dog.friends[name == 'Tom']": [3], "Dog[mother == nil].rival": [4], "Dog.mother": [2],
      "root.friends.friends": [1],
    ]
    for (expression, ids) in expected { XCTAssertEqual(try find(expression), ids, expression) }
  }

  func testConditionOnSuperclassPropertyFindsSubclassObjects() throws {
    XCTAssertEqual(try find("Zoo.Animal[tags contains 'red']"), [1, 2])
    XCTAssertEqual(try find("Zoo.Animal[@class == 'Zoo.Animal']"), [3, 4])
    // A query for a class can name a property of its subclass. Objects of other classes do not have the
    // property.
    XCTAssertEqual(try find("Zoo.Animal[home.number >= 1]"), [1, 2])
    XCTAssertEqual(try find("Zoo.Animal[home == nil]"), [3, 4])
  }

  func testUnknownNamesInAQueryAreReported() throws {
    let errors: [(String, QueryError.Code, String)] = [
      ("nam == 3", .missingKey, "no property 'nam', expected a property of the searched classes: 'name'"),
      (
        "Cat", .missingRoot,
        "the unknown name 'Cat', expected a root ('root', 'others') or a class ('Zoo.Animal', 'Dog')"
      ),
      ("Dog.name.length", .missingKey, ""), ("Dog.frends", .missingKey, "no property 'frends'"),
      ("#9", .missingObject, "the unknown object number #9, expected an object number from #1 to #4"),
      ("Dog#3", .missingObject, "#3 of class 'Zoo.Animal', expected an object of class 'Dog'"),
      ("root.name", .typeMismatch, "values that are not objects"),
      ("root.rival.name", .nilReference, "nil at 'root.rival', expected a value with 'name'"),
      (
        "root.friends[2]", .missingKey,
        "a collection of 2 elements at 'root.friends', expected an element with index 2"
      ),
      (
        "root.toys['x']", .missingKey,
        "a dictionary of 2 entries at 'root.toys', expected an entry with the key 'x'"
      ),
      ("root.shape.round", .missingKey, "the case 'long' at 'root.shape', expected the case 'round'"),
      ("root.home.city", .missingKey, "a field of the value: 'street', 'number'"),
      ("root.age[0]", .missingKey, "a value without elements"),
    ]
    for (expression, code, words) in errors where !words.isEmpty {
      XCTAssertThrowsError(try find(expression), expression) {
        XCTAssertEqual(($0 as? QueryError)?.code, code, expression)
        XCTAssertTrue("\($0)".contains(words), "\(expression): \($0)")
      }
    }
  }

  func testFoundObjectsAreShownWithPathsFromRoots() throws {
    XCTAssertEqual(
      try ask("find", "age < 100", on: QueriedArchives.zoo()).output,
      """
      Dog #1  root
      Dog #2  root.friends[0]
      Zoo.Animal #3  others[0]
      Zoo.Animal #4  #4

      """)
    XCTAssertEqual(
      try ask("find", "Dog", "--no-paths", "--limit", "1", on: QueriedArchives.zoo()).output,
      "Dog #1\n… 1 more (--limit 1)\n")
    XCTAssertEqual(try ask("find", "Dog", "--count", on: QueriedArchives.zoo()).output, "2\n")
  }

  func testEmptySearchResultExitsWithCodeOne() throws {
    let bytes = try QueriedArchives.zoo()
    XCTAssertEqual(try ask("find", "age > 1000", on: bytes), CommandResult(output: "", status: .incomplete))
    let unknown = try ask("find", "Cat", on: bytes)
    XCTAssertEqual(unknown.status, .incomplete)
    XCTAssertTrue(
      unknown.errors.hasPrefix("arcdump: test.arc: missingRoot: found the unknown name 'Cat'"), unknown.errors
    )
    let json = try ask("find", "Cat", "--json", on: bytes)
    XCTAssertTrue(json.output.contains(#""error":{"code":"missingRoot","message":"#), json.output)
    XCTAssertThrowsError(try ask("find", "age >", on: bytes))
    XCTAssertThrowsError(try ask("find", "Dog", "--sum", "age >", on: bytes))
  }

  func testGroupsAndSumsOfObjectsAreComputed() throws {
    let bytes = try QueriedArchives.zoo()
    XCTAssertEqual(
      try ask("find", "*", "--group-by", "tags", "--sum", "age", on: bytes).output,
      """
      value  objects  sum
      "red"        2   14
      nil          2    5
      "big"        1    5

      """)
    XCTAssertEqual(try ask("find", "*", "--sum", "home.number", on: bytes).output, "8\n")
    XCTAssertEqual(try ask("find", "*", "--sum", "shape.long.length", on: bytes).output, "0.5\n")
    XCTAssertEqual(
      try ask("find", "*", "--group-by", "@class", on: bytes).output,
      "value         objects\n\"Dog\"               2\n\"Zoo.Animal\"        2\n")
    XCTAssertEqual(
      try ask("find", "Dog", "--group-by", "mother", "--json", on: bytes).output,
      """
      {
        "format":"arc",
        "groups":[
          {"value":{"$ref":2},"count":1},
          {"value":null,"count":1}
        ],
        "count":2
      }

      """)
    let wrong = try ask("find", "*", "--sum", "name", on: bytes)
    XCTAssertTrue(
      wrong.errors.contains("typeMismatch: found \"Tom\" for 'name' of object #3, expected a number"),
      wrong.errors)
  }

  func testFoundObjectsAreWrittenAsJSON() throws {
    XCTAssertEqual(
      try ask("find", "name == 'Mia'", "--json", on: QueriedArchives.zoo(compression: .zlib)).output,
      """
      {
        "format":"arc",
        "objects":[
          {"id":2,"class":"Dog","path":"root.friends[0]"}
        ],
        "count":1
      }

      """)
  }

  func testConditionIsTestedOncePerDistinctString() throws {
    let builder = try RowWiseArchive(roots: [])
    let node = try builder.addClass(
      "Node", properties: [("city", #"T@"NSString",N"#), ("note", #"T$?@"NSString",N"#)])
    try builder.row(0)
    for row in 0..<30_000 {
      try builder.row(
        node, .text("city \(row % 7)"), row % 3 == 0 ? .none : .some(.text("note \(row % 5)")))
    }
    let file = try ArchiveFile(bytes: builder.finish())
    for (text, expected, asked) in [
      ("city =~ /[36]/", 8571, 7), ("note == 'note 2'", 4000, 5), ("note == nil", 10_000, 5),
    ] {
      guard case .condition(let condition) = try QueryParser.query(text) else { return XCTFail(text) }
      let search = try ObjectSearch(ObjectCatalog(file), ofClass: nil, where: condition)
      XCTAssertEqual(try search.objects().count, expected, text)
      XCTAssertEqual(search.testCache.evaluationCount, asked, text)
    }
  }
}
