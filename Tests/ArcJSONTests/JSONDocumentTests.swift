import ArcJSON
import XCTest

/// The kinds, contents and paths of a document's values.
final class JSONDocumentTests: XCTestCase {
  func testValuesAreFoundByNameAndIndex() throws {
    let root = try JSONDocument(
      "{\"users\": [{\"id\": 1, \"tags\": [\"a\", [], \"c\"]}, {\"id\": 2}], \"next\": null}"
    ).root
    XCTAssertEqual(root["users"]?[1]?["id"]?.number?.integer(), 2)
    XCTAssertEqual(root["users"]?[0]?["tags"]?[2]?.string, "c")
    XCTAssertEqual(root["users"]?.count, 2)
    XCTAssertEqual(root["next"]?.isNull, true)
    XCTAssertNil(root["missing"])
    XCTAssertNil(root["users"]?[2])
    XCTAssertNil(root["users"]?[-1])
    XCTAssertNil(root["users"]?["id"])
    XCTAssertNil(root[0])
  }

  func testReadingAValueAsWrongKindReturnsNil() throws {
    let root = try JSONDocument("[1, \"1\", true, null, [], {}]").root
    XCTAssertEqual(root.elements.map(\.kind), [.number, .string, .bool, .null, .array, .object])
    XCTAssertEqual(root.elements.compactMap(\.string), ["1"])
    XCTAssertEqual(root.elements.compactMap(\.bool), [true])
    XCTAssertEqual(root.elements.compactMap { $0.number?.text }, ["1"])
    XCTAssertEqual(root.elements.map(\.count), [0, 0, 0, 0, 0, 0])
  }

  func testMembersKeepTheOrderOfTheText() throws {
    let root = try JSONDocument("{\"b\": [1, [2]], \"a\": {\"x\": 0}, \"\\u0063\": 3}").root
    XCTAssertEqual(root.members.map(\.name), ["b", "a", "c"])
    XCTAssertEqual(root["c"]?.number?.integer(), 3)
    XCTAssertEqual(root.members.map { $0.value.kind }, [.array, .object, .number])
  }

  func testPositionOfAValueIsItsFirstByte() throws {
    let root = try JSONDocument("{\"é\": \"x\",\n  \"list\": [10, {\"a\": 1}]}").root
    XCTAssertEqual(root["é"]?.byteOffset, 7)
    XCTAssertEqual(root["list"]?[1]?.byteOffset, 27)
    XCTAssertEqual(root["list"]?[1]?.position.line, 2)
    XCTAssertEqual(root["list"]?[1]?.position.column, 16)
    XCTAssertEqual(root["list"]?[0]?.position.column, 12)
  }

  func testDuplicateMembersAreRefusedUnlessOneIsChosen() throws {
    let text = "{\"a\": {\"x\": 1, \"b\": 0, \"\\u0078\": 2}}"
    XCTAssertThrowsError(try JSONDocument(text)) { error in
      XCTAssertEqual((error as? JSONError)?.code, .duplicateKey)
      XCTAssertEqual((error as? JSONError)?.byteOffset, 24)
    }
    let bytes = Array(text.utf8)
    XCTAssertEqual(try JSONDocument(bytes, duplicateKeys: .first).root["a"]?["x"]?.number?.integer(), 1)
    let last = try JSONDocument(bytes, duplicateKeys: .last)
    XCTAssertEqual(last.root["a"]?["x"]?.number?.integer(), 2)
    XCTAssertEqual(last.root["a"]?.members.map(\.name), ["x", "b", "x"])
    XCTAssertEqual(JSONValue(last.root), ["a": ["x": 2, "b": 0]])
    XCTAssertEqual(JSONValue(try JSONDocument(bytes, duplicateKeys: .first).root), ["a": ["x": 1, "b": 0]])
  }

  /// Short names are compared by their first bytes and length before anything else.
  func testDuplicateMembersAreFoundAmongSimilarNames() throws {
    for name in ["", "a", "abcdefg", "abcdefgh", "abcdefghi"] {
      let text = "{\"abcdef\": 1, \"\(name)\": 2, \"abcdefgx\": 3, \"\(name)\": 4}"
      XCTAssertThrowsError(try JSONDocument(text), name) {
        XCTAssertEqual(($0 as? JSONError)?.code, .duplicateKey)
      }
    }
    let distinct = "{\"abcdefg\": 1, \"abcdefgh\": 2, \"abcdefgi\": 3, \"abcdefg\\u0000\": 4}"
    XCTAssertEqual(try JSONDocument(distinct).root["abcdefgi"]?.number?.integer(Int.self), 3)
    XCTAssertThrowsError(try JSONDocument("{\"ab\": 1, \"\\u0061b\": 2}"))
  }

  func testUnicodeEquivalentNamesAreDistinct() throws {
    let root = try JSONDocument("{\"\u{E9}\": 1, \"e\u{301}\": 2}").root
    XCTAssertEqual(root["\u{E9}"]?.number?.integer(), 1)
    XCTAssertEqual(root["e\u{301}"]?.number?.integer(), 2)
    XCTAssertEqual(JSONValue(root)["e\u{301}"], 2)
  }

  func testObjectsWithManyDuplicateMembersAreReadQuickly() throws {
    let members = String(repeating: "\"a\":1,", count: 200_000)
    let document = try JSONDocument(Array("{\(members)\"a\":2}".utf8), duplicateKeys: .last)
    XCTAssertEqual(document.root["a"]?.number?.integer(), 2)
    XCTAssertEqual(JSONValue(document.root), ["a": 2])
    let names = (0..<200_000).map { "\"\($0)\":\($0)" }.joined(separator: ",")
    XCTAssertEqual(try JSONValue(parsing: "{\(names)}")["199999"], 199_999)
  }

  func testDescriptionOfAValueParsesToEqualValue() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let value = JSONValue.random(depth: 4, &random)
      XCTAssertEqual(try JSONValue(parsing: "\(value)"), value)
      var writer = JSONWriter(isPretty: true, escaping: .ascii)
      writer.value(value)
      XCTAssertEqual(try JSONValue(parsing: writer.text), value, writer.text)
    }
  }

  func testMembersOfAValueCanBeChanged() throws {
    var value = try JSONValue(parsing: "{\"name\": \"Ada\", \"born\": 1816}")
    value["born"] = 1815
    value["died"] = 1852
    value["name"] = .none
    XCTAssertEqual("\(value)", "{\"born\":1815,\"died\":1852}")
    XCTAssertEqual(value, ["died": 1852, "born": 1815])
    var list: JSONValue = [1, true, nil, "a"]
    list["x"] = 1
    XCTAssertEqual("\(list)", "[1,true,null,\"a\"]")
  }
}

extension JSONValue {
  fileprivate static func random(depth: Int, _ random: inout some RandomNumberGenerator) -> JSONValue {
    let strings = [
      "", "a", "é\n", "\"\\/", "😀\u{1}\u{7F}\u{2028}", "long enough for several words of memory",
    ]
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
    case 3:
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      return JSONNumber(number).map { .number($0) } ?? .null
    case 4: return .string(strings.randomElement(using: &random) ?? "")
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(depth: depth - 1, &random) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        let name = (strings.randomElement(using: &random) ?? "") + "\(object.count)"
        object[name] = .random(depth: depth - 1, &random)
      }
      return .object(object)
    }
  }
}
