import Claims
import XCTest

@testable import DebianPackageGraph

final class ControlFileTests: XCTestCase {
  func testContinuationLinesJoinTheirFieldWithoutFirstBlank() throws {
    let paragraph = try XCTUnwrap(
      paragraphs("Package: a\nDescription: short\n first\n .\n  indented\nTag: x,\n\ty\n").first)
    XCTAssertEqual(
      paragraph.fields.map { [$0.name, $0.value] },
      [["Package", "a"], ["Description", "short\nfirst\n.\n indented"], ["Tag", "x,\ny"]])
  }

  func testAnyNumberOfBlankLinesSeparatesParagraphs() throws {
    let text = "\n\nPackage: a\n\n \t\n\nPackage: b\n\n"
    let found = try paragraphs(text)
    XCTAssertEqual(found.map(\.line), [3, 7])
    XCTAssertEqual(found.map { $0["package"] }, ["a", "b"])
  }

  func testMissingFinalNewlineLosesNoParagraph() throws {
    XCTAssertEqual(try paragraphs("Package: a\nSize: 12"), try paragraphs("Package: a\nSize: 12\n"))
    XCTAssertEqual(try paragraphs("Conffiles:\n /a b"), try paragraphs("Conffiles:\n /a b\n\n"))
  }

  func testValuesOmitCarriageReturnsAndTrailingBlanks() throws {
    let text = "Package: a \r\nDescription: s\r\n t\t\r\n\r\nPackage: b\r\n"
    XCTAssertEqual(try paragraphs(text).map { $0.fields.map(\.value) }, [["a", "s\nt"], ["b"]])
  }

  func testEmptyInputHasNoParagraph() throws {
    for text in ["", "\n", "\n\n \n", "# a comment only\n"] {
      XCTAssertEqual(try paragraphs(text), [], text.debugDescription)
    }
  }

  func testFieldNamesIgnoreCase() throws {
    XCTAssertEqual(try paragraphs("PACKAGE:a\n")[0]["package"], "a")
  }

  func testBrokenLinesAreTypedErrorsInStrictMode() {
    let table: [(text: String, code: ControlFileError.Code, line: Int, byteOffset: Int)] = [
      ("Package: a\nno colon here\n", .missingColon, 2, 11),
      (": value\n", .invalidFieldName, 1, 0),
      ("-a: value\n", .invalidFieldName, 1, 0),
      ("a b: value\n", .invalidFieldName, 1, 0),
      ("\n indented\n", .continuationWithoutField, 2, 1),
      ("A: 1\nB: 2\na: 3\n", .repeatedField, 3, 10),
    ]
    for row in table {
      XCTAssertThrowsError(try paragraphs(row.text, .strict), row.text) { error in
        let error = error as? ControlFileError
        XCTAssertEqual(error?.code, row.code, row.text)
        XCTAssertEqual(error?.line, row.line, row.text)
        XCTAssertEqual(error?.byteOffset, row.byteOffset, row.text)
      }
    }
  }

  func testInvalidUTF8ThrowsOrIsRepaired() throws {
    let bytes = Array("Package: a\nMaintainer: J".utf8) + [0xFF] + Array("rg\n".utf8)
    var strict = ControlFile(bytes, strictness: .strict)
    XCTAssertThrowsError(try strict.nextParagraph()) { error in
      XCTAssertEqual(
        error as? ControlFileError,
        ControlFileError(code: .invalidUTF8, line: 2, byteOffset: 11, detail: "Maintainer"))
    }
    var repairing = ControlFile(bytes)
    XCTAssertEqual(try repairing.nextParagraph()?["maintainer"], "J\u{FFFD}rg")
    XCTAssertEqual(repairing.repairs, [.invalidUTF8: 1])
  }

  func testRepairSkipsBrokenLinesWithTheirContinuations() throws {
    var file = ControlFile(Array("Package: a\nbroken\n rest of it\nPackage: b\nSize: 1\n".utf8))
    let paragraph = try XCTUnwrap(file.nextParagraph())
    XCTAssertEqual(paragraph.fields.map { [$0.name, $0.value] }, [["Package", "a"], ["Size", "1"]])
    XCTAssertEqual(
      file.repairs, [.missingColon: 1, .continuationWithoutField: 1, .repeatedField: 1])
    XCTAssertNil(try file.nextParagraph())
  }

  func testSecondTakeOrUnreadableValueReturnsNil() throws {
    var paragraph = try paragraphs("Size: 12\nInstalled-Size: many\n")[0]
    XCTAssertEqual(paragraph.consume("size") { Int($0) }, 12)
    XCTAssertNil(paragraph.consume("size"))
    XCTAssertNil(paragraph.consume("installed-size") { Int($0) })
    XCTAssertEqual(paragraph.remainingFields, ["Installed-Size": "many"])
  }

  func testRandomBytesNeverTrap() {
    let seed = RepeatableRandom.testSeed()
    var generator = RepeatableRandom(seed: seed)
    let alphabet = Array("aB:- \t\r\n\n#.\u{E9}".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
      var file = ControlFile(bytes)
      var found = 0
      while (try? file.nextParagraph()) != nil { found += 1 }
      XCTAssertLessThanOrEqual(found, count, "seed \(seed)")
      XCTAssertEqual(file.byteOffset, count, "seed \(seed)")
    }
  }

  private func paragraphs(
    _ text: String, _ strictness: ControlFile.Strictness = .repairing
  ) throws -> [ControlParagraph] {
    var file = ControlFile(Array(text.utf8), strictness: strictness)
    var result: [ControlParagraph] = []
    while let paragraph = try file.nextParagraph() { result.append(paragraph) }
    return result
  }
}
