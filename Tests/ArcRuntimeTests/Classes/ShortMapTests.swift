import ArcRuntime
import XCTest

/// A map that is stored as a list while it is short always behaves like a dictionary.
final class ShortMapTests: XCTestCase {
  func testMapKeepsTheFirstValueOfEachKey() {
    var map = ShortMap<String, Int>()
    var expected: [String: Int] = [:]
    for index in 0..<40 {
      let key = "key \(index % 30)"
      XCTAssertEqual(map.insert(index, for: key), expected[key] == nil, key)
      expected[key] = expected[key] ?? index
      XCTAssertEqual(map.count, expected.count)
      for (key, value) in expected { XCTAssertEqual(map[key], value, "\(key) of \(expected.count)") }
      XCTAssertNil(map["missing"])
    }
  }

  func testMatchingEntriesAreRemovedAndOthersRemain() {
    for count in [0, 1, 15, 16, 17, 50] {
      var map = ShortMap<Int, Int>()
      for key in 0..<count { XCTAssertTrue(map.insert(key * 10, for: key)) }
      map.removeAll { $0 % 20 == 0 }
      var left: [Int] = []
      map.forEachValue { left.append($0) }
      XCTAssertEqual(left.sorted(), (0..<count).map { $0 * 10 }.filter { $0 % 20 != 0 }, "\(count)")
      XCTAssertNil(map[0])
      XCTAssertEqual(map[1], count > 1 ? 10 : nil)
      XCTAssertTrue(map.insert(7, for: 0))
      XCTAssertEqual(map[0], 7)
    }
  }
}
