import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Tests that the newer release reads the files of the older release, by each API, with the value in each
/// container.
final class ForwardTests: XCTestCase {
  private func assertAsExpected(
    _ fill: (Matrix) throws -> Void, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let matrix = Matrix(.read(inFolder: try temporaryFolder()))
    // Each test has at least 160 pairs of a change and a holding, and up to 20 readings of each pair.
    matrix.pairs = TrialSample(oneIn: 120)
    try fill(matrix)
    XCTAssertGreaterThan(matrix.cellCount, RandomTrials.isExhaustive ? 1_000 : 0, file: file, line: line)
    if let report = matrix.report { XCTFail(report, file: file, line: line) }
  }

  func testNewerReleaseReadsChangedNumbersAsDocumented() throws { try assertAsExpected { $0.addNumbers() } }
  func testNewerReleaseReadsChangedStringsAsDocumented() throws { try assertAsExpected { try $0.addTexts() } }
  func testNewerReleaseReadsChangedOptionalityAsDocumented() throws {
    try assertAsExpected { $0.addPresence() }
  }
  func testNewerReleaseReadsChangedCollectionsAsDocumented() throws {
    try assertAsExpected { $0.addCollections() }
  }
  func testNewerReleaseReadsChangedStructuresAsDocumented() throws { try assertAsExpected { $0.addValues() } }
  func testNewerReleaseReadsChangedEnumerationsAsDocumented() throws {
    try assertAsExpected { $0.addEnumerations() }
  }
  func testNewerReleaseReadsChangedReferencesAsDocumented() throws {
    try assertAsExpected { $0.addReferences() }
  }
  func testNewerReleaseReadsChangedPropertiesAsDocumented() throws {
    try assertAsExpected { $0.addProperties() }
  }
  func testNewerReleaseReadsChangedClassesAsDocumented() throws { try assertAsExpected { $0.addClasses() } }
  func testNewerReleaseMigratesObjectsAsDocumented() throws { try assertAsExpected { $0.addMigrations() } }

  // MARK: The page

  func testEachDocumentedTypeChangeIsTested() throws {
    let matrix = try listing()
    let rows = try page().components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.components(separatedBy: " | ") }
    XCTAssertGreaterThan(rows.count, 45)
    for row in rows {
      let name = "\(row[0].dropFirst(2)) → \(row[1])"
      XCTAssertTrue(matrix.changes.contains(name), name)
    }
  }

  func testEachTestedErrorIsOnTheErrorPage() throws {
    let errors = try page("Errors")
    for code in try listing().codes {
      XCTAssertTrue(errors.contains("\n### \(code.rawValue)\n"), code.rawValue)
    }
  }

  /// Returns a matrix that lists the changes without running them.
  private func listing() throws -> Matrix {
    let matrix = Matrix(.list)
    matrix.addNumbers()
    try matrix.addTexts()
    matrix.addPresence()
    matrix.addCollections()
    matrix.addValues()
    matrix.addEnumerations()
    matrix.addReferences()
    return matrix
  }

  private func page(_ name: String = "Changes") throws -> String {
    try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/\(name).md"), encoding: .utf8)
  }
}
