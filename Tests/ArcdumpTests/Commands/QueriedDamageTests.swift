import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// Queries of damaged files.
final class QueriedDamageTests: XCTestCase {
  private let questions = [
    ["get"], ["get", "root.friends.name", "#1", "#2.toys", "--json"],
    ["find", "name == 'Rex' or @text contains 'a'"],
    ["find", "friends[age > 3].mother.name != nil", "--group-by", "home.street", "--sum", "age", "--json"],
    ["stats"], ["stats", "--json"], ["holders"], ["holders", "2", "--json"], ["cycles"],
    ["cycles", "--json"],
  ]

  private func commands() throws -> [any InspectionCommand] {
    try questions.map {
      try XCTUnwrap(
        Arcdump.parseAsRoot([$0[0], "test.arc"] + $0.dropFirst()) as? any InspectionCommand)
    }
  }

  private func check(_ bytes: [UInt8], _ commands: [any InspectionCommand], _ what: String) {
    for command in commands {
      let result = command.result { _, _ in bytes }
      if command.options.json {
        XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(result.output.utf8)), what)
      } else if result.status == .dataError {
        XCTAssertFalse(result.errors.isEmpty, what)
      }
      XCTAssertTrue([.ok, .incomplete, .dataError].contains(result.status), what)
    }
  }

  func testQueryingATruncatedFileIsAnError() throws {
    let bytes = try QueriedArchives.zoo()
    let commands = try commands()
    for count in RandomTrials.sample(of: bytes.indices, oneIn: 8) {
      for command in commands {
        XCTAssertEqual(command.result { _, _ in Array(bytes[..<count]) }.status, .dataError, "\(count) bytes")
      }
    }
  }

  func testEachChangedByteGivesErrorOrAnswer() throws {
    let bytes = try QueriedArchives.zoo()
    let commands = try commands()
    for index in RandomTrials.sample(of: bytes.indices, oneIn: 24) {
      for change: UInt8 in [0x81] {
        var changed = bytes
        changed[index] ^= change
        check(HandMadeArchive.sealed(changed), commands, "byte \(index) ^ \(change)")
      }
    }
  }

  func testChangesWithValidChecksumsGiveErrorOrAnswer() throws {
    let bytes = try QueriedArchives.zoo()
    let commands = try commands()
    let seed = RandomTrials.seed()
    var mutator = ArchiveMutator(seed: seed)
    for number in 0..<RandomTrials.count(usually: 50, exhaustively: 150) {
      check(mutator.changed(bytes), commands, "seed \(seed), change \(number)")
    }
  }

  func testFileTextCannotControlTheTerminal() throws {
    let bytes = try SampleArchives.text("\u{1B}[31m\u{202E}x")
    for line in [
      ["get"], ["get", "*"], ["find", "*"], ["find", "*", "--json"], ["stats"], ["stats", "--json"],
      ["holders"], ["holders", "1"],
    ] {
      let command = try XCTUnwrap(
        Arcdump.parseAsRoot([line[0], "test.arc"] + line.dropFirst()) as? any InspectionCommand)
      let result = command.result { _, _ in bytes }
      XCTAssertEqual(result.status, .ok, "\(line) \(result.errors)")
      for text in [result.output, result.errors] {
        XCTAssertFalse(text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(line) \(text)")
      }
    }
  }
}
