public import Arc
public import ArcFormat
public import Foundation

extension NSRange: ArchivableValue {
  /// The name of the type in archives: the name of the Objective-C structure.
  public static var __archiveName: __ArchiveName { "_NSRange" }
  /// Returns the type encoding `{_NSRange="location"q"length"q}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("location", \Self.location), context.field("length", \Self.length)]
    }
  }
  /// Reads the location and the length from the column. All locations and lengths are accepted.
  public static func __read(from column: ColumnReader) throws -> NSRange {
    NSRange(location: try column.value(0), length: try column.value(1))
  }
  /// Appends the location and the length to the column.
  public func __write(to column: ColumnWriter) throws {
    try column.write(location, at: 0)
    try column.write(length, at: 1)
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
      // NSNotFound is no index.
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
