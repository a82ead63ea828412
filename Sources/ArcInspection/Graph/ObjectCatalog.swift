import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects of a file with what a command needs to show them: names of properties, classes of rows.
final class ObjectCatalog {
  let file: ArchiveFile
  /// The numbers of characters of long texts.
  let characterCounts = SharedTexts()
  /// For a class, the names of its columns.
  private var columnNames: [[String]?]
  /// For a segment of which a row was asked for, the class of each of its rows.
  private var classIndices: [[UInt32]?]
  /// For a class its name, and the names of its columns, as text for people shows them.
  private var shownClassNames: [String?]
  private var shownColumnNames: [[String]?]

  init(_ file: ArchiveFile) {
    self.file = file
    columnNames = Array(repeating: nil, count: file.classes.count)
    classIndices = Array(repeating: nil, count: file.segments.count)
    shownClassNames = Array(repeating: nil, count: file.classes.count)
    shownColumnNames = Array(repeating: nil, count: file.classes.count)
  }

  /// The named roots. Throws `malformedSegment` if row 0 is something else. Spec: 05-graph, rule G1.
  func roots() throws -> ArchiveObject {
    let roots = try file.roots()
    guard roots.classIndex == 0 else {
      throw ArchiveError(
        .malformedSegment, found: "an object of class '\(roots.className)' in row 0",
        expected: "the named roots in row 0, the first row of the file",
        objectID: roots.id)
    }
    return roots
  }

  /// The number of objects in the file: all rows but row 0, which is that of the roots.
  var objectCount: Int { file.rowCount - 1 }

  /// A property's name: its key; `Biology.age` if a subclass of `Biology` has a property with that key too.
  func name(of property: ArchiveObject.Property, in object: ArchiveObject) -> String {
    names(ofClass: object.classIndex)[property.columnIndex]
  }

  /// The step of a path to a property; nil if no step leads to it, or too long a one.
  func step(to property: ArchiveObject.Property, of object: ArchiveObject) -> String? {
    let name = name(of: property, in: object)
    let names = names(ofClass: object.classIndex)
    let first = object.properties.first { names[$0.columnIndex].hasSameBytes(as: name) }
    return first?.columnIndex == property.columnIndex ? ValuePath.Step.name(name).printedText : nil
  }

  /// A property's value.
  func value(of property: ArchiveObject.Property, in object: ArchiveObject) -> TypedValue {
    TypedValue(property, in: object, of: file)
  }

  /// The name of an object's class, without reading the object. O(log n) in segments once its own was read.
  func className(of id: ObjectID) throws -> String { file.classes[try indexOfClass(of: id)].name }

  /// The same name as text for people shows it.
  func shownClassName(of id: ObjectID) throws -> String {
    let index = try indexOfClass(of: id)
    if let known = shownClassNames[index] { return known }
    let name = printableName(file.classes[index].name)
    shownClassNames[index] = name
    return name
  }

  /// The names of a class's properties as text for people shows them.
  func shownNames(ofClass index: Int) -> [String] {
    if let known = shownColumnNames[index] { return known }
    let names = names(ofClass: index).map { printableName($0) }
    shownColumnNames[index] = names
    return names
  }

  private func indexOfClass(of id: ObjectID) throws -> Int {
    let row = Int(id.rawValue)
    guard let segment = file.rowsSegment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an object with a number below \(file.rowCount)",
        objectID: id)
    }
    let place = row - file.segments[segment].firstIndex
    if let known = classIndices[segment]?[place] { return Int(known) }
    var indices: [UInt32] = []
    for run in try file.rows(inSegment: segment).runs {
      let index = UInt32(truncatingIfNeeded: run.classIndex)
      indices.append(contentsOf: repeatElement(index, count: run.rows.count))
    }
    classIndices[segment] = indices
    return Int(indices[place])
  }

  /// The names of a class's properties, by the indices of its columns.
  func names(ofClass index: Int) -> [String] {
    if let names = columnNames[index] { return names }
    let names = file.classes.propertyNames(ofClass: index)
    columnNames[index] = names
    return names
  }
}
