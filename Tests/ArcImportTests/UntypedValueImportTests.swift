import Arc
import ArcArchive
import ArcFormat
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

@Archivable final class UntypedOther {
  var x = 0
  init() {}
}
@Archivable enum UntypedKind: String { case a, b }
@Archivable enum UntypedShape {
  case circle(Double)
  case none
}
@Archivable struct UntypedPoint: Equatable { var x = 0.0 }

@Archivable final class UntypedNote<Value: ArchivableValue> {
  var v: Value
  init(_ value: Value) { v = value }
}

/// Keys that are nil, and collections that are empty, in all objects of a class take the declared type.
final class UntypedValueImportTests: XCTestCase {
  private typealias UID = KeyedUID

  private enum Content: CaseIterable { case null, plainNull, array, set, dictionary, nulls, nestedArray }

  /// Returns an archive of one object with the key `v`, or of a root without an object.
  private func bytes(_ content: Content, asRoot: Bool = false) -> [UInt8] {
    let list = { (elements: [Any]) -> [String: Any] in ["$class": UID(5), "NS.objects": elements] }
    let value: Any =
      switch content {
      case .null: "$null"
      case .plainNull: ["$class": UID(8)] as [String: Any]
      case .array: list([])
      case .set: ["$class": UID(6), "NS.objects": [Any]()] as [String: Any]
      case .dictionary: ["$class": UID(7), "NS.keys": [Any](), "NS.objects": [Any]()] as [String: Any]
      case .nulls: list([UID(4), UID(0)])
      case .nestedArray: list([UID(9)])
      }
    return KeyedSamples.archive(
      [
        "$null", ["$class": UID(2), "v": UID(3)], KeyedSamples.classDescription("Note"), value,
        ["$class": UID(8)], KeyedSamples.classDescription("NSArray"),
        KeyedSamples.classDescription("NSSet"), KeyedSamples.classDescription("NSDictionary"),
        KeyedSamples.classDescription("NSNull"), list([]),
      ], top: ["root": UID(asRoot ? 3 : 1)])
  }

  /// Reads the value of the key `v`: as a program with classes, and in the archive that `arcdump import`
  /// writes.
  private func values<Value: ArchivableValue>(_ type: Value.Type, _ content: Content) throws -> [Value] {
    let classes = ClassTable()
    try classes.register(UntypedNote<Value>.self, formerly: "Note")
    let importer = ArchiveImporter(classes: classes)
    var values = [try importer.unarchive(UntypedNote<Value>.self, from: bytes(content)).v]
    let needsObjects = content != .null && content != .plainNull
    if needsObjects {
      values.append(try importer.unarchive(type, from: bytes(content, asRoot: true)))
    } else if content == .null {
      let (archive, _) = try importer.archive(fromPropertyList: bytes(content))
      for policy in [UnknownContentPolicy.refuse, .leaveOut, .preserve(in: PreservedContent())] {
        let unarchiver = Unarchiver(classes: classes, unknownContent: policy)
        values.append(try unarchiver.unarchive(UntypedNote<Value>.self, from: archive).v)
      }
      let set = try ArchiveFile(bytes: archive)
      XCTAssertNoThrow(try set.verify())
    }
    return values
  }

  private func assert<Value: ArchivableValue & Equatable>(
    _ expected: Value, _ contents: Content..., file: StaticString = #filePath, line: UInt = #line
  ) throws {
    for content in contents {
      for value in try values(Value.self, content) {
        XCTAssertEqual(value, expected, "\(content)", file: file, line: line)
      }
    }
  }

  func testNilEverywhereIsNilOfTheDeclaredType() throws {
    try assert(nil as String?, .null, .plainNull)
    try assert(nil as Int?, .null, .plainNull)
    try assert(nil as Double?, .null, .plainNull)
    try assert(nil as Bool?, .null, .plainNull)
    try assert(nil as Date?, .null, .plainNull)
    try assert(nil as URL?, .null, .plainNull)
    try assert(nil as Data?, .null, .plainNull)
    try assert(nil as UUID?, .null, .plainNull)
    try assert(nil as Decimal?, .null, .plainNull)
    try assert(nil as UntypedKind?, .null, .plainNull)
    try assert(nil as UntypedPoint?, .null, .plainNull)
    try assert(nil as [String]?, .null, .plainNull)
    try assert(nil as Set<Int>?, .null, .plainNull)
    try assert(nil as [String: Int]?, .null, .plainNull)
    try assert(nil as [[Int]]?, .null, .plainNull)
    try assert(nil as Range<Int>?, .null, .plainNull)
    XCTAssertNil(try values([UntypedOther]?.self, .null)[0])
    XCTAssertNil(try values([String: UntypedOther]?.self, .null)[0])
    XCTAssertEqual(try values([UntypedOther].self, .null).map(\.count), [0, 0, 0, 0])
    XCTAssertTrue(try values(UntypedShape?.self, .null).allSatisfy { $0 == nil })
    XCTAssertTrue(try values(UntypedOther?.self, .null).allSatisfy { $0 == nil })
  }

  func testEmptyCollectionEverywhereIsEmptyOfTheDeclaredType() throws {
    try assert([] as [String], .array, .set)
    try assert([] as [Int], .array, .set)
    try assert([] as [UInt8], .array)
    try assert([] as [[Int]], .array)
    try assert([[]] as [[Int]], .nestedArray)
    try assert([] as [UntypedPoint], .array)
    try assert([] as [UntypedKind], .array)
    try assert([] as [Date?], .array)
    try assert([] as [String]?, .array)
    try assert([] as Set<String>, .array, .set)
    try assert([:] as [String: Int], .dictionary)
    try assert([:] as [Date: [String]], .dictionary)
    try assert([:] as [UUID: UntypedPoint], .dictionary)
    XCTAssertTrue(try values([Date: [UntypedOther]].self, .dictionary).allSatisfy(\.isEmpty))
    XCTAssertTrue(try values([UntypedOther].self, .array).allSatisfy(\.isEmpty))
    XCTAssertTrue(try values([UntypedShape].self, .array).allSatisfy(\.isEmpty))
  }

  func testNilElementsEverywhereAreNilOfTheDeclaredType() throws {
    try assert([nil, nil] as [String?], .nulls)
    try assert([nil, nil] as [Int?], .nulls)
    try assert([nil, nil] as [[Int]?], .nulls)
    try assert([nil, nil] as [UntypedPoint?], .nulls)
    XCTAssertTrue(try values([UntypedOther?].self, .nulls).allSatisfy { $0.count == 2 && $0[0] == nil })
  }

  func testNilIsRefusedWhereTheTypeIsNotOptional() throws {
    func check<Value: ArchivableValue>(_ type: Value.Type, _ content: Content, line: UInt = #line) {
      let error = assertThrows(.valueOutOfRange, "found nil", line: line) { try values(type, content) }
      XCTAssertTrue(error?.remedy?.contains("optional") ?? false, "\(type)", line: line)
    }
    check(String.self, .null)
    check(Int.self, .null)
    check(Bool.self, .null)
    check(UntypedPoint.self, .null)
    check([String: Int].self, .null)
    check([String].self, .nulls)
    check([UntypedPoint].self, .nulls)
  }

  func testReferenceToAnObjectIsRefusedWhereTheTypeIsAValue() throws {
    let bytes = KeyedSamples.archive([
      "$null", ["$class": UID(2), "v": UID(3)], KeyedSamples.classDescription("Note"),
      ["$class": UID(4), "NS.objects": [UID(1), UID(5)]], KeyedSamples.classDescription("NSArray"),
      ["$class": UID(6)], KeyedSamples.classDescription("Other"),
    ])
    let classes = ClassTable()
    try classes.register(UntypedNote<[String?]>.self, formerly: "Note")
    assertThrows(.valueOutOfRange, "to an object") {
      try ArchiveImporter(classes: classes).unarchive(UntypedNote<[String?]>.self, from: bytes)
    }
  }
}
