import ArcTestSupport
import XCTest

@testable import ArcArchive

final class ShortestPathsTests: XCTestCase {
  private func references(_ targets: [[Int]]) -> RowReferences {
    var references = RowReferences()
    for row in targets {
      for target in row { references.append(UInt32(target)) }
      references.endRow()
    }
    return references
  }

  func testShortestPathIsFoundAfterLongerPaths() {
    let paths = ShortestPaths(in: references([[1, 3], [2], [3, 4], [4], [0], [5]]))
    XCTAssertEqual(paths.path(to: 4), [0, 3, 4])
    XCTAssertEqual(paths.length(to: 4), 2)
    XCTAssertEqual(paths.path(to: 2), [0, 1, 2])
    XCTAssertEqual(paths.predecessor(of: 3), 0)
    XCTAssertEqual(paths.rows, [0, 1, 3, 2, 4])
  }

  func testPathFromStartToItselfHasLengthZero() {
    let paths = ShortestPaths(in: references([[0, 1], [0]]))
    XCTAssertEqual(paths.predecessor(of: 0), 0)
    XCTAssertEqual(paths.path(to: 0), [0])
    XCTAssertEqual(paths.length(to: 0), 0)
  }

  func testUnreachableRowsHaveNoPath() {
    let paths = ShortestPaths(in: references([[1], [], [2, 1], [2]]))
    XCTAssertNil(paths.path(to: 2))
    XCTAssertNil(paths.length(to: 3))
    XCTAssertNil(paths.predecessor(of: 2))
    XCTAssertEqual(paths.unreachedCount, 2)
    XCTAssertEqual(ShortestPaths(in: RowReferences()).rows, [])
    let others = ShortestPaths(in: references([[1], [], [2, 1], [2]]), from: 3)
    XCTAssertEqual(others.path(to: 1), [3, 2, 1])
    XCTAssertNil(others.path(to: 0))
  }

  func testWeakReferencesAreFollowedOnlyOnRequest() {
    var log = ReferenceLog()
    log.add(owner: 0, target: 3, .weak)
    log.add(owner: 0, target: 2, .unowned)
    log.add(owner: 0, target: 1)
    log.add(owner: 1, target: 2)
    log.add(owner: 2, target: 3)
    let references = RowReferences(log, rowCount: 4)
    XCTAssertEqual(ShortestPaths(in: references).path(to: 3), [0, 1, 2, 3])
    XCTAssertEqual(ShortestPaths(in: references, following: { $0 != .weak }).path(to: 3), [0, 2, 3])
    XCTAssertEqual(ShortestPaths(in: references, following: { _ in true }).path(to: 3), [0, 3])
  }

  func testReferencesToUnknownRowsAreIgnored() {
    let paths = ShortestPaths(in: references([[7, 1], [2]]))
    XCTAssertEqual(paths.rows, [0, 1])
  }
}
