import Arc
import ArcArchive
import ArcTestSupport
import XCTest

/// Graphs that differ only in their last object.
final class LateDifferenceTests: XCTestCase {
  /// The number of nodes. It must be a multiple of 12, because the properties of the last node depend on its
  /// number.
  private static let count = RandomTrials.size(usually: 120, exhaustively: 600)
  private static let last = count - 1
  /// A string that makes the nodes fill several segments.
  private static let longText = String(
    repeating: "-", count: RandomTrials.size(usually: 16_000, exhaustively: 4_000))
  /// The sample of changes for nodes that fill several segments.
  private lazy var longTrials = TrialSample(oneIn: 8)

  /// Returns all nodes. Each node contains `spacing`. If it is long, the nodes fill several segments.
  private func nodes(_ spacing: String) -> [LateNode] {
    let nodes = (0..<Self.count).map { index in
      let node = LateNode(index)
      node.name = "node \(index % 50)"
      node.note = index % 3 == 0 ? nil : "\(index)" + spacing
      node.numbers = Array(0..<index % 4)
      node.words = (0..<index % 3).map { "word \($0)" }
      node.tags = Set(node.words)
      node.counts = ["count": index]
      node.shape = index % 2 == 0 ? .number(index) : .named("shape", by: nil)
      node.pair = LatePair(one: index)
      return node
    }
    nodes[0].children = Array(nodes[1...])
    for index in 1..<Self.count {
      nodes[index].left = nodes[(index * 7 + 1) % Self.count]
      nodes[index].boss = nodes[index / 3]
    }
    return nodes
  }

  /// Changes the last object of a copy of the nodes. Returns the difference, and asserts that a comparison of
  /// all objects finds the same difference.
  private func found(
    _ spacing: String? = nil, line: UInt = #line,
    _ change: (_ last: LateNode, _ nodes: [LateNode]) -> Void
  ) throws -> String {
    let spacing = spacing ?? (longTrials.includesNext() ? Self.longText : "")
    let (one, other) = (nodes(spacing), nodes(spacing))
    change(other[Self.last], other)
    let found = try XCTUnwrap(ObjectGraph.difference(between: one[0], and: other[0]), line: line)
    XCTAssertEqual(
      try files(one[0], other[0]).differences(atMost: 1, skipsEqualRows: false), [found], line: line)
    for graph in [one[0], other[0]] { try ObjectGraph.release(graph) }
    let path = "root.children[\(Self.last - 1)]"
    XCTAssertTrue(found.path.hasPrefix(path), found.path, line: line)
    return "\(found.path.dropFirst(path.count)): \(found.first) | \(found.second)"
  }

  private func files(_ one: LateNode, _ other: LateNode) throws -> GraphComparison {
    let archiver = Archiver(isCanonical: true)
    return GraphComparison(
      try ArchiveFile(bytes: archiver.archive(one)), try ArchiveFile(bytes: archiver.archive(other)))
  }

  func testNumbersOfTheLastObjectAreCompared() throws {
    XCTAssertEqual(try found { last, _ in last.number = -1 }, ".number: \(Self.last) | -1")
    XCTAssertEqual(try found { last, _ in last.number = 1 << 40 }, ".number: \(Self.last) | \(1 << 40)")
    XCTAssertEqual(try found { last, _ in last.small = -128 }, ".small: 0 | -128")
    XCTAssertEqual(try found { last, _ in last.ratio = .nan }, ".ratio: 0.5 | nan")
    XCTAssertEqual(try found { last, _ in last.isOn = true }, ".isOn: false | true")
  }

  func testStringsOfTheLastObjectAreCompared() throws {
    let name = #""node \#(Self.last % 50)""#
    XCTAssertEqual(try found { last, _ in last.name = "new" }, #".name: \#(name) | "new""#)
    XCTAssertEqual(try found { last, _ in last.name = "node 3" }, #".name: \#(name) | "node 3""#)
    XCTAssertEqual(try found("") { last, _ in last.note = nil }, #".note: "\#(Self.last)" | nil"#)
    XCTAssertEqual(try found("") { last, _ in last.note = "1" }, #".note: "\#(Self.last)" | "1""#)
  }

  func testCollectionsOfTheLastObjectAreCompared() throws {
    XCTAssertEqual(try found { last, _ in last.numbers = [0, 1] }, ".numbers[2]: 2 | nothing")
    XCTAssertEqual(try found { last, _ in last.numbers = [0, 2, 1] }, ".numbers[1]: 1 | 2")
    XCTAssertEqual(try found { last, _ in last.words.append("word 0") }, #".words[2]: nothing | "word 0""#)
    XCTAssertEqual(
      try found { last, _ in last.tags = ["new", "word 1"] }, #".tags: also "word 0" | also "new""#)
    XCTAssertEqual(try found { last, _ in last.counts["count"] = 0 }, #".counts["count"]: \#(Self.last) | 0"#)
    XCTAssertEqual(try found { last, _ in last.counts["new"] = 0 }, #".counts["new"]: nothing | 0"#)
  }

  func testPayloadsAndFieldsOfLastObjectAreCompared() throws {
    XCTAssertEqual(
      try found { last, _ in last.shape = .named("new", by: nil) }, #".shape.named.0: "shape" | "new""#)
    XCTAssertEqual(
      try found { last, nodes in last.shape = .named("shape", by: nodes[7]) },
      ".shape.named.by: nil | the same object as root.children[6]")
    XCTAssertEqual(
      try found { last, _ in last.shape = .nested([.number(1)]) },
      #".shape: .named("shape", by: nil) | .nested([.number(1)])"#)
    XCTAssertEqual(try found { last, _ in last.pair.one = 3 }, ".pair.one: \(Self.last) | 3")
  }

  func testReferencesOfTheLastObjectAreCompared() throws {
    let left = "root.children[\((Self.last * 7 + 1) % Self.count - 1)]"
    let boss = "root.children[\(Self.last / 3 - 1)]"
    XCTAssertEqual(
      try found { last, nodes in last.left = nodes[5] },
      ".left: the same object as \(left) | the same object as root.children[4]")
    XCTAssertEqual(
      try found { last, _ in last.left = LateNode() },
      ".left: the same object as \(left) | another object")
    XCTAssertEqual(try found { last, _ in last.left = nil }, ".left: the same object as \(left) | nil")
    XCTAssertEqual(
      try found { last, nodes in last.boss = nodes[5] },
      ".boss: the same object as \(boss) | the same object as root.children[4]")
    XCTAssertEqual(try found { last, _ in last.boss = nil }, ".boss: the same object as \(boss) | nil")
    XCTAssertEqual(
      try found { last, nodes in last.children = [last] },
      ".children[0]: nothing | an object of class 'LateNode'")
  }

  func testNestedClassAddedToLastObjectIsFound() throws {
    XCTAssertEqual(
      try found { last, _ in last.pair.leaf = LateLeaf("new") },
      ".pair.leaf: nil | an object of class 'LateLeaf'")
  }

  func testObjectAddedAtTheEndIsFound() throws {
    let (one, other) = (nodes(Self.longText), nodes(Self.longText))
    other[0].children.append(LateNode())
    let found = try XCTUnwrap(ObjectGraph.difference(between: one[0], and: other[0]))
    XCTAssertEqual(
      "\(found)",
      "root.children[\(Self.last)]: nothing in the first graph, an object of class 'LateNode' in the second")
    for graph in [one[0], other[0]] { try ObjectGraph.release(graph) }
  }

  /// Skipping equal rows gives the same result as comparing them one by one.
  func testSkippingEqualRowsDoesNotChangeTheResult() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 3, exhaustively: 100) {
      let seed = UInt64.random(in: 0 ... .max, using: &random)
      var (same, again) = (SplitMix64(seed: seed), SplitMix64(seed: seed))
      let (one, other) = (LateNode.random(&same), LateNode.random(&again))
      XCTAssertNil(try ObjectGraph.difference(between: one[0], and: other[0]), "graph \(seed)")
      other[Int.random(in: 0..<other.count, using: &random)].change(other, &random)
      let found = try ObjectGraph.difference(between: one[0], and: other[0])
      XCTAssertEqual(found == nil, try ObjectGraph.isIsomorphic(one[0], other[0]), "graph \(seed)")
      let slow = try files(one[0], other[0]).differences(atMost: 1000, skipsEqualRows: false)
      let fast = try files(one[0], other[0]).differences(atMost: 1000)
      XCTAssertEqual(fast, slow, "graph \(seed)")
      XCTAssertEqual([found].compactMap { $0 }, Array(slow.prefix(1)), "graph \(seed)")
      for graph in one + other { try ObjectGraph.release(graph) }
    }
  }
}
