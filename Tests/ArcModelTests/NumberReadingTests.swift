import ArcModel
import XCTest

/// Floating-point numbers as models read them: the standard library is the judge.
final class NumberReadingTests: XCTestCase {
  func testNumbersOfManyDigitsAreTheNearestOnes() throws {
    var texts = [
      "9007199254740993", "9007199254740992.5", "-9007199254740993.0", "9999999999999999999",
      "99999999999999999999", "-999999999999999999", "-9999999999999999999", "0.1000000000000000055",
      "0.000000000000000001", "1.7976931348623157", "-65.613616999999977", "4503599627370497.5",
      "1844674407370955161.5", "18446744073709551615", "0.0000000000000000000001", "-0.0", "0", "-0",
      "9007199254740993e0", "1e22", "5e-324",
    ]
    var state: UInt64 = 7
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
    for _ in 0..<20_000 {
      let digits = "\(next() >> (next() & 15))"
      let count = Int(next() >> 33) % (digits.utf8.count + 1)
      let whole = digits.dropLast(count)
      let sign = next() & 1 == 0 ? "-" : ""
      texts.append(sign + (whole.isEmpty ? "0" : whole) + (count > 0 ? "." : "") + digits.suffix(count))
    }
    // Halfway between two numbers, and next to it.
    for exponent in 0..<9 {
      let odd = (UInt64(1) << 53 | 1) << UInt64(exponent)
      texts += ["\(odd)", "\(odd - 1)", "\(odd + 1)", "\(odd).5", "\(odd / 10).\(odd % 10)"]
    }
    let numbers = try [Double](json: "[" + texts.joined(separator: ",") + "]")
    XCTAssertEqual(numbers.count, texts.count)
    for (text, number) in zip(texts, numbers) {
      XCTAssertEqual(number.bitPattern, Double(text)?.bitPattern, text)
    }
  }
}
