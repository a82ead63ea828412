import ArcFormat

/// What a pass over a graph does with the references that code encodes: assign rows to their targets and
/// write the rows, list what an object needs for construction, or compare. The columns of a pass lead to its
/// sink.
///
/// A protocol, so that values and the encoder that programs see need not know the passes.
@usableFromInline protocol ReferenceSink: AnyObject {
  /// Appends a reference to an object that has no row yet, or where more than its row is needed. With
  /// `isUnique`, nothing else refers to the object.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws
  /// Appends a weak reference to an object that has no row yet, or where more than its row is needed.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter)
  /// Throws `duplicateKey` for keys of a set or dictionary that will be equal when they are read. `column` is
  /// that of the set or dictionary.
  func checkDistinct<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter) throws
  /// Throws `duplicateKey` for keys, just written, that are equal as what is archived for them. `column` is
  /// that of the set or dictionary.
  func checkReplaced<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter) throws
  /// The order in which the keys of sets and dictionaries are written; nil if they may come in any.
  var keyOrder: (any KeyOrder)? { get }
  /// What the caller gave for the program's own code.
  var archiveContext: ArchiveContext { get }
  /// The boxes of values in places of any type. Throws `notArchivable` where a pass cannot have any.
  func boxes() throws -> ValueBoxes
  /// Whether objects that were not read yet count as nil, since the pass looks only at those in memory.
  var visitsOnlyWhatIsThere: Bool { get }
  /// Notes that an object is read that was not read yet: from now on anything may refer to it, and to what
  /// it leads to, and weak properties of objects that were written may be set.
  func noteReading()
  /// The error with the key of the property, or the name of the root, that a column belongs to.
  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError
}

extension ReferenceSink {
  /// False: what was not read yet is read.
  var visitsOnlyWhatIsThere: Bool { false }
  /// Does nothing: only an archive has rows that were written before.
  func noteReading() {}
  /// Does nothing: only what is written to the archive in the end is compared.
  func checkReplaced<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter
  ) throws {}
}

extension ColumnWriter {
  /// Whether references to what was not read yet are written as nil.
  var writesOnlyWhatIsThere: Bool { sink.visitsOnlyWhatIsThere }

  /// Notes that an object is read that was not read yet.
  func noteReading() { sink.noteReading() }

  /// The error with the key of the property, or the name of the root, that the column belongs to.
  @usableFromInline @inline(never)
  package func located(_ error: ArchiveError) -> ArchiveError {
    // A column of an `ArchiveBuilder` belongs to no pass; the builder knows where it is.
    context == nil ? error : sink.located(error, in: self)
  }
}

/// Writes the keys of sets and dictionaries in an order that depends on nothing but the graph. Spec:
/// 05-graph, section 8.
@usableFromInline protocol KeyOrder: AnyObject {
  /// Appends the elements of a set in sorted order.
  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws
  /// Appends the entries of a dictionary in the order of their keys.
  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter)
    throws
}

/// Reads references where generated code cannot do it by itself: a graph decoder. The columns of an archive
/// lead to it.
@usableFromInline protocol ReferenceSource: AnyObject {
  /// The object in a row. Throws if it is not built yet, or is no `Object`.
  func object<Object>(_ row: Int, from column: ColumnReader) throws -> Object
  /// Reads a part of a recursive value: one level deeper, if the part is a value of the same type.
  func readPart<Value: ArchivableValue>(_ part: ColumnReader, of column: ColumnReader) throws -> Value
  /// Has a set or dictionary of objects checked when all of them are linked: whether its keys still hash as
  /// they did.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool)
  /// What the caller gave for the program's own code.
  var archiveContext: ArchiveContext { get }
  /// Whether values come from a text, which has strings and numbers for what archives have in its own form.
  var readsText: Bool { get }
  /// The object of a row that is left to be read when it is asked for; nil for a row that is built, or known.
  func unreadObject(inRow row: Int) -> UnreadObject?
  /// The number in the file of a row, for errors.
  func fileRow(_ row: Int) -> Int
}

/// Takes the values that one class encodes by keys of its own choice.
@usableFromInline protocol KeyedSink: AnyObject {
  /// The coded name of the class.
  var name: String { get }
  /// What the caller gave for the program's own code.
  var archiveContext: ArchiveContext { get }
  /// Writes a value under a key.
  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool,
    _ write: (ColumnWriter) throws -> Void) throws
  /// Writes the value of a property as it is stored in the object at an address, if that is not left to
  /// generated code. The slot is the property's number among those whose columns begin with `columns`.
  func writeField(_ slot: Int, of columns: HandleBuffer<ColumnWriter?>, ofObjectAt address: UInt) throws
}

/// Gives the values that one class decodes by keys of its own choice.
@usableFromInline protocol KeyedSource: AnyObject {
  /// The coded name of the class in the file.
  var name: String { get }
  /// What the caller gave for the program's own code.
  var archiveContext: ArchiveContext { get }
  /// The value of the current row under a key; nil if it has none.
  func keyed<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value?
  /// Whether the current row has a value under a key.
  func hasValue(forKey key: String) throws -> Bool
  /// Whether a property, by its number among those whose columns begin with `columns`, is set in a phase, and
  /// of values of these types under older keys, which the file has.
  func isOpen(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, in phase: DecodingPhase, to keys: [String],
    _ types: [any ArchivableValue.Type]
  ) -> Bool
  /// Whether an error is one of a value that the program does not have, and that counts as missing then:
  /// always, or if a property can do without, by its number among those whose columns begin with `columns`.
  func leavesOut(_ error: any Error, atSlot slot: Int?, of columns: HandleBuffer<ColumnReader>) -> Bool
  /// Reads the value of a property and stores it in the object at an address, past the setter. False if
  /// generated code sets it. The slot is the property's number among those whose columns begin with
  /// `columns`.
  func storeField(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, from column: ColumnReader, inObjectAt address: UInt
  ) throws -> Bool
  /// Stores a value of a property in the object at an address, as `storeField(_:of:from:inObjectAt:)` does.
  func storeField<Value>(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, value: Value, inObjectAt address: UInt
  ) -> Bool
  /// The error for a key without a value.
  func missingKey(_ key: String, _ type: Any.Type) -> ArchiveError
  /// The decoder for the class whose `init(from:)` runs when that of the class whose columns `columns` begins
  /// with is called.
  func initializerDecoder(_ columns: HandleBuffer<ColumnReader>) -> ObjectDecoder
}

/// Refers to a keyed sink that outlives every user of this reference; nil only until the sink is made.
@usableFromInline struct KeyedSinkReference {
  unowned var sink: (any KeyedSink)?
}

/// Refers to a keyed source that outlives every user of this reference; nil only until the source is made.
@usableFromInline struct KeyedSourceReference {
  unowned var source: (any KeyedSource)?
}
