import Arc
import ArcTestSupport
import Foundation
import XCTest

/// The page about changes of a property's type shows the actual results of reading.
final class ChangePageTests: XCTestCase {
  func testChangesTableMatchesTheResultsOfReading() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/Changes.md"), encoding: .utf8)
    let shown = page.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    let rows = rows
    XCTAssertGreaterThanOrEqual(rows.count, 45)
    for (row, line) in zip(rows, shown) { XCTAssertEqual(row, line) }
    XCTAssertEqual(rows.count, shown.count, rows.joined(separator: "\n"))
  }

  private var rows: [String] {
    numbers + texts + presence + collections + values + references
  }

  private var numbers: [String] {
    [
      row("Int", "Double", 5, Double.self),
      row("Int", "Double", (1 << 53) + 1, Double.self),
      row("Int", "Int8", 100, Int8.self),
      row("Int", "Int8", 300, Int8.self),
      row("Int", "UInt", -1, UInt.self),
      row("Int32", "Int", 7 as Int32, Int.self),
      row("Double", "Int", 2.0, Int.self),
      row("Double", "Int", 2.5, Int.self),
      row("Double", "Float", 0.5, Float.self),
      row("Double", "Float", 0.1, Float.self),
      row("Bool", "Int", true, Int.self),
      row("Int", "Bool", 1, Bool.self),
      row("Int", "Bool", 2, Bool.self),
      row("Int", "Decimal", 12, Decimal.self),
      row("Double", "Decimal", 0.1, Decimal.self),
      row("Int", "String", 5, String.self),
    ]
  }

  private var texts: [String] {
    let id = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    return [
      row("String", "UUID", id, UUID.self),
      row("String", "UUID", "mine", UUID.self),
      row("UUID", "String", UUID(uuidString: id) ?? UUID(), String.self),
      row("String", "URL", "https://swift.org", URL.self),
      row("URL", "String", URL(string: "https://swift.org"), String.self),
      row("String", "Date", "2001-01-01T00:00:10Z", Date.self) { "\($0.timeIntervalSinceReferenceDate)" },
      row("Date", "String", Date(timeIntervalSinceReferenceDate: 10), String.self),
      row("Date", "Double", Date(timeIntervalSinceReferenceDate: 10), Double.self),
      row("Double", "Date", 10.0, Date.self) { "\($0)" },
      row("String", "Decimal", "1.50", Decimal.self),
      row("String", "Weekday", "monday", Weekday.self),
      row("String", "Weekday", "someday", Weekday.self),
      row("Weekday", "String", Weekday.monday, String.self),
      row("String", "Int", "5", Int.self),
    ]
  }

  private var presence: [String] {
    [
      row("Int", "Int?", 5, Int?.self),
      row("Int?", "Int", 5 as Int?, Int.self),
      row("Int?", "Int", nil as Int?, Int.self),
      row("Int", "[Int]", 5, [Int].self),
      row("Int?", "[Int]", nil as Int?, [Int].self),
      row("[Int]", "Int", [5], Int.self),
    ]
  }

  private var collections: [String] {
    [
      row("[Int]", "Set<Int>", [5], Set<Int>.self),
      row("[Int]", "Set<Int>", [5, 5], Set<Int>.self),
      row("Set<Int>", "[Int]", [5] as Set, [Int].self),
      row("[Int]", "[Double]", [1, 2], [Double].self),
      row("[String: Int]", "[String: Double]", ["a": 1], [String: Double].self),
      row("[UInt8]", "Data", [1, 2] as [UInt8], Data.self) { "\(Array($0))" },
      row("Data", "[UInt8]", Data([1, 2]), [UInt8].self),
      row("[Int]", "[String: Int]", [1], [String: Int].self),
    ]
  }

  private var values: [String] {
    [
      row("Spot", "Place", Spot(x: 1, y: 2), Place.self),
      row("Place", "Spot", Place(y: 2, x: 1, name: nil), Spot.self),
      row("Spot", "[Spot]", Spot(x: 1, y: 2), [Spot].self),
      row("Spot", "Int", Spot(x: 1, y: 2), Int.self),
      row("Mood", "Temper", Mood.glad(2), Temper.self),
      row("Mood", "Temper", Mood.sad, Temper.self),
    ]
  }

  private var references: [String] {
    [
      row("Cat", "Cat?", Cat(), Cat?.self),
      row("Cat", "[Cat]", Cat(), [Cat].self),
      row("Cat?", "[Cat]", nil as Cat?, [Cat].self),
      row("Lion", "Cat", Lion(), Cat.self, classes: [Lion.self]),
      row("[Cat]", "Cat", [Cat()], Cat.self),
      row("Cat", "Spot", Cat(), Spot.self),
    ]
  }

  private func row<Old: ArchivableValue, New: ArchivableValue>(
    _ old: String, _ new: String, _ value: Old, _ type: New.Type, classes: [any ArchivableValue.Type] = [],
    _ text: (New) -> String = { "\($0)" }
  ) -> String {
    let result: String
    do {
      let table = ClassTable(scope: .declared)
      for case let type as any Archivable.Type in classes { try table.register(all: type) }
      let read = try Unarchiver(classes: table).unarchive(type, from: Archiver().archive(value))
      result = "`\(plain(text(read)))`"
    } catch let error as ArchiveError {
      result = "`\(error.code)`"
    } catch {
      result = "\(error)"
    }
    return "| `\(old)` | `\(new)` | `\(plain("\(value)"))` | \(result) |"
  }

  /// Returns the text of a value without the module of its type and without `Optional`.
  private func plain(_ text: String) -> String {
    var text = text.replacingOccurrences(of: "FixtureTests.", with: "")
    if text.hasPrefix("Optional("), text.hasSuffix(")") { text = String(text.dropFirst(9).dropLast()) }
    return text
  }
}

enum Weekday: String, ArchivableValue { case monday, tuesday }
@Archivable("Spot") struct Spot: Equatable { var x = 0, y = 0 }
@Archivable("Place") struct Place { var y = 0.0, x = 0.0, name: String? }
@Archivable("Mood") enum Mood {
  case glad(Int)
  case sad
}
@Archivable("Temper") enum Temper {
  case calm
  case glad(Double, reason: String = "none")
}
@Archivable("Page.Cat") class Cat: CustomStringConvertible {
  init() {}
  var description: String { "a \(type(of: self))" }
}
@Archivable("Page.Lion") final class Lion: Cat {}
