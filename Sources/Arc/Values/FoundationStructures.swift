public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Values of Foundation for which the format has no kind of their own. Those that need time zones, locales or
// Objective-C's classes are in ArcFoundation, which loads all of Foundation.

extension String.Encoding: ArchivableValue {}
extension ComparisonResult: ArchivableValue {}

extension DateInterval: ArchivableValue {
  /// Returns the type encoding of a structure, `{DateInterval="start"@"NSDate""duration"d}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("start", \Self.start), context.field("duration", \Self.duration)]
    }
  }
  /// Reads a date interval from a column: the start, and the duration in seconds.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the duration is negative. Spec: 06-evolution,
  ///   rule M5.
  public static func __read(from column: ColumnReader) throws -> DateInterval {
    let (start, duration): (Date, TimeInterval) = (try column.value(0), try column.value(1))
    guard duration >= 0 else {
      throw column.error(
        .valueOutOfRange, found: "a duration of \(duration) seconds",
        expected: "a duration of at least 0 seconds")
    }
    return DateInterval(start: start, duration: duration)
  }
  /// Writes the date interval to a column: the start, and the duration in seconds. All bits are preserved.
  public func __write(to column: ColumnWriter) throws {
    try column.write(start, at: 0)
    try column.write(duration, at: 1)
  }
}

extension IndexPath: ArchivableByConversion {
  /// The archived form: the array of the indices of the path.
  public var archivedForm: [Int] { map { $0 } }
  /// Creates an index path from its archived form, the array of its indices.
  public init(archivedForm: [Int]) { self.init(indexes: archivedForm) }
}

extension URLQueryItem: ArchivableValue {
  /// Returns the type encoding of a URL query item: a structure of its name and its optional value.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("name", \Self.name), context.field("value", \Self.value)]
    }
  }
  /// Reads the name and the value of a query item from a column.
  public static func __read(from column: ColumnReader) throws -> URLQueryItem {
    URLQueryItem(name: try column.value(0), value: try column.value(1))
  }
  /// Writes the name and the value of the query item to a column.
  public func __write(to column: ColumnWriter) throws {
    try column.write(name, at: 0)
    try column.write(value, at: 1)
  }
}

extension URLComponents: ArchivableByConversion {
  /// The archived form: the URL of the components, as a percent-encoded string.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if no URL has exactly these components. For
  ///   example, a URL with an authority cannot have a relative path.
  public var archivedForm: String {
    get throws {
      guard let string, URLComponents(string: string) == self else {
        throw ArchiveError(
          .valueOutOfRange, found: "the URL components \(self)", expected: "components of a valid URL")
      }
      return string
    }
  }
  /// Creates the components from their archived form, the string of a URL.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the string is not a URL.
  public init(archivedForm: String) throws {
    guard let components = URLComponents(string: archivedForm) else {
      throw ArchiveError(.valueOutOfRange, found: "the string '\(archivedForm)'", expected: "a URL")
    }
    self = components
  }
}
