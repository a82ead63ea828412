import ArcFormat
import XCTest

@testable import ArcInspection

final class StyleTests: XCTestCase {
  func testTerminalAndEnvironmentDetermineTheUseOfColor() throws {
    let bytes = try SampleArchives.chain(1)
    let table: [(arguments: [String], isTerminal: Bool, environment: [String: String], isColored: Bool)] = [
      ([], false, [:], false), ([], true, [:], true), ([], true, ["NO_COLOR": ""], true),
      ([], true, ["NO_COLOR": "1"], false), ([], true, ["TERM": "dumb"], false),
      (["--color", "never"], true, [:], false), (["--color", "always"], false, ["NO_COLOR": "1"], true),
    ]
    for row in table {
      let result = try command(row.arguments).result(
        isTerminal: row.isTerminal, environment: row.environment
      ) { _, _ in bytes }
      XCTAssertEqual(result.output.contains("\u{1B}["), row.isColored, "\(row)")
    }
  }

  func testColorDoesNotChangeTheText() throws {
    for command in ["tree", "info", "classes", "verify"] {
      let bytes = try SampleArchives.family()
      let colored = try arcdump(command, "--color", "always", on: bytes).output
      XCTAssertEqual(
        colored.replacingOccurrences(of: "\u{1B}\\[[0-9]+m", with: "", options: .regularExpression),
        try arcdump(command, on: bytes).output)
    }
  }

  func testDatesAreShownAsCalendarDates() {
    let table: [(Double, String?)] = [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
      (0.1, "2001-01-01T00:00:00.1Z"), (-1e-20, "2001-01-01T00:00:00Z"), (0.9999999, "2001-01-01T00:00:01Z"),
      (-26_265_600, "2000-03-03T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (-63_145_612_800, "-000001-12-31T00:00:00Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
      (.nan, nil), (.infinity, nil), (1e300, nil),
      (4e15, "+126756955-01-11T07:06:40Z"),
      // The result depends on the exact value of the `Double`, not on its rounded product with a million.
      (5e-7, "2001-01-01T00:00:00Z"), (1.5e-6, "2001-01-01T00:00:00.000002Z"),
      (-2.5e-6, "2000-12-31T23:59:59.999997Z"), (0.0078125, "2001-01-01T00:00:00.007813Z"),
      (-0.0078125, "2000-12-31T23:59:59.992188Z"), (8_589_934_592.000001, "2273-03-16T12:56:32.000002Z"),
    ]
    for (seconds, text) in table {
      XCTAssertEqual(calendarText(secondsSince2001: seconds), text, "\(seconds)")
    }
  }

  func testCountsArePrintedWithThousandsSeparators() {
    XCTAssertEqual(
      [0, 999, 1000, 1_234_567, -1000].map(grouped), ["0", "999", "1,000", "1,234,567", "-1,000"])
    XCTAssertEqual([counted(1, "byte"), counted(2000, "class", "classes")], ["1 byte", "2,000 classes"])
  }
}
