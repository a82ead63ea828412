import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Values are converted from each stored form of their column: plain, constant, differences, packed bits,
/// numbers of a string table, several segments, and compressed.
final class StoredFormChangeTests: XCTestCase {
  private static let count = RandomTrials.size(usually: 600, exhaustively: 20_000)

  /// Patterns of numbers that are stored in each of the forms.
  private let patterns: [(name: String, value: (Int) -> Int)] = [
    ("constant", { _ in 7 }), ("ascending", { $0 }), ("small", { ($0 &* 2_654_435_761) % 13 }),
    ("runs", { $0 / (StoredFormChangeTests.count / 20) % 5 }),
    ("wide", { ($0 &* 6_364_136_223_846_793_005) >> 12 }), ("bits", { $0 % 3 & 1 }),
  ]

  private func assertReads<Old: ArchivableValue, New: ArchivableValue & Equatable>(
    _ old: [Old], as new: [New], _ message: String, line: UInt = #line
  ) throws {
    let classes = ClassTable()
    try classes.register(After<New>.self, as: Before<Old>.archiveSchema.name)
    for compression in [Compression.none, .zlib(level: 1)] {
      let archiver = Archiver(compression: compression)
      let objects = try Unarchiver(classes: classes).unarchive(
        [After<New>].self, from: archiver.archive(old.map { Before($0) }))
      XCTAssertTrue(objects.map(\.value) == new, message, line: line)
      XCTAssertTrue(
        try Unarchiver().unarchive([New].self, from: archiver.archive(old)) == new, message, line: line)
    }
  }

  func testNumbersOfEveryStoredFormAreConverted() throws {
    for (name, value) in patterns {
      let numbers = (0..<Self.count).map(value)
      try assertReads(numbers, as: numbers.map { Double($0) }, name)
      try assertReads(numbers.map { Double($0) }, as: numbers, name)
      try assertReads(numbers, as: numbers.map { Int128($0) }, name)
      try assertReads(numbers.map { Int128($0) }, as: numbers, name)
      try assertReads(numbers.map(Optional.some), as: numbers, name)
      try assertReads(numbers, as: numbers.map { [$0] }, name)
    }
    let bits = (0..<Self.count).map { $0 % 3 == 0 }
    try assertReads(bits, as: bits.map { $0 ? 1 : 0 } as [UInt16], "bits")
    try assertReads(bits.map { $0 ? 1 : 0 } as [Float], as: bits, "bits")
  }

  func testStringsOfEveryStoredFormAreConverted() throws {
    let ids = (0..<40).map { _ in UUID() }
    let fewCount = RandomTrials.size(usually: 200, exhaustively: 2000)
    // A few distinct strings are stored in the string table, many are not.
    for many in [(0..<Self.count).map { ids[$0 % ids.count] }, (0..<fewCount).map { _ in UUID() }] {
      try assertReads(many.map(\.uuidString), as: many, "UUID")
      try assertReads(many, as: many.map(\.uuidString), "UUID")
      try assertReads(many.map(\.uuidString), as: many.map { Set([$0]) }, "UUID")
    }
    let decimals = (0..<fewCount).map { Decimal($0 % 50) / 4 }
    try assertReads(decimals.map(\.description), as: decimals, "Decimal")
    let urls = try (0..<fewCount).map { try XCTUnwrap(URL(string: "https://example.com/\($0 % 50)")) }
    try assertReads(urls.map(\.absoluteString), as: urls, "URL")
    try assertReads(urls, as: urls.map(\.absoluteString), "URL")
  }

  func testLongStringsAreRefusedBeforeParsing() throws {
    let long = String(repeating: "0", count: 1 << 20) + "5"
    let bytes = try Archiver(compression: .zlib).archive([String](repeating: long, count: 100_000))
    assertThrows(.valueOutOfRange) { try Unarchiver().unarchive([Decimal].self, from: bytes) }
  }

  func testErrorReportsInexactNumberInEachSegment() throws {
    let count = RandomTrials.size(usually: 3_000, exhaustively: 200_000)
    let segmentBytes = RandomTrials.size(usually: 1 << 13, exhaustively: 1 << 20)
    for index in [0, 1, count / 4 * 3, count - 1] {
      var numbers = (0..<count).map { ($0 &* 6_364_136_223_846_793_005) >> 12 }
      numbers[index] = .max
      let bytes = try Archiver(layout: .compact(segmentBytes: segmentBytes))
        .archive(numbers.map { Before($0) })
      XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.count { $0.kind == .rows }, 1)
      let classes = ClassTable()
      try classes.register(After<Double>.self, as: Before<Int>.archiveSchema.name)
      XCTAssertThrowsError(try Unarchiver(classes: classes).unarchive([After<Double>].self, from: bytes)) {
        XCTAssertEqual(($0 as? ArchiveError)?.objectPath, "root[\(index)].value")
        XCTAssertEqual(($0 as? ArchiveError)?.found, "the number 9223372036854775807")
        XCTAssertEqual(($0 as? ArchiveError)?.objectID?.rawValue, UInt32(index + 1))
      }
    }
  }
}

@Archivable private final class Before<Value: ArchivableValue> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable private final class After<Value: ArchivableValue> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
