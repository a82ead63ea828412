import Arc
import ArcTestSupport
import XCTest

/// Copies of random graphs, in which one random value is changed.
final class RandomGraphTests: XCTestCase {
  func testChangedValueOfARandomGraphIsFound() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 5, exhaustively: 200) {
      let root = graph(&random)
      let copy = try ObjectGraph.copy(root)
      XCTAssertNil(try ObjectGraph.difference(between: root, and: copy))
      try assertFindsAChange(of: copy, from: root, &random)
      for graph in [root, copy] { try ObjectGraph.release(graph) }
    }
  }

  /// Changes one value of a copy. Asserts that the change is found, and its description.
  private func assertFindsAChange(
    of copy: Vertex, from root: Vertex, _ random: inout SplitMix64
  ) throws {
    let vertices = all(copy)
    guard let vertex = vertices.randomElement(using: &random) else { return }
    let property: String
    switch Int.random(in: 0..<6, using: &random) {
    case 0: (property, vertex.number) = ("number", vertex.number + 1)
    case 1: (property, vertex.name) = ("name", vertex.name + "!")
    case 2: (property, vertex.left) = ("left", other(than: vertex.left, vertices, &random))
    case 3: (property, vertex.parent) = ("parent", other(than: vertex.parent, vertices, &random))
    case 4: (property, vertex.counts["new"]) = ("counts", 1)
    default:
      property = "children"
      vertex.children.append(Vertex("new"))
    }
    XCTAssertFalse(try ObjectGraph.isIsomorphic(root, copy))
    let found = try XCTUnwrap(ObjectGraph.difference(between: root, and: copy), property)
    // A changed link can first appear at another reference to the same object, or to an object that is no
    // longer reached.
    if !["left", "parent"].contains(property), !found.path.contains("members") {
      let steps = found.path.split(separator: ".").map(String.init)
      XCTAssertTrue(steps.last?.hasPrefix(property) ?? false, "\(property) \(found)")
      XCTAssertTrue(end(of: steps.dropFirst().dropLast(), from: copy) === vertex, "\(property) \(found)")
    }
    XCTAssertNotEqual(found.first, found.second, "\(property) \(found)")
  }

  /// Returns the vertex at steps such as `left` and `children[2]`.
  private func end(of steps: some Sequence<String>, from root: Vertex) -> Vertex? {
    steps.reduce(root) { vertex, step in
      switch step {
      case "left": vertex?.left
      case "right": vertex?.right
      default: step.wholeMatch(of: /children\[(\d+)\]/).flatMap { Int($0.1) }.flatMap { vertex?.children[$0] }
      }
    }
  }

  private func other(
    than old: Vertex?, _ vertices: [Vertex], _ random: inout SplitMix64
  ) -> Vertex? {
    var candidates: [Vertex?] = vertices.filter { $0 !== old }
    if old != nil { candidates.append(nil) }
    return candidates.randomElement(using: &random) ?? nil
  }

  /// Returns all vertices that the root reaches, in breadth-first order.
  private func all(_ root: Vertex) -> [Vertex] {
    var found = [root]
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var next = 0
    while next < found.count {
      let vertex = found[next]
      next += 1
      let others =
        vertex.children + [vertex.left, vertex.right].compactMap { $0 } + vertex.members.compactMap(\.vertex)
      for other in others where known.insert(ObjectIdentifier(other)).inserted { found.append(other) }
    }
    return found
  }

  private func graph(_ random: inout SplitMix64) -> Vertex {
    let count = Int.random(in: 1...40, using: &random)
    let vertices = (0..<count).map { number in
      Bool.random(using: &random) ? Vertex("\(number)") : SubVertex("\(number)")
    }
    for vertex in vertices {
      vertex.number = Double.random(in: -1...1, using: &random)
      vertex.left = Bool.random(using: &random) ? vertices.randomElement(using: &random) : nil
      vertex.right = Bool.random(using: &random) ? vertices.randomElement(using: &random) : nil
      vertex.parent = Bool.random(using: &random) ? vertices.randomElement(using: &random) : nil
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        vertex.children.append(vertices[Int.random(in: 0..<count, using: &random)])
      }
      vertex.tags = Set((0..<3).map { _ in "\(Int.random(in: 0..<9, using: &random))" })
      if Int.random(in: 0..<8, using: &random) == 0 {
        vertex.members = [
          Fellow("\(vertex.name) of", vertices.randomElement(using: &random)), Fellow(vertex.name),
        ]
      }
    }
    return vertices[0]
  }
}
