import ArcFormat
import ArcMemory
import ArcRuntime

/// A class while its rows are written: its columns in the file, and its keys.
final class ClassWriter: KeyedSink {
  let shape: ProgramClass
  let type: any Archivable.Type
  /// Whether objects encode by keys of their own choice.
  let isKeyed: Bool
  /// The coded name.
  let name: String
  /// Its index in the class table.
  let index: Int
  /// The index of the first class that was added with it: of a superclass, or its own.
  let firstIndex: Int
  /// Whether the current archive contains an instance of the class.
  var isInUse = true
  /// Whether objects of the class cannot be built without others.
  let hasConstructionReferences: Bool
  /// The hooks of the class that are called when an object is archived.
  let hooks: ArchiveHooks
  /// Whether values of objects of the class may have boxes.
  let boxesValues: Bool
  private let archive: Handle<ArchiveWriter>
  private let numbering: Handle<ObjectNumbering>
  private let set: ColumnWriterSet
  private let columns: HandleBuffer<ColumnWriter?>
  private let fieldColumns: FieldColumns?
  private let keyedSink = Handle(KeyedSinkReference())
  /// Columns of dynamic keys: index in the class by what they were encoded as.
  private var keyedColumns: [KeyedColumn: Int] = [:]
  /// The last row that has a value for a key.
  private var lastRows: [ExactName: Int] = [:]
  /// The columns that list what an object needs for construction; `ConstructionOrder` makes them when it
  /// first asks.
  var constructionColumns: ScratchColumns?

  /// A key, and the type under which values are encoded for it.
  private struct KeyedColumn: Hashable {
    let key: ExactName
    let type: ObjectIdentifier
    let flags: ColumnDescription.Flags
    let isWeak: Bool
  }

  /// The writer of the class that was added to an archive last, with those of its superclasses that were new.
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
      // Construction references are encoded more than once.
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

  /// The encoder that objects of the class encode themselves to.
  var encoder: ObjectEncoder {
    ObjectEncoder(slots: __SlotEncoder(columns: columns, keyedSink: keyedSink))
  }

  /// Whether some values are read where they are stored: then each object needs an encoder of its own.
  var readsFields: Bool { fieldColumns != nil }

  /// The encoder for an object some of whose values are read where they are stored.
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

  /// Writes a value under a dynamic key: a presence bit for the row, then the value. Throws `duplicateKey`
  /// for a second value under one key. Spec: 04-columns, rule K1; 05-graph, rule W4.
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

  /// The index in the class of the column for a key, which is added if it is new.
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

  /// The column of a property, by its index in the class.
  func column(_ index: Int) -> ColumnWriter { self.set.column(index) }

  /// The columns of the class in the file, by index.
  var columnDescriptions: [ColumnDescription] { archive.value.classes[index].columns }

  /// The steps from an object of the class to the value that an error names by numbers, or else to the
  /// property with a key; nil if the error names no property.
  func steps(of error: ArchiveError, orKey key: String?) -> [ValuePath.Step]? {
    let steps = set.steps(of: error)
    if let column = set.slot(of: error), columnDescriptions.indices.contains(column) {
      return self.steps(toColumn: column, steps)
    }
    return key.map { self.steps(toKey: $0, steps) }
  }

  /// The steps from an object of the class to a value in the property with a key.
  func steps(toKey key: String, _ steps: [ValuePath.Step] = []) -> [ValuePath.Step] {
    let column = columnDescriptions.lastIndex { $0.key.hasSameBytes(as: key) }
    return column.map { self.steps(toColumn: $0, steps) } ?? self.steps(to: key, steps)
  }

  /// The steps from an object of the class to a value in a column.
  func steps(toColumn column: Int, _ steps: [ValuePath.Step]) -> [ValuePath.Step] {
    self.steps(to: archive.value.classes.propertyName(ofColumn: column, ofClass: index), steps)
  }

  /// A box is not a step, because in the program the property that refers to the box has the value.
  private func steps(to name: String, _ steps: [ValuePath.Step]) -> [ValuePath.Step] {
    (type is any AnyValueBox.Type ? [] : [.name(name)]) + steps
  }

  /// The layout of these columns.
  var layout: ColumnLayout { self.set.layout }
}
