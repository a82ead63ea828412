import XCTest

@testable import ArcFormat

final class StringIndexTests: XCTestCase {
  private func id(_ text: String, _ index: inout StringIndex) -> UInt32 {
    text.withUTF8Bytes { index.id(ofUTF8: $0).id }
  }

  func testStringsThatDifferInOneByteStayDistinct() {
    var index = StringIndex()
    defer { index.free() }
    var texts: [String] = []
    for length in 0..<40 {
      let text = [UInt8](repeating: 97, count: length)
      texts.append(String(decoding: text, as: UTF8.self))
      for place in text.indices {
        var other = text
        other[place] = 98
        texts.append(String(decoding: other, as: UTF8.self))
      }
    }
    XCTAssertEqual(texts.map { id($0, &index) }, Array(0..<UInt32(texts.count)))
    XCTAssertEqual(texts.map { id($0, &index) }, Array(0..<UInt32(texts.count)))
    XCTAssertEqual(index.count, texts.count)
  }

  func testStringsLongerThanAChunkAreIndexed() {
    var index = StringIndex()
    defer { index.free() }
    // A chunk has half a megabyte. The first chunk is smaller.
    let texts = [0, 3000, 5000, 1 << 19 - 8, 1 << 19, 7, 3 << 19, 1 << 21, 9].enumerated().map {
      place, length in
      String(repeating: "x", count: length) + "\(place)"
    }
    for _ in 0..<2 { XCTAssertEqual(texts.map { id($0, &index) }, Array(0..<UInt32(texts.count))) }
    XCTAssertEqual((0..<50000).map { id("key\($0)", &index) }, Array(9..<50009))
    XCTAssertEqual(texts.map { id($0, &index) }, Array(0..<UInt32(texts.count)))
  }

  func testIndexIsEmptyAfterRemoveAll() {
    for count in [3, 100, 2000] {
      var index = StringIndex()
      for _ in 0..<3 {
        XCTAssertEqual((0..<count).map { id("key\($0)", &index) }, Array(0..<UInt32(count)))
        index.removeAll()
        XCTAssertEqual(index.count, 0)
      }
      index.free()
    }
  }
}
