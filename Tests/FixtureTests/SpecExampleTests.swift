import ArcTestSupport
import Foundation
import XCTest

/// The annotated examples of the Spec are files in `Fixtures`, byte by byte.
final class SpecExampleTests: XCTestCase {
  func testBytesOfSpecExamplesMatchTheFixtures() throws {
    let url = Repository.root.appendingPathComponent("Spec/08-example.md")
    let examples = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n# ").dropFirst()
    XCTAssertEqual(examples.count, 2)
    for example in examples {
      let name = try XCTUnwrap(example.components(separatedBy: "`").dropFirst().first)
      let golden = try Array(Data(contentsOf: Repository.fixtures.appendingPathComponent(name)))
      var bytes: [UInt8] = []
      for line in example.components(separatedBy: "\n") {
        let cells = line.components(separatedBy: " | ")
        guard cells.count > 2, let offset = Int(cells[0].dropFirst(2), radix: 16) else { continue }
        XCTAssertEqual(offset, bytes.count, line)
        let digits = cells[1].split(separator: "`").first?.split(separator: " ") ?? []
        bytes += try digits.map { try XCTUnwrap(UInt8($0, radix: 16), line) }
      }
      XCTAssertEqual(bytes, golden, name)
    }
  }
}
