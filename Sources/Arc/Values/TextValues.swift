public import ArcFormat

extension Substring: ArchivableValue {
  /// The encoding of a string.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: String.self)
  }
  /// Reads a string, all of it.
  public static func __read(from column: ColumnReader) throws -> Substring {
    Substring(try String.__read(from: column))
  }
  /// Appends the characters, without those of the string around them.
  public func __write(to column: ColumnWriter) throws { try String(self).__write(to: column) }
}

extension Unicode.Scalar: ArchivableValue {
  /// The encoding of its number, `I`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: UInt32.self)
  }
  /// Reads a number.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` for one that no scalar has. Spec: 06-evolution,
  ///   rule M5.
  public static func __read(from column: ColumnReader) throws -> Unicode.Scalar {
    let number = try UInt32.__read(from: column)
    guard let scalar = Unicode.Scalar(number) else {
      throw column.error(.valueOutOfRange, found: "the number \(number)", expected: "a Unicode scalar")
    }
    return scalar
  }
  /// Appends the number.
  public func __write(to column: ColumnWriter) throws { try value.__write(to: column) }
}
