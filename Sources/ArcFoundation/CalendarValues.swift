public import Arc
public import ArcFormat
public import Foundation

// Each value is archived in its current state: an autoupdating value is read as a fixed value.

extension TimeZone: ArchivableByConversion {
  /// The archived form: the identifier of the time zone, such as `Europe/Berlin` or `GMT+0530`.
  public var archivedForm: String { identifier }
  /// Creates a time zone from its identifier.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the system does not know the identifier.
  public init(archivedForm: String) throws {
    guard let timeZone = TimeZone(identifier: archivedForm) else {
      throw ArchiveError(
        .valueOutOfRange, found: "the time zone '\(archivedForm)'",
        expected: "a time zone in this system's database",
        remedy: "update the system's time zone database, or read the property as a String")
    }
    self = timeZone
  }
}

extension Locale: ArchivableByConversion {
  /// The archived form: the identifier of the locale, such as `de_DE` or `en_US@calendar=buddhist`.
  public var archivedForm: String { identifier }
  /// Creates a locale from an identifier. Every identifier is accepted.
  public init(archivedForm: String) { self.init(identifier: archivedForm) }
}

extension Calendar.Identifier: ArchivableByConversion {
  /// The name of each calendar identifier in Unicode's locale data. `NSCalendar.Identifier` uses the same
  /// names.
  private static let names: [(identifier: Calendar.Identifier, name: String)] = [
    (.gregorian, "gregorian"), (.buddhist, "buddhist"), (.chinese, "chinese"), (.coptic, "coptic"),
    (.ethiopicAmeteMihret, "ethiopic"), (.ethiopicAmeteAlem, "ethiopic-amete-alem"),
    (.hebrew, "hebrew"), (.iso8601, "iso8601"), (.indian, "indian"), (.islamic, "islamic"),
    (.islamicCivil, "islamic-civil"), (.japanese, "japanese"), (.persian, "persian"),
    (.republicOfChina, "roc"), (.islamicTabular, "islamic-tbla"), (.islamicUmmAlQura, "islamic-umalqura"),
  ]
  /// The archived form: the calendar's name in Unicode's locale data.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if this version of Arc does not know the calendar.
  public var archivedForm: String {
    get throws {
      guard let name = Self.names.first(where: { $0.identifier == self })?.name else {
        throw ArchiveError(
          .valueOutOfRange, found: "the calendar '\(self)'",
          expected: "a calendar that this version of Arc knows")
      }
      return name
    }
  }
  /// Creates a calendar identifier from its name in Unicode's locale data.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if this version of Arc does not know the name.
  public init(archivedForm: String) throws {
    guard let identifier = Self.names.first(where: { $0.name == archivedForm })?.identifier else {
      throw ArchiveError(
        .valueOutOfRange, found: "the calendar '\(archivedForm)'",
        expected: "a calendar that this version of Arc knows")
    }
    self = identifier
  }
}

extension Calendar: ArchivableValue {
  /// Returns the type encoding of a calendar: a structure.
  ///
  /// The structure contains the identifier, the locale, the time zone, and the rules for weeks.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self, omitsFields: true) {
      [
        context.field("identifier", \Self.identifier), context.field("locale", \Self.locale),
        context.field("timeZone", \Self.timeZone), context.field("firstWeekday", \Self.firstWeekday),
        context.field("minimumDaysInFirstWeek", \Self.minimumDaysInFirstWeek),
      ]
    }
  }
  /// Reads the properties of a calendar from the column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the identifier or the time zone is unknown, or
  ///   if `firstWeekday` or `minimumDaysInFirstWeek` is not between 1 and 7. Spec: 06-evolution, rule M5.
  public static func __read(from column: ColumnReader) throws -> Calendar {
    var calendar = Calendar(identifier: try column.value(0))
    calendar.locale = try column.value(1)
    calendar.timeZone = try column.value(2)
    calendar.firstWeekday = try days(column.value(3), "firstWeekday", column)
    calendar.minimumDaysInFirstWeek = try days(column.value(4), "minimumDaysInFirstWeek", column)
    return calendar
  }
  private static func days(_ count: Int, _ property: String, _ column: ColumnReader) throws -> Int {
    guard (1...7).contains(count) else {
      throw column.error(
        .valueOutOfRange, found: "the number \(count) for '\(property)' of a calendar",
        expected: "a number from 1 to 7")
    }
    return count
  }
  /// Appends the properties of the calendar to the column.
  public func __write(to column: ColumnWriter) throws {
    try column.write(identifier, at: 0)
    try column.write(locale, at: 1)
    try column.write(timeZone, at: 2)
    try column.write(firstWeekday, at: 3)
    try column.write(minimumDaysInFirstWeek, at: 4)
  }
}

extension DateComponents: ArchivableValue {
  private typealias Number = WritableKeyPath<DateComponents, Int?> & Sendable

  /// Whether the day is a repeated day. Nil if this is not known, or if this version of Foundation does not
  /// have the property `isRepeatedDay`.
  private var repeatedDay: Bool? {
    get {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
      return isRepeatedDay
    }
    set {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      isRepeatedDay = newValue
    }
  }

  private static let numbers: [(name: String, path: any Number)] = [
    ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour),
    ("minute", \.minute), ("second", \.second), ("nanosecond", \.nanosecond), ("weekday", \.weekday),
    ("weekdayOrdinal", \.weekdayOrdinal), ("quarter", \.quarter), ("weekOfMonth", \.weekOfMonth),
    ("weekOfYear", \.weekOfYear), ("yearForWeekOfYear", \.yearForWeekOfYear), ("dayOfYear", \.dayOfYear),
  ]
  /// Returns the type encoding of date components: a structure of optionals.
  ///
  /// The structure contains the calendar, the time zone, the components, and two flags.
  ///
  /// The flags state whether the month is a leap month, and whether the day is repeated. Older files lack the
  /// second flag.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [
        context.field("calendar", \Self.calendar), context.field("timeZone", \Self.timeZone),
        context.field("isLeapMonth", \Self.isLeapMonth),
      ]
        + numbers.map { number in context.field(number.name) { (value: Self) in value[keyPath: number.path] }
        }
        + [context.field("isRepeatedDay", \Self.repeatedDay)]
    }
  }
  /// Reads the date components from the column.
  public static func __read(from column: ColumnReader) throws -> DateComponents {
    var components = DateComponents()
    components.calendar = try column.value(0)
    components.timeZone = try column.value(1)
    components.isLeapMonth = try column.value(2)
    for (index, number) in numbers.enumerated() {
      components[keyPath: number.path] = try column.value(index + 3)
    }
    components.repeatedDay = try column.value(numbers.count + 3)
    return components
  }
  /// Appends the date components to the column.
  public func __write(to column: ColumnWriter) throws {
    try column.write(calendar, at: 0)
    try column.write(timeZone, at: 1)
    try column.write(isLeapMonth, at: 2)
    for (index, number) in Self.numbers.enumerated() {
      try column.write(self[keyPath: number.path], at: index + 3)
    }
    try column.write(repeatedDay, at: Self.numbers.count + 3)
  }
}
