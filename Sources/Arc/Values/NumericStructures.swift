public import ArcFormat

// Numbers for which no scalar of the format is as wide or means the same.

extension Duration: ArchivableValue {
  /// Returns the type encoding of a structure with the number of attoseconds, `{Duration="attoseconds"t}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) { [context.field("attoseconds", \Self.attoseconds)] }
  }
  /// Reads a duration from a column, as a number of attoseconds.
  @inlinable public static func __read(from column: ColumnReader) throws -> Duration {
    Duration(attoseconds: try column.value(0))
  }
  /// Writes the duration to a column, as a number of attoseconds.
  @inlinable public func __write(to column: ColumnWriter) throws { try column.write(attoseconds, at: 0) }
}

#if (arch(x86_64) || arch(i386)) && !os(Windows) && !os(Android)
  extension Float80: ArchivableValue {
    /// The 64 bits of the significand, the first of which is before the point.
    private var significandBits: UInt64 {
      unsafe withUnsafeBytes(of: self) { unsafe $0.load(as: UInt64.self) }
    }
    /// The sign, and 15 bits of the exponent.
    private var upperBits: UInt16 {
      unsafe withUnsafeBytes(of: self) { unsafe $0.load(fromByteOffset: 8, as: UInt16.self) }
    }
    /// Returns the type encoding of a structure of two integers.
    ///
    /// The first integer is the significand. The second contains the sign and the exponent.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.structure(Self.self) {
        [
          context.field("significand", \Self.significandBits),
          context.field("signAndExponent", \Self.upperBits),
        ]
      }
    }
    /// Reads the 80 bits of a number from a column.
    public static func __read(from column: ColumnReader) throws -> Float80 {
      let (lower, upper): (UInt64, UInt16) = (try column.value(0), try column.value(1))
      var number: Float80 = 0
      unsafe withUnsafeMutableBytes(of: &number) { bytes in
        unsafe bytes.storeBytes(of: lower, as: UInt64.self)
        unsafe bytes.storeBytes(of: upper, toByteOffset: 8, as: UInt16.self)
      }
      return number
    }
    /// Writes the 80 bits of the number to a column, including the payload of NaN and the sign of zero.
    public func __write(to column: ColumnWriter) throws {
      try column.write(significandBits, at: 0)
      try column.write(upperBits, at: 1)
    }
  }
#endif
