import ArcFormat
import ArcRuntime

/// The values of the objects of a merged archive. Their references contain the numbers of `MergedNodes`.
struct MergedValues {
  let nodes: MergedNodes

  /// The class of an object in the graph, and the class of the object in the source. All objects of one shape
  /// have the same columns.
  struct Shape: Hashable {
    /// The index of the class in the graph. Nil for an object that the graph does not have.
    let graphClass: Int?
    /// The index of the source from which the object was read. Nil if the program did not read the object
    /// from a source.
    let source: Int?
    /// The index of the class in the source. Nil for an object of the graph that was not read.
    let storedClass: Int?
  }

  /// A column of the objects of a shape: the index of the column in the graph (`graph`), in the source
  /// (`stored`) and in the unchanged graph (`unchanged`). At least one of `graph` and `stored` is not nil.
  struct Column {
    let graph: Int?
    let stored: Int?
    let unchanged: Int?
    /// The indices of further columns of the source. If a row has no value in `stored`, one of these columns
    /// may contain the value.
    var otherStored: [Int] = []
    /// The indices of older columns of the source. If a row has no value in the property's own column, the
    /// program converts the value from these columns.
    var older: Set<Int> = []

    /// Whether the value may be in different columns in different rows.
    var mayBeReplaced: Bool { !otherStored.isEmpty || !older.isEmpty }
  }

  /// An object with its values in the graph, in the source and in the unchanged graph.
  struct Row {
    let shape: Shape
    let current: ArchiveObject?
    let stored: ArchiveObject?
    let unchanged: ArchiveObject?
  }

  /// Reads the object with a number of `MergedNodes`.
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

  /// Whether the objects of a shape have the source's class in the merged archive, and not the graph's class.
  /// True if the graph does not contain the objects, or if the program read them as objects of a substitute
  /// class.
  func isOfStoredClass(_ shape: Shape) -> Bool {
    guard let source = shape.source, let stored = shape.storedClass else { return false }
    return shape.graphClass == nil || nodes.sources[source].archive.classes[stored].hasSubstitute
  }

  /// Returns the columns of a shape's objects.
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
        // A column with the program's own key precedes columns with older keys.
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

  /// Returns the key of a column of a source, and the class that declares it in the merged archive.
  private func key(ofColumn position: Int, of storedClass: Int, _ source: Int) -> ColumnKey {
    let column = nodes.sources[source].file.classes[storedClass].columns[position]
    return ColumnKey(column.key, name(ofClass: column.declaringClassIndex, inSource: source))
  }

  /// Returns the name of a source's class in the merged archive. It is the program's name if the program has
  /// the class.
  func name(ofClass index: Int, inSource source: Int) -> String {
    let source = nodes.sources[source]
    return source.archive.classes[index].programName ?? source.file.classes[index].name
  }

  // MARK: Values

  /// Returns the value of a column, merged from the graph and the source. References contain the numbers of
  /// `nodes`. Nil if the object has no value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - row: The object.
  /// - Returns: The value. Some of its parts may have the program's types and others the source's types.
  /// - Throws: `malformedEncoding`, which cannot occur for types of archives that were read.
  func value(_ column: Column, of row: Row) throws(ArchiveError) -> ArchiveValue? {
    guard let position = column.graph, let current = row.current?.value(inColumn: position) else {
      guard column.graph == nil || row.current == nil else { return nil }
      return try storedValues(column, of: row).first
    }
    guard let unchanged = unchangedValue(column, of: row) else { return current }
    let candidates = try storedValues(column, of: row)
    let unread = UnreadObjects(nodes: nodes)
    // If there are several candidates, the program read one of them.
    let read =
      candidates.first { unchanged.isSame(as: $0) }
      ?? candidates.first { !column.mayBeReplaced || unchanged.isRead(from: $0, unread: unread) }
    guard let stored = read else { return current }
    let converted = row.shape.source.map { nodes.sources[$0].archive.convertedFields } ?? ConvertedFields()
    return ValueMerge(convertedFields: converted, unread: unread)
      .merged(current, unchanged: unchanged, stored: stored)
  }

  /// Returns the values that a row has in the columns of the source from which a column's value may come.
  private func storedValues(_ column: Column, of row: Row) throws(ArchiveError) -> [ArchiveValue] {
    var values: [ArchiveValue] = []
    for position in (column.stored.map { [$0] } ?? []) + column.otherStored {
      if let value = try storedValue(position, of: row) { values.append(value) }
    }
    return values
  }

  /// Returns the value of a source's column, in which fields and cases have the program's names. Nil if the
  /// object has no such value, or if a migration removed or replaced the value.
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
    return TypedValue(current, layout: layout, node: layout.roots[0]).withoutUnreadFields(
      nodes.sources[source].archive.convertedFields)
  }

  /// Whether a migration removed or replaced the value of a source's column, in an object that the program
  /// has.
  func isTouched(_ column: Int, of row: Row) -> Bool {
    guard row.current != nil, let object = row.stored, let source = row.shape.source else { return false }
    return nodes.sources[source].archive.touchedColumns[Int(object.id.rawValue)]?.contains(column) ?? false
  }

  /// Returns the keys to list in an object's column of changes: first the keys whose values the program
  /// changed, then the keys that an earlier save listed. Nil if the object needs no such column, because the
  /// source cannot contain its values under keys that the program does not know. Spec: 06-evolution, section
  /// 2.
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

  /// Returns the keys that an earlier save listed as changed in an object of the source. Nil if the object
  /// has no such list.
  private func listedKeys(of row: Row) -> [String]? {
    guard let stored = row.stored, let source = row.shape.source,
      let position = nodes.sources[source].file.classes[stored.classIndex].columns.firstIndex(
        where: \.isOfChanges)
    else { return nil }
    return stored.value(inColumn: position)?.elements?.compactMap(\.string)
  }

  /// Returns the keys under which the merged archive contains the values that a source has under `key`: the
  /// keys of the properties that the program reads from `key`, and `key` itself for columns that the program
  /// does not read.
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

  /// Returns the value that an object would have in a column of the graph if the program had changed nothing
  /// after reading. Nil if the unchanged graph has no such value.
  private func unchangedValue(_ column: Column, of row: Row) -> ArchiveValue? {
    guard let object = row.unchanged, let source = row.shape.source, let position = column.unchanged,
      let file = nodes.sources[source].unchanged, let value = object.value(inColumn: position)
    else { return nil }
    return leading(value, position, object, of: file) { nodes.node(ofUnchanged: $0, inSource: source) }
  }

  /// Returns a value of an object with converted references: the numbers of rows of `file` are replaced by
  /// numbers of `nodes`. `node` converts a row.
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

/// The columns of a class of an archive and their indices by key.
private struct ColumnKeys {
  let columns: [ColumnDescription]
  let keys: [ColumnKey]
  /// The index of the first column with each key.
  let positions: [ColumnKey: Int]

  init(_ classIndex: Int?, in file: ArchiveFile?) {
    columns = classIndex.flatMap { file?.classes[$0].columns } ?? []
    keys = columns.map { column in
      ColumnKey(column.key, file?.classes[column.declaringClassIndex].name ?? "")
    }
    positions = Dictionary(zip(keys, columns.indices)) { first, _ in first }
  }

  /// Finds the columns of a shape's class in the unchanged graph.
  init(ofUnchanged shape: MergedValues.Shape, _ nodes: MergedNodes) {
    let file = shape.source.flatMap { nodes.sources[$0].unchanged }
    let name = shape.graphClass.map { nodes.graph.classes[$0].name }
    self.init(name.flatMap { file?.schema.classIndices[ExactName($0)] }, in: file)
  }
}

extension ReadArchive.ColumnUse {
  /// The key of the property that reads this column, which is also the key of the column in the graph. Nil if
  /// no property reads it.
  var columnKey: ColumnKey? {
    guard case .read(let key, let declaringClass) = self else { return nil }
    return ColumnKey(key, declaringClass)
  }
}

extension ArchiveObject {
  /// Returns the value of a column. Nil if a hand-written coder did not write it.
  func value(inColumn index: Int) -> ArchiveValue? {
    if properties.indices.contains(index), properties[index].columnIndex == index {
      return properties[index].value
    }
    return properties.first { $0.columnIndex == index }?.value
  }
}
