import Claims
import XCTest

@testable import DebianPackageGraph

final class StronglyConnectedComponentsTests: XCTestCase {
  func testComponentsComeAfterTheComponentsTheyReach() {
    let found = StronglyConnectedComponents(successors: [[1], [2], [0, 3], [4], [3], [0]])
    XCTAssertEqual(found.components, [[3, 4], [0, 1, 2], [5]])
    XCTAssertEqual(found.cycles, [[3, 4], [0, 1, 2]])
  }

  func testSingleVertexIsCycleOnlyWithOwnEdge() {
    XCTAssertEqual(StronglyConnectedComponents(successors: [[0], [0], []]).cycles, [[0]])
  }

  func testEdgesOutOfRangeAreIgnored() {
    XCTAssertEqual(StronglyConnectedComponents(successors: [[7, -1]]).components, [[0]])
    XCTAssertEqual(StronglyConnectedComponents(successors: []).components, [])
  }

  func testVeryLongCycleNeedsNoStack() {
    let count = 300_000
    let ring = (0..<count).map { [($0 + 1) % count] }
    XCTAssertEqual(StronglyConnectedComponents(successors: ring).cycles.map(\.count), [count])
  }

  func testComponentsAgreeWithReachabilityOnRandomGraphs() {
    let seed = RepeatableRandom.testSeed()
    var generator = RepeatableRandom(seed: seed)
    for _ in 0..<300 {
      let count = Int.random(in: 1...9, using: &generator)
      let successors = (0..<count).map { _ in
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in
          Int.random(in: 0..<count, using: &generator)
        }
      }
      let reach = successors.indices.map { reachable(from: $0, successors) }
      let expected = Set(
        (0..<count).map { one in (0..<count).filter { reach[one].contains($0) && reach[$0].contains(one) } })
      XCTAssertEqual(
        Set(StronglyConnectedComponents(successors: successors).components), expected,
        "seed \(seed)")
    }
  }

  private func reachable(from start: Int, _ successors: [[Int]]) -> Set<Int> {
    var found: Set<Int> = [start]
    var waiting = [start]
    while let vertex = waiting.popLast() {
      for target in successors[vertex] where found.insert(target).inserted { waiting.append(target) }
    }
    return found
  }
}
