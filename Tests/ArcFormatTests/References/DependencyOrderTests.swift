import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class DependencyOrderTests: XCTestCase {
  private enum State { case new, waiting, ready }

  /// Returns the nodes in the order in which they are ready, and the cycles.
  private func order(of needs: [[Int]], from starts: [Int]) -> (ready: [Int], cycles: [[Int]]) {
    var states = [State](repeating: .new, count: needs.count)
    var (ready, cycles): ([Int], [[Int]]) = ([], [])
    for start in starts where states[start] == .new {
      states[start] = .waiting
      var order = DependencyOrder(start, needs: needs[start].makeIterator())
      while let step = order.next() {
        switch step {
        case .need(let node):
          switch states[node] {
          case .new:
            states[node] = .waiting
            order.begin(node, needs: needs[node].makeIterator())
          case .waiting: cycles.append(order.cycle { $0 == node })
          case .ready: break
          }
        case .ready(let node):
          states[node] = .ready
          ready.append(node)
        }
      }
      XCTAssertNil(order.last)
      XCTAssertEqual(order.path, [])
    }
    return (ready, cycles)
  }

  func testNodesComeAfterTheirDependencies() {
    let found = order(of: [[1, 2], [3], [1], [], [0]], from: Array(0..<5))
    XCTAssertEqual(found.ready, [3, 1, 2, 0, 4])
    XCTAssertEqual(found.cycles, [])
  }

  func testEachDependencyCycleIsReported() {
    XCTAssertEqual(order(of: [[0]], from: [0]).cycles, [[0]])
    let found = order(of: [[1], [2], [3, 1], [2]], from: [0])
    XCTAssertEqual(found.cycles, [[2, 3], [1, 2]])
    // A node that is finished is not part of a cycle.
    XCTAssertEqual(found.ready, [3, 2, 1, 0])
    XCTAssertEqual(order(of: [[1, 2], [3], [3], []], from: [0]).cycles, [])
  }

  func testOrderOfRandomGraphsEqualsRecursiveOrder() {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 1...12, using: &random)
      let needs = (0..<count).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
      }
      var expected: [Int] = []
      var known: Set<Int> = []
      func visit(_ node: Int) {
        guard known.insert(node).inserted else { return }
        for need in needs[node] { visit(need) }
        expected.append(node)
      }
      for node in 0..<count { visit(node) }
      let found = order(of: needs, from: Array(0..<count))
      XCTAssertEqual(found.ready, expected, "seed \(seed)")
      for cycle in found.cycles {
        for (node, next) in zip(cycle, cycle.dropFirst() + cycle.prefix(1)) {
          XCTAssertTrue(needs[node].contains(next), "seed \(seed): \(cycle)")
        }
      }
    }
  }

  func testNodeIsRetriedAfterItsNewDependencies() {
    var attempts: [Int] = []
    var missing = [0: [1, 2], 2: [1]]
    var order = DependencyOrder(0, needs: [Int]().makeIterator())
    while let step = order.next() {
      switch step {
      case .need(let node): order.begin(node, needs: [].makeIterator())
      case .ready(let node):
        attempts.append(node)
        if let needs = missing.removeValue(forKey: node) { order.begin(node, needs: needs.makeIterator()) }
      }
    }
    XCTAssertEqual(attempts, [0, 1, 2, 1, 2, 0])
  }

  func testMillionNodesNeedLittleStack() throws {
    let count = 1_000_000
    try onSmallStack {
      let needs = (0..<count).map { [($0 + 1) % count] }
      let found = self.order(of: needs, from: [0])
      XCTAssertEqual(found.ready, Array((0..<count).reversed()))
      XCTAssertEqual(found.cycles.map(\.count), [count])
    }
  }

  func testLongCycleIsAbbreviatedInTheMiddle() {
    func text(_ count: Int) -> String { ArchiveError.textOfCycle(Array(1...count)) { "#\($0)" } }
    XCTAssertEqual(text(2), "objects whose initializers need each other: #1 → #2")
    XCTAssertTrue(text(12).hasSuffix(": #1 → #2 → #3 → #4 → #5 → #6 → #7 → #8 → #9 → #10 → #11 → #12"))
    XCTAssertTrue(text(13).hasSuffix(": #1 → #2 → #3 → #4 → #5 → #6 → … → #9 → #10 → #11 → #12 → #13"))
    XCTAssertEqual(text(1000).count { $0 == "→" }, 11)
    // Names are computed only for the objects that the error shows.
    var named: [Int] = []
    _ = ArchiveError.textOfCycle(Array(1...1000)) {
      named.append($0)
      return ""
    }
    XCTAssertEqual(named, Array(1...6) + Array(996...1000))
    let error = ArchiveError.constructionCycle([1, 2, 1], expected: "an order") { "#\($0)" }
    XCTAssertEqual(error.code, .constructionCycle)
    XCTAssertEqual(error.found, "objects whose initializers need each other: #1 → #2 → #1")
  }
}
