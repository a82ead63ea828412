import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// Exports of damaged files.
final class ExportDamageTests: XCTestCase {
  private func commands() throws -> [any InspectionCommand] {
    try [["jsonl"], ["sql"], ["dot", "--class", "Dog"], ["graphml", "--columns", "friends,home"]].map {
      try XCTUnwrap(
        Arcdump.parseAsRoot(["export", "test.arc", "--format"] + $0) as? any InspectionCommand)
    }
  }

  func testExportOfTruncatedFileIsAnError() throws {
    let bytes = try QueriedArchives.zoo()
    let command = try commands()[0]
    for count in bytes.indices {
      XCTAssertEqual(command.result { _, _ in Array(bytes[..<count]) }.status, .dataError, "\(count) bytes")
    }
  }

  func testChangesWithValidChecksumsGiveErrorOrExport() throws {
    let bytes = try QueriedArchives.zoo()
    let commands = try commands()
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x81
      let sealed = HandMadeArchive.sealed(changed)
      // The formats take turns, one format per byte, because all formats share the code that reads the file.
      let result = commands[index % commands.count].result { _, _ in sealed }
      XCTAssertTrue([.ok, .incomplete, .dataError].contains(result.status), "byte \(index)")
      XCTAssertEqual(result.status == .ok, result.errors.isEmpty, "byte \(index): \(result.errors)")
    }
  }
}
