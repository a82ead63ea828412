import Arc
import ArcJSON
import ArcModel
import XCTest

/// Updates that add elements to collections instead of replacing the collections.
final class MergedUpdateTests: XCTestCase {
  private func shelf() throws -> MergedShelf {
    try MergedShelf(
      json: """
        {"books": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}], "tags": ["x", "y"], "counts": {"a": 1, "b": 2},
         "lines": ["l"], "plain": [1, 2], "fixed": [1]}
        """)
  }

  func testMergedCollectionsGainTheElementsOfTheJSON() throws {
    let shelf = try shelf()
    let books = shelf.books
    try shelf.update(
      json: """
        {"books": [{"id": 3, "title": "c"}], "tags": ["y", "z"], "counts": {"b": 3, "c": 4}, "lines": ["l", "m"],
         "plain": [3], "fixed": [1]}
        """)
    XCTAssertEqual(shelf.books.map(\.id), [1, 2, 3])
    XCTAssertTrue(shelf.books[0] === books[0] && shelf.books[1] === books[1])
    XCTAssertEqual(shelf.tags, ["x", "y", "z"])
    XCTAssertEqual(shelf.counts, ["a": 1, "b": 3, "c": 4])
    XCTAssertEqual(shelf.lines, ["l", "l", "m"])
    XCTAssertEqual(shelf.plain, [3], "replaced")
    XCTAssertEqual(shelf.fixed, [1], "a constant")
    XCTAssertThrowsError(try shelf.update(json: #"{"fixed": [2]}"#), "nothing is added to a constant")
    XCTAssertEqual(shelf.changes, 1, "the observer runs once")
  }

  func testObjectsWithEqualIdentityAreUpdatedNotDuplicated() throws {
    let shelf = try shelf()
    let books = shelf.books
    let reader = ModelReader(references: .identified)
    _ = try reader.read(
      [MergedBook].self, from: #"[{"id": 2, "title": "new"}]"#, updating: shelf.books)
    XCTAssertEqual(books[1].title, "new")
    try reader.update(
      shelf, from: #"{"books": [{"id": 2, "title": "newer"}, {"id": 4}, {"id": 4, "title": "d"}]}"#)
    XCTAssertEqual(shelf.books.map(\.title), ["a", "newer", "d"])
    XCTAssertTrue(shelf.books[1] === books[1])
  }

  func testNewObjectReplacesObjectWithEqualIdentity() throws {
    let shelf = try shelf()
    let books = shelf.books
    try shelf.update(
      json: #"{"books": [{"id": 2, "title": "new"}, {"id": 3, "title": "c"}, {"id": 3, "title": "d"}]}"#)
    XCTAssertEqual(shelf.books.map(\.title), ["a", "new", "d"])
    XCTAssertTrue(shelf.books[0] === books[0])
    XCTAssertFalse(shelf.books[1] === books[1])
    XCTAssertEqual(books[1].title, "b")
  }

  func testOptionalElementsAreMergedByIdentity() throws {
    let library = MergedLibrary()
    library.maybe = [MergedBook(id: 1), nil]
    try library.update(json: #"{"maybe": [{"id": 1, "title": "new"}, null]}"#)
    XCTAssertEqual(library.maybe.map { $0?.title }, ["new", nil, nil])
  }

  func testObjectsInNestedMergedCollectionsAreUpdated() throws {
    let library = MergedLibrary()
    library.shelf = try shelf()
    let books = try XCTUnwrap(library.shelf?.books)
    try ModelReader(references: .identified).update(
      library, from: #"{"shelf": {"books": [{"id": 2, "title": "new"}, {"id": 5, "title": "e"}]}}"#)
    XCTAssertEqual(library.shelf?.books.map(\.title), ["a", "new", "e"])
    XCTAssertTrue(library.shelf?.books[1] === books[1])
  }

  func testOnlyNullClearsAMergedCollection() throws {
    let shelf = try shelf()
    try shelf.update(json: #"{"lines": null}"#)
    XCTAssertNil(shelf.lines)
    try shelf.update(json: #"{"lines": ["n"]}"#)
    XCTAssertEqual(shelf.lines, ["n"])
    try shelf.update(json: "{}")
    XCTAssertEqual(shelf.books.count, 2)
    XCTAssertEqual(shelf.changes, 0)
  }

  func testFailedOrRefusedMergeAddsNothing() throws {
    let shelf = try shelf()
    for text in [
      #"{"tags": ["z"], "plain": ["x"]}"#, #"{"tags": ["z", 5]}"#, #"{"counts": {"q": 1}, "tags": ["bad"]}"#,
    ] {
      XCTAssertThrowsError(try shelf.update(json: text), text)
      XCTAssertEqual(shelf.tags, ["x", "y"])
      XCTAssertEqual(shelf.counts, ["a": 1, "b": 2])
    }
    let issues = try ModelReader(.lenient).update(shelf, from: #"{"plain": ["x", 7], "tags": ["z"]}"#)
    XCTAssertEqual(issues.map(\.path), ["plain[0]"])
    XCTAssertEqual(shelf.tags, ["x", "y", "z"])
  }

  func testNewObjectGetsTheCollectionsOfTheJSON() throws {
    XCTAssertEqual(try MergedShelf(json: #"{"tags": ["a"], "fixed": []}"#).tags, ["a"])
  }

  func testMergedRuleIsRefusedForNonCollections() {
    XCTAssertThrowsError(try MergedMisfit(json: "{}")) {
      XCTAssertTrue("\($0)".contains("'@JSONRule(.merged)' for a property that is not a collection"), "\($0)")
    }
    XCTAssertThrowsError(try MergedMisfitBox(json: #"{"field": {}}"#)) {
      XCTAssertTrue("\($0)".contains("'@JSONRule(.merged)' for a field of a structure"), "\($0)")
    }
  }
}

@Archivable("MergedBook") final class MergedBook: ModelIdentifiable {
  static var identifyingProperties: [String] { ["id"] }
  let id: Int
  var title = ""
  init(id: Int) { self.id = id }
}

@Archivable("MergedShelf") final class MergedShelf: ModelFinishing {
  @JSONRule(.merged) var books: [MergedBook] = []
  @JSONRule(.merged) var tags: Set<String> = [] { didSet { changes += 1 } }
  @JSONRule(.merged) var counts: [String: Int] = [:]
  @JSONRule(.merged) var lines: [String]?
  var plain: [Int] = []
  @JSONRule(.merged) let fixed: [Int]
  @Transient var changes = 0
  init(fixed: [Int]) { self.fixed = fixed }
  func didRead() throws { if tags.contains("bad") { throw NegativeNumber() } }
}

@Archivable("MergedMisfit") final class MergedMisfit {
  @JSONRule(.merged) var number = 0
  init() {}
}
@Archivable("MergedMisfitField") struct MergedMisfitField { @JSONRule(.merged) var numbers: [Int] = [] }
@Archivable("MergedMisfitBox") final class MergedMisfitBox {
  var field = MergedMisfitField()
  init() {}
}

@Archivable private final class MergedLibrary {
  var shelf: MergedShelf?
  @JSONRule(.merged) var maybe: [MergedBook?] = []
  init() {}
}
