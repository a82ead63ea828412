import ArcArchive
import ArcFormat

/// Compares the classes of a file with the classes of the program that would read it. Spec: 06-evolution.
struct SchemaCheck {
  let file: ArchiveFile
  let types: ReachableClasses
  /// The treatment of objects, cases and raw values that the program does not have.
  let policy: UnknownContentPolicy
  /// The treatment of objects that a newer version of their class wrote.
  let newerVersions: NewerVersionPolicy

  /// Returns all differences between the file and the program for reading a root as a type. The differences
  /// of the root come first. The differences of the file's classes that have objects follow, in the order of
  /// the file.
  func differences(root name: String, as type: any ArchivableValue.Type) throws -> [SchemaDifference] {
    let stored = StoredSchema(classes: file.classes, layouts: file.layouts)
    var comparison = SchemaComparison(stored)
    let context = __TypeEncodingContext(collectingRequiredFields: ())
    let encoding = try context.encoding(of: type)
    try comparison.compare(
      root: name, as: encoding, readAs: context.readEncoding(of: type, encoding),
      olderNames: context.olderNames, requiredFields: context.requiredFields)
    let counts = try file.rowCounts()
    let substitutes = SubstituteClasses(
      policy, of: file.classes, types, ReferringProperties(in: file), roots: [(name, type)])
    let omitted = OmittedClasses(of: stored, counts, policy, types, substitutes)
    let roots = file.classes[0].columns.indices.filter {
      file.classes[0].columns[$0].key.hasSameBytes(as: name)
    }
    for root in roots {
      omitted.difference(ofColumn: root, ofClassAt: 0, as: type, className: nil, key: name).map {
        comparison.add($0)
      }
    }
    func objects(_ index: Int) -> String? { counts[index] == 0 ? nil : plural(counts[index], "object") }
    try comparison.compareClasses(from: Set(roots), objects: objects) { index, comparison in
      do {
        return try compare(index, plural(counts[index], "object"), omitted, substitutes, &comparison)
      } catch let error as ArchiveError {
        comparison.addRefusal(
          ofClass: index, found: error.found, expected: error.expected ?? "another class",
          remedy: error.remedy)
        return nil
      }
    }
    return comparison.differences
  }

  /// Compares a class of the file with the program's class, and adds the differences to `comparison`. Returns
  /// the indices of the columns that the program reads. Nil if all columns count as read.
  private func compare(
    _ index: Int, _ objects: String, _ omitted: OmittedClasses, _ substitutes: SubstituteClasses,
    _ comparison: inout SchemaComparison
  ) throws -> Set<Int>? {
    let known = try types.type(named: file.classes[index].name)
    let substitute = try known == nil ? substitutes.type(forClassAt: index) : nil
    guard let type = known ?? substitute else {
      guard !policy.refuses else {
        comparison.addUnknownClass(at: index, found: objects)
        return nil
      }
      comparison.addLoss(
        ofClass: index, found: objects, "no class '\(file.classes[index].name)', so its objects are omitted")
      return []
    }
    if let substitute {
      comparison.addLoss(
        ofClass: index, found: objects,
        "no class '\(file.classes[index].name)', for which '\(substitute)' is the substitute")
    }
    let programClass = try ProgramClass.of(type)
    let declared = DeclaredClass(programClass)
    for (schema, version) in try types.newerLevels(of: programClass, in: file.classes, index) {
      comparison.addNewerVersion(
        ofClass: index, level: schema.name, from: UInt64(clamping: version), to: schema.version,
        isRefused: newerVersions == .refuse)
    }
    let outdated = try types.outdatedLevels(of: programClass, in: file.classes, index).last
    let matching = try comparison.compare(
      classAt: index, with: declared,
      outdated: outdated.map { (UInt64(clamping: $0.version), $0.schema.version) },
      programName: types.schemaName(of:))
    for (slot, position) in zip(programClass.slots, matching.positions) {
      guard let position else { continue }
      omitted.difference(
        ofColumn: position, ofClassAt: index, as: slot.property.valueType,
        className: file.classes[index].name, key: slot.property.keys[0]
      ).map { comparison.add($0) }
    }
    return declared.readColumns(of: file.classes[index], matching)
  }
}

extension ReachableClasses {
  /// Returns the levels of a class: the topmost superclass first, the class itself last. Each level has its
  /// version in a file, or the version 0 if the file does not have the level.
  func levels(
    of programClass: ProgramClass, in classes: [ClassDescription], _ index: Int
  ) throws -> [(schema: ClassSchema, version: Int)] {
    try programClass.schema.lineage.reversed().map { schema in
      let version = try classes.version(of: schema.name, inLineageOf: index, programName: schemaName(of:))
      return (schema, Int(clamping: version))
    }
  }

  /// Returns each level of a class whose version is newer in a file than in the program, together with the
  /// version in the file. A level is the class or one of its superclasses. The topmost superclass comes
  /// first.
  func newerLevels(
    of programClass: ProgramClass, in classes: [ClassDescription], _ index: Int
  ) throws -> [(schema: ClassSchema, version: Int)] {
    // Fast path: most files have no versions.
    var next: Int? = index
    while let index = next, classes[index].version == 0 { next = classes[index].superclassIndex }
    guard next != nil else { return [] }
    return try levels(of: programClass, in: classes, index).filter { $0.version > $0.schema.version }
  }

  /// Throws `newerVersion` if the version of a class or of a superclass is newer in a file than in the
  /// program, unless the policy permits this. Spec: 06-evolution, rule M8.
  func checkVersions(
    of programClass: ProgramClass, in classes: [ClassDescription], _ index: Int, _ policy: NewerVersionPolicy
  ) throws {
    guard policy == .refuse,
      let (schema, version) = try newerLevels(of: programClass, in: classes, index).first
    else { return }
    throw ArchiveError(
      .newerVersion, found: "objects of version \(version) of class '\(schema.name)'",
      expected: "at most version \(schema.version), the version in this program",
      remedy: SchemaComparison.remedyForNewerVersion, className: classes[index].name)
  }

  /// Returns the levels of a class that have an older version in a file than in the program, and that the
  /// program migrates. A level is the class or one of its superclasses. The topmost superclass comes first.
  /// Each level has its version in the file, or the version 0 if the file does not have the level.
  func outdatedLevels(
    of programClass: ProgramClass, in classes: [ClassDescription], _ index: Int
  ) throws -> [(schema: ClassSchema, version: Int)] {
    var levels: [(schema: ClassSchema, version: Int)] = []
    for schema in programClass.schema.lineage.reversed() where schema.migration != nil {
      let version = Int(
        clamping: try classes.version(of: schema.name, inLineageOf: index, programName: schemaName(of:)))
      if version < schema.version { levels.append((schema, version)) }
    }
    return levels
  }
}
