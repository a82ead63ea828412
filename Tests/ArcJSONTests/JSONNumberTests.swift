import ArcJSON
import XCTest

/// JSON numbers with all their digits.
final class JSONNumberTests: XCTestCase {
  func testLargeIntegersAreReadExactly() {
    XCTAssertEqual(JSONNumber("9007199254740993")?.integer(Int.self), 9_007_199_254_740_993)
    XCTAssertEqual(JSONNumber("18446744073709551615")?.integer(UInt64.self), .max)
    XCTAssertEqual(JSONNumber("-9223372036854775808")?.integer(Int64.self), .min)
    XCTAssertEqual(JSONNumber("-170141183460469231731687303715884105728")?.integer(Int128.self), .min)
    XCTAssertEqual(JSONNumber("340282366920938463463374607431768211455")?.integer(UInt128.self), .max)
  }

  func testIntegerOutsideTheRequestedTypeIsNil() {
    XCTAssertNil(JSONNumber("128")?.integer(Int8.self))
    XCTAssertNil(JSONNumber("-1")?.integer(UInt8.self))
    XCTAssertNil(JSONNumber("18446744073709551616")?.integer(UInt64.self))
    XCTAssertNil(JSONNumber("1.5")?.integer(Int.self))
    XCTAssertNil(JSONNumber("1e-1")?.integer(Int.self))
    XCTAssertNil(JSONNumber("1e1000000000")?.integer(Int128.self))
    XCTAssertNil(JSONNumber("1e99999999999999999999")?.integer(Int.self))
  }

  func testIntegersInAnyNotationAreExact() {
    XCTAssertEqual(JSONNumber("1.0")?.integer(Int.self), 1)
    XCTAssertEqual(JSONNumber("-1.50e1")?.integer(Int.self), -15)
    XCTAssertEqual(JSONNumber("1e2")?.integer(UInt8.self), 100)
    XCTAssertEqual(JSONNumber("100e-2")?.integer(Int.self), 1)
    XCTAssertEqual(JSONNumber("-0")?.integer(Int.self), 0)
    XCTAssertEqual(JSONNumber("-0.0e5")?.integer(UInt.self), 0)
    XCTAssertEqual(JSONNumber("0e999999999")?.integer(Int.self), 0)
    XCTAssertEqual(JSONNumber("1.8446744073709551615E19")?.integer(UInt64.self), .max)
  }

  func testFloatingPointNumbersAreRoundedToNearest() {
    XCTAssertEqual(JSONNumber("0.1")?.double, 0.1)
    XCTAssertEqual(JSONNumber("-0.0")?.double?.sign, .minus)
    XCTAssertEqual(JSONNumber("2.2250738585072011e-308")?.double, Double.leastNormalMagnitude.nextDown)
    XCTAssertEqual(JSONNumber("1e-400")?.double, 0)
    XCTAssertNil(JSONNumber("1e400")?.double)
  }

  func testOnlyNumericTextBecomesANumber() {
    for text in ["", " 1", "1 ", "01", "+1", "0x1", "inf", "nan", "1.", "é"] {
      XCTAssertNil(JSONNumber(text), text)
    }
    XCTAssertNil(JSONNumber(Double.nan))
    XCTAssertNil(JSONNumber(-Double.infinity))
    XCTAssertEqual(JSONNumber(0.1)?.text, "0.1")
    XCTAssertEqual(JSONNumber(UInt64.max).text, "18446744073709551615")
  }

  func testNumberLiteralsAreWrittenWithFewestDigits() {
    let value: JSONValue = [1, 2.5, 0.1, -0.0, 1e300, 100.0, ["x": 1.0]]
    XCTAssertEqual("\(value)", #"[1,2.5,0.1,-0.0,1e+300,100.0,{"x":1.0}]"#)
    XCTAssertEqual(JSONValue(floatLiteral: .infinity), .null)
  }

  func testDigitsOfNumbersSurviveARoundTrip() throws {
    let text = "[0.10,1E+2,123456789012345678901234567890.5,-0]"
    XCTAssertEqual("\(try JSONValue(parsing: text))", text)
  }
}
