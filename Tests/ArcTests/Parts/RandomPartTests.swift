import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Each object of random graphs is read as a part, in any order.
final class RandomPartTests: XCTestCase {
  func testPartsReadByPathEqualTheGraph() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for trial in 0..<RandomTrials.count(usually: 3, exhaustively: 60) {
      let vertices = vertices(&random)
      let bytes = try Archiver(compression: trial % 3 == 0 ? .zlib : .none).archive(vertices)
      let whole = try Unarchiver().unarchive([Vertex].self, from: bytes)
      let session = try LazyArchive(bytes: bytes)
      var held: [Int: Vertex] = [:]
      for position in vertices.indices.shuffled(using: &random) {
        let part = try session.object(Vertex.self, at: "root[\(position)]")
        XCTAssertNil(try ObjectGraph.difference(between: whole[position], and: part), "vertex \(position)")
        // The test retains some parts, which later parts then contain.
        if Bool.random(using: &random) { held[position] = part }
      }
      try assertIdentity(of: held, in: session.value([Vertex].self, at: "root"), whole)
      for graph in [vertices, whole, Array(held.values)] { try ObjectGraph.release(graph) }
    }
  }

  func testEachRowOfRandomGraphIsReadable() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 20) {
      let bytes = try Archiver().archive(vertices(&random))
      let session = try LazyArchive(bytes: bytes)
      for row in (1..<session.file.rowCount).shuffled(using: &random) {
        let id = ObjectID(rawValue: UInt32(row))
        let stored = try session.file.object(id)
        switch stored.className {
        case "Vertex", "SubVertex":
          XCTAssertEqual(try session.object(Vertex.self, id: id).name, stored["name"]?.string, "row \(row)")
        case "Fellow":
          XCTAssertEqual(try session.object(Fellow.self, id: id).name, stored["name"]?.string, "row \(row)")
        default: XCTFail(stored.className)
        }
      }
    }
  }

  /// Asserts that the retained objects are objects of the session's whole graph, and that this graph is
  /// complete.
  private func assertIdentity(of held: [Int: Vertex], in all: [Vertex], _ whole: [Vertex]) throws {
    for (position, vertex) in held {
      XCTAssertTrue(all[position] === vertex, "vertex \(position)")
    }
    XCTAssertNil(try ObjectGraph.difference(between: whole, and: all))
    try ObjectGraph.release(all)
  }

  private func vertices(_ random: inout SplitMix64) -> [Vertex] {
    let count = Int.random(in: 1...30, using: &random)
    let vertices = (0..<count).map { number in
      Bool.random(using: &random) ? Vertex("\(number)") : SubVertex("\(number)")
    }
    func any() -> Vertex? { vertices.randomElement(using: &random) }
    for vertex in vertices {
      vertex.number = Double.random(in: -1...1, using: &random)
      vertex.left = Int.random(in: 0..<3, using: &random) == 0 ? any() : nil
      vertex.parent = Bool.random(using: &random) ? any() : nil
      vertex.pair = VertexPair(vertex: Int.random(in: 0..<4, using: &random) == 0 ? any() : nil)
      if Int.random(in: 0..<2, using: &random) == 0, let child = any() { vertex.children = [child] }
      if Int.random(in: 0..<6, using: &random) == 0 { vertex.shape = .named(any() ?? vertex) }
      vertex.tags = Set((0..<3).map { _ in "\(Int.random(in: 0..<9, using: &random))" })
      if Int.random(in: 0..<8, using: &random) == 0 {
        vertex.members = [Fellow("\(vertex.name) of", any()), Fellow(vertex.name)]
        vertex.owners = [Fellow("owner"): vertex]
      }
    }
    return vertices
  }
}
