import Arc
import ArcFoundation
import ArcTestSupport
import Foundation
import XCTest

/// Contents that fit the columns of a type, but are not a value of the type, are an error with a path, never
/// a trap.
final class RefusedValueTests: XCTestCase {
  func testUnknownTimeZonesAreRefused() throws {
    for name in ["", "Nowhere/City", "../../etc/passwd", "GMT+99999"] {
      try assertRefuses(
        name, as: TimeZone.self, "the time zone '\(name)', expected a time zone in this system's database")
    }
  }

  func testInvalidCalendarsAreRefused() throws {
    try assertRefuses("martian", as: Calendar.Identifier.self, "the calendar 'martian'")
    try assertRefuses(CalendarForm(identifier: "martian"), as: Calendar.self, "the calendar 'martian'")
    try assertRefuses(CalendarForm(timeZone: "Mars/Base"), as: Calendar.self, "the time zone 'Mars/Base'")
    for days in [0, 8, -1, .max, .min] {
      try assertRefuses(
        CalendarForm(firstWeekday: days), as: Calendar.self, "the number \(days) for 'firstWeekday'")
      try assertRefuses(
        CalendarForm(minimumDaysInFirstWeek: days), as: Calendar.self,
        "the number \(days) for 'minimumDaysInFirstWeek'")
    }
  }

  func testInvalidRangesOfIndexSetsAreRefused() throws {
    let refused: [[Range<Int>]] = [
      [-1..<2], [3..<3], [0..<2, 2..<3], [5..<6, 0..<1], [0..<5, 3..<9], [0 ..< .max], [.min ..< .max],
    ]
    for ranges in refused { try assertRefuses(ranges, as: IndexSet.self, "of an index set") }
  }

  func testInvalidRangesOfCharacterSetsAreRefused() throws {
    let refused: [[ClosedRange<UInt32>]] = [
      [0...0xD800], [0xDFFF...0xFFFF], [0...0x110000], [5...6, 6...7], [5...6, 0...1], [.max ... .max],
    ]
    for ranges in refused { try assertRefuses(ranges, as: CharacterSet.self, "of a character set") }
  }

  func testCharacterSetsOfManyRangesAreReadExactly() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<5 {
      let numbers = (0..<10_000).map { _ in UInt32.random(in: 0..<0xD800, using: &random) }
      let ranges = Set(numbers).sorted().map { $0...$0 }
      let set = try reread(ranges, as: CharacterSet.self)
      let members = (0..<0xD800 as Range<UInt32>).filter { Unicode.Scalar($0).map(set.contains) ?? false }
      XCTAssertEqual(members, Set(numbers).sorted())
    }
  }

  func testUnitsThatCannotBeRestoredAreRefused() throws {
    let form = MeasurementForm(value: 1, symbol: "x")
    let text = "the unit 'x' without a conversion that Arc can restore"
    try assertRefuses(form, as: Measurement<UnitLength>.self, text)
    try assertRefuses(form, as: Measurement<UnitFuelEfficiency>.self, text)
    let general: [Measurement<Unit>] = [Measurement(value: 1, unit: UnitLength.meters)]
    assertThrows(.notArchivable, "; declare the property as Measurement<UnitLength>") {
      try Archiver().archive(general)
    }
    let dimension: [Measurement<Dimension>] = [Measurement(value: 1, unit: UnitTemperature.celsius)]
    assertThrows(
      .notArchivable,
      "found the unit '°C' of class 'UnitTemperature' in a Measurement<Dimension>, expected a unit of class "
        + "'Dimension', not of a subclass (key 'root') at root[0]; "
        + "declare the property as Measurement<UnitTemperature>"
    ) { try Archiver().archive(dimension) }
    let other = UnitLength(symbol: "m", converter: UnitConverter())
    assertThrows(.notArchivable, "with a linear converter") {
      try Archiver().archive([Measurement(value: 1, unit: other)])
    }
  }

  func testDateComponentsOfOlderFilesLackRepeatedDay() throws {
    let old = OldDateComponents(isLeapMonth: true, year: 2026, dayOfYear: 7)
    var expected = DateComponents(year: 2026)
    expected.isLeapMonth = true
    expected.dayOfYear = 7
    let copy = try reread([old], as: [DateComponents].self)
    XCTAssertEqual(copy, [expected])
    XCTAssertNil(copy[0].isRepeatedDay)
  }

  /// The file contains the values at the time of archiving.
  func testAutoupdatingValuesAreReadAsFixedValues() throws {
    XCTAssertEqual(try roundTrip(TimeZone.autoupdatingCurrent).identifier, TimeZone.current.identifier)
    XCTAssertEqual(try roundTrip(Locale.autoupdatingCurrent).identifier, Locale.current.identifier)
    XCTAssertEqual(try roundTrip(Calendar.autoupdatingCurrent).identifier, Calendar.current.identifier)
  }
}

@Archivable private struct CalendarForm {
  var identifier = "gregorian"
  var locale: String?
  var timeZone = "GMT"
  var firstWeekday = 1
  var minimumDaysInFirstWeek = 1
}

@Archivable private struct MeasurementForm {
  var value: Double
  var symbol: String
  var reciprocal: Double? = 5
}

/// The form of date components in files of older releases, which did not state whether a day is repeated.
@Archivable("DateComponents") private struct OldDateComponents {
  var calendar: Calendar?
  var timeZone: TimeZone?
  var isLeapMonth: Bool?
  var era: Int?
  var year: Int?
  var month: Int?
  var day: Int?
  var hour: Int?
  var minute: Int?
  var second: Int?
  var nanosecond: Int?
  var weekday: Int?
  var weekdayOrdinal: Int?
  var quarter: Int?
  var weekOfMonth: Int?
  var weekOfYear: Int?
  var yearForWeekOfYear: Int?
  var dayOfYear: Int?
}
