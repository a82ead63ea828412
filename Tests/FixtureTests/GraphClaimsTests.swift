import ArcTestSupport
import XCTest

/// What the fuzzer looks for holds for every file in `Fixtures`, the invalid ones too.
final class GraphClaimsTests: XCTestCase {
  func testClaimsHoldForEveryFixture() throws {
    let archives = try Repository.allArchives()
    XCTAssertGreaterThan(archives.count, 80)
    for (path, bytes) in archives {
      XCTAssertNil(GraphClaims.violation(by: bytes), path)
    }
  }
}
