import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// A structure of which the program reads one field as a value of another type, and does not know another
/// field: a save preserves the unknown field, and the program reads its own field again. Structures are in
/// properties, arrays, dictionaries, optionals and cases.
final class PreservedFieldTests: XCTestCase {
  /// The sample of a test's checks. It is lazy, because XCTest creates all tests before it runs one.
  private lazy var checks = TrialSample(oneIn: 3)

  /// Has the program read a document of another release, and save it unchanged or with another title. Checks
  /// the result.
  private func check<Stored: ArchivableValue & Equatable, Read: ArchivableValue & Equatable>(
    _ value: Stored, _ read: Read, line: UInt = #line
  ) {
    guard checks.includesNext() else { return }
    for isChanged in [false, true] {
      do {
        let bytes = try Archiver().archive(Writing.Document(value))
        let content = PreservedContent()
        let document = try Unarchiver(
          classes: ClassTable(Reading.Document<Read>.self, asRootOf: bytes),
          unknownContent: .preserve(in: content)
        ).unarchive(Reading.Document<Read>.self, from: bytes)
        XCTAssertEqual(document.values, Array(repeating: read, count: 5), line: line)
        if isChanged { document.title = "changed" }
        let saved = try Archiver(preserving: content).archive(document)
        let file = try ArchiveFile(verifying: saved)
        for (path, note) in Writing.Document<Stored>.notes {
          XCTAssertEqual(try file.value(atPath: path).value.string, note, path, line: line)
        }
        let again = try Unarchiver(
          classes: ClassTable(Reading.Document<Read>.self, asRootOf: saved), unknownContent: .leaveOut
        ).unarchive(Reading.Document<Read>.self, from: saved)
        XCTAssertEqual(again.values, document.values, line: line)
        XCTAssertEqual(again.title, document.title, line: line)
      } catch {
        XCTFail("\(Stored.self) as \(Read.self): \(error)", line: line)
      }
    }
  }

  func testUnknownFieldsSurviveConversionToArray() {
    check(5, [5])
    check(5 as Int?, [5])
    check(nil as Int?, [Int]())
    check("a", ["a"])
    check([5], [[5]])
    check([1: 2], [[1: 2]])
    check(5 as Int8, [5])
  }

  func testUnknownFieldsSurviveConversionToSet() {
    check("a", ["a"] as Set)
    check(nil as String?, [] as Set<String>)
    check([5], [5] as Set)
    check([5, 4, 3], [3, 4, 5] as Set)
    check([5] as Set, [5])
  }

  func testUnknownFieldsSurviveNumberAndStringConversions() {
    check(5, 5.0)
    check(5 as UInt8, 5 as Int?)
    check(2.0, 2)
    check("6ba7b810-9dad-11d1-80b4-00c04fd430c8", UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    check(Date(timeIntervalSinceReferenceDate: 10), 10.0)
    check("1.5", Decimal(string: "1.5"))
    check(12, Decimal(12))
    check(Decimal(12), 12)
    check(1.5, Decimal(string: "1.5"))
    check(true, 1)
    check([1, 2] as [UInt8], Data([1, 2]))
    check(Data([1, 2]), [1, 2] as [UInt8])
  }

  func testUnknownFieldsOfConvertedStructuresArePreserved() {
    check(Writing.Spot(value: 5, note: "inner"), Reading.Spot(value: 5.0))
    check(Writing.Spot(value: 5, note: "inner"), Reading.Spot(value: [5]))
    check([Writing.Spot(value: 5, note: "inner")], [Reading.Spot(value: [5])])
  }
}

/// The release that wrote the files.
private enum Writing {
  @Archivable struct Spot<Value: ArchivableValue & Equatable>: Equatable {
    var value: Value
    var note: String
  }
  @Archivable enum Choice<Value: ArchivableValue & Equatable> { case spot(Spot<Value>) }
  @Archivable final class Document<Value: ArchivableValue & Equatable> {
    var title = ""
    var spot: Spot<Value>
    var spots: [Spot<Value>]
    var byName: [String: Spot<Value>]
    var maybe: Spot<Value>?
    var choice: Choice<Value>
    init(_ value: Value) {
      spot = Spot(value: value, note: "1")
      spots = [Spot(value: value, note: "2")]
      byName = ["a": Spot(value: value, note: "3")]
      maybe = Spot(value: value, note: "4")
      choice = .spot(Spot(value: value, note: "5"))
    }
    /// The values of the unknown fields, by path.
    static var notes: [(String, String)] {
      [
        ("root.spot.note", "1"), ("root.spots[0].note", "2"), ("root.byName[\"a\"].note", "3"),
        ("root.maybe.note", "4"),
      ]
    }
  }
}

/// The release that reads and saves them.
private enum Reading {
  @Archivable struct Spot<Value: ArchivableValue & Equatable>: Equatable { var value: Value }
  @Archivable enum Choice<Value: ArchivableValue & Equatable> {
    case spot(Spot<Value>)
    var spot: Spot<Value> {
      switch self {
      case .spot(let spot): spot
      }
    }
  }
  @Archivable final class Document<Value: ArchivableValue & Equatable> {
    var title = ""
    var spot: Spot<Value>
    var spots: [Spot<Value>] = []
    var byName: [String: Spot<Value>] = [:]
    var maybe: Spot<Value>?
    var choice: Choice<Value>
    init(_ value: Value) { (spot, choice) = (Spot(value: value), .spot(Spot(value: value))) }
    /// The values of all structures.
    var values: [Value] {
      [spot.value] + spots.map(\.value) + byName.values.map(\.value)
        + [maybe?.value, choice.spot.value]
        .compactMap { $0 }
    }
  }
}
