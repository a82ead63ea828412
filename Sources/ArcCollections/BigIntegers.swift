#if BigInt
  public import Arc
  public import ArcFormat
  public import BigInt

  extension BigUInt: ArchivableValue {
    /// Returns the type encoding of an array of 64-bit words, `$[Q]`.
    ///
    /// The least significant word is first. The number 0 has no words.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [UInt64].__typeEncoding(in: context)
    }
    /// Reads the 64-bit words of the number from the column, the least significant word first.
    ///
    /// - Throws: `ArchiveError` with code `valueOutOfRange` if the most significant word is 0. Spec:
    ///   06-evolution, rule M5.
    public static func __read(from column: ColumnReader) throws -> BigUInt {
      let words = try [UInt64].__read(from: column)
      guard words.last != 0 else {
        throw column.error(
          .valueOutOfRange,
          found: "a number of \(plural(words.count, "word")), the most significant of which is 0",
          expected: "a number whose most significant word is not 0")
      }
      return BigUInt(words: words.flatMap(\.words))
    }
    /// Appends the 64-bit words of the number to the column, the least significant word first.
    public func __write(to column: ColumnWriter) throws {
      var joined: [UInt64] = []
      // Two words of 32 bits make one.
      for (index, word) in words.enumerated() {
        let shift = index * UInt.bitWidth % UInt64.bitWidth
        let high = UInt64(word) << shift
        if shift == 0 { joined.append(high) } else { joined[joined.count - 1] |= high }
      }
      try joined.__write(to: column)
    }
  }

  extension BigInt: ArchivableValue {
    /// Returns the type encoding of a structure of the sign and the magnitude of the number.
    ///
    /// The encoding is `{BigInt="isNegative"B"magnitude"$[Q]}`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.structure(Self.self) {
        [
          context.field("isNegative") { (value: Self) in value.sign == .minus },
          context.field("magnitude", \Self.magnitude),
        ]
      }
    }
    /// Reads the sign and the magnitude from the column.
    ///
    /// - Throws: `ArchiveError` with code `valueOutOfRange` if the number is a negative 0. Spec:
    ///   06-evolution, rule M5.
    public static func __read(from column: ColumnReader) throws -> BigInt {
      let (isNegative, magnitude): (Bool, BigUInt) = (try column.value(0), try column.value(1))
      guard !(isNegative && magnitude.isZero) else {
        throw column.error(.valueOutOfRange, found: "a negative 0", expected: "0 without a sign")
      }
      return BigInt(sign: isNegative ? .minus : .plus, magnitude: magnitude)
    }
    /// Appends the sign and the magnitude to the column.
    public func __write(to column: ColumnWriter) throws {
      try column.write(sign == .minus, at: 0)
      try column.write(magnitude, at: 1)
    }
  }
#endif
