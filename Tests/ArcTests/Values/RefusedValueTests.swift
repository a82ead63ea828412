import Arc
import ArcFormat
import ArcTestSupport
import XCTest

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Contents that fit the columns of a type, but are not a value of the type, are an error with a path.
final class RefusedValueTests: XCTestCase {
  func testReversedRangesAreRefused() throws {
    let reversed = Bounds(lowerBound: 3, upperBound: 1)
    try assertRefuses(
      reversed, as: Range<Int>.self, "found a range from 3 to 1, expected bounds in ascending order")
    try assertRefuses(reversed, as: ClosedRange<Int>.self, "a range from 3 to 1")
    try assertRefuses(
      Bounds(lowerBound: 0, upperBound: .nan), as: Range<Double>.self, "a range from 0.0 to nan")
    try assertRefuses(Bounds(lowerBound: "b", upperBound: "a"), as: ClosedRange<String>.self, "from b to a")
  }

  func testWritingInvalidRangesIsRefused() throws {
    // Ranges that `init(uncheckedBounds:)` creates in a release build.
    let bounds: [(Double, Double)] = [(0, .nan), (1, 0.5)]
    let ranges = bounds.map { unsafeBitCast($0, to: Range<Double>.self) }
    for range in ranges {
      assertThrows(.valueOutOfRange, "which could not be read again") { try Archiver().archive([range]) }
    }
    assertThrows(.valueOutOfRange, "key 'root'") {
      try Archiver().archive(unsafeBitCast((1, 0), to: ClosedRange<Int>.self))
    }
  }

  func testRangesWithoutUpperBoundsAreRefused() throws {
    try assertRefuses(
      Lower(lowerBound: 1), as: Range<Int>.self, "expected a value of type 'Int'", code: .missingKey)
  }

  func testArraysWithWrongElementCountAreRefused() throws {
    for count in [0, 2, 4, 5] {
      let lanes = [Float](repeating: 1, count: count)
      try assertRefuses(
        lanes, as: SIMD3<Float>.self,
        "found an array of \(plural(count, "element")), expected an array of 3 elements")
    }
    try assertRefuses([1, 2], as: CollectionOfOne<Int>.self, "an array of 2 elements")
    try assertRefuses([Int](), as: CollectionOfOne<Int>.self, "an array of 0 elements")
    try assertRefuses(Data([1, 2]), as: SIMD4<UInt8>.self, "an array of 2 elements")
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      try assertRefuses(["a"], as: InlineArray<2, String>.self, "an array of 1 element")
      try assertRefuses(["a"], as: InlineArray<0, String>.self, "an array of 1 element")
    }
  }

  func testInvalidUnicodeScalarsAndCharactersAreRefused() throws {
    for number in [0xD800, 0xDFFF, 0x110000, UInt32.max] {
      try assertRefuses(
        number, as: Unicode.Scalar.self, "the number \(number), expected the number of a Unicode scalar")
    }
    try assertRefuses("ab", as: Character.self, "a string of 2 characters")
  }

  func testIntervalsOfNegativeDurationAreRefused() throws {
    for duration in [-0.5, -.infinity, .nan] {
      try assertRefuses(
        Interval(start: .distantPast, duration: duration), as: DateInterval.self,
        "a duration of \(duration) seconds")
    }
  }

  func testInvalidURLComponentsTextIsRefused() throws {
    try assertRefuses("http://[", as: URLComponents.self, "the string 'http://[', expected a URL")
  }

  func testWritingURLComponentsWithoutURLIsRefused() {
    var components = URLComponents()
    components.path = "//a"
    assertThrows(.valueOutOfRange, "expected components of a valid URL (key 'root')") {
      try Archiver().archive([components])
    }
  }

  func testUnknownCaseForResultTypeIsRefused() throws {
    try assertRefuses(
      Outcome.other, as: Result<Int, Failure>.self,
      "a case of the program's enumeration: 'success', 'failure'",
      code: .unknownCase)
    let read = try reread([Outcome.success(1), .failure(Failure())], as: [Result<Int, Failure>].self)
    XCTAssertEqual(read, [.success(1), .failure(Failure())])
  }

  /// Collections are arrays in files, so the type of a property can be changed to another collection.
  func testCollectionsConvertToEachOther() throws {
    func read<New: ArchivableValue>(_ old: some ArchivableValue, as type: New.Type) throws -> New {
      try reread(old, as: New.self)
    }
    XCTAssertEqual(try read(SIMD3(1, 2, 3), as: [Int].self), [1, 2, 3])
    XCTAssertEqual(try read([1, 2, 3] as [Int32], as: SIMD3<Int>.self), SIMD3(1, 2, 3))
    XCTAssertEqual(try read(Data([1, 2]), as: SIMD2<UInt8>.self), SIMD2(1, 2))
    XCTAssertEqual(try read(SIMD2<Float>(1, -0.5), as: SIMD2<Double>.self), SIMD2(1, -0.5))
    XCTAssertEqual(try read(Set([7]), as: CollectionOfOne<Int>.self)[0], 7)
    XCTAssertEqual(try read([1, 2, 3].dropFirst(), as: ContiguousArray<Int>.self), [2, 3])
    XCTAssertEqual(try read(1..<3, as: ClosedRange<Int>.self), 1...3)
    XCTAssertEqual(try read(1...3, as: PartialRangeFrom<Int>.self).lowerBound, 1)
  }
}

@Archivable private struct Bounds<Bound: ArchivableValue> {
  var lowerBound: Bound
  var upperBound: Bound
}

@Archivable private struct Lower { var lowerBound: Int }

@Archivable private struct Interval {
  var start: Date
  var duration: Double
}

@Archivable private enum Outcome {
  case success(Int)
  case failure(Failure)
  case other
}

@Archivable private struct Failure: Error, Equatable {}
