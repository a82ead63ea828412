/// The position of a column before a value, to which the column can be moved back after the value was read.
///
/// It is valid while the column is bound to the same chunk.
package struct ColumnPosition {
  private let node: Handle<ColumnReaderNode>
  private let position: Int
  private let textPosition: Int

  /// Stores the position of a column.
  package init(of column: ColumnReader) {
    node = column.node
    position = node.value.position
    textPosition = node.value.textPosition
  }

  /// Moves the column back to the position.
  package func restore() {
    node.value.position = position
    node.value.textPosition = textPosition
  }
}
