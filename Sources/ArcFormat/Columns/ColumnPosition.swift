/// A position of a column, recorded before values are read. The column can be moved back to the position
/// afterwards.
///
/// The position is valid while the column is bound to the same chunk.
package struct ColumnPosition {
  private let node: Handle<ColumnReaderNode>
  private let position: Int
  private let textPosition: Int

  /// Records the current position of a column.
  package init(of column: ColumnReader) {
    node = column.node
    position = node.value.position
    textPosition = node.value.textPosition
  }

  /// Moves the column back to the recorded position.
  package func restore() {
    node.value.position = position
    node.value.textPosition = textPosition
  }
}
