import ArcRuntime

/// The result of matching the properties of a program's class with the columns of the class in a file. Spec:
/// 06-evolution, section 2.
package struct ColumnMatching {
  /// For each property, the index of its column in the file. Nil if the file has no column for the property.
  package let positions: [Int?]
  /// Whether each column of the file is read by a property.
  private let isRead: [Bool]

  /// Finds the columns of the properties in the class `classes[classIndex]`.
  ///
  /// - Parameters:
  ///   - classIndex: the index of the class of the file.
  ///   - classes: the class table of the file.
  ///   - propertyCount: the number of properties.
  ///   - keys: returns the keys of a property, its current key first.
  ///   - declaringClass: returns the program's name of the class that declares the property.
  ///   - programName: returns the program's name of a class of the file. Called once for each run of columns
  ///     with the same declaring class.
  /// - Throws: the errors of `programName`.
  package init(
    ofClass classIndex: Int, in classes: [ClassDescription], propertyCount: Int, keys: (Int) -> [String],
    declaringClass: (Int) -> String, programName: (String) throws -> String
  ) rethrows {
    let columns = classes[classIndex].columns
    // The columns of one declaring class are usually adjacent.
    var declaring: (index: Int, name: String)?
    let declaringNames = try columns.map { column in
      if let known = declaring, known.index == column.declaringClassIndex { return known.name }
      let name = try programName(classes[column.declaringClassIndex].name)
      declaring = (column.declaringClassIndex, name)
      return name
    }
    var positions = [Int?](repeating: nil, count: propertyCount)
    var isRead = [Bool](repeating: false, count: columns.count)
    // First by class and key. Then, for properties that moved to another class of the hierarchy, only by key.
    for isExact in [true, false] {
      for property in positions.indices where positions[property] == nil {
        for key in keys(property) where positions[property] == nil {
          let found = columns.indices.first { index in
            columns[index].key.hasSameBytes(as: key) && !isRead[index]
              && (!isExact || declaringNames[index].hasSameBytes(as: declaringClass(property)))
          }
          guard let found else { continue }
          positions[property] = found
          isRead[found] = true
        }
      }
    }
    self.positions = positions
    self.isRead = isRead
  }

  /// The indices of the file's columns that properties read.
  package var readColumns: Set<Int> { Set(positions.compactMap { $0 }) }

  /// Returns the indices of the file's columns from which properties are converted. Omits columns that a
  /// property reads directly, and conversions of properties that have a column of their own. `older` returns
  /// the older keys of a property, grouped by conversion.
  package func olderColumns(in description: ClassDescription, older: (Int) -> [[String]]) -> Set<Int> {
    let conversions = positions.indices.lazy.filter { positions[$0] == nil }.flatMap(older)
    if conversions.isEmpty { return [] }
    let keys = Array(conversions.filter { hasFreeColumns($0, in: description) }.joined())
    return Set(
      description.columns.indices.filter { index in
        !isRead[index] && keys.contains { $0.hasSameBytes(as: description.columns[index].key) }
      })
  }

  /// Returns the columns that may contain the value of a property. In an archive to which different releases
  /// added rows, the value can be in different columns. Each entry of the result lists the columns from which
  /// the value is built. In each row, the first entry whose columns all have a value in the row applies.
  ///
  /// - Parameters:
  ///   - property: the index of the property.
  ///   - keys: the keys of the property, its current key first.
  ///   - older: the older keys from which the property is converted, grouped by conversion.
  ///   - description: the class of the file.
  /// - Returns: the entries, as column indices. If the property has a column of its own, this column is the
  ///   first entry.
  /// - Complexity: O(keys · columns).
  package func alternatives(
    ofProperty property: Int, keys: [String], older: [[String]], in description: ClassDescription
  ) -> [[Int]] {
    let own = positions[property]
    let columns = description.columns
    func free(_ key: String) -> [Int] {
      let found = isRead.indices.filter { !isRead[$0] && columns[$0].key.hasSameBytes(as: key) }
      // If another class declares several columns with the key, the right column cannot be determined.
      return found.filter { column in
        own.map { columns[$0].declaringClassIndex } == columns[column].declaringClassIndex
          || !found.contains {
            $0 != column && columns[$0].declaringClassIndex == columns[column].declaringClassIndex
          }
      }
    }
    let converted = older.compactMap { group -> [Int]? in
      let columns = group.compactMap { free($0).first }
      return columns.count == group.count ? columns : nil
    }
    return (own.map { [[$0]] + keys.flatMap(free).map { [$0] } } ?? []) + converted
  }

  /// Whether the class has, for each of these keys, a column that no property reads.
  ///
  /// - Complexity: O(keys · columns).
  package func hasFreeColumns(_ keys: [String], in description: ClassDescription) -> Bool {
    keys.allSatisfy { key in
      isRead.indices.contains { !isRead[$0] && description.columns[$0].key.hasSameBytes(as: key) }
    }
  }
}
