import ArcTestSupport
import Foundation
import XCTest

@testable import ArcInspection

/// Commands that read archives name the format of another file, and the command that reads it.
final class OtherFormatTests: XCTestCase {
  private let list: [String: Any] = ["name": "Ada", "born": 1815]

  private func propertyList(_ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
  }

  private func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Repository.fixtures.appendingPathComponent("keyed/\(name).plist")))
  }

  private func samples() throws -> [(bytes: [UInt8], format: String, command: String)] {
    let list = "arcdump import FILE"
    return [
      (try sample("cycle"), "a keyed archive of NSKeyedArchiver", list),
      (try sample("collections.xml"), "a keyed archive of NSKeyedArchiver", list),
      (try propertyList(.binary), "a binary property list", list),
      (try propertyList(.xml), "an XML property list", list),
      (Array("{ name = Ada; born = 1815; }".utf8), "an OpenStep property list", list),
      (Array("(1, 2)".utf8), "an OpenStep property list", list),
      (Array("{\"name\": \"a=b\"}\n".utf8), "JSON text", "arcdump import --format json FILE"),
      (Array("[1, 2]".utf8), "JSON text", "arcdump import --format json FILE"),
      (Array("{\"a\": 1}\n{\"a\": 2}\n".utf8), "JSON lines", "arcdump import --format jsonl FILE"),
      (Array("name,born\nAda,1815\n".utf8), "a CSV table", "arcdump import --format csv FILE"),
      (Array("name;born\r\nAda;1815\r\n".utf8), "a CSV table", "arcdump import --format csv FILE"),
      (Array("SQLite format 3\0".utf8) + [16, 0], "an SQLite database", list),
      ([0x50, 0x4B, 3, 4] + Array(repeating: 0, count: 40), "a zip file", "unzip"),
      ([0x1F, 0x8B, 8, 0] + Array(repeating: 0, count: 40), "a gzip file", "gunzip"),
    ]
  }

  func testEachCommandNamesTheFormatOfAFile() throws {
    for (bytes, format, command) in try samples() {
      for name in ["tree", "info", "verify", "classes", "stats", "cycles"] {
        let result = try arcdump(name, on: bytes)
        XCTAssertEqual(result.status, .dataError, "\(name): \(format)")
        XCTAssertTrue(result.errors.contains("found \(format),"), result.errors)
        XCTAssertTrue(result.errors.contains(command), result.errors)
        XCTAssertFalse(result.errors.contains("text mode"), result.errors)
      }
    }
  }

  func testFileOfUnknownFormatIsDescribedByItsBytes() throws {
    let texts = ["text", "one line, with a comma", "<html>\n</html>\n", "{\u{1}}", "a\nb,c\n", "( \u{0} )"]
    for text in texts {
      let result = try arcdump("tree", on: Array(text.utf8))
      XCTAssertTrue(result.errors.contains("begins with the bytes"), result.errors)
    }
  }
}
