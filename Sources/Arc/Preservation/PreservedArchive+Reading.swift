import ArcArchive
import ArcFormat
import ArcRuntime

// Finds the content of an archive that a decoder did not read, when the graph is complete.

extension PreservedArchive {
  /// Preserves the archive that a decoder has read, together with the objects that the decoder built. Nil if
  /// the archive has no unknown content.
  ///
  /// - Parameters:
  ///   - decoder: a decoder whose objects are complete and still in its object table.
  ///   - roots: the roots that were read.
  ///   - context: the context for the program's code while the roots are archived.
  /// - Throws: the errors of archiving the roots.
  convenience init?(
    _ decoder: ArchiveDecoder, roots: [(name: String, value: any ArchivableValue)], _ context: ArchiveContext
  ) throws {
    let uses = try UsedClasses(decoder)
    guard uses.leavesSomething || uses.hasCodedValues else { return nil }
    var objects: [Object] = []
    let table = decoder.references.value.objects
    for row in 1..<max(decoder.file.rowCount, 1) {
      guard let object = table.object(at: decoder.schema.view.target(ofRow: row)),
        !(object is any AnyValueBox)
      else { continue }
      objects.append(Object(row: UInt32(truncatingIfNeeded: row), object: object))
    }
    // The current state of the graph. Later differences are changes by the program.
    let encoder = GraphEncoder(in: context)
    encoder.hooks.prepareObjects = false
    let graph = try encoder.writtenGraph(of: roots)
    encoder.listObjects()
    var unchanged = [UInt32](repeating: 0, count: decoder.file.rowCount)
    for entry in objects {
      if let object = entry.object { unchanged[Int(entry.row)] = encoder.row(of: object) }
    }
    let archive = ReadArchive(
      bytes: [UInt8](decoder.file.bytes), rowCount: decoder.file.rowCount, limits: decoder.file.limits,
      classes: uses.classes, replacedRows: decoder.schema.migrationTargets,
      touchedColumns: decoder.schema.touchedColumns, convertedFields: uses.convertedFields,
      unchanged: ReadArchive.Unchanged(graph, rows: unchanged))
    guard try uses.leavesSomething || archive.losesCodedValues() else { return nil }
    self.init(archive, objects, isWithoutObjects: unchanged.allSatisfy { $0 == 0 })
  }
}

/// The use of each class of an archive by the program that has read the archive: for example, which columns
/// the program reads.
private struct UsedClasses {
  private(set) var classes: [ReadArchive.ClassUse] = []
  /// Whether the archive has content that the program does not know.
  private(set) var leavesSomething = false
  /// The older fields that the program converts to fields of its structures.
  private(set) var convertedFields = ConvertedFields()
  /// Whether the archive has values of `Codable` types. The `init(from:)` of such a type may not decode
  /// everything that the archive contains.
  private(set) var hasCodedValues = false

  init(_ decoder: ArchiveDecoder) throws {
    let schema = decoder.schema
    let types = ReachableClasses(schema.request.classes, roots: schema.request.roots.map(\.type))
    let counts = decoder.file.checkedRowCounts
    for (index, description) in decoder.file.classes.enumerated() {
      let use: ReadArchive.ClassUse
      if index == 0 {
        use = Self.roots(schema.request, description)
        let context = __TypeEncodingContext()
        for root in schema.request.roots { _ = root.type.__typeEncoding(in: context) }
        convertedFields.add(context.olderFields)
      } else if let reader = schema.readers[index] {
        let isSubstitute = schema.substitutedClasses.contains(index)
        convertedFields.add(reader.programClass.olderFields)
        use = ReadArchive.ClassUse(
          programName: isSubstitute ? nil : reader.programClass.schema.name, hasSubstitute: isSubstitute,
          isOfBoxes: reader.type is any AnyValueBox.Type, columns: schema.columnUses(of: reader),
          names: schema.columnNames(of: reader), conversions: reader.resolution?.conversions ?? [])
      } else if let choice = schema.columnChoices[index] {
        convertedFields.add(choice.programClass.olderFields)
        use = ReadArchive.ClassUse(
          programName: choice.programClass.schema.name,
          isMigrated: schema.migratedClasses.contains(index),
          isOfBoxes: choice.programClass.schema.type is any AnyValueBox.Type, columns: choice.uses,
          names: choice.names, conversions: choice.conversions)
      } else if schema.migratedClasses.contains(index),
        let type = try types.type(named: description.name)
      {
        let resolution = try ClassResolution(
          ProgramClass.of(type), classIndex: index, of: decoder.file.classes,
          schemaName: types.schemaName(of:))
        convertedFields.add(resolution.programClass.olderFields)
        use = ReadArchive.ClassUse(
          programName: resolution.programClass.schema.name, isMigrated: true,
          columns: resolution.columnUses, names: resolution.names,
          conversions: resolution.conversions)
      } else {
        let type = try types.type(named: description.name)
        use = ReadArchive.ClassUse(
          programName: try type.map { try ProgramClass.of($0).schema.name },
          columns: Array(repeating: .unread, count: description.columns.count))
      }
      if counts[index] > 0, Self.leavesSomething(use) { leavesSomething = true }
      if counts[index] > 0, decoder.file.layouts[index].holdsCodedValues { hasCodedValues = true }
      classes.append(use)
    }
    leavesSomething =
      try leavesSomething || schema.readers.contains { $0?.leavesPartsOfValues ?? false }
      || Self.leavesPartsOfRoots(schema)
  }

  private static func leavesPartsOfRoots(_ schema: ResolvedSchema) throws -> Bool {
    let columns = schema.file.classes[0].columns
    return try schema.rootSet?.hasOmittedValues ?? false
      || schema.request.roots.contains { root in
        let column = columns.first { $0.key.hasSameBytes(as: root.name) }
        return try __TypeEncodingContext().encoding(of: root.type).lacksParts(of: column?.attributes.type)
      }
  }

  private static func leavesSomething(_ use: ReadArchive.ClassUse) -> Bool {
    use.programName == nil || use.columns.contains(.unread)
  }

  private static func roots(
    _ request: ResolvedSchema.Request, _ description: ClassDescription
  ) -> ReadArchive.ClassUse {
    ReadArchive.ClassUse(
      programName: description.name,
      columns: description.columns.map { column in
        request.roots.contains { $0.name.hasSameBytes(as: column.key) }
          ? .read(key: column.key, declaringClass: description.name) : .unread
      }, names: request.names(ofRootsIn: description))
  }
}

extension ResolvedSchema {
  /// Returns the readers that `ConstructionByNeed` created for the class of `reader`, to build the objects of
  /// single segments.
  private func others(of reader: ClassReader) -> [ClassReader] {
    segmentReaders.value.filter { $0.classIndex == reader.classIndex }
  }

  /// Returns the use of each column of a class. A column counts as read if `reader`, or another reader of the
  /// same class, reads it.
  fileprivate func columnUses(of reader: ClassReader) -> [ReadArchive.ColumnUse] {
    var uses = reader.columnUses
    for other in others(of: reader).map(\.columnUses) {
      for index in uses.indices where uses[index] == .unread { uses[index] = other[index] }
    }
    return uses
  }

  /// Returns the program's names for fields and cases, by the index of the column. Contains the columns that
  /// `reader`, or another reader of the same class, reads.
  fileprivate func columnNames(of reader: ClassReader) -> [Int: CurrentNames] {
    others(of: reader).reduce(into: reader.columnNames) { names, other in
      names.merge(other.columnNames) { known, _ in known }
    }
  }
}
