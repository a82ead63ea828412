import ArcFormat
import ArcRuntime

/// The values of objects of merged archives, with references by the numbers of `MergedNodes`.
struct MergedValues {
  let nodes: MergedNodes

  /// Of which classes an object is, and where it has its values: all objects of one shape have the same
  /// columns.
  struct Shape: Hashable {
    /// The index of the class in the archive of the graph; nil for an object that the graph does not have.
    let graphClass: Int?
    /// The source that the object was read from; nil for an object of the graph that was not read.
    let source: Int?
    /// The index of the class there.
    let storedClass: Int?
  }

  /// A column of an object, which the graph has, or a source, or both; and that of the unchanged graph.
  struct Column {
    let graph: Int?
    let stored: Int?
    let unchanged: Int?
    /// Further columns of the source, in which a row has its value if it has none in `stored`.
    var otherStored: [Int] = []
    /// The columns of the source from which the program converts the value in rows without a value of their
    /// own.
    var older: Set<Int> = []

    /// Whether rows may have the value in several columns.
    var mayBeReplaced: Bool { !otherStored.isEmpty || !older.isEmpty }
  }

  /// An object with its values by column.
  struct Row {
    let shape: Shape
    let current: ArchiveObject?
    let stored: ArchiveObject?
    let unchanged: ArchiveObject?
  }

  /// Reads an object.
  func row(of node: Int) throws -> Row {
    switch nodes.origin(of: node) {
    case .kept(let origin):
      let object = try nodes.sources[origin.source].file.object(id(origin.row))
      let shape = Shape(graphClass: nil, source: origin.source, storedClass: object.classIndex)
      return Row(shape: shape, current: nil, stored: object, unchanged: nil)
    case .graph(let row, let origin):
      let current = try nodes.graph.object(id(row))
      guard let origin else {
        let shape = Shape(graphClass: current.classIndex, source: nil, storedClass: nil)
        return Row(shape: shape, current: current, stored: nil, unchanged: nil)
      }
      let source = nodes.sources[origin.source]
      let stored = try source.file.object(id(origin.row))
      let unchangedRow = origin.row < source.rowsInUnchanged.count ? source.rowsInUnchanged[origin.row] : 0
      let hasUnchanged = row == 0 || unchangedRow > 0
      let unchanged = hasUnchanged ? try source.unchanged?.object(id(Int(unchangedRow))) : nil
      let shape = Shape(
        graphClass: current.classIndex, source: origin.source, storedClass: stored.classIndex)
      return Row(shape: shape, current: current, stored: stored, unchanged: unchanged)
    }
  }

  private func id(_ row: Int) -> ObjectID { ObjectID(rawValue: UInt32(truncatingIfNeeded: row)) }

  /// Whether objects of a shape stay of their class in the source, as which others stand for them.
  func isOfStoredClass(_ shape: Shape) -> Bool {
    guard let source = shape.source, let stored = shape.storedClass else { return false }
    return shape.graphClass == nil || nodes.sources[source].archive.classes[stored].hasStandIn
  }

  /// The columns of a shape.
  func columns(of shape: Shape) -> [Column] {
    let own = ColumnKeys(shape.graphClass, in: nodes.graph)
    let before = ColumnKeys(ofUnchanged: shape, nodes)
    guard let source = shape.source, let storedClass = shape.storedClass else {
      return own.columns.indices.map { Column(graph: $0, stored: nil, unchanged: nil) }
    }
    let uses = nodes.sources[source].archive.classes[storedClass].columns
    func column(_ graph: Int?, _ stored: Int?) -> Column {
      let key = graph.map { own.keys[$0] }
      return Column(graph: graph, stored: stored, unchanged: key.flatMap { before.positions[$0] })
    }
    if isOfStoredClass(shape) {
      return uses.indices.map { column(uses[$0].columnKey.flatMap { own.positions[$0] }, $0) }
    }
    var storedOf: [Int: [Int]] = [:]
    var columns: [Column] = []
    for (position, use) in uses.enumerated() {
      if let graph = use.columnKey.flatMap({ own.positions[$0] }) {
        // The program's own key counts before older ones.
        let isOwn = own.columns[graph].key.hasSameBytes(as: key(ofColumn: position, of: storedClass, source))
        storedOf[graph, default: []].insert(position, at: isOwn ? 0 : storedOf[graph]?.count ?? 0)
      } else if use == .unread, own.positions[key(ofColumn: position, of: storedClass, source)] == nil {
        columns.append(column(nil, position))
      }
    }
    var older: [ColumnKey: Set<Int>] = [:]
    for conversion in nodes.sources[source].archive.classes[storedClass].conversions {
      if let key = conversion.property.columnKey { older[key] = conversion.columns }
    }
    let known = own.columns.indices.map { graph in
      var known = column(graph, storedOf[graph]?.first)
      known.otherStored = Array(storedOf[graph]?.dropFirst() ?? [])
      known.older = older[own.keys[graph]] ?? []
      return known
    }
    return known + columns
  }

  private func key(ofColumn position: Int, of storedClass: Int, _ source: Int) -> String {
    nodes.sources[source].file.classes[storedClass].columns[position].key
  }

  /// The key of a column of a source, and the class that declares it from now on.
  private func key(ofColumn position: Int, of storedClass: Int, _ source: Int) -> ColumnKey {
    let column = nodes.sources[source].file.classes[storedClass].columns[position]
    return ColumnKey(column.key, name(ofClass: column.declaringClassIndex, inSource: source))
  }

  /// The name that a class of a source has from now on: that of the program, if it has the class.
  func name(ofClass index: Int, inSource source: Int) -> String {
    let source = nodes.sources[source]
    return source.archive.classes[index].programName ?? source.file.classes[index].name
  }

  // MARK: Values

  /// The value of a column, with references by the numbers of `nodes`; nil if the object has none.
  ///
  /// - Parameters:
  ///   - column: the column.
  ///   - row: the object.
  /// - Returns: the value, of which some parts are of the program's types and others of the archive's.
  /// - Throws: `malformedEncoding`, which the types of archives that were read do not cause.
  func value(_ column: Column, of row: Row) throws(ArchiveError) -> ArchiveValue? {
    guard let position = column.graph, let current = row.current?.value(inColumn: position) else {
      guard column.graph == nil || row.current == nil else { return nil }
      return try storedValues(column, of: row).first
    }
    guard let unchanged = unchangedValue(column, of: row) else { return current }
    let candidates = try storedValues(column, of: row)
    let unread = UnreadObjects(nodes: nodes)
    // Where there are several, it is the one that the program read, if any.
    let read =
      candidates.first { unchanged.isSame(as: $0) }
      ?? candidates.first { !column.mayBeReplaced || unchanged.isRead(from: $0, unread: unread) }
    guard let stored = read else { return current }
    let converted = row.shape.source.map { nodes.sources[$0].archive.convertedFields } ?? [:]
    return ValueMerge(convertedFields: converted, unread: unread)
      .merged(current, unchanged: unchanged, stored: stored)
  }

  /// The values of the columns of the source in which a row may have a column's value.
  private func storedValues(_ column: Column, of row: Row) throws(ArchiveError) -> [ArchiveValue] {
    var values: [ArchiveValue] = []
    for position in (column.stored.map { [$0] } ?? []) + column.otherStored {
      if let value = try storedValue(position, of: row) { values.append(value) }
    }
    return values
  }

  /// The value of a column of the source, with the names that the program has for its parts.
  private func storedValue(_ column: Int, of row: Row) throws(ArchiveError) -> ArchiveValue? {
    guard let object = row.stored, let source = row.shape.source, let value = object.value(inColumn: column)
    else { return nil }
    if isTouched(column, of: row) { return nil }
    let file = nodes.sources[source].file
    let stored = leading(value, column, object, of: file) { nodes.node(of: $0, inSource: source) }
    let names = nodes.sources[source].archive.classes[object.classIndex].names[column]
    let current = try names?.value(stored) ?? stored
    let attributes = file.classes[object.classIndex].columns[column].attributes
    guard !attributes.nodesOfAbsentFields.isEmpty else { return current }
    let layout = try ColumnLayout(valuesOf: names?.attributes(attributes) ?? attributes)
    return TypedValue(current, layout: layout, node: layout.roots[0]).withoutAbsentFields
  }

  /// Whether a migration removed or replaced the value of a column of the source, in an object that the
  /// program has.
  func isTouched(_ column: Int, of row: Row) -> Bool {
    guard row.current != nil, let object = row.stored, let source = row.shape.source else { return false }
    return nodes.sources[source].archive.touchedColumns[Int(object.id.rawValue)]?.contains(column) ?? false
  }

  /// The keys to list in the column of changes of an object that the archive may have under names that the
  /// program does not know: those whose values the program changed, then those that an earlier save listed.
  /// Nil if all names are the archive's. Spec: 06-evolution, section 2.
  func changedKeys(of row: Row, _ columns: [Column]) -> [String]? {
    guard let graphClass = row.shape.graphClass, row.stored != nil else { return nil }
    let earlier = listedKeys(of: row)
    let hasOthers =
      columns.contains { $0.graph == nil } && columns.contains { $0.graph != nil && $0.stored == nil }
    guard earlier != nil || hasOthers else { return nil }
    var keys = columns.compactMap { column -> String? in
      guard let position = column.graph, earlier != nil || column.stored == nil,
        let unchanged = unchangedValue(column, of: row), let current = row.current?.value(inColumn: position),
        !current.isSame(as: unchanged)
      else { return nil }
      return nodes.graph.classes[graphClass].columns[position].key
    }
    for key in (earlier ?? []).flatMap({ currentKeys(for: $0, of: row, columns) }) where !keys.contains(key) {
      keys.append(key)
    }
    return keys
  }

  /// The keys that an earlier save listed as changed in an object of the source; nil if it listed none.
  private func listedKeys(of row: Row) -> [String]? {
    guard let stored = row.stored, let source = row.shape.source,
      let position = nodes.sources[source].file.classes[stored.classIndex].columns.firstIndex(
        where: \.isOfChanges)
    else { return nil }
    return stored.value(inColumn: position)?.elements?.compactMap(\.string)
  }

  /// The keys under which this save writes the values that an object of the source has under a key: the key
  /// itself, unless the program reads it, and the keys of the properties that the program reads from it.
  private func currentKeys(for key: String, of row: Row, _ columns: [Column]) -> [String] {
    guard let stored = row.stored, let source = row.shape.source, let graphClass = row.shape.graphClass else {
      return []
    }
    let listed = nodes.sources[source].file.classes[stored.classIndex].columns(withKey: key)
    return columns.compactMap { column in
      if let graph = column.graph {
        let sources = column.older.union((column.stored.map { [$0] } ?? []) + column.otherStored)
        return sources.isDisjoint(with: listed) ? nil : nodes.graph.classes[graphClass].columns[graph].key
      }
      return column.stored.map(listed.contains) ?? false ? key : nil
    }
  }

  /// The value that a column of the graph would have had if nothing had changed.
  private func unchangedValue(_ column: Column, of row: Row) -> ArchiveValue? {
    guard let object = row.unchanged, let source = row.shape.source, let position = column.unchanged,
      let file = nodes.sources[source].unchanged, let value = object.value(inColumn: position)
    else { return nil }
    return leading(value, position, object, of: file) { nodes.node(ofUnchanged: $0, inSource: source) }
  }

  /// A value with references to the numbers of `nodes`.
  private func leading(
    _ value: ArchiveValue, _ column: Int, _ object: ArchiveObject, of file: ArchiveFile,
    to node: (Int) -> UInt32
  ) -> ArchiveValue {
    let layout = file.layouts[object.classIndex]
    let isKeyed = file.classes[object.classIndex].columns[column].flags.contains(.keyed)
    return withoutActuallyEscaping(node) { node in
      let rewriter = ReferenceRewriter(layout: layout) { id, _ in
        let node = node(Int(id.rawValue))
        return node > 0 ? ObjectID(rawValue: node) : nil
      }
      return rewriter.rewritten(value, node: layout.valueNode(ofRoot: column, isKeyed: isKeyed))
    }
  }
}

/// The identity of a column in a class: its key and the name of the class that declares it.
struct ColumnKey: Hashable {
  let key: ExactName
  let declaringClass: ExactName

  init(_ key: String, _ declaringClass: String) {
    self.key = ExactName(key)
    self.declaringClass = ExactName(declaringClass)
  }
}

/// The columns of a class of an archive, by their keys.
private struct ColumnKeys {
  let columns: [ColumnDescription]
  let keys: [ColumnKey]
  /// The first column with each key.
  let positions: [ColumnKey: Int]

  init(_ classIndex: Int?, in file: ArchiveFile?) {
    columns = classIndex.flatMap { file?.classes[$0].columns } ?? []
    keys = columns.map { column in
      ColumnKey(column.key, file?.classes[column.declaringClassIndex].name ?? "")
    }
    positions = Dictionary(zip(keys, columns.indices)) { first, _ in first }
  }

  /// The columns that the class of a shape has in the unchanged graph.
  init(ofUnchanged shape: MergedValues.Shape, _ nodes: MergedNodes) {
    let file = shape.source.flatMap { nodes.sources[$0].unchanged }
    let name = shape.graphClass.map { nodes.graph.classes[$0].name }
    self.init(name.flatMap { file?.schema.classIndices[ExactName($0)] }, in: file)
  }
}

extension ReadArchive.ColumnUse {
  /// The column that a program writes for the property that reads this column; nil if it writes none.
  var columnKey: ColumnKey? {
    guard case .read(let key, let declaringClass) = self else { return nil }
    return ColumnKey(key, declaringClass)
  }
}

extension ArchiveObject {
  /// The value of a column; nil if a coder by hand left it out.
  func value(inColumn index: Int) -> ArchiveValue? {
    if properties.indices.contains(index), properties[index].columnIndex == index {
      return properties[index].value
    }
    return properties.first { $0.columnIndex == index }?.value
  }
}
