import ArcRuntime

extension ArchiveFile {
  /// The schema of the file: its roots, and all classes of its table. It does not say what becomes of a
  /// property that another file lacks.
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

  /// By class, the columns of the properties that it declares itself. They are collected from its subclasses
  /// as well: a class of which there is no object may be described by them alone.
  package func declaredProperties() -> [Int: [ColumnDescription]] {
    var seen: Set<ColumnDescription> = []
    var properties: [Int: [ColumnDescription]] = [:]
    for column in classes.lazy.flatMap(\.columns) where seen.insert(column).inserted {
      properties[column.declaringClassIndex, default: []].append(column)
    }
    return properties
  }

  /// What a program with another schema would do about the file. No value is read.
  ///
  /// - Parameter schema: the schema of the program.
  /// - Returns: all differences, in the order of the file: those of the roots, then those of each class that
  ///   has objects.
  /// - Throws: `ArchiveError` if the file is damaged.
  /// - Complexity: O(classes · properties + segments).
  public func differences(readBy schema: SchemaSnapshot) throws -> [SchemaDifference] {
    try schema.differences(
      reading: StoredSchema(classes: classes, layouts: layouts), rowCounts: rowCounts())
  }
}

extension SchemaSnapshot.Property {
  /// Describes a column of a file.
  init(_ column: ColumnDescription) {
    self.init(
      keys: [column.key], type: column.attributes.type ?? .uncoded, absence: .unknown,
      isReadOnly: column.attributes.flags.contains(.readOnly),
      isWeak: column.attributes.flags.contains(.weak), isKeyed: column.flags.contains(.keyed))
  }
}
