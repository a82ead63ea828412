import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// The help of the commands, and the table of commands in the article "Looking into files".
/// `SessionPageTests` compares the session of the article.
final class ArticleCommandTests: XCTestCase {
  private let commands = Arcdump.configuration.subcommands

  func testArticleTableContainsAllCommandAbstracts() throws {
    let url = Repository.root.appendingPathComponent("Sources/ArcArchive/ArcArchive.docc/LookingIntoFiles.md")
    let rows = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
      .filter { $0.hasPrefix("| `") }
    XCTAssertEqual(
      rows,
      commands.map { "| `\($0.configuration.commandName ?? "")` | \($0.configuration.abstract) |" })
  }

  func testCommandAbstractsHaveAtMostTwelveWords() {
    for command in commands + [Arcdump.self] {
      let abstract = command.configuration.abstract
      XCTAssertLessThanOrEqual(abstract.split(separator: " ").count, 12, abstract)
      XCTAssertTrue(abstract.hasSuffix(".") && abstract.first?.isUppercase == true, abstract)
    }
  }

  func testPreformattedLinesOfHelpFitInEightyColumns() {
    for command in commands + [Arcdump.self] {
      let configuration = command.configuration
      let usage = (configuration.usage ?? "").split(separator: "\n").map { "       " + $0 }
      let lines = configuration.discussion.split(separator: "\n").map(String.init)
      for line in usage + lines.filter({ $0.hasPrefix(" ") }) {
        XCTAssertLessThanOrEqual(line.count, 79, line)
      }
    }
  }

  func testHelpDescribesTheQueryLanguage() throws {
    for command in ["find", "get"] {
      let help = Arcdump.helpMessage(for: command == "find" ? FindCommand.self : GetCommand.self)
      XCTAssertTrue(help.contains("all objects of a class, subclasses included"), help)
    }
    XCTAssertTrue(Arcdump.helpMessage(for: FindCommand.self).contains("name =~ /^A.*a$/i"))
  }
}
