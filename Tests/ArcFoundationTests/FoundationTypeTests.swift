import Arc
import ArcFormat
import ArcFoundation
import ArcTestSupport
import Foundation
import XCTest

/// Each type of Foundation that ArcFoundation supports round-trips in every kind of property, field and
/// collection.
final class FoundationTypeTests: XCTestCase {
  func testGeometryTypesRoundTrip() throws { for type in Self.geometry { try type.assertRoundTrips() } }
  func testIndexTypesRoundTrip() throws { for type in Self.indices { try type.assertRoundTrips() } }
  func testCalendarsRoundTrip() throws { for type in Self.calendarValues { try type.assertRoundTrips() } }
  func testTextTypesRoundTrip() throws { for type in Self.text { try type.assertRoundTrips() } }
  func testMeasurementsRoundTrip() throws { for type in Self.measurements { try type.assertRoundTrips() } }

  func testInvertedCharacterSetsRoundTrip() throws {
    let sets = [CharacterSet(charactersIn: "a😀").inverted, CharacterSet().inverted]
    for set in RandomTrials.sample(of: sets, oneIn: 2) { XCTAssertEqual(try roundTrip(set), set) }
  }

  /// They are not tested as keys, because Foundation hashes equal units without a dimension differently.
  func testMeasurementsWithDimensionlessUnitsRoundTrip() throws {
    let apples = Measurement(value: 2, unit: Unit(symbol: "apples"))
    XCTAssertEqual(try roundTrip([apples, apples]), [apples, apples])
  }

  func testReadmeListsExactlyTheSupportedTypes() throws {
    let lists = [Self.geometry, Self.indices, Self.calendarValues, Self.text, Self.measurements]
    var names = Set(lists.flatMap { $0 }.map(\.name))
    #if !canImport(CoreGraphics)
      names.formUnion(["CGVector", "CGAffineTransform"])
    #endif
    XCTAssertEqual(try TypesTable.names(of: "ArcFoundation").sorted(), names.sorted())
  }
}

extension FoundationTypeTests {
  private static let numbers: [CGFloat] = [
    0, -0.0, 1.5, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
    CGFloat(nan: 5, signaling: false),
  ]

  private static func haveSameBits(_ left: [CGFloat], _ right: [CGFloat]) -> Bool {
    left.map(\.native.bitPattern) == right.map(\.native.bitPattern)
  }

  static var geometry: [SupportedType] {
    let points = zip(numbers, numbers.reversed()).map { CGPoint(x: $0, y: $1) }
    // Foundation treats all rectangles with an infinite origin as equal, but hashes them differently.
    let rects =
      points.filter { $0.x != .infinity && $0.y != .infinity }
      .map { CGRect(origin: $0, size: CGSize(width: -1, height: $0.x)) } + [.null, .infinite]
    let sizes = rects.map(\.size)
    let point = #"{CGPoint="x"d"y"d}"#
    let size = #"{CGSize="width"d"height"d}"#
    let types = [
      SupportedType("CGFloat", "d", numbers) { haveSameBits([$0], [$1]) },
      SupportedType("CGPoint", point, points) { haveSameBits([$0.x, $0.y], [$1.x, $1.y]) },
      SupportedType("CGSize", size, sizes) { haveSameBits([$0.width, $0.height], [$1.width, $1.height]) },
      SupportedType("CGRect", #"{CGRect="origin"\#(point)"size"\#(size)}"#, rects) { left, right in
        haveSameBits(
          [left.origin.x, left.origin.y, left.size.width, left.size.height],
          [right.origin.x, right.origin.y, right.size.width, right.size.height])
      },
      SupportedType(
        "AffineTransform", #"{AffineTransform="m11"d"m12"d"m21"d"m22"d"tX"d"tY"d}"#,
        [.identity, AffineTransform(m11: 1, m12: -2, m21: 3, m22: -0.0, tX: 5, tY: .infinity)]),
    ]
    #if canImport(CoreGraphics)
      return types + [
        SupportedType("CGVector", #"{CGVector="dx"d"dy"d}"#, [CGVector(dx: 1, dy: -2), .zero]),
        SupportedType(
          "CGAffineTransform", #"{CGAffineTransform="a"d"b"d"c"d"d"d"tx"d"ty"d}"#,
          [.identity, CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: -6)]),
      ]
    #else
      return types
    #endif
  }

  static var indices: [SupportedType] {
    let last = Int.max - 1
    return [
      SupportedType(
        "NSRange", #"{_NSRange="location"q"length"q}"#,
        [NSRange(location: NSNotFound, length: 0), NSRange(location: -1, length: .max), NSRange(0..<3)]),
      SupportedType(
        "IndexSet", #"$[{Range<Int>="lowerBound"q"upperBound"q}]"#,
        [
          IndexSet(), [0], IndexSet([1, 2, 3, 7, 9]), IndexSet(integer: last - 1),
          IndexSet(integersIn: 5..<last),
        ]),
    ]
  }

  private static var calendars: [Calendar] {
    var changed = Calendar(identifier: .hebrew)
    changed.locale = Locale(identifier: "he_IL")
    changed.timeZone = TimeZone(secondsFromGMT: -3600) ?? .gmt
    changed.firstWeekday = 7
    changed.minimumDaysInFirstWeek = 3
    return [Calendar(identifier: .gregorian), Calendar(identifier: .iso8601), changed]
  }

  static var calendarValues: [SupportedType] {
    let zones = ["GMT", "Europe/Berlin", "GMT+0530", "Asia/Kathmandu"].compactMap { TimeZone(identifier: $0) }
    let identifiers: [Calendar.Identifier] = [
      .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew, .iso8601,
      .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina, .islamicTabular,
      .islamicUmmAlQura,
    ]
    var full = DateComponents(
      calendar: calendars[2], timeZone: zones[1], era: 1, year: -4, month: .max - 1, day: 0)
    full.isLeapMonth = true
    full.isRepeatedDay = true
    full.nanosecond = 5
    full.dayOfYear = 366
    let text = #"@"NSString""#
    let calendar =
      #"{Calendar="identifier"\#(text)"locale"$?\#(text)"timeZone"\#(text)"firstWeekday"q"minimumDaysInFirstWeek"q}"#
    let numbers = [
      "era", "year", "month", "day", "hour", "minute", "second", "nanosecond", "weekday", "weekdayOrdinal",
      "quarter", "weekOfMonth", "weekOfYear", "yearForWeekOfYear", "dayOfYear",
    ].map { "\"\($0)\"$?q" }.joined()
    return [
      SupportedType("TimeZone", #"@"NSString""#, zones + [TimeZone(secondsFromGMT: -44_000) ?? .gmt]),
      SupportedType(
        "Locale", #"@"NSString""#, ["", "de_DE", "en_US@calendar=buddhist"].map { Locale(identifier: $0) }),
      SupportedType("Calendar.Identifier", #"@"NSString""#, identifiers),
      SupportedType("Calendar", calendar, calendars),
      SupportedType(
        "DateComponents",
        ##"{DateComponents="calendar"$?\##(calendar)"timeZone"$?@"NSString""isLeapMonth"$?B\##(numbers)"isRepeatedDay"$?B}"##,
        [
          DateComponents(), full,
          DateComponents(hour: 25, minute: -1, weekday: 1, quarter: 2, yearForWeekOfYear: 2026),
        ]),
    ]
  }

  static var text: [SupportedType] {
    var name = PersonNameComponents()
    name.givenName = "Ada"
    name.familyName = ""
    var full = name
    full.namePrefix = "Dr"
    full.middleName = "é"
    full.nameSuffix = "III"
    full.nickname = "\u{0}"
    full.phoneticRepresentation = name
    let parts = ["namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname"]
      .map { "\"\($0)\"$?@\"NSString\"" }.joined()
    let last =
      Unicode.Scalar(0x10FFFF as UInt32).map { CharacterSet(charactersIn: $0...$0) } ?? CharacterSet()
    return [
      SupportedType("Notification.Name", #"@"NSString""#, [Notification.Name("a"), Notification.Name("")]),
      SupportedType(
        "CharacterSet", ##"$[{ClosedRange<UInt32>="lowerBound"I"upperBound"I}]"##,
        [
          CharacterSet(), CharacterSet(charactersIn: "aé😀"), .whitespaces,
          last,
        ]),
      SupportedType(
        "PersonNameComponents",
        ##"{PersonNameComponents=\##(parts)"phoneticRepresentation"$?{PersonNameComponents}}"##,
        [PersonNameComponents(), name, full]),
    ]
  }

  static var measurements: [SupportedType] {
    func encoding(_ unit: String) -> String {
      ##"{Measurement<\##(unit)>="value"d"symbol"@"NSString""coefficient"$?d"constant"$?d"reciprocal"$?d}"##
    }
    let economy: [UnitFuelEfficiency] = [.litersPer100Kilometers, .milesPerGallon, .milesPerImperialGallon]
    let own = UnitLength(symbol: "é", converter: UnitConverterLinear(coefficient: 0.1, constant: -0.0))
    return [
      SupportedType(
        "Measurement", encoding("UnitLength"),
        [Measurement(value: 1.5, unit: UnitLength.miles), Measurement(value: -0.0, unit: own)]),
      SupportedType(
        "Measurement", encoding("UnitTemperature"),
        [Measurement(value: 451, unit: UnitTemperature.fahrenheit)]),
      SupportedType(
        "Measurement", encoding("UnitFuelEfficiency"),
        economy.map { Measurement(value: 7, unit: $0) }),
    ]
  }
}
