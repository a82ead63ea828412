#if BigInt
  public import Arc
  import ArcFormat
  public import BigInt

  extension BigUInt: __ArchivableByExactConversion {
    /// The archived form: the 64-bit words of the number, the least significant word first.
    ///
    /// The number 0 has no words.
    public var archivedForm: [UInt64] {
      var joined: [UInt64] = []
      // On 32-bit machines, two words of the number form one 64-bit word.
      for (index, word) in words.enumerated() {
        let shift = index * UInt.bitWidth % UInt64.bitWidth
        let high = UInt64(word) << shift
        if shift == 0 { joined.append(high) } else { joined[joined.count - 1] |= high }
      }
      return joined
    }
    /// Creates a number from its 64-bit words, the least significant word first.
    ///
    /// - Throws: `ArchiveError` with code `valueOutOfRange` if the most significant word is 0. Spec:
    ///   06-evolution, rule M5.
    public init(archivedForm words: [UInt64]) throws {
      guard words.last != 0 else {
        throw ArchiveError(
          .valueOutOfRange,
          found: "a number of \(plural(words.count, "word")), the most significant of which is 0",
          expected: "a number whose most significant word is not 0")
      }
      self.init(words: words.flatMap(\.words))
    }
  }

  extension BigInt: __ArchivableByExactConversion {
    /// The archived form of a number.
    @Archivable public struct ArchivedForm {
      let isNegative: Bool
      var magnitude: BigUInt
    }
    /// The archived form: the sign and the magnitude, `{BigInt="isNegative"B"magnitude"$[Q]}`.
    public var archivedForm: ArchivedForm {
      ArchivedForm(isNegative: sign == .minus, magnitude: magnitude)
    }
    /// Creates a number from its sign and its magnitude.
    ///
    /// - Throws: `ArchiveError` with code `valueOutOfRange` if the number is a negative 0. Spec:
    ///   06-evolution, rule M5.
    public init(archivedForm form: ArchivedForm) throws {
      guard !(form.isNegative && form.magnitude.isZero) else {
        throw ArchiveError(.valueOutOfRange, found: "a negative 0", expected: "0 without a sign")
      }
      self.init(sign: form.isNegative ? .minus : .plus, magnitude: form.magnitude)
    }
  }
#endif
