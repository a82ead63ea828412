import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Invariants that no migration can break.
final class MigrationLimitTests: XCTestCase {
  func testUnownedTargetWithoutOwnerIsRefusedAfterConstruction() throws {
    let target = ArchiveBuilder.Property("target", type: ObjectID.self)
    for isKept in [true, false] {
      let builder = try ArchiveBuilder(roots: [.init("root", type: [ObjectID].self)])
      try builder.addClass("Target", properties: [])
      try builder.addClass("Holder", properties: [target])
      let holder = try builder.reserveObject(ofClass: "Holder")
      let kept = try builder.reserveObject(ofClass: "Target")
      try builder.setRoots(["root": isKept ? [holder, kept] : [holder]])
      try builder.setValues(["target": kept] as [ArchiveBuilder.Key: any ColumnValue], of: holder)
      try builder.setValues([:] as [ArchiveBuilder.Key: any ColumnValue], of: kept)
      let bytes = try builder.finish()
      let classes = try ClassTable(declaring: Changed.Target.self, Changed.Holder.self)
      let unarchiver = Unarchiver(classes: classes, limits: .untrusted)
      if isKept {
        XCTAssertEqual(try unarchiver.unarchive([Changed.Base].self, from: bytes).count, 2)
      } else {
        assertThrows(.unownedTarget, "class 'Holder', key 'target'") {
          try unarchiver.unarchive([Changed.Base].self, from: bytes)
        }
      }
    }
  }

  func testMigrationMayCopyContentsBetweenObjects() throws {
    let parts = [Old.Part("a"), Old.Part("b"), Old.Part("c")]
    parts[0].other = parts[1]
    parts[2].wide = Old.Wide()
    let classes = try ClassTable(declaring: Changed.Wide.self, Changed.Part.self)
    let copy = try reread(parts, as: [Changed.Base].self, classes: classes)
    XCTAssertEqual(copy.compactMap { ($0 as? Changed.Part)?.name }, ["b", "b"])
    XCTAssertEqual((copy.last as? Changed.Wide)?.values, [1, 2, 3])
    XCTAssertFalse(copy[0] === copy[1])
  }

  func testMigrationCanSplitOneObjectIntoTwo() throws {
    let nodes = (0..<100).map { Old.Node("\($0)") }
    let copy = try reread(nodes, as: [Changed.Node].self)
    XCTAssertEqual(copy.map(\.name), (0..<100).map { "\($0)" })
    XCTAssertEqual(copy.map { $0.next?.name }, (0..<100).map { "tail of \($0)" })
  }

  func testKeysInDifferentUnicodeFormsStayDistinct() throws {
    let copy = try reread([Old.Accent("e\u{301}", 1), Old.Accent("\u{e9}", 2)], as: [Changed.Accent].self)
    XCTAssertEqual(copy.map(\.values), [[1, nil], [nil, 2]])
  }

  func testMergedObjectsAppearOnceInSetsAndKeys() throws {
    let parts = [Old.Part("a"), Old.Part("b"), Old.Part("b")]
    let bag = Old.Bag(Set(parts), [parts[0]: 0, parts[1]: 1, parts[2]: 1])
    let copy = try reread(bag, as: Changed.Bag.self)
    XCTAssertEqual(copy.parts.map(\.name).sorted(), ["a", "b"])
    XCTAssertEqual(copy.numbers.count, 2)
    for (part, number) in copy.numbers {
      XCTAssertTrue(copy.parts.contains(part))
      XCTAssertEqual(number, part.name == "a" ? 0 : 1)
    }
  }

  func testMergedKeysWithDifferentValuesAreRefused() throws {
    let parts = [Old.Part("a"), Old.Part("b"), Old.Part("b")]
    let bag = Old.Bag(Set(parts), [parts[0]: 0, parts[1]: 1, parts[2]: 2])
    assertThrows(
      .duplicateKey, "found two keys that replaceObject(_:with:) made equal, with different values"
    ) {
      try reread(bag, as: Changed.Bag.self)
    }
  }

  func testUnreachedClassesAreNotMigrated() throws {
    let keeper = Old.Keeper()
    keeper.secret = Old.Secret()
    let bytes = try Archiver().archive(roots: ["keeper": keeper, "secret": Old.Secret()])
    let classes = try ClassTable(declaring: Changed.Secret.self)
    let copy = try Unarchiver(classes: classes).unarchive(Changed.Keeper.self, from: bytes, root: "keeper")
    XCTAssertEqual(copy.name, "keeper")
    assertThrows(.migrationFailed, "when class 'Secret' migrated") {
      try Unarchiver(classes: classes).unarchive(Changed.Secret.self, from: bytes, root: "secret")
    }
  }

  func testObjectWithManyReferencesMigratesInLinearTime() throws {
    let count = RandomTrials.size(usually: 10_000, exhaustively: 200_000)
    let wide = Old.Family((0..<count).map { Old.Child("\($0)") })
    let copy = try reread(wide, as: Changed.Family.self)
    XCTAssertEqual(copy.children.count, count)
    XCTAssertEqual(copy.children.last?.name?.text, "\(count - 1)")
  }

  func testReplacingANonexistentObjectIsRefused() throws {
    for (mode, text) in [("far", "#4000"), ("nothing", "#0"), ("gone", "#99999")] {
      assertThrows(
        .migrationFailed, "found the object number \(text), which no object has, when class 'Picky'"
      ) {
        try reread(Old.Picky(mode), as: Changed.Picky.self)
      }
    }
    let same = try reread(Old.Picky("self"), as: Changed.Picky.self)
    XCTAssertEqual(same.mode, "self")
  }

  func testSettingUnknownKeysOrMistypedValuesIsRefused() throws {
    for (mode, text) in [
      ("typo", "found a value without a property for the key 'mood', when class 'Picky' migrated"),
      ("typo", "expected a value for a key of a property of class 'Picky'"),
      (
        "added",
        "found a boolean for the key 'name' of an added object of class 'Part', when class 'Picky' migrated"
      ),
    ] {
      assertThrows(.migrationFailed, text) {
        let classes = try ClassTable(declaring: Changed.Part.self)
        _ = try reread(Old.Picky(mode), as: Changed.Picky.self, classes: classes)
      }
    }
  }

  func testMigrationGraphIsInvalidAfterMigrateReturns() throws {
    Changed.Picky.kept = nil
    _ = try reread(Old.Picky("keep"), as: Changed.Picky.self)
    let graph = try XCTUnwrap(Changed.Picky.kept)
    assertThrows(.invalidUse, "after migrate(_:from:) returned") { try graph.object(ObjectID(rawValue: 1)) }
    Changed.Picky.kept = nil
  }

  func testCancellationDuringMigrationIsNotReportedAsFailure() throws {
    assertThrows(CancellationError.self) { try reread(Old.Picky("cancel"), as: Changed.Picky.self) }
  }
}

private enum Old {
  @Archivable("Part") final class Part: HashedByIdentity {
    var name: String
    var other: Part?
    var wide: Wide?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Bag") final class Bag {
    var parts: Set<Part>
    var numbers: [Part: Int]
    init(_ parts: Set<Part>, _ numbers: [Part: Int]) { (self.parts, self.numbers) = (parts, numbers) }
  }
  @Archivable("Wide") final class Wide { var a = 1, b = 2, c = 3, d = 4, e = 5 }

  @Archivable("Node") final class Node {
    var title: String
    init(_ title: String) { self.title = title }
  }

  final class Accent: HandWrittenClass {
    let key: String
    let value: Int
    init(_ key: String, _ value: Int) { (self.key, self.value) = (key, value) }
    static var archiveSchema: ClassSchema { ClassSchema(Accent.self, name: "Accent") }
    init(from decoder: borrowing ObjectDecoder) throws { (key, value) = ("", 0) }
    func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(value, forKey: key) }
  }

  @Archivable("Secret") final class Secret { var word = "x" }
  @Archivable("Keeper") final class Keeper {
    var name = "keeper"
    var secret: Secret?
  }

  @Archivable("Name") final class Name {
    var text: String
    init(_ text: String) { self.text = text }
  }
  @Archivable("Child") final class Child {
    var name: Name?
    init(_ name: String) { self.name = Name(name) }
  }
  @Archivable("Family") final class Family {
    var children: [Child]
    init(_ children: [Child]) { self.children = children }
  }

  @Archivable("Picky") final class Picky {
    var mode: String
    init(_ mode: String) { self.mode = mode }
  }
}

private enum Changed {
  @Archivable("Base") class Base {}
  @Archivable("Target") final class Target: Base {}
  @Archivable("Holder") final class Holder: Base {
    unowned var target: Target
    init(_ target: Target) {
      self.target = target
      super.init()
    }
  }

  @Archivable("Part") final class Part: Base {
    static let archiveVersion = 1
    var name = ""
    static func migrate(_ part: inout MigratedObject, from version: Int) throws {
      if let id = part["other"]?.objectID ?? part["wide"]?.objectID { part = try part.graph.object(id) }
      if part.className == "Wide" {
        part["values"] = ["a", "b", "c"].reduce([]) { .array(($0.elements ?? []) + [part[$1] ?? 0]) }
      }
    }
  }
  @Archivable("Wide") final class Wide: Base { var values: [Int] = [] }

  @Archivable("Part") final class BagPart: HashedByIdentity {
    static let archiveVersion = 1
    let name: String
    init() { name = "" }
    static func migrate(_ part: inout MigratedObject, from version: Int) throws {
      // The first object with a name replaces all objects with this name.
      for row in 1..<part.id.rawValue {
        let other = try part.graph.object(ObjectID(rawValue: row))
        if other.className == "Part", other["name"] == part["name"] {
          return try part.graph.replaceObject(part.id, with: other.id)
        }
      }
    }
  }
  @Archivable("Bag") final class Bag {
    var parts: Set<BagPart> = []
    var numbers: [BagPart: Int] = [:]
  }

  @Archivable("Node") final class Node {
    static let archiveVersion = 1
    let name: String
    let next: Node?
    init() { (name, next) = ("", nil) }
    static func migrate(_ node: inout MigratedObject, from version: Int) throws {
      let title = node["title"]?.string ?? ""
      node["title"] = nil
      node["name"] = .string(title)
      node["next"] = .reference(
        node.graph.addObject(ofClass: "Node", ["name": .string("tail of \(title)"), "next": .reference(nil)]))
    }
  }

  final class Accent: HandWrittenClass {
    let values: [Int?]
    static var archiveSchema: ClassSchema {
      ClassSchema(Accent.self, name: "Accent", version: 1) { _, _ in }
    }
    init(from decoder: borrowing ObjectDecoder) throws {
      values = [
        try decoder.decodeIfPresent(Int.self, forKey: "e\u{301}"),
        try decoder.decodeIfPresent(Int.self, forKey: "\u{e9}"),
      ]
    }
  }

  @Archivable("Secret") final class Secret {
    static let archiveVersion = 1
    static func migrate(_ secret: inout MigratedObject, from version: Int) throws {
      throw ArchiveError(.valueOutOfRange, found: "a secret")
    }
  }
  @Archivable("Keeper") final class Keeper { var name = "" }

  @Archivable("Name") final class Name { var text = "" }
  @Archivable("Child") final class Child {
    let name: Name?
    init() { name = nil }
  }
  @Archivable("Family") final class Family {
    let children: [Child]
    init() { children = [] }
  }

  @Archivable("Picky") final class Picky {
    static let archiveVersion = 1
    nonisolated(unsafe) static var kept: MigratedGraph?
    var mode = ""
    static func migrate(_ picky: inout MigratedObject, from version: Int) throws {
      let graph = picky.graph
      switch picky["mode"] {
      case "far": try graph.replaceObject(picky.id, with: ObjectID(rawValue: 4000))
      case "nothing": try graph.replaceObject(ObjectID(rawValue: 0), with: picky.id)
      case "gone": try graph.removeObject(ObjectID(rawValue: 99999))
      case "self": try graph.replaceObject(picky.id, with: picky.id)
      case "keep": kept = graph
      case "typo": picky["mood"] = "good"
      case "added": _ = graph.addObject(ofClass: "Part", ["name": true])
      case "cancel": throw CancellationError()
      default: break
      }
    }
  }
}
