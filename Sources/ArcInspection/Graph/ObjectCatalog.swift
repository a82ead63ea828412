import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects of a file, with the names of their classes and properties. Commands use it to print objects.
/// It caches names, and the classes of rows.
final class ObjectCatalog {
  let file: ArchiveFile
  /// A cache of the character counts of long strings.
  let characterCounts = SharedTexts()
  /// The names of each class's columns, by class index. Nil until they are requested.
  private var columnNames: [[String]?]
  /// The class index of each row of a segment, by segment index. Nil until the class of a row in the segment
  /// is requested.
  private var classIndices: [[UInt32]?]
  /// The printable name of each class, by class index. Nil until it is requested.
  private var shownClassNames: [String?]
  /// The printable names of each class's columns, by class index. Nil until they are requested.
  private var shownColumnNames: [[String]?]

  init(_ file: ArchiveFile) {
    self.file = file
    columnNames = Array(repeating: nil, count: file.classes.count)
    classIndices = Array(repeating: nil, count: file.segments.count)
    shownClassNames = Array(repeating: nil, count: file.classes.count)
    shownColumnNames = Array(repeating: nil, count: file.classes.count)
  }

  /// Returns the named roots. Throws `malformedSegment` if row 0 has another class. Spec: 05-graph, rule G1.
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

  /// The number of objects in the file, without the named roots in row 0.
  var objectCount: Int { file.rowCount - 1 }

  /// Returns the name of a property. The name is the key, or `Biology.age` if a subclass of `Biology` has a
  /// property with an equal key.
  func name(of property: ArchiveObject.Property, in object: ArchiveObject) -> String {
    names(ofClass: object.classIndex)[property.columnIndex]
  }

  /// Returns the step of a path that selects a property. Nil if an earlier property has an equal name: no
  /// step then selects this property. Also nil if the name is too long.
  func step(to property: ArchiveObject.Property, of object: ArchiveObject) -> String? {
    let name = name(of: property, in: object)
    let names = names(ofClass: object.classIndex)
    let first = object.properties.first { names[$0.columnIndex].hasSameBytes(as: name) }
    return first?.columnIndex == property.columnIndex ? ValuePath.Step.name(name).printedText : nil
  }

  /// Returns the value of a property.
  func value(of property: ArchiveObject.Property, in object: ArchiveObject) -> TypedValue {
    TypedValue(property, in: object, of: file)
  }

  /// Returns the name of an object's class, without reading the object.
  ///
  /// - Complexity: O(log n) in the number of segments, after the first request for a row of the same segment.
  func className(of id: ObjectID) throws -> String { file.classes[try indexOfClass(of: id)].name }

  /// Returns the printable name of an object's class.
  func shownClassName(of id: ObjectID) throws -> String {
    let index = try indexOfClass(of: id)
    if let known = shownClassNames[index] { return known }
    let name = printableName(file.classes[index].name)
    shownClassNames[index] = name
    return name
  }

  /// Returns the printable names of a class's properties, by column index.
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
    let indexInSegment = row - file.segments[segment].firstIndex
    if let known = classIndices[segment]?[indexInSegment] { return Int(known) }
    var indices: [UInt32] = []
    for run in try file.rows(inSegment: segment).runs {
      let index = UInt32(truncatingIfNeeded: run.classIndex)
      indices.append(contentsOf: repeatElement(index, count: run.rows.count))
    }
    classIndices[segment] = indices
    return Int(indices[indexInSegment])
  }

  /// Returns the names of a class's properties, by column index.
  func names(ofClass index: Int) -> [String] {
    if let names = columnNames[index] { return names }
    let names = file.classes.propertyNames(ofClass: index)
    columnNames[index] = names
    return names
  }
}
