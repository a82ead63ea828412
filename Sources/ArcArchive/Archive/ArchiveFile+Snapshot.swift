public import ArcFormat
import ArcRuntime

extension ArchiveFile {
  /// The schema of the file: its roots and all classes of its class table.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     for line in file.schemaSnapshot.changedLines(since: try SchemaSnapshot(of: Museum.self)) {
  ///       print(line)
  ///     }
  ///
  /// A program's schema states what happens if a file has no value for a property. The schema of a file does
  /// not contain this information.
  public var schemaSnapshot: SchemaSnapshot {
    let declared = declaredProperties()
    let entries = classes.indices.dropFirst().map { index in
      let columns = declared[index] ?? []
      return SchemaSnapshot.Class(
        name: classes[index].name, superclass: classes[index].superclassIndex.map { classes[$0].name },
        version: classes[index].version, isKeyed: columns.contains { $0.flags.contains(.keyed) },
        formerNames: [], properties: columns.map(SchemaSnapshot.Property.init))
    }
    let roots = classes[0].columns.map {
      SchemaSnapshot.Root(name: $0.key, type: $0.attributes.type ?? .uncoded)
    }
    return SchemaSnapshot(roots: roots, classes: entries)
  }

  /// Returns the columns of the properties that each class declares itself, by the index of the class.
  ///
  /// The columns of subclasses are also searched: if a class has no objects of its own, the file may contain
  /// its properties only as columns of its subclasses.
  package func declaredProperties() -> [Int: [ColumnDescription]] {
    var seen: Set<ColumnDescription> = []
    var properties: [Int: [ColumnDescription]] = [:]
    for column in classes.lazy.flatMap(\.columns) where seen.insert(column).inserted {
      properties[column.declaringClassIndex, default: []].append(column)
    }
    return properties
  }

  /// Compares the file with the schema of a program. Returns all differences.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let schema = try SchemaSnapshot(of: Museum.self)
  ///     for difference in try file.differences(readBy: schema) {
  ///       print(difference)
  ///     }
  ///
  /// The function compares names and types, and does not read the values of objects.
  ///
  /// - Parameter schema: the schema of the program.
  /// - Returns: the differences of the roots, then the differences of each class that has objects, in the
  ///   order of the file.
  /// - Throws: `ArchiveError` with the code of the damage if the file is damaged.
  /// - Complexity: O(*n*) in the number of properties of all classes, plus O(*m*) in the number of bytes of
  ///   the rows, because the function counts the rows of each class.
  public func differences(readBy schema: SchemaSnapshot) throws -> [SchemaDifference] {
    try schema.differences(
      reading: StoredSchema(classes: classes, layouts: layouts), rowCounts: rowCounts())
  }
}

extension SchemaSnapshot.Property {
  /// Creates the description of a property from a column of a file.
  init(_ column: ColumnDescription) {
    self.init(
      keys: [column.key], type: column.attributes.type ?? .uncoded, absence: .unknown,
      isReadOnly: column.attributes.flags.contains(.readOnly),
      isWeak: column.attributes.flags.contains(.weak), isKeyed: column.flags.contains(.keyed))
  }
}
