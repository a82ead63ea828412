extension ColumnReader {
  /// Returns the column of a structure's older field, whose values the program converts to present fields.
  ///
  /// - Parameter index: the index of the older field. Older fields are numbered after the structure's present
  ///   fields.
  /// - Returns: the column; nil if the structure in the file does not have the field.
  /// - Throws: `ArchiveError` if the column ends early.
  package func olderField(_ index: Int) throws -> ColumnReader? {
    // Values that this program wrote have no older fields.
    guard index < node.value.children.count else { return nil }
    let child = child(index)
    return child.mayBeMissing ? try fieldIfPresent(index) : child
  }
}
