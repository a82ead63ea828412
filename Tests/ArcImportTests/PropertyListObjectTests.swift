import Arc
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

@Archivable struct ListedSize: Equatable {
  var width = 0.0
  var height = 0.0
  var unit = "cm"
}

@Archivable final class ListedItem {
  let title: String
  var size: ListedSize?
  var parent: ListedItem?
  init(_ title: String) { self.title = title }
}

@Archivable final class ListedSettings {
  @Key("name", "CFBundleName") var name = ""
  var count = 5
  var ratio: Double?
  var when: Date?
  var blob: Data?
  var tags: [String] = []
  var sizes: [String: ListedSize] = [:]
  var first: ListedItem?
  var items: [ListedItem] = []
  var byName: [String: ListedItem] = [:]
  @Boxed var extra: [String: Any] = [:]
  init() {}
}

/// Property lists without objects, read as objects of classes, and several roots in one reading.
final class PropertyListObjectTests: XCTestCase {
  private typealias UID = KeyedUID
  private let importer = ArchiveImporter(classes: ClassTable(), limits: .untrusted)

  private static var item: [String: Any] {
    [
      "title": "a", "size": ["width": 2, "height": 1.5] as [String: Any],
    ]
  }
  private static var settings: [String: Any] {
    [
      "CFBundleName": "Arc", "ratio": 2, "when": Date(timeIntervalSinceReferenceDate: 4), "blob": Data([1]),
      "tags": ["x", "y"], "sizes": ["s": ["width": 1, "height": 2, "unit": "mm"] as [String: Any]],
      "first": item, "items": [item, ["title": "b", "parent": ["title": "c"]] as [String: Any]],
      "byName": ["k": item], "extra": ["n": 1, "l": [1, "two"] as [Any], "d": ["e": true]] as [String: Any],
    ]
  }

  func testDictionaryIsReadAsAnObjectInEachFormat() throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: Self.settings, format: format, options: 0)
      let root = try importer.unarchive(ListedSettings.self, from: data)
      XCTAssertEqual([root.name, "\(root.count)", "\(root.ratio ?? 0)"], ["Arc", "5", "2.0"])
      XCTAssertEqual(root.when, Date(timeIntervalSinceReferenceDate: 4))
      XCTAssertEqual(root.blob, Data([1]))
      XCTAssertEqual(root.tags, ["x", "y"])
      XCTAssertEqual(root.sizes, ["s": ListedSize(width: 1, height: 2, unit: "mm")])
      XCTAssertEqual(root.first?.size, ListedSize(width: 2, height: 1.5, unit: "cm"))
      XCTAssertEqual(root.items.map(\.title), ["a", "b"])
      XCTAssertEqual(root.items[1].parent?.title, "c")
      XCTAssertEqual(root.byName["k"]?.title, "a")
      XCTAssertEqual(root.extra["n"] as? Int, 1)
      XCTAssertEqual((root.extra["l"] as? [Any])?.last as? String, "two")
      XCTAssertEqual((root.extra["d"] as? [String: Any])?["e"] as? Bool, true)
      let list = try PropertyListSerialization.data(
        fromPropertyList: [Self.item, Self.item], format: format, options: 0)
      XCTAssertEqual(try importer.unarchive([ListedItem].self, from: list).map(\.title), ["a", "a"])
    }
  }

  func testStringsOfAnOpenStepListAreReadAsNumbers() throws {
    let text = """
      // !$*UTF8*$!
      { CFBundleName = Arc; count = 7; ratio = "2.5"; blob = <0102>; tags = (a, "b c");
        sizes = { s = { width = 1; height = 0x10; }; };
        items = ({ title = one; parent = { title = up; }; }); extra = { n = 1; }; }
      """
    let root = try importer.unarchive(ListedSettings.self, from: Array(text.utf8))
    XCTAssertEqual([root.name, "\(root.count)", "\(root.ratio ?? 0)"], ["Arc", "7", "2.5"])
    XCTAssertEqual(root.blob, Data([1, 2]))
    XCTAssertEqual(root.tags, ["a", "b c"])
    XCTAssertEqual(root.sizes, ["s": ListedSize(width: 1, height: 16)])
    XCTAssertEqual(root.items.first?.parent?.title, "up")
    XCTAssertEqual(root.extra["n"] as? String, "1")
    assertThrows(.typeMismatch, "'count'") {
      try importer.unarchive(ListedSettings.self, from: Array("{ count = many; }".utf8))
    }
  }

  func testDictionaryOfAKeyedArchiveIsReadAsAnObject() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSDictionary(dictionary: Self.settings), requiringSecureCoding: false)
    let root = try importer.unarchive(ListedSettings.self, from: data)
    XCTAssertEqual([root.name, root.first?.title], ["Arc", "a"])
    XCTAssertEqual(root.items.map(\.title), ["a", "b"])
  }

  func testUnfittingDictionaryIsAnErrorThatNamesTheKey() throws {
    func data(_ list: Any) throws -> Data {
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }
    assertThrows(.typeMismatch, "'count'") {
      try importer.unarchive(ListedSettings.self, from: data(["count": "x"]))
    }
    assertThrows(.missingKey, "'title'") { try importer.unarchive(ListedItem.self, from: data(["x": 1])) }
    assertThrows(ArchiveError.self) { try importer.unarchive(ListedItem.self, from: data(["x"])) }
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(2), "NS.keys": [1], "NS.objects": [2]],
      KeyedSamples.classDescription("NSDictionary"),
    ])
    let error = assertThrows(ImportError.self) { try importer.unarchive(ListedSettings.self, from: bytes) }
    XCTAssertEqual(error?.code, .typeMismatch)
  }

  func testReportListsKeysThatNoPropertyReads() throws {
    nonisolated(unsafe) var reports: [ImportReport] = []
    var importer = importer
    importer.onReport = { unsafe reports.append($0) }
    let data = try PropertyListSerialization.data(
      fromPropertyList: [["title": "a", "color": 1], ["title": "b", "color": 2, "x": "y"]], format: .xml,
      options: 0)
    _ = try importer.unarchive([ListedItem].self, from: data)
    let unread = unsafe reports.first?.unreadKeys.sorted { $0.key < $1.key } ?? []
    XCTAssertEqual(unread.map(\.key), ["color", "x"])
    XCTAssertEqual(unread.map(\.objectCount), [2, 1])
    XCTAssertEqual(unread.map(\.className), ["ListedItem", "ListedItem"])
  }

  // MARK: Roots

  private let severalRoots = KeyedSamples.archive(
    [
      "$null", ["$class": UID(3), "title": "shared"], ["$class": UID(4), "NS.objects": [UID(1), UID(5)]],
      KeyedSamples.classDescription("App.ListedItem"), KeyedSamples.classDescription("NSArray"),
      ["$class": UID(3), "title": "other", "parent": UID(1)],
    ], top: ["document": UID(1), "recent": UID(2), "version": 3, "none": UID(0)])

  func testRootsAreListedWithNamesAndClasses() throws {
    let roots = try importer.roots(of: severalRoots).sorted { $0.name < $1.name }
    XCTAssertEqual(roots.map(\.name), ["document", "none", "recent", "version"])
    XCTAssertEqual(roots.map(\.className), ["App.ListedItem", nil, "NSArray", nil])
    let url = try temporaryFolder().appendingPathComponent("a.plist")
    try Data(severalRoots).write(to: url)
    XCTAssertEqual(try importer.roots(of: url).count, 4)
    let plain = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
    XCTAssertEqual(try importer.roots(of: plain).map(\.name), ["root"])
    XCTAssertEqual(assertThrows(ImportError.self) { try importer.roots(of: [1, 2]) }?.code, .unknownFormat)
  }

  func testSeveralRootsShareTheirObjects() throws {
    let (document, recent, version) = try importer.unarchive(
      roots: .init("document", ListedItem.self), .init("recent", [ListedItem].self),
      .init("version", Int.self),
      from: severalRoots)
    XCTAssertTrue(recent[0] === document && recent[1].parent === document)
    XCTAssertEqual(version, 3)
    let url = try temporaryFolder().appendingPathComponent("a.plist")
    try Data(severalRoots).write(to: url)
    let (one, none) = try importer.read(
      roots: .init("document", ListedItem.self), .init("none", ListedItem?.self), from: url)
    XCTAssertTrue(one.title == "shared" && none == nil)
    let error = assertThrows(ImportError.self) {
      try importer.read(roots: .init("document", ListedItem.self), .init("x", Int.self), from: url)
    }
    XCTAssertEqual(error?.code, .missingRoot)
    XCTAssertTrue("\(String(describing: error))".contains("'recent'"))
  }

  // MARK: Inner archives

  func testArchiveInsideDataIsOpenedForItsDeclaredType() throws {
    let inner = KeyedSamples.archive([
      "$null", ["$class": UID(2), "title": "inner", "parent": UID(1)],
      KeyedSamples.classDescription("ListedItem"),
    ])
    let plain = Array(
      try PropertyListSerialization.data(fromPropertyList: ["title": "plain"], format: .xml, options: 0))
    let outer = KeyedSamples.archive([
      "$null", ["$class": UID(2), "first": inner, "items": UID(3), "blob": inner],
      KeyedSamples.classDescription("ListedSettings"),
      ["$class": UID(4), "NS.objects": [inner, UID(5), plain]],
      KeyedSamples.classDescription("NSArray"), ["$class": UID(6), "NS.data": inner],
      KeyedSamples.classDescription("NSMutableData", "NSData"),
    ])
    let root = try importer.unarchive(ListedSettings.self, from: outer)
    XCTAssertEqual(root.first?.title, "inner")
    XCTAssertTrue(root.first?.parent === root.first)
    XCTAssertEqual(root.items.map(\.title), ["inner", "inner", "plain"])
    XCTAssertEqual(root.blob, Data(inner))
    let broken = KeyedSamples.archive([
      "$null", ["$class": UID(2), "first": Array(inner.dropLast(3))],
      KeyedSamples.classDescription("ListedSettings"),
    ])
    let error = assertThrows(ImportError.self) { try importer.unarchive(ListedSettings.self, from: broken) }
    XCTAssertEqual(error?.key, "first")
    let text = KeyedSamples.archive([
      "$null", ["$class": UID(2), "first": [1, 2] as [UInt8]],
      KeyedSamples.classDescription("ListedSettings"),
    ])
    assertThrows(.typeMismatch, "'first'") { try importer.unarchive(ListedSettings.self, from: text) }
  }

  func testNestedArchivesAreChargedBeforeTheyAreOpened() throws {
    var bytes = KeyedSamples.archive(["$null", "x"])
    for _ in 0..<200 { bytes = KeyedSamples.archive(["$null", bytes]) }
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = 1 << 20
    let importer = ArchiveImporter(classes: ClassTable(), limits: limits)
    let error = assertThrows(ImportError.self) { try importer.unarchive([ListedItem].self, from: bytes) }
    XCTAssertEqual(error?.code, .limitExceeded)
  }

  func testIndexSetIsChargedBeforeItsIndicesExist() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(2), "NSRangeCount": 1, "NSLocation": 0, "NSLength": Int.max],
      KeyedSamples.classDescription("NSIndexSet"),
    ])
    let error = assertThrows(ImportError.self) { try importer.unarchive([Int].self, from: bytes) }
    XCTAssertEqual(error?.code, .limitExceeded)
  }
}
