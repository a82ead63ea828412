import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

final class ExportHTMLCommandTests: XCTestCase {
  func testHTMLExportRefusesClassAndColumnOptions() throws {
    for choice in [["--class", "Dog"], ["--columns", "name"]] {
      let line = ["export", "test.arc", "--format", "html"] + choice
      XCTAssertThrowsError(try Arcdump.parseAsRoot(line)) { error in
        XCTAssertTrue(
          Arcdump.message(for: error).contains("--class and --columns cannot be combined with a page"),
          "\(error)")
      }
    }
  }

  /// Exports a file with these bytes. Returns the exit code and the location of the page.
  private func export(_ bytes: [UInt8], over old: String? = nil) throws -> (status: Int32, page: URL) {
    let folder = try temporaryFolder()
    let (input, page) = (folder.appendingPathComponent("in.arc"), folder.appendingPathComponent("out.html"))
    try Data(bytes).write(to: input)
    try old.map { try Data($0.utf8).write(to: page) }
    var command = try Arcdump.parseAsRoot(["export", input.path, "--format", "html", "-o", page.path])
    do {
      try command.run()
    } catch let code as ExitCode {
      return (code.rawValue, page)
    }
    return (0, page)
  }

  func testHTMLPageIsWrittenToTheRequestedFile() throws {
    let (status, page) = try export(SampleArchives.family())
    XCTAssertEqual(status, 0)
    let text = try String(contentsOf: page, encoding: .utf8)
    XCTAssertTrue(text.hasPrefix("<!doctype html>"))
    XCTAssertTrue(text.contains("<title>in.arc</title>"))
    XCTAssertTrue(text.hasSuffix("</html>\n"))
  }

  func testHTMLExportRefusesFilesThatAreNotArchives() throws {
    let (status, page) = try export(Array("text".utf8))
    XCTAssertEqual(status, 65)
    XCTAssertFalse(FileManager.default.fileExists(atPath: page.path))
  }

  func testHTMLExportDoesNotReplaceAnExistingFile() throws {
    let (status, page) = try export(SampleArchives.family(), over: "old")
    XCTAssertEqual(status, 74)
    XCTAssertEqual(try String(contentsOf: page, encoding: .utf8), "old")
  }

  func testUnknownExportFormatIsRefused() {
    XCTAssertThrowsError(try Arcdump.parseAsRoot(["export", "a.arc", "--format", "pdf", "-o", "b"]))
  }
}
