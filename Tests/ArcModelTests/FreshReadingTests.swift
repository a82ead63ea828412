import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// Models of a typical new program, and invalid JSON from a server.
final class FreshReadingTests: XCTestCase {
  func testGenericPageOfSeveralClassesRoundTrips() throws {
    let text = """
      {"data": {"items": [
        {"id": 1, "kind": "photo", "url": "http://a", "size": {"width": 1, "height": 2}, "created_at": 1000},
        {"id": 2, "kind": "post", "text": "hi", "likes": 5, "media": {"album": [
          {"image": {"_0": "http://x"}}, {"note": "n"}, "none", {"entry": {"id": 4, "kind": "photo"}}]},
          "comments": [{"id": 3, "meta": {"created": 500}}]}
      ], "next": "abc"}}
      """
    let page = try FreshPage<FreshEntry>(json: text, at: "data")
    XCTAssertEqual((page.items[0] as? FreshPhoto)?.size, FreshSize(width: 1, height: 2))
    XCTAssertEqual(page.items[0].created?.timeIntervalSince1970, 1)
    let post = try XCTUnwrap(page.items[1] as? FreshPost)
    XCTAssertEqual(post.comments.first?.created?.timeIntervalSince1970, 0.5)
    guard case .album(let media) = post.media, case .entry(let entry) = media[3] else {
      return XCTFail("\(post.media)")
    }
    XCTAssertTrue(entry is FreshPhoto)
    XCTAssertEqual(page.next, "abc")
    let copy = try FreshPage<FreshEntry>(json: try page.json())
    XCTAssertEqual((copy.items[1] as? FreshPost)?.likes, 0, "only read")
    (copy.items[1] as? FreshPost)?.likes = 5
    XCTAssertEqual(copy.items, page.items)
  }

  func testFailedReadingReleasesAllObjects() {
    let texts = [
      #"{"others": [{"size": 1}, {"size": 2}, {}]}"#,
      #"{"size": 1, "others": [{"size": 1}, {"size": 2}], "level": "x"}"#,
      #"{"size": 1, "others": [{"size": 1}, {"size": 2}], "set": [1, 1]}"#,
      #"{"size": 1, "first": {"size": 2, "others": [{"size": 3}], "level": -1}}"#,
      #"{"size": 1, "level": -1, "first": {"size": 2}}"#,
    ]
    for mode in [ModelReader.Mode.strict, .lenient] {
      for text in texts {
        _ = try? ModelReader(mode).read(FreshTree.self, from: text)
        XCTAssertEqual(FreshCount.living, 0, "\(mode) \(text)")
      }
      for text in [
        #"{"others": [{"others": [{}]}, {"void": 1}]}"#, #"{"others": [{"others": [{"level": "x"}]}, {}]}"#,
      ] {
        _ = try? ModelReader(mode).read(FreshPrepared.self, from: text)
        XCTAssertEqual(FreshCount.living, 0, "\(mode) \(text)")
      }
    }
  }

  func testFailedUpdateReleasesNewObjects() {
    do {
      let tree = FreshTree(size: 1)
      tree.first = FreshTree(size: 2)
      for text in [
        #"{"others": [{"size": 1}, {}]}"#, #"{"size": 3, "first": {"size": 4, "level": -1}}"#,
        #"{"others": [{"size": 1}], "size": 5, "level": -1}"#,
      ] {
        XCTAssertThrowsError(try tree.update(json: text), text)
        XCTAssertEqual(FreshCount.living, 2, text)
        XCTAssertEqual(tree.size, 1, text)
        XCTAssertEqual(tree.first?.size, 2, text)
        XCTAssertEqual(tree.others.count, 0, text)
      }
    }
    XCTAssertEqual(FreshCount.living, 0)
  }

  func testDeeplyNestedObjectsAreReleasedIfReadingFails() throws {
    let count = RandomTrials.size(usually: 10_000, exhaustively: 50_000)
    let text =
      String(repeating: #"{"size": 1, "first": "#, count: count) + #"{"size": 1}"#
      + String(repeating: "}", count: count - 1) + #", "level": "x"}"#
    try onSmallStack {
      let reader = ModelReader(limits: JSONLimits(depth: 100_000))
      XCTAssertThrowsError(try reader.read(FreshTree.self, from: text))
    }
    XCTAssertEqual(FreshCount.living, 0)
  }

  func testSharedObjectIsUpdatedThroughBothReferences() throws {
    let tree = FreshTree(size: 1)
    let shared = FreshTree(size: 2)
    shared.first = shared
    tree.first = shared
    try tree.update(json: #"{"first": {"size": 3, "first": {"level": 4, "first": {"size": 5}}}}"#)
    XCTAssertTrue(tree.first === shared && shared.first === shared)
    XCTAssertEqual(shared.level, 4)
    shared.first = nil
  }

  func testOutOfRangeValuesOfAnyTypeThrow() {
    func assertRefused<Value: ArchivableValue>(_ type: Value.Type, _ texts: String..., line: UInt = #line) {
      for text in texts {
        XCTAssertThrowsError(try Value(json: text), "\(type) \(text)", line: line) {
          XCTAssertTrue($0 is ModelReadingError || $0 is JSONError, "\($0)", line: line)
        }
      }
    }
    assertRefused(Int.self, "9223372036854775808", "1.5", "1e-400", "1e400", "\"1\"")
    assertRefused(UInt128.self, "340282366920938463463374607431768211456", "-1")
    assertRefused(Double.self, "1e309", "-1e400", "NaN")
    assertRefused(Decimal.self, "1e-129", "1e400", "12345678901234567890123456789012345678901", "\"NaN\"")
    assertRefused(Range<Int>.self, #"{"lowerBound": 5, "upperBound": 1}"#, "{}", "[1, 5]")
    assertRefused(ClosedRange<Int>.self, #"{"lowerBound": 5, "upperBound": 1}"#)
    assertRefused(DateInterval.self, #"{"start": 0, "duration": -5}"#)
    assertRefused(SIMD4<Float>.self, "[1, 2, 3]", "[1, 2, 3, 4, 5]")
    assertRefused(Unicode.Scalar.self, "55296", "1114112", "-1")
    assertRefused(Character.self, "\"\"", "\"ab\"")
    assertRefused(URL.self, "\"http://[\"")
    assertRefused(Set<String>.self, "[\"\u{E9}\", \"e\u{301}\"]")
    assertRefused([Int: Int].self, #"{"1": 1, "1.0": 2}"#)
    assertRefused(String.self, #""\ud800""#, #""\udc00\ud800""#)
  }
}
