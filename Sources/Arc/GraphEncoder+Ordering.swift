import ArcFormat
import ArcRuntime

// How keys and objects are turned into bytes to be put in order. Spec: 05-graph, section 8.

extension GraphEncoder {
  /// Whether the keys of sets and dictionaries that are written now are put in order.
  var ordersKeys: Bool { options.isCanonical && (mode == .writing || mode == .ordering) }

  /// What values are ordered by, one after the other; references count by their rows, or by what a comparison says.
  func comparableValues<Value: ArchivableValue>(
    of values: [Value], _ column: ColumnWriter
  ) throws -> [ComparableValues] {
    try encode(values, column) { $0.comparableValues() }
  }

  /// Whether what is written is only compared, so that a value that was encoded once need not be encoded again.
  var onlyCompares: Bool { mode == .ordering && comparison?.edges == nil }

  /// Keys, each encoded once. Without this, sets inside of keys of sets would double the work with each level.
  func copies<Key: ArchivableValue>(of keys: [Key], _ column: ColumnWriter) throws -> [EncodedKey] {
    try encode(keys, column) {
      EncodedKey(values: $0.comparableValues(), copy: $0.copyOfValues(), columns: $0)
    }
  }

  private func encode<Value: ArchivableValue, Result>(
    _ values: [Value], _ column: ColumnWriter, _ result: (ColumnWriterSet) -> Result
  ) throws -> [Result] {
    let (savedMode, savedEdges) = (mode, comparison?.edges)
    mode = .ordering
    comparison?.edges = nil
    defer {
      mode = savedMode
      comparison?.edges = savedEdges
    }
    // Keys can hold sets with keys of the same type, which need columns of their own.
    let type = ObjectIdentifier(Value.self)
    let known = orderingColumns.removeValue(forKey: type)
    let scratch = try unsafe known ?? makeColumns(of: Value.self, context: column.__context)
    defer { orderingColumns[type] = scratch }
    return try values.map { value in
      scratch.reset()
      try value.__write(to: scratch.column(0))
      return result(scratch)
    }
  }

  private func makeColumns<Value: ArchivableValue>(
    of type: Value.Type, context: UnsafeMutableRawPointer?
  ) throws -> ColumnWriterSet {
    let set = unsafe ColumnWriterSet(strings: nil, context: context)
    var layout = ColumnLayout()
    try layout.append(TypeEncodingContext.encoding(of: type))
    set.extend(to: layout)
    return set
  }

  /// What a reference counts as while keys or objects are compared, 0 for an object without a row.
  func numberInOrder(of object: AnyObject) -> UInt32 {
    let row = row(of: object)
    // The target of a weak reference that nothing keeps is nil in a file.
    guard comparison != nil, row != 0 else { return row }
    comparison?.note(row)
    return comparison?.number(ofRow: row) ?? row
  }

  /// What an object is compared by under a numbering of all objects; without one, the roots.
  func comparableFace(
    of object: (any Archivable)?, roots: [any ArchivableValue], numbers: [UInt32]
  ) throws -> ComparableFace {
    comparison = ObjectComparison(numbers: numbers, edges: [])
    mode = .ordering
    defer { comparison = nil }
    var values = ComparableValues()
    if let object {
      let writer = try writer(of: object)
      writer.scratch.reset()
      unsafe try object.encode(to: ObjectEncoder(writer, columns: writer.columns(in: .walking)))
      values = writer.isKeyed ? keyedValues(of: writer) : writer.scratch.comparableValues()
    } else {
      let scratch = unsafe archive.scratchColumnSet(ofClass: 0)
      for (position, root) in roots.enumerated() { try root.__write(to: scratch.column(position)) }
      values = scratch.comparableValues()
    }
    return ComparableFace(values, comparison)
  }

  /// The same of a key of a set or dictionary.
  func comparableFace<Key: ArchivableValue>(
    ofKey key: Key, numbers: [UInt32]
  ) throws -> ComparableFace {
    comparison = ObjectComparison(numbers: numbers, edges: [])
    mode = .ordering
    defer { comparison = nil }
    let columns = try unsafe makeColumns(of: Key.self, context: archive.context)
    try key.__write(to: columns.column(0))
    return ComparableFace(columns.comparableValues(), comparison)
  }

  /// Has the next reference, which a set holds, leave the place to others.
  func inOnePlace(_ body: () throws -> Void) rethrows {
    let place = comparison?.nextPlace ?? 0
    try body()
    comparison?.nextPlace = place
  }

  /// The values in a class's scratch columns in the order of their keys: columns come in the order in which keys were met.
  private func keyedValues(of writer: ClassWriter) -> ComparableValues {
    let columns = unsafe archive.classes[writer.index].columns
    let order = columns.indices.sorted {
      let (left, right) = (columns[$0], columns[$1])
      return left.key.hasSameBytes(as: right.key)
        ? left.attributes.description < right.attributes.description
        : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    var values = ComparableValues()
    for index in order where index < writer.scratch.layout.roots.count {
      let own = writer.scratch.comparableValues(ofColumn: index)
      if !own.isEmpty { values.append(ComparableValues(columns[index].key)) }
      values.append(own)
    }
    return values
  }
}

/// A key that was encoded to be compared.
struct EncodedKey {
  /// What it is compared by.
  let values: ComparableValues
  fileprivate let copy: ColumnValues
  fileprivate let columns: ColumnWriterSet

  /// Appends it to a column that only compares too.
  func append(to column: ColumnWriter) { columns.append(copy, to: column) }
}

/// What an object is compared by, and where its references lead.
struct ComparableFace {
  let values: ComparableValues
  let edges: [ObjectComparison.Edge]
  /// Whether references may have other places under other ranks.
  let dependsOnRanks: Bool

  fileprivate init(_ values: ComparableValues, _ comparison: ObjectComparison?) {
    self.values = values
    edges = comparison?.edges ?? []
    dependsOnRanks = comparison?.dependsOnRanks ?? false
  }
}

/// What references count as while objects are compared with each other, and where they lead.
struct ObjectComparison {
  /// A reference of the object that is looked at.
  struct Edge: Hashable {
    /// The row that it leads to.
    let target: Int
    /// Which of the object's references it is. Those in elements that nothing tells apart have the same.
    let place: Int
  }

  /// By row.
  let numbers: [UInt32]
  /// The references so far; nil while they are not asked for.
  var edges: [Edge]?
  /// Where the next reference is.
  var nextPlace = 0
  /// Whether a reference may have another place under other ranks.
  var dependsOnRanks = false

  init(numbers: [UInt32], edges: [Edge]?) {
    self.numbers = numbers
    self.edges = edges
  }

  func number(ofRow row: UInt32) -> UInt32 { Int(row) < numbers.count ? numbers[Int(row)] : 0 }

  mutating func note(_ row: UInt32) {
    guard edges != nil else { return }
    if row != 0 { edges?.append(Edge(target: Int(row), place: nextPlace)) }
    nextPlace += 1
  }
}
