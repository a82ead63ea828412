public import ArcFormat

extension Range: ColumnValue, ArchivableValue where Bound: ArchivableValue {
  /// The name of the type in files, `Range<T>`.
  public static var __archiveName: __ArchiveName { "Range<\(Bound.self)>" }
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
  @inlinable public static func __read(from column: ColumnReader) throws -> Range {
    let (lower, upper): (Bound, Bound) = try column.bounds()
    return lower..<upper
  }
  /// Writes the lower and the upper bound of the range to a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the upper bound is less than the lower bound, or
  ///   a bound is NaN. Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    try column.write(bounds: lowerBound, upperBound)
  }
}

extension ClosedRange: ColumnValue, ArchivableValue where Bound: ArchivableValue {
  /// The name of the type in files, `ClosedRange<T>`.
  public static var __archiveName: __ArchiveName { "ClosedRange<\(Bound.self)>" }
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
  @inlinable public static func __read(from column: ColumnReader) throws -> ClosedRange {
    let (lower, upper): (Bound, Bound) = try column.bounds()
    return lower...upper
  }
  /// Writes the lower and the upper bound of the range to a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the upper bound is less than the lower bound, or
  ///   a bound is NaN. Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    try column.write(bounds: lowerBound, upperBound)
  }
}

extension PartialRangeFrom: ColumnValue, ArchivableValue where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeFrom<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeFrom<\(Bound.self)>" }
  /// Returns the type encoding of a structure with one field, the lower bound.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) { [context.field("lowerBound", \Self.lowerBound)] }
  }
  /// Reads the lower bound of a range from a column.
  @inlinable public static func __read(from column: ColumnReader) throws -> PartialRangeFrom {
    PartialRangeFrom(try column.value(0))
  }
  /// Writes the lower bound of the range to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { try column.write(lowerBound, at: 0) }
}

extension PartialRangeThrough: ColumnValue, ArchivableValue where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeThrough<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeThrough<\(Bound.self)>" }
  /// Returns the type encoding of a structure with one field, the upper bound.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) { [context.field("upperBound", \Self.upperBound)] }
  }
  /// Reads the upper bound of a range from a column.
  @inlinable public static func __read(from column: ColumnReader) throws -> PartialRangeThrough {
    PartialRangeThrough(try column.value(0))
  }
  /// Writes the upper bound of the range to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { try column.write(upperBound, at: 0) }
}

extension PartialRangeUpTo: ColumnValue, ArchivableValue where Bound: ArchivableValue {
  /// The name of the type in files, `PartialRangeUpTo<T>`.
  public static var __archiveName: __ArchiveName { "PartialRangeUpTo<\(Bound.self)>" }
  /// Returns the type encoding of a structure with one field, the upper bound.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) { [context.field("upperBound", \Self.upperBound)] }
  }
  /// Reads the upper bound of a range from a column.
  @inlinable public static func __read(from column: ColumnReader) throws -> PartialRangeUpTo {
    PartialRangeUpTo(try column.value(0))
  }
  /// Writes the upper bound of the range to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { try column.write(upperBound, at: 0) }
}

extension ColumnReader {
  /// Reads the bounds of a range. Throws `valueOutOfRange` if the upper one is less.
  @inlinable func bounds<Bound: Comparable & ArchivableValue>() throws -> (lower: Bound, upper: Bound) {
    let (lower, upper): (Bound, Bound) = (try value(0), try value(1))
    guard lower <= upper else { throw reversedBounds(lower, upper) }
    return (lower, upper)
  }

  /// The error for bounds that make no range.
  @usableFromInline @inline(never)
  func reversedBounds<Bound>(_ lower: Bound, _ upper: Bound) -> ArchiveError {
    error(
      .valueOutOfRange, found: "a range from \(lower) to \(upper)", expected: "bounds in ascending order")
  }
}

extension ColumnWriter {
  /// Appends the bounds of a range. Throws `valueOutOfRange` if the upper one is less, or not a number.
  @inlinable func write<Bound: Comparable & ArchivableValue>(bounds lower: Bound, _ upper: Bound) throws {
    guard lower <= upper else { throw reversedBounds(lower, upper) }
    try write(lower, at: 0)
    try write(upper, at: 1)
  }

  /// The error for bounds that make no range.
  @usableFromInline @inline(never)
  func reversedBounds<Bound>(_ lower: Bound, _ upper: Bound) -> ArchiveError {
    located(
      ArchiveError(
        .valueOutOfRange,
        found: "a range from \(lower) to \(upper), which could not be read again",
        expected: "bounds in ascending order"))
  }
}
