import ArcRuntime

extension SchemaSnapshot {
  /// Compares this schema of a program with the files of a program with another schema. Returns all
  /// differences.
  ///
  ///     let worst = try schema.differences(readingFilesOf: old).map(\.effect).max()
  ///
  /// A snapshot represents the files that a program writes, and also the older files that the program still
  /// reads. Therefore, dropping an older key, an older name or an initial value is a difference, too.
  ///
  /// - Parameter old: the schema of the program that wrote the files.
  /// - Returns: the differences of the roots, then the differences of the classes, by class name.
  /// - Throws: `ArchiveError` if a column cannot contain a type of the schema.
  public func differences(readingFilesOf old: SchemaSnapshot) throws -> [SchemaDifference] {
    let (stored, indices) = try old.stored()
    var comparison = try comparison(of: stored)
    var entries: [Int: Class] = [:]
    for entry in old.classes { indices[ExactName(entry.name)].map { entries[$0] = entry } }
    func objects(_ index: Int) -> String? { entries[index].map { _ in "objects" } }
    try comparison.compareClasses(from: nil, objects: objects) { index, comparison in
      guard let entry = entries[index],
        let matched = try compare(index, "objects", in: stored, &comparison)
      else { return nil }
      let lost = matched.isMigrated ? [] : matched.lostReadings(of: entry, in: old)
      for difference in lostNames(of: entry) + lost {
        comparison.add(difference)
      }
      return matched.readColumns
    }
    return comparison.differences
  }

  /// Returns the differences that a program with this schema would report for a file.
  ///
  /// - Parameters:
  ///   - file: the classes of the file.
  ///   - rowCounts: the number of rows of each class.
  /// - Returns: all differences, in the order of the file.
  /// - Throws: `ArchiveError` if a column cannot contain a type of the schema.
  package func differences(reading file: StoredSchema, rowCounts: [Int]) throws -> [SchemaDifference] {
    var comparison = try comparison(of: file)
    func objects(_ index: Int) -> String? {
      rowCounts[index] == 0 ? nil : plural(rowCounts[index], "object")
    }
    try comparison.compareClasses(from: rootColumns(in: file), objects: objects) { index, comparison in
      try compare(index, objects(index) ?? "", in: file, &comparison)?.readColumns
    }
    return comparison.differences
  }

  /// Returns the indices of the file's root columns that are also roots of this schema.
  private func rootColumns(in file: StoredSchema) -> Set<Int> {
    let columns = file.classes[0].columns
    let names = Set(roots.map { ExactName($0.name) })
    return Set(columns.indices.filter { names.contains(ExactName(columns[$0].key)) })
  }

  /// Compares the roots of this schema with the roots of the file. Returns a comparison that contains the
  /// differences.
  private func comparison(of file: StoredSchema) throws -> SchemaComparison {
    var comparison = SchemaComparison(file)
    for root in roots {
      try comparison.compare(
        root: root.name, as: root.type, readAs: root.readType, olderNames: Self.table(root.olderNames),
        requiredFields: root.requiredFields)
    }
    let names = Set(roots.map { ExactName($0.name) })
    for column in file.classes[0].columns where !names.contains(ExactName(column.key)) {
      comparison.add(
        SchemaDifference(
          .lossy, className: nil, key: column.key, found: "the root '\(column.key)'",
          expected: "no root '\(column.key)'; archiving the graph again loses its value",
          fileType: column.attributes.type))
    }
    return comparison
  }

  /// Compares a class of the file. Returns nil if no class of this schema reads the class of the file.
  private func compare(
    _ index: Int, _ found: String, in file: StoredSchema, _ comparison: inout SchemaComparison
  ) throws -> MatchedClass? {
    guard let entry = reader(ofClassNamed: file.classes[index].name) else {
      comparison.addUnknownClass(at: index, found: found)
      return nil
    }
    let declared = try declared(entry)
    func programName(_ name: String) -> String { reader(ofClassNamed: name)?.name ?? name }
    let outdated = lineage(of: entry).lazy.filter(\.migrates).map { level in
      let version = file.classes.version(of: level.name, inLineageOf: index, programName: programName)
      return (version: version, present: level.version)
    }.first { $0.version < $0.present }.map { ($0.version, Int(clamping: $0.present)) }
    for level in lineage(of: entry).reversed() {
      let version = file.classes.version(of: level.name, inLineageOf: index, programName: programName)
      guard version > level.version else { continue }
      comparison.addNewerVersion(
        ofClass: index, level: level.name, from: version, to: Int(clamping: level.version), isRefused: true)
    }
    let matching = comparison.compare(
      classAt: index, with: declared, outdated: outdated, programName: programName)
    return MatchedClass(
      declared: declared, matching: matching, isMigrated: outdated != nil,
      readColumns: declared.readColumns(of: file.classes[index], matching))
  }

  /// Returns the class of this schema that reads objects of the class `name` in a file. Nil if there is none.
  /// A class whose former name is `name` takes precedence over the class whose current name is `name`, as in
  /// the program's class table.
  private func reader(ofClassNamed name: String) -> Class? {
    (formerPositions[ExactName(name)] ?? positions[ExactName(name)]).map { classes[$0] }
  }

  /// Returns the class and its superclasses in ascending order, up to the first class with a hand-written
  /// coder. Such a coder itself reads and writes all inherited properties.
  private func readLineage(of entry: Class) -> [Class] {
    let lineage = lineage(of: entry)
    let end = lineage.firstIndex(where: \.isKeyed).map { $0 + 1 } ?? lineage.count
    return Array(lineage[..<end])
  }

  private static func table(_ olderNames: [OlderNames]) -> [ExactName: [ExactName: [String]]] {
    var table: [ExactName: [ExactName: [String]]] = [:]
    for older in olderNames where !older.names.isEmpty {
      table[ExactName(older.type), default: [:]][ExactName(older.label)] = older.names
    }
    return table
  }

  // MARK: As a schema that reads files

  /// Converts a class of the snapshot to a class that reads files. Omits keys for which a coder used several
  /// types, because the type to read is ambiguous.
  private func declared(_ entry: Class) throws -> DeclaredClass {
    let lineage = readLineage(of: entry)
    var properties: [DeclaredClass.Property] = []
    var layout = ColumnLayout()
    for level in lineage {
      let keyCounts = Dictionary(level.properties.map { (ExactName($0.key), 1) }, uniquingKeysWith: +)
      for property in level.properties where keyCounts[ExactName(property.key)] == 1 {
        properties.append(
          DeclaredClass.Property(
            keys: property.keys, declaringClass: level.name, type: property.type, readType: property.readType,
            absence: property.absence, older: property.older))
        try layout.append(
          property.readType, isWeak: property.isWeak, isKeyed: property.isKeyed, includesOlderFields: true)
      }
    }
    return DeclaredClass(
      properties: properties, layout: layout, olderNames: Self.table(lineage.flatMap(\.olderNames)),
      requiredFields: lineage.flatMap(\.requiredFields), isKeyed: lineage.contains(where: \.isKeyed))
  }

  // MARK: As the schema of files

  /// Returns the class table of files with this schema, and the index of each class in it. Superclasses
  /// precede their subclasses.
  private func stored() throws -> (schema: StoredSchema, indices: [ExactName: Int]) {
    let lineages = classes.map(lineage(of:)).sorted { $0.count < $1.count }
    var indices: [ExactName: Int] = [:]
    for (position, lineage) in lineages.enumerated() { indices[ExactName(lineage[0].name)] = position + 1 }
    let rootColumns = roots.map { root in
      Self.column(
        Property(keys: [root.name], type: root.type, absence: .refused, isReadOnly: false, isWeak: false), 0)
    }
    var table = [
      ClassDescription(name: ClassDescription.rootsName, superclassIndex: nil, columns: rootColumns)
    ]
    var classesWithUnknownKeys: Set<Int> = []
    for lineage in lineages {
      let levels = readLineage(of: lineage[0])
      // In the schema of a file, the keys of a coder are properties.
      if levels.contains(where: { $0.isKeyed && $0.properties.isEmpty }) {
        classesWithUnknownKeys.insert(table.count)
      }
      table.append(
        ClassDescription(
          name: lineage[0].name,
          superclassIndex: lineage.dropFirst().first.flatMap { indices[ExactName($0.name)] },
          version: lineage[0].version,
          columns: levels.flatMap { level in
            level.properties.map { Self.column($0, indices[ExactName(level.name)] ?? 0) }
          }))
    }
    let schema = StoredSchema(
      classes: table, layouts: try table.map { try ColumnLayout($0) },
      classesWithUnknownKeys: classesWithUnknownKeys, isOfProgram: true)
    return (schema, indices)
  }

  private static func column(_ property: Property, _ declaringClassIndex: Int) -> ColumnDescription {
    ColumnDescription(
      declaringClassIndex: declaringClassIndex, key: property.key,
      attributes: PropertyAttributes(type: property.type, flags: property.isWeak ? .weak : [], ivar: nil),
      flags: property.isKeyed ? .keyed : [])
  }

  // MARK: Compatibility with older files

  /// Returns a difference for each name of an older class that this schema no longer reads as the same class:
  /// no class reads the name, or a different class reads it.
  private func lostNames(of old: Class) -> [SchemaDifference] {
    let name = reader(ofClassNamed: old.name)?.name
    return old.formerNames.filter { reader(ofClassNamed: $0)?.name != name }.map { former in
      SchemaDifference(
        .refused, className: old.name, key: nil,
        found: "objects that older versions stored under the class name '\(former)'",
        expected: "no objects under this name, because class '\(name ?? old.name)' is not registered with it",
        remedy: "register the class with its older name: try classes.register(\(name ?? old.name).self, "
          + "formerly: \"\(former)\")")
    }
  }
}

/// A class of the program, and the result of matching its properties with the columns of an older class.
private struct MatchedClass {
  let declared: DeclaredClass
  let matching: ColumnMatching
  /// Whether the class migrates objects of the older version before they are read.
  let isMigrated: Bool

  /// The indices of the columns that are read. Nil means all columns.
  let readColumns: Set<Int>?

  /// Returns the differences about older files that the older program could read but this program cannot
  /// read: files with values under keys that this program no longer has, and files without a property.
  func lostReadings(
    of old: SchemaSnapshot.Class, in schema: SchemaSnapshot
  ) -> [SchemaDifference] {
    var lost: [SchemaDifference] = []
    for (property, position) in zip(declared.properties, matching.positions) {
      // Inherited properties are reported for the superclass.
      guard let position, position < old.properties.count else { continue }
      lost += lostKeys(of: old.properties[position], of: old, property)
      lost += lostConversions(of: old.properties[position], of: old, property)
      let couldBeMissing = [.becomesNil, .keepsInitialValue].contains(old.properties[position].absence)
      if couldBeMissing, property.absence == .refused {
        lost.append(
          difference(
            .refused, old, property, found: "possibly no value, in files of older versions",
            expected: "a value in every file, because the property has no initial value",
            remedy: "keep the initial value, or make the property optional"))
      }
    }
    return lost + lostFields(of: old)
  }

  private func lostKeys(
    of oldProperty: SchemaSnapshot.Property, of old: SchemaSnapshot.Class,
    _ property: DeclaredClass.Property
  ) -> [SchemaDifference] {
    oldProperty.keys.dropFirst().filter { key in !property.keys.contains { $0.hasSameBytes(as: key) } }.map {
      key in
      difference(
        property.absence == .refused ? .refused : .lossy, old, property,
        found: "values that older versions stored under the key '\(key)'",
        expected: "no values under this key, because the property does not have this older key",
        remedy: "keep the key '\(key)' in @Key")
    }
  }

  private func lostConversions(
    of oldProperty: SchemaSnapshot.Property, of old: SchemaSnapshot.Class,
    _ property: DeclaredClass.Property
  ) -> [SchemaDifference] {
    oldProperty.older.filter { !property.older.contains($0) }.map { keys in
      let quoted = keys.map { "'\($0)'" }.joined(separator: ", ")
      return difference(
        property.absence == .refused ? .refused : .lossy, old, property,
        found: "values that older versions stored under \(quoted)",
        expected: "no values under \(quoted), because the property does not convert them",
        remedy: "restore @Key(\(keys.map { "\"\($0)\"" }.joined(separator: ", ")), from: …)")
    }
  }

  private func lostFields(of old: SchemaSnapshot.Class) -> [SchemaDifference] {
    if old.olderNames.isEmpty { return [] }
    var labels: [ExactName: Set<ExactName>] = [:]
    for node in declared.layout.nodes {
      if let name = node.name {
        labels[ExactName(name), default: []].formUnion(node.labels.map { ExactName($0) })
      }
    }
    return old.olderNames.flatMap { older -> [SchemaDifference] in
      guard labels[ExactName(older.type)]?.contains(ExactName(older.label)) ?? false else { return [] }
      let names = declared.olderNames[ExactName(older.type)]?[ExactName(older.label)] ?? []
      let lost = older.conversions.filter { !conversions(of: older).contains($0) }.map { keys in
        let quoted = keys.map { "'\($0)'" }.joined(separator: ", ")
        return SchemaDifference(
          .checked, className: old.name, key: nil,
          found: (keys.count == 1 ? "the older field" : "the older fields")
            + " \(quoted) for '\(older.label)' in "
            + "'\(older.type)', in files of older versions",
          expected: "no such values, because the field '\(older.label)' has no conversion from \(quoted)",
          remedy: "restore @Key(\(keys.map { "\"\($0)\"" }.joined(separator: ", ")), from: …)")
      }
      return lost
        + older.names.filter { name in !names.contains { $0.hasSameBytes(as: name) } }.map { name in
          SchemaDifference(
            .checked, className: old.name, key: nil,
            found: "'\(older.label)' of '\(older.type)' with the older name '\(name)', which older files "
              + "contain",
            expected: "no files with the older name, because '\(older.label)' does not have this name",
            remedy: "restore the name '\(name)' in @Key")
        }
    }
  }

  /// Returns the older fields from which the program converts the field that `older` describes, grouped by
  /// conversion.
  private func conversions(of older: SchemaSnapshot.OlderNames) -> [[String]] {
    declared.layout.nodes.lazy.compactMap { node -> [[String]]? in
      guard let name = node.name, name.hasSameBytes(as: older.type), !node.olderFields.isEmpty,
        let position = node.labels.firstIndex(where: { $0.hasSameBytes(as: older.label) })
      else { return nil }
      let all = zip(node.olderFields, node.labels.dropFirst(node.fieldCount))
        .filter { $0.0.targetField == position }
      return Dictionary(grouping: all) { $0.0.conversion }.values.map { $0.map(\.1) }
    }.first ?? []
  }

  private func difference(
    _ effect: SchemaDifference.Effect, _ old: SchemaSnapshot.Class, _ property: DeclaredClass.Property,
    found: String, expected: String, remedy: String
  ) -> SchemaDifference {
    SchemaDifference(
      effect, className: old.name, key: property.key, found: found,
      expected: expected + ", with " + TypeWords.named(property.type), programType: property.type,
      remedy: remedy)
  }
}
