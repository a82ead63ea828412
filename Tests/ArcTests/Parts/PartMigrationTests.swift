import Arc
import ArcArchive
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

  func testPartOfOlderFileIsMigratedWhenRead() throws {
    let session = try LazyArchive(bytes: bytes())
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
    XCTAssertNil(try ObjectGraph.difference(between: whole, and: all))
  }

  func testClassesMigrateWhenTheirFirstPartIsRead() throws {
    let (score, note) = (OldScore(number: 7), OldPartMeasure(tenths: 25))
    let bytes = try Archiver().archive(roots: [
      "v": score, "w": [note, OldPartMeasure(tenths: 5)], "x": score,
    ])
    for order in [["v", "w"], ["w", "v"]] {
      NewScore.migrationCount = 0
      let session = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(classes: ClassTable()))
      var read: [String: Any] = [:]
      for root in order {
        if root == "v" {
          read[root] = try session.object(NewScore.self, at: root)
        } else {
          read[root] = try session.value([NewPartMeasure].self, at: root)
        }
      }
      XCTAssertEqual((read["v"] as? NewScore)?.text, "number 7")
      XCTAssertEqual((read["w"] as? [NewPartMeasure])?.map(\.value), [2.5, 0.5])
      XCTAssertEqual((read["w"] as? [NewPartMeasure])?.map { $0.made?.value }, [25, 5])
      XCTAssertTrue(try session.object(NewScore.self, at: "x") === read["v"] as? NewScore)
      XCTAssertEqual(NewScore.migrationCount, 1)
    }
  }

  func testDroppingAnAlreadyReadObjectIsRefused() throws {
    let plain = OldPlain(name: "plain")
    let bytes = try Archiver().archive(
      roots: ["plain": plain, "score": OldScore(number: 1), "eraser": OldEraser(plain)])
    let session = try LazyArchive(bytes: bytes)
    let read = try session.object(NewPlain.self, at: "plain")
    _ = try session.object(NewScore.self, at: "score")
    assertThrows(.invalidUse, "which was read before migrate(_:from:) of class 'PartEraser' removed it") {
      try session.object(NewEraser.self, at: "eraser")
    }
    withExtendedLifetime(read) {}
    let other = try LazyArchive(bytes: bytes)
    XCTAssertNil(try other.object(NewEraser.self, at: "eraser").plain)
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

@Archivable("PartMeasure") final class OldPartMeasure {
  var tenths: Int
  init(tenths: Int) { self.tenths = tenths }
}
@Archivable("PartMeasure") final class NewPartMeasure {
  static let archiveVersion = 1
  var value: Double
  var made: NewTenths?
  init(value: Double) { self.value = value }
  static func migrate(_ measure: inout MigratedObject, from version: Int) throws {
    let tenths = measure["tenths"]?.int ?? -1
    measure["value"] = .double(Double(tenths) / 10)
    measure["made"] = .reference(
      measure.graph.addObject(ofClass: "PartTenths", ["value": .integer(Int128(tenths))]))
  }
}
@Archivable("PartTenths") final class NewTenths {
  var value: Int
  init(value: Int) { self.value = value }
}
@Archivable("PartEraser") final class OldEraser {
  var plain: OldPlain?
  init(_ plain: OldPlain) { self.plain = plain }
}
@Archivable("PartEraser") final class NewEraser {
  static let archiveVersion = 1
  var plain: NewPlain?
  init() {}
  static func migrate(_ eraser: inout MigratedObject, from version: Int) throws {
    if let plain = eraser["plain"]?.objectID { try eraser.graph.removeObject(plain) }
  }
}
