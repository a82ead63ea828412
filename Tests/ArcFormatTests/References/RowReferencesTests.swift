import ArcTestSupport
import XCTest

@testable import ArcArchive

final class RowReferencesTests: XCTestCase {
  private typealias Edge = (owner: Int, target: Int, strength: RowReferences.Strength)

  private func log(_ edges: [Edge]) -> ReferenceLog {
    var log = ReferenceLog()
    for edge in edges { log.add(owner: edge.owner, target: edge.target, edge.strength) }
    return log
  }

  private func shown(_ references: RowReferences) -> [[String]] {
    (0..<references.rowCount).map { row in
      references[row].map { "\(references.target($0)) \(references.strength($0))" }
    }
  }

  func testRowKeepsTheOrderOfItsReferences() {
    let edges: [Edge] = [
      (2, 0, .weak), (0, 2, .strong), (2, 2, .unowned), (0, 1, .strong), (2, 1, .strong), (0, 2, .weak),
    ]
    let references = RowReferences(log(edges), rowCount: 4)
    XCTAssertEqual(
      shown(references),
      [["2 strong", "1 strong", "2 weak"], [], ["0 weak", "2 unowned", "1 strong"], []])
    XCTAssertEqual(references.count, 6)
    XCTAssertEqual(references.rowCount, 4)
    XCTAssertEqual(shown(RowReferences(ReferenceLog(), rowCount: 0)), [])
  }

  func testReferencesFromUnknownRowsAreOmitted() {
    let edges: [Edge] = [(3, 1, .strong), (1, 9, .strong), (4, 0, .weak)]
    let references = RowReferences(log(edges), rowCount: 2)
    XCTAssertEqual(shown(references), [[], ["9 strong"]])
    // Row 9 does not exist, so it is neither reached nor reversed.
    XCTAssertEqual(references.rowsReachedFromRoots(), [true, false])
    XCTAssertEqual(shown(references.reversed()), [[], []])
  }

  func testAddedReferencesPreserveTheirStrength() {
    var strong = log([(0, 1, .strong), (1, 0, .strong)])
    strong.add(log([(0, 0, .weak)]))
    strong.add(owner: 1, target: 1)
    strong.add(log([(1, 2, .strong)]))
    XCTAssertEqual(
      shown(RowReferences(strong, rowCount: 2)),
      [["1 strong", "0 weak"], ["0 strong", "1 strong", "2 strong"]])

    var references = RowReferences()
    references.append(4)
    references.append(5, .unowned)
    references.endRow()
    references.appendRows(2, log([(1, 0, .strong)]))
    references.appendRows(1, log([(0, 3, .weak), (0, 2, .strong)]))
    references.endRow()
    XCTAssertEqual(
      shown(references), [["4 strong", "5 unowned"], [], ["0 strong"], ["3 weak", "2 strong"], []])
    let others = (0..<references.rowCount).flatMap { row in
      references[row].filter { !references.isStrong($0) }
    }
    XCTAssertEqual(others.map(references.target), [5, 3])
  }

  func testReversedReferencesSwapOwnersAndTargets() {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 1...12, using: &random)
      let edges: [Edge] = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        (
          Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random),
          RowReferences.Strength(rawValue: UInt8.random(in: 0...2, using: &random)) ?? .strong
        )
      }
      let references = RowReferences(log(edges), rowCount: count)
      // Owners of one target are in ascending order.
      let expected = (0..<count).map { target in
        (0..<count).flatMap { owner in
          references[owner].filter { references.target($0) == target }
            .map { "\(owner) \(references.strength($0))" }
        }
      }
      XCTAssertEqual(shown(references.reversed()), expected, "seed \(seed)")
      XCTAssertEqual(references.count, edges.count)
    }
  }

  func testOnlyStrongReferencesMakeRowsReachable() {
    let references = RowReferences(
      log([
        (0, 1, .strong), (1, 1, .strong), (1, 2, .weak), (1, 3, .unowned), (4, 5, .strong), (5, 4, .strong),
        (3, 2, .strong),
      ]), rowCount: 6)
    XCTAssertEqual(references.rowsReachedFromRoots(), [true, true, false, false, false, false])
    var isReached = references.rowsReachedFromRoots()
    references.markRows(reachedFrom: 5, in: &isReached)
    XCTAssertEqual(isReached, [true, true, false, false, true, true])
    XCTAssertEqual(RowReferences().rowsReachedFromRoots(), [])
  }

  func testRowsAreOrderedFromLeavesToRoots() {
    // 0 → 1 → 2 → 1 contains a cycle. Two references reach row 3, and only a weak reference reaches row 4.
    let references = RowReferences(
      log([
        (0, 1, .strong), (0, 3, .strong), (1, 2, .strong), (2, 1, .strong), (2, 3, .strong), (3, 3, .strong),
        (3, 0, .strong), (3, 4, .weak),
      ]), rowCount: 5)
    XCTAssertEqual(references.rowsFromLeavesToRoots(), [3, 2, 1, 0])
    XCTAssertEqual(RowReferences().rowsFromLeavesToRoots(), [])
  }

  func testReferencesToTargetsWithoutNewNumberAreDropped() {
    let references = RowReferences(
      log([(0, 5, .strong), (0, 6, .weak), (1, 7, .strong), (1, 5, .unowned)]), rowCount: 3)
    let renumbered = references.renumberingTargets { $0 == 7 ? nil : $0 - 5 }
    XCTAssertEqual(shown(renumbered), [["0 strong", "1 weak"], ["0 unowned"], []])
  }

  func testMillionRowsNeedLittleStack() throws {
    let count = 1_000_000
    var chain = ReferenceLog()
    for row in 0..<count { chain.add(owner: row, target: (row + 1) % count) }
    let references = RowReferences(chain, rowCount: count)
    try onSmallStack {
      XCTAssertEqual(references.rowsReachedFromRoots().count { $0 }, count)
      XCTAssertEqual(references.rowsFromLeavesToRoots(), Array((0..<count).reversed()))
      let paths = ShortestPaths(in: references)
      XCTAssertEqual(paths.length(to: count - 1), count - 1)
      XCTAssertEqual(ShortestPaths(in: references.reversed()).length(to: count - 1), 1)
    }
  }
}
