import ArcFormat
import ArcRuntime

/// Orders the elements of sets and the entries of dictionaries for an archive in canonical form, so that the
/// order depends only on the graph. Spec: 05-graph, section 8.
///
/// To compare keys and objects, `CanonicalOrder` encodes them to columns that are not written to the file. A
/// reference is encoded as the row of its object, or as the rank of its object.
final class CanonicalOrder: ReferenceSink, KeyOrder {
  /// The encoder. It owns this `CanonicalOrder`, so it exists longer.
  private unowned(unsafe) let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  /// For each row, the number as which a reference to the row is encoded. Nil if references are encoded as
  /// rows.
  private(set) var numbers: [UInt32]?
  /// Builds the graph by which objects are compared. Nil except while the graph is being built.
  var builder: LabelledGraphBuilder?
  /// The roots while they are written.
  private var roots: [any ArchivableValue] = []
  /// The ranks of all objects that the roots reach; nil until they are needed.
  private var knownRanks: ObjectRanks?
  private var isComparingKeys = false
  /// The columns for the comparison of keys, by the type of the keys.
  private var keyColumns: [ObjectIdentifier: ColumnWriterSet] = [:]
  /// The columns for the comparison of objects, by class.
  private var objectColumns: [ObjectIdentifier: ScratchColumns] = [:]
  /// For each type, whether its values may refer to objects.
  private var referringTypes: [ObjectIdentifier: Bool] = [:]

  /// Creates the order of keys for the archive that `graph` encodes.
  init(of graph: GraphEncoder) {
    unsafe self.graph = graph
    context = Handle(ObjectNumbering(isDirect: false))
    context.value.setSink(self)
  }

  deinit {
    context.value.free()
    context.free()
  }

  /// Prepares for the archive of some roots.
  func begin(_ roots: [any ArchivableValue]) { self.roots = roots }

  /// Releases the roots and their ranks.
  func prepareForReuse() { (roots, knownRanks) = ([], nil) }

  /// Returns the ranks of all objects that the roots reach. The first call costs at least O(values · log
  /// objects).
  func ranks() throws -> ObjectRanks {
    if let knownRanks { return knownRanks }
    let ranks = try unsafe ObjectRanks(of: roots, hooks: graph.hooks)
    knownRanks = ranks
    return ranks
  }

  // MARK: Keys

  /// Returns the bytes by which each value is ordered. Spec: 05-graph, rule F3.
  func comparableValues<Value: ArchivableValue>(of values: [Value]) throws -> [ComparableValues] {
    try encode(values) { $0.comparableValues() }
  }

  /// Returns the bytes by which each value is ordered. A reference to a row is encoded as the element of
  /// `numbers` for this row.
  func comparableValues<Value: ArchivableValue>(
    of values: [Value], numbers: [UInt32]
  ) throws -> [ComparableValues] {
    self.numbers = numbers
    defer { self.numbers = nil }
    return try comparableValues(of: values)
  }

  /// Encodes each key once, and returns copies of the encoded keys. Without the copies, each key would be
  /// encoded twice: to compare it, and to write it. If the keys are sets of sets, this would double the work
  /// with each nesting level.
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

  /// Calls `body`, which encodes keys. Records that keys are being encoded, because a value in a key must not
  /// be archived in a box.
  func encodeKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasComparingKeys = isComparingKeys
    isComparingKeys = true
    defer { isComparingKeys = wasComparingKeys }
    return try body()
  }

  /// Calls a closure with empty columns for values of a type.
  func withColumns<Value: ArchivableValue, Result>(
    of type: Value.Type, _ body: (ColumnWriterSet) throws -> Result
  ) throws -> Result {
    // Keys can contain sets with keys of the same type, which need other columns.
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

  /// Creates columns for the roots.
  func makeColumnsOfRoots() -> ColumnWriterSet { unsafe makeColumns(graph.rootLayout) }

  /// Returns the columns for objects of an object's class.
  func scratchColumns(of object: any Archivable) throws -> ScratchColumns {
    let type = ObjectIdentifier(type(of: object))
    if let known = objectColumns[type] { return known }
    let columns = unsafe try ScratchColumns(of: graph.writer(of: object), context: context)
    objectColumns[type] = columns
    return columns
  }

  /// Begins to encode the values of the roots or of an object. `location` is the location before the first
  /// value. Each value advances the location, by which the box of a value is found.
  func begin(at location: ValueBoxes.Location) { context.value.location = location }

  // MARK: References

  /// Appends the number that represents the target of a reference. Weak references are encoded like strong
  /// references.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    writeWeak(object, to: column)
  }

  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) { column.append(object.map(number) ?? 0) }

  /// Returns the number that represents an object in encoded references. 0 (nil) if the object has no row.
  /// Only weak references refer to such an object, and they are nil in the file.
  private func number(of object: AnyObject) -> UInt32 {
    let row = unsafe graph.row(of: object)
    guard row != 0 else { return 0 }
    if let numbers { return Int(row) < numbers.count ? numbers[Int(row)] : 0 }
    guard builder != nil else { return row }
    builder?.add(referenceToRow: row)
    return 1
  }

  /// Does nothing, because keys are checked when they are written.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// This `CanonicalOrder`, because keys that are nested in keys are also sorted.
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

  /// Returns the boxes of the archive. A box is an object that contains a value of type `any P` or `Any`.
  /// Throws `notArchivable` if a key is being encoded: a key cannot use boxes, because it is encoded several
  /// times before the final order of the keys is known.
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
