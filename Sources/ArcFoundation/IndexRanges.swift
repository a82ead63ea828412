public import Arc
import ArcFormat
public import Foundation

extension NSRange: __ArchivableByExactConversion {
  /// The name of the type in archives: `_NSRange`, which is the name of the structure in Objective-C.
  public static var __archiveName: __ArchiveName { "_NSRange" }
  /// The archived form of a range.
  @Archivable public struct ArchivedForm {
    var location: Int
    var length: Int
  }
  /// The archived form: the location and the length, `{_NSRange="location"q"length"q}`.
  public var archivedForm: ArchivedForm { ArchivedForm(location: location, length: length) }
  /// Creates a range from its location and its length. All locations and lengths are accepted.
  public init(archivedForm: ArchivedForm) {
    self.init(location: archivedForm.location, length: archivedForm.length)
  }
}

extension IndexSet: ArchivableByConversion {
  /// The archived form: the ranges of indices, in ascending order, without adjacent ranges.
  public var archivedForm: [Range<Int>] { rangeView.map { $0 } }
  /// Creates an index set from its ranges.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if a range is empty, begins below 0, ends at
  ///   `Int.max`, or does not begin after the end of the previous range.
  public init(archivedForm: [Range<Int>]) throws {
    self.init()
    var end = -1
    for range in archivedForm {
      // `Int.max` is NSNotFound, which is not an index.
      guard range.lowerBound > end, !range.isEmpty, range.upperBound < .max else {
        throw ArchiveError(
          .valueOutOfRange, found: "the range \(range) of an index set",
          expected: "ranges of indices of at least 0, in ascending order and with gaps between them")
      }
      insert(integersIn: range)
      end = range.upperBound
    }
  }
}
