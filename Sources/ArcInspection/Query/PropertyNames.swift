import ArcArchive
import ArcFormat
import ArcRuntime

extension ObjectCatalog {
  /// The columns of a class that a name in an expression means, in order: that of the name as `tree` shows
  /// it, else those of the key, else of what the name abbreviates. Several keyed columns may have one key.
  func columns(named name: ValuePath.Name, ofClass index: Int) -> [Int] {
    file.classes.columns(named: name, ofClass: index, names: names(ofClass: index))
  }

  /// The property of an object that a name in an expression means; nil if it has none.
  func property(_ name: ValuePath.Name, of object: ArchiveObject) -> ArchiveObject.Property? {
    let columns = columns(named: name, ofClass: object.classIndex)
    return object.properties.first { columns.contains($0.columnIndex) }
  }

  /// The index of the class with a name; nil if there is none, or none that can have objects.
  func classIndex(named name: String) -> Int? {
    file.classes.indices.dropFirst().first { file.classes[$0].name.hasSameBytes(as: name) }
  }

  /// For each class of the table whether it is the one with an index, or descends from it.
  ///
  /// - Complexity: O(classes).
  func isFamily(ofClass index: Int) -> [Bool] {
    var isMember = [Bool](repeating: false, count: file.classes.count)
    for (position, description) in file.classes.enumerated() {
      // A superclass stands earlier in the table.
      isMember[position] = position == index || description.superclassIndex.map { isMember[$0] } ?? false
    }
    return isMember
  }

  /// The index of the class of an object.
  func classIndex(of id: ObjectID) throws -> Int {
    if let index = file.classIndex(ofRow: Int(id.rawValue)) { return index }
    // What cannot be read says why when it is read as an object.
    return try file.object(id).classIndex
  }
}
