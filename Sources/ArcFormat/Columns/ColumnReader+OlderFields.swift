extension ColumnReader {
  /// Returns the column of an older field of a structure, which the program converts.
  ///
  /// - Parameter index: the index of the older field, after the fields of the structure.
  /// - Returns: the column; nil if the file does not have the field.
  package func olderField(_ index: Int) -> ColumnReader? {
    // Values that this program wrote have no older fields.
    guard index < node.value.children.count else { return nil }
    let child = child(index)
    return child.isMissing ? nil : child
  }
}
