package import ArcFormat
import ArcRuntime

/// Merges the archive of a graph with the archives from which the program read the graph, called sources.
///
/// The merged archive also contains the content of the sources that the program does not know:
/// - columns that the program did not read
/// - objects of classes that the program does not have, and all objects that these objects reach
/// - parts of values that were lost when the program read collections and properties
///
/// Objects are numbered in the order in which they are reached from the roots. An exception is an object that
/// is needed to build another object: it precedes the other object. An object that is reached only by weak
/// references is not written.
package struct ArchiveMerge {
  private let values: MergedValues
  private var nodes: MergedNodes { values.nodes }
  private var classes: MergedClasses
  /// The objects in the order of their numbers in the merged archive, beginning with the roots. Each element
  /// is an object's number in `MergedNodes`.
  private var order: [UInt32] = []
  private var numbers: [UInt32]
  /// The index of each object's class in the merged archive, by the object's number in `MergedNodes`.
  private var classIndices: [UInt32]
  /// For each shape whose rows have an older version than their class: the indices of the version columns,
  /// and the version to store in each column.
  private var versions: [MergedValues.Shape: [(position: Int, version: UInt64)]] = [:]
  /// For each object with a column of changes: the index of this column, and the changed keys. Spec:
  /// 06-evolution, section 2.
  private var changes: [UInt32: (position: Int, keys: [String])] = [:]

  /// Merges the archive of a graph with the archives that the graph was read from.
  ///
  /// - Parameters:
  ///   - graph: The archive of the graph.
  ///   - archives: The archives from which the graph was read. `rowsInGraph` contains, for each row of an
  ///     archive, the row of the same object in the graph, or 0 if the graph does not have the object.
  ///   - compression: The compression of the segments.
  ///   - hasChunkDirectory: Whether the merged archive has a directory of its chunks.
  /// - Returns: The bytes of the merged archive.
  /// - Throws: `ArchiveError` if there are too many objects, if a class has too many columns, or if no column
  ///   can contain a value.
  /// - Complexity: O(values of all objects that the roots reach).
  package static func merge(
    _ graph: WrittenGraph, with archives: [(archive: ReadArchive, rowsInGraph: [UInt32])],
    compression: Compression, hasChunkDirectory: Bool = false
  ) throws -> [UInt8] {
    // Merging values is recursive, so it may need a larger stack.
    try StackExtension.traverse {
      var nodes = try MergedNodes(graph, archives)
      nodes.identify(try BoxMatches(in: nodes).all)
      var merge = ArchiveMerge(MergedValues(nodes: nodes))
      try merge.findObjects()
      merge.versions = try merge.classes.addVersions()
      try merge.findChanges()
      return try merge.archive(compression, hasChunkDirectory: hasChunkDirectory)
    }
  }

  private init(_ values: MergedValues) {
    self.values = values
    classes = MergedClasses(values)
    numbers = Array(repeating: 0, count: values.nodes.count)
    classIndices = numbers
  }

  // MARK: Objects

  /// The index of a merged class and the index of a column in it.
  private struct ColumnIndex: Hashable {
    let classIndex: Int
    let position: Int
  }

  /// An object that is needed to build another object, and the index of the column that contains the
  /// reference to the needed object.
  private struct Need {
    let target: UInt32
    let column: Int
  }

  /// Finds all objects that the roots reach, and determines their order.
  private mutating func findObjects() throws {
    var reached: [UInt32] = [0]
    var isReached = [Bool](repeating: false, count: nodes.count)
    isReached[0] = true
    var next = 0
    while next < reached.count {
      let node = reached[next]
      next += 1
      let row = try values.row(of: Int(node))
      let shape = try classes.columns(of: row.shape)
      classIndices[Int(node)] = UInt32(truncatingIfNeeded: shape.classIndex)
      for column in shape.columns {
        try classes.forEachReference(of: column, in: row, shape.classIndex) { target in
          if isReached[Int(target)] { return }
          isReached[Int(target)] = true
          reached.append(target)
        }
      }
    }
    try classes.findConversions()
    for node in reached { try classes.makeRoom(for: try values.row(of: Int(node))) }
    try widenReferences(of: reached)
    arrange(reached, try needs(of: reached))
  }

  /// Changes the classes that columns declare for their references, so that every referenced object belongs
  /// to the declared class. The archives may declare different classes, because the program changed or
  /// renamed the class of a property.
  private mutating func widenReferences(of reached: [UInt32]) throws {
    var declared: [ColumnIndex: [ExactName: String?]] = [:]
    for node in reached {
      let row = try values.row(of: Int(node))
      guard let shape = classes.shapes[row.shape] else { continue }
      for column in shape.columns where column.mayReferToOtherClasses {
        guard let placed = try classes.placed(column, of: row, shape.classIndex) else { continue }
        let index = ColumnIndex(classIndex: shape.classIndex, position: placed.position)
        let layout = classes.classes[index.classIndex].columns[index.position].layout
        TypedValue(placed.value, layout: layout, node: 0).forEachReference { id, reference in
          guard let name = reference.typeName, Int(id.rawValue) < classIndices.count,
            let known = declared[index]?[ExactName(name)] ?? .some(name)
          else { return }
          let target = Int(classIndices[Int(id.rawValue)])
          guard target > 0 else { return }
          let common = classes.commonClass(of: known, and: target)
          if common != known { declared[index, default: [:]][ExactName(name)] = .some(common) }
        }
      }
    }
    for (index, names) in declared {
      try classes.declare(names, inColumn: index.position, ofClass: index.classIndex)
    }
  }

  /// Returns, for each object by its number, the references to objects that are needed to build the object.
  /// Called when the flags of all columns are known.
  private func needs(of reached: [UInt32]) throws -> [UInt32: [Need]] {
    let constructed = classes.classes.map { merged in
      Set(merged.columns.indices.filter { merged.columns[$0].flags.contains(.construction) })
    }
    var needs: [UInt32: [Need]] = [:]
    for node in reached where !constructed[Int(classIndices[Int(node)])].isEmpty {
      let row = try values.row(of: Int(node))
      guard let shape = classes.shapes[row.shape] else { continue }
      for column in shape.columns where constructed[shape.classIndex].contains(column.position) {
        try classes.forEachReference(of: column, in: row, shape.classIndex) { target in
          needs[node, default: []].append(Need(target: target, column: column.position))
        }
      }
    }
    return needs
  }

  /// Orders the objects as they were reached, except that each object follows the objects that are needed to
  /// build it. If objects need each other, there is no such order. Then one column with a reference between
  /// these objects loses its construction flag, and readers determine the order themselves.
  private mutating func arrange(_ reached: [UInt32], _ needs: [UInt32: [Need]]) {
    let waiting = UInt32.max
    func begin(_ node: UInt32) -> IndexingIterator<[Need]> {
      numbers[Int(node)] = waiting
      return (needs[node] ?? []).makeIterator()
    }
    order = [0]
    for node in reached.dropFirst() where numbers[Int(node)] == 0 {
      var walk = DependencyOrder(node, needs: begin(node))
      while let step = walk.next() {
        switch step {
        case .need(let need) where need.target == 0: continue
        case .need(let need) where numbers[Int(need.target)] == waiting:
          guard let node = walk.last else { continue }
          classes.removeConstruction(need.column, ofClass: Int(classIndices[Int(node)]))
        case .need(let need):
          if numbers[Int(need.target)] == 0 { walk.begin(need.target, needs: begin(need.target)) }
        case .ready(let node):
          numbers[Int(node)] = UInt32(truncatingIfNeeded: order.count)
          order.append(node)
        }
      }
    }
  }

  /// Computes `changes`. Examines only objects of shapes with columns that the program did not read, because
  /// only such a column can contain the value of a changed property under another key.
  private mutating func findChanges() throws {
    let shapes = classes.shapesWithUnreadColumns
    if shapes.isEmpty { return }
    for node in order.dropFirst() {
      let row = try values.row(of: Int(node))
      guard shapes.contains(row.shape), let shape = classes.shapes[row.shape] else { continue }
      // An empty list is stored too. It shows that the program wrote values of the object.
      guard let keys = values.changedKeys(of: row, shape.columns.map(\.column)) else { continue }
      changes[node] = (try classes.addChanges(toClass: shape.classIndex), keys)
    }
  }

  // MARK: Writing

  private func archive(_ compression: Compression, hasChunkDirectory: Bool) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: properties(ofClass: 0), metadata: try metadata(), compression: compression,
      hasChunkDirectory: hasChunkDirectory, isStrict: false)
    for index in classes.superclassesFirst {
      let merged = classes.classes[index]
      try builder.add(
        merged.name, superclass: merged.superclass, version: merged.version,
        properties: properties(ofClass: index), inheritsColumns: false)
    }
    for node in order.dropFirst() {
      _ = try builder.reserveObject(ofClass: classes.classes[Int(classIndices[Int(node)])].name)
    }
    for (number, node) in order.enumerated() {
      var values = try values(of: try values.row(of: Int(node)))
      if let (position, keys) = changes[node] {
        values[position] = .array(keys.map { .string($0) })
      }
      try builder.set(values, ofRow: ObjectID(rawValue: UInt32(truncatingIfNeeded: number)))
    }
    return try builder.finish()
  }

  private func properties(ofClass index: Int) -> [ArchiveBuilder.Property] {
    classes.classes[index].columns.indices.map { position in
      let column = classes.classes[index].columns[position]
      let flags = classes.flags(ofColumn: position, ofClass: index)
      return ArchiveBuilder.Property(
        column.key, attributes: column.attributes.description, isKeyed: flags.contains(.keyed),
        isConstruction: flags.contains(.construction),
        declaredBy: index == 0 ? nil : classes.declaringClass(of: column, ofClass: index))
    }
  }

  /// Returns the metadata of all archives. If several archives have an entry with the same key, the graph's
  /// entry precedes the sources' entries.
  private func metadata() throws -> [(key: String, value: String)] {
    var entries = try nodes.graph.metadataEntries()
    for source in nodes.sources {
      for entry in try source.file.metadataEntries()
      where !MetadataSegment.isOfRows(entry.key)
        && !entries.contains(where: { $0.key.hasSameBytes(as: entry.key) })
      {
        entries.append(entry)
      }
    }
    return entries
  }

  /// Returns the values of an object by column. References contain the numbers of the merged archive.
  private func values(of row: MergedValues.Row) throws -> [ArchiveValue?] {
    guard let shape = classes.shapes[row.shape] else { return [] }
    let columns = classes.classes[shape.classIndex].columns
    var result = [ArchiveValue?](repeating: nil, count: columns.count)
    for column in shape.columns {
      guard let placed = try classes.placed(column, of: row, shape.classIndex) else {
        guard try values.value(column.column, of: row) == nil else {
          throw Self.unplaced(columns[column.position], className: classes.classes[shape.classIndex].name)
        }
        continue
      }
      let layout = columns[placed.position].layout
      let rewriter = ReferenceRewriter(layout: layout) { [numbers] id, _ in
        let number = Int(id.rawValue) < numbers.count ? numbers[Int(id.rawValue)] : 0
        return number > 0 ? ObjectID(rawValue: number) : nil
      }
      result[placed.position] = rewriter.rewritten(placed.value, node: 0)
    }
    for (position, version) in versions[row.shape] ?? [] where result[position] == nil {
      result[position] = .integer(Int128(version))
    }
    return result
  }

  /// Returns the error for a value that no column can contain. Without this error, the value would be lost
  /// silently.
  private static func unplaced(_ column: MergedClasses.MergedColumn, className: String) -> ArchiveError {
    ArchiveError(
      .typeMismatch, found: "a value that does not fit the type '\(column.attributes.type ?? .uncoded)'",
      expected: "one type that fits the values of the program and the preserved values",
      remedy: "write the graph without the argument 'preserving', or use the release of the program that "
        + "wrote the file",
      className: className, key: column.key)
  }
}
