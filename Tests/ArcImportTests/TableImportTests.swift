import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcForeign

@Archivable final class ImportedCity {
  var name = ""
  var people: Int?
  var area = 0.0
  var isCapital = false
}

final class TableImportTests: XCTestCase {
  private func csv(_ text: String, key: String? = nil) throws -> (archive: [UInt8], report: ImportReport) {
    var options = TableOptions()
    options.key = key
    return try TableImport.archive(
      of: TableSource(Array(text.utf8), .csv, className: "ImportedCity", options: options),
      limits: .untrusted)
  }

  private func jsonLines(_ text: String, key: String? = nil) throws -> (
    archive: [UInt8], report: ImportReport
  ) {
    var options = TableOptions()
    options.key = key
    return try TableImport.archive(
      of: TableSource(Array(text.utf8), .jsonLines, className: "ImportedCity", options: options),
      limits: .untrusted)
  }

  private func code(_ body: () throws -> Any) -> ImportError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? ImportError)?.code
    }
  }

  private func types(_ report: ImportReport) -> [String] {
    report.classes[0].columns.map { "\($0.key) \($0.type)" }
  }

  func testErrorDescribesItself() {
    XCTAssertThrowsError(try jsonLines("[1,")) {
      XCTAssert($0 is ImportError, "\($0)")
      XCTAssertEqual($0.localizedDescription, "\($0)")
    }
  }

  func testTableIsReadAsObjects() throws {
    let text = "name,people,area,isCapital\r\nRome,2748109,1285.31,true\r\n\"Bad, \"\"Ems\"\"\",,15,false\r\n"
    let (archive, report) = try csv(text, key: "name")
    XCTAssertEqual(types(report), ["name @\"NSString\"", "people $?q", "area d", "isCapital B"])
    let cities = try Unarchiver().unarchive([ImportedCity].self, from: archive)
    XCTAssertEqual(cities.map(\.name), ["Rome", "Bad, \"Ems\""])
    XCTAssertEqual(cities.map(\.people), [2_748_109, nil])
    XCTAssertEqual(cities.map(\.area), [1285.31, 15])
    XCTAssertEqual(cities.map(\.isCapital), [true, false])
  }

  func testColumnsHaveTheNarrowestLosslessType() throws {
    let text = """
      zip,long,most,uuid,date,empty,mixed,text,digits
      007,1,18446744073709551615,00010203-0405-0607-0809-0a0b0c0d0e0f,2026-11-23T12:00:00Z,,1,,1.0000000000000000001
      10115,2,3,00010203-0405-0607-0809-0A0B0C0D0E10,2026-11-23T12:00:00+01:00,,x,"",2
      """
    XCTAssertEqual(
      types(try csv(text).report),
      [
        "zip @\"NSString\"", "long q", "most Q", "uuid @\"NSUUID\"", "date @\"NSDate\"", "empty @",
        "mixed @\"NSString\"", "text $?@\"NSString\"", "digits @\"NSString\"",
      ])
  }

  func testBrokenTablesAreRefused() throws {
    XCTAssertEqual(code { try csv("") }, .malformedTable)
    XCTAssertEqual(code { try csv("a,b\n1\n") }, .malformedTable)
    XCTAssertEqual(code { try csv("a,a\n1,2\n") }, .duplicateKey)
    XCTAssertEqual(code { try csv("\na\n1\n") }, .malformedTable)
    XCTAssertEqual(code { try csv(",a,\n1,2,3\n") }, .duplicateKey)
    XCTAssertEqual(code { try csv("a\n\"x\n") }, .malformedTable)
    XCTAssertEqual(code { try csv("a\n\"x\"y\n") }, .malformedTable)
    XCTAssertEqual(code { try csv("a\nx\"y\n") }, .malformedTable)
    XCTAssertEqual(code { try csv("id\n1\n1\n", key: "id") }, .duplicateKey)
    XCTAssertEqual(code { try csv("id,x\n,1\n", key: "id") }, .malformedTable)
    XCTAssertEqual(code { try csv("id\n1\n", key: "none") }, .malformedTable)
    XCTAssertEqual(code { try jsonLines("{\"a\":1}\n[1]\n") }, .malformedTable)
    XCTAssertEqual(code { try jsonLines("{\"a\":1}\n{\"a\"\n") }, .malformedTable)
    XCTAssertEqual(code { try jsonLines("{\"a\":1}\n{\"b\":1}", key: "a") }, .malformedTable)
  }

  /// Spreadsheets write such a column for row numbers.
  func testColumnMayHaveEmptyNameInBothNotations() throws {
    for made in [try csv(",a\n0,x\n1,y\n"), try jsonLines("{\"\":0,\"a\":\"x\"}\n{\"\":1,\"a\":\"y\"}\n")] {
      let file = try ArchiveFile(verifying: made.archive)
      XCTAssertEqual(types(made.report), [" q", "a @\"NSString\""])
      XCTAssertEqual(try file.rows(ofClass: "ImportedCity").column("", as: Int.self), [0, 1])
    }
  }

  func testTableWithoutRowsPreservesItsColumns() throws {
    let (archive, report) = try csv("id,name\n")
    let file = try ArchiveFile(verifying: archive)
    XCTAssertEqual(types(report), ["id @", "name @"])
    XCTAssertEqual(file.rowCount, 1)
    XCTAssertEqual(file.classes.last?.columns.map(\.key), ["id", "name"])
    XCTAssertEqual(code { try csv("id,name\n", key: "none") }, .malformedTable)
  }

  func testErrorsNameTheLine() throws {
    XCTAssertEqual(assertThrows(ImportError.self) { try csv("a,b\n1,2\n1\n") }?.line, 3)
    XCTAssertEqual(assertThrows(ImportError.self) { try jsonLines("{}\n\n{\"a\":}") }?.line, 3)
  }

  func testJSONLinesPreserveNestingNilAndMissingMembers() throws {
    let text = """
      {"name": "Rome", "people": 1, "area": 1, "mayor": {"name": "Ann"}, "tags": ["a", "b"]}
      {"name": "Ems", "people": null, "area": 1.5, "grid": [[1], [2, 3]], "big": 18446744073709551615}
      """
    let (archive, report) = try jsonLines(text, key: "name")
    XCTAssertEqual(
      types(report),
      [
        "name @\"NSString\"", "people $?q", "area d", "mayor @\"ImportedCity.mayor\"",
        "tags $[@\"NSString\"]",
        "grid $[@\"ImportedCity.grid\"]", "big Q",
      ])
    let file = try ArchiveFile(verifying: archive)
    let rows = try XCTUnwrap(file.object(ObjectID(rawValue: 0))["root"]?.elements).compactMap(\.objectID)
    let (rome, ems) = (try file.object(rows[0]), try file.object(rows[1]))
    XCTAssertEqual(rome["tags"], ["a", "b"])
    XCTAssertEqual(try file.object(try XCTUnwrap(rome["mayor"]?.objectID))["name"], "Ann")
    XCTAssertNil(ems["mayor"])
    XCTAssertEqual(ems["people"], .null)
    XCTAssertEqual([rome["area"], ems["area"]], [1.0, 1.5])
    let grid = try XCTUnwrap(ems["grid"]?.elements).compactMap(\.objectID)
    XCTAssertEqual(try file.object(grid[1])["objects"], [2, 3])
  }
}
