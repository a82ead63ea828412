import ArcFormat
import ArcRuntime

/// The objects of a file with what a command needs to show them: names of properties, classes of rows.
final class ObjectCatalog {
  let file: ArchiveFile
  /// For a class, the names of its columns.
  private var columnNames: [[String]?]
  /// For a class, which of its columns can hold strong references.
  private var owningColumns: [[Bool]?]
  /// For a segment of rows, its runs.
  private var runs: [Int: [RowsSegment.Run]] = [:]
  /// The run that the last name of a class was asked of, since the next one is mostly of the same.
  private var lastRun: RowsSegment.Run?
  /// For a class its name, and the names of its columns, as text for people shows them.
  private var shownClassNames: [String?]
  private var shownColumnNames: [[String]?]

  init(_ file: ArchiveFile) {
    self.file = file
    columnNames = Array(repeating: nil, count: file.classes.count)
    owningColumns = Array(repeating: nil, count: file.classes.count)
    shownClassNames = Array(repeating: nil, count: file.classes.count)
    shownColumnNames = Array(repeating: nil, count: file.classes.count)
  }

  /// The named roots. Throws `malformedSegment` if row 0 is something else. Spec: 05-graph, rule G1.
  func roots() throws -> ArchiveObject {
    let roots = try file.roots()
    guard roots.classIndex == 0 else {
      throw ArchiveError(
        .malformedSegment, found: "row 0 of class '\(roots.className)'", expected: "the named roots",
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
    return first?.columnIndex == property.columnIndex ? PathText.step(to: name) : nil
  }

  /// A property's value.
  func value(of property: ArchiveObject.Property, in object: ArchiveObject) -> TypedValue {
    let layout = file.layouts[object.classIndex]
    return TypedValue(property.value, layout: layout, node: layout.roots[property.columnIndex])
  }

  /// Visits every object that a strong reference of the object leads to.
  func forEachOwnedObject(of object: ArchiveObject, _ body: (ObjectID) -> Void) {
    let isOwning = owningColumns(ofClass: object.classIndex)
    for property in object.properties where isOwning[property.columnIndex] {
      value(of: property, in: object).forEachOwnedObject(body)
    }
  }

  /// The name of an object's class, without reading the object. O(log n) once the segment was read.
  func className(of id: ObjectID) throws -> String { file.classes[try indexOfClass(of: id)].name }

  /// The same name as text for people shows it.
  func shownClassName(of id: ObjectID) throws -> String {
    let index = try indexOfClass(of: id)
    if let known = shownClassNames[index] { return known }
    let name = printableName(file.classes[index].name)
    shownClassNames[index] = name
    return name
  }

  /// A property's name as text for people shows it.
  func shownName(of property: ArchiveObject.Property, in object: ArchiveObject) -> String {
    if let known = shownColumnNames[object.classIndex] { return known[property.columnIndex] }
    let names = names(ofClass: object.classIndex).map { printableName($0) }
    shownColumnNames[object.classIndex] = names
    return names[property.columnIndex]
  }

  private func indexOfClass(of id: ObjectID) throws -> Int {
    let row = Int(id.rawValue)
    if let lastRun, lastRun.rows.contains(row) { return lastRun.classIndex }
    guard let segment = file.rowsSegment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "row \(row)", expected: "below \(file.rowCount)", objectID: id)
    }
    let runs = try runs(inSegment: segment)
    let run = min(runs.partitioningIndex { $0.rows.upperBound > row }, runs.count - 1)
    lastRun = runs[run]
    return runs[run].classIndex
  }

  /// The names of a class's properties, by the indices of its columns.
  func names(ofClass index: Int) -> [String] {
    if let names = columnNames[index] { return names }
    let columns = file.classes[index].columns
    // A superclass precedes its subclasses, so the maximum index is that of the most derived class.
    let owners = Dictionary(
      columns.map { (ExactName($0.key), $0.declaringClassIndex) }, uniquingKeysWith: max)
    let names = columns.map { column in
      owners[ExactName(column.key)] == column.declaringClassIndex
        ? column.key : file.classes[column.declaringClassIndex].name + "." + column.key
    }
    columnNames[index] = names
    return names
  }

  private func owningColumns(ofClass index: Int) -> [Bool] {
    if let known = owningColumns[index] { return known }
    let layout = file.layouts[index]
    let isOwning = layout.roots.map(layout.containsReference)
    owningColumns[index] = isOwning
    return isOwning
  }

  private func runs(inSegment index: Int) throws -> [RowsSegment.Run] {
    if let known = runs[index] { return known }
    let list = try file.rows(inSegment: index).runs
    runs[index] = list
    return list
  }
}
