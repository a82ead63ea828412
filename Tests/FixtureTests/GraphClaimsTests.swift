import ArcTestSupport
import XCTest

/// What the fuzzer looks for holds for every file in `Fixtures`, valid or not: for one in 16, unless all are
/// tried.
final class GraphClaimsTests: XCTestCase {
  func testClaimsHoldForEveryFixture() throws {
    let archives = try Repository.allArchives()
    XCTAssertGreaterThan(archives.count, 80)
    for (path, bytes) in RandomTrials.sample(of: archives, oneIn: 16) {
      XCTAssertNil(GraphClaims.violation(by: bytes), path)
    }
  }
}
