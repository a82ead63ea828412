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

  func testKeyedArchiveIsConverted() throws {
    let (result, archive) = try run(["a.plist", "-o", "out.arc"], files: ["a.plist": sample("cycle")])
    XCTAssertEqual(result, CommandResult(output: "imported: 2 objects of 1 class, 1 file\n"))
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)).output,
      "root: Pair #2\n  other → Pair #1\n    other → Pair #2 (cycle)\n")
  }

  func testSeveralFilesShareTheirClasses() throws {
    let files = ["a.plist": try sample("chain"), "b.plist": try sample("chain")]
    let (result, archive) = try run(["a.plist", "b.plist", "-o", "out.arc", "--report"], files: files)
    XCTAssertTrue(result.output.hasPrefix("imported: 40 objects of 1 class, 2 files\n"), result.output)
    XCTAssertTrue(result.output.contains("b.plist: binary keyed archive, 20 objects, roots b.plist/root\n"))
    let file = try ArchiveFile(bytes: XCTUnwrap(archive))
    try file.verify()
    XCTAssertEqual(
      try file.object(ObjectID(rawValue: 0)).properties.map(\.key), ["a.plist/root", "b.plist/root"])
  }

  func testReportIsWrittenAsJSON() throws {
    let (result, _) = try run(
      ["a.plist", "-o", "out.arc", "--json"], files: ["a.plist": sample("unreached")])
    let json = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    XCTAssertEqual((json["notes"] as? [[String: Any]])?.first?["kind"] as? String, "unreachedObject")
    XCTAssertEqual((json["classes"] as? [[String: Any]])?.first?["rows"] as? Int, 3)
  }

  func testTableIsImportedByNameAlone() throws {
    let (result, archive) = try run(
      ["people.csv", "-o", "out.arc", "--class", "Person", "--key", "id"],
      files: ["people.csv": Array("id,name\n1,Ann\n2,Bob\n".utf8)])
    XCTAssertEqual(result, CommandResult(output: "imported: 2 objects of 1 class, 1 file\n"))
    XCTAssertTrue(try arcdump("tree", on: XCTUnwrap(archive)).output.contains("name \"Bob\""))
  }

  func testJoinedTablesBecomeRootsOfOneArchive() throws {
    let files = [
      "data/orders.csv": Array("n;buyer\n1;7\n2;\n".utf8),
      "people.jsonl": Array("{\"id\":7,\"name\":\"Ann\"}\n".utf8),
    ]
    let (result, archive) = try run(
      ["data/orders.csv", "people.jsonl", "-o", "out.arc", "--join", "orders.buyer=people.id"], files: files)
    XCTAssertEqual(result, CommandResult(output: "imported: 3 objects of 2 classes, 2 files\n"))
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)).output,
      """
      orders: array of 2
        orders #1
          n 1
          buyer → people #3 (below)
        orders #2
          n 2
          buyer nil
      people: array of 1
        people #3
          id 7
          name "Ann"

      """)
    let broken = try run(
      ["data/orders.csv", "people.jsonl", "-o", "out.arc", "--join", "orders.n=people.id"], files: files)
    XCTAssertEqual(broken.result.status, .dataError)
    XCTAssertTrue(
      broken.result.errors.hasPrefix("arcdump: data/orders.csv: danglingReference: "), broken.result.errors)
    XCTAssertTrue(broken.result.errors.contains("line 2, column 1"), broken.result.errors)
  }

  func testDocumentIsImportedAtAPath() throws {
    let (result, archive) = try run(
      ["a.json", "-o", "out.arc", "--at", "data.items", "--class", "Item"],
      files: ["a.json": Array("{\"data\":{\"items\":[{\"x\":[[1]],\"y\":{\"z\":true}}]}}".utf8)])
    XCTAssertEqual(result.errors, "")
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)).output,
      """
      root: array of 1
        Item #1
          x array of 1
            Item.x #2
              objects [1]
          y → Item.y #3
            z true

      """)
  }

  func testOptionsStateTheNotationOfATable() throws {
    let bytes: [UInt8] = Array("1\t1.10\t".utf8) + [0x80] + Array("\n2\tNA\tx\n".utf8)
    let (result, archive) = try run(
      [
        "a.tsv", "-o", "out.arc", "--separator", "tab", "--encoding", "windows-1252", "--no-header", "--null",
        "NA",
        "--numbers", "value", "--report",
      ], files: ["a.tsv": bytes])
    XCTAssertEqual(result.errors, "")
    XCTAssertTrue(
      result.output.contains(
        "note: numbers that are written differently in the archive: 1, first class 'a', key 'column2': '1.10' is "
          + "now 1.1\n"), result.output)
    XCTAssertEqual(
      try arcdump("tree", on: XCTUnwrap(archive)).output,
      """
      root: array of 2
        a #1
          column1 1
          column2 1.1
          column3 "€"
        a #2
          column1 2
          column2 nil
          column3 "x"

      """)
  }

  func testFailuresAreReportedWithExitCodes() throws {
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

  func testWrongUsageIsRefused() {
    for arguments in [
      ["a.plist"], ["-o", "x.arc"], ["a.csv", "b.plist", "-o", "x.arc"],
      ["a.csv", "b.csv", "-o", "x.arc", "--class", "A"], ["a.csv", "-o", "x.arc", "--at", "x"],
      ["a.jsonl", "-o", "x.arc", "--separator", ";"], ["a.csv", "-o", "x.arc", "--separator", ";;"],
      ["a.csv", "-o", "x.arc", "--encoding", "ebcdic"], ["a.csv", "-o", "x.arc", "--join", "a.b"],
      ["a.plist", "-o", "x.arc", "--encoding", "latin-1"],
      ["a.plist", "-o", "x.arc", "--class", "A"],
      ["-", "-", "-o", "x.arc"], ["a.csv", "-o", "x.arc", "--format", "xls"],
    ] {
      XCTAssertThrowsError(try Arcdump.parseAsRoot(["import"] + arguments), "\(arguments)")
    }
  }
}
