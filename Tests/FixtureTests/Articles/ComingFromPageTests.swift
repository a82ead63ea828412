import ArcTestSupport
import Foundation
import XCTest

/// The pages for users of other libraries, and the programs in `Examples` whose code they show.
final class ComingFromPageTests: XCTestCase {
  private let catalogue = Repository.root.appendingPathComponent("Sources/ArcModel/ArcModel.docc")
  private let examples = Repository.root.appendingPathComponent("Examples")

  func testComparisonPagesAreListedAndHaveThreeColumns() throws {
    let list = try text("ComingFrom.md", in: catalogue)
    for page in try pages() where page != "ComingFrom.md" {
      XCTAssertTrue(list.contains("](doc:\(page.dropLast(3)))"), page)
      let rows = try text(page, in: catalogue).split(separator: "\n").filter { $0.hasPrefix("|") }
      XCTAssertEqual(rows.first, "| theirs | Arc | difference |", page)
      for row in rows { XCTAssertEqual(row.count { $0 == "|" }, 4, "\(page): \(row)") }
    }
  }

  func testEachExampleProgramIsListedOnAllPages() throws {
    let package = try text("Package.swift", in: examples)
    let readme = try text("README.md", in: examples)
    let pages = try pages().map { try text($0, in: catalogue) }.joined()
    for program in try programs() {
      XCTAssertTrue(package.contains("\"\(program)\""), program)
      XCTAssertTrue(readme.contains("[\(program)](Sources/\(program)/main.swift)"), program)
      // These programs do not compare Arc with another library.
      let isForEverybody = ["api-dump", "git-graph", "package-graph"].contains(program)
      XCTAssertTrue(pages.contains("`\(program)`") || isForEverybody, program)
    }
  }

  func testEachExampleNamedInTheModelsFileExists() throws {
    let lines = try text("Tests/Models.md", in: Repository.root).split(separator: "\n")
      .filter { $0.contains("example `") || $0.contains("examples `") }
    let named = lines.flatMap { $0.matches(of: /`([a-z-]+)`/).map { String($0.1) } }
    XCTAssertGreaterThan(named.count, 5)
    XCTAssertEqual(Set(named).subtracting(try programs()).sorted(), [])
  }

  private func pages() throws -> [String] {
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter {
      $0.hasPrefix("ComingFrom") && $0.hasSuffix(".md")
    }
    XCTAssertGreaterThan(pages.count, 10)
    return pages.sorted()
  }

  private func programs() throws -> [String] {
    let folder = examples.appendingPathComponent("Sources")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.sorted().filter {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0)/main.swift").path)
    }
  }

  private func text(_ path: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }
}
