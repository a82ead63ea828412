import ArcJSON
import XCTest

/// The text that a writer makes.
final class JSONWriterTests: XCTestCase {
  private func text(
    _ writer: consuming JSONWriter = JSONWriter(), _ write: (inout JSONWriter) -> Void
  ) -> String {
    var writer = writer
    write(&writer)
    return writer.text
  }

  func testPiecesGetTheirCommasAndColons() {
    let text = text { writer in
      writer.beginObject()
      writer.key("a")
      writer.beginArray()
      writer.number(1)
      writer.null()
      writer.beginObject()
      writer.end()
      writer.end()
      writer.key("b")
      writer.bool(false)
      writer.end()
    }
    XCTAssertEqual(text, "{\"a\":[1,null,{}],\"b\":false}")
  }

  func testPrettyTextHasALineForEachValue() {
    let text = text(JSONWriter(isPretty: true)) {
      $0.value(["a": [1, ["b": []]], "c": .object(JSONObject())])
    }
    XCTAssertEqual(
      text,
      """
      {
        "a": [
          1,
          {
            "b": []
          }
        ],
        "c": {}
      }
      """)
  }

  func testStringsGetTheEscapesThatTheyMustHave() {
    XCTAssertEqual(
      text { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}é😀\u{2028}\u{7F}<") },
      "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001fé😀\u{2028}\u{7F}<\"")
  }

  func testOtherCharactersAreEscapedOnRequest() {
    XCTAssertEqual(
      text(JSONWriter(escaping: .ascii)) { $0.string("aé😀\u{7F}") }, "\"a\\u00e9\\ud83d\\ude00\\u007f\"")
    XCTAssertEqual(
      text(JSONWriter(escaping: .html)) { $0.string("</script>&'\u{2028}é") },
      "\"\\u003c/script\\u003e\\u0026\\u0027\\u2028é\"")
    let vowels = JSONEscaping.custom { scalar, isAfterShown in
      isAfterShown && "aeiou".unicodeScalars.contains(scalar)
    }
    XCTAssertEqual(text(JSONWriter(escaping: vowels)) { $0.string("abeu") }, "\"ab\\u0065u\"")
  }

  func testNumbersAreWrittenWithAsFewDigitsAsTellThemApart() throws {
    for number in [0.1, 1, -0.0, 1e-7, 1.7976931348623157e308, Double.leastNonzeroMagnitude, 123456789.125] {
      let text = text { $0.number(number) }
      XCTAssertEqual(try JSONDocument(text).root.number?.double?.bitPattern, number.bitPattern, text)
    }
    XCTAssertEqual(text { $0.number(0.1) }, "0.1")
    XCTAssertEqual(text { $0.number(Double.nan) }, "null")
    XCTAssertEqual(text { $0.number(UInt128.max) }, "340282366920938463463374607431768211455")
  }

  func testTextIsTakenInParts() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.number(1)
    XCTAssertEqual(writer.take(), Array("[1".utf8))
    writer.number(2)
    XCTAssertEqual(writer.depth, 1)
    writer.end()
    XCTAssertEqual(writer.text, ",2]")
    XCTAssertEqual(writer.depth, 0)
  }

  func testEndsWithoutABeginningWriteNothing() {
    XCTAssertEqual(text { $0.end() }, "")
  }
}
