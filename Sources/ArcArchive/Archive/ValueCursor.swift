import ArcFormat

/// Reads the values of a column one by one. Used by callers that do not store the values, so that reading a
/// column needs the memory of only one value.
package struct ValueCursor {
  /// Retains the memory that `column` reads.
  private let tree: ColumnTree
  private let column: ColumnReader
  private let reader: ValueReader
  private let node: Int
  private let isKeyed: Bool

  init(_ tree: ColumnTree, isKeyed: Bool) {
    self.tree = tree
    self.isKeyed = isKeyed
    let (column, reader) = tree.dynamicReader(atStartOf: 0)
    self.column = column
    self.reader = reader
    node = tree.layout.valueNode(ofRoot: 0, isKeyed: isKeyed)
  }

  /// Returns the next value. Call this once for each row of the batch.
  ///
  /// - Returns: the value; nil if the column is keyed and the row has no value in it.
  /// - Throws: `limitExceeded` if the value exceeds the limit of memory, or the code of the damage if it is
  ///   damaged.
  package func next() throws -> ArchiveValue? {
    reader.budget.begin()
    guard isKeyed else { return try reader.value(column, node: node) }
    guard try column.bit() else { return nil }
    return try reader.value(column.child(0), node: node)
  }
}
