import ArcFormat
import ArcRuntime

/// Encodes keys and objects to compare them: an archive in canonical form has the elements of sets and the
/// entries of dictionaries in an order that depends on nothing but the graph. Spec: 05-graph, section 8.
///
/// Values are encoded to columns of its own, where a reference counts as its row, or as the number that a
/// comparison gives.
final class CanonicalOrder: ReferenceSink, KeyOrder {
  /// Owns this object, and so outlives it.
  private unowned(unsafe) let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  /// How references count while `ObjectRanks` compares objects; nil otherwise.
  var comparison: ObjectComparison?
  /// The roots while they are written, and the ranks of all objects that they reach, once some were asked
  /// for.
  private var roots: [any ArchivableValue] = []
  private var knownRanks: ObjectRanks?
  private var isComparingKeys = false
  /// Columns that keys are compared by, by the keys' type, and those for objects, by their class.
  private var keyColumns: [ObjectIdentifier: ColumnWriterSet] = [:]
  private var objectColumns: [ObjectIdentifier: ScratchColumns] = [:]

  /// The order for what an encoder writes.
  init(of graph: GraphEncoder) {
    unsafe self.graph = graph
    context = Handle(ObjectNumbering(isDirect: false))
    context.value.lead(to: self)
  }

  deinit {
    context.value.free()
    context.free()
  }

  /// Begins the archive of some roots.
  func begin(_ roots: [any ArchivableValue]) { self.roots = roots }

  /// Releases the roots, and what was found about them.
  func prepareForReuse() { (roots, knownRanks) = ([], nil) }

  /// The ranks of all objects that the roots reach. O(objects · log objects) at least, once.
  func ranks() throws -> ObjectRanks {
    if let knownRanks { return knownRanks }
    let ranks = try unsafe ObjectRanks(of: roots, boxes: graph.boxes(), hooks: graph.hooks)
    knownRanks = ranks
    return ranks
  }

  // MARK: Keys

  /// The bytes by which values are ordered, one by one. Spec: 05-graph, rule F3.
  func comparableValues<Value: ArchivableValue>(of values: [Value]) throws -> [ComparableValues] {
    try encode(values) { $0.comparableValues() }
  }

  /// Keys, each encoded once. Otherwise, sets inside of keys of sets would double the work with each level.
  func encodedKeys<Key: ArchivableValue>(_ keys: [Key]) throws -> [EncodedKey] {
    try encode(keys) { EncodedKey($0) }
  }

  private func encode<Value: ArchivableValue, Result>(
    _ values: [Value], _ result: (ColumnWriterSet) -> Result
  ) throws -> [Result] {
    let wasComparingKeys = isComparingKeys
    isComparingKeys = true
    defer { isComparingKeys = wasComparingKeys }
    let edges = comparison?.edges
    comparison?.edges = nil
    defer { comparison?.edges = edges }
    // Keys can hold sets with keys of the same type, which need columns of their own.
    let type = ObjectIdentifier(Value.self)
    let columns = try keyColumns.removeValue(forKey: type) ?? makeColumns(of: Value.self)
    defer { keyColumns[type] = columns }
    return try values.map { value in
      columns.removeAll()
      try value.__write(to: columns.column(0))
      return result(columns)
    }
  }

  private func makeColumns<Value: ArchivableValue>(of type: Value.Type) throws -> ColumnWriterSet {
    makeColumns(try ColumnLayout(of: TypeEncodingContext.encoding(of: type)))
  }

  private func makeColumns(_ layout: ColumnLayout) -> ColumnWriterSet {
    let columns = ColumnWriterSet(strings: nil, context: context.opaque)
    columns.extend(to: layout)
    return columns
  }

  // MARK: Objects

  /// What an object is compared by if references count as `numbers` says; without an object, the roots.
  func face(
    of object: (any Archivable)?, roots: [any ArchivableValue], numbers: [UInt32]
  ) throws -> ComparableFace {
    try compared(under: numbers) {
      guard let object else {
        let columns = unsafe makeColumns(graph.rootLayout)
        context.value.place = ValueBoxes.Place()
        for (index, root) in roots.enumerated() { try root.__write(to: columns.column(index)) }
        return columns.comparableValues()
      }
      let type = ObjectIdentifier(type(of: object))
      let columns =
        unsafe try objectColumns[type] ?? ScratchColumns(of: graph.writer(of: object), context: context)
      objectColumns[type] = columns
      columns.removeAll()
      try columns.encode(object)
      return columns.comparableValues()
    }
  }

  /// What a key of a set or dictionary is compared by if references count as `numbers` says.
  func face<Key: ArchivableValue>(ofKey key: Key, numbers: [UInt32]) throws -> ComparableFace {
    try compared(under: numbers) {
      let columns = try makeColumns(of: Key.self)
      try key.__write(to: columns.column(0))
      return columns.comparableValues()
    }
  }

  private func compared(
    under numbers: [UInt32], _ encode: () throws -> ComparableValues
  ) throws -> ComparableFace {
    comparison = ObjectComparison(numbers: numbers, edges: [])
    defer { comparison = nil }
    let values = try encode()
    return ComparableFace(values, comparison)
  }

  // MARK: References

  /// Appends what a reference counts as; strong ones count as weak ones do.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    writeWeak(object, to: column)
  }

  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) { column.append(object.map(number) ?? 0) }

  /// What a reference counts as, 0 for an object without a row: the target of a weak reference that nothing
  /// keeps is nil in a file.
  private func number(of object: AnyObject) -> UInt32 {
    let row = unsafe graph.row(of: object)
    guard comparison != nil, row != 0 else { return row }
    comparison?.note(row)
    return comparison?.number(ofRow: row) ?? row
  }

  /// Does nothing: keys are checked when they are written.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Itself: keys within keys are sorted too.
  var keyOrder: (any KeyOrder)? { self }

  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws {
    try append(keys, to: column, onlyCompares: comparison?.edges == nil)
  }

  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter
  ) throws {
    try append(entries, to: keyColumn, valueColumn, onlyCompares: comparison?.edges == nil)
  }

  var archiveContext: ArchiveContext { unsafe graph.archiveContext }

  /// The boxes of the archive. Keys have none: they are encoded several times in one object, and in an order
  /// that is only found then.
  func boxes() throws -> ValueBoxes {
    guard !isComparingKeys else {
      throw ArchiveError(
        .notArchivable, found: "a value of a type that only it knows inside of a key",
        expected: "an object, or a value of the declared type",
        remedy: "archive without isCanonical, or declare the type of the value")
    }
    return unsafe graph.boxes()
  }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    // Columns of keys belong to no property.
    isComparingKeys ? error : unsafe graph.located(error, inSlot: column.slot)
  }
}
