import XCTest

@testable import ArcArchive

/// The pairs of the values inside two values.
final class ChildPairsTests: XCTestCase {
  private static func structure(_ fields: KeyValuePairs<String, ArchiveValue>) -> ArchiveValue {
    .structure(name: "S", fields: fields.map { .init(name: $0.key, value: $0.value) })
  }

  private static func dictionary(_ entries: KeyValuePairs<String, ArchiveValue>) -> ArchiveValue {
    .dictionary(entries.map { .init(key: .string($0.key), value: $0.value) })
  }

  /// The partner of each value inside the first value, and the indices of the values only inside the second.
  private func pairs(
    _ first: ArchiveValue, _ second: ArchiveValue
  ) -> (partners: [ArchiveValue?], onlyInSecond: [Int])? {
    guard let pairs = ChildPairs(first, second, key: { $0 }) else { return nil }
    return ((0..<pairs.count).map { pairs[$0] }, pairs.onlyInSecond)
  }

  private func assertPairs(
    _ first: ArchiveValue, _ second: ArchiveValue, _ partners: [ArchiveValue?], onlyInSecond: [Int] = [],
    line: UInt = #line
  ) {
    let pairs = pairs(first, second)
    XCTAssertEqual(pairs?.partners, partners, line: line)
    XCTAssertEqual(pairs?.onlyInSecond, onlyInSecond, line: line)
  }

  func testElementsOfArraysArePairedByIndex() {
    assertPairs([1, 2, 3], [4, 5], [4, 5, Optional.none])
    assertPairs([1], [4, 5], [4], onlyInSecond: [1])
  }

  func testElementsOfSetsArePairedByKey() {
    assertPairs(.set([1, 2, 3]), .set([3, 4, 1]), [1, Optional.none, 3], onlyInSecond: [1])
  }

  func testDictionaryEntriesArePairedByKey() {
    assertPairs(
      Self.dictionary(["a": 1, "b": 2]), Self.dictionary(["c": 3, "b": 4]), [Optional.none, 4],
      onlyInSecond: [0])
  }

  func testStructureFieldsArePairedByLabel() {
    assertPairs(
      Self.structure(["a": 1, "b": 2]), Self.structure(["c": 3, "b": 4, "a": 5]), [5, 4], onlyInSecond: [0])
  }

  func testFieldsWithEqualLabelsArePairedInOrder() {
    assertPairs(
      Self.structure(["": 1, "a": 2, "": 3]), Self.structure(["": 4, "": 5, "": 6]), [4, Optional.none, 5],
      onlyInSecond: [2])
  }

  func testAssociatedValuesOfEqualCasesArePaired() {
    let one = ArchiveValue.enumeration(name: "E", case: "a", payload: 1)
    let empty = ArchiveValue.enumeration(name: "E", case: "a", payload: nil)
    assertPairs(one, .enumeration(name: "F", case: "a", payload: 2), [2])
    assertPairs(one, empty, [Optional.none])
    assertPairs(empty, one, [], onlyInSecond: [0])
  }

  func testValuesOfDifferentKindsHaveNoPairs() {
    let one = ArchiveValue.enumeration(name: "E", case: "a", payload: 1)
    XCTAssertNil(pairs(one, .enumeration(name: "E", case: "b", payload: 1)))
    XCTAssertNil(pairs([1], .set([1])))
    XCTAssertNil(pairs(.set([1]), Self.dictionary(["a": 1])))
    XCTAssertNil(pairs(1, 1))
  }

  func testReorderedFieldsArePairedButNotAligned() throws {
    let value = Self.structure(["a": 1, "b": 2])
    let reordered = try XCTUnwrap(ChildPairs(value, Self.structure(["b": 2, "a": 1]), key: { $0 }))
    XCTAssertTrue(reordered.isComplete && !reordered.isAligned)
    let equal = try XCTUnwrap(ChildPairs(value, Self.structure(["a": 3, "b": 4]), key: { $0 }))
    XCTAssertTrue(equal.isComplete && equal.isAligned)
    let shorter = try XCTUnwrap(ChildPairs(value, Self.structure(["a": 3]), key: { $0 }))
    XCTAssertFalse(shorter.isComplete || shorter.isAligned)
  }
}
