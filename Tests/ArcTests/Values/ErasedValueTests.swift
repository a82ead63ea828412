import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Collections of `Any` in properties of type `Any`, as in JSON and `userInfo`.
final class ErasedValueTests: XCTestCase {
  func testNestedUntypedCollectionsPreserveTypesAndIdentity() throws {
    let bag = Bag()
    let thing = Thing()
    bag.info = [
      "name": "x", "on": true, "none": [Any](), "empty": [String: Any](), "numbers": [1, 2],
      "inner": ["thing": thing, "list": [1, "two", 3.0, thing, [thing, UInt8(4)] as [Any]] as [Any]]
        as [String: Any],
    ]
    let copy = try roundTrip(bag)
    XCTAssertEqual(copy.info.count, 6)
    XCTAssertEqual(copy.info["on"] as? Bool, true)
    XCTAssertTrue(copy.info["none"] is [Any])
    XCTAssertEqual(typeName(copy.info["none"]), "Array<Any>")
    XCTAssertEqual(typeName(copy.info["empty"]), "Dictionary<String, Any>")
    XCTAssertEqual(typeName(copy.info["numbers"]), "Array<Int>")
    let inner = try XCTUnwrap(copy.info["inner"] as? [String: Any])
    let list = try XCTUnwrap(inner["list"] as? [Any])
    XCTAssertEqual(list.map { "\(type(of: $0))" }, ["Int", "String", "Double", "Thing", "Array<Any>"])
    let last = try XCTUnwrap(list[4] as? [Any])
    XCTAssertEqual(typeName(last[1]), "UInt8")
    let found = try XCTUnwrap(inner["thing"] as? Thing)
    XCTAssertTrue(found === list[3] as? Thing && found === last[0] as? Thing && found !== thing)
  }

  func testUntypedOptionalsPreserveTheirNesting() throws {
    let bag = Bag()
    bag.list = [
      Int?.none as Any, Any?.none as Any, Any?.some(5) as Any, [nil, 1, [nil] as [Any?]] as [Any?],
      [[1], ["a"]] as [[Any]], ["k": [["x": nil] as [String: Any?]]] as [String: [[String: Any?]]],
    ]
    let copy = try roundTrip(bag).list
    XCTAssertEqual(
      copy.map { "\(type(of: $0))" },
      [
        "Optional<Int>", "Optional<Any>", "Optional<Any>", "Array<Optional<Any>>", "Array<Array<Any>>",
        "Dictionary<String, Array<Dictionary<String, Optional<Any>>>>",
      ])
    XCTAssertEqual(copy.map { "\($0)" }, bag.list.map { "\($0)" })
  }

  func testAnyHashableKeysPreserveTheirTypes() throws {
    let bag = Bag()
    let info: [AnyHashable: Any] = [
      "name": 1, 2: "two", UInt8(3): [AnyHashable("x"): 4] as [AnyHashable: Any],
    ]
    bag.keyed = info
    bag.list = [info, Set<AnyHashable>([1, "a", true]), AnyHashable(ErasedCorner(x: 1))]
    bag.key = ErasedCorner(x: 2)
    let copy = try roundTrip(bag)
    for found in [copy.keyed, try XCTUnwrap(copy.list[0] as? [AnyHashable: Any])] {
      XCTAssertEqual(found["name"] as? Int, 1)
      XCTAssertEqual(found[2] as? String, "two")
      XCTAssertEqual((found[UInt8(3)] as? [AnyHashable: Any])?["x"] as? Int, 4)
      XCTAssertEqual(Set(found.keys.map { "\(type(of: $0.base))" }), ["String", "Int", "UInt8"])
    }
    XCTAssertEqual(copy.list[1] as? Set<AnyHashable>, [1, "a", true])
    XCTAssertEqual(typeName(copy.list[2]), "AnyHashable")
    XCTAssertEqual(copy.key, AnyHashable(ErasedCorner(x: 2)))
  }

  func testAnyHashableObjectKeysFindTheirValues() throws {
    let (bag, token) = (Bag(), Token())
    bag.keyed = [AnyHashable(token): token, "t": token]
    let copy = try roundTrip(bag)
    let found = try XCTUnwrap(copy.keyed["t"] as? Token)
    XCTAssertTrue(copy.keyed[AnyHashable(found)] as? Token === found)
  }

  func testDeeplyNestedUntypedValuesAreReadWithoutRecursion() throws {
    nonisolated(unsafe) let bag = Bag()
    for level in 0..<2_000 {
      bag.list = level % 2 == 0 ? [bag.list, level] : [["k": bag.list] as [String: Any]]
    }
    // Swift releases nested values recursively, so the copy is released after the thread with the small
    // stack.
    nonisolated(unsafe) var copy: Bag?
    try onSmallStack { copy = try reread(bag, as: Bag.self) }
    var (next, depth) = (copy?.list ?? [], 0)
    while let inner = next.first {
      next = inner as? [Any] ?? (inner as? [String: Any])?["k"] as? [Any] ?? []
      depth += 1
    }
    XCTAssertEqual(depth, 2_000)
  }

  func testUnarchivablePartOfACollectionIsRefused() {
    let bag = Bag()
    bag.info = ["outer": [1, [Unmarked()] as [Any]] as [Any]]
    assertThrows(.notArchivable, "a value of type 'Unmarked' as 'Any'") { try Archiver().archive(bag) }
    bag.info = ["outer": [{ 1 }] as [() -> Int]]
    assertThrows(.notArchivable, "declare a property of an archivable type for its parts") {
      try Archiver().archive(bag)
    }
  }

  func testClosedClassTableAcceptsRegisteredCollections() throws {
    let bag = Bag()
    bag.info = [
      "list": [1, "a"] as [Any], "inner": ["k": [AnyHashable(1): 2] as [AnyHashable: Any]] as [String: Any],
    ]
    let bytes = try Archiver().archive(bag)
    let classes = try ClassTable(declaring: Int.self, String.self)
    try classes.register([Any].self)
    try classes.register([String: Any].self)
    assertThrows(.unknownClass, "Dictionary<AnyHashable, Any>") {
      try Unarchiver(classes: classes).unarchive(Bag.self, from: bytes)
    }
    try classes.register([AnyHashable: Any].self)
    let copy = try Unarchiver(classes: classes).unarchive(Bag.self, from: bytes)
    XCTAssertEqual((copy.info["list"] as? [Any])?.count, 2)
  }

  func testCopiesAndLazyReadsPreserveUntypedCollections() throws {
    let (bag, thing) = (Bag(), Thing())
    bag.info = ["list": [thing, ["thing": thing] as [String: Any]] as [Any]]
    let copy = try ObjectGraph.copy(bag)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(bag, copy))
    let part = try LazyArchive(bytes: Archiver().archive(bag)).object(Bag.self)
    for found in [copy, part] {
      let list = try XCTUnwrap(found.info["list"] as? [Any])
      XCTAssertTrue((list[1] as? [String: Any])?["thing"] as AnyObject === list[0] as AnyObject)
    }
    thing.number = 2
    XCTAssertFalse(try ObjectGraph.isIsomorphic(bag, copy))
  }

  func testUnknownPartsAreOmittedAndPreserved() throws {
    let bag = Bag()
    bag.info = ["list": [1, OldMark.gone, "x", OldMark.here] as [Any], "gone": OldMark.gone]
    let bytes = try Archiver().archive(bag)
    let classes = try ClassTable(declaring: Int.self, String.self, NewMark.self)
    try classes.register([Any].self)
    let content = PreservedContent()
    for (policy, isKept) in [(UnknownContentPolicy.leaveOut, false), (.preserve(in: content), true)] {
      let new = try Unarchiver(classes: classes, unknownContent: policy).unarchive(Bag.self, from: bytes)
      XCTAssertEqual((new.info["list"] as? [Any])?.map { "\($0)" }, ["1", "x", "here"])
      XCTAssertEqual(new.info.count, 1)
      guard isKept else { continue }
      let marks = try ClassTable(declaring: Int.self, String.self, OldMark.self)
      try marks.register([Any].self)
      let back = try Unarchiver(classes: marks).unarchive(
        Bag.self, from: Archiver(preserving: content).archive(new))
      XCTAssertEqual((back.info["list"] as? [Any])?.map { "\($0)" }, ["1", "gone", "x", "here"])
      XCTAssertEqual(back.info["gone"] as? OldMark, .gone)
    }
  }

  private func typeName(_ value: Any?) -> String { value.map { "\(type(of: $0))" } ?? "nil" }
}

// MARK: - Types

@Archivable private final class Bag {
  @Boxed var info: [String: Any] = [:]
  @Boxed var list: [Any] = []
  @Boxed var keyed: [AnyHashable: Any] = [:]
  var key: AnyHashable = 0
}
@Archivable private final class Thing { var number = 1 }
@Archivable private struct ErasedCorner: Hashable { var x: Int }
@Archivable private final class Token: HashedByIdentity {
}
private struct Unmarked {}
@Archivable("ErasedMark") private enum OldMark { case here, gone }
@Archivable("ErasedMark") private enum NewMark { case here }
