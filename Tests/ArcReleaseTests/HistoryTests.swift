import ArcTestSupport
import XCTest

/// Tests that nothing is lost or changed if two releases open and save a file in turn, and both preserve
/// unknown content.
final class HistoryTests: XCTestCase {
  /// Runs one in `step` of the pairs of a change and a holding; all pairs in an exhaustive run.
  private func assertAsExpected(
    oneIn step: Int = 60, _ fill: (Matrix) throws -> Void, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let matrix = Matrix(.runHistories)
    matrix.pairs = TrialSample(oneIn: step)
    try fill(matrix)
    XCTAssertGreaterThan(matrix.cellCount, RandomTrials.isExhaustive ? 100 : 2, file: file, line: line)
    if let report = matrix.report { XCTFail(report, file: file, line: line) }
  }

  func testNumbersSurviveSavesByAlternatingReleases() throws { try assertAsExpected { $0.addNumbers() } }
  func testStringsSurviveSavesByAlternatingReleases() throws { try assertAsExpected { try $0.addTexts() } }
  func testOptionalsSurviveSavesByAlternatingReleases() throws { try assertAsExpected { $0.addPresence() } }
  func testCollectionsSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected { $0.addCollections() }
  }
  func testStructuresSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected(oneIn: 100) { $0.addValues() }
  }
  func testEnumerationsSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected { $0.addEnumerations() }
  }
  func testReferencesSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected { $0.addReferences() }
  }
  func testPropertiesSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected { $0.addProperties() }
  }
  func testClassesSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected(oneIn: 100) { $0.addClasses() }
  }
  func testMigrationsSurviveSavesByAlternatingReleases() throws {
    try assertAsExpected { $0.addMigrations() }
  }
  func testThreeReleasesCanSaveAFileInTurn() throws {
    try assertAsExpected(oneIn: 12) { $0.addThreeReleases() }
  }
}
