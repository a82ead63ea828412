import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

final class RecoverTests: XCTestCase {
  private func recover(_ bytes: [UInt8], _ options: String...) throws -> (
    result: CommandResult, archive: [UInt8]?
  ) {
    let command = try XCTUnwrap(
      try Arcdump.parseAsRoot(["recover", "test.arc", "-o", "out.arc"] + options) as? RecoverCommand)
    return command.result(files: ["test.arc": bytes])
  }

  func testRecoveryReportIsJSONOnRequest() throws {
    func document(_ bytes: [UInt8]) throws -> (NSDictionary, ExitStatus) {
      let result = try recover(bytes, "--json").result
      XCTAssertEqual(result.errors, "")
      return (
        try XCTUnwrap(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary),
        result.status
      )
    }
    let bytes = try SampleArchives.family()
    let (whole, ok) = try document(bytes)
    XCTAssertEqual(ok, .ok)
    XCTAssertEqual(whole["objects"] as? Int, 3)
    XCTAssertEqual((whole["lost"] as? NSDictionary)?["objects"] as? Int, 0)
    var damaged = bytes
    let links = try XCTUnwrap(ArchiveFile(bytes: bytes).segments.last)
    damaged[links.byteOffset + 26] ^= 1
    let (cut, incomplete) = try document(damaged)
    XCTAssertEqual(incomplete, .incomplete)
    let lost = try XCTUnwrap(cut["lost"] as? NSDictionary)
    XCTAssertEqual(lost["references"] as? Int, 3)
    XCTAssertEqual((lost["byteRanges"] as? [NSDictionary])?.first?["from"] as? Int, links.byteOffset)
    XCTAssertEqual((lost["segments"] as? [NSDictionary])?.first?["kind"] as? String, "LINK")
    let (nothing, failed) = try document(Array("no archive at all, but text".utf8))
    XCTAssertEqual(failed, .dataError)
    XCTAssertNotNil((nothing["error"] as? NSDictionary)?["code"] as? String)
  }

  func testWritingAnArchiveToStandardOutputIsRefused() {
    for arguments in [["recover", "test.arc"], ["import", "test.plist"]] {
      XCTAssertThrowsError(try Arcdump.parseAsRoot(arguments + ["-o", "-"])) { error in
        XCTAssertTrue(Arcdump.message(for: error).contains("not written to standard output"), "\(error)")
      }
      XCTAssertNoThrow(try Arcdump.parseAsRoot(arguments + ["-o", "out.arc"]))
    }
  }

  func testRecoveryOfIntactFileLosesNothing() throws {
    let (result, archive) = try recover(SampleArchives.family())
    XCTAssertEqual(result, CommandResult(output: "recovered: 3 objects, 4 segments of 4\nlost: nothing\n"))
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)), try arcdump("tree", on: SampleArchives.family()))
  }

  func testRecoveryReportsLosses() throws {
    var bytes = try SampleArchives.family()
    let links = try XCTUnwrap(ArchiveFile(bytes: bytes).segments.last)
    bytes[links.byteOffset + 26] ^= 1
    let (result, archive) = try recover(bytes)
    let end = links.byteOffset + (24 + links.storedByteCount + 4 + 7) / 8 * 8 - 1
    XCTAssertEqual(
      result,
      CommandResult(
        output: """
          recovered: 3 objects, 3 segments of 4
          lost: 0 objects, 3 references, 0 strings
            LINK at byte \(links.byteOffset): weak references of rows 0 to 3
            bytes \(links.byteOffset) to \(end)

          """, status: .incomplete))
    XCTAssertTrue(try arcdump("tree", on: XCTUnwrap(archive)).output.contains("weak mother nil"))
  }

  func testRecoveryReportsStringsWithoutTheirRows() throws {
    let bytes = try SampleArchives.family()
    let strings = try XCTUnwrap(ArchiveFile(bytes: bytes).segments.first { $0.kind == .strings })
    let end = strings.byteOffset + 24 + strings.storedByteCount
    let (result, archive) = try recover(Array(bytes[..<(end - 5)]))
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertTrue(
      result.output.contains("in a root 'recoveredStrings'; the rows that they belong to are behind the end"),
      result.output + result.errors)
    XCTAssertTrue(try arcdump("tree", on: XCTUnwrap(archive)).output.hasPrefix("recoveredStrings"))
    // From a shorter file, nothing can be recovered, so the message suggests no recovery.
    let (none, nothing) = try recover(Array(bytes[..<(strings.byteOffset + 4)]))
    XCTAssertNil(nothing)
    XCTAssertEqual(
      none.errors,
      "arcdump: test.arc: damagedSegment: found no intact object, expected at least one intact object; "
        + "restore the file from a backup: no object can be recovered\n")
  }

  func testRecoveryRefusesFilesThatAreNotArchives() throws {
    let (result, archive) = try recover(Array("text".utf8))
    XCTAssertEqual(result.status, .dataError)
    XCTAssertNil(archive)
    XCTAssertTrue(result.errors.hasPrefix("arcdump: test.arc: notAnArchive: "), result.errors)
  }

  func testRecoveryDoesNotReplaceAnExistingFile() throws {
    let folder = try temporaryFolder()
    let (input, output) = (folder.appendingPathComponent("in.arc"), folder.appendingPathComponent("out.arc"))
    try Data(SampleArchives.family()).write(to: input)
    var command = try Arcdump.parseAsRoot(["recover", input.path, "-o", output.path])
    try command.run()
    XCTAssertNoThrow(try ArchiveFile(path: output.path).verify())
    command = try Arcdump.parseAsRoot(["recover", input.path, "-o", input.path])
    do {
      try command.run()
      XCTFail("replaced")
    } catch let error as ExitCode {
      XCTAssertEqual(error.rawValue, 74)
    }
    XCTAssertEqual(try Array(Data(contentsOf: input)), try SampleArchives.family())
  }

  func testObjectsOfLargeFilesAreCountedOnRequest() throws {
    let file = try ArchiveFile(bytes: SampleArchives.family())
    XCTAssertEqual(try file.objectClasses().map(\.rowCount), [nil, nil])
    XCTAssertEqual(try file.objectClasses(CountingOptions.parse([])).map(\.rowCount), [0, 3])
  }
}
