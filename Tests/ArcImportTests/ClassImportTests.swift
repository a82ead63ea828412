import Arc
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

/// Keyed archives read as objects of the program's classes.
final class ClassImportTests: XCTestCase {
  private typealias UID = KeyedUID
  private let importer = ArchiveImporter(classes: ClassTable())

  private func name(_ names: String...) -> [String: Any] {
    ["$classname": names[0], "$classes": names + ["NSObject"]]
  }

  func testTreeWithOldKeysAndNamesIsImported() throws {
    let bytes = KeyedSamples.archive([
      "$null",
      ["$class": UID(6), "NS.name": UID(4), "NS.kids": UID(3), "parent": UID(0), "weight": 2, "level": 3],
      [
        "$class": UID(7), "name": UID(5), "children": UID(0), "parent": UID(1), "weight": 0.5,
        "colour": UID(9),
      ],
      ["$class": UID(8), "NS.objects": [UID(2), UID(2)]], "root", "leaf",
      name("MyApp.ImportedNode"), name("_TtC5MyApp12ImportedLeaf", "_TtC5MyApp12ImportedNode"),
      name("NSArray"),
      "green",
    ])
    let classes = ClassTable()
    try classes.register(ImportedLeaf.self)
    let root = try ArchiveImporter(classes: classes).unarchive(ImportedNode.self, from: bytes)
    XCTAssertEqual([root.name, "\(root.weight)", "\(root.level)"], ["root", "2.0", "3"])
    XCTAssertEqual(root.children.count, 2)
    XCTAssertTrue(root.children[0] === root.children[1])
    let leaf = try XCTUnwrap(root.children[0] as? ImportedLeaf)
    XCTAssertEqual([leaf.name, leaf.colour], ["leaf", "green"])
    XCTAssertEqual(leaf.weight, 0.5)
    XCTAssertTrue(leaf.parent === root)
    XCTAssertEqual(leaf.children.count, 0)
  }

  func testRegisteredFormerNameIdentifiesItsClass() throws {
    let bytes = KeyedSamples.archive(["$null", ["$class": UID(2), "name": "x"], name("OLDThing")])
    assertThrows(.unknownClass) { try importer.unarchive(ImportedNode.self, from: bytes) }
    let classes = ClassTable()
    try classes.register(ImportedNode.self, formerly: "OLDThing")
    XCTAssertEqual(try ArchiveImporter(classes: classes).unarchive(ImportedNode.self, from: bytes).name, "x")
  }

  func testImportedCollectionsAndValuesGetPropertyTypes() throws {
    let bytes = KeyedSamples.archive([
      "$null",
      [
        "$class": UID(20), "matrix": UID(2), "tags": UID(5), "byName": UID(6), "maybe": UID(7),
        "when": UID(10),
        "id": UID(11), "site": UID(12), "blob": UID(13), "price": 12, "numbers": UID(14),
      ],
      ["$class": UID(21), "NS.objects": [UID(3), UID(3), UID(4)]],
      ["$class": UID(21), "NS.objects": [1, 2]],
      ["$class": UID(21), "NS.objects": [Any]()], ["$class": UID(22), "NS.objects": ["a", "b"]],
      ["$class": UID(23), "NS.keys": ["one", "two"], "NS.objects": [UID(8), UID(8)]],
      ["$class": UID(21), "NS.objects": [UID(8), UID(9)]], ["$class": UID(24), "name": "node"],
      ["$class": UID(25)],
      ["$class": UID(26), "NS.time": 1000], ["$class": UID(27), "NS.uuidbytes": [UInt8](0..<16)],
      ["$class": UID(28), "NS.base": UID(0), "NS.relative": "http://example.org/"],
      ["$class": UID(29), "NS.data": [1, 2, 3] as [UInt8]],
      ["$class": UID(21), "NS.objects": [1, 2.5]], "", "", "", "", "",
      name("ImportedBag"), name("NSMutableArray", "NSArray"), name("NSSet"), name("NSDictionary"),
      name("ImportedNode"), name("NSNull"), name("NSDate"), name("NSUUID"), name("NSURL"),
      name("NSMutableData", "NSData"),
    ])
    let bag = try importer.unarchive(ImportedBag.self, from: bytes)
    XCTAssertEqual(bag.matrix, [[1, 2], [1, 2], []])
    XCTAssertEqual(bag.tags, ["a", "b"])
    XCTAssertTrue(bag.byName["one"] === bag.byName["two"])
    XCTAssertTrue(bag.maybe.count == 2 && bag.maybe[0] === bag.byName["one"] && bag.maybe[1] == nil)
    XCTAssertEqual(bag.when, Date(timeIntervalSinceReferenceDate: 1000))
    XCTAssertEqual(bag.id, UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    XCTAssertEqual(bag.site?.absoluteString, "http://example.org/")
    XCTAssertEqual(bag.blob, Data([1, 2, 3]))
    XCTAssertEqual(bag.price, 12)
    XCTAssertEqual(bag.numbers, [1, 2.5])
  }

  func testReferencedObjectsOfLetPropertiesAreBuiltFirst() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(3), "title": "a", "next": UID(2)],
      ["$class": UID(3), "title": "b", "next": UID(0)],
      name("ImportedFixed"),
    ])
    XCTAssertEqual(try importer.unarchive(ImportedFixed.self, from: bytes).next?.title, "b")
    let cycle = KeyedSamples.archive([
      "$null", ["$class": UID(3), "title": "a", "next": UID(2)],
      ["$class": UID(3), "title": "b", "next": UID(1)],
      name("ImportedFixed"),
    ])
    assertThrows(.constructionCycle) { try importer.unarchive(ImportedFixed.self, from: cycle) }
  }

  func testErrorForUnsuitableValueNamesItsKey() throws {
    let large = KeyedSamples.archive(["$null", ["$class": UID(2), "level": 300], name("ImportedNode")])
    assertThrows(.valueOutOfRange, "key 'level'") { try importer.unarchive(ImportedNode.self, from: large) }
    let text = KeyedSamples.archive(["$null", ["$class": UID(2), "level": "three"], name("ImportedNode")])
    assertThrows(.typeMismatch, "'level'") { try importer.unarchive(ImportedNode.self, from: text) }
    let mixed = KeyedSamples.archive([
      "$null", ["$class": UID(3), "level": 1, "children": UID(4)], ["$class": UID(3), "level": "x"],
      name("ImportedNode"), ["$class": UID(5), "NS.objects": [UID(2)]], name("NSArray"),
    ])
    XCTAssertThrowsError(try importer.unarchive(ImportedNode.self, from: mixed)) { error in
      let error = error as? ImportError
      XCTAssertEqual(error?.code, .typeMismatch, "\(String(describing: error))")
      XCTAssertEqual(error?.key, "level")
      XCTAssertNotNil(error?.objectUID)
    }
    let other = KeyedSamples.archive([
      "$null", ["$class": UID(2), "children": UID(3)], name("ImportedNode"),
      ["$class": UID(4), "NS.objects": [UID(5)]], name("NSArray"), ["$class": UID(6)], name("ImportedBag"),
    ])
    let classes = ClassTable()
    try classes.register(ImportedBag.self)
    assertThrows(.wrongClass) {
      try ArchiveImporter(classes: classes).unarchive(ImportedNode.self, from: other)
    }
    let wide = KeyedSamples.archive([
      "$null", ["$class": UID(2), "weight": (1 << 53) + 1], name("ImportedNode"),
    ])
    assertThrows(.valueOutOfRange, "'weight'") { try importer.unarchive(ImportedNode.self, from: wide) }
  }

  func testDuplicateElementsOfASetAreRefused() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(5), "tags": UID(2)], ["$class": UID(6), "NS.objects": [UID(3), UID(4)]],
      ["$class": UID(7), "NS.string": "a"], ["$class": UID(7), "NS.string": "a"], name("ImportedBag"),
      name("NSSet"),
      name("NSMutableString", "NSString"),
    ])
    assertThrows(.duplicateKey) { try importer.unarchive(ImportedBag.self, from: bytes) }
    XCTAssertNoThrow(try importer.archive(fromPropertyList: bytes))
  }

  func testObjectOfUnknownClassCanBeOmitted() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(3), "name": "a", "children": UID(2)],
      ["$class": UID(4), "NS.objects": [UID(5), UID(6)]],
      name("ImportedNode"), name("NSArray"), ["$class": UID(3), "name": "b"], ["$class": UID(7)],
      name("Gone"),
    ])
    let tolerant = ArchiveImporter(classes: ClassTable(), unknownContent: .leaveOut)
    let node = try tolerant.unarchive(ImportedNode.self, from: bytes)
    XCTAssertEqual(node.children.map(\.name), ["b"])
  }

  func testRootIsFoundByNameOrIfUnique() throws {
    let objects: [Any] = [
      "$null", ["$class": UID(3), "name": "a"], ["$class": UID(3), "name": "b"], name("ImportedNode"),
    ]
    let one = KeyedSamples.archive(objects, top: ["document": UID(1)])
    XCTAssertEqual(try importer.unarchive(ImportedNode.self, from: one).name, "a")
    let two = KeyedSamples.archive(objects, top: ["first": UID(1), "second": UID(2)])
    XCTAssertEqual(try importer.unarchive(ImportedNode.self, from: two, root: "second").name, "b")
    XCTAssertThrowsError(try importer.unarchive(ImportedNode.self, from: two)) { error in
      XCTAssertEqual((error as? ImportError)?.code, .missingRoot)
    }
  }

  func testNestedListsAreNotExpandedBeyondTheLimit() throws {
    let wide = (0..<300).map { _ in UID(2) }
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(4), "matrix": UID(3)],
      ["$class": UID(5), "NS.objects": [Int](repeating: 1, count: 300)],
      ["$class": UID(5), "NS.objects": wide], name("ImportedBag"), name("NSArray"),
    ])
    var limits = ArchiveLimits.untrusted
    limits.elements = 50_000
    XCTAssertEqual(
      assertThrows(ImportError.self) {
        try ArchiveImporter(limits: limits).unarchive(ImportedBag.self, from: bytes)
      }?.code, .limitExceeded)
    XCTAssertEqual(try importer.unarchive(ImportedBag.self, from: bytes).matrix.count, 300)
  }

  func testImportErrorsNameTheFile() throws {
    let folder = try temporaryFolder()
    let url = folder.appendingPathComponent("old.plist")
    try Data(KeyedSamples.archive(["$null", ["$class": UID(2), "name": "x"], name("ImportedNode")])).write(
      to: url)
    XCTAssertEqual(try importer.read(ImportedNode.self, from: url).name, "x")
    try Data("text".utf8).write(to: url)
    XCTAssertThrowsError(try importer.read(ImportedNode.self, from: url)) { error in
      XCTAssertTrue("\(error)".contains("file '\(url.path)'"), "\(error)")
    }
    let missing = folder.appendingPathComponent("none.plist")
    assertThrows(.fileSystem) { try importer.read(ImportedNode.self, from: missing) }
  }

  func testArchiveImportedWithoutClassesContainsAllProperties() throws {
    let bytes = KeyedSamples.archive(["$null", ["$class": UID(2), "name": "x"], name("Unknown")])
    let (_, report) = try importer.archive(fromPropertyList: bytes)
    XCTAssertEqual(report.classes.map(\.name), ["Unknown"])
    XCTAssertEqual(report.classes[0].columns.map(\.key), ["name"])
  }
}
