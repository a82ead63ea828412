import ArcFormat

/// Receives the references that code encodes during a pass through a graph. A pass assigns rows to objects
/// and writes the rows, lists the objects that an object needs for construction, or compares objects. Each
/// column of a pass has a reference to its sink.
///
/// This is a protocol so that values and the public encoder need not know the types of the passes.
@usableFromInline protocol ReferenceSink: AnyObject {
  /// Appends a reference to an object. Called only if the object has no row yet, or if the pass must inspect
  /// the object itself. If `isUnique` is true, no other reference to the object exists.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws
  /// Appends a weak reference to an object. Called only if the object has no row yet, or if the pass must
  /// inspect the object itself.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter)
  /// Throws `duplicateKey` if keys of a set or dictionary will be equal when they are read. `column` is the
  /// column of the set or dictionary.
  func checkDistinct<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter) throws
  /// Throws `duplicateKey` if the archived forms of keys that were just written are equal. `column` is the
  /// column of the set or dictionary.
  func checkReplaced<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter) throws
  /// The order in which the keys of sets and dictionaries are written. Nil if the order is arbitrary.
  var keyOrder: (any KeyOrder)? { get }
  /// The context that the caller supplied for the program's code.
  var archiveContext: ArchiveContext { get }
  /// Returns the boxes of values of type `Any` or `any P`. Throws `notArchivable` if the pass does not
  /// support boxes.
  func boxes() throws -> ValueBoxes
  /// Whether the pass treats objects that are not loaded yet as nil, because it visits only objects in
  /// memory.
  var visitsOnlyLoadedObjects: Bool { get }
  /// Records that a lazy object was loaded. From now on, other objects may refer to the object and to
  /// everything that it reaches, and weak properties of objects that were already written may have been set.
  func noteReading()
  /// Adds the location of a column to an error: the key of the property, or the name of the root. Returns the
  /// error.
  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError
}

extension ReferenceSink {
  /// The default implementation. Returns false: the pass loads lazy objects.
  var visitsOnlyLoadedObjects: Bool { false }
  /// The default implementation. Does nothing, because the loading of a lazy object matters only to a pass
  /// that has already written rows of an archive.
  func noteReading() {}
  /// The default implementation. Does nothing, because only the keys that are finally written to the archive
  /// are compared.
  func checkReplaced<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter
  ) throws {}
}

extension ColumnWriter {
  /// Whether lazy references to objects that are not loaded yet are written as nil. Then no object is loaded.
  var writesOnlyLoadedObjects: Bool { sink.visitsOnlyLoadedObjects }

  /// Records that a lazy object was loaded.
  func noteReading() { sink.noteReading() }

  /// Adds the location of the column to an error: the key of the property, or the name of the root. Returns
  /// the error.
  @usableFromInline @inline(never)
  package func located(_ error: ArchiveError) -> ArchiveError {
    // A column of an `ArchiveBuilder` belongs to no pass. The builder adds the location.
    context == nil ? error : sink.located(error, in: self)
  }
}

/// Writes the keys of sets and dictionaries in an order that depends only on the graph. Spec: 05-graph,
/// section 8.
@usableFromInline protocol KeyOrder: AnyObject {
  /// Appends the elements of a set in sorted order.
  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws
  /// Appends the entries of a dictionary in the order of their keys.
  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter)
    throws
}

/// Reads references that generated code cannot read directly. `GraphDecoder` conforms to the protocol. Each
/// column of an archive has a reference to its source.
@usableFromInline protocol ReferenceSource: AnyObject {
  /// Returns the object in a row. Throws if the object is not built yet, or is not an `Object`.
  func object<Object>(_ row: Int, from column: ColumnReader) throws -> Object
  /// Reads a part of a recursive value from the column `part`. `column` is the column of the whole value. If
  /// the part has the type of an enclosing value, the nesting level increases.
  func readPart<Value: ArchivableValue>(_ part: ColumnReader, of column: ColumnReader) throws -> Value
  /// Schedules a check of a set or dictionary of objects, which runs when all objects are linked.
  /// `isConsistent` returns whether the keys still have the hash values with which they were inserted.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool)
  /// The context that the caller supplied for the program's code.
  var archiveContext: ArchiveContext { get }
  /// Whether values come from a text such as JSON. Some values are strings or numbers in a text, but have
  /// another form in archives.
  var readsText: Bool { get }
  /// Returns the object of a row as an `UnreadObject`, which is read at the first access. Nil if the object
  /// already exists or is being built, because the object must then not be read later.
  func unreadObject(inRow row: Int) -> UnreadObject?
  /// Returns the number that a row has in the file, for error messages.
  func fileRow(_ row: Int) -> Int
}

/// Receives the values that a hand-written class encodes by keys.
@usableFromInline protocol KeyedSink: AnyObject {
  /// The coded name of the class.
  var name: String { get }
  /// The context that the caller supplied for the program's code.
  var archiveContext: ArchiveContext { get }
  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool,
    _ write: (ColumnWriter) throws -> Void) throws
  /// Writes the value of a property from the memory of the object at an address, if generated code does not
  /// write it. `slot` is the number of the property, relative to the class whose columns begin with
  /// `columns`.
  func writeField(_ slot: Int, of columns: HandleBuffer<ColumnWriter?>, ofObjectAt address: UInt) throws
}

/// Supplies the values that a hand-written class decodes by keys.
@usableFromInline protocol KeyedSource: AnyObject {
  /// The coded name of the class in the file.
  var name: String { get }
  /// The context that the caller supplied for the program's code.
  var archiveContext: ArchiveContext { get }
  /// Returns the value of the current row for a key. Nil if the row has no value for the key.
  func keyed<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value?
  /// Returns whether the current row has a value for a key.
  func hasValue(forKey key: String) throws -> Bool
  /// Returns whether generated code must now convert older values to a property. True if the file has columns
  /// for all of the older keys `keys`, and the property is set in `phase`. `types` are the types of the older
  /// values. `slot` is the number of the property, relative to the class whose columns begin with `columns`.
  func isOpen(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, in phase: DecodingPhase, to keys: [String],
    _ types: [any ArchivableValue.Type]
  ) -> Bool
  /// Returns whether the value that caused an error is treated as missing. This is the case if the error is
  /// about an unknown case, raw value or class, and the policy omits unknown content. If `slot` is not nil,
  /// the property must also permit a missing value. `slot` is the number of the property, relative to the
  /// class whose columns begin with `columns`.
  func omits(_ error: any Error, atSlot slot: Int?, of columns: HandleBuffer<ColumnReader>) -> Bool
  /// Reads the value of a property and stores it in the object at an address, without calling the setter.
  /// Returns false if generated code sets the property. `slot` is the number of the property, relative to the
  /// class whose columns begin with `columns`.
  func storeField(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, from column: ColumnReader, inObjectAt address: UInt
  ) throws -> Bool
  /// Stores a value of a property in the object at an address, without calling the setter. Returns false if
  /// generated code sets the property. `slot` is the number of the property, relative to the class whose
  /// columns begin with `columns`.
  func storeField<Value>(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, value: Value, inObjectAt address: UInt
  ) -> Bool
  /// Returns the error for a key without a value.
  func missingKey(_ key: String, _ type: Any.Type) -> ArchiveError
  /// Returns the decoder for the `init(from:)` that runs when an object of a class is created. The columns of
  /// the class begin with `columns`. If the class inherits `init(from:)`, the decoder is for the superclass
  /// that declares it.
  func initializerDecoder(_ columns: HandleBuffer<ColumnReader>) -> ObjectDecoder
}

/// A reference to the sink of values by key. The sink exists longer than the users of the reference. Nil only
/// until the sink is created.
@usableFromInline struct KeyedSinkReference {
  unowned var sink: (any KeyedSink)?
}

/// A reference to the source of values by key. The source exists longer than the users of the reference. Nil
/// only until the source is created.
@usableFromInline struct KeyedSourceReference {
  unowned var source: (any KeyedSource)?
}
