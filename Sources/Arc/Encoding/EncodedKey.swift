import ArcFormat

/// A key that was encoded to be compared.
struct EncodedKey {
  /// The bytes that it is compared by.
  let values: ComparableValues
  private let copy: ColumnValues
  private let columns: ColumnWriterSet

  /// Copies a key from the columns that it was encoded to, before they are used for the next one.
  init(_ columns: ColumnWriterSet) {
    values = columns.comparableValues()
    copy = columns.copyOfValues()
    self.columns = columns
  }

  /// Appends the key to a column that is only compared.
  func append(to column: ColumnWriter) { columns.append(copy, to: column) }
}
