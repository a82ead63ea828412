import ArcFormat
import XCTest

@testable import ArcInspection

final class JSONLinesExportTests: XCTestCase {
  func testJSONLinesContainEachObjectWithItsValues() throws {
    let result = try export("jsonl", on: QueriedArchives.zoo())
    let lines = result.output.split(separator: "\n")
    XCTAssertEqual(lines.count, 5)
    XCTAssertEqual(
      String(lines[0]),
      #"{"class":"$roots","id":0,"values":{"root":{"$ref":1},"others":[{"$ref":3},null]}}"#)
    XCTAssertEqual(
      lines.last.map(String.init),
      #"{"class":"Dog","id":2,"values":{"age":9,"friends":[{"$ref":1}],"home":{"$struct":"Home","#
        + #""fields":{"street":"Oak","number":1}},"shape":{"$enum":"Shape","case":"round"},"toys":"#
        + #"{"$dictionary":[]},"rival":{"$ref":4},"name":"Mia","Zoo.Animal.age":60,"nick":null,"mother":null,"#
        + #""tags":{"$set":["red"]}}}"#)
    XCTAssertEqual(result.status, .ok)
  }

  func testClassIsExportedWithItsSubclasses() throws {
    let zoo = try QueriedArchives.zoo()
    let all = try export("jsonl", "--class", "Zoo.Animal", on: zoo).output
    XCTAssertEqual(all.split(separator: "\n").count, 4)
    let dogs = try export("jsonl", "--class", "Dog", "--columns", "name,friends", on: zoo).output
    XCTAssertEqual(
      dogs,
      #"{"class":"Dog","id":1,"values":{"name":"Rex","friends":[{"$ref":2},{"$ref":3}]}}"# + "\n"
        + #"{"class":"Dog","id":2,"values":{"name":"Mia","friends":[{"$ref":1}]}}"# + "\n")
  }

  func testAbsentKeysOfHandWrittenClassesAreOmitted() throws {
    let builder = try RowWiseArchive(roots: [])
    let note = try builder.addClass("Note", properties: [("a", "Tq"), ("b", "T$?q")], flags: .keyed)
    try builder.row(0)
    try builder.row(note, nil, .some(nil))
    try builder.row(note, .some(.int(1)), nil)
    let output = try export("jsonl", "--class", "Note", on: builder.finish()).output
    XCTAssertEqual(
      output,
      #"{"class":"Note","id":1,"values":{"b":null}}"# + "\n" + #"{"class":"Note","id":2,"values":{"a":1}}"#
        + "\n"
    )
  }

  func testUnknownClassesAndColumnsAreRefused() throws {
    let zoo = try QueriedArchives.zoo()
    let noClass = try export("jsonl", "--class", "Cat", on: zoo)
    XCTAssertEqual(noClass.status, .incomplete)
    XCTAssertEqual(
      noClass.errors,
      "arcdump: test.arc: unknownClass: found no class 'Cat', expected a class of the file: 'Zoo.Animal', 'Dog'; "
        + "list the classes with arcdump classes\n")
    let noColumn = try export("jsonl", "--columns", "name,colour", on: zoo)
    XCTAssertEqual(noColumn.status, .incomplete)
    XCTAssertTrue(noColumn.errors.contains("missingKey: found no property 'colour'"), noColumn.errors)
  }

  func testTextThatControlsATerminalIsEscaped() throws {
    let output = try export("jsonl", on: SampleArchives.text("a\u{1B}[31m\u{202E}")).output
    XCTAssertFalse(output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, output)
  }
}
