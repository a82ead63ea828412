import Arc
import ArcFoundation
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

@Archivable final class ImportedAnything {
  @Boxed var info: [String: Any] = [:]
  @Boxed var list: [Any] = []
  @Boxed var value: Any?
  init() {}
}

@Archivable final class ImportedNumbers {
  var real: Double?
  var number: Int?
  var flag: Bool?
  var decimal: Decimal?
  var name = ""
  init() {}
}

/// Arrays, dictionaries and single values in properties of type `Any`.
final class ValueOfAnyImportTests: XCTestCase {
  private typealias UID = KeyedUID
  private let importer = ArchiveImporter(classes: ClassTable(), limits: .untrusted)

  private func read(_ objects: Any...) throws -> ImportedAnything {
    let name = KeyedSamples.classDescription("ImportedAnything")
    let classes = ["NSArray", "NSDictionary", "NSNull", "NSSet", "NSMutableString"].map {
      KeyedSamples.classDescription($0)
    }
    return try importer.unarchive(
      ImportedAnything.self,
      from: KeyedSamples.archive(["$null", objects[0], name] + classes + objects.dropFirst()))
  }

  /// The UIDs of the classes in the archives of `read`.
  private enum Class { static let (holder, array, dictionary, null, set, string) = (2, 3, 4, 5, 6, 7) }

  private func list(_ elements: Any...) -> [String: Any] {
    ["$class": UID(Class.array), "NS.objects": elements]
  }

  func testNestedCollectionsAreReadWithTheirTypes() throws {
    let root = try read(
      ["$class": UID(Class.holder), "info": UID(8), "list": UID(9), "value": UID(12)],
      [
        "$class": UID(Class.dictionary), "NS.keys": ["name", "list", "inner", "none", "on"],
        "NS.objects": [UID(11), UID(9), UID(10), UID(13), true],
      ],
      list(1, 2.5, true, "text", UID(11), UID(13), UID(14), UID(10)),
      ["$class": UID(Class.dictionary), "NS.keys": [1, "b"], "NS.objects": [UID(14), "x"]],
      ["$class": UID(Class.string), "NS.string": "shared"],
      list(UID(15), UID(15)), ["$class": UID(Class.null)], list(),
      ["$class": UID(Class.set), "NS.objects": [1, "a"]])
    XCTAssertEqual(root.info.count, 5)
    XCTAssertEqual(root.info["name"] as? String, "shared")
    XCTAssertEqual(root.info["on"] as? Bool, true)
    XCTAssertTrue(root.info["none"] is NSNull)
    XCTAssertEqual(
      root.list.map { "\(type(of: $0))" },
      [
        "Int", "Double", "Bool", "String", "String", "NSNull", "Array<Any>", "Dictionary<AnyHashable, Any>",
      ])
    XCTAssertEqual((root.info["list"] as? [Any])?.count, 8)
    let inner = try XCTUnwrap(root.info["inner"] as? [AnyHashable: Any])
    XCTAssertEqual(inner["b"] as? String, "x")
    XCTAssertEqual((inner[1] as? [Any])?.count, 0)
    let sets = try XCTUnwrap(root.value as? [Any])
    XCTAssertEqual(sets.first as? Set<AnyHashable>, [1, "a"])
  }

  func testObjectsInCollectionsOfAnyStayShared() throws {
    let root = try read(
      ["$class": UID(Class.holder), "list": UID(8), "value": UID(9)], list(UID(9), UID(9)),
      ["$class": UID(Class.holder), "value": "inner"])
    let first = try XCTUnwrap(root.list.first as? ImportedAnything)
    XCTAssertTrue(first === root.list[1] as? ImportedAnything && first === root.value as? ImportedAnything)
    XCTAssertEqual(first.value as? String, "inner")
  }

  func testSingleValuesAreReadWithTheirTypes() throws {
    let contents: [(Any, String)] = [
      (1, "Int"), (Int.min, "Int"), (1.5, "Double"), (false, "Bool"), ("t", "String"),
      ([1, 2] as [UInt8], "Data"),
    ]
    for (content, name) in contents {
      let root = try read(["$class": UID(Class.holder), "value": content])
      XCTAssertEqual(root.value.map { "\(type(of: $0))" }, name)
    }
    XCTAssertNil(try read(["$class": UID(Class.holder), "value": UID(8)], ["$class": UID(Class.null)]).value)
    XCTAssertNil(try read(["$class": UID(Class.holder), "value": UID(0)]).value)
    XCTAssertNil(try read(["$class": UID(Class.holder)]).value)
  }

  func testNestedReferencesDoNotMultiplyCollections() throws {
    // Each of 60 lists contains the next list twice.
    let levels = (0..<60).map { list(UID($0 + 9), UID($0 + 9)) } + [list()]
    var objects: [Any] = [["$class": UID(Class.holder), "value": UID(8)]]
    objects += levels as [Any]
    let name = KeyedSamples.classDescription("ImportedAnything")
    let classes = ["NSArray", "NSDictionary", "NSNull", "NSSet", "NSMutableString"].map {
      KeyedSamples.classDescription($0)
    }
    let bytes = KeyedSamples.archive(["$null", objects[0], name] + classes + objects.dropFirst())
    var limits = ArchiveLimits.untrusted
    limits.nesting = 100
    let importer = ArchiveImporter(classes: ClassTable(), limits: limits)
    XCTAssertEqual((try importer.unarchive(ImportedAnything.self, from: bytes).value as? [Any])?.count, 2)
    limits.nesting = 50
    let refused = ArchiveImporter(classes: ClassTable(), limits: limits)
    let error = assertThrows(ImportError.self) { try refused.unarchive(ImportedAnything.self, from: bytes) }
    XCTAssertEqual(error?.code, .limitExceeded)
  }

  func testListThatContainsItselfIsRefused() throws {
    assertThrows(ArchiveError.self) {
      try read(["$class": UID(Class.holder), "value": UID(8)], list(UID(8)))
    }
  }

  func testNumbersUnderOneKeyTakeTheDeclaredType() throws {
    func numbers(_ key: String, _ values: Any...) throws -> [ImportedNumbers] {
      let objects: [Any] = values.map { ["$class": UID(3), key: $0] as [String: Any] }
      let bytes = KeyedSamples.archive(
        [
          "$null", ["$class": UID(2), "NS.objects": values.indices.map { UID($0 + 4) }],
          KeyedSamples.classDescription("NSArray"), KeyedSamples.classDescription("ImportedNumbers"),
        ] + objects)
      return try importer.unarchive([ImportedNumbers].self, from: bytes)
    }
    XCTAssertEqual(try numbers("real", 1, 2.5, true, UID(0)).map(\.real), [1, 2.5, 1, nil])
    XCTAssertEqual(try numbers("number", 1, 2.0, true).map(\.number), [1, 2, 1])
    XCTAssertEqual(try numbers("flag", 1, false, 0.0).map(\.flag), [true, false, false])
    XCTAssertEqual(try numbers("decimal", 1, 2.5, -7).map(\.decimal), [1, 2.5, -7])
    XCTAssertEqual(try numbers("number", Int.max, 2.0).map(\.number), [.max, 2])
    assertThrows(.valueOutOfRange, "2.5") { try numbers("number", 1, 2.5) }
    assertThrows(.valueOutOfRange) { try numbers("flag", 2, true) }
    let error = assertThrows(ImportError.self) { try numbers("number", 1, "x") }
    XCTAssertEqual(error?.code, .typeMismatch)
  }

  func testSharedMutableStringIsAStringUnderEachKey() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(2), "NS.objects": [UID(4), UID(5)]], KeyedSamples.classDescription("NSArray"),
      KeyedSamples.classDescription("NSMutableString", "NSString"), ["$class": UID(6), "name": UID(7)],
      ["$class": UID(6), "name": UID(7)], KeyedSamples.classDescription("ImportedNumbers"),
      ["$class": UID(3), "NS.string": "both"],
    ])
    XCTAssertEqual(try importer.unarchive([ImportedNumbers].self, from: bytes).map(\.name), ["both", "both"])
  }
}
