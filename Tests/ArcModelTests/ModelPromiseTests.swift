import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// Differences from the documentation that users found, now fixed.
final class ModelPromiseTests: XCTestCase {
  func testDeepTextUpdatesObjectsOnASmallStack() throws {
    let count = RandomTrials.size(usually: 6_000, exhaustively: 20_000)
    let text =
      String(repeating: #"{"value":1,"next":"#, count: count) + "null" + String(repeating: "}", count: count)
    let changed = text.replacingOccurrences(of: "1", with: "2")
    var reader = ModelReader()
    reader.limits.depth = .max
    try onSmallStack { [reader] in
      let root = try reader.read(PromisedLink.self, from: text)
      try reader.update(root, from: changed)
      var (sum, link) = (0, Optional(root))
      while let next = link { (sum, link) = (sum + next.value, next.next) }
      XCTAssertThrowsError(
        try reader.update(root, from: changed.replacingOccurrences(of: "null", with: "{\"value\":\"bad\"}")))
      XCTAssertEqual(sum, 2 * count)
      try ObjectGraph.release(root)
    }
  }

  func testMissingOptionalCodableValueIsNil() throws {
    XCTAssertNil(try PromisedStyle(json: "{}").style)
    XCTAssertNil(try PromisedStyle(json: #"{"style":null}"#).style)
    XCTAssertEqual(try PromisedStyle(json: #"{"style":{"width":2}}"#).style, PromisedCode(width: 2))
    XCTAssertThrowsError(try PromisedStrictStyle(json: "{}"))
  }

  func testEqualObjectsHaveEqualHashes() {
    let (one, other) = (PromisedStamp(), PromisedStamp())
    other.mark.cache = 5
    XCTAssertEqual(one, other)
    XCTAssertEqual(one.hashValue, other.hashValue)
    XCTAssertEqual(Set([one, other]).count, 1)
    other.name = "b"
    XCTAssertNotEqual(one.hashValue, other.hashValue)
  }

  func testMappingOfAnUnknownPropertyThrows() throws {
    let mappings = [
      JSONMapping(paths: ["nam": ["n"]]), JSONMapping(except: ["nam"]), JSONMapping(only: ["nam"]),
      JSONMapping(rules: ["nam": .omitted]),
    ]
    for mapping in mappings {
      var (reader, writer) = (ModelReader(), ModelWriter())
      reader.setMapping(mapping, for: PromisedStamp.self)
      writer.setMapping(mapping, for: PromisedStamp.self)
      XCTAssertThrowsError(try reader.read(PromisedStamp.self, from: "{}")) { error in
        XCTAssertTrue("\(error)".contains("'nam'"), "\(error)")
      }
      XCTAssertThrowsError(try writer.text(of: PromisedStamp()))
    }
    var reader = ModelReader()
    reader.setMapping(JSONMapping(paths: ["name": ["n"]]), for: PromisedStamp.self)
    XCTAssertEqual(try reader.read(PromisedStamp.self, from: #"{"n":"x"}"#).name, "x")
  }

  func testByteOrderMarkIsIgnored() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for space in ["", " ", "\n"] {
      let bytes = mark + Array((space + #"{"value": 7}"#).utf8)
      XCTAssertEqual(try JSONDocument(bytes).root["value"]?.number?.integer(Int.self), 7)
      XCTAssertEqual(try PromisedLink(json: bytes).value, 7)
      XCTAssertEqual(try PromisedLink(json: String(decoding: bytes, as: UTF8.self)).value, 7)
      XCTAssertEqual(try JSONValue(parsing: String(decoding: bytes, as: UTF8.self)), ["value": 7])
      let link = PromisedLink()
      try link.update(json: bytes)
      XCTAssertEqual(link.value, 7)
    }
    for invalid in [mark, mark + mark + [0x37], [0x20] + mark + [0x37], [0xEF, 0xBB, 0x37]] {
      XCTAssertThrowsError(try JSONDocument(invalid), "\(invalid)")
    }
  }
}

@Archivable private final class PromisedLink {
  var value = 0
  var next: PromisedLink?
}

private struct PromisedCode: Codable, Equatable { var width: Int }
@Archivable private final class PromisedStyle { @Coded var style: PromisedCode? }
@Archivable private final class PromisedStrictStyle {
  @Coded var style: PromisedCode
  init(style: PromisedCode) { self.style = style }
}

@Archivable private struct PromisedMark: Hashable {
  var width = 1
  @Transient var cache = 0
}
@Archivable private final class PromisedStamp: ModelEquatable {
  var name = "a"
  var mark = PromisedMark()
}
