import Arc
import ArcArchive
import ArcDataSets
import ArcFormat
import ArcJSON
import ArcTestSupport
import Foundation
import XCTest

/// The data sets of `Fixtures/data-sets`: sound data sets, and data sets of which each breaks one rule.
/// `vectors.jsonl` states what a reader returns, so that any implementation of the Spec can run this test.
final class DataSetVectorTests: XCTestCase {
  private let folder = Repository.fixtures.appendingPathComponent("data-sets")

  private func vectors() throws -> [JSONNode] {
    let url = folder.appendingPathComponent("vectors.jsonl")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      try JSONDocument(String($0)).root
    }
  }

  /// Returns the code of the error that a closure throws; nil if the closure throws none.
  private func code(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? ArchiveError)?.code.rawValue ?? "\(error)" }
    return nil
  }

  func testSoundDataSetsMatchTheVectors() throws {
    for vector in try vectors() where vector["code"] == nil {
      let name = try XCTUnwrap(vector["folder"]?.string)
      let url = folder.appendingPathComponent(name)
      guard name != "no-manifest" else {
        XCTAssertThrowsError(try ShardedArchive(contentsOf: url))
        continue
      }
      let set = try ShardedArchive(contentsOf: url)
      try set.verify()
      XCTAssertEqual(set.shards.map(\.path), vector["shards"]?.elements.compactMap(\.string), name)
      var counts: [String: Int] = [:]
      for shard in set.shards { counts.merge(shard.objectCounts.filter { $0.value > 0 }) { $0 + $1 } }
      var rows: [(className: String, row: JSONNode)] = []
      for (className, table) in try XCTUnwrap(vector["tables"]).members {
        for row in table.elements { rows.append((className, row)) }
      }
      XCTAssertEqual(counts, Dictionary(grouping: rows, by: \.className).mapValues { $0.count }, name)
      for (className, row) in rows {
        let id = try XCTUnwrap(row["$id"]?.number?.double.map { UInt64($0) })
        let path = url.appendingPathComponent(set.shards[Int(id >> 32)].path)
        let object = try ArchiveFile(contentsOf: path).object(ObjectID(rawValue: UInt32(id & 0xFFFF_FFFF)))
        XCTAssertEqual(object.className, className, name)
        XCTAssertEqual(object["name"]?.string, row["name"]?.string, name)
        guard case .structure(_, let fields)? = object["friend"] else { return XCTFail(name) }
        let friend = UInt64(fields[0].value.int ?? 0) << 32 | UInt64(fields[1].value.int ?? 0)
        XCTAssertEqual(friend, row["friend"]?.number?.double.map { UInt64($0) } ?? 0, name)
      }
    }
  }

  func testBrokenDataSetsAreRefusedWithTheirCode() throws {
    for vector in try vectors() {
      guard let expected = vector["code"]?.string, let name = vector["folder"]?.string else { continue }
      let url = folder.appendingPathComponent(name)
      let isFoundOnOpening = vector["when"]?.string == "open"
      XCTAssertEqual(
        code { _ = try ShardedArchive(contentsOf: url) }, isFoundOnOpening ? expected : nil, name)
      if isFoundOnOpening { continue }
      let set = try ShardedArchive(contentsOf: url)
      XCTAssertEqual(code { try set.verify() }, expected, name)
      let refused = set.shards.indices.filter { number in
        code { _ = try set.session(ofShard: number) } != nil
      }
      if let number = vector["shard"]?.number?.double {
        XCTAssertTrue(refused.contains(Int(number)), name)
      } else {
        XCTAssertEqual(refused, [], name)
      }
    }
  }

  func testEachRuleOfDataSetsHasABrokenDataSet() throws {
    let page = Repository.fixtures.deletingLastPathComponent().appendingPathComponent("Spec/14-data-sets.md")
    let rules = try String(contentsOf: page, encoding: .utf8).matches(of: /\n\| \[(Q\d)\] \|/).map {
      "\($0.1)"
    }
    XCTAssertEqual(Set(rules), Set(try vectors().compactMap { $0["rule"]?.string }))
    XCTAssertFalse(rules.isEmpty)
  }

  func testManifestIsNotWrittenForExchangedShards() throws {
    try withTemporaryFolder { temporary in
      let copy = temporary.appendingPathComponent("set")
      try FileManager.default.copyItem(at: folder.appendingPathComponent("right"), to: copy)
      let paths = ["part-00000.arc", "part-00001.arc"]
      try ShardedArchive.writeManifest(in: copy, of: paths)
      try ShardedArchive(contentsOf: copy).verify()
      assertThrows(.wrongShard) { try ShardedArchive.writeManifest(in: copy, of: paths.reversed()) }
      assertThrows(.wrongShard) { try ShardedArchive.writeManifest(in: copy, of: ["part-00000.arc"]) }
      assertThrows(.wrongShard) { try ShardedArchive.writeManifest(in: copy, of: paths, id: UUID()) }
      // Without paths, the numbers in the metadata determine the order, whatever the names are.
      try FileManager.default.moveItem(
        at: copy.appendingPathComponent(paths[0]), to: copy.appendingPathComponent("z.arc"))
      try ShardedArchive.writeManifest(in: copy)
      let set = try ShardedArchive(contentsOf: copy)
      try set.verify()
      XCTAssertEqual(set.shards.map(\.path), ["z.arc", "part-00001.arc"])
      XCTAssertEqual(set.id?.uuidString, "0DA7A5E7-0000-4000-8000-000000000000")
    }
  }
}
