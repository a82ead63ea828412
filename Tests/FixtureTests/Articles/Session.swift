import Arc
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcInspection

// The files of the article "Looking into files".

@Archivable final class Village {
  var name = ""
  var people: [Villager] = []
}

@Archivable final class Villager {
  let name: String
  var age: Int
  var friends: [Villager] = []
  weak var mother: Villager?

  init(name: String, age: Int) { (self.name, self.age) = (name, age) }
}

/// The article shows the output of `arcdump`. Each block begins with `$ arcdump …`, and its output follows.
final class SessionPageTests: XCTestCase {
  /// Returns the archives of the article, by name: `village.arc`, and its state a year later.
  private func files() throws -> [String: [UInt8]] {
    let village = Village()
    let ada = Villager(name: "Ada", age: 36)
    let bob = Villager(name: "Bob", age: 40)
    let cleo = Villager(name: "Cleo", age: 70)
    village.name = "Elm"
    village.people = [ada, bob, cleo]
    ada.friends = [bob]
    ada.mother = cleo
    bob.friends = [ada, cleo]
    let before = try Archiver().archive(village)
    let dan = Villager(name: "Dan", age: 9)
    village.people = [ada, bob, cleo, dan]
    (ada.age, bob.age, cleo.age) = (37, 41, 71)
    bob.friends = [ada]
    dan.friends = [bob]
    let after = try Archiver().archive(village)
    ada.friends = []
    return ["village.arc": before, "later.arc": after]
  }

  func testSessionInArticleMatchesCommandOutput() throws {
    let files = try files()
    var count = 0
    for block in try blocks() {
      let lines = block.components(separatedBy: "\n")
      let command = try XCTUnwrap(lines.first)
      guard command.hasPrefix("$ arcdump ") else { continue }
      let output = lines.dropFirst().joined(separator: "\n")
      XCTAssertEqual(try run(words(of: String(command.dropFirst(10))), files), output, command)
      count += 1
    }
    XCTAssertGreaterThan(count, 7)
  }

  /// Returns the contents of the article's `text` blocks.
  private func blocks() throws -> [String] {
    let url = Repository.root.appendingPathComponent("Sources/ArcArchive/ArcArchive.docc/LookingIntoFiles.md")
    return try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n```text\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }

  /// Returns the output of a command line for these files, without the last line end.
  private func run(_ arguments: [String], _ files: [String: [UInt8]]) throws -> String {
    let text = try arcdump(arguments, on: files).output
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Returns the words of a command line. Quotes can enclose spaces.
  private func words(of line: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "'": isQuoted.toggle()
      case " " where !isQuoted: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
