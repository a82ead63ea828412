public import ArcFormat

/// A range with a lower and an upper bound. A file contains both bounds.
@_documentation(visibility: internal)
public protocol __BoundedRange<Bound>: ArchivableValue {
  /// The type of the bounds.
  associatedtype Bound: Comparable
  /// The lower bound.
  var lowerBound: Bound { get }
  /// The upper bound. It is never less than the lower bound.
  var upperBound: Bound { get }
  /// Creates a range from bounds in ascending order.
  init(__from lower: Bound, to upper: Bound)
}

// The ranges do not use a conversion: a program may have many ranges, so the compiler should inline the code
// that reads and writes their bounds.
extension __BoundedRange where Bound: ArchivableValue {
  /// Returns the type encoding of a structure of the lower and the upper bound.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("lowerBound", \Self.lowerBound), context.field("upperBound", \Self.upperBound)]
    }
  }
  /// Reads the lower and the upper bound of a range from a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the upper bound is less than the lower bound, or
  ///   a bound is NaN. Spec: 06-evolution, rule M5.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let (lower, upper): (Bound, Bound) = (try column.value(0), try column.value(1))
    guard lower <= upper else { throw column.located(__reversed(lower, upper)) }
    return Self(__from: lower, to: upper)
  }
  /// Writes the lower and the upper bound of the range to a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the upper bound is less than the lower bound, or
  ///   a bound is NaN. Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    guard lowerBound <= upperBound else {
      throw column.located(Self.__reversed(lowerBound, upperBound, ", which could not be read again"))
    }
    try column.write(lowerBound, at: 0)
    try column.write(upperBound, at: 1)
  }

  /// Returns the error for bounds that are not in ascending order.
  @usableFromInline @inline(never)
  static func __reversed(_ lower: Bound, _ upper: Bound, _ consequence: String = "") -> ArchiveError {
    ArchiveError(
      .valueOutOfRange, found: "a range from \(lower) to \(upper)\(consequence)",
      expected: "bounds in ascending order")
  }
}

extension Range: ColumnValue, ArchivableValue, __BoundedRange where Bound: ArchivableValue {
  /// The name of the type in files, `Range<T>`.
  public static var __archiveName: __ArchiveName { "Range<\(Bound.self)>" }
  /// Creates a range from bounds in ascending order.
  @inlinable public init(__from lower: Bound, to upper: Bound) { self = lower..<upper }
}

extension ClosedRange: ColumnValue, ArchivableValue, __BoundedRange where Bound: ArchivableValue {
  /// The name of the type in files, `ClosedRange<T>`.
  public static var __archiveName: __ArchiveName { "ClosedRange<\(Bound.self)>" }
  /// Creates a range from bounds in ascending order.
  @inlinable public init(__from lower: Bound, to upper: Bound) { self = lower...upper }
}

extension PartialRangeFrom: ColumnValue, ArchivableValue, ArchivableByConversion,
  __ArchivableByExactConversion
where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeFrom<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeFrom<\(Bound.self)>" }
  /// The archived form of a range.
  @Archivable public struct ArchivedForm {
    let lowerBound: Bound
  }
  /// The archived form: the lower bound.
  public var archivedForm: ArchivedForm { ArchivedForm(lowerBound: lowerBound) }
  /// Creates a range from its lower bound.
  public init(archivedForm: ArchivedForm) { self.init(archivedForm.lowerBound) }
}

extension PartialRangeThrough: ColumnValue, ArchivableValue, ArchivableByConversion,
  __ArchivableByExactConversion
where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeThrough<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeThrough<\(Bound.self)>" }
  /// The archived form of a range.
  @Archivable public struct ArchivedForm {
    let upperBound: Bound
  }
  /// The archived form: the upper bound.
  public var archivedForm: ArchivedForm { ArchivedForm(upperBound: upperBound) }
  /// Creates a range from its upper bound.
  public init(archivedForm: ArchivedForm) { self.init(archivedForm.upperBound) }
}

extension PartialRangeUpTo: ColumnValue, ArchivableValue, ArchivableByConversion,
  __ArchivableByExactConversion
where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeUpTo<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeUpTo<\(Bound.self)>" }
  /// The archived form of a range.
  @Archivable public struct ArchivedForm {
    let upperBound: Bound
  }
  /// The archived form: the upper bound.
  public var archivedForm: ArchivedForm { ArchivedForm(upperBound: upperBound) }
  /// Creates a range from its upper bound.
  public init(archivedForm: ArchivedForm) { self.init(archivedForm.upperBound) }
}
