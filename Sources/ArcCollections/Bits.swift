#if Collections
  public import Arc
  import ArcFormat
  public import BitCollections

  extension BitArray: __ArchivableByExactConversion {
    /// The value without content: the empty bit array.
    public static var __emptyValue: BitArray? { [] }
    /// The archived form: an array of Booleans. Each Boolean occupies one bit in a file.
    public var archivedForm: [Bool] { Array(self) }
    /// Creates a bit array from an array of Booleans.
    public init(archivedForm: [Bool]) { self.init(archivedForm) }
  }

  extension BitSet: __ArchivableByExactConversion {
    /// The value without content: the empty set.
    public static var __emptyValue: BitSet? { [] }
    /// The archived form: the 64-bit words of the set, up to the word that contains the greatest member.
    ///
    /// Bit *i* of word *w* is set if 64 · *w* + *i* is a member of the set.
    ///
    /// The file contains all words that the set has in memory, so reading the set needs no more memory than
    /// the file has bytes. If the file contained only the members, a small file with one large member could
    /// require any amount of memory.
    public var archivedForm: [UInt64] {
      var words = [UInt64](repeating: 0, count: last.map { $0 / UInt64.bitWidth + 1 } ?? 0)
      for member in self { words[member / UInt64.bitWidth] |= 1 << (member % UInt64.bitWidth) }
      return words
    }
    /// Creates a set from its 64-bit words. The last words may be 0.
    public init(archivedForm: [UInt64]) { self.init(words: archivedForm.flatMap(\.words)) }
  }
#endif
