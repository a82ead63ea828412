import Arc
import XCTest

final class CanonicalOrderTests: XCTestCase {
  private let archiver = Archiver(.init(isCanonical: true))

  /// The same elements in sets that iterate differently.
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

  func testSetsAndDictionariesHaveOneForm() throws {
    try assertOneForm((0..<200).map { $0 * 7919 - 500 })
    try assertOneForm((0..<200).map { "key \($0 * 37 % 200)" })
    try assertOneForm([
      "", "\u{0}", "a", "a\u{0}", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaa", "é", "e\u{302}", "z",
    ])
    try assertOneForm((0..<100).map { [Double($0), -Double($0)] })
  }

  func testKeysThatHoldSetsHaveOneForm() throws {
    for _ in 0..<5 {
      let archives = try [1, 64, 1024].map { capacity in
        var outer = Set<Set<Int>>(minimumCapacity: capacity)
        for number in 0..<20 { outer.insert(variants([number, number + 1000, 5000, 7])[capacity % 3]) }
        return try archiver.archive(outer)
      }
      XCTAssertEqual(Set(archives).count, 1)
    }
  }

  func testStringsStandInTheOrderOfTheirBytes() throws {
    let bytes = try archiver.archive(Set(["b", "B", "é", "ba", "b\u{0}", "zzzzzzzzz", "zzzzzzzza"]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(
      elements, ["B", "b", "b\u{0}", "ba", "zzzzzzzza", "zzzzzzzzz", "é"].map { .string($0) })
  }

  func testNumbersStandInTheirOrder() throws {
    let bytes = try archiver.archive(Set([300, 2, 65_536, 1] as [UInt64]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(elements, [1, 2, 300, 65_536].map { .integer($0) })
  }
}
