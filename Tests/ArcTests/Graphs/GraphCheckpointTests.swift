import Arc
import ArcFormat
import ArcTestSupport
import XCTest

@Archivable private class CheckedNode {
  var name = ""
  var weight = 0.0
  var tags: [String] = []
  var next: CheckedNode?
  var children: [CheckedNode] = []
  weak var parent: CheckedNode?
  var style = CheckedStyle()
  var any: (any CheckedShape)?
  @Transient var selection = 0
  let constant: Int
  init(_ name: String, constant: Int = 0) { (self.name, self.constant) = (name, constant) }
}

private protocol CheckedShape: ArchivableValue {}
@Archivable private struct CheckedSquare: CheckedShape, Equatable { var side = 1 }
@Archivable private struct CheckedStyle {
  var width = 1
  var node: CheckedNode?
}

@Archivable private final class ObservedNode: CheckedNode {
  @Transient var log: [String] = []
  var minimum = 0 {
    didSet {
      log.append("minimum \(oldValue) -> \(minimum)")
      if maximum < minimum { maximum = minimum }
    }
  }
  var maximum = 10 {
    didSet {
      log.append("maximum \(oldValue) -> \(maximum)")
      if minimum > maximum { minimum = maximum }
    }
  }
  override var weight: Double {
    get { super.weight * 2 }
    set { super.weight = newValue * 3 }
  }
}

@Archivable private final class UnownedNode {
  unowned var owner: CheckedNode
  init(_ owner: CheckedNode) { self.owner = owner }
}

private final class HandWrittenNode: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(HandWrittenNode.self, name: "HandWrittenNode") }
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {}
}

final class GraphCheckpointTests: XCTestCase {
  private func graph() -> CheckedNode {
    let root = CheckedNode("root", constant: 7)
    root.children = [CheckedNode("a"), CheckedNode("b")]
    root.children[0].parent = root
    root.next = root
    root.style = CheckedStyle(width: 2, node: root.children[1])
    root.any = CheckedSquare(side: 3)
    (root.weight, root.tags) = (-0.0, ["x"])
    return root
  }

  func testCheckpointRestoresValuesOfExistingObjects() throws {
    let root = graph()
    let (a, b) = (root.children[0], root.children[1])
    let before = try ObjectGraph.copy(root)
    let checkpoint = try GraphCheckpoint(of: root)
    XCTAssertEqual(checkpoint.objectCount, 3)

    (root.name, root.weight, root.tags, root.next) = ("changed", 0.0, ["x", "y"], nil)
    root.children = [CheckedNode("new")]
    root.style.node = nil
    root.any = nil
    root.selection = 5
    (a.name, a.parent, b.next) = ("lost", b, root)
    checkpoint.restore()

    XCTAssertNil(try ObjectGraph.difference(between: root, and: before))
    XCTAssertTrue(root.children[0] === a && root.children[1] === b && root.next === root && a.parent === root)
    XCTAssertTrue(root.style.node === b)
    XCTAssertEqual(root.weight.sign, .minus)
    XCTAssertEqual(root.selection, 5)
  }

  func testCheckpointsAreRestoredInAnyOrder() throws {
    let root = graph()
    var checkpoints: [(GraphCheckpoint, CheckedNode)] = []
    for step in 0..<4 {
      checkpoints.append((try GraphCheckpoint(of: root), try ObjectGraph.copy(root)))
      root.name = "step \(step)"
      root.children.append(CheckedNode("child \(step)"))
    }
    for (checkpoint, copy) in checkpoints.shuffled() + checkpoints {
      checkpoint.restore()
      XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
    }
  }

  func testObserversCannotChangeRestoredValues() throws {
    let node = ObservedNode("n")
    (node.minimum, node.maximum) = (2, 5)
    node.weight = 1
    let stored = try Archiver().archive(node)
    let checkpoint = try GraphCheckpoint(of: node)
    (node.maximum, node.minimum) = (30, 20)
    node.weight = 4
    node.log = []
    checkpoint.restore()
    XCTAssertEqual([node.minimum, node.maximum], [2, 5])
    XCTAssertEqual(try Archiver().archive(node), stored)
    XCTAssertFalse(node.log.isEmpty)
    node.log = []
    checkpoint.restore()
    XCTAssertEqual(node.log, [], "nothing has changed")
  }

  func testUnownedReferenceToAReleasedObjectIsRestored() throws {
    let owner = CheckedNode("owner")
    let node = UnownedNode(owner)
    let checkpoint = try GraphCheckpoint(of: CheckedPair(owner: owner, node: node))
    do {
      let other = CheckedNode("gone")
      node.owner = other
    }
    checkpoint.restore()
    XCTAssertTrue(node.owner === owner)
  }

  func testCheckpointOfHandWrittenClassIsRefused() {
    XCTAssertEqual(
      assertThrows(.notArchivable) { try GraphCheckpoint(of: HandWrittenNode()) }?.className,
      HandWrittenNode.archiveSchema.name)
  }

  func testLongChainCheckpointIsRestoredWithoutRecursion() throws {
    let count = RandomTrials.size(usually: 10_000, exhaustively: 20_000)
    let (root, last) = chain(of: count, { CheckedNode("\($0)") }, linking: { $0.next = $1 })
    try onSmallStack {
      let checkpoint = try GraphCheckpoint(of: root)
      last.name = "changed"
      checkpoint.restore()
      XCTAssertEqual(last.name, "\(count - 1)")
      try ObjectGraph.release(root)
    }
  }
}

@Archivable private struct CheckedPair {
  var owner: CheckedNode
  var node: UnownedNode
}
