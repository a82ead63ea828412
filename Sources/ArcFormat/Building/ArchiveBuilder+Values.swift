import ArcRuntime

// How values are checked before any of them is kept: each has a column that takes it, and each column values.

extension ArchiveBuilder {
  /// The columns of one object with Swift values.
  static func columns(_ values: [Key: any ColumnValue]) -> [Column] {
    func column<Value: ColumnValue>(_ key: Key, _ value: Value) -> Column { Column(key, [value]) }
    return values.map { column($0, $1) }
  }

  /// The columns of one object with values of any kind.
  static func columns(_ values: [Key: ArchiveValue]) -> [Column] { values.map { Column($0, .same($1)) } }

  /// Sets the values of rows, which there are, and writes those rows whose turn it is.
  func set(_ columns: [Column], ofRows ids: [ObjectID]) throws(ArchiveError) {
    try checkLengths(columns, ids.count)
    guard let first = ids.first else { return }
    let classIndex = Int(classOfRow[Int(first.rawValue)])
    let arranged: [PendingColumn?]
    do throws(ArchiveError) {
      try checkRows(ids, classIndex)
      arranged = try arrange(columns, ids, classIndex)
    } catch {
      let id = ids.count == 1 && first.rawValue != 0 ? first : nil
      throw error.located(className: writer.classes[classIndex].name, objectID: id)
    }
    var start = 0
    for index in ids.indices {
      isSet[Int(ids[index].rawValue)] = true
      if index + 1 < ids.count, ids[index].rawValue + 1 == ids[index + 1].rawValue { continue }
      pending[Int(ids[start].rawValue)] = PendingRows(
        columns: arranged, start: start, count: index + 1 - start)
      start = index + 1
    }
    try writePending()
  }

  private func checkLengths(_ columns: [Column], _ count: Int) throws(ArchiveError) {
    for column in columns {
      guard let length = column.values.count, length != count else { continue }
      throw ArchiveError(
        .invalidUse, found: "a column of \(plural(length, "value"))",
        expected: "a value for each of \(plural(count, "object"))", key: column.key.name)
    }
  }

  /// Throws unless rows are of a class and have no values. Spec: 05-graph, rule W4.
  private func checkRows(_ ids: [ObjectID], _ classIndex: Int) throws(ArchiveError) {
    for id in ids where Int(classOfRow[Int(id.rawValue)]) != classIndex {
      throw ArchiveError(
        .wrongClass,
        found: "object \(id) of class '\(writer.classes[Int(classOfRow[Int(id.rawValue)])].name)'",
        expected: "objects of one class", objectID: id)
    }
    let isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
    guard isAscending || Set(ids).count == ids.count, !ids.contains(where: { isSet[Int($0.rawValue)] }) else {
      throw ArchiveError(.duplicateKey, found: "a second set of values", expected: "one for each object")
    }
  }

  /// The values by column, each checked; nil where a keyed column has none. Spec: 05-graph, rule W4.
  private func arrange(
    _ values: [Column], _ ids: [ObjectID], _ classIndex: Int
  ) throws(ArchiveError) -> [PendingColumn?] {
    let columns = writer.classes[classIndex].columns
    let layout = writer.columnSet(ofClass: classIndex).layout
    var arranged = [PendingColumn?](repeating: nil, count: columns.count)
    for given in values {
      let (position, column) = try place(given, ids, columns, layout)
      let isFirst = columns.indices.allSatisfy {
        arranged[$0] == nil || !columns[$0].key.hasSameBytes(as: given.key.name)
          || columns[$0].declaringClass != columns[position].declaringClass
      }
      guard isFirst else {
        throw ArchiveError(.duplicateKey, found: "two values for one column", key: given.key.name)
      }
      arranged[position] = column
    }
    for (position, column) in columns.enumerated()
    where arranged[position] == nil && !column.flags.contains(.keyed) {
      guard let empty = layout.nodes[layout.roots[position]].kind.emptyValue else {
        throw ArchiveError(.missingKey, found: "no value", expected: "one", key: column.key)
      }
      arranged[position] = PendingColumn(values: .same(empty), presenceCount: 0)
    }
    return arranged
  }

  /// The first column that takes the values of a key.
  private func place(
    _ given: Column, _ ids: [ObjectID], _ columns: [ColumnDescription], _ layout: ColumnLayout
  ) throws(ArchiveError) -> (position: Int, column: PendingColumn) {
    var mistake: ArchiveError?
    for (position, column) in columns.enumerated() where column.key.hasSameBytes(as: given.key.name) {
      let declaring = writer.classes[column.declaringClass].name
      guard given.key.declaringClass?.hasSameBytes(as: declaring) ?? true else { continue }
      do throws(ArchiveError) {
        return (position, try check(given.values, ids, column, position, layout))
      } catch {
        mistake = error.located(key: given.key.name)
      }
      // A keyed column may be followed by another with the same key, for values of another type.
      if !column.flags.contains(.keyed) { break }
    }
    throw mistake
      ?? ArchiveError(
        .missingKey, found: "a value for '\(given.key.name)'", expected: "a key of the class",
        key: given.key.name)
  }

  /// Throws unless a column can hold values, of which each has an object.
  private func check(
    _ values: ObjectValues, _ ids: [ObjectID], _ column: ColumnDescription, _ position: Int,
    _ layout: ColumnLayout
  ) throws(ArchiveError) -> PendingColumn {
    var presenceCount = column.flags.contains(.keyed) ? 1 : 0
    switch values {
    case .same(let value):
      for id in ids { try check(value, of: id, column, position, layout) }
    case .values(let values):
      for (value, id) in zip(values, ids) {
        do throws(ArchiveError) {
          try check(value, of: id, column, position, layout)
        } catch {
          throw error.located(objectID: id)
        }
      }
    case .swift(let values):
      presenceCount = try check(values, ids, column, position, layout)
    }
    return PendingColumn(values: values, presenceCount: presenceCount)
  }

  private func check(
    _ value: ArchiveValue, of id: ObjectID, _ column: ColumnDescription, _ position: Int,
    _ layout: ColumnLayout
  ) throws(ArchiveError) {
    let checker = ValueChecker(
      layout: layout, isStrict: isStrict,
      checkReference: { [self] target, name throws(ArchiveError) in
        try check(target, isOfClass: name, Int(id.rawValue), column.flags.contains(.construction))
      })
    let node = layout.roots[position]
    try checker.check(value, node: column.flags.contains(.keyed) ? layout.nodes[node].children[0] : node)
  }

  /// Throws unless a column takes values of a Swift type, and the references in them; returns the number of
  /// optionals around them. Spec: 06-evolution, rule M4.
  private func check(
    _ values: any SwiftColumnValues, _ ids: [ObjectID], _ column: ColumnDescription, _ position: Int,
    _ layout: ColumnLayout
  ) throws(ArchiveError) -> Int {
    let type = try swiftType(values.type)
    guard
      let place = type.place(
        inColumn: position, of: layout, isKeyed: column.flags.contains(.keyed))
    else {
      throw ArchiveError(
        .typeMismatch, found: "\(values.type)",
        expected: "the type of '\(column.attributes)', or what it wraps in an optional",
        remedy: "ArchiveValue has values of every type")
    }
    guard type.containsReference else { return place.presenceCount }
    let rule = referenceRule(place.innermost.name, isConstruction: column.flags.contains(.construction))
    try values.forEachReference { [self] index, target throws(ArchiveError) in
      if let error = mistake(in: target, ofRow: ids[index].rawValue, rule) {
        throw error.located(objectID: ids[index].rawValue == 0 ? nil : ids[index])
      }
    }
    return place.presenceCount
  }

  private func swiftType(_ type: any ColumnValue.Type) throws(ArchiveError) -> SwiftColumnType {
    let identifier = ObjectIdentifier(type)
    if let known = swiftTypes[identifier] { return known }
    let made = try SwiftColumnType(type)
    swiftTypes[identifier] = made
    return made
  }
}
