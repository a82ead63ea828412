import Arc
import ArcCollections
import ArcTestSupport
import XCTest

#if Collections
  import BitCollections
  import HashTreeCollections
  import OrderedCollections
#endif
#if BigInt
  import BigInt
#endif

/// Contents that fit the columns of a type, but are not a value of the type, are an error with a path, never
/// a trap.
final class RefusedValueTests: XCTestCase {
  #if Collections
    func testDuplicateElementsAndKeysAreRefused() throws {
      let found = "found two equal keys or elements, expected distinct keys or elements"
      try assertRefuses(["a", "b", "a"], as: OrderedSet<String>.self, found, code: .duplicateKey)
      try assertRefuses(
        [UInt8](repeating: 7, count: 300), as: OrderedSet<UInt8>.self, found, code: .duplicateKey)
      try assertRefuses(
        ["a": 1, "b": 2, "a": 1] as KeyValuePairs, as: OrderedDictionary<String, Int>.self, found,
        code: .duplicateKey)
      let spellings = ["e\u{301}", "\u{e9}"].map(ExactText.init)
      try assertRefuses(Set(spellings), as: TreeSet<String>.self, found, code: .duplicateKey)
      try assertRefuses(
        Dictionary(uniqueKeysWithValues: spellings.map { ($0, 1) }), as: TreeDictionary<String, Int>.self,
        found, code: .duplicateKey)
    }

    func testBitSetWithTrailingZeroWordsIsAccepted() throws {
      XCTAssertEqual(try reread([5, 0, 0] as [UInt64], as: BitSet.self), [0, 2])
    }
  #endif

  #if BigInt
    func testNoncanonicalBigIntegersAreRefused() throws {
      try assertRefuses([1, 0] as [UInt64], as: BigUInt.self, "2 words, the most significant of which is 0")
      try assertRefuses([0] as [UInt64], as: BigUInt.self, "1 word, ")
      let form = SignedForm(isNegative: false, magnitude: [0])
      try assertRefuses(form, as: BigInt.self, "the most significant of which is 0")
      let zero = SignedForm(isNegative: true, magnitude: [])
      try assertRefuses(zero, as: BigInt.self, "found a negative 0, expected 0 without a sign")
    }
  #endif
}

/// Text that compares by its bytes. Two encodings of one character are not equal.
private struct ExactText: RawRepresentable, Hashable, ArchivableValue {
  let rawValue: String
  static func == (left: Self, right: Self) -> Bool { left.rawValue.utf8.elementsEqual(right.rawValue.utf8) }
  func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}

@Archivable private struct SignedForm {
  var isNegative: Bool
  var magnitude: [UInt64]
}
