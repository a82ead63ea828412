import Arc
import ArcCollections
import ArcTestSupport
import XCTest

#if Collections
  import BitCollections
  import DequeModule
  import HashTreeCollections
  import HeapModule
  import OrderedCollections
#endif
#if BigInt
  import BigInt
#endif

/// Each type of swift-collections and BigInt that ArcCollections supports round-trips in every kind of
/// property, field and collection.
final class CollectionTypeTests: XCTestCase {
  #if Collections
    func testOrderedCollectionsRoundTrip() throws { for type in Self.ordered { try type.assertRoundTrips() } }
    func testTreeCollectionsRoundTrip() throws { for type in Self.trees { try type.assertRoundTrips() } }
    func testBitCollectionsRoundTrip() throws { for type in Self.bits { try type.assertRoundTrips() } }

    static var ordered: [SupportedType] {
      var turned: Deque = [3, 4, 5]
      turned.prepend(2)
      turned.removeLast()
      let numbers = (0..<100).map { $0 * 7919 % 101 }
      let text = #"@"NSString""#
      return [
        SupportedType("Deque", "$[q]", [[], turned, Deque(numbers)]),
        SupportedType("Heap", "$[q]", [[], [3], Heap(numbers)]) { $0.unordered == $1.unordered },
        SupportedType("OrderedSet", "$[\(text)]", [[], ["b", "a", ""], ["a", "b", ""]]),
        SupportedType("OrderedSet", "$[q]", [OrderedSet(numbers), OrderedSet(numbers.reversed())]),
        SupportedType("OrderedSet", "$[C]", [OrderedSet([UInt8](0...255))]),
        SupportedType(
          "OrderedDictionary", ##"$[{KeyValuePair<String, Optional<Int>>="key"\##(text)"value"$?q}]"##,
          [[:], ["b": 1, "a": nil, "": -1], ["a": nil, "b": 1, "": -1]]
            as [OrderedDictionary<String, Int?>]),
      ]
    }

    static var trees: [SupportedType] {
      let numbers = (0..<100).map { $0 * 7919 % 101 }
      let dictionaries: [TreeDictionary<Int, String?>] = [
        [:], [1: nil],
        TreeDictionary(uniqueKeysWithValues: numbers.map { (key: $0, value: String?("\($0)")) }),
      ]
      return [
        SupportedType("TreeSet", "$<q>", [[], [1], TreeSet(numbers)]),
        SupportedType("TreeDictionary", ##"$<q:$?@"NSString">"##, dictionaries),
      ]
    }

    static var bits: [SupportedType] {
      [
        SupportedType(
          "BitArray", "$[B]",
          [[], [true], BitArray(repeating: true, count: 64), BitArray((0..<131).map { $0 % 3 == 0 })]),
        SupportedType("BitSet", "$[Q]", [[], [0], [63], [64], [1, 2, 500], BitSet(0..<128)]),
      ]
    }

    func testTreeCollectionsAreStoredAsSetsAndDictionaries() throws {
      let archiver = Archiver(isCanonical: true)
      let words = ["b", "a", "c"]
      XCTAssertEqual(try archiver.archive(TreeSet(words)), try archiver.archive(Set(words)))
      XCTAssertEqual(
        try archiver.archive(["b": 1, "a": 2] as TreeDictionary),
        try archiver.archive(["b": 1, "a": 2] as Dictionary))
    }

    func testOrderedCollectionsAreReadAsArrays() throws {
      XCTAssertEqual(try reread(["b", "a", "c"] as OrderedSet, as: [String].self), ["b", "a", "c"])
      let dictionary = try Archiver().archive(["b": 1, "a": 2] as OrderedDictionary)
      let pairs = try Unarchiver().unarchive(KeyValuePairs<String, Int>.self, from: dictionary)
      XCTAssertEqual(pairs.map(\.key), ["b", "a"])
      XCTAssertEqual(pairs.map(\.value), [1, 2])
    }
  #endif

  #if BigInt
    func testBigIntegersRoundTrip() throws { for type in Self.bigIntegers { try type.assertRoundTrips() } }

    static var bigIntegers: [SupportedType] {
      let numbers: [BigUInt] = [
        0, 1, BigUInt(UInt64.max), BigUInt(1) << 64, BigUInt(1) << 128 - 1, BigUInt(7).power(1000),
      ]
      return [
        SupportedType("BigUInt", "$[Q]", numbers),
        SupportedType(
          "BigInt", ##"{BigInt="isNegative"B"magnitude"$[Q]}"##,
          numbers.map { BigInt($0) } + numbers.map { -BigInt($0) }),
      ]
    }

    func testBigIntegersAreStoredWithLowestWordFirst() throws {
      XCTAssertEqual(try reread(BigUInt(5) << 64 + 3, as: [UInt64].self), [3, 5])
      XCTAssertEqual(try reread(BigUInt(0), as: [UInt64].self), [])
    }
  #endif

  #if Collections && BigInt
    func testReadmeListsExactlyTheSupportedTypes() throws {
      let types = [Self.ordered, Self.trees, Self.bits, Self.bigIntegers].flatMap { $0 }
      XCTAssertEqual(try TypesTable.names(of: "ArcCollections").sorted(), Set(types.map(\.name)).sorted())
    }
  #endif
}
