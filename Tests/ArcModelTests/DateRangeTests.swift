import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Dates of any year, in each notation, either round-trip or are refused with their paths.
final class DateRangeTests: XCTestCase {
  /// Seconds since 1970 of years before 1, from 1 to 9999, and after 9999, including the limits.
  private static let seconds: [Double] = [
    0, -0.5, 0.25, 978_307_200, -62_135_596_800, -62_135_596_801, -62_135_596_800.5, -62_167_219_200,
    -62_167_219_201, -62_167_219_200.5, 253_402_300_799, 253_402_300_799.5, 253_402_300_799.9999999,
    253_402_300_800, -1e11, 1e12, -1e12, 9_007_199_254_740_992, 1e15, -1e15, 1e300, -1e300, 1.7e308, -1.7e308,
    .greatestFiniteMagnitude,
  ]

  /// Found by the fuzzer: after rounding, or with its offset, a date was in a year that its format cannot
  /// represent.
  func testDatesThatTheirFormatCannotWriteAreRefused() throws {
    let texts = [
      "9999-12-31T23:59:59.99999999Z", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00",
    ]
    for text in texts {
      XCTAssertThrowsError(try RangedDates(json: #"{"iso8601":"\#(text)"}"#), text)
      let (lenient, issues) = try ModelReader(.lenient).readWithIssues(
        RangedDates.self, from: #"{"iso8601":"\#(text)"}"#)
      XCTAssertNil(lenient.iso8601)
      XCTAssertEqual(issues.count, 1, text)
    }
    let last = try RangedDates(json: #"{"iso8601":"9999-12-31T23:59:59.5Z"}"#)
    XCTAssertEqual(try last.json(), #"{"iso8601":"9999-12-31T23:59:59.500Z","number":0}"#)
  }

  private func check(
    _ property: ReferenceWritableKeyPath<RangedDates, Date?>, _ key: String, within tolerance: Double,
    isRefused: (Double) -> Bool, line: UInt = #line
  ) throws {
    for seconds in Self.seconds {
      let date = Date(timeIntervalSince1970: seconds)
      let dates = RangedDates()
      dates[keyPath: property] = date
      do {
        let text = try [dates].json()
        XCTAssertFalse(isRefused(seconds), text, line: line)
        let read = try [RangedDates](json: text)[0][keyPath: property]
        let difference = (read?.timeIntervalSince1970 ?? .nan) - date.timeIntervalSince1970
        XCTAssertLessThanOrEqual(
          difference.magnitude, max(tolerance, seconds.magnitude * 1e-15), "\(seconds) as \(text)", line: line
        )
      } catch let error as ModelWritingError {
        XCTAssertTrue(isRefused(seconds), "\(error)", line: line)
        XCTAssertEqual(error.code, .noNotation, line: line)
        XCTAssertEqual(error.path, "[0].\(key)", line: line)
      }
    }
  }

  private static let notated = -62_167_219_200.0..<253_402_300_800

  func testEachDateFormatPreservesOrRefusesTheDate() throws {
    try check(\.plain, "plain", within: 0) { _ in false }
    try check(\.iso8601, "iso8601", within: 0) { !Self.notated.contains($0) }
    try check(\.rfc1123, "rfc1123", within: 1) { !Self.notated.contains($0) }
    try check(\.seconds, "seconds", within: 1e-6) { _ in false }
    try check(\.milliseconds, "milliseconds", within: 1e-6) { $0.magnitude > 1.7e305 }
  }

  func testYearsOutsideTheDateFormatAreRefused() throws {
    for (key, texts) in [
      ("plain", [#""10000-01-01T00:00:00Z""#, #""-0001-01-01T00:00:00Z""#, #""+12026-01-01T00:00:00Z""#]),
      ("iso8601", [#""10000-01-01T00:00:00Z""#, #""-0001-12-31T23:59:59Z""#, #""99999-01-01""#]),
      (
        "rfc1123",
        [
          #""Sat, 01 Jan 10000 00:00:00 GMT""#, #""Sat, 01 Jan -001 00:00:00 GMT""#,
          #""01 Jan 1 00:00:00 GMT""#,
        ]
      ),
      ("seconds", ["1e309", #""10000-01-01T00:00:00Z""#]), ("milliseconds", ["1e400", "[]"]),
    ] {
      for text in texts {
        let json = "{\"number\": 3, \"\(key)\": \(text)}"
        XCTAssertThrowsError(try RangedDates(json: json), json) { error in
          XCTAssertEqual((error as? ModelReadingError)?.issues.map(\.path), [key], json)
        }
        let (dates, issues) = try ModelReader(.lenient).readWithIssues(RangedDates.self, from: json)
        XCTAssertEqual(issues.map(\.path), [key], json)
        XCTAssertEqual(
          [dates.plain, dates.iso8601, dates.rfc1123, dates.seconds, dates.milliseconds],
          [nil, nil, nil, nil, nil], json)
        XCTAssertEqual(dates.number, 3)
      }
    }
  }
}

@Archivable("RangedDates") final class RangedDates {
  var plain: Date?
  @JSONFormat(.iso8601) var iso8601: Date?
  @JSONFormat(.rfc1123) var rfc1123: Date?
  @JSONFormat(.secondsSince1970) var seconds: Date?
  @JSONFormat(.millisecondsSince1970) var milliseconds: Date?
  var number = 0
  init() {}
}
