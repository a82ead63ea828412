// swift-format-ignore-file
// The lines are identical to the lines in the articles.

import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

// MARK: Models and JSON

@Archivable class Member {
  let name: String
  var joinedAt: Date?
  var tags = ["new"]
  init(name: String) { self.name = name }
}

@Archivable final class Team {
  var title = ""
  var members: [Member] = []
}

/// Reads a team and writes it. Returns the printed text.
func runModels() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  let team = try Team(json: #"{"title": "Lab", "members": [{"name": "Ada", "tags": []}, {"name": "Bob"}]}"#)
  print(team.members[0].name, team.members[1].tags)
  print(try team.json())
  return lines.joined(separator: "\n")
}

/// Reads a text with mistakes, strictly and leniently. Returns the printed text.
func runIssues() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  let text = """
    {"data": {"title": "Lab", "members": [
      {"name": "Ada", "joined_at": "soon", "tags": ["a", 5]},
      {"title": "?"}
    ]}}
    """
  do {
    print(try Team(json: text, at: "data"))                          // strict
  } catch {
    print(error)
  }

  let reader = ModelReader(.lenient, naming: .snakeCase)
  let (team, issues) = try reader.readWithIssues(Team.self, from: text, at: "data")
  print(team.members.count, team.members[0].tags)
  for issue in issues { print("line \(issue.line):", issue) }
  return lines.joined(separator: "\n")
}

/// Calls the functions for reading and writing that the article lists. Returns their results.
func readAndWriteMembers() throws -> [String] {
  let members = try [Member](json: #"[{"name": "Ada"}, {"name": "Bob"}]"#)   // an array
  let first = try Member(json: #"{"data": [{"name": "Ada"}]}"#, at: "data[0]")  // a part of the text

  let names = try members.json(isPretty: true, only: ["name"])       // only this property
  let writer = ModelWriter(naming: .snakeCase, sortsKeys: true)      // reuse it: the second text is faster
  let text = try writer.text(of: first)
  return [names, text]
}

final class JSONArticleTests: XCTestCase {
  func testArticleMembersAreReadAndWrittenAsListed() throws {
    XCTAssertEqual(
      try readAndWriteMembers(),
      ["[\n  {\n    \"name\": \"Ada\"\n  },\n  {\n    \"name\": \"Bob\"\n  }\n]", #"{"name":"Ada","tags":["new"]}"#])
  }
}

// MARK: Graphs in JSON

@Archivable final class Hiker: ModelIdentifiable {
  var id = 0
  var name = ""
  var friends: [Hiker] = []
  static var identifyingProperties: [String] { ["id"] }
}

/// Writes a cycle with marks and reads it. Returns the printed text.
func runMarkedGraph() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let ada = Hiker(), bob = Hiker()
  (ada.id, ada.name, ada.friends) = (1, "Ada", [bob])
  (bob.id, bob.name, bob.friends) = (2, "Bob", [ada])

  let text = try ModelWriter(references: .marked).text(of: ada)
  print(text)
  let copy = try ModelReader(references: .marked).read(Hiker.self, from: text)
  print(copy.friends[0].friends[0] === copy)

  try ObjectGraph.release(ada)
  try ObjectGraph.release(copy)
  return lines.joined(separator: "\n")
}

/// Reads objects with identities. Returns the printed text.
func runIdentifiedGraph() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let text = #"[{"id": 1, "name": "Ada"}, {"id": 2, "friends": [{"id": 1}, {"id": 3, "name": "Cy"}]}]"#
  let hikers = try ModelReader(references: .identified).read([Hiker].self, from: text)
  print(hikers[1].friends[0] === hikers[0])
  print(try ModelWriter(references: .identified).text(of: hikers))
  return lines.joined(separator: "\n")
}

/// Updates objects of the program. Returns the printed text.
func runUpdatedGraph() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }
  let hikers = try [Hiker](json: #"[{"id": 1, "name": "Ada"}, {"id": 2}]"#)

  let update = #"{"id": 2, "friends": [{"id": 3, "name": "Cyd"}]}"#
  let bob = try ModelReader().read(Hiker.self, from: update, updating: hikers)
  print(bob === hikers[1])
  print(bob.friends.map(\.name))
  return lines.joined(separator: "\n")
}

// MARK: Customize the mapping

@Archivable final class Ticket: UnknownMemberPreserving {
  var seat = ""
  @Transient var unknownMembers = JSONObject()
}

/// Reads an object with a member that no property has. Returns the printed text.
func runUnknownMembers() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let reader = ModelReader(unknownKeys: .preserved)
  let ticket = try reader.read(Ticket.self, from: #"{"seat": "4A", "gate": "B12"}"#)
  ticket.seat = "5C"
  print(try ticket.json())
  return lines.joined(separator: "\n")
}
