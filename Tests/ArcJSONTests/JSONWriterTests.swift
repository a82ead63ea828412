import ArcJSON
import XCTest

/// The JSON text that a writer writes.
final class JSONWriterTests: XCTestCase {
  private func text(
    _ writer: consuming JSONWriter = JSONWriter(), _ write: (inout JSONWriter) -> Void
  ) -> String {
    var writer = writer
    write(&writer)
    return writer.text
  }

  func testWriterInsertsCommasAndColonsBetweenValues() {
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

  func testPrettyTextPutsEachValueOnALine() {
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

  func testStringsGetOnlyTheRequiredEscapes() {
    XCTAssertEqual(
      text { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}é😀\u{2028}\u{7F}<") },
      "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001fé😀\u{2028}\u{7F}<\"")
  }

  func testOptionalEscapesAreWrittenOnRequest() {
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

  func testNumbersAreWrittenWithTheFewestExactDigits() throws {
    for number in [0.1, 1, -0.0, 1e-7, 1.7976931348623157e308, Double.leastNonzeroMagnitude, 123456789.125] {
      let text = text { $0.number(number) }
      XCTAssertEqual(try JSONDocument(text).root.number?.double?.bitPattern, number.bitPattern, text)
    }
    XCTAssertEqual(text { $0.number(0.1) }, "0.1")
    XCTAssertEqual(text { $0.number(Double.nan) }, "null")
    XCTAssertEqual(text { $0.number(UInt128.max) }, "340282366920938463463374607431768211455")
  }

  func testWrittenTextIsReturnedInParts() {
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

  func testEndingWithoutOpenContainerWritesNothing() {
    XCTAssertEqual(text { $0.end() }, "")
  }
}

/// The fast path of the writer writes the same text as the slow path.
final class FastJSONWriterTests: XCTestCase {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.text
  }

  func testWrittenNumbersEqualTheirSwiftDescriptions() {
    var doubles: [Double] = [
      0, -0.0, 1e-4, 9.9e-5, 0.000123, 1e9, 123_456_789.123456, 999_999_999.999999, 1e15,
    ]
    for _ in 0..<20_000 {
      let scale: Double = [1, 10, 100, 1e3, 1e6, 1e7, 1e9].randomElement() ?? 1
      doubles.append(Double(Int64.random(in: -(1 << 52)...1 << 52) >> Int64.random(in: 0..<52)) / scale)
      doubles.append(Double(bitPattern: .random(in: 0 ... .max)))
    }
    // The exponents at which the writer changes the notation, and decimals that are as close as possible to
    // the middle between two numbers.
    for exponent in 1010...1080 as ClosedRange<UInt64> {
      for significand in [0, 1, 2, 1 << 51, (1 << 52) - 2, (1 << 52) - 1] as [UInt64] {
        doubles.append(Double(bitPattern: exponent << 52 | significand))
      }
      for _ in 0..<200 {
        let zeroCount = UInt64.random(in: 0..<52)
        let significand = (UInt64.random(in: 0..<1 << 52) >> zeroCount) << zeroCount
        doubles.append(Double(bitPattern: exponent << 52 | significand))
      }
    }
    for number in doubles where number.isFinite {
      for number in [number, number.nextUp, -number] where number.isFinite {
        XCTAssertEqual(text { $0.number(number) }, number.description)
      }
    }
    var integers: [UInt64] = [0, 9, 10, 99_999_999, 100_000_000, 9_999_999_999_999_999, .max]
    for _ in 0..<20_000 { integers.append(UInt64.random(in: 0 ... .max) >> UInt64.random(in: 0..<64)) }
    for number in integers {
      XCTAssertEqual(text { $0.number(number) }, number.description)
      let signed = Int64(bitPattern: number)
      XCTAssertEqual(text { $0.number(signed) }, signed.description)
    }
  }

  func testCharactersAreEscapedAtAnyPosition() throws {
    for count in 0..<40 {
      let plain = String(repeating: "x", count: count)
      XCTAssertEqual(text { $0.string(plain) }, "\"\(plain)\"")
      for place in 0..<count {
        for (character, escape) in [("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}", "\\u001f")] {
          let (before, after) = (String(plain.prefix(place)), String(plain.dropFirst(place + 1)))
          XCTAssertEqual(text { $0.string(before + character + after) }, "\"\(before)\(escape)\(after)\"")
          let twice = before + character + character + after
          XCTAssertEqual(text { $0.string(twice) }, "\"\(before)\(escape)\(escape)\(after)\"")
        }
        let other = plain.prefix(place) + "é\u{7F}!#[]\u{20}" + plain.dropFirst(place)
        XCTAssertEqual(text { $0.string(String(other)) }, "\"\(other)\"")
      }
    }
  }
}
