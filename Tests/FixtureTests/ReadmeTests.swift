import ArcTestSupport
import Foundation
import XCTest

final class ReadmeTests: XCTestCase {
  func testExampleIsTheCodeThatIsCompiledHere() throws {
    let readme = try block("swift", of: "README.md").flatMap(statements)
    let compiled = try text("Tests/FixtureTests/ReadmeExample.swift")
    let types = compiled.split(separator: "\n").filter {
      $0.hasPrefix("import") || $0.hasPrefix("@Archivable")
    }
    let body = try XCTUnwrap(
      compiled.components(separatedBy: "// Example begins.\n").last?
        .components(separatedBy: "  // Example ends.").first)
    XCTAssertEqual(
      readme,
      types.flatMap { statements(String($0)) }
        + body.split(separator: "\n").flatMap { statements(String($0)) })
  }

  func testExampleWithoutClassesIsCompiledHereAndPrintsWhatItsCommentsSay() throws {
    let lines = try text("README.md").components(separatedBy: "\n")
    let start = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("let builder = ") })
    let shown = lines[start...].prefix { $0 != "```" }
    let body = try XCTUnwrap(
      text("Tests/FixtureTests/ReadmeExampleWithoutClasses.swift").components(
        separatedBy: "// Dynamic example begins.\n"
      )
      .last?
      .components(separatedBy: "  // Dynamic example ends.").first)
    XCTAssertEqual(shown.flatMap(statements), body.components(separatedBy: "\n").flatMap(statements))
    let comments = shown.filter { $0.hasPrefix("print") }.compactMap {
      $0.components(separatedBy: " // ").last
    }
    XCTAssertEqual(try runReadmeDynamicExample(), comments)
  }

  func testExamplePrintsWhatItsCommentSays() throws {
    XCTAssertEqual(try runReadmeExample().printed, "true true")
    XCTAssertTrue(try text("README.md").contains("// true true\n"))
  }

  func testArcdumpPrintsWhatTheReadmeShows() throws {
    let shown = try block("text", of: "README.md").joined(separator: "\n") + "\n"
    XCTAssertEqual(try tree(of: runReadmeExample().bytes), shown)
  }

  /// Lines of the first fenced block of a language.
  private func block(_ language: String, of path: String) throws -> [String] {
    let lines = try text(path).components(separatedBy: "\n")
    let start = try XCTUnwrap(lines.firstIndex(of: "```\(language)"))
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  /// A line without comment and indentation; none for an empty one.
  private func statements(_ line: String) -> [String] {
    let code = line.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces)
    return code.isEmpty || code.hasPrefix("//") ? [] : [code]
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }
}
