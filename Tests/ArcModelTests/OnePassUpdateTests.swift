import Arc
import ArcJSON
import ArcTestSupport
import XCTest

@testable import ArcModel

/// Updating in one pass through a text has the same result as updating by an index. A failed update changes
/// nothing.
final class OnePassUpdateTests: XCTestCase {
  private static let start = #"""
    {"name":"a name that is too long for two words","note":"n","tags":["a","long enough to be in memory"],
     "number":1,"isOpen":true,"maybe":2,"share":0.5,"scores":[1,2],"grid":[[1,2],[3]],"words":{"x":"y"},
     "inner":{"name":"inner","tags":["t"]},"others":[{"name":"1"},{"name":"2"}],"id":7}
    """#

  private func chest() throws -> Chest { try Chest(json: Self.start) }

  /// Returns whether the reader updated an object in one pass.
  private func inOnePass(_ object: any Archivable, _ text: String, _ limits: JSONLimits = .init()) -> Bool {
    let pool = ReadingPool()
    let rules = ReadingRules(
      isLenient: false, naming: .asDeclared, mappings: [:], references: [], reportsUnknownKeys: false,
      preservesUnknownMembers: false, limits: limits, pool: pool, userInfo: [:])
    return withExtendedLifetime(pool) {
      BorrowedPlans(pool, [:], rules).plans.updateInOnePass(object) { Array(text.utf8) }
    }
  }

  /// Updates two equal objects from a text, one of them by an index, and compares the results.
  private func assertSame(_ bytes: [UInt8], file: StaticString = #filePath, line: UInt = #line) throws {
    let (one, other) = (try chest(), try chest())
    var outcomes: [String] = []
    for (object, isIndexed) in [(one, false), (other, true)] {
      do {
        if isIndexed {
          try object.update(json: JSONDocument(bytes, duplicateKeys: .last))
        } else {
          try object.update(json: bytes)
        }
        outcomes.append(try ModelWriter(nulls: .written).text(of: object))
      } catch {
        outcomes.append("\(error)")
        XCTAssertEqual(try object.json(), try chest().json(), "nothing is set", file: file, line: line)
      }
    }
    XCTAssertEqual(outcomes[0], outcomes[1], String(decoding: bytes, as: UTF8.self), file: file, line: line)
  }

  func testOnePassUpdateMatchesUpdateByIndex() throws {
    for text in [
      Self.start, "{}", #"{"name":"b","note":null,"tags":[],"number":-5,"isOpen":false,"maybe":null}"#,
      #"{"tags":["a"],"scores":[1,2,3],"grid":[[1,2],[4]],"words":{},"others":[]}"#,
      #"{"tags":["a","long enough to be in memory","c"],"note":"another text of some length"}"#,
      #"{"tags":["a","Long enough to be in memory"],"note":"é","name":"a n\u0061me"}"#,
      #"{"inner":null,"others":[{"name":"x","tags":["y"]}],"share":1e3,"unknown":[{"a":"b"}]}"#,
      #"{"inner":{"tags":["t","u"]},"number":3}"#, #"{"inner":{"inner":{"name":"deeper"}}}"#,
    ] {
      XCTAssertTrue(inOnePass(try chest(), text), text)
      try assertSame(Array(text.utf8))
    }
  }

  func testNestedObjectIsUpdatedAndStaysIdentical() throws {
    let chest = try chest()
    let (inner, others) = (try XCTUnwrap(chest.inner), chest.others)
    XCTAssertTrue(inOnePass(chest, #"{"inner":{"name":"new"},"number":9}"#))
    XCTAssertTrue(chest.inner === inner)
    XCTAssertEqual(inner.name, "new")
    XCTAssertEqual(inner.tags, ["t"])
    XCTAssertEqual(chest.number, 9)
    XCTAssertTrue(zip(chest.others, others).allSatisfy { $0 === $1 })
  }

  func testUpdateAcceptsOnlyEqualValuesForConstants() throws {
    let chest = try chest()
    XCTAssertTrue(inOnePass(chest, #"{"id":7,"number":2}"#))
    XCTAssertEqual(chest.id, 7)
    XCTAssertEqual(chest.number, 2)
    XCTAssertFalse(inOnePass(chest, #"{"id":8,"number":3}"#), "another value of a constant is an issue")
    XCTAssertThrowsError(try chest.update(json: #"{"id":8,"number":3}"#))
    XCTAssertFalse(
      inOnePass(chest, #"{"id":"x","number":3}"#), "what a constant cannot have is wrong all the same")
    XCTAssertThrowsError(try chest.update(json: #"{"id":"x","number":3}"#))
    XCTAssertEqual(chest.number, 2)
  }

  func testInputUnsuitableForOnePassChangesNothing() throws {
    for text in [
      #"{"number":2,"isOpen":1}"#, #"{"number":2,"number":3}"#, #"{"number":2,}"#, #"{"number":2} 1"#,
      #"{"number":2,"tags":["a",1]}"#, #"{"inner":{"name":"x"},"number":"y"}"#, #"{"number":2,"name":null}"#,
      #"{"name":"a"b"}"#, #"{"number":2"#, "[]", "", #"{"others":[{}]}"#, #"{"number":2,"inner":{"name":1}}"#,
    ] {
      let chest = try chest()
      XCTAssertFalse(inOnePass(chest, text), text)
      XCTAssertEqual(try chest.json(), try self.chest().json(), text)
    }
    XCTAssertFalse(inOnePass(try chest(), #"{"x":[[]]}"#, JSONLimits(depth: 2)))
    XCTAssertFalse(inOnePass(try chest(), Self.start, JSONLimits(bytes: 10)))
  }

  func testOnePassUpdateMatchesIndexForDamagedText() throws {
    let bytes = Array(Self.start.utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) { try assertSame(Array(bytes.prefix(count))) }
    let usual = Array("\"\\{}[],:09-.eEnt \u{0}\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    for place in bytes.indices {
      var changed = bytes
      changed[place] = usual[place % usual.count]
      try assertSame(changed)
    }
  }

  func testSharedObjectsAreNotUpdatedInOnePass() throws {
    let chest = try chest()
    chest.second = chest.inner
    let text = #"{"inner":{"name":"x"},"second":{"name":"y"}}"#
    XCTAssertFalse(inOnePass(chest, text))
    XCTAssertEqual(chest.inner?.name, "inner")
    for text in [
      #"{"second":{"name":"y","tags":["t"]},"inner":{"name":"x"}}"#,
      #"{"inner":{"name":"x"},"second":{"name":"y","tags":["t"]}}"#,
    ] {
      _ = try ModelReader().update(chest, from: text)
      XCTAssertEqual(chest.inner?.name, "x", "the property that is declared first counts")
      XCTAssertEqual(chest.inner?.tags, ["t"])
      XCTAssertTrue(chest.inner === chest.second)
      chest.inner?.tags = nil
    }
    let ring = Ring()
    ring.next = ring
    XCTAssertFalse(inOnePass(ring, #"{"next":{"number":1}}"#))
    XCTAssertEqual(ring.number, 0)
    ring.next = nil
  }

  func testManyNestedObjectsAreUpdated() throws {
    var rings = (0..<40).map { _ in Ring() }
    for (ring, next) in zip(rings, rings.dropFirst()) { ring.next = next }
    let text =
      (0..<40).map { #"{"number":\#($0),"next":"# }.joined() + "null" + String(repeating: "}", count: 40)
    try rings[0].update(json: text)
    XCTAssertEqual(rings.map(\.number), Array(0..<40))
    rings = []
  }

  func testUpdateRunsObserversOfClassAndSubclasses() throws {
    let watched = Watched()
    XCTAssertFalse(inOnePass(watched, #"{"level":2}"#))
    try watched.update(json: #"{"level":2}"#)
    XCTAssertEqual(watched.seen, [2])
    let watcher = Watcher()
    XCTAssertFalse(inOnePass(watcher, #"{"number":3}"#))
    try watcher.update(json: #"{"number":3}"#)
    XCTAssertEqual(watcher.seen, [3])
  }

  func testReplacedValuesAreReleasedOnceAfterTheUpdate() throws {
    let chest = try chest()
    weak let former = chest.others[0]
    XCTAssertFalse(inOnePass(chest, #"{"others":[],"number":"x"}"#))
    XCTAssertNotNil(former)
    XCTAssertTrue(
      inOnePass(chest, #"{"others":[],"tags":["z"],"words":{"k":"a text of more than two words"}}"#))
    XCTAssertNil(former)
    // The reader reuses the memory of the former values.
    let reader = ModelReader()
    for number in 0..<50 {
      let tag = "a tag that has memory of its own, \(number)"
      try reader.update(
        chest, from: #"{"tags":["\#(tag)","b"],"others":[{"name":"\#(tag)"}],"words":{"k":"\#(tag)"}}"#)
      XCTAssertEqual(chest.tags, [tag, "b"])
      XCTAssertEqual(chest.others.map(\.name), [tag])
      XCTAssertEqual(chest.words, ["k": tag])
    }
  }

  func testUpdateSurvivesObjectReleasedByClassSetup() throws {
    let root = FirstRoot()
    root.mid = FirstMid()
    FirstLeaf.root = root
    let text = #"{"mid":{"title":"a title that is in memory of its own","leaf":{"number":7}},"name":"n"}"#
    try root.update(json: text)
    XCTAssertEqual(root.name, "n")
    XCTAssertEqual(root.mid?.title, "a title that is in memory of its own")
    XCTAssertEqual(root.mid?.leaf?.number, 7)
    FirstLeaf.root = nil
  }

  func testDeinitOfReplacedValueCanUpdateTheObject() throws {
    let holder = Vase()
    holder.item = Parting { try? holder.update(json: #"{"number":5}"#) }
    XCTAssertTrue(inOnePass(holder, #"{"item":null,"number":4}"#))
    XCTAssertNil(holder.item)
    XCTAssertEqual(holder.number, 5)
  }

  func testObjectUnderExclusiveAccessIsNotUpdatedDirectly() throws {
    let chest = try chest()
    // While this function runs, Swift records the access to `tags`, so the reader must not set properties in
    // memory.
    func change(_ tags: inout [String]) {
      XCTAssertFalse(inOnePass(chest, #"{"number":2}"#))
      tags.append("u")
    }
    change(&chest.tags)
    XCTAssertEqual(chest.number, 1)
    XCTAssertEqual(chest.tags.last, "u")
  }
}

@Archivable private final class Chest {
  let id: Int
  var name: String
  var note: String?
  var tags: [String]
  var number: Int
  var isOpen: Bool
  var maybe: Int?
  var share: Double
  var scores: [Int]
  var grid: [[Double]]
  var words: [String: String]
  var inner: Drawer?
  var second: Drawer?
  var others: [Drawer]

  init() {
    (id, name, tags, number, isOpen, share) = (0, "", [], 0, false, 0)
    (scores, grid, words, others) = ([], [], [:], [])
  }
}

@Archivable private final class Drawer {
  var name: String
  var tags: [String]?
  var inner: Drawer?
  init() { name = "" }
}

@Archivable private final class Ring {
  var number = 0
  var next: Ring?
  init() {}
}

@Archivable private final class Watched {
  var level = 0 {
    didSet { seen.append(level) }
  }
  @Transient var seen: [Int] = []
  init() {}
}

@Archivable private class Quiet {
  var number = 0
  init() {}
}

@Archivable private final class Watcher: Quiet {
  @Transient var seen: [Int] = []
  override var number: Int {
    didSet { seen.append(number) }
  }
  override init() { super.init() }
}

@Archivable private final class Vase {
  var number = 0
  var item: Parting?
  init() {}
}

@Archivable private final class Parting {
  var number = 0
  @Transient var atEnd: () -> Void = {}
  init(atEnd: @escaping () -> Void) { self.atEnd = atEnd }
  deinit { atEnd() }
}

@Archivable private final class FirstRoot {
  var mid: FirstMid?
  var name = ""
  init() {}
}

@Archivable private final class FirstMid {
  var title = ""
  var leaf: FirstLeaf?
  init() {}
}

/// A class whose mapping makes a root release the object for which the leaf is read.
@Archivable private final class FirstLeaf: ModelMapping {
  static nonisolated(unsafe) weak var root: FirstRoot?
  var number = 0
  init() {}

  static var mapping: JSONMapping {
    root?.mid = FirstMid()
    return JSONMapping()
  }
}
