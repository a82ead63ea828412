extension ColumnReader {
  /// Returns the column of a structure's older field, whose values the program converts to present fields.
  ///
  /// - Parameter index: the index of the older field. Older fields are numbered after the structure's present
  ///   fields.
  /// - Returns: the column, and whether the file marks the field as a field that structures may lack. Nil if
  ///   the structure that is read does not have the field.
  /// - Throws: `ArchiveError` if the column ends early.
  package func olderField(_ index: Int) throws -> (column: ColumnReader, isMarked: Bool)? {
    // Values that this program wrote have no older fields.
    guard index < node.value.children.count else { return nil }
    let child = child(index)
    guard child.mayBeMissing else { return (child, false) }
    return try fieldIfPresent(index).map { ($0, child.node.value.isPresence) }
  }
}
