import Arc
import ArcArchive
import ArcFormat
import ArcJSON
import ArcTestSupport
import Foundation
import XCTest

/// The digests of `Fixtures/digests.jsonl`, which any implementation of the Spec computes. Spec: 16-digest.
final class DigestTests: XCTestCase {
  func testDigestsMatchTheVectors() throws {
    let url = Repository.fixtures.appendingPathComponent("digests.jsonl")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    XCTAssertGreaterThan(lines.count, 40)
    for line in lines {
      let entry = try JSONDocument(String(line)).root
      let file = try XCTUnwrap(entry["file"]?.string)
      let archive = try ArchiveFile(contentsOf: Repository.fixtures.appendingPathComponent(file))
      XCTAssertEqual(try archive.digest(), entry["digest"]?.string, file)
    }
  }

  func testDigestDependsOnContentAlone() throws {
    let texts = (0..<300).map { "text \($0)" }
    var digests: Set<String> = []
    for compression in [Compression.none, .zlib] {
      for metadata in [[:], ["key": "value"]] {
        for order in [texts, texts.reversed()] {
          // The order of a set depends on the order of insertion.
          let archiver = Archiver(compression: compression, metadata: metadata)
          let bytes = try archiver.archive(roots: ["set": Set(order), "list": [1, 2, 3]])
          digests.insert(try ArchiveFile(bytes: bytes).digest())
        }
      }
    }
    XCTAssertEqual(digests.count, 1)
    for (name, list) in [("list", [1, 2, 3]), ("list", [1, 3, 2]), ("other", [1, 2, 3])] {
      let bytes = try Archiver().archive(roots: [name: list])
      XCTAssertTrue(digests.insert(try ArchiveFile(bytes: bytes).digest()).inserted)
    }
    let narrow = try Archiver().archive(roots: ["list": [1, 2, 3] as [Int32]])
    XCTAssertTrue(digests.insert(try ArchiveFile(bytes: narrow).digest()).inserted)
  }

  func testDamagedArchiveHasNoDigest() throws {
    let url = Repository.fixtures.appendingPathComponent("invalid/G2-row-9-of-3.arc")
    assertThrows(.danglingReference) { try ArchiveFile(contentsOf: url).digest() }
  }
}
