import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of a file fit a wider type of the program, by one rule for classes and `ArchiveFile`. Spec:
/// 06-evolution, M4.
final class WideningTests: XCTestCase {
  private func assertReads<Old: ArchivableValue, New: ArchivableValue & Equatable>(
    _ old: Old, as new: New, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let bytes = try Archiver().archive([old, old])
    XCTAssertEqual(try Unarchiver().unarchive([New].self, from: bytes), [new, new], file: file, line: line)
    let roots = try ArchiveFile(bytes: bytes).rows(ofClass: "$roots")
    XCTAssertEqual(try roots.column("root", as: [New].self), [[new, new]], file: file, line: line)
  }

  private func assertRefuses<Old: ArchivableValue, New: ArchivableValue>(
    _ old: Old, as type: New.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let bytes = try Archiver().archive([old])
    assertThrows(.typeMismatch, file: file, line: line) {
      try Unarchiver().unarchive([New].self, from: bytes)
    }
    let roots = try ArchiveFile(bytes: bytes).rows(ofClass: "$roots")
    assertThrows(.typeMismatch, file: file, line: line) { try roots.column("root", as: [New].self) }
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    func testHalfPrecisionNumbersWiden() throws {
      try assertReads(Float16(-1.5), as: Float(-1.5))
      try assertReads(Float16.leastNonzeroMagnitude, as: Double(Float16.leastNonzeroMagnitude))
      try assertReads(-Float16.infinity, as: -Double.infinity)
    }
  #endif

  func testDatesAreReadAsSecondsSinceReferenceDate() throws {
    let bytes = try Archiver().archive([Date(timeIntervalSinceReferenceDate: -5.25)])
    XCTAssertEqual(try Unarchiver().unarchive([Double].self, from: bytes), [-5.25])
    let roots = try ArchiveFile(bytes: bytes).rows(ofClass: "$roots")
    XCTAssertEqual(try roots.column("root", as: [Double].self), [[-5.25]])
    try assertRefuses(1.5, as: Date.self)
    try assertRefuses(Date(), as: Float.self)
  }

  func testDecimalsAreReadAsStrings() throws {
    try assertReads(Decimal(string: "-12.50")!, as: "-12.5")
  }

  func testSetsAreReadAsArrays() throws {
    try assertReads(Set([7]), as: [7])
    try assertReads(Set([Int8(-7)]), as: [Int?.some(-7)])
  }

  func testDataCanBeReadAsUnsignedBytesOnly() throws {
    try assertReads(Data([0, 255, 7]), as: [UInt8]([0, 255, 7]))
    try assertReads(Data(), as: [UInt8]())
    try assertReads(Data([1]), as: Optional([UInt8](arrayLiteral: 1)))
    try assertRefuses(Data([1]), as: [Int8].self)
  }

  func testDataIsNotReadAsRawValues() throws {
    let bytes = try Archiver().archive([Data([0, 1])])
    assertThrows(.typeMismatch) { try Unarchiver().unarchive([[Flag]].self, from: bytes) }
    let roots = try ArchiveFile(bytes: bytes).rows(ofClass: "$roots")
    assertThrows(.typeMismatch) { try roots.column("root", as: [[Flag]].self) }
  }

  /// A single column has no objects and no older names, so it cannot be read as such types.
  func testColumnsCannotBeReadAsObjectsOrStructures() throws {
    let paper = OldPaper()
    paper.next = OldPaper()
    let file = try ArchiveFile(bytes: Archiver().archive(paper))
    let rows = try file.rows(ofClass: "Paper")
    assertThrows(.typeMismatch) { try rows.column("next", as: OldPaper?.self) }
    XCTAssertEqual(try rows.column("next", as: ObjectID?.self).map { $0?.rawValue }, [2, nil])
    let points = try ArchiveFile(bytes: Archiver().archive([NewPoint(x: 1, y: 2)])).rows(ofClass: "$roots")
    assertThrows(.typeMismatch) { try points.column("root", as: [NewPoint].self) }
  }

  /// The values after a widened value in its column are found, also if the reader skips the widened value.
  func testObjectsAfterAConvertedValueAreReadUnchanged() throws {
    let old = OldPaper()
    old.next = OldPaper()
    old.next?.bytes = Data([9, 9])
    let new = try reread(old, as: NewPaper.self)
    XCTAssertEqual(new.bytes, [1, 2, 3])
    XCTAssertEqual(new.amount, "0.1")
    XCTAssertEqual(new.next?.bytes, [9, 9])
    XCTAssertEqual(new.next?.tags.sorted(), ["a", "b"])
  }
}

@Archivable("Paper") private final class OldPaper {
  var bytes = Data([1, 2, 3])
  var amount = Decimal(sign: .plus, exponent: -1, significand: 1)
  var tags: Set<String> = ["a", "b"]
  var next: OldPaper?
}

@Archivable("Paper") private final class NewPaper {
  var bytes: [UInt8] = []
  var amount = ""
  var tags: [String] = []
  var next: NewPaper?
}

private enum Flag: UInt8, ArchivableValue { case off, on }
