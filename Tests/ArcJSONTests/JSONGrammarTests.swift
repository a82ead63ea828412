import ArcJSON
import XCTest

/// Valid and invalid JSON by RFC 8259, in the order of its sections.
final class JSONGrammarTests: XCTestCase {
  private func assertAccepted(_ texts: [String], file: StaticString = #filePath, line: UInt = #line) {
    for text in texts {
      XCTAssertNoThrow(try JSONDocument(text), "'\(text)'", file: file, line: line)
    }
  }

  /// Asserts that each text is refused with a code and a byte offset.
  private func assertRefused(
    _ texts: KeyValuePairs<String, (JSONError.Code, Int)>, file: StaticString = #filePath, line: UInt = #line
  ) {
    for (text, (code, offset)) in texts {
      XCTAssertThrowsError(try JSONDocument(text), "'\(text)'", file: file, line: line) { error in
        let error = error as? JSONError
        XCTAssertEqual(error?.code, code, "'\(text)': \(String(describing: error))", file: file, line: line)
        XCTAssertEqual(error?.byteOffset, offset, "'\(text)'", file: file, line: line)
      }
    }
  }

  func testAnyJSONValueIsADocument() {
    assertAccepted(["null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n1 \t\r\n"])
  }

  func testInvalidValuesAreRefused() {
    assertRefused([
      "": (.unexpectedEnd, 0), "   ": (.unexpectedEnd, 3), "nul": (.unexpectedCharacter, 0),
      "True": (.unexpectedCharacter, 0), "nan": (.unexpectedCharacter, 0),
      "Infinity": (.unexpectedCharacter, 0),
      "'a'": (.unexpectedCharacter, 0), "undefined": (.unexpectedCharacter, 0),
      "]": (.unexpectedCharacter, 0),
      "\u{FEFF}\u{FEFF}1": (.unexpectedCharacter, 3), "\u{A0}1": (.unexpectedCharacter, 0),
      "\u{0C}1": (.unexpectedCharacter, 0), "\u{00}1": (.unexpectedCharacter, 0),
      ",": (.unexpectedCharacter, 0),
    ])
  }

  func testTextAfterTheValueIsRefused() {
    assertRefused([
      "1 2": (.trailingText, 2), "{}}": (.trailingText, 2), "[],": (.trailingText, 2),
      "truex": (.trailingText, 4),
      "1\u{00}": (.trailingText, 1), "null // no comment": (.trailingText, 5),
      "\"a\"\"b\"": (.trailingText, 3),
    ])
  }

  func testNestedArraysAndObjectsAreAccepted() {
    assertAccepted([
      "[[[]]]", "[1,2 , 3\n]", "{\"a\":{\"b\":[{}]}}", "{\"\":0}", "[[],[[]],{}]",
      "{ \"a\" : 1 , \"b\" : 2 }",
    ])
  }

  func testMisplacedCommasAndColonsAreRefused() {
    assertRefused([
      "[1,]": (.unexpectedCharacter, 3), "[,1]": (.unexpectedCharacter, 1),
      "[1 2]": (.unexpectedCharacter, 3),
      "[": (.unexpectedEnd, 1), "[1": (.unexpectedEnd, 2), "[1,": (.unexpectedEnd, 3),
      "[1}": (.unexpectedCharacter, 2), "{\"a\":1]": (.unexpectedCharacter, 6),
      "{,}": (.unexpectedCharacter, 1),
      "{\"a\":1,}": (.unexpectedCharacter, 7), "{\"a\" 1}": (.unexpectedCharacter, 5),
      "{\"a\":}": (.unexpectedCharacter, 5), "{\"a\"}": (.unexpectedCharacter, 4),
      "{a:1}": (.unexpectedCharacter, 1),
      "{1:1}": (.unexpectedCharacter, 1), "{\"a\":1 \"b\":2}": (.unexpectedCharacter, 7),
      "{\"a\"::1}": (.unexpectedCharacter, 5), "[1,,2]": (.unexpectedCharacter, 3), "{": (.unexpectedEnd, 1),
      "{\"a\"": (.unexpectedEnd, 4), "{\"a\":": (.unexpectedEnd, 5), "[\"a\",\n1}": (.unexpectedCharacter, 7),
    ])
  }

  func testNumbersInEachValidNotationAreAccepted() {
    assertAccepted([
      "0", "-0", "10", "123456789012345678901234567890", "0.5", "-0.0", "1e5", "1E+5", "1e-05", "0e0",
      "1.25e10",
      "1e400", "-1e-400", "0.00000000000000000000001",
    ])
  }

  func testNumbersInInvalidNotationsAreRefused() {
    assertRefused([
      "01": (.invalidNumber, 0), "-01": (.invalidNumber, 0), "00": (.invalidNumber, 0),
      "-": (.unexpectedEnd, 1),
      "1.": (.unexpectedEnd, 2), "[1.]": (.invalidNumber, 1), "1e": (.unexpectedEnd, 2),
      "[1e+]": (.invalidNumber, 1),
      "[-]": (.invalidNumber, 1), ".5": (.unexpectedCharacter, 0), "+1": (.unexpectedCharacter, 0),
      "0x10": (.trailingText, 1), "1_000": (.trailingText, 1), "[1.e1]": (.invalidNumber, 1),
      "[-.5]": (.invalidNumber, 1), "1e1.5": (.trailingText, 3), "- 1": (.invalidNumber, 0),
      "-Infinity": (.invalidNumber, 0), "\u{FF11}": (.unexpectedCharacter, 0),
    ])
  }

  func testStringEscapesAreDecoded() throws {
    for (text, expected) in [
      "\"\"": "", "\"a\"": "a", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"": "\"\\/\u{8}\u{C}\n\r\t",
      "\"\\u0041\\u00e9\"": "A\u{E9}",
      "\"\\uD83D\\uDE00\"": "😀", "\"é😀\u{2028}\"": "é😀\u{2028}", "\"\\u0000\"": "\0", "\"\u{7F}\"": "\u{7F}",
      "\"eight by\\neight by\"": "eight by\neight by", "\"\\uFFFF\"": "\u{FFFF}", "\"/\"": "/",
      "\"\\uDBFF\\uDFFF\"": "\u{10FFFF}", "\"abcdefgh\\u0041ijklmnopé\"": "abcdefghAijklmnopé",
    ] {
      XCTAssertEqual(try JSONDocument(text).root.string.map { Array($0.utf8) }, Array(expected.utf8), text)
    }
  }

  func testInvalidStringsAreRefused() {
    assertRefused([
      "\"": (.unexpectedEnd, 1), "\"a": (.unexpectedEnd, 2), "\"\n\"": (.invalidString, 1),
      "\"a\u{00}b\"": (.invalidString, 2), "\"\u{1F}\"": (.invalidString, 1), "\"\\": (.unexpectedEnd, 2),
      "\"\\x\"": (.invalidEscape, 1), "\"\\u12\"": (.invalidEscape, 1), "\"\\u12G4\"": (.invalidEscape, 1),
      "\"\\u": (.unexpectedEnd, 3), "\"\\u+123\"": (.invalidEscape, 1), "\"\\'\"": (.invalidEscape, 1),
      "\"\\N\"": (.invalidEscape, 1), "\"abcdefgh\\u\"": (.invalidEscape, 9),
    ])
  }

  func testLoneSurrogatesAreRefused() {
    assertRefused([
      "\"\\uD800\"": (.invalidEscape, 1), "\"\\uDC00\"": (.invalidEscape, 1),
      "\"\\uD800\\n\"": (.invalidEscape, 1),
      "\"\\uD800\\uD800\"": (.invalidEscape, 1), "\"\\uD800x\"": (.invalidEscape, 1),
      "\"\\uD800\\u0041\"": (.invalidEscape, 1),
    ])
  }

  func testBytesThatAreNotUTF8AreRefused() {
    let wrong: [[UInt8]] = [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xE0, 0x80, 0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
      [0xF0, 0x9F, 0x98],
      [0xE2, 0x28, 0xA1],
    ]
    for bytes in wrong {
      for padding in [0, 3, 7, 8, 9] {
        let before = [UInt8](repeating: UInt8(ascii: "a"), count: padding)
        XCTAssertThrowsError(try JSONDocument([0x22] + before + bytes + [0x22]), "\(bytes)") { error in
          XCTAssertEqual((error as? JSONError)?.code, .invalidUTF8, "\(bytes)")
          XCTAssertEqual((error as? JSONError)?.byteOffset, padding + 1, "\(bytes)")
        }
        XCTAssertThrowsError(try JSONDocument([0x7B, 0x22] + before + bytes + [0x22, 0x3A, 0x31, 0x7D]))
      }
    }
  }

  func testEveryUnicodeScalarIsReadUnchanged() throws {
    var next: UInt32 = 0x20
    while next < 0x11_0000 {
      var text = ""
      for _ in 0..<64 {
        if let scalar = Unicode.Scalar(next), scalar != "\"", scalar != "\\" {
          text.unicodeScalars.append(scalar)
        }
        next += 1
      }
      guard try JSONDocument("\"\(text)\"").root.string?.utf8.elementsEqual(text.utf8) == true else {
        return XCTFail("scalars before \(next)")
      }
    }
  }

  func testNestingBeyondTheLimitIsRefused() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
    }
    XCTAssertNoThrow(try JSONDocument(nested(512)))
    XCTAssertThrowsError(try JSONDocument(nested(514))) { error in
      XCTAssertEqual((error as? JSONError)?.code, .limitExceeded)
    }
    let deep = nested(1_000_000)
    XCTAssertNoThrow(try JSONDocument(deep, limits: JSONLimits(depth: 1_000_000)))
    XCTAssertThrowsError(try JSONDocument(String(repeating: "[", count: 1_000_000)))
  }

  func testTextLongerThanTheLimitIsRefused() {
    XCTAssertNoThrow(try JSONDocument("[1]", limits: JSONLimits(bytes: 3)))
    XCTAssertThrowsError(try JSONDocument("[12]", limits: JSONLimits(bytes: 3))) { error in
      XCTAssertEqual((error as? JSONError)?.code, .limitExceeded)
    }
  }

  func testErrorDescriptionNamesThePosition() {
    XCTAssertThrowsError(try JSONDocument("{\n  \"é\": [1, 2}\n}")) { error in
      XCTAssertEqual("\(error)", "'}', expected ',' or ']' (line 2, column 13, byte 15)")
    }
    XCTAssertThrowsError(try JSONDocument("[\"a\u{1B}[2J\"]")) { error in
      XCTAssertEqual(
        "\(error)",
        "the control character 27 in a string, expected an escape such as \\n or \\u000A (line 1, column 4, byte 3)"
      )
    }
  }

  func testTruncatedAndFuzzedInputNeverTraps() throws {
    let text = Array(
      "{\"a\": [1, -2.5e3, true, null], \"bé\\n\\u00e9\": {\"c\": \"\\uD83D\\uDE00\", \"d\": []}}".utf8)
    for count in 0..<text.count { XCTAssertThrowsError(try JSONDocument(Array(text[..<count]))) }
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        guard let document = try? JSONDocument(changed) else { continue }
        XCTAssertEqual(try JSONValue(parsing: "\(JSONValue(document.root))"), JSONValue(document.root))
      }
    }
  }
}
