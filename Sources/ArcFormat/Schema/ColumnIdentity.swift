import ArcRuntime

/// A key with the class that declares it. Several keyed columns of a class may have one.
package struct DeclaredKey: Hashable {
  private let declaringClassIndex: Int
  private let key: ExactName

  package init(_ column: ColumnDescription) {
    declaringClassIndex = column.declaringClassIndex
    key = ExactName(column.key)
  }
}

/// What tells two columns of a class apart.
private struct ColumnIdentity: Hashable {
  let key: DeclaredKey
  /// The attributes of a keyed column; nil for any other.
  let keyedAttributes: String?
}

extension ClassDescription {
  /// Finds the first column that nothing tells apart from an earlier one: of those with one declaring class
  /// and key, at most one is not keyed, and those that are differ in their attributes.
  ///
  /// Spec: 03-classes, rule C4.
  ///
  /// - Complexity: O(columns).
  package func repeatedColumn() -> ColumnDescription? {
    var seen = ShortMap<ColumnIdentity, Bool>()
    return columns.first { column in
      let identity = ColumnIdentity(
        key: DeclaredKey(column),
        keyedAttributes: column.flags.contains(.keyed) ? column.attributes.description : nil)
      return !seen.insert(true, for: identity)
    }
  }
}
