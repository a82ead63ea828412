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

  /// A column of an object, which the graph has, or a source, or both.
  struct Column {
    let graph: Int?
    let stored: Int?
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
    switch nodes.place(of: node) {
    case .kept(let place):
      let object = try nodes.sources[place.source].file.object(id(place.row))
      let shape = Shape(graphClass: nil, source: place.source, storedClass: object.classIndex)
      return Row(shape: shape, current: nil, stored: object, unchanged: nil)
    case .graph(let row, let origin):
      let current = try nodes.graph.object(id(row))
      guard let origin else {
        let shape = Shape(graphClass: current.classIndex, source: nil, storedClass: nil)
        return Row(shape: shape, current: current, stored: nil, unchanged: nil)
      }
      let source = nodes.sources[origin.source]
      let stored = try source.file.object(id(origin.row))
      let unchangedRow = source.archive.unchanged.map { origin.row < $0.rows.count ? $0.rows[origin.row] : 0 }
      let hasUnchanged = row == 0 || (unchangedRow ?? 0) > 0
      let unchanged = hasUnchanged ? try source.unchanged?.object(id(Int(unchangedRow ?? 0))) : nil
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
    guard let source = shape.source, let storedClass = shape.storedClass else {
      return graphColumns(of: shape).indices.map { Column(graph: $0, stored: nil) }
    }
    let uses = nodes.sources[source].archive.classes[storedClass].columns
    let own = graphColumns(of: shape)
    if isOfStoredClass(shape) {
      return uses.indices.map { Column(graph: graphColumn(for: uses[$0], among: own, shape), stored: $0) }
    }
    var storedOf: [Int: Int] = [:]
    var columns: [Column] = []
    for (position, use) in uses.enumerated() {
      if let graph = graphColumn(for: use, among: own, shape) {
        storedOf[graph] = position
      } else if use == .unread, !isTaken(position, of: shape, by: own) {
        columns.append(Column(graph: nil, stored: position))
      }
    }
    return own.indices.map { Column(graph: $0, stored: storedOf[$0]) } + columns
  }

  private func graphColumns(of shape: Shape) -> [ColumnDescription] {
    shape.graphClass.map { nodes.graph.classes[$0].columns } ?? []
  }

  /// The column of the graph that has the values of a property.
  private func graphColumn(
    for use: ReadArchive.ColumnUse, among columns: [ColumnDescription], _ shape: Shape
  ) -> Int? {
    guard case .read(let key, let declaringClass) = use else { return nil }
    return columns.firstIndex {
      $0.key.hasSameBytes(as: key)
        && nodes.graph.classes[$0.declaringClassIndex].name.hasSameBytes(as: declaringClass)
    }
  }

  /// Whether the program has another column under the key of one that it does not read.
  private func isTaken(_ position: Int, of shape: Shape, by columns: [ColumnDescription]) -> Bool {
    guard let source = shape.source, let storedClass = shape.storedClass else { return false }
    let file = nodes.sources[source].file
    let column = file.classes[storedClass].columns[position]
    let declaring = name(ofClass: column.declaringClassIndex, inSource: source)
    return columns.contains {
      $0.key.hasSameBytes(as: column.key)
        && nodes.graph.classes[$0.declaringClassIndex].name.hasSameBytes(as: declaring)
    }
  }

  /// The name that a class of a source has from now on: that of the program, if it has the class.
  func name(ofClass index: Int, inSource source: Int) -> String {
    let source = nodes.sources[source]
    return source.archive.classes[index].programName ?? source.file.classes[index].name
  }

  // MARK: Values

  /// The value of a column, with references by the numbers of `nodes`; nil if the object has none.
  func value(_ column: Column, of row: Row) -> ArchiveValue? {
    guard let position = column.graph, let current = row.current?.value(inColumn: position) else {
      guard column.graph == nil || row.current == nil else { return nil }
      return column.stored.flatMap { storedValue($0, of: row) }
    }
    guard let stored = column.stored.flatMap({ storedValue($0, of: row) }),
      let unchanged = unchangedValue(position, of: row)
    else { return current }
    return ValueMerge.merged(current, unchanged: unchanged, stored: stored)
  }

  private func storedValue(_ column: Int, of row: Row) -> ArchiveValue? {
    guard let object = row.stored, let source = row.shape.source, let value = object.value(inColumn: column)
    else { return nil }
    let file = nodes.sources[source].file
    return leading(value, column, object, of: file) { nodes.node(of: $0, inSource: source) }
  }

  /// The value that a column of the graph would have had if nothing had changed.
  private func unchangedValue(_ position: Int, of row: Row) -> ArchiveValue? {
    guard let object = row.unchanged, let source = row.shape.source, let current = row.current,
      let file = nodes.sources[source].unchanged
    else { return nil }
    let column = nodes.graph.classes[current.classIndex].columns[position]
    let declaring = nodes.graph.classes[column.declaringClassIndex].name
    let property = object.properties.first {
      $0.key.hasSameBytes(as: column.key) && $0.declaringClass.hasSameBytes(as: declaring)
    }
    guard let property else { return nil }
    return leading(property.value, property.columnIndex, object, of: file) {
      nodes.node(ofUnchanged: $0, inSource: source)
    }
  }

  /// A value with references to the numbers of `nodes`.
  private func leading(
    _ value: ArchiveValue, _ column: Int, _ object: ArchiveObject, of file: ArchiveFile,
    to node: (Int) -> UInt32
  ) -> ArchiveValue {
    let layout = file.layouts[object.classIndex]
    return withoutActuallyEscaping(node) { node in
      let mender = ReferenceMender(layout: layout) { id, _ in
        let node = node(Int(id.rawValue))
        return node > 0 ? ObjectID(rawValue: node) : nil
      }
      return mender.mended(value, node: file.node(ofColumn: column, ofClass: object.classIndex))
    }
  }
}

extension ArchiveObject {
  /// The value of a column; nil if a coder by hand left it out.
  fileprivate func value(inColumn index: Int) -> ArchiveValue? {
    if properties.indices.contains(index), properties[index].columnIndex == index {
      return properties[index].value
    }
    return properties.first { $0.columnIndex == index }?.value
  }
}

extension ArchiveFile {
  /// The node of a column's values, inside of what says whether there is one.
  func node(ofColumn column: Int, ofClass index: Int) -> Int {
    let node = layouts[index].roots[column]
    let isKeyed = classes[index].columns[column].flags.contains(.keyed)
    return isKeyed ? layouts[index].nodes[node].children[0] : node
  }
}
