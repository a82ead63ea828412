import Arc
import ArcModel
import ArcTestSupport
import XCTest

/// `==` of models returns the result of `ObjectGraph.isIsomorphic`, also if it compares without archives.
final class ModelEqualityTests: XCTestCase {
  func testRandomGraphsAreEqualOnlyIfIsomorphic() throws {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    var equalCount = 0
    let trialCount = RandomTrials.count(usually: 300)
    for trial in 0..<trialCount {
      let root = graph(&random, count: Int.random(in: 1...50, using: &random))
      let other = try ObjectGraph.copy(root)
      if Bool.random(using: &random) { change(other, &random) }
      let isSame = try ObjectGraph.isIsomorphic(root, other)
      XCTAssertEqual(root == other, isSame, "trial \(trial), seed \(seed)")
      XCTAssertEqual(other == root, isSame, "trial \(trial), seed \(seed)")
      if isSame { equalCount += 1 }
    }
    XCTAssertGreaterThan(equalCount, trialCount / 4)
    XCTAssertLessThan(equalCount, trialCount)
  }

  func testSharedObjectDiffersFromTwoEqualCopies() {
    let (shared, apart) = (EqualityNode(), EqualityNode())
    let child = EqualityNode()
    (shared.left, shared.right) = (child, child)
    (apart.left, apart.right) = (EqualityNode(), EqualityNode())
    XCTAssertNotEqual(shared, apart)
    XCTAssertNotEqual(apart, shared)
    apart.right = apart.left
    XCTAssertEqual(shared, apart)
  }

  func testCyclesOfDifferentLengthAreNotEqual() {
    let (one, two) = (EqualityNode(), EqualityNode())
    one.left = one
    two.left = EqualityNode()
    two.left?.left = two
    XCTAssertNotEqual(one, two)
    XCTAssertEqual(one.left, one)
  }

  func testNumbersAreComparedByTheirBits() {
    let (one, other) = (EqualityNode(), EqualityNode())
    (one.weight, other.weight) = (.nan, .nan)
    XCTAssertEqual(one, other)
    (one.weight, other.weight) = (0, -0.0)
    XCTAssertNotEqual(one, other)
  }

  func testNestedObjectsOfDifferentClassesAreNotEqual() {
    let (one, other) = (EqualityNode(), EqualityNode())
    (one.left, other.left) = (EqualityNode(), EqualityLeaf())
    XCTAssertNotEqual(one, other)
    one.left = EqualityLeaf()
    XCTAssertEqual(one, other)
    (other.left as? EqualityLeaf)?.color = "red"
    XCTAssertNotEqual(one, other)
  }

  func testSetsAndDictionariesAreEqualInAnyOrder() {
    let numbers = Array(0..<200)
    let (one, other) = (EqualityBag(), EqualityBag())
    one.numbers = Set(numbers)
    other.numbers = Set(numbers.reversed())
    for number in numbers { one.names[number] = "\(number)" }
    for number in numbers.reversed() { other.names[number] = "\(number)" }
    XCTAssertEqual(one, other)
    other.names[7] = "8"
    XCTAssertNotEqual(one, other)
  }

  func testEqualityIncludesWeakAndUnownedReferences() {
    let (one, other) = (EqualityNode(), EqualityNode())
    let (first, second) = (EqualityGuest(of: one), EqualityGuest(of: other))
    XCTAssertEqual(first, second)
    first.friend = first
    XCTAssertNotEqual(first, second)
    second.friend = second
    XCTAssertEqual(first, second)
    one.value = 1
    XCTAssertNotEqual(first, second)
  }

  func testEqualityCallsArchivingHooks() {
    let (one, other) = (EqualityDraft(), EqualityDraft())
    (one.text, other.text) = ("a", "A")
    XCTAssertEqual(one, other, "upper case before they are archived")
  }

  func testUnarchivableObjectIsEqualOnlyToItself() {
    let (one, other) = (EqualityHolder(), EqualityHolder())
    XCTAssertEqual(one, other)
    (one.node, other.node) = (EqualityStranger(), EqualityStranger())
    XCTAssertNotEqual(one, other)
    XCTAssertEqual(one, one)
  }

  func testLongChainsAreComparedWithoutRecursion() throws {
    func chain() -> EqualityNode {
      let root = EqualityNode()
      var last = root
      for value in 0..<20_000 {
        let next = EqualityNode()
        next.value = value
        last.left = next
        last = next
      }
      return root
    }
    let (one, other) = (chain(), chain())
    XCTAssertEqual(one, other)
    other.left?.left?.left?.value = -1
    XCTAssertNotEqual(one, other)
    try ObjectGraph.release(one)
    try ObjectGraph.release(other)
  }

  // MARK: Graphs

  private func graph(_ random: inout SplitMix64, count: Int) -> EqualityNode {
    let nodes = (0..<count).map { _ in Bool.random(using: &random) ? EqualityNode() : EqualityLeaf() }
    for (index, node) in nodes.enumerated() {
      node.value = Int.random(in: 0..<3, using: &random)
      node.text = ["", "é", "a longer text than fits"].randomElement(using: &random)
      // The root reaches all nodes.
      if index > 0 { nodes[index - 1].left = node }
      if Bool.random(using: &random) { node.right = nodes.randomElement(using: &random) }
      node.others = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        Bool.random(using: &random) ? nodes.randomElement(using: &random) : nil
      }
    }
    return nodes[0]
  }

  /// Changes a random object of a graph, or nothing.
  private func change(_ root: EqualityNode, _ random: inout SplitMix64) {
    var nodes = [root]
    while let next = nodes.last?.left { nodes.append(next) }
    guard let node = nodes.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: node.value += 1
    case 1: node.text = node.text == nil ? "" : nil
    case 2: node.right = nodes.randomElement(using: &random)
    case 3: node.others.append(nil)
    default: node.others = node.others.reversed()
    }
  }
}

@Archivable class EqualityNode: ModelEquatable {
  var value = 0
  var weight = 0.5
  var text: String?
  var left: EqualityNode?
  var right: EqualityNode?
  var others: [EqualityNode?] = []
  init() {}
}

@Archivable final class EqualityLeaf: EqualityNode {
  var color = "green"
  override init() { super.init() }
}

@Archivable final class EqualityBag: ModelEquatable {
  var numbers: Set<Int> = []
  var names: [Int: String] = [:]
  init() {}
}

@Archivable final class EqualityGuest: ModelEquatable {
  var node: EqualityNode
  weak var friend: EqualityGuest?
  unowned var host: EqualityNode
  init(of node: EqualityNode) { (self.node, host) = (node, node) }
}

@Archivable final class EqualityDraft: ModelEquatable, ArchivePreparing {
  var text = ""
  init() {}
  func willArchive(in context: ArchiveContext) { text = text.uppercased() }
}

@Archivable final class EqualityHolder: ModelEquatable {
  var node: EqualityNode?
  init() {}
}

/// A subclass that is not archivable itself.
final class EqualityStranger: EqualityNode {}
