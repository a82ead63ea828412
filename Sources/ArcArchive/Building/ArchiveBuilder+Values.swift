import ArcFormat
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
    try set(ofRows: ids) { classIndex throws(ArchiveError) in try arrange(columns, ids, classIndex) }
  }

  /// Sets the values of a row, one for each column of its class, and writes rows whose turn it is; nil is as
  /// if the column were left out.
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

  /// Throws unless rows are of a class and have no values. Spec: 05-graph, rule W4.
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

  /// The values by column, each checked; nil where a keyed column has none. Spec: 05-graph, rule W4.
  private func arrange(
    _ values: [Column], _ ids: [ObjectID], _ classIndex: Int
  ) throws(ArchiveError) -> [PendingColumn?] {
    let columns = writer.classes[classIndex].columns
    let set = writer.columnSet(ofClass: classIndex)
    let layout = set.layout
    var arranged = [PendingColumn?](repeating: nil, count: columns.count)
    for given in values {
      let (position, presenceCount) = try place(given, ids, columns, layout)
      // Only keyed columns share a declaring class and key with others. Spec: 03-classes, rule C4.
      let isFirst =
        arranged[position] == nil
        && (!set.hasKeyedColumns
          || columns.indices.allSatisfy {
            arranged[$0] == nil || !columns[$0].key.hasSameBytes(as: given.key.name)
              || columns[$0].declaringClassIndex != columns[position].declaringClassIndex
          })
      guard isFirst else {
        throw ArchiveError(
          .duplicateKey, found: "two columns of values with the key '\(given.key.name)'",
          expected: "one column of values for each property", key: given.key.name)
      }
      arranged[position] = PendingColumn(values: given.values, presenceCount: presenceCount)
    }
    return try completed(arranged, columns, layout)
  }

  /// The columns, with nil and empty values in those that are left out; nil where a keyed column has none.
  private func completed(
    _ given: [PendingColumn?], _ columns: [ColumnDescription], _ layout: ColumnLayout
  ) throws(ArchiveError) -> [PendingColumn?] {
    var arranged = given
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

  /// The first column that takes the values of a key, and the number of optionals around them there.
  private func place(
    _ given: Column, _ ids: [ObjectID], _ columns: [ColumnDescription], _ layout: ColumnLayout
  ) throws(ArchiveError) -> (position: Int, presenceCount: Int) {
    var mistake: ArchiveError?
    for position in columns.indices where columns[position].key.hasSameBytes(as: given.key.name) {
      if let wanted = given.key.declaringClass {
        guard writer.classes[columns[position].declaringClassIndex].name.hasSameBytes(as: wanted) else {
          continue
        }
      }
      do throws(ArchiveError) {
        return (position, try check(given.values, ids, layout, position, columns[position].flags))
      } catch {
        mistake = error.located(key: given.key.name)
      }
      // A keyed column may be followed by another with the same key, for values of another type.
      if !columns[position].flags.contains(.keyed) { break }
    }
    throw mistake
      ?? ArchiveError(
        .missingKey, found: "a value for the key '\(given.key.name)'",
        expected: "the key of a property of the class",
        key: given.key.name)
  }

  /// Throws unless a column can hold values, of which each has an object; returns the number of optionals
  /// around them.
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

  /// Throws unless a column takes values of a Swift type, and the references in them; returns the number of
  /// optionals around them. Spec: 06-evolution, rule M4.
  private func check(
    _ values: any SwiftColumnValues, _ ids: [ObjectID], _ layout: ColumnLayout, _ position: Int,
    _ flags: ColumnDescription.Flags
  ) throws(ArchiveError) -> Int {
    let type = try swiftType(values.type)
    guard let place = type.place(inColumn: position, of: layout) else {
      throw ArchiveError(
        .typeMismatch, found: "values of type '\(values.type)'",
        expected: "values of the column's type, or of the wrapped type of a column of optionals",
        remedy: "pass the values as ArchiveValue, which can hold every type")
    }
    guard type.containsReference else { return place.presenceCount }
    let rule = referenceRule(
      layout.nodes[place.innermost].name, isConstruction: flags.contains(.construction))
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
