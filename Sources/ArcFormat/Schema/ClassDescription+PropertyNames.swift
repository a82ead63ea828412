import ArcRuntime

// The names of properties in paths.

extension [ClassDescription] {
  /// Returns the name of a property in paths: the key of the property. If a subclass declares another
  /// property with the same key, returns the name of the class that declares this property, a period and the
  /// key.
  ///
  /// - Complexity: O(columns).
  package func propertyName(ofColumn index: Int, ofClass classIndex: Int) -> String {
    propertyNames(ofClass: classIndex)[index]
  }

  /// Returns the columns of a class to which a name in a path refers. The function first searches for columns
  /// with exactly this name, then for columns with this key, then for columns whose truncated name is `name`
  /// (errors truncate long names). The first search that finds columns determines the result. Several columns
  /// of a hand-written coder can have the same key.
  package func columns(named name: ValuePath.Name, ofClass index: Int, names: [String]) -> [Int] {
    let columns = self[index].columns
    let conditions: [(Int) -> Bool] = [
      { name.means(names[$0]) }, { name.means(columns[$0].key) }, { name.abbreviates(names[$0]) },
    ]
    for means in conditions {
      let found = columns.indices.filter(means)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the names of a class's properties in paths, by column index.
  ///
  /// - Complexity: O(columns).
  package func propertyNames(ofClass index: Int) -> [String] {
    let columns = self[index].columns
    // A superclass precedes its subclasses in the table.
    let owners = Dictionary(
      columns.map { (ExactName($0.key), $0.declaringClassIndex) }, uniquingKeysWith: Swift.max)
    return columns.map { column in
      owners[ExactName(column.key)] == column.declaringClassIndex
        ? column.key : self[column.declaringClassIndex].name + "." + column.key
    }
  }
}
