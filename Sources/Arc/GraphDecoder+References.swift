extension GraphDecoder {
  /// The object of a row, for a column that refers to it. Throws if it is not built yet or of another class.
  static func object<Object: Archivable>(_ row: Int, from column: ColumnReader) throws -> Object {
    let references = unsafe ReferenceReader.of(column)
    let graph = of(column)
    guard var object = unsafe references.pointee.objects[row] else {
      throw column.__error(
        row < graph.file.rowCount ? .constructionOrder : .danglingReference,
        found: "a reference to object #\(row), which is not built yet", expected: "an earlier row",
        remedy: "decode the reference in link(from:), or encode it during .construction")
    }
    if let standIns = graph.standIns {
      guard let standIn = standIns[ObjectIdentifier(type(of: object))] else {
        throw column.__error(.nilReference, found: "no object to cut a link with")
      }
      object = standIn
    }
    guard let fitting = object as? Object else {
      throw column.__error(
        .wrongClass, found: "object #\(row) of class '\(type(of: object))'",
        expected: "class '\(Object.self)'")
    }
    unsafe references.pointee.addFitting(ObjectIdentifier(type(of: object)), ObjectIdentifier(Object.self))
    if column.__isUnowned, unsafe references.pointee.noteUnownedTarget(row) {
      graph.unownedTargets.append((row, column))
    }
    if !column.__isUnowned, !column.__isWeak {
      unsafe references.pointee.holders.note(row, by: references.pointee.currentRow)
      if unsafe references.pointee.isLogging {
        unsafe graph.log.add(owner: references.pointee.currentRow, target: row)
      }
    }
    return fitting
  }

  /// The columns of the roots, as the types that the caller asks for.
  func rootColumns() throws -> ColumnReaderSet {
    let set = try tables.rootSet ?? makeRootSet(tables.wish.roots)
    tables.rootSet = set
    try tables.rootIsolation.check()
    if let first = file.rowsSegments.first, let rows = try file.rows(inSegment: first).classes.first {
      set.bind(rows.chunks)
    }
    return set
  }

  private func makeRootSet(
    _ roots: [(name: String, type: any ArchivableValue.Type)]
  ) throws -> ColumnReaderSet {
    let description = file.classes[0]
    var layout = ColumnLayout()
    var sources: [ColumnSource] = []
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
      var matcher = ColumnMatcher(wanted: layout, file: file.layouts[0]) {
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
    return unsafe ColumnReaderSet(
      layout, sources: sources, places: roots.map { ColumnPlace(className: "root", key: $0.name) },
      strings: tables.file.strings, context: UnsafeMutableRawPointer(references))
  }

  /// Reads a part of a recursive value: one level deeper, if it is a value inside of one of its type.
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
