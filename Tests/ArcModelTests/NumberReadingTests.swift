import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Models read floating-point numbers with the results of the standard library.
final class NumberReadingTests: XCTestCase {
  func testFractionsAndOverflowsHaveDifferentCodes() throws {
    func code<Value: ArchivableValue>(_ type: Value.Type, _ text: String, _ mode: ModelReader.Mode) throws
      -> ModelIssue.Code?
    {
      do {
        return try ModelReader(mode).readWithIssues([Value].self, from: "[\(text)]").issues.first?.code
      } catch {
        return (error as? ModelReadingError)?.issues.first?.code
      }
    }
    for mode in [ModelReader.Mode.strict, .lenient] {
      for text in ["1.5", "-0.1", "1e-3", "15e-1", "100000000000000000000.5"] {
        XCTAssertEqual(try code(Int8.self, text, mode), .fractionalNumber, text)
        XCTAssertEqual(try code(UInt64.self, text, mode), .fractionalNumber, text)
        XCTAssertEqual(try code(Int128.self, text, mode), .fractionalNumber, text)
      }
      for text in ["128", "-129", "1e400", "1e20"] {
        XCTAssertEqual(try code(Int8.self, text, mode), .valueOutOfRange, text)
      }
      XCTAssertEqual(try code(UInt.self, "-1", mode), .valueOutOfRange)
      XCTAssertEqual(try code(Double.self, "1e400", mode), .valueOutOfRange)
      XCTAssertNil(try code(Int8.self, "1.0", mode))
      XCTAssertNil(try code(Int8.self, "120e-1", mode))
    }
    XCTAssertEqual(try code(Int.self, #""1.5""#, .lenient), .fractionalNumber)
    XCTAssertEqual(try code(Int.self, #""1.5""#, .strict), .typeMismatch)
  }

  func testFiniteDoublesBecomeJSONNumbers() throws {
    XCTAssertEqual(JSONValue(0.5 + 0)?.description, "0.5")
    XCTAssertEqual(JSONValue(Double("3") ?? 0), 3.0)
    XCTAssertNil(JSONValue(Double.infinity))
    XCTAssertNil(JSONValue(Double.nan))
  }

  func testDateOffsetMayContainOnlyHours() throws {
    for (text, offset) in [("+02", 2), ("-07", -7), ("+0200", 2), ("+02:00", 2), ("+00", 0), ("Z", 0)] {
      for reader in [ModelReader(), ModelReader(references: .marked)] {
        let date = try reader.read([Date].self, from: #"["2001-01-31T12:00:00\#(text)"]"#)[0]
        XCTAssertEqual(date.timeIntervalSinceReferenceDate, Double(30 * 86_400 + (12 - offset) * 3_600), text)
      }
    }
    for text in ["+2", "+02:", "+02:0", "+24", "+020", "02", "+"] {
      XCTAssertThrowsError(
        try ModelReader().read([Date].self, from: #"["2001-01-31T12:00:00\#(text)"]"#), text)
    }
  }

  func testNumbersOfManyDigitsAreRoundedToNearest() throws {
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
    // Decimals halfway between two numbers, and their neighbours.
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
