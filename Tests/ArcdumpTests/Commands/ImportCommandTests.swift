import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

final class ImportCommandTests: XCTestCase {
  private func run(
    _ arguments: [String], files: [String: [UInt8]]
  ) throws -> (result: CommandResult, archive: [UInt8]?) {
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(["import"] + arguments) as? ImportCommand)
    return command.result(files: files)
  }

  private func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Repository.fixtures.appendingPathComponent("keyed/\(name).plist")))
  }

  func testImportCommandConvertsAKeyedArchive() throws {
    let (result, archive) = try run(["a.plist", "-o", "out.arc"], files: ["a.plist": sample("cycle")])
    XCTAssertEqual(result, CommandResult(output: "imported: 2 objects of 1 class, 1 file\n"))
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)).output,
      "root: Pair #2\n  other → Pair #1\n    other → Pair #2 (cycle)\n")
  }

  func testSeveralImportedFilesShareOneClass() throws {
    let files = ["a.plist": try sample("chain"), "b.plist": try sample("chain")]
    let (result, archive) = try run(["a.plist", "b.plist", "-o", "out.arc", "--report"], files: files)
    XCTAssertTrue(result.output.hasPrefix("imported: 40 objects of 1 class, 2 files\n"), result.output)
    XCTAssertTrue(result.output.contains("b.plist: binary keyed archive, 20 objects, roots b.plist/root\n"))
    let file = try ArchiveFile(bytes: XCTUnwrap(archive))
    try file.verify()
    XCTAssertEqual(
      try file.object(ObjectID(rawValue: 0)).properties.map(\.key), ["a.plist/root", "b.plist/root"])
  }

  func testImportReportIsWrittenAsJSON() throws {
    let (result, _) = try run(
      ["a.plist", "-o", "out.arc", "--json"], files: ["a.plist": sample("unreached")])
    let json = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    XCTAssertEqual((json["notes"] as? [[String: Any]])?.first?["kind"] as? String, "unreachedObject")
    XCTAssertEqual((json["classes"] as? [[String: Any]])?.first?["rows"] as? Int, 3)
  }

  func testCSVFileIsRecognizedByItsExtension() throws {
    let (result, archive) = try run(
      ["people.csv", "-o", "out.arc", "--class", "Person", "--key", "id"],
      files: ["people.csv": Array("id,name\n1,Ann\n2,Bob\n".utf8)])
    XCTAssertEqual(result, CommandResult(output: "imported: 2 objects of 1 class, 1 file\n"))
    XCTAssertTrue(try arcdump("tree", on: XCTUnwrap(archive)).output.contains("name \"Bob\""))
  }

  func testImportFailuresHaveExitCodes() throws {
    let (broken, archive) = try run(["a.plist", "-o", "out.arc"], files: ["a.plist": sample("uid-beyond")])
    XCTAssertEqual(broken.status, .dataError)
    XCTAssertNil(archive)
    XCTAssertEqual(
      broken.errors,
      "arcdump: a.plist: danglingReference: found the UID 9, expected a UID below 3, the number of objects "
        + "(object 1, class 'A', key 'v', byte 99)\n")
    XCTAssertEqual(try run(["none.plist", "-o", "out.arc"], files: [:]).result.status, .noInput)
    let json = try run(["a.plist", "-o", "out.arc", "--json"], files: ["a.plist": sample("uid-beyond")])
      .result
    XCTAssertTrue(json.output.contains("\"code\":\"danglingReference\""), json.output)
  }

  func testInvalidImportArgumentsAreRefused() {
    for arguments in [
      ["a.plist"], ["-o", "x.arc"], ["a.csv", "b.csv", "-o", "x.arc"],
      ["a.plist", "-o", "x.arc", "--class", "A"],
      ["-", "-", "-o", "x.arc"], ["a.csv", "-o", "x.arc", "--format", "xls"],
    ] {
      XCTAssertThrowsError(try Arcdump.parseAsRoot(["import"] + arguments), "\(arguments)")
    }
  }
}
