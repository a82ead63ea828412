import ArcRuntime
import XCTest

final class TypeEncodingErrorTests: XCTestCase {
  func testErrorForInvalidEncodingHasCodeAndOffset() {
    for (text, code, index) in Self.broken {
      XCTAssertThrowsError(try TypeEncoding(parsing: text), text) { error in
        guard let error = error as? TypeEncodingError else { return XCTFail("\(error)") }
        XCTAssertEqual(error.code, code, text)
        XCTAssertEqual(error.byteOffset, index, text)
        XCTAssertEqual(error.text, text)
      }
    }
    XCTAssertEqual(Set(Self.broken.map(\.1)), Set(TypeEncodingError.Code.allCases), "a kind has no example")
  }

  func testErrorDescriptionPointsAtTheOffset() {
    XCTAssertEqual(
      Self.error(for: "{Größe=ix}"),
      """
      unknown type code 'x', expected a type code, at byte 10
        {Größe=ix}
                ^
      """)
    XCTAssertEqual(
      Self.error(for: "[4i"),
      """
      unclosed bracket '[', expected ']', at byte 0
        [4i
        ^
      """)
    XCTAssertEqual(
      Self.error(for: "$"),
      """
      unexpected end of the text, expected '?', '[', '<', '(' or '~' after '$', at byte 1
        $
         ^
      """)
  }

  func testErrorDescriptionShowsOnlyTextNearTheOffset() {
    let text = String(repeating: "^", count: 60) + "x" + String(repeating: "i", count: 60)
    XCTAssertEqual(
      Self.error(for: text),
      "unknown type code 'x', expected a type code, at byte 60\n"
        + "  …" + String(repeating: "^", count: 32) + "x" + String(repeating: "i", count: 31) + "…\n"
        + "  " + String(repeating: " ", count: 33) + "^")
  }

  func testTerminalEscapesInTheTextAreNotPrinted() {
    let error = Self.error(for: "\u{1B}[31m\u{202E}")
    XCTAssertFalse(error.unicodeScalars.contains("\u{1B}"))
    XCTAssertFalse(error.unicodeScalars.contains("\u{202E}"))
  }

  func testErrorOffsetOutsideTheTextIsClamped() {
    let error = TypeEncodingError(code: .trailingText, text: "i", byteOffset: 99, expected: "the end")
    XCTAssertEqual(error.byteOffset, 1)
    XCTAssertTrue(error.description.hasSuffix("  i\n   ^"))
  }

  private static func error(for text: String) -> String {
    do { return "parsed as \(try TypeEncoding(parsing: text))" } catch { return error.description }
  }

  private static let broken: [(String, TypeEncodingError.Code, Int)] = [
    ("x", .unknownTypeCode, 0), ("]", .unknownTypeCode, 0), ("4", .unknownTypeCode, 0),
    ("{S=ix}", .unknownTypeCode, 4), ("é", .unknownTypeCode, 0), ("\0", .unknownTypeCode, 0),
    ("{S=i]", .unexpectedCharacter, 4), ("[4ii]", .unexpectedCharacter, 3), ("$", .unexpectedCharacter, 1),
    ("$i", .unexpectedCharacter, 1), ("@?<v,>", .unexpectedCharacter, 4), ("![16]", .unexpectedCharacter, 4),
    ("{S=i", .unclosedBracket, 0), ("{S", .unclosedBracket, 0), ("{Ch<'}'>", .unclosedBracket, 0),
    ("i^[4i", .trailingText, 1), ("^[4i", .unclosedBracket, 1), ("@?<", .unclosedBracket, 2),
    ("$[i", .unclosedBracket, 1), ("$<i:q", .unclosedBracket, 1), ("$(E", .unclosedBracket, 1),
    ("@\"NSString", .unclosedQuote, 1), ("{S=\"a", .unclosedQuote, 3), ("{S=\"a\"@\"", .unclosedQuote, 7),
    ("$?", .missingType, 2), ("$[]", .missingType, 2), ("$<>", .missingType, 2), ("$<i:>", .missingType, 4),
    ("$~", .missingType, 2), ("$(E=i)", .missingName, 4), ("b", .missingNumber, 1), ("bi", .missingNumber, 1),
    ("![,4i]", .missingNumber, 2), ("[04i]", .leadingZero, 1), ("b00", .leadingZero, 1),
    ("[18446744073709551616c]", .numberTooLarge, 1), ("b99999999999999999999999", .numberTooLarge, 1),
    ("ii", .trailingText, 1), ("@\"A\"\"b\"", .trailingText, 4), ("v24@0:8", .trailingText, 1),
    (String(repeating: "^", count: 128) + "i", .tooDeep, 128),
  ]
}
