import ArcArchive
import ArcFormat
import ArcJSON
import ArcTestSupport
import Foundation
import XCTest

/// `Fixtures/manifest.jsonl` states the JSON document or the error code for each archive, so that any
/// implementation of the Spec can run this test. An archive with both has a wrong chunk directory, which this
/// reader checks.
final class FixtureManifestTests: XCTestCase {
  func testFixturesMatchTheManifest() throws {
    let manifest = Repository.fixtures.appendingPathComponent("manifest.jsonl")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    var listed: Set<String> = []
    var trials = TrialSample(oneIn: 5)
    for line in text.split(separator: "\n") {
      let entry = try JSONDocument(String(line)).root
      let file = try XCTUnwrap(entry["file"]?.string)
      listed.insert(file)
      guard trials.includesNext() else { continue }
      let bytes = try Array(Data(contentsOf: Repository.fixtures.appendingPathComponent(file)))
      if let code = entry["code"]?.string {
        XCTAssertThrowsError(try ArchiveFile(bytes: bytes, limits: .untrusted).verify(), file) {
          XCTAssertEqual(($0 as? ArchiveError)?.code.rawValue, code, file)
        }
      } else {
        let document = try XCTUnwrap(entry["json"]?.string, file)
        let url = Repository.fixtures.appendingPathComponent(document)
        let expected = try JSONDocument(Array(Data(contentsOf: url)), duplicateKeys: .last)
        let found = try JSONDocument(tree(of: bytes, as: "--json"), duplicateKeys: .last)
        XCTAssertEqual(Self.form(of: found.root), Self.form(of: expected.root), file)
      }
    }
    XCTAssertEqual(listed, Set(try Repository.allArchives().map(\.name)))
  }

  /// Returns a text for the comparison of two values as Spec page 10 defines it: numbers by value and sign,
  /// and all members in order.
  private static func form(of node: JSONNode) -> String {
    switch node.kind {
    case .array: return "[" + node.elements.map { form(of: $0) }.joined(separator: ",") + "]"
    case .object:
      let members = node.members.map { form(of: $0.name) + ":" + form(of: $0.value) }
      return "{" + members.joined(separator: ",") + "}"
    case .string: return form(of: node.string ?? "")
    case .number: return node.number?.double.map { "\($0)" } ?? "none"
    case .bool, .null: return node.bool.map { "\($0)" } ?? "null"
    }
  }

  /// Returns a string in a form in which Swift finds two strings equal only if their scalars are equal.
  private static func form(of text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
  }
}
