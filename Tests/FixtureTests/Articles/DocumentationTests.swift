import ArcTestSupport
import Foundation
import XCTest

/// The code in README.md and in the articles of all catalogues compiles, and prints the output that they
/// show.
///
/// A source file of this folder or of `Examples` contains the statements of each part of a `swift` block.
/// Empty lines separate the parts. The `text` blocks of a page are the output of the page's programs in
/// `articlePrograms`, in order.
final class DocumentationTests: XCTestCase {
  /// The pages whose blocks other tests compare, because the blocks are not the output of a program.
  private static let comparedElsewhere = [
    "Errors.md": "ErrorPageTests", "LookingIntoFiles.md": "SessionPageTests",
  ]

  func testArticleCodeOccursInACompiledFile() throws {
    let sources = try ["Tests/FixtureTests/Articles", "Examples/Sources"].flatMap(swiftFiles)
      .map { " \(try words(in: text($0))) " }
    var count = 0
    for page in try pages() where Self.comparedElsewhere[name(of: page)] == nil {
      for block in try blocks("swift", in: page) where !block.hasPrefix("// Package.swift") {
        for part in block.components(separatedBy: "\n\n") {
          let words = words(in: part)
          XCTAssertTrue(sources.contains { $0.contains(" \(words) ") }, "\(page): in no source:\n\(part)")
          count += 1
        }
      }
    }
    XCTAssertGreaterThan(count, 80)
  }

  func testArticleProgramsPrintTheOutputShown() throws {
    var shown = Set<String>()
    for page in try pages() where Self.comparedElsewhere[name(of: page)] == nil {
      let blocks = try blocks("text", in: page)
      let programs = articlePrograms[name(of: page)] ?? []
      XCTAssertEqual(blocks.count, programs.count, page)
      for (block, program) in zip(blocks, programs) {
        XCTAssertEqual(try withTemporaryFolder(program), block, page)
      }
      shown.insert(name(of: page))
    }
    XCTAssertEqual(Set(articlePrograms.keys).subtracting(shown), [])
  }

  func testCommentsOfTheFirstExamplesMatchTheirOutput() throws {
    XCTAssertTrue(try text("README.md").contains("// \(runReadmeExample().printed)\n"))
    let page = "Sources/ArcArchive/ArcArchive.docc/ReadingWithoutTheClasses.md"
    let lines = try blocks("swift", in: page).joined(separator: "\n").components(separatedBy: "\n")
    let comments = lines.drop { !$0.hasPrefix("let builder") }.filter { $0.hasPrefix("print") }
      .compactMap { $0.components(separatedBy: " // ").last }
    XCTAssertEqual(try runBuilderExample(), comments)
  }

  func testManifestsInArticlesNameExistingProductsAndTraits() throws {
    let manifest = try text("Package.swift")
    var count = 0
    for page in try pages() {
      for block in try blocks("swift", in: page) where block.hasPrefix("// Package.swift") {
        for match in block.matches(of: /product\(name: "(\w+)"/) {
          XCTAssertTrue(manifest.contains("library(name: \"\(match.1)\""), "\(page): \(match.1)")
          count += 1
        }
        for match in block.matches(of: /traits: \[([^\]]+)\]/) {
          for trait in match.1.matches(of: /"(\w+)"/) {
            XCTAssertTrue(manifest.contains("trait(name: \"\(trait.1)\""), "\(page): \(trait.1)")
          }
        }
      }
    }
    XCTAssertGreaterThan(count, 2)
  }

  func testPerformancePageMatchesTheBenchmarks() throws {
    let measured = Set(try text("Benchmarks/README.md").components(separatedBy: "\n"))
    let rows = try text("Sources/Arc/Arc.docc/Performance.md").components(separatedBy: "\n")
      .filter { $0.hasPrefix("|") && $0.contains(/\| \d/) && !$0.hasPrefix("| a ") && !$0.hasPrefix("| an ") }
    XCTAssertGreaterThan(rows.count, 20)
    for row in rows where !row.hasPrefix("| the ") { XCTAssertTrue(measured.contains(row), row) }
  }

  func testTableRowsHaveAsManyCellsAsHeaders() throws {
    for page in try pages() + [
      "Benchmarks/README.md", "CONTRIBUTING.md", ".github/ROOMS.md", ".github/TESTING.md", "Spec/README.md",
    ] {
      var head: Int?
      for line in try text(page).components(separatedBy: "\n") {
        let bars = line.replacing(/`+[^`]*`+/, with: "").replacing("\\|", with: "").count { $0 == "|" }
        guard line.hasPrefix("|") else {
          head = nil
          continue
        }
        XCTAssertEqual(bars, head ?? bars, "\(page): \(line)")
        head = head ?? bars
      }
    }
  }

  func testTutorialFilesContainOnlyLinesOfExamples() throws {
    let folder = "Sources/Arc/Arc.docc/Tutorials"
    let tutorials = try ["DrawingEditor", "FeedToArchive"].map { try text("\(folder)/\($0).tutorial") }
      .joined()
    let sources = try swiftFiles(in: "Examples/Sources").map { try lines(of: $0) }
    let files = try swiftFiles(in: "\(folder)/Resources")
    XCTAssertGreaterThan(files.count, 15)
    for file in files {
      XCTAssertTrue(tutorials.contains("file: \(name(of: file)))"), "\(file) is in no step")
      let shown = try lines(of: file)
      XCTAssertTrue(
        sources.contains { isSubsequence(shown, of: $0) }, "\(file): not an example's lines, in order")
    }
    // The pages show each file completely.
    let shown = Set(try files.map { try lines(of: $0) })
    let wholes = ["Version1", "Version2", "Version3", "DrawingDocument", "main"].map {
      "drawing-editor/\($0)"
    }
    for whole in wholes + ["feed-archive/main"] {
      XCTAssertTrue(shown.contains(try lines(of: "Examples/Sources/\(whole).swift")), whole)
    }
  }

  /// Returns the lines of a file without indentation and without empty lines.
  private func lines(of path: String) throws -> [String] {
    try text(path).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private func isSubsequence(_ lines: [String], of source: [String]) -> Bool {
    var rest = lines[...]
    for line in source where line == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Returns the paths of README.md and all articles in the repository.
  private func pages() throws -> [String] {
    let sources = Repository.root.appendingPathComponent("Sources")
    let pages = try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
      .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    XCTAssertGreaterThan(pages.count, 30)
    return ["README.md"] + pages.map { "Sources/\($0)" }
  }

  private func swiftFiles(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(
      atPath: Repository.root.appendingPathComponent(folder).path
    ).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  private func name(of page: String) -> String { URL(fileURLWithPath: page).lastPathComponent }

  /// Returns the contents of a page's fenced blocks of a language.
  private func blocks(_ language: String, in page: String) throws -> [String] {
    try text(page).components(separatedBy: "\n```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  /// Returns the code without comments, with one space between its words, because the formatter can break
  /// lines at other positions than the page.
  private func words(in code: String) -> String {
    code.components(separatedBy: "\n")
      .map { $0.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") }
      .joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }
}
