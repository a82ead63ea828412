import Foundation
import XCTest

/// What the fuzzer looks for holds for every file in `Fixtures`, the invalid ones too.
final class GraphClaimsTests: XCTestCase {
  func testClaimsHoldForEveryFixture() throws {
    let folder = Repository.root.appendingPathComponent("Fixtures")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".arc")
    }
    XCTAssertGreaterThan(paths.count, 8)
    for path in paths {
      let bytes = try Array(Data(contentsOf: folder.appendingPathComponent(path)))
      XCTAssertNil(GraphClaims.violation(by: bytes), path)
    }
  }
}
