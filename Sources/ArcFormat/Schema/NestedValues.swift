// The only code that determines which values of nested columns belong to a value. Every function that visits
// the values of a column uses it: skipping, the check of nesting, the sieve, paths of errors, empty columns.

/// The values that one value of a column directly contains. Each of the nested columns contributes an equal
/// number of values.
///
/// A structure contains one value per field. An array of 3 elements contains 3 values of one nested column. A
/// dictionary of 3 entries contains 3 values of each of two nested columns. Values of several nested columns
/// are stored in groups: a key, its value, the next key, and so on.
package struct NestedValues {
  /// The nested columns, as indices in `children`.
  package let columns: Range<Int>
  /// The number of values in each of the nested columns.
  package let count: Int

  /// Returns the number of nested values in a column. Returns 0 if the value contains no values of the
  /// column.
  package func count(inColumn column: Int) -> Int { columns.contains(column) ? count : 0 }
}

extension ColumnLayout.Node {
  /// Returns the values that one value of the node directly contains.
  ///
  /// - Parameter number: the number that the column stores for the value: 0 or 1 for an optional, a length,
  ///   or a case index. Ignored for structures and URLs, whose columns store no numbers.
  /// - Returns: the nested values. They have no columns if the value contains no other values.
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
