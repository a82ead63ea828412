import Arc
import ArcArchive
import ArcDataSets
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@Archivable private class Client {
  var name = ""
  var orders: [ShardReference<Purchase>] = []
  init() {}
}

@Archivable private final class LoyalClient: Client {
  var since = 0
  override init() { super.init() }
}

@Archivable private final class Purchase {
  var number = 0
  var client = ShardReference<Client>()
  var byName: [String: ShardReference<Client>] = [:]
  init() {}
}

@Archivable("Folder") private final class OldFolder {
  var order: Purchase?
  var nested: Purchase??
  var byName: [String: Purchase] = [:]
  init() {}
}

@Archivable("Folder") private final class NewFolder {
  var order: [Purchase] = []
  var nested: Purchase?
  var byName: [String: [Purchase]] = [:]
  init() {}
}

/// Data sets: archives in a folder, links between them, and crafted manifests.
final class ShardedArchiveTests: XCTestCase {
  private let dataSet = UUID()

  /// Writes a shard of clients, a shard of purchases, and the manifest. Links between the shards form a
  /// cycle.
  private func write(
    in folder: URL, client: ShardReference<Client> = ShardReference(shard: 0, row: ObjectID(rawValue: 2)),
    hasManifest: Bool = true
  ) throws {
    let (some, loyal) = (Client(), LoyalClient())
    (some.name, loyal.name) = ("some", "loyal")
    loyal.orders = [ShardReference(shard: 1, row: ObjectID(rawValue: 1))]
    try Archiver(
      metadata: ShardedArchive.metadata(ofShard: 0, of: 2, in: dataSet),
      layout: .columnar(sortedBy: "Client.name", directory: false)
    )
    .write([some, loyal], to: folder.appendingPathComponent("part-00000.arc"))
    let purchase = Purchase()
    (purchase.number, purchase.client, purchase.byName) = (7, client, ["b": client])
    let inner = folder.appendingPathComponent("country=de")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Archiver(
      metadata: ShardedArchive.metadata(ofShard: 1, of: 2, in: dataSet),
      layout: .columnar(sortedBy: "Client.name", directory: false)
    )
    .write(purchase, to: inner.appendingPathComponent("part-00000.arc"))
    if hasManifest {
      try ShardedArchive.writeManifest(
        in: folder, of: ["part-00000.arc", "country=de/part-00000.arc"], id: dataSet)
    }
  }

  func testLinkIsStoredAsShardAndRow() throws {
    let purchase = Purchase()
    purchase.client = ShardReference(shard: 3, row: ObjectID(rawValue: 9))
    let bytes = try Archiver().archive(purchase)
    let file = try ArchiveFile(bytes: bytes)
    let column = try XCTUnwrap(file.classes.last?.columns.first { $0.key == "client" })
    XCTAssertEqual(column.attributes.type?.description, #"{ArcLink<Client>="shard"I"row"I}"#)
    let read = try Unarchiver().unarchive(Purchase.self, from: bytes)
    XCTAssertEqual(read.client, purchase.client)
    XCTAssertEqual(read.client.number, 3 << 32 | 9)
    XCTAssertTrue(ShardReference<Client>().isNil)
    XCTAssertEqual(ShardReference<Client>(shard: 5, row: ObjectID(rawValue: 0)), ShardReference())
  }

  func testLinksBetweenShardsReachIdenticalObjects() throws {
    try withTemporaryFolder { folder in
      try write(in: folder)
      let set = try ShardedArchive(contentsOf: folder)
      XCTAssertEqual(set.id, dataSet)
      XCTAssertEqual(set.sortedBy, "Client.name")
      XCTAssertEqual(set.shards.map(\.path), ["part-00000.arc", "country=de/part-00000.arc"])
      XCTAssertEqual(set.shards[0].objectCounts, ["Client": 1, "LoyalClient": 1])
      XCTAssertEqual(set.shards.map(\.objectCount), [2, 1])
      let purchase = try set.session(ofShard: 1).object(Purchase.self)
      let client = try XCTUnwrap(try set.object(purchase.client))
      XCTAssertTrue(client is LoyalClient)
      XCTAssertEqual(client.name, "loyal")
      XCTAssertTrue(try set.object(client.orders[0]) === purchase)
      XCTAssertTrue(try set.object(purchase.byName["b"] ?? ShardReference()) === client)
      XCTAssertNil(try set.object(ShardReference<Client>()))
      try set.verify()
    }
  }

  func testReferencesOfOlderShardsAreConverted() throws {
    try withTemporaryFolder { folder in
      let old = OldFolder()
      let purchase = Purchase()
      purchase.number = 7
      (old.order, old.nested, old.byName) = (purchase, purchase, ["a": purchase])
      try Archiver(metadata: ShardedArchive.metadata(ofShard: 0, of: 1, in: dataSet))
        .write(old, to: folder.appendingPathComponent("part-00000.arc"))
      try ShardedArchive.writeManifest(in: folder)
      let set = try ShardedArchive(contentsOf: folder)
      let read = try XCTUnwrap(
        try set.object(ShardReference<NewFolder>(shard: 0, row: ObjectID(rawValue: 1))))
      XCTAssertEqual(read.order.map(\.number), [7])
      XCTAssertTrue(read.nested === read.order[0])
      XCTAssertEqual(read.byName["a"]?.map { $0 === read.nested }, [true])
    }
  }

  func testClosedShardIsReopenedOnAccess() throws {
    try withTemporaryFolder { folder in
      try write(in: folder)
      let set = try ShardedArchive(contentsOf: folder, maximumOpenCount: 1)
      let first = try set.session(ofShard: 0)
      XCTAssertTrue(try set.session(ofShard: 0) === first)
      _ = try set.session(ofShard: 1)
      XCTAssertFalse(try set.session(ofShard: 0) === first)
    }
  }

  func testManifestMatchesTheSpecification() throws {
    try withTemporaryFolder { folder in
      try write(in: folder, hasManifest: false)
      assertThrows(.fileSystem) { try ShardedArchive(contentsOf: folder) }
      // Without paths, the shards are in the order of the bytes of their names.
      try Data().write(to: folder.appendingPathComponent("_draft.arc"))
      try ShardedArchive.writeManifest(in: folder)
      let file = try ArchiveFile(contentsOf: folder.appendingPathComponent("_arc/manifest.arc"))
      try file.verify()
      let metadata = try file.metadata()
      XCTAssertEqual(metadata["arc.shards"], "2")
      XCTAssertEqual(metadata["arc.sorted-by"], "Client.name")
      XCTAssertEqual(metadata["arc.dataset"]?.count, 36)
      XCTAssertEqual(
        try file.rows(ofClass: "Shard").column("path", as: String.self),
        ["country=de/part-00000.arc", "part-00000.arc"])
      XCTAssertEqual(
        file.classes[1].columns.map { "\($0.key) \($0.attributes.type?.description ?? "")" },
        [
          #"path @"NSString""#, #"id @"NSUUID""#, "rows Q", "bytes Q", #"classes $<@"NSString":Q>"#,
          "least $?Q",
          "most $?Q",
        ])
      // The strings "loyal" and "some", as numbers.
      XCTAssertEqual(
        try file.rows(ofClass: "Shard").column("least", as: UInt64?.self), [nil, 0x6C6F_7961_6C00_0000])
      XCTAssertEqual(
        try file.rows(ofClass: "Shard").column("most", as: UInt64?.self), [nil, 0x736F_6D65_0000_0000])
    }
  }

  func testArchivesThatDifferFromTheManifestAreRefused() throws {
    try withTemporaryFolder { folder in
      try write(in: folder)
      let url = folder.appendingPathComponent("part-00000.arc")
      let right = try Data(contentsOf: url)
      func refused(_ file: Data, line: UInt = #line) throws {
        try file.write(to: url)
        let set = try ShardedArchive(contentsOf: folder)
        assertThrows(.wrongShard, line: line) { try set.session(ofShard: 0) }
        assertThrows(.wrongShard, line: line) {
          try set.object(ShardReference<Client>(shard: 0, row: ObjectID(rawValue: 1)))
        }
        assertThrows(.wrongShard, line: line) { try set.verify() }
      }
      // The manifests have the same objects with another identifier, with another number of rows, or without
      // an identifier.
      let clients = try Unarchiver().unarchive([Client].self, from: Array(right))
      try refused(
        Data(
          Archiver(
            metadata: ShardedArchive.metadata(ofShard: 0, of: 2, in: dataSet),
            layout: .columnar(sortedBy: "Client.name", directory: false)
          )
          .archive(clients)))
      try refused(Data(Archiver().archive([Client(), Client(), Client()])))
      try refused(Data(Archiver().archive(clients)))
      assertThrows(.wrongShard) { try ShardedArchive.writeManifest(in: folder) }
      try right.write(to: url)
      try ShardedArchive(contentsOf: folder).verify()
      try FileManager.default.removeItem(at: url)
      assertThrows(.fileSystem) { try ShardedArchive(contentsOf: folder).session(ofShard: 0) }
    }
  }

  func testLinksToMissingOrWrongRowsAreRefused() throws {
    try withTemporaryFolder { folder in
      for (shard, row, code) in [
        (2, 1, ArchiveError.Code.danglingReference), (0, 3, .danglingReference), (1, 1, .wrongClass),
        (UInt32.max, .max, .danglingReference),
      ] as [(UInt32, UInt32, ArchiveError.Code)] {
        let link = ShardReference<Client>(shard: shard, row: ObjectID(rawValue: row))
        try write(in: folder, client: link)
        let set = try ShardedArchive(contentsOf: folder)
        XCTAssertThrowsError(try set.verify()) { error in
          let error = error as? ArchiveError
          XCTAssertEqual(error?.code, code)
          XCTAssertEqual(error?.className, "Purchase")
          XCTAssertEqual(error?.filePath?.hasSuffix("country=de/part-00000.arc"), true)
        }
        // The shard of clients has no class with that name.
        assertThrows(code == .wrongClass ? .unknownClass : code) { try set.object(link) }
      }
    }
    // A link to row 0 of another shard is not nil.
    let builder = try ArchiveBuilder(roots: [.init("root", type: #"{ArcLink<Client>="shard"I"row"I}"#)])
    try builder.setRoots([
      "root": .structure(
        name: "ArcLink<Client>", fields: [.init(name: "shard", value: 1), .init(name: "row", value: 0)])
    ])
    let bytes = try builder.finish()
    assertThrows(.danglingReference) { try Unarchiver().unarchive(ShardReference<Client>.self, from: bytes) }
  }

  /// Writes a crafted manifest of one shard.
  private func writeManifest(
    _ paths: [String], in folder: URL, className: String = "Shard", count: String? = nil, rows: Int = 1,
    omitting key: String? = nil, isTwice: Bool = false
  ) throws {
    let builder = try ArchiveBuilder(
      roots: [.init("shards", type: "$[@]")], metadata: count.map { ["arc.shards": $0] } ?? [:])
    let types: [String: String] = [
      "path": #"@"NSString""#, "id": #"@"NSUUID""#, "rows": "Q", "bytes": "Q",
      "classes": #"$<@"NSString":Q>"#,
    ].filter { $0.key != key }
    try builder.addClass(className, properties: types.map { .init($0.key, type: $0.value) })
    let ids = try paths.map { path in
      let values: [ArchiveBuilder.Key: ArchiveValue] = [
        "path": .string(path), "id": .uuid(Array(repeating: 1, count: 16)), "rows": .integer(Int128(rows)),
        "bytes": 100, "classes": .dictionary([]),
      ]
      return try builder.addObject(ofClass: className, values.filter { $0.key.name != key })
    }
    try builder.setRoots([
      "shards": ArchiveValue.array((isTwice ? ids + ids : ids).map { .reference($0) })
    ])
    let url = folder.appendingPathComponent("_arc")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(builder.finish()).write(to: url.appendingPathComponent("manifest.arc"))
  }

  func testHostileManifestsAreRefused() throws {
    try withTemporaryFolder { folder in
      for path in [
        "", "/etc/passwd", "..", "../a.arc", "a/../../b.arc", "a//b.arc", "./a.arc", "a/.", "a/",
        "_arc/manifest.arc",
        "a/_b/c.arc", ".hidden.arc", "a\\b.arc", "c:a.arc", "a\u{0}.arc", "/\u{301}a.arc", "a/\u{301}/../..",
      ] {
        try writeManifest([path], in: folder)
        assertThrows(.wrongShard) { try ShardedArchive(contentsOf: folder) }
      }
      try writeManifest(["a.arc", "b.arc", "a.arc"], in: folder)
      assertThrows(.wrongShard) { try ShardedArchive(contentsOf: folder) }
      try writeManifest(["a.arc"], in: folder, isTwice: true)
      assertThrows(.wrongShard) { try ShardedArchive(contentsOf: folder) }
      try writeManifest(["a.arc"], in: folder, count: "2")
      assertThrows(.wrongShard) { try ShardedArchive(contentsOf: folder) }
      try writeManifest(["a.arc"], in: folder, className: "Other")
      assertThrows(.wrongClass) { try ShardedArchive(contentsOf: folder) }
      for key in ["path", "id", "rows", "bytes", "classes"] {
        try writeManifest(["a.arc"], in: folder, omitting: key)
        assertThrows(.missingKey) { try ShardedArchive(contentsOf: folder) }
      }
      // A manifest that is not an archive, and an archive that is not a manifest.
      let url = folder.appendingPathComponent("_arc/manifest.arc")
      try Data("text that is long enough for a header".utf8).write(to: url)
      assertThrows(.notAnArchive) { try ShardedArchive(contentsOf: folder) }
      try Archiver().write(7, to: url)
      assertThrows(.missingRoot) { try ShardedArchive(contentsOf: folder) }
      try Archiver().write(roots: ["shards": 7], to: url)
      assertThrows(.typeMismatch) { try ShardedArchive(contentsOf: folder) }
    }
  }

  func testSymbolicLinksThatLeaveTheFolderAreRefused() throws {
    try withTemporaryFolder { folder in
      let (inside, outside) = (
        folder.appendingPathComponent("set"), folder.appendingPathComponent("set-else")
      )
      for url in [inside, outside] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      try write(in: inside)
      let set = try ShardedArchive(contentsOf: inside)
      let part = inside.appendingPathComponent("part-00000.arc")
      try FileManager.default.moveItem(at: part, to: outside.appendingPathComponent("a.arc"))
      try FileManager.default.createSymbolicLink(
        at: part, withDestinationURL: outside.appendingPathComponent("a.arc"))
      assertThrows(.wrongShard) { try set.session(ofShard: 0) }
      assertThrows(.wrongShard) { try set.verify() }
      // Links to files in the folder are allowed. So are links to folders in it.
      try FileManager.default.removeItem(at: part)
      try FileManager.default.moveItem(
        at: outside.appendingPathComponent("a.arc"), to: inside.appendingPathComponent("moved.arc"))
      try FileManager.default.createSymbolicLink(
        at: part, withDestinationURL: inside.appendingPathComponent("moved.arc"))
      _ = try set.session(ofShard: 0)
      let link = folder.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inside)
      try ShardedArchive(contentsOf: link).verify()
      // A cycle of links has no target, and a folder is not an archive.
      try FileManager.default.removeItem(at: part)
      try FileManager.default.createSymbolicLink(at: part, withDestinationURL: part)
      assertThrows(.fileSystem) { try ShardedArchive(contentsOf: inside).session(ofShard: 0) }
      try FileManager.default.removeItem(at: part)
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      assertThrows(.wrongShard) { try ShardedArchive(contentsOf: inside).session(ofShard: 0) }
      // The manifest must also be in the folder.
      let manifest = inside.appendingPathComponent("_arc/manifest.arc")
      let elsewhere = outside.appendingPathComponent("manifest.arc")
      try FileManager.default.moveItem(at: manifest, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: manifest, withDestinationURL: elsewhere)
      assertThrows(.wrongShard) { try ShardedArchive(contentsOf: inside) }
    }
  }

  func testManifestIsNotWrittenOutsideItsFolder() throws {
    let files = FileManager.default
    for (name, target) in [
      ("_arc", "else"), ("_arc/manifest.arc", "else/manifest.arc"), ("_arc/manifest.arc", "else/none.arc"),
      ("part-00000.arc", "else/a.arc"),
    ] {
      try withTemporaryFolder { folder in
        let (inside, outside) = (folder.appendingPathComponent("set"), folder.appendingPathComponent("else"))
        for url in [inside, outside] { try files.createDirectory(at: url, withIntermediateDirectories: true) }
        try write(in: inside)
        let foreign = Data("somebody's".utf8)
        try foreign.write(to: outside.appendingPathComponent("manifest.arc"))
        try files.copyItem(
          at: inside.appendingPathComponent("part-00000.arc"), to: outside.appendingPathComponent("a.arc"))
        let before = try files.contentsOfDirectory(atPath: outside.path).sorted()
        let link = inside.appendingPathComponent(name)
        try files.removeItem(at: link)
        try files.createSymbolicLink(at: link, withDestinationURL: folder.appendingPathComponent(target))
        XCTAssertThrowsError(try ShardedArchive.writeManifest(in: inside), "\(name) to \(target)") {
          let code = ($0 as? ArchiveError)?.code
          XCTAssertEqual(code, target == "else/none.arc" ? .fileSystem : .wrongShard, "\($0)")
        }
        XCTAssertEqual(try Data(contentsOf: outside.appendingPathComponent("manifest.arc")), foreign)
        XCTAssertEqual(try files.contentsOfDirectory(atPath: outside.path).sorted(), before)
      }
    }
  }

  func testManifestIsWrittenThroughSymbolicLinkInsideFolder() throws {
    try withTemporaryFolder { folder in
      try write(in: folder)
      let (manifests, link) = (folder.appendingPathComponent("_own"), folder.appendingPathComponent("_arc"))
      try FileManager.default.moveItem(at: link, to: manifests)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: manifests)
      try ShardedArchive.writeManifest(
        in: folder, of: ["part-00000.arc", "country=de/part-00000.arc"], id: dataSet)
      try ShardedArchive(contentsOf: folder).verify()
    }
  }

  func testOpeningAShardClosesLeastRecentlyUsedShard() throws {
    try withTemporaryFolder { folder in
      for number in 0..<3 {
        try Archiver(metadata: ShardedArchive.metadata(ofShard: number, of: 3, in: dataSet))
          .write([Client()], to: folder.appendingPathComponent("\(number).arc"))
      }
      try ShardedArchive.writeManifest(in: folder)
      let set = try ShardedArchive(contentsOf: folder, maximumOpenCount: 2)
      let first = try set.session(ofShard: 0)
      let second = try set.session(ofShard: 1)
      XCTAssertTrue(try set.session(ofShard: 0) === first)
      _ = try set.session(ofShard: 2)
      XCTAssertTrue(try set.session(ofShard: 0) === first)
      XCTAssertFalse(try set.session(ofShard: 1) === second)
    }
  }

  func testShardsThatContradictTheManifestAreRefused() throws {
    try withTemporaryFolder { folder in
      assertThrows(.fileSystem) { try ShardedArchive.writeManifest(in: folder, of: ["none.arc"]) }
      assertThrows(.wrongShard) { try ShardedArchive.writeManifest(in: folder, of: ["../none.arc"]) }
      try writeManifest(["a.arc"], in: folder, rows: 2)
      let set = try ShardedArchive(contentsOf: folder)
      try Archiver(metadata: ["arc.id": set.shards[0].id.uuidString])
        .write(Client(), to: folder.appendingPathComponent("a.arc"))
      // The shard has another size than the manifest states.
      assertThrows(.wrongShard) { try set.session(ofShard: 0) }
      assertThrows(.danglingReference) { try set.session(ofShard: 1) }
      assertThrows(.danglingReference) { try set.session(ofShard: -1) }
    }
  }
}
