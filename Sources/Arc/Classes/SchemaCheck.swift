import ArcFormat

/// Compares a file with the program that would read it, by class: those that the root leads to by what is read,
/// and what else the file has. Spec: 06-evolution.
struct SchemaCheck {
  private let file: ArchiveFile
  private let stored: StoredSchema
  private let types: ReachableClasses
  private let counts: [Int]
  /// What was found of each class that the root leads to.
  private var differences: [Int: [SchemaDifference]] = [:]

  /// Prepares a check of a file; reads which classes have objects.
  init(_ file: ArchiveFile, _ types: ReachableClasses) throws {
    self.file = file
    self.types = types
    stored = StoredSchema(classes: file.classes, layouts: file.layouts)
    counts = try file.rowCounts()
  }

  /// All differences: those of the root, then those of the classes with objects, in the order of the file.
  mutating func run(root type: any ArchivableValue.Type) throws -> [SchemaDifference] {
    var comparison = SchemaComparison(stored)
    let context = TypeEncodingContext()
    try comparison.compare(
      root: Archiver.rootName, as: context.encoding(of: type), olderNames: context.olderNames)
    let root = file.classes[0].columns.firstIndex { $0.key.hasSameBytes(as: Archiver.rootName) }
    var pending = Array(stored.classes(ledToByColumns: root.map { [$0] }, ofClassAt: 0))
    while let index = pending.popLast() {
      guard differences[index] == nil else { continue }
      pending += try compare(index)
    }
    for index in counts.indices.dropFirst() where counts[index] > 0 {
      if let found = differences[index] {
        for difference in found { comparison.add(difference) }
      } else {
        comparison.addUnneededClass(at: index, found: plural(counts[index], "object"))
      }
    }
    return comparison.differences
  }

  /// Compares a class; returns the classes that it leads to.
  private mutating func compare(_ index: Int) throws -> Set<Int> {
    differences[index] = []
    guard counts[index] > 0 else { return [] }
    var comparison = SchemaComparison(stored)
    defer { differences[index] = comparison.differences }
    do {
      guard let type = try types.type(named: file.classes[index].name) else {
        comparison.addUnknownClass(at: index, found: plural(counts[index], "object"))
        return stored.classes(ledToByColumns: nil, ofClassAt: index)
      }
      let programClass = try ProgramClass.of(type)
      if let level = try types.outdatedLevels(of: programClass, in: file.classes, index).last {
        comparison.addMigration(
          ofClass: index, from: UInt64(clamping: level.version), to: level.schema.version)
        return stored.classes(ledToByColumns: nil, ofClassAt: index)
      }
      let declared = DeclaredClass(programClass)
      let matching = try comparison.compare(
        classAt: index, with: declared, programName: types.schemaName(of:))
      let readsByKey = declared.isKeyed || declared.properties.contains { !$0.older.isEmpty }
      return stored.classes(
        ledToByColumns: readsByKey ? nil : matching.takenColumns, ofClassAt: index)
    } catch let error as ArchiveError {
      comparison.addRefusal(
        ofClass: index, found: error.found, expected: error.expected ?? "another", remedy: error.remedy)
      return stored.classes(ledToByColumns: nil, ofClassAt: index)
    }
  }
}

extension ReachableClasses {
  /// The levels of a class of which a file has an older version that the program changes, the topmost superclass
  /// first, each with the file's version: 0 where the file does not have the level.
  func outdatedLevels(
    of programClass: ProgramClass, in classes: [ClassDescription], _ index: Int
  ) throws -> [(schema: ClassSchema, version: Int)] {
    var levels: [(schema: ClassSchema, version: Int)] = []
    for schema in programClass.schema.lineage.reversed() where schema.migration != nil {
      let version = try version(of: schema, in: classes, index)
      if version < schema.version { levels.append((schema, version)) }
    }
    return levels
  }

  private func version(of schema: ClassSchema, in classes: [ClassDescription], _ index: Int) throws -> Int {
    var next: Int? = index
    while let index = next {
      if try schemaName(of: classes[index].name).hasSameBytes(as: schema.name) {
        return Int(clamping: classes[index].version)
      }
      next = classes[index].superclassIndex
    }
    return 0
  }
}
