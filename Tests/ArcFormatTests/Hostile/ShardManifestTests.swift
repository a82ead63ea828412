import Foundation
import XCTest

@testable import ArcFormat

final class ShardManifestTests: XCTestCase {
  func testClassesThatTheShardDoesNotHaveAreRefused() throws {
    let builder = try ArchiveBuilder(
      roots: [.init("first", type: "@")], metadata: ["arc.id": UUID().uuidString])
    try builder.addClass("Note", properties: [])
    try builder.setRoots([
      "first": .reference(try builder.addObject(ofClass: "Note", [:] as [_: ArchiveValue]))
    ])
    let file = try ArchiveFile(bytes: builder.finish())
    let shard = try ShardManifest.Shard.describing(file, path: "a.arc").shard
    XCTAssertEqual(shard.rowCounts, ["Note": 1])
    XCTAssertNoThrow(try shard.check(file, countsRows: true))
    for (name, count, isSound) in [("Ghost", 0, true), ("Ghost", 5, false), ("Note", 2, false)] {
      let other = ShardManifest.Shard(
        path: shard.path, id: shard.id, rowCount: shard.rowCount, byteCount: shard.byteCount,
        rowCounts: shard.rowCounts.merging([name: count]) { $1 }, least: nil, most: nil)
      var code: ArchiveError.Code?
      do { try other.check(file, countsRows: true) } catch { code = error.code }
      XCTAssertEqual(code, isSound ? nil : .wrongShard, name)
    }
  }
}
