import ArcFormat
import ArcRuntime

// Checks values before any of them is stored: each value needs a column that accepts it, and each column
// needs values.

extension ArchiveBuilder {
  /// Creates the columns of one object from Swift values.
  static func columns(_ values: [Key: any ColumnValue]) -> [Column] {
    func column<Value: ColumnValue>(_ key: Key, _ value: Value) -> Column { Column(key, [value]) }
    return values.map { column($0, $1) }
  }

  /// Creates the columns of one object from `ArchiveValue`s.
  static func columns(_ values: [Key: ArchiveValue]) -> [Column] { values.map { Column($0, .same($1)) } }

  /// Sets the values of existing rows, and writes all rows up to the first row without values.
  func set(_ columns: [Column], ofRows ids: [ObjectID]) throws(ArchiveError) {
    try checkLengths(columns, ids.count)
    try set(ofRows: ids) { classIndex throws(ArchiveError) in try arrange(columns, ids, classIndex) }
  }

  /// Sets the values of a row, and writes all rows up to the first row without values. `values` contains a
  /// value for each column of the class; nil is treated like an omitted column.
  func set(_ values: [ArchiveValue?], ofRow id: ObjectID) throws(ArchiveError) {
    try set(ofRows: [id]) { classIndex throws(ArchiveError) in
      let (columns, layout) = (
        writer.classes[classIndex].columns, writer.columnSet(ofClass: classIndex).layout
      )
      var arranged = [PendingColumn?](repeating: nil, count: columns.count)
      for position in columns.indices where position < values.count {
        guard let value = values[position] else { continue }
        do throws(ArchiveError) {
          let count = try check(.same(value), [id], layout, position, columns[position].flags)
          arranged[position] = PendingColumn(values: .same(value), presenceCount: count)
        } catch {
          throw error.located(key: columns[position].key)
        }
      }
      return try completed(arranged, columns, layout)
    }
  }

  private func set(
    ofRows ids: [ObjectID], _ arrange: (_ classIndex: Int) throws(ArchiveError) -> [PendingColumn?]
  ) throws(ArchiveError) {
    guard let first = ids.first else { return }
    let classIndex = Int(classOfRow[Int(first.rawValue)])
    let arranged: [PendingColumn?]
    do throws(ArchiveError) {
      try checkRows(ids, classIndex)
      arranged = try arrange(classIndex)
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
        expected: "\(plural(count, "value")), one for each object", key: column.key.name)
    }
  }

  /// Checks that rows belong to a class and have no values yet. Spec: 05-graph, rule W4.
  private func checkRows(_ ids: [ObjectID], _ classIndex: Int) throws(ArchiveError) {
    for id in ids where Int(classOfRow[Int(id.rawValue)]) != classIndex {
      throw ArchiveError(
        .wrongClass,
        found: "object \(id) of class '\(writer.classes[Int(classOfRow[Int(id.rawValue)])].name)'",
        expected: "objects of class '\(writer.classes[classIndex].name)', like the first object", objectID: id
      )
    }
    let isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
    guard isAscending || Set(ids).count == ids.count, !ids.contains(where: { isSet[Int($0.rawValue)] }) else {
      throw ArchiveError(
        .duplicateKey, found: "values for an object that already has values",
        expected: "one call of setValues(_:of:) for each object")
    }
  }

  /// Checks values and returns them by column. An element is nil if the column is keyed and has no values.
  /// Spec: 05-graph, rule W4.
  private func arrange(
    _ values: [Column], _ ids: [ObjectID], _ classIndex: Int
  ) throws(ArchiveError) -> [PendingColumn?] {
    let columns = writer.classes[classIndex].columns
    let set = writer.columnSet(ofClass: classIndex)
    let layout = set.layout
    var arranged = [PendingColumn?](repeating: nil, count: columns.count)
    for column in values {
      let (position, presenceCount) = try firstMatch(of: column, ids, columns, layout)
      // Only keyed columns share a declaring class and key with others. Spec: 03-classes, rule C4.
      let isFirst =
        arranged[position] == nil
        && (!set.hasKeyedColumns
          || columns.indices.allSatisfy {
            arranged[$0] == nil || !columns[$0].key.hasSameBytes(as: column.key.name)
              || columns[$0].declaringClassIndex != columns[position].declaringClassIndex
          })
      guard isFirst else {
        throw ArchiveError(
          .duplicateKey, found: "two columns of values with the key '\(column.key.name)'",
          expected: "one column of values for each property", key: column.key.name)
      }
      arranged[position] = PendingColumn(values: column.values, presenceCount: presenceCount)
    }
    return try completed(arranged, columns, layout)
  }

  /// Returns the columns of the class. An omitted column gets nil or empty values. If an omitted column is
  /// keyed, its element in the result is nil.
  private func completed(
    _ checked: [PendingColumn?], _ columns: [ColumnDescription], _ layout: ColumnLayout
  ) throws(ArchiveError) -> [PendingColumn?] {
    var arranged = checked
    for position in columns.indices
    where arranged[position] == nil && !columns[position].flags.contains(.keyed) {
      guard let empty = layout.nodes[layout.roots[position]].kind.emptyValue else {
        throw ArchiveError(
          .missingKey, found: "no value for the property '\(columns[position].key)'",
          expected: "a value, because the property is not an optional, a reference or a collection",
          key: columns[position].key)
      }
      arranged[position] = PendingColumn(values: .same(empty), presenceCount: 0)
    }
    return arranged
  }

  /// Returns the first column that accepts the values of a key, and the number of optionals in which the
  /// column wraps each value.
  private func firstMatch(
    of values: Column, _ ids: [ObjectID], _ columns: [ColumnDescription], _ layout: ColumnLayout
  ) throws(ArchiveError) -> (position: Int, presenceCount: Int) {
    var lastError: ArchiveError?
    for position in columns.indices where columns[position].key.hasSameBytes(as: values.key.name) {
      if let wanted = values.key.declaringClass {
        guard writer.classes[columns[position].declaringClassIndex].name.hasSameBytes(as: wanted) else {
          continue
        }
      }
      do throws(ArchiveError) {
        return (position, try check(values.values, ids, layout, position, columns[position].flags))
      } catch {
        lastError = error.located(key: values.key.name)
      }
      // Another keyed column with the same key may follow, for values of another type.
      if !columns[position].flags.contains(.keyed) { break }
    }
    throw lastError
      ?? ArchiveError(
        .missingKey, found: "a value for the key '\(values.key.name)'",
        expected: "the key of a property of the class",
        key: values.key.name)
  }

  /// Checks that a column can store one value for each object in `ids`. Returns the number of optionals in
  /// which the column wraps each value.
  private func check(
    _ values: ObjectValues, _ ids: [ObjectID], _ layout: ColumnLayout, _ position: Int,
    _ flags: ColumnDescription.Flags
  ) throws(ArchiveError) -> Int {
    switch values {
    case .same(let value):
      for id in ids { try check(value, of: id, layout, position, flags) }
    case .values(let values):
      for index in values.indices {
        do throws(ArchiveError) {
          try check(values[index], of: ids[index], layout, position, flags)
        } catch {
          throw error.located(objectID: ids[index])
        }
      }
    case .swift(let values): return try check(values, ids, layout, position, flags)
    }
    return flags.contains(.keyed) ? 1 : 0
  }

  private func check(
    _ value: ArchiveValue, of id: ObjectID, _ layout: ColumnLayout, _ position: Int,
    _ flags: ColumnDescription.Flags
  ) throws(ArchiveError) {
    let checker = ValueChecker(
      layout: layout, isStrict: isStrict,
      checkReference: { [self] target, name throws(ArchiveError) in
        try check(target, isOfClass: name, Int(id.rawValue), flags.contains(.construction))
      })
    try checker.check(value, node: layout.valueNode(ofRoot: position, isKeyed: flags.contains(.keyed)))
  }

  /// Checks that a column can store values of a Swift type, and checks the references in the values. Returns
  /// the number of optionals in which the column wraps each value. Spec: 06-evolution, rule M4.
  private func check(
    _ values: any SwiftColumnValues, _ ids: [ObjectID], _ layout: ColumnLayout, _ position: Int,
    _ flags: ColumnDescription.Flags
  ) throws(ArchiveError) -> Int {
    let type = try swiftType(values.type)
    guard let match = type.match(inColumn: position, of: layout) else {
      throw ArchiveError(
        .typeMismatch, found: "values of type '\(values.type)'",
        expected: "values of the column's type, or of the wrapped type of a column of optionals",
        remedy: "pass the values as ArchiveValue, which can hold every type")
    }
    guard type.containsReference else { return match.presenceCount }
    let rule = referenceRule(
      layout.nodes[match.innermost].name, isConstruction: flags.contains(.construction))
    try values.forEachReference { [self] index, target throws(ArchiveError) in
      if let error = error(in: target, ofRow: ids[index].rawValue, rule) {
        throw error.located(objectID: ids[index].rawValue == 0 ? nil : ids[index])
      }
    }
    return match.presenceCount
  }

  private func swiftType(_ type: any ColumnValue.Type) throws(ArchiveError) -> SwiftColumnType {
    let identifier = ObjectIdentifier(type)
    if let known = swiftTypes[identifier] { return known }
    let new = try SwiftColumnType(type)
    swiftTypes[identifier] = new
    return new
  }
}
