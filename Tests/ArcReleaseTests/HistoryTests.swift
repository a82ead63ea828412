import ArcTestSupport
import XCTest

/// Two releases open and save a file in turn, and keep what they do not know: nothing is lost, nothing
/// changes.
final class HistoryTests: XCTestCase {
  private func assertAsExpected(
    _ fill: (Matrix) throws -> Void, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let matrix = Matrix(.runHistories)
    try fill(matrix)
    XCTAssertGreaterThan(matrix.cellCount, 100, file: file, line: line)
    if let report = matrix.report { XCTFail(report, file: file, line: line) }
  }

  func testNumbersSurviveReleasesInTurn() throws { try assertAsExpected { $0.addNumbers() } }
  func testTextsSurviveReleasesInTurn() throws { try assertAsExpected { try $0.addTexts() } }
  func testPresenceSurvivesReleasesInTurn() throws { try assertAsExpected { $0.addPresence() } }
  func testCollectionsSurviveReleasesInTurn() throws { try assertAsExpected { $0.addCollections() } }
  func testStructuresSurviveReleasesInTurn() throws { try assertAsExpected { $0.addValues() } }
  func testThreeReleasesTakeTurns() throws { try assertAsExpected { $0.addThreeReleases() } }
}
