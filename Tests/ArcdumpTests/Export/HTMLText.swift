import ArcArchive
import ArcFormat
import XCTest

@testable import ArcInspection

/// A page that was exported, taken apart.
struct HTMLText {
  /// All of it.
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

  /// The JSON of an element; nil if there is none with that name.
  func json(_ id: String) throws -> String? {
    let pieces = text.components(separatedBy: "<script type=\"application/json\" id=\"\(id)\">")
    guard pieces.count > 1 else { return nil }
    XCTAssertEqual(pieces.count, 2, "one element \(id)")
    let json = try XCTUnwrap(pieces[1].components(separatedBy: "</script>").first)
    XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(json.utf8)), json)
    return json.trimmingCharacters(in: .newlines)
  }

  /// The index, parsed.
  func index() throws -> [String: Any] {
    let json = try XCTUnwrap(try json("index"))
    return try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// The JSON of all elements.
  func allJSON() -> [String] {
    text.components(separatedBy: "<script type=\"application/json\"").dropFirst().compactMap { piece in
      let json = piece.split(separator: ">", maxSplits: 1).last
      return json?.components(separatedBy: "</script").first
    }
  }

  /// What is between the only two of some marks.
  func content(from start: String, to end: String) throws -> String {
    let pieces = text.components(separatedBy: start)
    XCTAssertEqual(pieces.count, 2, "one \(start)")
    return try XCTUnwrap(pieces.last?.components(separatedBy: end).first)
  }
}
