import ArcFormat

extension Substring: __ArchivableByExactConversion {
  /// The archived form: the characters of the substring, without the other characters of the underlying
  /// string.
  public var archivedForm: String { String(self) }
  /// Creates a substring that contains a whole string.
  public init(archivedForm: String) { self.init(archivedForm) }
}

extension Unicode.Scalar: __ArchivableByExactConversion {
  /// The archived form: the number of the scalar.
  public var archivedForm: UInt32 { value }
  /// Creates a Unicode scalar from its number.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if no Unicode scalar has the number. Spec:
  ///   06-evolution, rule M5.
  public init(archivedForm: UInt32) throws {
    guard let scalar = Unicode.Scalar(archivedForm) else {
      throw ArchiveError(
        .valueOutOfRange, found: "the number \(archivedForm)", expected: "the number of a Unicode scalar")
    }
    self = scalar
  }
}
