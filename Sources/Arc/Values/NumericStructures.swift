import ArcFormat

// Numbers for which the format has no scalar of the same width or meaning.

extension Duration: __ArchivableByExactConversion {
  /// The archived form of a duration.
  @Archivable public struct ArchivedForm {
    let attoseconds: Int128
  }
  /// The archived form: the number of attoseconds, `{Duration="attoseconds"t}`.
  public var archivedForm: ArchivedForm { ArchivedForm(attoseconds: attoseconds) }
  /// Creates a duration from its number of attoseconds.
  public init(archivedForm: ArchivedForm) { self.init(attoseconds: archivedForm.attoseconds) }
}

#if (arch(x86_64) || arch(i386)) && !os(Windows) && !os(Android)
  extension Float80: __ArchivableByExactConversion {
    /// The archived form of a number: its 80 bits.
    @Archivable public struct ArchivedForm {
      /// The significand. Its first bit is before the binary point.
      let significand: UInt64
      /// The sign bit and 15 bits of exponent.
      let signAndExponent: UInt16
    }
    /// The archived form: all bits, including the payload of NaN and the sign of zero.
    public var archivedForm: ArchivedForm {
      unsafe withUnsafeBytes(of: self) { bytes in
        unsafe ArchivedForm(
          significand: bytes.load(as: UInt64.self),
          signAndExponent: bytes.load(fromByteOffset: 8, as: UInt16.self))
      }
    }
    /// Creates a number from its 80 bits.
    public init(archivedForm: ArchivedForm) {
      self = 0
      unsafe withUnsafeMutableBytes(of: &self) { bytes in
        unsafe bytes.storeBytes(of: archivedForm.significand, as: UInt64.self)
        unsafe bytes.storeBytes(of: archivedForm.signAndExponent, toByteOffset: 8, as: UInt16.self)
      }
    }
  }
#endif
