import ArcFormat
import ArcMemory
import ArcRuntime

/// Writes the rows of a class to the columns of its properties, and to the columns of the keys that its
/// objects choose.
final class ClassWriter: KeyedSink {
  let shape: ProgramClass
  let type: any Archivable.Type
  /// Whether the objects encode values under keys of their own choice.
  let isKeyed: Bool
  /// The coded name of the class.
  let name: String
  /// The index of the class in the class table.
  let index: Int
  /// The index of the class's topmost superclass that was not in the archive when the class was added. If all
  /// superclasses were in the archive, the index of the class itself.
  let firstIndex: Int
  /// Whether the current archive contains an instance of the class.
  var isInUse = true
  /// Whether objects of the class cannot be built without other objects.
  let hasConstructionReferences: Bool
  /// The hooks that are called when an object of the class is archived.
  let hooks: ArchiveHooks
  /// Whether objects of the class may have values that are archived in boxes.
  let boxesValues: Bool
  private let archive: Handle<ArchiveWriter>
  private let numbering: Handle<ObjectNumbering>
  private let set: ColumnWriterSet
  private let columns: HandleBuffer<ColumnWriter?>
  private let fieldColumns: FieldColumns?
  private let keyedSink = Handle(KeyedSinkReference())
  /// The indices of the columns for dynamic keys.
  private var keyedColumns: [KeyedColumn: Int] = [:]
  /// For each dynamic key, the last row in which an object has a value under the key.
  private var lastRows: [ExactName: Int] = [:]
  /// The columns to which `ConstructionOrder` encodes an object, to find the objects that it needs for
  /// construction. Nil until the first use.
  var constructionColumns: ScratchColumns?

  /// A key, with the type and the attributes with which values are encoded under the key.
  private struct KeyedColumn: Hashable {
    let key: ExactName
    let type: ObjectIdentifier
    let flags: ColumnDescription.Flags
    let isWeak: Bool
  }

  /// Creates the writer of the class that was added to an archive last. `indices` are the indices of the
  /// classes that were added together: superclasses first, the class itself last.
  init(
    shape: ProgramClass, indices: ClosedRange<Int>, archive: Handle<ArchiveWriter>,
    numbering: Handle<ObjectNumbering>
  ) {
    self.shape = shape
    self.numbering = numbering
    hooks = ArchiveHooks(of: shape.schema.type).intersection(.whenArchiving)
    type = shape.schema.type
    isKeyed = shape.isKeyed
    firstIndex = indices.lowerBound
    index = indices.upperBound
    self.archive = archive
    name = shape.schema.name
    hasConstructionReferences = shape.hasConstructionReferences
    boxesValues = !shape.interfaces.isEmpty
    set = archive.value.columnSet(ofClass: index)
    for (index, slot) in shape.slots.enumerated() {
      if slot.isConstruction { set.markAsConstruction(index) }
      guard slot.isStored else { continue }
      set.column(index).markAsStored()
      // Construction references are encoded more than once, so `UniqueReference` cannot be used for them.
      if !slot.isConstruction, UniqueReference.word != 0 { set.column(index).expectUniqueReferences() }
    }
    var columns: [ColumnWriter?] = shape.slots.indices.map { [set] in set.column($0) }
    fieldColumns = FieldColumns(of: shape, from: &columns)
    self.columns = HandleBuffer(columns)
    keyedSink.value.sink = self
  }

  deinit {
    columns.free()
    keyedSink.free()
  }

  /// The encoder to which objects of the class encode themselves.
  var encoder: ObjectEncoder {
    ObjectEncoder(slots: __SlotEncoder(columns: columns, keyedSink: keyedSink))
  }

  /// Whether some values are read directly from the memory of objects. If true, each object needs its own
  /// encoder.
  var readsFields: Bool { fieldColumns != nil }

  /// Returns the encoder for an object whose memory is read directly.
  func encoder(of object: AnyObject) -> ObjectEncoder {
    ObjectEncoder(
      slots: __SlotEncoder(
        columns: columns, keyedSink: keyedSink, object: UInt(bitPattern: ObjectIdentifier(object))))
  }

  func writeField(_ slot: Int, of columns: HandleBuffer<ColumnWriter?>, ofObjectAt address: UInt) throws {
    try fieldColumns?.write(slot: self.columns.index(ofFirstIn: columns) + slot, ofObjectAt: address)
  }

  var archiveContext: ArchiveContext { numbering.value.sink.archiveContext }

  // MARK: Keys

  /// Writes a value under a dynamic key: first the presence bit of the row, then the value. Throws
  /// `duplicateKey` if the object has already encoded a value under the key. Spec: 04-columns, rule K1;
  /// 05-graph, rule W4.
  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool,
    _ write: (ColumnWriter) throws -> Void
  ) throws {
    let index = try keyedColumn(type, key: key, flags: flags, isWeak: isWeak)
    let row = archive.value.rowCount
    guard lastRows.updateValue(row, forKey: ExactName(key)) != row else {
      throw ArchiveError(
        .duplicateKey, found: "two values that one object encodes for the key '\(key)'",
        expected: "one value per key", key: key)
    }
    set.padPresence(index, to: archive.value.rowsInSegment(ofClass: self.index) - 1)
    let column = set.column(index)
    column.append(bit: true)
    do {
      try write(column.child(0))
    } catch let error as ArchiveError {
      throw error.located(key: key)
    }
  }

  /// Returns the index of the column for a dynamic key. The column is added if it is new.
  func keyedColumn<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool
  ) throws -> Int {
    let identity = KeyedColumn(
      key: ExactName(key), type: ObjectIdentifier(type), flags: flags, isWeak: isWeak)
    if let known = keyedColumns[identity] { return known }
    let index = archive.value.classes[self.index].columns.count
    try archive.value.addColumn(
      ColumnDescription(
        declaringClassIndex: self.index, key: key,
        attributes: PropertyAttributes(
          type: __TypeEncodingContext.encoding(of: type), flags: isWeak ? [.nonatomic, .weak] : [.nonatomic],
          ivar: nil),
        flags: flags.union(.keyed)),
      toClass: self.index)
    if flags.contains(.construction) { set.markAsConstruction(index) }
    keyedColumns[identity] = index
    return index
  }

  /// Returns the column of a property, by its index in the class.
  func column(_ index: Int) -> ColumnWriter { self.set.column(index) }

  /// The descriptions of the class's columns in the file, by index.
  var columnDescriptions: [ColumnDescription] { archive.value.classes[index].columns }

  /// Returns the steps from an object of the class to the value at which an error occurred. If the error does
  /// not identify this value, returns the step to the property with the key `key`, or nil if `key` is nil.
  func steps(of error: ArchiveError, orKey key: String?) -> [ValuePath.Step]? {
    let steps = set.steps(of: error)
    if let column = set.slot(of: error), columnDescriptions.indices.contains(column) {
      return self.steps(toColumn: column, steps)
    }
    return key.map { self.steps(toKey: $0, steps) }
  }

  /// Returns the steps from an object of the class to a value in the property with a key.
  func steps(toKey key: String, _ steps: [ValuePath.Step] = []) -> [ValuePath.Step] {
    let column = columnDescriptions.lastIndex { $0.key.hasSameBytes(as: key) }
    return column.map { self.steps(toColumn: $0, steps) } ?? self.steps(to: key, steps)
  }

  /// Returns the steps from an object of the class to a value in a column.
  func steps(toColumn column: Int, _ steps: [ValuePath.Step]) -> [ValuePath.Step] {
    self.steps(to: archive.value.classes.propertyName(ofColumn: column, ofClass: index), steps)
  }

  /// Returns the steps to a value in the property `name`. If the class is a box, adds no step for the
  /// property of the box: the program has no boxes, but stores the value directly in the property that refers
  /// to the box.
  private func steps(to name: String, _ steps: [ValuePath.Step]) -> [ValuePath.Step] {
    (type is any AnyValueBox.Type ? [] : [.name(name)]) + steps
  }

  /// The layout of the class's columns.
  var layout: ColumnLayout { self.set.layout }
}
