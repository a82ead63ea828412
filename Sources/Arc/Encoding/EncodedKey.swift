import ArcFormat

/// A key that was encoded for comparison.
struct EncodedKey {
  /// The bytes by which the key is compared.
  let values: ComparableValues
  private let copy: ColumnValues
  private let columns: ColumnWriterSet

  /// Copies a key from the columns to which it was encoded, before the columns are used for the next key.
  init(_ columns: ColumnWriterSet) {
    values = columns.comparableValues()
    copy = columns.copyOfValues()
    self.columns = columns
  }

  /// Appends the key to a column that is only used for comparison.
  func append(to column: ColumnWriter) { columns.append(copy, to: column) }
}
