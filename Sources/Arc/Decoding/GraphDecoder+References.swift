import ArcFormat
import ArcRuntime

extension GraphDecoder {
  /// The object in a row, for a column that refers to it. Throws if it is not built yet, or of another class.
  /// Spec: 05-graph, rule G4.
  func object<Object>(_ row: Int, from column: ColumnReader) throws -> Object {
    guard var object = references.value.objects[row] else {
      throw column.error(
        row < file.rowCount ? .constructionOrder : .danglingReference,
        found: "a reference to object #\(row), which is not built yet", expected: "an earlier row",
        remedy: "decode the reference in link(from:), or encode it during .construction")
    }
    if let standIns = standIns {
      guard let standIn = standIns[ObjectIdentifier(Swift.type(of: object))] else {
        throw column.error(.nilReference, found: "no object to cut a link with")
      }
      object = standIn
    }
    let (type, wanted) = (ObjectIdentifier(Swift.type(of: object)), ObjectIdentifier(Object.self))
    // Asked once for each pair of classes: a cast to a type that only the caller knows takes long.
    if type != wanted, !ObjectLookup.isKnownCast(type, wanted, references.value.castCache) {
      guard object is Object else {
        throw column.error(
          .wrongClass, found: "object #\(row) of class '\(Swift.type(of: object))'",
          expected: "class '\(Object.self)'")
      }
      references.value.rememberCast(type, wanted)
    }
    if column.isUnowned, references.value.noteUnownedTarget(row) {
      unownedTargets.append((row, column))
    }
    if !column.isUnowned, !column.isWeak {
      references.value.holders.note(row, by: references.value.currentRow)
      if references.value.isLogging {
        log.add(owner: references.value.currentRow, target: row)
      }
    }
    // It is an `Object`, or one of the same class was.
    return unsafe _unsafeReferenceCast(object, to: Object.self)
  }

  /// The columns of the roots, as the types that the caller asks for.
  func rootColumns() throws -> ColumnReaderSet {
    let set = try tables.rootSet ?? makeRootSet(tables.request.roots)
    tables.rootSet = set
    try tables.rootIsolation.check()
    if let first = file.rowsSegments.first, let rows = try file.rows(inSegment: first).classes.first {
      set.bind(rows.chunks)
    }
    return set
  }

  /// Throws `missingRoot` for a root that the file does not have, and `typeMismatch` for one of another type.
  /// Spec: 06-evolution, rules M2 and M4.
  private func makeRootSet(
    _ roots: [(name: String, type: any ArchivableValue.Type)]
  ) throws -> ColumnReaderSet {
    let description = file.classes[0]
    var layout = ColumnLayout()
    var sources: [ResolvedColumn] = []
    for (index, root) in roots.enumerated() {
      guard let position = description.columns.firstIndex(where: { $0.key.hasSameBytes(as: root.name) })
      else {
        let names = description.columns.map { "'\($0.key)'" }.joined(separator: ", ")
        throw ArchiveError(
          .missingRoot, found: "roots \(names)", expected: "a root '\(root.name)'", key: root.name)
      }
      let context = TypeEncodingContext()
      let encoding = try context.encoding(of: root.type)
      if let type = context.mainActorType { tables.rootIsolation = ActorIsolation(mainActorType: type) }
      try layout.append(encoding)
      let names = context.olderNames
      var matcher = ColumnResolver(wanted: layout, file: file.layouts[0]) {
        names[ExactName($0)]?[ExactName($1)] ?? []
      }
      guard let found = matcher.match(root: index, fileRoot: position) else {
        throw ArchiveError(
          .typeMismatch,
          found: "a root of type '\(description.columns[position].attributes.type?.description ?? "")'",
          expected: "'\(encoding)'", remedy: "ask for the type that was archived", key: root.name)
      }
      sources += found
    }
    return ColumnReaderSet(
      layout, sources: sources, locations: roots.map { ColumnLocation(className: "root", key: $0.name) },
      strings: tables.file.strings, context: references.opaque)
  }

  /// Reads a part of a recursive value: one level deeper, if the part is a value of the same type. Spec:
  /// 04-columns, rule V7; 07-limits, rule A8.
  func readPart<Value: ArchivableValue>(_ part: ColumnReader, of column: ColumnReader) throws -> Value {
    let isDeeper = column.enterValue()
    if isDeeper { nesting += 1 }
    defer {
      if isDeeper { nesting -= 1 }
      column.leaveValue()
    }
    guard nesting <= file.limits.nesting else { throw column.nestedTooDeeply(file.limits.nesting) }
    return try StackExtension.call { try Value.__read(from: part) }
  }
}
