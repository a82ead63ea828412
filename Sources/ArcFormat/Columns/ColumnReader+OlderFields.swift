extension ColumnReader {
  /// Returns the column of an older field of a structure, which the program converts.
  ///
  /// - Parameter index: the index of the older field, after the fields of the structure.
  /// - Returns: the column; nil if the structure does not have the field in the file.
  /// - Throws: `ArchiveError` if the column ends early.
  package func olderField(_ index: Int) throws -> ColumnReader? {
    // Values that this program wrote have no older fields.
    guard index < node.value.children.count else { return nil }
    let child = child(index)
    return child.mayBeMissing ? try fieldIfPresent(index) : child
  }
}
