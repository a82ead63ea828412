import ArcRuntime

/// Which columns of a class in a file the properties of that class in a program read.
/// Spec: 06-evolution, section 2.
package struct ColumnMatching {
  /// For each property the index of the file's column, nil if there is none.
  package let positions: [Int?]
  /// For each of the file's columns whether a property reads it.
  private let isTaken: [Bool]

  /// Finds the columns of `classes[classIndex]`.
  ///
  /// - Parameters:
  ///   - classIndex: the index of the class of the file.
  ///   - classes: the class table of the file.
  ///   - propertyCount: the number of properties.
  ///   - keys: the keys of a property, its own first.
  ///   - declaringClass: the program's name of the class that declares a property.
  ///   - programName: the name that a class of the file has in the program; asked once for each run of
  ///     columns.
  /// - Throws: what `programName` does.
  package init(
    ofClass classIndex: Int, in classes: [ClassDescription], propertyCount: Int, keys: (Int) -> [String],
    declaringClass: (Int) -> String, programName: (String) throws -> String
  ) rethrows {
    let columns = classes[classIndex].columns
    // The columns of one class are mostly adjacent.
    var declaring: (index: Int, name: String)?
    let declaringNames = try columns.map { column in
      if let known = declaring, known.index == column.declaringClassIndex { return known.name }
      let name = try programName(classes[column.declaringClassIndex].name)
      declaring = (column.declaringClassIndex, name)
      return name
    }
    var positions = [Int?](repeating: nil, count: propertyCount)
    var isTaken = [Bool](repeating: false, count: columns.count)
    // First the same class and key; then, for properties that moved to another level, the key alone.
    for isExact in [true, false] {
      for property in positions.indices where positions[property] == nil {
        for key in keys(property) where positions[property] == nil {
          let found = columns.indices.first { index in
            columns[index].key.hasSameBytes(as: key) && !isTaken[index]
              && (!isExact || declaringNames[index].hasSameBytes(as: declaringClass(property)))
          }
          guard let found else { continue }
          positions[property] = found
          isTaken[found] = true
        }
      }
    }
    self.positions = positions
    self.isTaken = isTaken
  }

  /// The indices of the file's columns that properties read.
  package var takenColumns: Set<Int> { Set(positions.compactMap { $0 }) }

  /// The indices of the columns that no property reads and of whose values properties without a column are
  /// made; `older` gives the keys of a property's older values, each with those that go with it.
  package func olderColumns(in description: ClassDescription, older: (Int) -> [[String]]) -> Set<Int> {
    let conversions = positions.indices.lazy.filter { positions[$0] == nil }.flatMap(older)
    if conversions.isEmpty { return [] }
    let keys = Array(conversions.filter { hasFreeColumns($0, in: description) }.joined())
    return Set(
      description.columns.indices.filter { index in
        !isTaken[index] && keys.contains { $0.hasSameBytes(as: description.columns[index].key) }
      })
  }

  /// The columns in which rows may have the value of a property. The columns of an entry give the value
  /// together. For each row, the first entry counts whose columns all have a value in the row. In an archive
  /// that an older release saved, rows of either release have different entries.
  ///
  /// - Parameters:
  ///   - property: the index of the property.
  ///   - keys: its keys, its own first.
  ///   - older: the keys of older values that it is made of, each with those that go with it.
  ///   - description: the class of the file.
  /// - Returns: the indices of the columns. The first entry is the property's own column, if it has one.
  /// - Complexity: O(keys · columns).
  package func alternatives(
    ofProperty property: Int, keys: [String], older: [[String]], in description: ClassDescription
  ) -> [[Int]] {
    let own = positions[property]
    let columns = description.columns
    func free(_ key: String) -> [Int] {
      let found = isTaken.indices.filter { !isTaken[$0] && columns[$0].key.hasSameBytes(as: key) }
      // Of a key that another class has several columns for, nothing is known.
      return found.filter { column in
        own.map { columns[$0].declaringClassIndex } == columns[column].declaringClassIndex
          || !found.contains {
            $0 != column && columns[$0].declaringClassIndex == columns[column].declaringClassIndex
          }
      }
    }
    let made = older.compactMap { group -> [Int]? in
      let columns = group.compactMap { free($0).first }
      return columns.count == group.count ? columns : nil
    }
    return (own.map { [[$0]] + keys.flatMap(free).map { [$0] } } ?? []) + made
  }

  /// Whether the class has columns with certain keys that no property reads.
  ///
  /// - Complexity: O(keys · columns).
  package func hasFreeColumns(_ keys: [String], in description: ClassDescription) -> Bool {
    keys.allSatisfy { key in
      isTaken.indices.contains { !isTaken[$0] && description.columns[$0].key.hasSameBytes(as: key) }
    }
  }
}
