import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// Each command that prints contents reports an error for files that break a rule of the format.
final class DamagedFixtureTests: XCTestCase {
  private func invalidArchives() throws -> [(name: String, bytes: [UInt8])] {
    try Repository.allArchives().filter { $0.name.hasPrefix("invalid/") }
  }

  private func commands(_ lines: [[String]]) throws -> [(line: String, command: any InspectionCommand)] {
    try lines.map { line in
      let words = [line[0], "test.arc"] + line.dropFirst()
      return (
        line.joined(separator: " "),
        try XCTUnwrap(Arcdump.parseAsRoot(words) as? any InspectionCommand)
      )
    }
  }

  /// Returns the error code that `verify --json` prints.
  private func code(of bytes: [UInt8]) throws -> String {
    let result = try arcdump("verify", "--json", on: bytes)
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return try XCTUnwrap((document?["error"] as? [String: Any])?["code"] as? String)
  }

  func testCommandsThatReadEverythingRefuseInvalidFixtures() throws {
    let folder = try temporaryFolder()
    let commands = try commands([
      ["verify"], ["tree"], ["tree", "--full"], ["tree", "--json"], ["tree", "--json-lines"], ["stats"],
      ["holders"], ["cycles"], ["export", "--format", "jsonl"], ["export", "--format", "sql"],
      ["export", "--format", "dot"], ["export", "--format", "graphml"], ["export", "--format", "html"],
      ["export", "--format", "csv", "-o", folder.appendingPathComponent("csv").path],
      ["export", "--format", "neo4j-csv", "-o", folder.appendingPathComponent("neo4j").path],
      ["export", "--format", "jsonl", "-o", folder.appendingPathComponent("jsonl").path],
    ])
    let archives = try invalidArchives()
    XCTAssertGreaterThan(archives.count, 80)
    for (name, bytes) in RandomTrials.sample(of: archives, oneIn: 16) {
      let code = try code(of: bytes)
      for (line, command) in commands {
        let result = command.result { _, _ in bytes }
        XCTAssertEqual(result.status, .dataError, "\(line), \(name)")
        XCTAssertTrue((result.errors + result.output).contains(code), "\(line), \(name): \(result.errors)")
      }
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
  }

  /// No path and no column contains metadata or unused strings.
  func testPartialQueriesMissOnlyUnreadDamage() throws {
    let commands = try commands([["get"], ["find", "*"], ["tree", "--depth", "0"]])
    let unseen = ["D1", "D3", "X1", "X3"]
    for (name, bytes) in try invalidArchives() {
      let isUnseen = unseen.contains { name.hasPrefix("invalid/\($0)-") }
      for (line, command) in commands {
        let status = command.result { _, _ in bytes }.status
        XCTAssertTrue(status == .dataError || isUnseen, "\(line), \(name): \(status)")
      }
    }
  }
}
