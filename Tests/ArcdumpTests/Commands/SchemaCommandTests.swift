import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// The schema of a file as text, and the comparison of two schemas.
final class SchemaCommandTests: XCTestCase {
  private static let old = """
    Arc schema 1

    root root: Person | @"Person"

    class Person
      name: String | let, required | @"NSString"
      age: Int | default | q
      gone: Bool | default | B

    class Robot

    """

  private static let new = """
    Arc schema 1

    root root: Person | @"Person"

    class Person
      title: String | let, required, was name | @"NSString"
      age: [Int: Int] | default | $<q:q>
      needed: Int8 | required | c

    """

  /// Runs a command line with these files, by name.
  private func arcdump(
    _ arguments: String..., files: [String: [UInt8]]
  ) throws -> CommandResult {
    let command = try Arcdump.parseAsRoot(arguments)
    return try XCTUnwrap(command as? any InspectionCommand).result { path, _ in
      guard let bytes = files[path] else { throw InputFailure(number: 2) }
      return bytes
    }
  }

  func testSchemaCommandWritesSnapshotText() throws {
    let expected = #"""
      Arc schema 1

      root root: Person | @"Person"

      root scores: [String: Int] | $<@"NSString":q>

      class Biology
        age: Double | d
        intro: String? | $?@"NSString"

      class Person: Biology
        name: String | let | @"NSString"
        age: Int | q
        mother: Person | weak | @"Person"
        friends: [Person] | $[@"Person"]

      """#
    let bytes = try SampleArchives.family()
    XCTAssertEqual(try arcdump("schema", "a.arc", files: ["a.arc": bytes]), CommandResult(output: expected))
    XCTAssertEqual(
      try arcdump("schema", "a.txt", files: ["a.txt": Array(expected.utf8)]), CommandResult(output: expected))
    XCTAssertEqual(
      try arcdump(
        "schema", "a.arc", "--against", "a.txt", files: ["a.arc": bytes, "a.txt": Array(expected.utf8)]),
      CommandResult(output: "no differences\n"))
    XCTAssertEqual(
      try arcdump(
        "schema", "a.txt", "--against", "a.arc", files: ["a.arc": bytes, "a.txt": Array(expected.utf8)]),
      CommandResult(output: "no differences\n"))
  }

  func testSchemaDifferencesAreShownAsATable() throws {
    let files = ["old": Array(Self.old.utf8), "new": Array(Self.new.utf8)]
    XCTAssertEqual(
      try arcdump("schema", "old", "--against", "new", files: files),
      CommandResult(
        output: """
          effect      class   key     file                                                         program
          compatible  Person  title   type 'String' (encoding '@"NSString"') under the key 'name'  type 'String' \
          (encoding '@"NSString"')
          refused     Person  age     type 'Int' (encoding 'q')                                    type '[Int: Int]' \
          (encoding '$<q:q>')
          refused     Person  needed  no property 'needed'                                         type 'Int8' \
          (encoding 'c')
          lossy       Person  gone    type 'Bool' (encoding 'B')                                   no property \
          'gone'; archiving the objects again loses its values
          refused     Robot           objects                                                      only classes \
          with other names that the unarchiver may build

          what to do
            Person  age     keep the type, or give the property another key with @Key
            Person  needed  give the property an initial value, or add its old name with @Key("new", "old")
            Robot           register the class with try classes.register(Robot.self); if the class was renamed, \
          use try classes.register(NewName.self, formerly: "Robot"); if the class was removed, or a newer release added \
          it, read the file without its objects, with Unarchiver(unknownContent: .leaveOut), or with \
          .preserve(in: content) to save them again

          5 differences: 3 refused, 1 lossy, 1 compatible

          """, status: .incomplete))
  }

  func testSchemaDifferencesAreWrittenAsJSON() throws {
    let schema = "Arc schema 1\nclass A\n  a: Int | required | q\n  b: Int | default | q\n"
    let files = [
      "old": Array(schema.utf8), "new": Array("Arc schema 1\nclass A\n  a: Int | required | {}\n".utf8),
    ]
    XCTAssertEqual(
      try arcdump("schema", "--json", "old", "--against", "new", files: files).status, .dataError,
      "{} is no type")
    let new = "Arc schema 1\nclass A\n  a: [Int: Int] | required | $<q:q>\n  b: Int32 | default | i\n"
    XCTAssertEqual(
      try arcdump(
        "schema", "--json", "old", "--against", "new",
        files: ["old": Array(schema.utf8), "new": Array(new.utf8)]),
      CommandResult(
        output: #"""
          {
            "format":"arc",
            "differences":[
              {"effect":"refused","class":"A","key":"a","fileType":"q","programType":"$<q:q>",\#
          "found":"type 'Int' (encoding 'q')","expected":"type '[Int: Int]' (encoding '$<q:q>')",\#
          "remedy":"keep the type, or give the property another key with @Key"},
              {"effect":"checked","class":"A","key":"b","fileType":"q","programType":"i",\#
          "found":"type 'Int' (encoding 'q')","expected":"type 'Int32' (encoding 'i')","remedy":null}
            ],
            "worst":"refused"
          }

          """#, status: .incomplete))
    XCTAssertEqual(
      try arcdump("schema", "--json", "old", "--against", "old", files: files).output,
      """
      {
        "format":"arc",
        "differences":[],
        "worst":null
      }

      """)
  }

  func testSchemaIsWrittenAsJSON() throws {
    let schema =
      "Arc schema 1\nroot r: Int | q\nclass A, version 2, was B\n  a: P | let, required, was b | {P=\"x\"q}\n  in P: x was y\n"
    XCTAssertEqual(
      try arcdump("schema", "--json", "s", files: ["s": Array(schema.utf8)]).output,
      #"""
      {
        "format":"arc",
        "roots":[
          {"name":"r","type":"q","olderNames":[]}
        ],
        "classes":[
          {"name":"A","superclass":null,"version":2,"keyed":false,"formerNames":["B"],"properties":[{"key":"a",\#
      "olderKeys":["b"],"type":"{P=\"x\"q}","let":true,"weak":false,"keyed":false,"ifMissing":"required","madeOf":[]}],\#
      "olderNames":[{"type":"P","name":"x","olderNames":["y"]}]}
        ]
      }

      """#)
  }

  func testArchiveIsComparedWithASchemaSnapshot() throws {
    let bytes = try SampleArchives.family()
    let schema =
      "Arc schema 1\nroot root: Person | @\"Person\"\nclass Person\n  name: String | required | @\"NSString\"\n"
    let result = try arcdump(
      "schema", "a.arc", "--against", "s", files: ["a.arc": bytes, "s": Array(schema.utf8)])
    XCTAssertEqual(result.status, .ok)
    XCTAssertTrue(result.output.hasSuffix("\n6 differences: 6 lossy\n"), result.output)
  }

  func testComparisonAgainstArchiveAssumesNoInitialValues() throws {
    let old = "Arc schema 1\nclass Person\n  name: String | required | @\"NSString\"\n"
    let files = try ["old": Array(old.utf8), "a.arc": SampleArchives.family()]
    let result = try arcdump("schema", "old", "--against", "a.arc", files: files)
    XCTAssertEqual(result.status, .incomplete, "it has roots that the old one lacks")
    XCTAssertTrue(result.output.hasSuffix("\n7 differences: 2 refused, 5 checked\n"), result.output)
    XCTAssertTrue(
      result.output.contains(
        "no property 'age'      type 'Int' (encoding 'q'), which must have an initial value"),
      result.output)
  }

  func testErrorNamesTheFaultySchemaFile() throws {
    let files = ["old": Array(Self.old.utf8), "bad": Array("Arc schema 1\nx".utf8), "no": Array("no".utf8)]
    XCTAssertEqual(
      try arcdump("schema", "old", "--against", "bad", files: files),
      CommandResult(
        output: "",
        errors:
          "arcdump: bad: malformedText: found the line 'x', expected a line of the form 'root NAME: …' or "
          + "'class NAME' (line 2)\n",
        status: .dataError))
    XCTAssertEqual(
      try arcdump("schema", "--json", "old", "--against", "bad", files: files).output,
      #"{"error":{"code":"malformedText","file":"bad","message":"malformedText: found the line 'x', expected a line of the form "#
        + #"'root NAME: …' or 'class NAME' (line 2)"}}"# + "\n")
    XCTAssertEqual(
      try arcdump("schema", "old", "--against", "missing", files: files),
      CommandResult(output: "", errors: "arcdump: missing: No such file or directory\n", status: .noInput))
    let result = try arcdump("schema", "no", files: files)
    XCTAssertEqual(result.status, .dataError)
    XCTAssertTrue(result.errors.hasPrefix("arcdump: no: notAnArchive: "), result.errors)
    XCTAssertThrowsError(try arcdump("schema", "-", "--against", "-", files: files))
  }

  func testFileTextCannotControlTheTerminal() throws {
    let bytes = try SampleArchives.text("a\u{1B}[31m\u{202E}\n|b")
    let output = try arcdump("schema", "a", files: ["a": bytes]).output
    XCTAssertFalse(output.contains("\u{1B}"))
    XCTAssertTrue(output.contains(#""a\u{1b}[31m\u{202e}\u{a}\u{7c}b": String | keyed | "#), output)
    XCTAssertEqual(
      try arcdump("schema", "a", "--against", "s", files: ["a": bytes, "s": Array(output.utf8)]).output,
      "no differences\n")
  }

  func testSchemaCommandReportsDamageWithoutCrashing() throws {
    let bytes = try SampleArchives.family()
    for byte in RandomTrials.sample(of: bytes.indices, oneIn: 120) {
      var damaged = bytes
      damaged[byte] ^= 0x55
      for (one, other) in [(damaged, bytes), (bytes, damaged)] {
        let result = try arcdump("schema", "one", "--against", "other", files: ["one": one, "other": other])
        XCTAssertEqual(result.status == .dataError, !result.errors.isEmpty, "byte \(byte)")
      }
    }
  }
}
