import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Values of Foundation for which the format has no kind. Types that need time zones, locales or Objective-C
// classes are in the module ArcFoundation, which loads all of Foundation.

extension String.Encoding: ArchivableValue {}
extension ComparisonResult: ArchivableValue {}

extension DateInterval: __ArchivableByExactConversion {
  /// The archived form of a date interval.
  @Archivable public struct ArchivedForm {
    var start: Date
    var duration: TimeInterval
  }
  /// The archived form: the start, and the duration in seconds.
  public var archivedForm: ArchivedForm { ArchivedForm(start: start, duration: duration) }
  /// Creates a date interval from its start and its duration in seconds.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the duration is negative. Spec: 06-evolution,
  ///   rule M5.
  public init(archivedForm: ArchivedForm) throws {
    guard archivedForm.duration >= 0 else {
      throw ArchiveError(
        .valueOutOfRange, found: "a duration of \(archivedForm.duration) seconds",
        expected: "a duration of at least 0 seconds")
    }
    self.init(start: archivedForm.start, duration: archivedForm.duration)
  }
}

extension IndexPath: ArchivableByConversion {
  /// The archived form: the array of the indices of the path.
  public var archivedForm: [Int] { map { $0 } }
  /// Creates an index path from its archived form, the array of its indices.
  public init(archivedForm: [Int]) { self.init(indexes: archivedForm) }
}

extension URLQueryItem: __ArchivableByExactConversion {
  /// The archived form of a query item.
  @Archivable public struct ArchivedForm {
    var name: String
    var value: String?
  }
  /// The archived form: the name and the optional value.
  public var archivedForm: ArchivedForm { ArchivedForm(name: name, value: value) }
  /// Creates a query item from its name and its value.
  public init(archivedForm: ArchivedForm) { self.init(name: archivedForm.name, value: archivedForm.value) }
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
