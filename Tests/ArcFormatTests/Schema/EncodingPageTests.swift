import ArcFormat
import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

/// The test vectors of Spec page 09 are read as the page states. `Python/tests/test_encodings.py` tests the
/// readers in Python with the same vectors.
final class EncodingPageTests: XCTestCase {
  func testEncodingsInTheSpecAreReadAsSpecified() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Spec/09-encodings.md"), encoding: .utf8)
    let vectors = page.split(separator: "\n").filter { $0.hasPrefix("| `T") }
    XCTAssertGreaterThan(vectors.count, 10)
    for vector in vectors {
      let cells = vector.components(separatedBy: "` | ")
      let attributes = try PropertyAttributes(parsingColumn: String(cells[0].dropFirst(3)))
      let column = ColumnDescription(declaringClassIndex: 0, key: "key", attributes: attributes, flags: [])
      var layout = ColumnLayout()
      if cells[1].hasPrefix("breaks") {
        XCTAssertThrowsError(try layout.append(column, className: "A"), String(vector)) {
          XCTAssertEqual(($0 as? ArchiveError)?.code, .malformedEncoding)
        }
        continue
      }
      try layout.append(column, className: "A")
      guard case .structure(let name, let fields)? = attributes.type else {
        XCTFail("\(vector): no structure")
        continue
      }
      XCTAssertEqual(name, cells[1].components(separatedBy: "`")[1])
      XCTAssertEqual(
        zip(fields ?? [], layout.nodes[0].children).compactMap { field, child in
          field.name.map { "\($0): \(layout.nodes[child].kind)" }
        }, try members(saidIn: cells.dropFirst().joined(separator: "` | ")), String(vector))
    }
  }

  /// Returns the labelled members in a row of the table, each with its kind.
  private func members(saidIn text: String) throws -> [String] {
    try text.matches(of: Regex("`([^`]+)` (?:an? )?(int64|string|uint8|reference|optional)")).map {
      "\($0.output[1].substring ?? ""): \($0.output[2].substring ?? "")"
    }
  }
}
