import ArcFormat

/// A class of the class table that can have objects, which the class of the roots cannot.
struct ObjectClass {
  /// Its position in the class table.
  let index: Int
  let description: ClassDescription
  /// Its objects, those of subclasses not counted.
  let rowCount: Int
}

extension ArchiveFile {
  /// The classes in the order of the table, without the one of the roots.
  func objectClasses() throws -> [ObjectClass] {
    let rowCounts = try rowCounts()
    return classes.indices.dropFirst().map {
      ObjectClass(index: $0, description: classes[$0], rowCount: rowCounts[$0])
    }
  }

  /// By class, the columns of the properties that it declares itself. They are collected from its subclasses
  /// as well: a class of which there is no object may be described by them alone.
  func declaredProperties() -> [Int: [ColumnDescription]] {
    var seen: Set<ColumnDescription> = []
    var properties: [Int: [ColumnDescription]] = [:]
    for column in classes.lazy.flatMap(\.columns) where seen.insert(column).inserted {
      properties[column.declaringClass, default: []].append(column)
    }
    return properties
  }

  /// The version of the format: `0.1`.
  var versionText: String { "\(version.major).\(version.minor)" }
}
