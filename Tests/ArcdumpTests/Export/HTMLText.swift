import ArcArchive
import ArcFormat
import XCTest

@testable import ArcInspection

/// The text of an exported page, with access to its parts.
struct HTMLText {
  /// The whole page.
  let text: String

  /// Exports an archive in this process.
  init(of bytes: [UInt8], title: String = "test.arc", byteLimit: Int = .max) throws {
    var written: [UInt8] = []
    let output = Output { written += $0 }
    let catalog = ObjectCatalog(try ArchiveFile(bytes: bytes, limits: .untrusted))
    try HTMLExport(catalog, title: title, byteLimit: byteLimit).write(to: output)
    try output.flush()
    text = String(decoding: written, as: UTF8.self)
  }

  /// Returns the JSON of an element. Nil if there is no such element.
  func json(_ id: String) throws -> String? {
    let pieces = text.components(separatedBy: "<script type=\"application/json\" id=\"\(id)\">")
    guard pieces.count > 1 else { return nil }
    XCTAssertEqual(pieces.count, 2, "one element \(id)")
    let json = try XCTUnwrap(pieces[1].components(separatedBy: "</script>").first)
    XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(json.utf8)), json)
    return json.trimmingCharacters(in: .newlines)
  }

  /// Returns the parsed JSON of the page's index.
  func index() throws -> [String: Any] {
    let json = try XCTUnwrap(try json("index"))
    return try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// Returns the JSON of all elements.
  func allJSON() -> [String] {
    text.components(separatedBy: "<script type=\"application/json\"").dropFirst().compactMap { piece in
      let json = piece.split(separator: ">", maxSplits: 1).last
      return json?.components(separatedBy: "</script").first
    }
  }

  /// Returns the text between two marks. Each mark must occur once.
  func content(from start: String, to end: String) throws -> String {
    let pieces = text.components(separatedBy: start)
    XCTAssertEqual(pieces.count, 2, "one \(start)")
    return try XCTUnwrap(pieces.last?.components(separatedBy: end).first)
  }
}
