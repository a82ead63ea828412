public import ArcFormat

// Collections whose type determines their number of elements. In files, they are arrays of exactly that
// length.

extension SIMD where Self: ArchivableValue, Scalar: ArchivableValue {
  /// Returns the type encoding of an array of the lanes, `$[T]`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.marked(.requiresAllParts) { .list(Scalar.__typeEncoding(in: context)) }
  }
  /// Reads the lanes of the vector from a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the number of elements in the file differs from
  ///   the number of lanes. Spec: 06-evolution, rule M5.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let lanes = try FixedCountReader<Scalar>(column, count: scalarCount)
    var vector = Self()
    for index in 0..<scalarCount { vector[index] = try lanes.element(index) }
    return vector
  }
  /// Writes the vector to a column: the number of lanes, then the lanes. All bits are preserved.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.append(UInt64(scalarCount))
    let lanes = column.child(0)
    for index in 0..<scalarCount { try self[index].__write(to: lanes) }
  }
}

extension SIMD2: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD3: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD4: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD8: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD16: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD32: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}
extension SIMD64: ColumnValue, ArchivableValue where Scalar: ArchivableValue {}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: ColumnValue, ArchivableValue where Element: ArchivableValue {
  /// The name of the type in files, `InlineArray<N, T>`.
  public static var __archiveName: __ArchiveName { "InlineArray<\(count), \(Element.self)>" }
  /// Returns the type encoding of an array, `$[T]`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.marked(.requiresAllParts) { .list(Element.__typeEncoding(in: context)) }
  }
  /// Reads the elements of the array from a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the number of elements in the file differs from
  ///   the length of the array type. Spec: 06-evolution, rule M5.
  @inlinable public static func __read(from column: ColumnReader) throws -> InlineArray {
    let elements = try FixedCountReader<Element>(column, count: count)
    return try InlineArray { index in try elements.element(index) }
  }
  /// Writes the array to a column: the number of elements, then the elements.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.append(UInt64(count))
    let elements = column.child(0)
    for index in indices { try self[index].__write(to: elements) }
  }
}

extension CollectionOfOne: ColumnValue, ArchivableValue where Element: ArchivableValue {
  /// The name of the type in files, `CollectionOfOne<T>`.
  public static var __archiveName: __ArchiveName { "CollectionOfOne<\(Element.self)>" }
  /// Returns the type encoding of an array, `$[T]`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.marked(.requiresAllParts) { .list(Element.__typeEncoding(in: context)) }
  }
  /// Reads an array of one element from a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the array in the file does not have exactly one
  ///   element. Spec: 06-evolution, rule M5.
  @inlinable public static func __read(from column: ColumnReader) throws -> CollectionOfOne {
    CollectionOfOne(try FixedCountReader<Element>(column, count: 1).element(0))
  }
  /// Writes the only element of the collection to a column, in an array of length 1.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.append(1 as UInt64)
    try self[startIndex].__write(to: column.child(0))
  }
}

/// Reads the elements of an array whose length the program's type determines.
@usableFromInline struct FixedCountReader<Element: ArchivableValue> {
  @usableFromInline let elements: ColumnReader
  /// The elements, if the column in the file contains data (`NSData`) and not an array of bytes. Otherwise
  /// empty.
  @usableFromInline let bytes: [Element]

  /// Reads the length. Throws `valueOutOfRange` if it is not `count`. Spec: 06-evolution, rule M5.
  @inlinable init(_ column: ColumnReader, count: Int) throws {
    bytes = column.isBytes ? try [Element].__read(from: column) : []
    let found = column.isBytes ? bytes.count : try column.integer(Int.self)
    guard found == count else { throw Self.wrongCount(found, expected: count, column) }
    elements = column.child(0)
  }

  /// Returns the element at an index. Must be called once for each index, in order.
  @inlinable func element(_ index: Int) throws -> Element {
    bytes.isEmpty ? try Element.__read(from: elements) : bytes[index]
  }

  @usableFromInline @inline(never)
  static func wrongCount(_ found: Int, expected: Int, _ column: ColumnReader) -> ArchiveError {
    column.error(
      .valueOutOfRange, found: "an array of \(plural(found, "element"))",
      expected: "an array of \(plural(expected, "element"))")
  }
}
