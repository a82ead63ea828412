import ArcFormat
import ArcTestSupport
import XCTest

/// Short decimal numbers, which are parsed without Foundation.
final class DecimalNotationTests: XCTestCase {
  private func short(_ text: String) -> DecimalNotation.ShortNumber? {
    DecimalNotation.shortNumber(Array(text.utf8).span)
  }

  func testZerosAtEndOfFractionAreOmitted() {
    let numbers: [(String, digits: UInt64, fractionDigits: Int, bytes: Int)] = [
      ("12.50", 125, 1, 4), ("12.0", 12, 0, 2), ("1.0050", 1005, 3, 5), ("100", 100, 0, 3),
      ("0.000", 0, 0, 1),
      ("-0.5", 5, 1, 4), ("999999999999999999", 999_999_999_999_999_999, 0, 18),
      ("0.0000000000000000000000", 0, 0, 1), ("1.2000000000000000000000", 12, 1, 3),
    ]
    for (text, digits, fractionDigits, bytes) in numbers {
      let number = short(text)
      XCTAssertEqual(number?.digits, digits, text)
      XCTAssertEqual(number?.fractionDigitCount, fractionDigits, text)
      XCTAssertEqual(number?.byteCount, bytes, text)
      XCTAssertEqual(number?.isNegative, text.first == "-", text)
    }
    for text in ["", "-", "-0", "-0.0", "1.", ".5", "01", "1e2", "+1", "1.2.3", "1234567890123456789", "--1"]
    {
      XCTAssertNil(short(text), text)
    }
  }

  /// A number is short exactly if its beginning is its normalized notation, and only zeros at the end of a
  /// fraction follow.
  func testShortNumbersHaveTheNormalizedNotation() {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 20_000, exhaustively: 1_000_000) {
      let length = Int.random(in: 0...24, using: &random)
      let text = String((0..<length).map { _ in "00001579.-e+".randomElement(using: &random) ?? "0" })
      var trimmed = text[...]
      if text.contains(".") {
        while trimmed.last == "0" { trimmed.removeLast() }
        if trimmed.last == ".", trimmed.count < text.count { trimmed.removeLast() }
      }
      let normalized = DecimalNotation.normalized(text)
      let isShort = normalized.map { $0 == trimmed && $0.filter(\.isNumber).count <= 18 } ?? false
      let number = short(text)
      XCTAssertEqual(number != nil, isShort, text)
      guard let number else { continue }
      XCTAssertEqual(String(text.prefix(number.byteCount)), normalized, text)
      XCTAssertEqual(
        DecimalNotation.text(
          number.digits, exponent: -number.fractionDigitCount, isNegative: number.isNegative),
        normalized, text)
    }
  }
}
