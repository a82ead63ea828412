// The only code that determines which values of nested columns belong to a value. Every function that visits
// the values of a column uses it: skipping, the check of nesting, the sieve, paths of errors, empty columns.

/// The values directly inside one value of a column: the same number of values of some nested columns.
///
/// A structure contains one value per field, an array of 3 elements contains 3 values of one nested column,
/// and a dictionary of 3 entries contains 3 values each of two nested columns. If values of several columns
/// are nested, they are stored in groups: a key, its value, the next key, and so on.
package struct NestedValues {
  /// The nested columns, as indices in `children`.
  package let columns: Range<Int>
  /// The number of values in each of these columns.
  package let count: Int

  /// The number of nested values in one of the columns; 0 for another column.
  package func count(inColumn column: Int) -> Int { columns.contains(column) ? count : 0 }
}

extension ColumnLayout.Node {
  /// Returns the values directly inside one value of the node.
  ///
  /// - Parameter number: the number that the column stores for the value: 0 or 1 for an optional, a length,
  ///   or a case index. Columns of structures and URLs store no numbers, and ignore it.
  /// - Returns: the nested values; no columns if the value contains none.
  @inline(__always) package func nestedValues(_ number: Int) -> NestedValues {
    switch kind.nesting {
    case .none: NestedValues(columns: 0..<0, count: 0)
    case .fields: NestedValues(columns: children.indices, count: 1)
    case .elements: NestedValues(columns: children.indices, count: number)
    case .payload:
      if payloads.indices.contains(number), let column = payloads[number] {
        NestedValues(columns: column..<column + 1, count: 1)
      } else {
        NestedValues(columns: 0..<0, count: 0)
      }
    }
  }
}
