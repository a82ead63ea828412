import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// A canonical archive depends only on the graph. Contents without an order in a program have a fixed order
/// in it.
final class CanonicalOrderTests: XCTestCase {
  private let archiver = Archiver(isCanonical: true)

  /// Returns sets of the same elements that iterate in different orders.
  private func variants<Element: Hashable>(_ elements: [Element]) -> [Set<Element>] {
    [1, 64, 1024].map { capacity in
      var set = Set<Element>(minimumCapacity: capacity)
      for element in capacity == 64 ? elements.reversed() : elements { set.insert(element) }
      return set
    }
  }

  private func assertOneForm<Element: Hashable & ArchivableValue>(
    _ elements: [Element], line: UInt = #line
  ) throws {
    let sets = variants(elements)
    let archives = try sets.map { try archiver.archive($0) }
    XCTAssertEqual(Set(archives).count, 1, line: line)
    XCTAssertEqual(
      Set(try sets.map { try archiver.archive(Dictionary(uniqueKeysWithValues: $0.map { ($0, 1) })) }).count,
      1,
      line: line)
    XCTAssertGreaterThan(Set(sets.map { Array($0) }).count, 1, "the sets iterate alike: no test", line: line)
    XCTAssertEqual(try Unarchiver().unarchive(Set<Element>.self, from: archives[0]), sets[0], line: line)
  }

  func testSetsAndDictionariesHaveOneCanonicalForm() throws {
    try assertOneForm((0..<200).map { $0 * 7919 - 500 })
    try assertOneForm((0..<200).map { "key \($0 * 37 % 200)" })
    try assertOneForm([
      "", "\u{0}", "a", "a\u{0}", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaa", "é", "e\u{302}", "z",
    ])
    try assertOneForm((0..<100).map { [Double($0), -Double($0)] })
  }

  func testKeysThatContainSetsHaveOneCanonicalForm() throws {
    for _ in 0..<5 {
      let archives = try [1, 64, 1024].map { capacity in
        var outer = Set<Set<Int>>(minimumCapacity: capacity)
        for number in 0..<20 { outer.insert(variants([number, number + 1000, 5000, 7])[capacity % 3]) }
        return try archiver.archive(outer)
      }
      XCTAssertEqual(Set(archives).count, 1)
    }
  }

  func testGraphWithWeakReferencesHasOneCanonicalForm() throws {
    let (a, b, c) = (Backlinked(), Backlinked(), Backlinked())
    (a.back, a.list, a.set) = (b, [a, c], [c])
    (b.back, b.set) = (a, [a, b, c])
    try assertOneArchive(of: [a, b])
  }

  func testCanonicalArchiveStoresUnretainedWeakTargetsAsNil() throws {
    let (a, b, gone) = (Backlinked(), Backlinked(), Backlinked())
    (a.back, a.list) = (gone, [b])
    b.set = [a]
    let bytes = try archiver.archive([a, b] as Set)
    let copy = try Unarchiver().unarchive(Set<Backlinked>.self, from: bytes)
    XCTAssertEqual(try archiver.archive(copy), bytes)
    withExtendedLifetime(gone) {}
  }

  /// Asserts that the objects have one archive. The iteration order of small sets differs between sets.
  private func assertOneArchive(of objects: [Backlinked], line: UInt = #line) throws {
    var archives: Set<[UInt8]> = []
    for _ in 0..<100 { archives.insert(try archiver.archive(Set(objects))) }
    for set in variants(objects) { archives.insert(try archiver.archive(set)) }
    XCTAssertEqual(archives.count, 1, line: line)
  }

  func testCanonicalTimeOfNestedSetsIsNotExponential() throws {
    func nested(_ isOdd: Bool) -> Nested {
      var value = Nested(number: 0)
      for level in 1...60 {
        let other = Nested(number: -level)
        if level % 2 == 0 {
          value = Nested(number: level, inner: Set(isOdd ? [value, other] : [other, value]))
        } else {
          value = Nested(number: level, named: [value: level, other: 0])
        }
      }
      return value
    }
    let bytes = try archiver.archive(nested(true))
    XCTAssertEqual(try archiver.archive(nested(false)), bytes)
    XCTAssertEqual(try Unarchiver().unarchive(Nested.self, from: bytes).inner.count, 2)
  }

  func testNanKeysAreOrderedByTheirValues() throws {
    var archives: Set<[UInt8]> = []
    for _ in 0..<50 {
      var dictionary: [Double: Int] = [:]
      for number in 0..<4 { dictionary[.nan] = number }
      archives.insert(try archiver.archive(dictionary))
    }
    XCTAssertEqual(archives.count, 1)
  }

  func testStringsAreOrderedByTheirUTF8Bytes() throws {
    let bytes = try archiver.archive(Set(["b", "B", "é", "ba", "b\u{0}", "zzzzzzzzz", "zzzzzzzza"]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(elements, ["B", "b", "b\u{0}", "ba", "zzzzzzzza", "zzzzzzzzz", "é"].map { .string($0) })
  }

  func testNumbersAreOrderedByValue() throws {
    let bytes = try archiver.archive(Set([300, 2, 65_536, 1] as [UInt64]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(elements, [1, 2, 300, 65_536].map { .integer($0) })
  }
}

@Archivable private final class Backlinked: HashedByIdentity {
  weak var back: Backlinked?
  var list: [Backlinked] = []
  var set: Set<Backlinked> = []
  init() {}
}

@Archivable private struct Nested: Hashable {
  var number = 0
  var inner: Set<Nested> = []
  var named: [Nested: Int] = [:]
  static func == (left: Nested, right: Nested) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
