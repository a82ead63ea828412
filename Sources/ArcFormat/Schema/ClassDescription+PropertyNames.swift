import ArcRuntime

// The names of properties in paths.

extension [ClassDescription] {
  /// The name of a property in paths: its key, after the name of its class and a point if a subclass declares
  /// a property with the same key.
  ///
  /// - Complexity: O(columns).
  package func propertyName(ofColumn index: Int, ofClass classIndex: Int) -> String {
    propertyNames(ofClass: classIndex)[index]
  }

  /// The columns of a class that a name in a path means: the columns with the name itself, otherwise with the
  /// key, otherwise with a key that the name abbreviates. Several columns of hand-written coders may have one
  /// key.
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

  /// The names of the properties of a class in paths, by the indices of its columns.
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
