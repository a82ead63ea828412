import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Unusual decimals and URLs round-trip, or are refused during writing.
final class FoundationValueTests: XCTestCase {
  func testDecimalsWithTrailingZerosInFractionsRoundTrip() throws {
    var one = Decimal(1)
    var hundredth = Decimal(string: "0.01") ?? 0
    _ = NSDecimalNormalize(&one, &hundredth, .plain)
    var hundred = Decimal(100)
    hundredth = Decimal(string: "0.01") ?? 0
    _ = NSDecimalNormalize(&hundred, &hundredth, .plain)
    XCTAssertEqual(one.description, "1.00", "not compact any more")
    for value in [one, hundred, -one, one * hundredth, 0, .nan, 1000, .greatestFiniteMagnitude] {
      let copy = try roundTrip(value)
      XCTAssertTrue(copy == value || copy.isNaN && value.isNaN, "\(copy) is not \(value)")
    }
  }

  func testDecimalsWithRandomBitsRoundTrip() throws {
    var random = SystemRandomNumberGenerator()
    var decimals: [Decimal] = []
    for _ in 0..<RandomTrials.count(usually: 1_500, exhaustively: 20_000) {
      var decimal = Decimal()
      withUnsafeMutableBytes(of: &decimal) { bytes in
        for index in bytes.indices { bytes[index] = random.next() }
      }
      decimals.append(decimal)
    }
    let copy = try roundTrip(decimals)
    for (one, other) in zip(decimals, copy) {
      XCTAssertTrue(one == other || one.isNaN && other.isNaN, "\(one) and \(other)")
    }
  }

  func testEveryFormOfURLRoundTrips() throws {
    let base = try XCTUnwrap(URL(string: "https://example.org/a/b?c#d"))
    var components = URLComponents()
    let empty = try XCTUnwrap(components.url)
    let emptyRelative = try XCTUnwrap(components.url(relativeTo: base))
    components.path = "a b"
    let made: [URL?] = [
      empty, emptyRelative, components.url, base, base.appendingPathComponent(""), URL(fileURLWithPath: ""),
      URL(fileURLWithPath: "a b"), URL(string: "x", relativeTo: URL(string: "y", relativeTo: base)),
      URL(dataRepresentation: Data([0xFF, 0x41]), relativeTo: nil), URL(string: "%zz"),
    ]
    let urls = made.compactMap { $0 }
    let copy = try roundTrip(urls)
    XCTAssertEqual(copy.map(\.relativeString), urls.map(\.relativeString))
    XCTAssertEqual(copy.map(\.absoluteString), urls.map(\.absoluteString))
  }

  func testDecimalZerosOfManyDigitsRoundTrip() throws {
    for exponent in [UInt8(4), 252] {
      for length in 0..<9 as Range<UInt8> {
        var zero = Decimal()
        // Sets the exponent and, in the lower half of the next byte, the length. Arithmetic never returns
        // such a zero.
        withUnsafeMutableBytes(of: &zero) { bits in
          bits[0] = exponent
          bits[1] = length
        }
        XCTAssertNoThrow(try roundTrip([zero]), "\(zero)")
      }
    }
  }

  func testURLRelativeToEmptyURLRoundTrips() throws {
    let base = try XCTUnwrap(URLComponents().url)
    let url = try XCTUnwrap(URL(string: "x", relativeTo: base))
    let copy = try roundTrip(url)
    XCTAssertEqual(copy, url)
    XCTAssertEqual(copy.baseURL, base)
  }
}
