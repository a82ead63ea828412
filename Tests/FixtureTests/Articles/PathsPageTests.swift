import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// The table of steps in the article about paths.
final class PathsPageTests: XCTestCase {
  func testPathsInTheTableSelectTheValuesShown() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/Paths.md"), encoding: .utf8)
    let steps = try XCTUnwrap(page.components(separatedBy: "\n## Steps\n").last)
    let rows = steps.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    XCTAssertEqual(rows.count, 14)
    for row in rows {
      let cells = row.components(separatedBy: "|")
      try assert(code(cells[3]), selects: code(cells[4]))
    }
    let command = try XCTUnwrap(steps.firstMatch(of: /\narcdump get atlas.arc '(.*)'\n/))
    try assert(String(command.1), selects: "3")
  }

  private func assert(_ path: String, selects value: String) throws {
    let bytes = try archiveOfAnAtlas()
    let printed = try arcdump(["get", "test.arc", path], on: ["test.arc": bytes]).output
    XCTAssertEqual(printed.components(separatedBy: "\n")[0], "\(path): \(value)")
    XCTAssertEqual(try ValuePath(parsing: path).description, path)
    _ = try ArchiveFile(bytes: bytes).value(atPath: path)
  }

  /// Returns the code in a cell without its backticks.
  private func code(_ cell: String) -> String {
    String(cell.trimmingCharacters(in: .whitespaces).dropFirst().dropLast())
  }
}
