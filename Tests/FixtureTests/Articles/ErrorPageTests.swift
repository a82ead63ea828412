import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// The page of error codes contains each code, and shows the actual output of programs compiled in this
/// folder.
final class ErrorPageTests: XCTestCase {
  /// The section of the page on a code.
  private struct Section {
    let code: String
    let text: String

    /// Returns the lines of the section's fenced block of a language. Nil if there is no such block.
    func block(_ language: String) -> String? {
      let parts = text.components(separatedBy: "```\(language)\n")
      return parts.count == 2 ? parts[1].components(separatedBy: "\n```")[0] : nil
    }
  }

  private func sections() throws -> [Section] {
    let page = try text("Sources/Arc/Arc.docc/Errors.md")
    return page.components(separatedBy: "\n### ").dropFirst().map { part in
      let part = part.components(separatedBy: "\n## ")[0]
      let code = String(part.prefix { $0 != "\n" })
      return Section(code: code, text: String(part.dropFirst(code.count)))
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }

  func testEachErrorCodeHasACompleteSection() throws {
    let sections = try sections()
    XCTAssertEqual(sections.map(\.code).sorted(), ArchiveError.Code.allCases.map(\.rawValue).sorted())
    for section in sections {
      let parts = section.text.components(separatedBy: "**What to do.** ")
      XCTAssertEqual(parts.count, 2, section.code)
      XCTAssertGreaterThan(parts.last?.count ?? 0, 10, section.code)
      let meaning = section.text.components(separatedBy: "```")[0].trimmingCharacters(
        in: .whitespacesAndNewlines)
      XCTAssertTrue(meaning.hasSuffix("."), section.code)
      // The code `lostIdentity` has no example, because no program is known that causes it.
      XCTAssertEqual(section.block("swift") == nil, section.code == "lostIdentity", section.code)
      XCTAssertEqual(errorExamples[section.code] == nil, section.code == "lostIdentity", section.code)
    }
  }

  func testErrorPageExamplesAreCompiled() throws {
    let source = try text("Tests/FixtureTests/Articles/ErrorExamples.swift")
    for section in try sections() {
      guard let shown = section.block("swift") else { continue }
      let parts = source.components(separatedBy: "\n  \"\(section.code)\": {\n")
      XCTAssertEqual(parts.count, 2, section.code)
      let body = parts.last?.components(separatedBy: "\n  },\n")[0] ?? ""
      let statements = body.components(separatedBy: "\n").map { String($0.dropFirst(4)) }
      XCTAssertFalse(statements.isEmpty, section.code)
      XCTAssertTrue(shown.hasSuffix(statements.joined(separator: "\n")), section.code)
      let types = shown.components(separatedBy: "\n").dropLast(statements.count).joined(separator: "\n")
      XCTAssertTrue(types.isEmpty || source.contains("\n\(types)\n"), "\(section.code): \(types)")
    }
  }

  func testErrorPageExamplesPrintTheErrorsShown() throws {
    let folder = FileManager.default.currentDirectoryPath
    XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(Repository.root.path))
    defer { XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(folder)) }
    for section in try sections() {
      guard let example = errorExamples[section.code] else { continue }
      XCTAssertThrowsError(try example(), section.code) { error in
        XCTAssertEqual((error as? ArchiveError)?.code.rawValue, section.code)
        XCTAssertEqual("\(error)", section.block("text"))
      }
    }
  }
}
