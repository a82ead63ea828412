// swift-format-ignore-file
// The lines stand as in the article.

import Arc
import ArcModel
import XCTest

@Archivable class Member {
  let id: Int
  var createdAt: String?
  var tags: [String] = ["new"]
  init(id: Int) { self.id = id }
}

@Archivable final class Team: Member { var members: [Member] = [] }

/// The article "Models and JSON".
final class JSONArticleTests: XCTestCase {
  func testSectionSaysWhatHappens() throws {
    let text = #"{"data": {"id": 7, "created_at": "today", "members": [{"id": 1, "tags": ["a", 5]}, {"name": "?"}]}}"#
    let (team, issues) = try readTeam(text)
    XCTAssertEqual(team.id, 7)
    XCTAssertEqual(team.createdAt, "today")
    XCTAssertEqual(team.tags, ["new"])
    XCTAssertEqual(team.members.map(\.tags), [["a", "5"]])
    XCTAssertEqual(issues.map { "\($0)" }, ["data.members[1].id: found nothing, expected an integer of 64 bits"])
    let texts = try describe(team)
    XCTAssertEqual(texts[0], #"{"id":7,"createdAt":"today","tags":["new"],"members":[{"id":1,"tags":["a","5"]}]}"#)
    XCTAssertEqual(texts[1], "[\n  {\n    \"id\": 1\n  }\n]")
    XCTAssertEqual(texts[2], #"{"created_at":"today","id":7,"members":[{"id":1,"tags":["a","5"]}],"tags":["new"]}"#)
  }
}

// From here on what the article shows.

func readTeam(_ text: String) throws -> (Team, [ModelIssue]) {
  let members = try [Member](json: #"[{"id": 1}, {"id": 2}]"#)       // strict: the first mismatch is an error
  let first = try Member(json: #"{"data": {"id": 3}}"#, at: "data")  // inside of an envelope
  print(members.count, first.id)
  let reader = ModelReader(.lenient, naming: .snakeCase)             // goes on, and says all that was wrong
  return try reader.readReporting(Team.self, from: text, at: "data")
}

func describe(_ team: Team) throws -> [String] {
  let text = try team.json()                                         // as the reader reads it, again the same
  let list = try team.members.json(isPretty: true, only: ["id"])     // of the outermost objects these alone
  let writer = ModelWriter(naming: .snakeCase, sortsKeys: true)      // kept, it writes the next text faster
  return [text, list, try writer.text(of: team)]
}
