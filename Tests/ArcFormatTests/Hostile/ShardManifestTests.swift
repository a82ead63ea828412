import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ShardManifestTests: XCTestCase {
  func testManifestWithClassesMissingFromShardIsRefused() throws {
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

  /// A segment of rows is read once, whatever the order of the shards in the manifest.
  func testShardsMayBeListedInAnyOrder() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    let count = RandomTrials.size(usually: 1_000, exhaustively: 20_000)
    let segmentByteCount = RandomTrials.size(usually: 1 << 11, exhaustively: 1 << 13)
    let shards = (0..<count).map { number in
      (
        shard: ShardManifest.Shard(
          path: "\(number).arc", id: (0..<16).map { UInt8(truncatingIfNeeded: number >> $0) }, rowCount: 2,
          byteCount: number, rowCounts: ["C": 1], least: nil, most: UInt64(number)),
        sortedBy: String?.none
      )
    }
    let bytes = try ShardManifest(shards, dataSetID: "set").archive()
    let mixed = Array(0..<count).shuffled(using: &random)
    // The same objects, with a root that lists them in another order.
    let file = try ArchiveFile(bytes: bytes)
    let builder = try ArchiveBuilder(
      roots: [.init("shards", type: "$[@\"Shard\"]")], metadata: ["arc.shards": "\(count)"])
    try builder.addClass(
      "Shard",
      properties: file.classes[1].columns.map {
        .init($0.key, type: $0.attributes.type?.description ?? "")
      })
    let ids = try (0..<count).map { number in
      let object = try file.object(ObjectID(rawValue: UInt32(number + 1)))
      return try builder.addObject(
        ofClass: "Shard",
        Dictionary(uniqueKeysWithValues: object.properties.map { (.init($0.key), $0.value) }))
    }
    try builder.setRoots(["shards": mixed.map { ids[$0] }])
    let small = try ArchiveArrangement.arrange(
      builder.finish(), segmentByteCount: segmentByteCount, hasChunkDirectory: false)
    let manifest = try ShardManifest(ArchiveFile(bytes: small))
    XCTAssertEqual(manifest.shards, mixed.map { shards[$0].shard })
  }
}
