import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Unordered contents of a `Codable` value have a fixed order in an archive, which depends only on the
/// contents.
final class CodedOrderTests: XCTestCase {
  /// Asserts that equal values with sets and dictionaries in different iteration orders have one archive.
  private func assertOneForm<Value: Codable & Equatable>(
    _ make: () -> Value, line: UInt = #line
  ) throws {
    var archives: Set<[UInt8]> = []
    var plain: Set<[UInt8]> = []
    for _ in 0..<RandomTrials.count(usually: 3, exhaustively: 20) {
      let (one, other) = (CodedHolder(make()), CodedHolder(make()))
      XCTAssertTrue(try ObjectGraph.isIsomorphic(one, other), line: line)
      XCTAssertNil(try ObjectGraph.difference(between: one, and: other), line: line)
      archives.insert(try Archiver(isCanonical: true).archive(one))
      let bytes = try Archiver().archive(one)
      plain.insert(bytes)
      let copy = try Unarchiver().unarchive(CodedHolder<Value>.self, from: bytes)
      XCTAssertEqual(copy.value, one.value, line: line)
      XCTAssertEqual(copy.optional, one.value, line: line)
      XCTAssertEqual(copy.several, [one.value, one.value], line: line)
      XCTAssertTrue(try ObjectGraph.isIsomorphic(one, copy), line: line)
    }
    XCTAssertEqual(archives.count, 1, line: line)
    XCTAssertEqual(plain.count, 1, line: line)
  }

  private func shuffled<Key: Hashable, Value>(_ pairs: [(Key, Value)]) -> [Key: Value] {
    Dictionary(uniqueKeysWithValues: pairs.shuffled())
  }

  func testSetsOfCodableValuesHaveOneCanonicalForm() throws {
    try assertOneForm { Set(["a", "b", "ab", "", "a\u{0}", "é"].shuffled()) }
    try assertOneForm { Set([3, -1, 200, .min, .max].shuffled()) }
    try assertOneForm { Set([0.5, -0.5, .infinity, 0].shuffled()) }
    try assertOneForm { Set([.north, .south, .east].shuffled()) as Set<CodedDirection> }
    try assertOneForm { Set((0..<9).map { CodedPoint(x: $0 % 3, y: $0 / 3) }.shuffled()) }
    try assertOneForm { Set([nil, 1, 2, 3].shuffled()) as Set<Int?> }
    try assertOneForm { Set([[1, 2], [1], [], [2, 1]].shuffled()) }
    try assertOneForm { Set((0..<4).map { Set([$0, $0 + 1, 9].shuffled()) }.shuffled()) }
  }

  func testDictionariesOfCodableValuesHaveOneCanonicalForm() throws {
    let numbers = Array(0..<8)
    try assertOneForm { shuffled(numbers.map { ("key \($0)", $0) }) }
    try assertOneForm { shuffled(numbers.map { ($0 * 7, $0) }) }
    try assertOneForm { shuffled(numbers.map { (CodedPoint(x: $0, y: -$0), $0) }) }
    try assertOneForm { shuffled([(CodedDirection.north, 1), (.south, 2), (.east, 3)]) }
    try assertOneForm { shuffled(numbers.map { (UInt8($0), "\($0)") }) }
    try assertOneForm { shuffled(numbers.map { number in ("\(number)", Set([number, 10, 20].shuffled())) }) }
    try assertOneForm { shuffled(numbers.map { number in (Set([number, 10, 20].shuffled()), "\(number)") }) }
    // There are more keys than a linear search is used for.
    try assertOneForm { shuffled((0..<40).map { ("key \($0)", $0) }) }
  }

  func testCollectionsInCodableStructuresHaveOneCanonicalForm() throws {
    try assertOneForm {
      CodedStyle(
        tags: Set(["a", "b", "c", "d"].shuffled()),
        sizes: shuffled([(CodedDirection.east, 1), (.south, 2), (.north, 3)]),
        more: [nil, shuffled([(1, Set([1, 2, 3].shuffled())), (2, []), (3, [1])])])
    }
  }

  func testObjectsInCodableCollectionsHaveOneCanonicalForm() throws {
    var forms: Set<[UInt8]> = []
    for _ in 0..<RandomTrials.count(usually: 4, exhaustively: 20) {
      let names = ["a", "b", "c", "d"].shuffled()
      let tags = names.map { CodedTag($0) }
      let root = CodedHolder(
        CodedLabels(
          all: Set(tags.shuffled()), lookAlikes: Set((0..<3).map { _ in CodedTag("") }),
          numbers: Dictionary(uniqueKeysWithValues: tags.map { ($0, $0.name) })))
      let bytes = try Archiver(isCanonical: true).archive(root)
      forms.insert(bytes)
      let copy = try Unarchiver().unarchive(CodedHolder<CodedLabels>.self, from: bytes)
      XCTAssertEqual(copy.value.all.map(\.name).sorted(), ["a", "b", "c", "d"])
      for (tag, name) in copy.value.numbers {
        XCTAssertEqual(tag.name, name)
        XCTAssertTrue(copy.value.all.contains(tag))
      }
    }
    XCTAssertEqual(forms.count, 1)
  }

  func testDifferentCodableCollectionsAreUnequal() throws {
    let one = CodedHolder(CodedStyle(tags: ["a", "b"], sizes: [.east: 1], more: [[1: [1]]]))
    let others = [
      CodedStyle(tags: ["a", "c"], sizes: [.east: 1], more: [[1: [1]]]),
      CodedStyle(tags: ["a", "b", "c"], sizes: [.east: 1], more: [[1: [1]]]),
      CodedStyle(tags: ["a", "b"], sizes: [.east: 2], more: [[1: [1]]]),
      CodedStyle(tags: ["a", "b"], sizes: [.north: 1], more: [[1: [1]]]),
      CodedStyle(tags: ["a", "b"], sizes: [.east: 1], more: [[2: [1]]]),
      CodedStyle(tags: ["a", "b"], sizes: [.east: 1], more: [[1: [1, 2]]]),
    ]
    for other in others {
      XCTAssertFalse(try ObjectGraph.isIsomorphic(one, CodedHolder(other)))
      XCTAssertNotNil(try ObjectGraph.difference(between: one, and: CodedHolder(other)))
    }
  }

  func testArraysKeepTheirOrder() throws {
    XCTAssertEqual(try reread(CodedHolder([3, 1, 2]), as: CodedHolder<[Int]>.self).value, [3, 1, 2])
    XCTAssertFalse(try ObjectGraph.isIsomorphic(CodedHolder([3, 1, 2]), CodedHolder([1, 2, 3])))
    // Arc cannot determine whether a list that a custom type writes has an order.
    XCTAssertFalse(
      try ObjectGraph.isIsomorphic(CodedHolder(CodedOwnList([2, 1])), CodedHolder(CodedOwnList([1, 2]))))
  }

  func testFileComparisonIgnoresTheOrderOfCodableKeys() throws {
    func file(_ value: CodedInOwnOrder) throws -> ArchiveFile {
      try ArchiveFile(bytes: Archiver().archive(CodableValue(value)))
    }
    let one = try file(CodedInOwnOrder(keys: ["a", "b", "c"]))
    XCTAssertEqual(try differences(one, file(CodedInOwnOrder(keys: ["c", "a", "b"]))), [])
    XCTAssertEqual(try differences(one, file(CodedInOwnOrder(keys: ["c", "a", "x"]))).count, 1)
    XCTAssertEqual(try differences(one, file(CodedInOwnOrder(keys: ["c", "a"]))).count, 1)
    XCTAssertEqual(
      try differences(file(CodedInOwnOrder(keys: ["a"])), file(CodedInOwnOrder(keys: ["a", "b"]))).count, 1)
    XCTAssertEqual(try differences(one, file(CodedInOwnOrder(keys: ["c", "a", "b"], value: 2))).count, 1)
  }

  private func differences(_ one: ArchiveFile, _ other: ArchiveFile) throws -> [GraphDifference] {
    try GraphComparison(one, other).differences(atMost: 10)
  }
}

@Archivable private final class CodedHolder<Value: Codable> {
  @Coded var value: Value
  @Coded var optional: Value?
  @Coded var several: [Value]
  init(_ value: Value) {
    self.value = value
    optional = value
    several = [value, value]
  }
}

private enum CodedDirection: String, Codable { case north, south, east }

private struct CodedPoint: Codable, Hashable {
  var x: Int
  var y: Int
}

private struct CodedStyle: Codable, Equatable {
  var tags: Set<String>
  var sizes: [CodedDirection: Int]
  var more: [[Int: Set<Int>]?]
}

@Archivable private final class CodedTag: Codable, HashedByIdentity {
  var name: String
  init(_ name: String) { self.name = name }
}

private struct CodedLabels: Codable {
  var all: Set<CodedTag>
  var lookAlikes: Set<CodedTag>
  var numbers: [CodedTag: String]
}

/// A type that encodes its elements one by one.
private struct CodedOwnList: Codable {
  var elements: [Int]
  init(_ elements: [Int]) { self.elements = elements }
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    elements = []
    while !container.isAtEnd { elements.append(try container.decode(Int.self)) }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in elements { try container.encode(element) }
  }
}

/// A type that encodes its values by key in a custom order.
private struct CodedInOwnOrder: Codable {
  var keys: [String]
  var value = 1

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(keys: [String], value: Int = 1) { (self.keys, self.value) = (keys, value) }
  init(from decoder: any Decoder) throws {
    keys = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for key in keys { try container.encode(value, forKey: Name(stringValue: key)) }
  }
}
