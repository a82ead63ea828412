import XCTest

@testable import ArcFormat

final class ZeroedWordsTests: XCTestCase {
  func testWordsAreZeroAndKeepWhatIsWritten() {
    // From the allocator, and from the system.
    for count in [1, 64, 1 << 16, 1 << 17, (1 << 19) + 7] {
      for _ in 0..<2 {
        let words = ZeroedWords(count: count)
        defer { words.free() }
        let memory = unsafe UnsafeMutableBufferPointer(start: words.start, count: count)
        XCTAssertTrue(unsafe memory.allSatisfy { $0 == 0 })
        unsafe memory[0] = 1
        unsafe memory[count - 1] = .max
        XCTAssertEqual(unsafe words.start[count - 1], .max)
      }
    }
  }
}
