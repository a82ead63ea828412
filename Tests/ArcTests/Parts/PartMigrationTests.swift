import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Parts of files that older versions of the program wrote.
final class PartMigrationTests: XCTestCase {
  private func bytes() throws -> [UInt8] {
    let scores = (0..<4).map { OldScore(number: $0) }
    for index in scores.indices { scores[index].next = scores[(index + 1) % 4] }
    return try Archiver().archive(OldScores(scores: scores, plain: OldPlain(name: "plain")))
  }

  func testAPartOfAMigratedClassIsThatOfTheMigratedFile() throws {
    let session = try ArchiveSession(bytes: bytes())
    let plain = try session.object(NewPlain.self, at: "root.plain")
    XCTAssertEqual(NewScore.migrationCount, 0)
    let third = try session.object(NewScore.self, at: "root.scores[2]")
    XCTAssertEqual(third.text, "number 2")
    XCTAssertEqual(NewScore.migrationCount, 4)
    let all = try session.object(NewScores.self)
    XCTAssertEqual(all.scores.map { $0.loadedObject == nil }, [true, true, false, true])
    XCTAssertTrue(try all.scores[2].load() === third)
    XCTAssertEqual(try all.scores.map { try $0.load().text }, (0..<4).map { "number \($0)" })
    XCTAssertTrue(try all.scores[3].load().next?.load() === all.scores[0].load())
    XCTAssertTrue(all.plain === plain)
    XCTAssertEqual(NewScore.migrationCount, 4)
    let whole = try Unarchiver().unarchive(NewScores.self, from: bytes())
    XCTAssertNil(try firstDifference(between: whole, and: all))
  }

  override func setUp() { NewScore.migrationCount = 0 }
}

@Archivable("PartScores") final class OldScores {
  var scores: [OldScore] = []
  var plain: OldPlain?
  init(scores: [OldScore], plain: OldPlain) { (self.scores, self.plain) = (scores, plain) }
}
@Archivable("PartScore") final class OldScore {
  var number: Int
  var next: OldScore?
  init(number: Int) { self.number = number }
}
@Archivable("PartPlain") final class OldPlain {
  var name: String
  init(name: String) { self.name = name }
}

@Archivable("PartScores") final class NewScores {
  var scores: [Lazy<NewScore>] = []
  var plain: NewPlain?
}
@Archivable("PartScore") final class NewScore {
  nonisolated(unsafe) static var migrationCount = 0
  static let archiveVersion = 1
  var text: String
  var next: Lazy<NewScore>?
  init(text: String) { self.text = text }
  static func migrate(_ score: inout MigratedObject, from version: Int) throws {
    migrationCount += 1
    score["text"] = .string("number \(score["number"]?.int ?? -1)")
  }
}
@Archivable("PartPlain") final class NewPlain {
  var name: String
  init(name: String) { self.name = name }
}
