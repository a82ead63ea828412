import Arc
import ArcTestSupport
import XCTest

final class GraphDifferenceTests: XCTestCase {
  /// A change of `Vertex.everything()`, the path of the difference, and the values of both graphs.
  private struct Change {
    let path: String
    let first: String
    let second: String
    let make: (Vertex) -> Void

    init(_ path: String, _ first: String, _ second: String, _ make: @escaping (Vertex) -> Void) {
      (self.path, self.first, self.second, self.make) = (path, first, second, make)
    }
  }

  /// The object that many changes concern, under a short name.
  private static func one(_ root: Vertex) -> Vertex { root.children[0] }
  private static func two(_ root: Vertex) -> Vertex { root.children[1] }

  private static var changes: [Change] {
    [
      Change("root.name", #""root""#, #""new""#) { $0.name = "new" },
      Change("root.number", "0.0", "-0.0") { $0.number = -0.0 },
      Change("root.number", "0.0", "nan") { $0.number = .nan },
      Change("root.children[1].extra", "7", "8") { ($0.children[1] as? SubVertex)?.extra = 8 },
      Change("root.children[0].left", "the same object as root.children[1]", "another object") {
        one($0).left = SubVertex("two")
      },
      Change(
        "root.children[0].right", "the same object as root.children[2]", "the same object as root.children[1]"
      ) { one($0).right = two($0) },
      Change("root.children[1].left", "the same object as root", "nil") { two($0).left = nil },
      Change("root.right", "nil", "an object of class 'Vertex'") { $0.right = one($0) },
      Change("root.children[0].home", "the same object as root", "the same object as root.children[1]") {
        one($0).home = two($0)
      },
      Change("root.children[0].parent", "the same object as root", "nil") { one($0).parent = nil },
      Change(
        "root.children[0].parent", "the same object as root", "the same object as root.children[2]"
      ) { one($0).parent = $0.children[2] },
      Change("root.children[3]", "nothing", "an object of class 'Vertex'") {
        $0.children.append(Vertex("four"))
      },
      Change("root.children[2]", "an object of class 'Vertex'", "nothing") { $0.children.removeLast() },
      Change(#"root.byName["two"]"#, "an object of class 'SubVertex'", "nothing") { $0.byName["two"] = nil },
      Change(#"root.byName["new"]"#, "nothing", "an object of class 'Vertex'") {
        $0.byName["new"] = Vertex("")
      },
      Change(#"root.byName["other"].name"#, #""other""#, #""another""#) {
        $0.byName["other"]?.name = "another"
      },
      Change(#"root.counts["x"]"#, "1", "3") { $0.counts["x"] = 3 },
      Change(#"root.counts["x"]"#, "1", "nothing") { $0.counts = ["y": 2, "z": 1] },
      Change("root.tags", #"also "b""#, #"also "d", "e""#) { $0.tags = ["a", "c", "d", "e"] },
      Change("root.tags", "nothing else", #"also "d""#) { $0.tags.insert("d") },
      Change("root.content.number", "1.5", "2.5") { $0.content = Amount(number: 2.5, vertex: two($0)) },
      Change("root.content.vertex", "the same object as root.children[1]", "nil") {
        $0.content = Amount(number: 1.5)
      },
      Change("root.content", "an object of class 'Amount'", "an object of class 'Picture'") {
        $0.content = Picture("a")
      },
      Change("root.contents[0].title", #""cover""#, #""back""#) {
        ($0.contents[0] as? Picture)?.title = "back"
      },
      Change("root.contents[0]", "an object of class 'Picture'", "an object of class 'Amount'") {
        $0.contents.swapAt(0, 1)
      },
      Change("root.pair.observer", "the same object as root.children[2]", "nil") { $0.pair.observer = nil },
      Change("root.shape.circle.radius", "2.0", "3.0") { $0.shape = .circle(radius: 3) },
      Change("root.shape", ".circle(radius: 2.0)", ".empty") { $0.shape = .empty },
      Change("root.children[0].shape.named", "the same object as root.children[2]", "the same object as root")
      {
        one($0).shape = .named($0)
      },
      Change("root.depth", ".some(nil)", "nil") { $0.depth = nil },
      Change("root.depth", ".some(nil)", "3") { $0.depth = 3 },
      Change("root.members", "nothing else", "also an object of class 'Fellow'") {
        $0.members.insert(Fellow("Dan"))
      },
      Change("root.members", "also an object of class 'Fellow'", "nothing else") {
        $0.members = $0.members.filter { $0.name != "Cy" }
      },
      Change("root.members[1].name", #""Bob""#, #""Bobby""#) {
        for member in $0.members where member.name == "Bob" { member.name = "Bobby" }
      },
      Change("root.members[2].vertex.children[0].name", #""innermost""#, #""changed""#) {
        for member in $0.members where member.name == "Cy" { member.vertex?.children[0].name = "changed" }
      },
    ]
  }

  func testDifferenceReportsEachSingleChange() throws {
    for change in RandomTrials.sample(of: Self.changes, oneIn: 12) {
      let (root, changed) = (Vertex.everything(), Vertex.everything())
      XCTAssertNil(try ObjectGraph.difference(between: root, and: changed))
      change.make(changed)
      XCTAssertFalse(try ObjectGraph.isIsomorphic(root, changed))
      let found = try XCTUnwrap(ObjectGraph.difference(between: root, and: changed))
      XCTAssertEqual(
        "\(found)",
        "\(change.path): \(change.first) in the first graph, \(change.second) in the second")
      let reverse = try XCTUnwrap(ObjectGraph.difference(between: changed, and: root))
      if found.path == reverse.path {
        XCTAssertEqual([reverse.first, reverse.second], [change.second, change.first], change.path)
      }
      for graph in [root, changed] { try ObjectGraph.release(graph) }
    }
  }

  func testDifferencesAreListedUpToALimit() throws {
    let (root, other) = (Vertex("root"), Vertex("root"))
    (root.left, root.right) = (Vertex("a"), Vertex("b"))
    (other.left, other.right) = (Vertex("x"), Vertex("y"))
    root.left?.left = Vertex("same")
    other.left?.left = Vertex("same")
    let expected = [
      #"root.left.name: "a" in the first graph, "x" in the second"#,
      #"root.right.name: "b" in the first graph, "y" in the second"#,
    ]
    XCTAssertEqual(try ObjectGraph.differences(between: root, and: other).map(\.description), expected)
    XCTAssertEqual(
      try ObjectGraph.differences(between: root, and: other, limit: 1).map(\.description), [expected[0]])
    XCTAssertEqual(try ObjectGraph.differences(between: root, and: other, limit: 0), [])
    XCTAssertEqual(try ObjectGraph.differences(between: root, and: ObjectGraph.copy(root)), [])
    XCTAssertEqual(try ObjectGraph.difference(between: root, and: other)?.description, expected[0])
  }

  func testEqualButDifferentlySharedGraphsDiffer() throws {
    let shared = Vertex("leaf")
    let root = Vertex("root")
    let other = Vertex("root")
    (root.left, root.right) = (shared, shared)
    (other.left, other.right) = (Vertex("leaf"), Vertex("leaf"))
    let found = try XCTUnwrap(ObjectGraph.difference(between: root, and: other))
    XCTAssertEqual(
      "\(found)", "root.right: the same object as root.left in the first graph, another object in the second")
    XCTAssertFalse(try ObjectGraph.isIsomorphic(other, root))
  }

  func testCyclesOfDifferentLengthsDiffer() throws {
    func ring(_ count: Int) -> ChainNode {
      let nodes = (0..<count).map { _ in ChainNode(1) }
      for index in nodes.indices { nodes[index].next = nodes[(index + 1) % count] }
      return nodes[0]
    }
    let (four, five, same) = (ring(4), ring(5), ring(4))
    XCTAssertTrue(try ObjectGraph.isIsomorphic(four, same))
    let found = try XCTUnwrap(ObjectGraph.difference(between: four, and: five))
    XCTAssertEqual(found.path, "root.next.next.next.next")
    XCTAssertEqual([found.first, found.second], ["the same object as root", "another object"])
    for ring in [four, five, same] { try ObjectGraph.release(ring) }
  }

  func testOrderMattersInArraysButNotInSets() throws {
    XCTAssertTrue(try ObjectGraph.isIsomorphic(Set(1...100), Set((1...100).reversed())))
    XCTAssertTrue(try ObjectGraph.isIsomorphic(["a": 1, "b": 2], ["b": 2, "a": 1]))
    let found = try XCTUnwrap(ObjectGraph.difference(between: [1, 2, 3], and: [1, 3, 2]))
    XCTAssertEqual("\(found)", "root[1]: 2 in the first graph, 3 in the second")
  }

  func testNumbersAreComparedBitByBit() throws {
    XCTAssertTrue(try ObjectGraph.isIsomorphic([Double.nan], [Double.nan]))
    XCTAssertFalse(try ObjectGraph.isIsomorphic([0.0], [-0.0]))
    XCTAssertEqual(try ObjectGraph.difference(between: [0.0], and: [-0.0])?.second, "-0.0")
    XCTAssertFalse(try ObjectGraph.isIsomorphic("\u{E9}", "e\u{301}"))
    XCTAssertNotNil(try ObjectGraph.difference(between: "\u{E9}", and: "e\u{301}"))
  }

  /// Objects in sets have no order.
  func testObjectsInSetsAreMatchedByTheirValues() throws {
    func graph(_ names: [String]) -> Vertex {
      let root = Vertex("root")
      root.members = Set(names.map { Fellow($0, Vertex("of " + $0)) })
      return root
    }
    let names = (0..<60).map { "name \($0)" }
    XCTAssertNil(try ObjectGraph.difference(between: graph(names), and: graph(names.shuffled())))
    let found = try XCTUnwrap(
      ObjectGraph.difference(between: graph(names), and: graph(names.dropLast() + ["a"])))
    XCTAssertTrue(found.path.hasPrefix("root.members["), found.path)
    XCTAssertTrue(found.path.hasSuffix("].name"), found.path)
    XCTAssertEqual([found.first, found.second], [#""name 59""#, #""a""#])
    let several = try XCTUnwrap(
      ObjectGraph.difference(between: graph(names), and: graph(names.dropLast(2) + ["a", "b", "c"])))
    XCTAssertEqual(several.path, "root.members")
    XCTAssertTrue(several.first.hasPrefix("also an object of class 'Fellow'"), several.first)
  }

  func testObjectKeysAreMatchedByTheirValues() throws {
    let (root, other) = (Vertex.everything(), Vertex.everything())
    for (member, vertex) in other.owners where member.name == "Bob" { vertex.number = 9 }
    let found = try XCTUnwrap(ObjectGraph.difference(between: root, and: other))
    XCTAssertEqual("\(found)", "root.children[2].number: 0.0 in the first graph, 9.0 in the second")
    for graph in [root, other] { try ObjectGraph.release(graph) }
  }

  func testRootsOfDifferentClassesDiffer() throws {
    let found = try XCTUnwrap(ObjectGraph.difference(between: Vertex("a"), and: SubVertex("a") as Vertex))
    XCTAssertEqual(found.path, "root")
    XCTAssertEqual(
      [found.first, found.second], ["an object of class 'Vertex'", "an object of class 'SubVertex'"])
  }

  func testDifferencesInRecursiveValuesAreFound() throws {
    let one = try XCTUnwrap(ObjectGraph.difference(between: nested(20), and: nested(21)))
    XCTAssertTrue(one.path.hasPrefix("root.children[0].children[0]"), one.path)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(nested(10_000), nested(10_000)))
    assertThrows(.limitExceeded) { try ObjectGraph.difference(between: nested(9_999), and: nested(10_000)) }
  }

  private func nested(_ depth: Int) -> Nested {
    var value = Nested()
    for _ in 0..<depth { value = Nested(children: [value]) }
    return value
  }

  func testUnarchivableGraphIsAnError() throws {
    let (node, home) = (Vertex("node"), Vertex("home"))
    node.home = home
    assertThrows(.unownedTarget) { try ObjectGraph.isIsomorphic(node, node) }
    assertThrows(.unownedTarget) { try ObjectGraph.difference(between: node, and: node) }
  }

  func testNilRootDiffersFromAnObject() throws {
    XCTAssertEqual(
      try ObjectGraph.difference(between: Vertex?.none, and: Vertex("a"))?.description,
      "root: nil in the first graph, an object of class 'Vertex' in the second")
  }
}

@Archivable private struct Nested {
  var children: [Nested] = []
}
