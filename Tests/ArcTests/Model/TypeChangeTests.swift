import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Values that are written as one type and read as another type without a loss.
final class TypeChangeTests: XCTestCase {
  /// Asserts that a value is read as another type: as a root, in collections, structures and enumerations,
  /// and as a property.
  private func assertReads<Before: ArchivableValue & Hashable, After: ArchivableValue & Equatable>(
    _ old: [Before], as new: [After], file: StaticString = #filePath, line: UInt = #line
  ) throws {
    func read<Root: ArchivableValue>(_ type: Root.Type, of root: some ArchivableValue) throws -> Root {
      let bytes = try Archiver(compression: .zlib).archive(root)
      try ArchiveFile(bytes: bytes).verify()
      let name = BeforeHolder<Before>.archiveSchema.name
      let classes = ClassTable()
      try classes.register(AfterHolder<After>.self, as: name)
      return try Unarchiver(classes: classes).unarchive(type, from: bytes)
    }
    for (old, new) in zip(old, new) {
      XCTAssertEqual(try read(After.self, of: old), new, file: file, line: line)
    }
    XCTAssertEqual(try read([After].self, of: old), new, file: file, line: line)
    XCTAssertEqual(try read([After?].self, of: old), new, file: file, line: line)
    XCTAssertEqual(try read([After].self, of: old.map(Optional.some)), new, file: file, line: line)
    XCTAssertEqual(try read([[After]].self, of: [old, [], old]), [new, [], new], file: file, line: line)
    XCTAssertEqual(
      try read([Int: After].self, of: Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0, $1) })),
      Dictionary(uniqueKeysWithValues: new.enumerated().map { ($0, $1) }), file: file, line: line)
    let structures = try read(
      [AfterPlace<After>].self, of: old.map { BeforePlace(before: 1, value: $0, after: "a") })
    XCTAssertEqual(structures.map(\.value), new, file: file, line: line)
    XCTAssertEqual(structures.map(\.after), old.map { _ in "a" }, file: file, line: line)
    let cases = try read([AfterCase<After>].self, of: old.flatMap { [BeforeCase.none, .some($0, 2)] })
    XCTAssertEqual(cases, new.flatMap { [AfterCase.none, .some($0, 2)] }, file: file, line: line)
    let objects = try read([AfterHolder<After>].self, of: old.map { BeforeHolder(value: $0) })
    XCTAssertEqual(objects.map(\.value), new, file: file, line: line)
  }

  private func assertRefuses<Old: ArchivableValue, New: ArchivableValue>(
    _ old: [Old], as type: New.Type, at index: Int, _ found: String, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let bytes = try Archiver().archive(old.map { BeforeHolder(value: $0) })
    let classes = ClassTable()
    try classes.register(AfterHolder<New>.self, as: BeforeHolder<Old>.archiveSchema.name)
    XCTAssertThrowsError(
      try Unarchiver(classes: classes).unarchive([AfterHolder<New>].self, from: bytes), file: file, line: line
    ) { error in
      let error = error as? ArchiveError
      XCTAssertEqual(error?.code, .valueOutOfRange, file: file, line: line)
      XCTAssertEqual(error?.found, found, file: file, line: line)
      XCTAssertEqual(error?.objectPath, "root[\(index)].value", file: file, line: line)
      XCTAssertEqual(error?.objectID?.rawValue, UInt32(index + 1), file: file, line: line)
    }
  }

  private func assertDiffers<Old: ArchivableValue, New: ArchivableValue>(
    _ old: Old, from type: New.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let bytes = try Archiver().archive(old)
    assertThrows(.typeMismatch, file: file, line: line) { try Unarchiver().unarchive(type, from: bytes) }
  }

  // MARK: Numbers

  func testIntegersOfAllWidthsConvertToEachOther() throws {
    // Each type is read as one other type, or as all types in an exhaustive run.
    var pairs = TrialSample(oneIn: Self.integers.count)
    func check<Old: FixedWidthInteger & ArchivableValue>(_ old: Old.Type) throws {
      func check<New: FixedWidthInteger & ArchivableValue>(_ new: New.Type) throws {
        let candidates: [Int128] = [
          0, 1, -1, 127, -128, 128, 255, 256, 32_767, -32_768, 65_535, 1 << 31, -1 << 31, 1 << 32, 1 << 63,
          -1 << 63, (1 << 64) - 1, 1 << 100,
        ]
        let old = candidates.compactMap { Old(exactly: $0) }
        let fitting = old.filter { New(exactly: $0) != nil }
        try assertReads(fitting, as: fitting.compactMap { New(exactly: $0) })
        for value in old where New(exactly: value) == nil {
          try assertRefuses([0, 1, value, 0], as: New.self, at: 2, "the number \(value)")
        }
      }
      for new in Self.integers where pairs.includesNext() { try check(new) }
    }
    for old in Self.integers { try check(old) }
  }

  private static let integers: [any (FixedWidthInteger & ArchivableValue & Sendable).Type] = [
    Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, Int.self, UInt8.self, UInt16.self,
    UInt32.self, UInt64.self, UInt128.self, UInt.self,
  ]

  func testIntegersAndFloatingPointNumbersConvertIfExact() throws {
    try assertReads([0, 1, -5, 1 << 53] as [Int], as: [0, 1, -5, 9_007_199_254_740_992] as [Double])
    try assertReads([0, 1, 1 << 24] as [UInt32], as: [0, 1, 16_777_216] as [Float])
    try assertReads([0, 1, -2048] as [Int16], as: [0, 1, -2048] as [Float])
    try assertReads([1 << 100] as [Int128], as: [0x1p100] as [Double])
    try assertReads([0, 1, -5, 0x1p40] as [Double], as: [0, 1, -5, 1 << 40] as [Int])
    try assertReads([3, 255] as [Float], as: [3, 255] as [UInt8])
    try assertReads([0x1p100] as [Double], as: [1 << 100] as [UInt128])
    try assertRefuses([1, (1 << 53) + 1], as: Double.self, at: 1, "the number 9007199254740993")
    try assertRefuses([1, 16_777_217], as: Float.self, at: 1, "the number 16777217")
    try assertRefuses([1, 1.5], as: Int.self, at: 1, "the number 1.5")
    try assertRefuses([.nan] as [Double], as: Int.self, at: 0, "the number nan")
    try assertRefuses([1, -1] as [Float], as: UInt64.self, at: 1, "the number -1.0")
    try assertRefuses([1, .infinity] as [Double], as: Int8.self, at: 1, "the number inf")
  }

  func testFloatingPointNumbersNarrowIfExact() throws {
    try assertReads(
      [0, -0.5, .infinity, 0x1p-149] as [Double], as: [0, -0.5, .infinity, 0x1p-149] as [Float])
    try assertReads([1.5, -2] as [Float], as: [1.5, -2] as [Double])
    try assertRefuses([0.5, 0.1], as: Float.self, at: 1, "the number 0.1")
    XCTAssertTrue(try reread([Double.nan], as: [Float].self)[0].isNaN)
    #if !(os(macOS) || targetEnvironment(macCatalyst)) || arch(arm64)
      try assertReads([1.5, 65_504, 0x1p-24] as [Double], as: [1.5, 65_504, 0x1p-24] as [Float16])
      try assertReads([0, 1, 2048] as [Int], as: [0, 1, 2048] as [Float16])
      try assertReads([1.5, 65_504] as [Float16], as: [1.5, 65_504] as [Double])
      try assertRefuses([1, 65_520] as [Double], as: Float16.self, at: 1, "the number 65520.0")
      try assertRefuses([1, 2049] as [Int], as: Float16.self, at: 1, "the number 2049")
    #endif
  }

  func testBooleansConvertToNumbersAndBack() throws {
    let bits = (0..<20).map { $0 % 3 == 0 }
    try assertReads([true, false], as: [1, 0] as [Int])
    try assertReads([true, false], as: [1, 0] as [UInt8])
    try assertReads([true, false], as: [1, 0] as [Double])
    try assertReads([0, 1] as [Int32], as: [false, true])
    try assertReads([0, 1] as [Float], as: [false, true])
    XCTAssertEqual(try reread(bits.map { $0 ? 1 : 0 }, as: [Bool].self), bits)
    try assertRefuses([0, 2], as: Bool.self, at: 1, "the number 2")
  }

  func testDecimalsConvertToStringsAndNumbersAndBack() throws {
    let texts = ["0", "12.5", "-0.001", "123456789012345678901234567890"]
    let decimals = texts.compactMap { Decimal(string: $0) }
    try assertReads(decimals, as: texts)
    try assertReads(texts, as: decimals)
    try assertReads(["+1.50", "007", "1e3", "1.0"], as: [1.5, 7, 1000, 1] as [Decimal])
    try assertReads([0, -5, .max] as [Int], as: [0, -5, Decimal(Int.max)])
    let doubles = [0, 0.1, -2.5, 1e20, 123_456.789]
    let same = ["0", "0.1", "-2.5", "100000000000000000000", "123456.789"].compactMap { Decimal(string: $0) }
    try assertReads(doubles, as: same)
    try assertReads(same, as: doubles)
    try assertReads([0.1, 16_777_216] as [Float], as: [same[1], 16_777_216])
    try assertReads([same[1], 16_777_216], as: [0.1, 16_777_216] as [Float])
    try assertReads([Decimal(7), Decimal(-7)], as: [7, -7] as [Int8])
    try assertRefuses([Decimal(string: "1.5") ?? 0], as: Int.self, at: 0, "'1.5'")
    try assertRefuses(
      [Decimal(string: "0.1234567890123456789") ?? 0], as: Double.self, at: 0, "'0.1234567890123456789'")
    try assertRefuses(["1", "1,5"], as: Decimal.self, at: 1, "'1,5'")
    try assertRefuses(["1", ""], as: Decimal.self, at: 1, "''")
    try assertRefuses([.infinity] as [Double], as: Decimal.self, at: 0, "the number inf")
  }

  // MARK: Text

  func testStringsConvertToUUIDAndBack() throws {
    let ids = [UUID(), UUID()]
    try assertReads(ids, as: ids.map(\.uuidString))
    try assertReads(ids.map(\.uuidString), as: ids)
    try assertReads(ids.map { $0.uuidString.lowercased() }, as: ids)
    for text in ["", "E621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8C36C-495A-93FC-0C247A3E6E5F0"] {
      try assertRefuses([ids[0].uuidString, text], as: UUID.self, at: 1, "'\(text)'")
    }
  }

  func testStringsConvertToDatesAndBack() throws {
    let texts = [
      "2001-01-01T00:00:00Z", "2026-11-22T16:45:24Z", "1969-07-20T20:17:40Z", "2000-02-29T23:59:59.500Z",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    ]
    let formatter = ISO8601DateFormatter()
    let dates = try texts.map { text in
      let whole = try XCTUnwrap(formatter.date(from: text.replacingOccurrences(of: ".500", with: "")))
      return text.contains(".500") ? whole.addingTimeInterval(0.5) : whole
    }
    // Before 1582, Foundation's calendar is not the proleptic Gregorian calendar.
    try assertReads(texts.filter { $0 > "1600" }, as: zip(texts, dates).filter { $0.0 > "1600" }.map(\.1))
    try assertReads(zip(texts, dates).filter { $0.0 > "1600" }.map(\.1), as: texts.filter { $0 > "1600" })
    let times = try reread(texts, as: [Date].self)
    XCTAssertEqual(try reread(times, as: [String].self), texts)
    try assertReads(["2026-11-22T17:45:24+01:00", "2026-11-22T11:15:24-0530"], as: [dates[1], dates[1]])
    for seconds in [-0.1, 0.1, 252_423_993_599.999, -63_113_904_000, 721_692_800.123456] {
      let text = try reread(Date(timeIntervalSinceReferenceDate: seconds), as: String.self)
      XCTAssertEqual(try reread(text, as: Date.self).timeIntervalSinceReferenceDate, seconds, text)
    }
    for text in ["2026-11-22", "2026-02-29T00:00:00Z", "2026-11-22T16:45:24", "2026-11-22T24:00:00Z", "now"] {
      try assertRefuses([texts[0], text], as: Date.self, at: 1, "'\(text)'")
    }
    try assertRefuses(
      [Date(timeIntervalSinceReferenceDate: .infinity)], as: String.self, at: 0,
      "the date inf seconds after 2001")
  }

  func testStringsConvertToURLAndBack() throws {
    let texts = ["https://example.com/a?b#c", "file:///tmp/x", "relative/path", ""]
    let urls = texts.compactMap { $0.isEmpty ? URLComponents().url : URL(string: $0) }
    try assertReads(texts, as: urls)
    try assertReads(urls, as: texts)
    let based = try XCTUnwrap(URL(string: "b", relativeTo: URL(string: "https://example.com/a/")))
    try assertRefuses([urls[0], based], as: String.self, at: 1, "a URL with a base URL")
  }

  // MARK: Optionals and lists

  func testNonNilOptionalsConvertToValues() throws {
    try assertReads([1, 2] as [Int?], as: [1, 2] as [Double])
    try assertReads([[1, 2], []] as [[Int]?], as: [[1, 2], []] as [[Int]])
    try assertReads([BeforePoint(x: 1, y: 2)] as [BeforePoint?], as: [AfterPoint(y: 2, x: 1)])
    try assertReads([.one, .two("b")] as [BeforeShape?], as: [AfterShape.one, .two("b")])
    try assertReads([1, 2] as [Int??], as: [1, 2] as [Int])
    let urls = try ["https://a.example/", "b"].map { try XCTUnwrap(URL(string: $0)) }
    try assertReads(urls.map(Optional.some), as: urls)
    try assertRefuses([nil, urls[0]], as: URL.self, at: 0, "nil")
    try assertRefuses([1, nil, 3] as [Int?], as: Int.self, at: 1, "nil")
    try assertRefuses([BeforePoint(x: 1, y: 2), nil], as: AfterPoint.self, at: 1, "nil")
    try assertRefuses(["a", "b", nil] as [String?], as: String.self, at: 2, "nil")
    try assertRefuses([.one, nil] as [BeforeShape?], as: AfterShape.self, at: 1, "nil")
    try assertRefuses([1, .some(nil), 2] as [Int??], as: Int.self, at: 1, "nil")
  }

  func testSingleValuesAreReadAsLists() throws {
    try assertReads([1, 2] as [Int], as: [[1], [2]] as [[Double]])
    try assertReads(["a", "b"], as: [["a"], ["b"]] as [Set<String>])
    let bytes = try Archiver().archive([1, nil, 3] as [Int?])
    XCTAssertEqual(try Unarchiver().unarchive([[Double]].self, from: bytes), [[1], [], [3]])
    XCTAssertEqual(try Unarchiver().unarchive([[Int]?].self, from: bytes), [[1], nil, [3]])
    try assertReads([BeforePoint(x: 1, y: 2)], as: [[AfterPoint(y: 2, x: 1)]])
    try assertReads([Data([1, 2])], as: [[Data([1, 2])]])
    try assertReads([["a": 1]], as: [[["a": 1]]] as [[[String: Int]]])
  }

  func testListsConvertToSetsAndBack() throws {
    try assertReads([[1, 2], []] as [[Int]], as: [[2, 1], []] as [Set<Double>])
    try assertReads([[1], []] as [Set<Int>], as: [[1], []] as [[Int]])
    assertThrows(.duplicateKey) { try reread([1, 1], as: Set<Int>.self) }
  }

  func testBytesConvertToDataAndBack() throws {
    try assertReads([[1, 2, 255], []] as [[UInt8]], as: [Data([1, 2, 255]), Data()])
    try assertReads([Data([1, 2, 255]), Data()], as: [[1, 2, 255], []] as [[UInt8]])
  }

  func testReferencesAreReadAsListsWithTheirIdentity() throws {
    let shared = Leaf("a")
    let copy = try reread(
      [BeforeStem(leaf: shared), BeforeStem(leaf: nil), BeforeStem(leaf: shared)], as: [AfterStem].self)
    XCTAssertEqual(copy.map(\.leaf.count), [1, 0, 1])
    XCTAssertTrue(copy[0].leaf[0] === copy[2].leaf[0])
    XCTAssertEqual(copy[0].leaf[0].name, "a")
  }

  func testOptionalStructuresWithoutCommonFieldsAreRefused() throws {
    // No value of such a structure is in the file that the program reads.
    try assertDiffers([BeforePoint(x: 1, y: 2), nil], from: [OtherPoint].self)
    try assertDiffers([Nothing(), nil], from: [Nothing].self)
  }

  // MARK: Refused

  func testAmbiguousConversionsAreRefused() throws {
    try assertDiffers(1, from: String.self)
    try assertDiffers("1", from: Int.self)
    try assertDiffers(1.5, from: Date.self)
    try assertDiffers([1], from: Int.self)
    try assertDiffers(Data([1]), from: String.self)
    try assertDiffers(["a": 1], from: [Int].self)
    try assertDiffers(UUID(), from: Data.self)
    try assertDiffers(BeforePoint(x: 1, y: 2), from: [String: Double].self)
  }

  func testRecursiveValuesAreConvertedAtEachLevel() throws {
    let old = BeforeTree(
      value: 1, children: [BeforeTree(value: 2, children: []), BeforeTree(value: 3, children: [])])
    let bytes = try Archiver().archive([old])
    let copy = try Unarchiver().unarchive([AfterTree].self, from: bytes)[0]
    XCTAssertEqual(copy.value, 1)
    XCTAssertEqual(copy.children.map(\.value), [2, 3])
    // Nested values share a column with the values that contain them.
    let turned = try Unarchiver().unarchive([TurnedTree].self, from: bytes)
    XCTAssertEqual(turned.map(\.value), [1])
    XCTAssertEqual(turned[0].children.map(\.value), [2, 3])
    XCTAssertEqual(try Unarchiver().unarchive([FelledTree].self, from: bytes).map(\.value), [1])
  }
}

@Archivable("Place") private struct BeforePlace<Value: ArchivableValue> {
  var before: Int
  var value: Value
  var after: String
}
@Archivable("Place") private struct AfterPlace<Value: ArchivableValue> {
  var after: String
  var value: Value
}
@Archivable("Case") private enum BeforeCase<Value: ArchivableValue> {
  case none
  case some(Value, Int)
}
@Archivable("Case") private enum AfterCase<Value: ArchivableValue & Equatable>: Equatable {
  case some(Value, Int)
  case none
}
@Archivable("Holder") private final class BeforeHolder<Value: ArchivableValue> {
  var value: Value
  init(value: Value) { self.value = value }
}
@Archivable("Holder") private final class AfterHolder<Value: ArchivableValue> {
  let value: Value
  init(value: Value) { self.value = value }
}
@Archivable("Point") private struct BeforePoint: Hashable { var x: Int, y: Int }
@Archivable("Point") private struct OtherPoint { var z = 5 }
@Archivable private struct Nothing: Hashable {}
@Archivable("Point") private struct AfterPoint: Hashable { var y: Double, x: Float }
@Archivable("Shape") private enum BeforeShape: Hashable {
  case one
  case two(String)
}
@Archivable("Shape") private enum AfterShape: Hashable {
  case two(String)
  case one
}
@Archivable("Tree") private struct BeforeTree { var value: Int, children: [BeforeTree] }
@Archivable("Tree") private struct AfterTree { var value: Double, children: [AfterTree] }
@Archivable("Tree") private struct TurnedTree { var children: [TurnedTree], value: Int }
@Archivable("Tree") private struct FelledTree { var value: Int }
@Archivable("Stem") private final class BeforeStem {
  var leaf: Leaf?
  init(leaf: Leaf?) { self.leaf = leaf }
}
@Archivable("Stem") private final class AfterStem { var leaf: [Leaf] = [] }
