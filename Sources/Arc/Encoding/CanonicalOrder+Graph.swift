import ArcFormat

// Collects the graph by which objects are compared. Spec: 05-graph, rule F5.

extension CanonicalOrder {
  /// Returns the graph of roots and objects. The first vertices are the roots and the objects, in the order
  /// of their rows. They are followed by vertices for elements and entries of collections.
  func graph(
    of objects: ContiguousArray<any Archivable>, named names: [String], roots: [any ArchivableValue]
  ) throws -> LabelledGraph {
    builder = LabelledGraphBuilder(classNames: names)
    defer { builder = nil }
    let columns = makeColumnsOfRoots()
    begin(at: ValueBoxes.Location())
    for (index, root) in roots.enumerated() { try root.__write(to: columns.column(index)) }
    builder?.set(columns.comparableValues())
    for (index, object) in objects.enumerated() {
      builder?.begin(row: index + 1)
      let columns = try scratchColumns(of: object)
      columns.removeAll()
      try columns.encode(object)
      builder?.set(columns.comparableValues())
    }
    return builder?.graph() ?? LabelledGraph(colours: [], links: [])
  }

  /// Adds the elements of a set whose elements may refer to objects. The order of `keys` does not affect the
  /// result.
  func add<Key: ArchivableValue>(_ keys: [Key], of column: ColumnWriter) throws {
    let position = builder?.nextPosition ?? 0
    for key in keys {
      builder?.move(to: position)
      if column.isReference {
        // The only content of such an element is that it is an element, so it needs no vertex.
        try encodeKeys { try withColumns(of: Key.self) { try key.__write(to: $0.column(0)) } }
      } else {
        try inVertex(.element) {
          try encodeKeys { try values(of: key) }
        }
      }
    }
    builder?.move(to: position + 1)
  }

  /// Adds the entries of a dictionary whose entries may refer to objects. The order of `entries` does not
  /// affect the result.
  func add<Key: ArchivableValue, Value: ArchivableValue>(
    _ entries: [(key: Key, value: Value)], of column: ColumnWriter
  ) throws {
    let position = builder?.nextPosition ?? 0
    for entry in entries {
      builder?.move(to: position)
      try inVertex(.entry) {
        var values = try encodeKeys { try self.values(of: entry.key) }
        values.append(
          try withColumns(of: Value.self) { columns in
            // The boxes of values are identified by the property that contains them.
            columns.belong(toSlot: column.slot)
            try entry.value.__write(to: columns.column(0))
            return columns.comparableValues()
          })
        return values
      }
    }
    builder?.move(to: position + 1)
  }

  private func values<Value: ArchivableValue>(of value: Value) throws -> ComparableValues {
    try withColumns(of: Value.self) { columns in
      try value.__write(to: columns.column(0))
      return columns.comparableValues()
    }
  }

  private func inVertex(_ kind: LabelledGraphBuilder.Kind, _ encode: () throws -> ComparableValues) throws {
    guard let outer = builder?.enter(kind) else { return }
    let values = try encode()
    builder?.set(values)
    builder?.leave(to: outer)
  }
}
