import XCTest

@testable import ArcFormat

final class LargePagesTests: XCTestCase {
  func testMemoryKeepsItsBytes() {
    for byteCount in [0, 1, 1 << 20, (1 << 22) - 1, 1 << 22, (9 << 20) + 3] {
      var bytes = [UInt8](repeating: 7, count: byteCount)
      if byteCount > 0 { bytes[byteCount - 1] = 9 }
      unsafe bytes.withUnsafeBytes { unsafe LargePages.request($0) }
      XCTAssertEqual(bytes.dropLast().allSatisfy { $0 == 7 }, true)
      XCTAssertEqual(bytes.last, byteCount > 0 ? 9 : nil)
    }
  }
}
