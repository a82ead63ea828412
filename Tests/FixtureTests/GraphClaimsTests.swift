import ArcTestSupport
import XCTest

/// The claims of the fuzzer hold for each file in `Fixtures`, valid or not. A usual run tries one file in 16.
final class GraphClaimsTests: XCTestCase {
  func testGraphInvariantsHoldForEveryFixture() throws {
    let archives = try Repository.allArchives()
    XCTAssertGreaterThan(archives.count, 80)
    for (path, bytes) in RandomTrials.sample(of: archives, oneIn: 16) {
      XCTAssertNil(GraphClaims.violation(by: bytes), path)
    }
  }
}
