import ArcFormat
import ArcRuntime

/// Encodes keys and objects to compare them: an archive in canonical form has the elements of sets and the
/// entries of dictionaries in an order that depends on nothing but the graph. Spec: 05-graph, section 8.
///
/// Values are encoded to columns of its own, where a reference counts as its row, or as the rank of its
/// object.
final class CanonicalOrder: ReferenceSink, KeyOrder {
  /// Owns this object, and so outlives it.
  private unowned(unsafe) let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  /// What references count as instead of their rows, by row; nil otherwise.
  private(set) var numbers: [UInt32]?
  /// The graph that objects are compared by while it is collected; nil otherwise.
  var builder: LabelledGraphBuilder?
  /// The roots while they are written, and the ranks of all objects that they reach, once some were asked
  /// for.
  private var roots: [any ArchivableValue] = []
  private var knownRanks: ObjectRanks?
  private var isComparingKeys = false
  /// Columns that keys are compared by, by the keys' type, and those for objects, by their class.
  private var keyColumns: [ObjectIdentifier: ColumnWriterSet] = [:]
  private var objectColumns: [ObjectIdentifier: ScratchColumns] = [:]
  /// Whether values may refer to objects, by their type.
  private var referringTypes: [ObjectIdentifier: Bool] = [:]

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

  /// The ranks of all objects that the roots reach. O(values · log objects) at least, once.
  func ranks() throws -> ObjectRanks {
    if let knownRanks { return knownRanks }
    let ranks = try unsafe ObjectRanks(of: roots, hooks: graph.hooks)
    knownRanks = ranks
    return ranks
  }

  // MARK: Keys

  /// The bytes by which values are ordered, one by one. Spec: 05-graph, rule F3.
  func comparableValues<Value: ArchivableValue>(of values: [Value]) throws -> [ComparableValues] {
    try encode(values) { $0.comparableValues() }
  }

  /// The bytes by which values are ordered if references count as numbers, by row.
  func comparableValues<Value: ArchivableValue>(
    of values: [Value], numbers: [UInt32]
  ) throws -> [ComparableValues] {
    self.numbers = numbers
    defer { self.numbers = nil }
    return try comparableValues(of: values)
  }

  /// Keys, each encoded once. Otherwise, sets inside of keys of sets would double the work with each level.
  func encodedKeys<Key: ArchivableValue>(_ keys: [Key]) throws -> [EncodedKey] {
    try encode(keys) { EncodedKey($0) }
  }

  private func encode<Value: ArchivableValue, Result>(
    _ values: [Value], _ result: (ColumnWriterSet) -> Result
  ) throws -> [Result] {
    try encodeKeys {
      try withColumns(of: Value.self) { columns in
        try values.map { value in
          columns.removeAll()
          try value.__write(to: columns.column(0))
          return result(columns)
        }
      }
    }
  }

  /// Calls `body` to encode keys, in which no value can have a box.
  func encodeKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasComparingKeys = isComparingKeys
    isComparingKeys = true
    defer { isComparingKeys = wasComparingKeys }
    return try body()
  }

  /// Calls `body` with empty columns for values of a type.
  func withColumns<Value: ArchivableValue, Result>(
    of type: Value.Type, _ body: (ColumnWriterSet) throws -> Result
  ) throws -> Result {
    // Keys can hold sets with keys of the same type, which need columns of their own.
    let identifier = ObjectIdentifier(type)
    let columns =
      try keyColumns.removeValue(forKey: identifier)
      ?? makeColumns(ColumnLayout(of: __TypeEncodingContext.encoding(of: type)))
    defer { keyColumns[identifier] = columns }
    columns.removeAll()
    return try body(columns)
  }

  /// Whether values of a type may refer to objects.
  func mayRefer<Value: ArchivableValue>(_ type: Value.Type) throws -> Bool {
    if let known = referringTypes[ObjectIdentifier(type)] { return known }
    let refers = try withColumns(of: type) { columns in
      columns.layout.nodes.contains { $0.kind == .reference || $0.kind == .weak }
    }
    referringTypes[ObjectIdentifier(type)] = refers
    return refers
  }

  private func makeColumns(_ layout: ColumnLayout) -> ColumnWriterSet {
    let columns = ColumnWriterSet(strings: nil, context: context.opaque)
    columns.extend(to: layout)
    return columns
  }

  // MARK: Objects

  /// New columns for the roots.
  func makeColumnsOfRoots() -> ColumnWriterSet { unsafe makeColumns(graph.rootLayout) }

  /// The columns for objects of the class of an object.
  func scratchColumns(of object: any Archivable) throws -> ScratchColumns {
    let type = ObjectIdentifier(type(of: object))
    if let known = objectColumns[type] { return known }
    let columns = unsafe try ScratchColumns(of: graph.writer(of: object), context: context)
    objectColumns[type] = columns
    return columns
  }

  /// Sets where the next value with a box is.
  func begin(at location: ValueBoxes.Location) { context.value.location = location }

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
    guard row != 0 else { return 0 }
    if let numbers { return Int(row) < numbers.count ? numbers[Int(row)] : 0 }
    guard builder != nil else { return row }
    builder?.add(referenceToRow: row)
    return 1
  }

  /// Does nothing: keys are checked when they are written.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Itself: keys within keys are sorted too.
  var keyOrder: (any KeyOrder)? { self }

  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws {
    if builder != nil, try mayRefer(Key.self) {
      try add(keys, of: column)
    } else {
      try append(keys, to: column, onlyCompares: true)
    }
  }

  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter
  ) throws {
    if builder != nil, try mayRefer(Key.self) || mayRefer(Value.self) {
      try add(entries, of: valueColumn)
    } else {
      try append(entries, to: keyColumn, valueColumn, onlyCompares: true)
    }
  }

  func noteReading() { unsafe graph.noteReading() }

  var archiveContext: ArchiveContext { unsafe graph.archiveContext }

  /// The boxes of the archive. Keys have none: they are encoded several times in one object, and in an order
  /// that is only found then.
  func boxes() throws -> ValueBoxes {
    guard !isComparingKeys else {
      throw ArchiveError(
        .notArchivable,
        found: "a value of type 'any P' or 'Any' in an element of a set or in a key of a dictionary",
        expected: "an object, or a value whose declared type is a concrete type",
        remedy: "archive without isCanonical, or declare a concrete type instead of 'any P' or 'Any'")
    }
    return unsafe graph.boxes()
  }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    // Columns of keys belong to no property.
    isComparingKeys ? error : unsafe graph.located(error, inSlot: column.slot)
  }
}
