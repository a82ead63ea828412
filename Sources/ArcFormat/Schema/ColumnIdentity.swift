import ArcRuntime

/// A key and the class that declares it. Several keyed columns of a class can have the same declared key.
package struct DeclaredKey: Hashable {
  private let declaringClassIndex: Int
  private let key: ExactName

  package init(_ column: ColumnDescription) {
    declaringClassIndex = column.declaringClassIndex
    key = ExactName(column.key)
  }
}

/// The properties by which columns of a class are distinguished. No two columns of a class may be equal in
/// all these properties.
private struct ColumnIdentity: Hashable {
  let key: DeclaredKey
  /// The attributes of a keyed column. Nil for other columns.
  let keyedAttributes: String?
}

extension ClassDescription {
  /// Returns the first column that has the same identity as an earlier column. Nil if there is none. For each
  /// declaring class and key, at most one column may be unkeyed, and the keyed columns must have different
  /// attributes.
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
