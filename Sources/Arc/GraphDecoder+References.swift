extension GraphDecoder {
  /// The object that a column refers to next, nil for row 0.
  static func object<Object: Archivable>(from column: ColumnReader) throws -> Object? {
    let row = try column.__integer(Int.self)
    guard row != 0 else { return nil }
    let graph = of(column)
    guard let object = graph.table[row] else {
      throw column.__error(
        row < graph.file.rowCount ? .constructionOrder : .danglingReference,
        found: "a reference to object #\(row), which is not built yet", expected: "an earlier row",
        remedy: "decode the reference in link(from:), or encode it during .construction")
    }
    let fitting = (object: ObjectIdentifier(type(of: object)), type: ObjectIdentifier(Object.self))
    if column.__fittingClass.map({ $0 != fitting }) ?? true {
      guard object is Object else {
        throw column.__error(
          .wrongClass, found: "object #\(row) of class '\(type(of: object))'",
          expected: "class '\(Object.self)'")
      }
      column.__fittingClass = fitting
    }
    if !column.__isUnowned, !column.__isWeak { graph.references.add(owner: graph.currentRow, target: row) }
    if column.__isUnowned, graph.unownedTargets[row] == nil {
      graph.unownedTargets[row] = WeakTarget(object: object, column: column)
    }
    // An object of the same class was seen to be an `Object`, so this one is.
    return unsafe unsafeDowncast(object, to: Object.self)
  }

  /// The columns of the roots, as the types that the caller asks for.
  func rootColumns(
    _ roots: [(name: String, type: any ArchivableValue.Type)]
  ) throws -> [ColumnReader] {
    let description = file.classes[0]
    var layout = ColumnLayout()
    var sources: [ColumnSource] = []
    for (index, root) in roots.enumerated() {
      guard let position = description.columns.firstIndex(where: { $0.key == root.name }) else {
        let names = description.columns.map { "'\($0.key)'" }.joined(separator: ", ")
        throw ArchiveError(
          .missingRoot, found: "roots \(names)", expected: "a root '\(root.name)'", key: root.name)
      }
      let context = TypeEncodingContext()
      let encoding = root.type.__typeEncoding(in: context)
      try layout.append(encoding)
      let names = context.olderNames
      var matcher = ColumnMatcher(wanted: layout, file: file.layouts[0]) { names[$0]?[$1] ?? [] }
      guard let found = matcher.match(root: index, fileRoot: position) else {
        throw ArchiveError(
          .typeMismatch,
          found: "a root of type '\(description.columns[position].attributes.type?.description ?? "")'",
          expected: "'\(encoding)'", remedy: "ask for the type that was archived", key: root.name)
      }
      sources += found
    }
    let set = unsafe ColumnReaderSet(
      layout, sources: sources, places: roots.map { ColumnPlace(className: "root", key: $0.name) },
      strings: strings, context: Unmanaged.passUnretained(self).toOpaque())
    if let first = file.rowsSegments.first, let rows = try file.rows(inSegment: first).classes.first {
      set.bind(rows.chunks)
    }
    rootSet = set
    return set.columns
  }

  /// Runs `body` one level deeper in a recursive value.
  func nested<Value>(_ body: () throws -> Value) throws -> Value {
    try Limits.check(nesting + 1, within: file.limits.nesting, "nesting")
    nesting += 1
    defer { nesting -= 1 }
    return try body()
  }
}
