import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

@Archivable("SharedTwo") private final class SharedTwo {
  @Key(json: "v") var a: String?
  @Key(json: "v") var b: String?
  var c: Int?
  @Key(json: "v") var d: String?
}

@Archivable("SharedMarked") private final class SharedMarked {
  @Key(json: "name") var a: String?
  var name: String?
}

@Archivable("SharedUnmarked") private final class SharedUnmarked {
  var name: String?
  @Key(json: "name") var a: String?
}

@Archivable("SharedPath") private final class SharedPath {
  @Key(json: "a.v") var x: Int?
  @Key(json: "a.v") var y: Int?
  @Key(json: "a.w.z") var z: Int?
}

@Archivable("SharedInitial") private final class SharedInitial {
  @Key(json: "v") var a: String?
  @Key(json: "v") var b: String? = "b"
}

@Archivable("SharedKinds") private final class SharedKinds {
  @Key(json: "v") var number: Int?
  @Key(json: "v") var text: String?
  @Key(json: "v") var list: [Int] = []
}

@Archivable("SharedBase") private class SharedBase { var id: Int? }
@Archivable("SharedDerived") private final class SharedDerived: SharedBase {
  @Key(json: "id") var number: Int?
}

@Archivable("SharedFields") private struct SharedFields: Equatable {
  @Key(json: "v") var a: String?
  @Key(json: "v") var b: String?
  @Key(json: "p.q") var c: Int?
}

@Archivable("SharedHolder") private final class SharedHolder {
  @JSONRule(.embedded) var own = SharedFields()
  var v: String?
  var one: SharedFields?
  var all: [SharedFields] = []
  var byName: [String: SharedFields] = [:]
}

/// A structure with nested values of its own type between two fields with one name in JSON.
@Archivable("SharedTree") private struct SharedTree: Equatable {
  @Key(json: "v") var a: Int?
  var trees: [SharedTree] = []
  @Key(json: "v") var b: Int?
}

@Archivable("SharedForest") private final class SharedForest {
  @JSONRule(.embedded) var tree = SharedTree()
  var name = ""
}

@Archivable("SharedLeaf") private indirect enum SharedLeaf: Equatable {
  case leaf
  case node(z: Int, next: SharedLeaf, a: Int)
}

@Archivable("SharedLeaves") private struct SharedLeaves: Equatable {
  @JSONFormat(.tagged(by: "kind")) var leaf = SharedLeaf.leaf
}

@Archivable("SharedCustom") private final class SharedCustom {
  @Key(json: "v") @JSONFormat(.custom(read: { $0 }, write: { _ in "first" })) var a: String?
  @Key(json: "v") @JSONFormat(.custom(read: { $0 }, write: { _ in "second" })) var b: String?
}

@Archivable("SharedNode") private final class SharedNode: ModelIdentifiable {
  var id = 0
  @Key(json: "next") var left: SharedNode?
  @Key(json: "next") var right: SharedNode?
  var other: SharedNode?
  init(_ id: Int) { self.id = id }
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable("SharedEmpty") private final class SharedEmpty {
  @Key(json: "a.b") var b: Int?
  @Key(json: "a.c.d") var d: Int?
  var e = 1
  @Key(json: "f.g") var g: Int?
}

/// Several properties with one path, and properties in nested objects.
final class SharedMemberTests: XCTestCase {
  private func two(_ a: String?, _ b: String?, _ d: String? = nil) -> SharedTwo {
    let two = SharedTwo()
    (two.a, two.b, two.c, two.d) = (a, b, 1, d)
    return two
  }

  private func marked(_ a: String?, _ name: String?) -> SharedMarked {
    let marked = SharedMarked()
    (marked.a, marked.name) = (a, name)
    return marked
  }

  private func unmarked(_ name: String?, _ a: String?) -> SharedUnmarked {
    let unmarked = SharedUnmarked()
    (unmarked.name, unmarked.a) = (name, a)
    return unmarked
  }

  private func path(_ x: Int?, _ y: Int?, _ z: Int?) -> SharedPath {
    let path = SharedPath()
    (path.x, path.y, path.z) = (x, y, z)
    return path
  }

  private func kinds(_ number: Int?, _ text: String?) -> SharedKinds {
    let kinds = SharedKinds()
    (kinds.number, kinds.text, kinds.list) = (number, text, [5])
    return kinds
  }

  /// Asserts that every method of writing writes the same members, and that strict and lenient readers accept
  /// them.
  private func check<Object: Archivable>(
    _ object: Object, _ expected: String, nulls: ModelWriter.NullWriting = .whereNeeded,
    isReadable: Bool = true, line: UInt = #line
  ) throws {
    let expectedValue = try JSONValue(parsing: expected)
    XCTAssertEqual(try ModelWriter(nulls: nulls).text(of: object), expected, line: line)
    for references: ModelReferences in [[], .marked, .identified, [.marked, .identified]] {
      for (isPretty, sortsKeys) in [(false, false), (true, false), (false, true), (true, true)] {
        let writer = ModelWriter(
          isPretty: isPretty, sortsKeys: sortsKeys, nulls: nulls, references: references)
        let text = try writer.text(of: object)
        XCTAssertEqual(try writer.value(of: object), expectedValue, line: line)
        XCTAssertEqual(try JSONValue(parsing: text), expectedValue, text, line: line)
        if sortsKeys {
          var sorted = JSONWriter(isPretty: isPretty)
          sorted.value(expectedValue, sortsKeys: true)
          XCTAssertEqual(text, sorted.text, line: line)
        }
        if references.isEmpty {
          XCTAssertEqual(
            try writer.value(of: [object, object]), [expectedValue, expectedValue], line: line)
        }
        guard isReadable else { continue }
        for reader in [ModelReader(references: references), ModelReader(.lenient, references: references)] {
          let (read, issues) = try reader.readWithIssues(Object.self, from: text)
          XCTAssertTrue(issues.isEmpty, "\(issues)", line: line)
          XCTAssertEqual(try writer.text(of: read), text, "what was read is written", line: line)
        }
      }
    }
  }

  func testSharedMemberContainsFirstNonNilProperty() throws {
    try check(two("A", "B"), #"{"v":"A","c":1}"#)
    try check(two("A", nil), #"{"v":"A","c":1}"#)
    try check(two(nil, "B", "D"), #"{"v":"B","c":1}"#)
    let last = two(nil, nil, "D")
    XCTAssertEqual(try ModelWriter().value(of: last), ["v": "D", "c": 1])
    try check(two(nil, nil), #"{"c":1}"#)
    try check(two(nil, nil), #"{"c":1,"v":null}"#, nulls: .written)
    try check(two(nil, "B"), #"{"v":"B","c":1}"#, nulls: .written)
    let read = try SharedTwo(json: ModelWriter().text(of: two(nil, "B")))
    XCTAssertEqual([read.a, read.b, read.d], ["B", "B", "B"])
  }

  func testPropertyWithoutAttributeCanShareItsMember() throws {
    try check(marked("A", nil), #"{"name":"A"}"#)
    try check(marked(nil, "N"), #"{"name":"N"}"#)
    try check(marked("A", "N"), #"{"name":"A"}"#)
    try check(marked(nil, nil), "{}")
    try check(marked(nil, nil), #"{"name":null}"#, nulls: .written)
    try check(unmarked("N", "A"), #"{"name":"N"}"#)
    try check(unmarked(nil, "A"), #"{"name":"A"}"#)
    let derived = SharedDerived()
    try check(derived, "{}")
    derived.number = 2
    try check(derived, #"{"id":2}"#)
    derived.id = 1
    try check(derived, #"{"id":1}"#)
  }

  func testPropertiesCanShareANestedMember() throws {
    try check(path(nil, 2, 3), #"{"a":{"v":2,"w":{"z":3}}}"#)
    try check(path(1, 2, nil), #"{"a":{"v":1}}"#)
    try check(path(nil, nil, 3), #"{"a":{"w":{"z":3}}}"#)
    try check(path(nil, nil, nil), "{}")
    try check(path(nil, nil, nil), #"{"a":{"v":null,"w":{"z":null}}}"#, nulls: .written)
  }

  func testNullIsWrittenDespiteAnInitialValue() throws {
    let initial = SharedInitial()
    try check(initial, #"{"v":"b"}"#)
    initial.b = nil
    try check(initial, #"{"v":null}"#)
    try check(initial, "{}", nulls: .omitted, isReadable: false)
    XCTAssertNil(try SharedInitial(json: initial.json()).b)
  }

  func testPropertiesSharingAMemberMayDifferInType() throws {
    try check(kinds(1, "t"), #"{"v":1}"#, isReadable: false)
    try check(kinds(nil, "t"), #"{"v":"t"}"#, isReadable: false)
    try check(kinds(nil, nil), #"{"v":[5]}"#, isReadable: false)
    XCTAssertThrowsError(try SharedKinds(json: #"{"v":1}"#), "every property is read from the member")
  }

  func testFieldsOfAStructureCanShareAMember() throws {
    let holder = SharedHolder()
    try check(holder, #"{"all":[],"byName":{}}"#)
    holder.v = "V"
    try check(holder, #"{"v":"V","all":[],"byName":{}}"#)
    holder.own.b = "B"
    holder.own.c = 1
    try check(holder, #"{"v":"B","p":{"q":1},"all":[],"byName":{}}"#)
    holder.one = SharedFields(b: "1")
    holder.all = [SharedFields(a: "2", b: "3"), SharedFields(), SharedFields(c: 4)]
    holder.byName = ["x": SharedFields(b: "5")]
    try check(
      holder,
      #"{"v":"B","p":{"q":1},"one":{"v":"1"},"all":[{"v":"2"},{},{"p":{"q":4}}],"byName":{"x":{"v":"5"}}}"#)
    XCTAssertEqual(
      try ModelWriter(nulls: .written).text(of: SharedFields()), #"{"v":null,"p":{"q":null}}"#)
    XCTAssertEqual(try [SharedFields](json: [SharedFields(b: "5")].json()), [SharedFields(a: "5", b: "5")])
  }

  func testFieldsOfRecursiveStructureCanShareAMember() throws {
    let tree = SharedTree(
      trees: [SharedTree(a: 1, b: 2), SharedTree(trees: [SharedTree(b: 4)], b: 3), SharedTree()], b: 5)
    let text = #"{"trees":[{"v":1,"trees":[]},{"trees":[{"trees":[],"v":4}],"v":3},{"trees":[]}],"v":5}"#
    XCTAssertEqual(try tree.json(), text)
    XCTAssertEqual(
      try tree.json(sortsKeys: true),
      #"{"trees":[{"trees":[],"v":1},{"trees":[{"trees":[],"v":4}],"v":3},{"trees":[]}],"v":5}"#)
    let read = try SharedTree(json: text)
    XCTAssertEqual(read.trees.map(\.a), [1, 3, nil])
    XCTAssertEqual(read.trees.map(\.b), [1, 3, nil])
    XCTAssertEqual(read.trees[1].trees, [SharedTree(a: 4, b: 4)])
  }

  func testSortingKeysPreservesFieldsOfRecursiveStructures() throws {
    let forest = SharedForest()
    forest.tree = SharedTree(a: 1, trees: [SharedTree(a: 2), SharedTree(b: 3)])
    forest.name = "n"
    XCTAssertEqual(try forest.json(), #"{"v":1,"trees":[{"v":2,"trees":[]},{"trees":[],"v":3}],"name":"n"}"#)
    let sorted = #"{"name":"n","trees":[{"trees":[],"v":2},{"trees":[],"v":3}],"v":1}"#
    XCTAssertEqual(try forest.json(sortsKeys: true), sorted)
    XCTAssertEqual(try SharedForest(json: sorted).json(sortsKeys: true), sorted)
    let leaves = SharedLeaves(leaf: .node(z: 1, next: .node(z: 2, next: .leaf, a: 3), a: 4))
    let text =
      #"{"leaf":{"kind":"node","a":4,"next":{"kind":"node","a":3,"next":{"kind":"leaf"},"z":2},"z":1}}"#
    XCTAssertEqual(try leaves.json(sortsKeys: true), text)
    XCTAssertEqual(try SharedLeaves(json: text), leaves)
  }

  func testPropertiesWithCustomFormatsCanShareAMember() throws {
    let custom = SharedCustom()
    try check(custom, "{}")
    custom.b = "b"
    try check(custom, #"{"v":"second"}"#, isReadable: false)
    custom.a = "a"
    try check(custom, #"{"v":"first"}"#, isReadable: false)
  }

  func testReferencePropertiesCanShareAMember() throws {
    let (node, left, right) = (SharedNode(1), SharedNode(2), SharedNode(3))
    node.right = right
    XCTAssertEqual(try node.json(), #"{"id":1,"next":{"id":3}}"#)
    right.left = node
    node.other = left
    let marked = ModelWriter(references: .marked)
    XCTAssertEqual(
      try marked.text(of: node), #"{"$id":"1","id":1,"next":{"id":3,"next":{"$ref":"1"}},"other":{"id":2}}"#)
    node.left = left
    // The object of the second property is not written, so nothing refers to it.
    XCTAssertEqual(
      try marked.text(of: node), #"{"id":1,"next":{"$id":"1","id":2},"other":{"$ref":"1"}}"#)
    let read = try ModelReader(references: .marked).read(SharedNode.self, from: marked.text(of: node))
    XCTAssertTrue(read.left === read.other && read.right === read.other)
    XCTAssertEqual(
      try ModelWriter(references: .identified).text(of: node),
      #"{"id":1,"next":{"id":2},"other":{"id":2}}"#)
    right.left = nil
  }

  func testNestedMemberWithOnlyNilPropertiesIsOmitted() throws {
    let empty = SharedEmpty()
    try check(empty, #"{"e":1}"#)
    try check(empty, #"{"a":{"b":null,"c":{"d":null}},"e":1,"f":{"g":null}}"#, nulls: .written)
    empty.d = 2
    try check(empty, #"{"a":{"c":{"d":2}},"e":1}"#)
    empty.g = 3
    try check(empty, #"{"a":{"c":{"d":2}},"e":1,"f":{"g":3}}"#)
    (empty.b, empty.d) = (0, nil)
    try check(empty, #"{"a":{"b":0},"e":1,"f":{"g":3}}"#)
  }
}
