public import ArcFormat

extension Substring: ArchivableValue {
  /// Returns the type encoding of a string.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: String.self)
  }
  /// Reads a string from a column. Returns a substring that contains the whole string.
  public static func __read(from column: ColumnReader) throws -> Substring {
    Substring(try String.__read(from: column))
  }
  /// Writes the characters of the substring to a column, without the other characters of the underlying
  /// string.
  public func __write(to column: ColumnWriter) throws { try String(self).__write(to: column) }
}

extension Unicode.Scalar: ArchivableValue {
  /// Returns the type encoding of the scalar's number, a `UInt32`: `I`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: UInt32.self)
  }
  /// Reads the number of a Unicode scalar from a column. Returns the scalar.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if no Unicode scalar has the number. Spec:
  ///   06-evolution, rule M5.
  public static func __read(from column: ColumnReader) throws -> Unicode.Scalar {
    let number = try UInt32.__read(from: column)
    guard let scalar = Unicode.Scalar(number) else {
      throw column.error(
        .valueOutOfRange, found: "the number \(number)", expected: "the number of a Unicode scalar")
    }
    return scalar
  }
  /// Writes the number of the Unicode scalar to a column.
  public func __write(to column: ColumnWriter) throws { try value.__write(to: column) }
}
