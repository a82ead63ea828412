import ArcArchive
import ArcFormat
import ArcRuntime

extension ObjectCatalog {
  /// Returns the columns of a class to which a property name in an expression refers, in ascending order. If
  /// `tree` shows a column with this name, the name refers to this column. Otherwise, it refers to all
  /// columns with this key. If there are none, it refers to the columns whose truncated name is `name`.
  func columns(named name: ValuePath.Name, ofClass index: Int) -> [Int] {
    file.classes.columns(named: name, ofClass: index, names: names(ofClass: index))
  }

  /// Returns the property to which a name in an expression refers. Nil if the object has no such property.
  func property(_ name: ValuePath.Name, of object: ArchiveObject) -> ArchiveObject.Property? {
    let columns = columns(named: name, ofClass: object.classIndex)
    return object.properties.first { columns.contains($0.columnIndex) }
  }

  /// Returns the index of the class with a name. Nil if there is no such class. Does not return index 0, the
  /// class of the roots.
  func classIndex(named name: String) -> Int? {
    file.classes.indices.dropFirst().first { file.classes[$0].name.hasSameBytes(as: name) }
  }

  /// For each class of the class table, returns whether it is the class at `index` or a subclass of that
  /// class.
  ///
  /// - Complexity: O(classes).
  func isFamily(ofClass index: Int) -> [Bool] {
    var isMember = [Bool](repeating: false, count: file.classes.count)
    for (position, description) in file.classes.enumerated() {
      // A superclass comes before its subclasses in the table.
      isMember[position] = position == index || description.superclassIndex.map { isMember[$0] } ?? false
    }
    return isMember
  }

  /// Returns the index of an object's class.
  func classIndex(of id: ObjectID) throws -> Int {
    if let index = file.classIndex(ofRow: Int(id.rawValue)) { return index }
    // The segment of the row cannot be read. Reading the object throws the error.
    return try file.object(id).classIndex
  }
}
