import ArcFormat

/// The values of a column, each when it is asked for: for a caller that keeps none of them, so that a column
/// costs the memory of one value.
package struct ValueCursor {
  /// Keeps the memory that `column` reads.
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

  /// The next value; nil if the row has none in a keyed column. Called once for each row of the batch.
  ///
  /// - Throws: `limitExceeded` if the value alone takes too much memory; or what is wrong with it.
  package func next() throws -> ArchiveValue? {
    reader.budget.begin()
    guard isKeyed else { return try reader.value(column, node: node) }
    guard try column.bit() else { return nil }
    return try reader.value(column.child(0), node: node)
  }
}
