#if Collections
  public import Arc
  public import ArcFormat
  public import BitCollections

  extension BitArray: ArchivableValue {
    /// Returns the type encoding of an array of Booleans, `$[B]`. Each Boolean occupies one bit.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [Bool].__typeEncoding(in: context)
    }
    /// The value without content: the empty bit array.
    public static var __emptyValue: BitArray? { [] }
    /// Reads the bits of the array from the column.
    public static func __read(from column: ColumnReader) throws -> BitArray {
      BitArray(try [Bool].__read(from: column))
    }
    /// Appends the bits of the array to the column.
    public func __write(to column: ColumnWriter) throws { try Array(self).__write(to: column) }
  }

  extension BitSet: ArchivableValue {
    /// Returns the type encoding of an array of 64-bit words, `$[Q]`.
    ///
    /// Bit *i* of word *w* is set if 64 · *w* + *i* is a member of the set.
    ///
    /// The file contains the words that the set has in memory, so reading needs as much memory as the file
    /// has bytes. If the file contained the members, a small file with one large member could require any
    /// amount.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [UInt64].__typeEncoding(in: context)
    }
    /// The value without content: the empty set.
    public static var __emptyValue: BitSet? { [] }
    /// Reads the 64-bit words of the set from the column. The last words may be 0.
    public static func __read(from column: ColumnReader) throws -> BitSet {
      BitSet(words: try [UInt64].__read(from: column).flatMap(\.words))
    }
    /// Appends the 64-bit words of the set to the column, up to the word with the greatest member.
    public func __write(to column: ColumnWriter) throws {
      var words = [UInt64](repeating: 0, count: last.map { $0 / UInt64.bitWidth + 1 } ?? 0)
      for member in self { words[member / UInt64.bitWidth] |= 1 << (member % UInt64.bitWidth) }
      try words.__write(to: column)
    }
  }
#endif
