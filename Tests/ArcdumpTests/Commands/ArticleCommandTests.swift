import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// What the article "Looking into files" says of arcdump.
final class ArticleCommandTests: XCTestCase {
  /// The lines of the block with the commands, up to what is said of them.
  private func lines() throws -> [String] {
    let url = Repository.root.appendingPathComponent("Sources/ArcFormat/ArcFormat.docc/LookingIntoFiles.md")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let start = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("arcdump FILE ") })
    return Array(lines[start...].prefix { $0 != "```" })
  }

  func testCommandsAreAllThatThereAre() throws {
    let names = try lines().compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    let commands = Arcdump.configuration.subcommands.compactMap { $0.configuration.commandName }
    XCTAssertEqual(Set(names.filter { $0 != "FILE" }), Set(commands).subtracting(["tree"]))
  }

  func testQuestionsAreUnderstood() throws {
    var count = 0
    for line in try lines() {
      let words = try words(of: line)
      guard words.count > 1, ["get", "find", "stats", "holders", "cycles"].contains(words[1]) else {
        continue
      }
      count += 1
      XCTAssertNoThrow(try Arcdump.parseAsRoot(Array(words.dropFirst())), line)
    }
    XCTAssertEqual(count, 6)
  }

  func testHelpHasTheLanguage() throws {
    for command in ["find", "get"] {
      let help = Arcdump.helpMessage(for: command == "find" ? FindCommand.self : GetCommand.self)
      XCTAssertTrue(help.contains("all objects of a class, those of subclasses too"), help)
    }
    XCTAssertTrue(Arcdump.helpMessage(for: FindCommand.self).contains("name =~ /^A.*a$/i"))
  }

  /// The words of a command line, without what is said of it behind two spaces or more.
  private func words(of line: String) throws -> [String] {
    var words = [""]
    var isQuoted = false
    for character in line.components(separatedBy: "   ")[0] {
      switch character {
      case "'": isQuoted.toggle()
      case " " where !isQuoted: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
