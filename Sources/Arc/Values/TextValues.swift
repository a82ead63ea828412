public import ArcFormat

extension Substring: ArchivableValue {
  /// Returns the type encoding of a string.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: String.self)
  }
  /// Reads a string and returns a substring of all its characters.
  public static func __read(from column: ColumnReader) throws -> Substring {
    Substring(try String.__read(from: column))
  }
  /// Writes the value to a column: the characters of the substring, without the other characters of its
  /// string.
  public func __write(to column: ColumnWriter) throws { try String(self).__write(to: column) }
}

extension Unicode.Scalar: ArchivableValue {
  /// Returns the type encoding of the scalar's number, `I`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: UInt32.self)
  }
  /// Reads a value from a column: the scalar's number.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the number is not a Unicode scalar. Spec:
  ///   06-evolution, rule M5.
  public static func __read(from column: ColumnReader) throws -> Unicode.Scalar {
    let number = try UInt32.__read(from: column)
    guard let scalar = Unicode.Scalar(number) else {
      throw column.error(.valueOutOfRange, found: "the number \(number)", expected: "a Unicode scalar")
    }
    return scalar
  }
  /// Writes the value to a column: the scalar's number.
  public func __write(to column: ColumnWriter) throws { try value.__write(to: column) }
}
