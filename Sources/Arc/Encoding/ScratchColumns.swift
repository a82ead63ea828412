import ArcFormat

/// Columns with the layout of a class's columns, which are never written to the file. A pass encodes objects
/// to these columns, to find the references of the objects or to compare the objects.
final class ScratchColumns: KeyedSink {
  /// The writer of the class, which outlives the columns.
  private unowned let writer: ClassWriter
  private let isEncoded: (_ key: String, ColumnDescription.Flags) -> Bool
  private let set: ColumnWriterSet
  private let context: Handle<ObjectNumbering>
  private let columns: HandleBuffer<ColumnWriter?>
  private let fieldColumns: FieldColumns?
  private let keyedSink = Handle(KeyedSinkReference())
  private var objectCount = 0

  var name: String { writer.name }
  var archiveContext: ArchiveContext { context.value.sink.archiveContext }

  /// Creates columns that refer to the numbering of a pass. A value is encoded if `isEncoded` returns true
  /// for the key and the flags of its column in the file.
  init(
    of writer: ClassWriter, context: Handle<ObjectNumbering>,
    where isEncoded: @escaping (_ key: String, ColumnDescription.Flags) -> Bool = { _, _ in true }
  ) {
    self.writer = writer
    self.isEncoded = isEncoded
    self.context = context
    set = ColumnWriterSet(strings: nil, context: context.opaque)
    set.extend(to: writer.layout)
    var columns: [ColumnWriter?] = []
    for (index, slot) in writer.shape.slots.enumerated() {
      let column =
        isEncoded(slot.property.keys[0], slot.isConstruction ? [.construction] : []) ? set.column(index) : nil
      if slot.isStored { column?.markAsStored() }
      columns.append(column)
    }
    fieldColumns = FieldColumns(of: writer.shape, from: &columns)
    self.columns = HandleBuffer(columns)
    keyedSink.value.sink = self
  }

  deinit {
    columns.free()
    keyedSink.free()
  }

  /// Encodes an object of exactly this class.
  func encode(_ object: AnyObject) throws {
    if writer.boxesValues { context.value.location = ValueBoxes.Location(owner: ObjectIdentifier(object)) }
    try writer.type.encode(
      object,
      to: ObjectEncoder(
        slots: __SlotEncoder(
          columns: columns, keyedSink: keyedSink,
          object: fieldColumns == nil ? 0 : UInt(bitPattern: ObjectIdentifier(object)))))
    objectCount += 1
  }

  func writeField(_ slot: Int, of columns: HandleBuffer<ColumnWriter?>, ofObjectAt address: UInt) throws {
    try fieldColumns?.write(slot: self.columns.index(ofFirstIn: columns) + slot, ofObjectAt: address)
  }

  /// Returns the steps from an object of the class to a value in a column. Nil if there is no such column.
  func steps(toSlot slot: Int, _ location: ValueLocation?) -> [ValuePath.Step]? {
    guard writer.columnDescriptions.indices.contains(slot) else { return nil }
    return writer.steps(toColumn: slot, location.map(set.steps(toValueAt:)) ?? [])
  }

  /// Removes all values.
  func removeAll() { set.removeAll() }

  /// Limits the memory of the columns: removes all values after every 64 objects, or after each object of a
  /// hand-written class. Used by passes that do not need the values.
  func removeAllIfLarge() { if objectCount % 64 == 0 || writer.isKeyed { set.removeAll() } }

  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool,
    _ write: (ColumnWriter) throws -> Void
  ) throws {
    guard isEncoded(key, flags) else { return }
    let index = try writer.keyedColumn(type, key: key, flags: flags, isWeak: isWeak)
    if set.layout.roots.count <= index { set.extend(to: writer.layout) }
    try write(set.column(index).child(0))
  }

  /// Returns the bytes by which the last encoded object is compared. Columns of dynamic keys are sorted by
  /// key, because the order of the columns depends on which object used a key first. Spec: 05-graph, rule F5.
  func comparableValues() -> ComparableValues {
    guard writer.isKeyed else { return set.comparableValues() }
    let descriptions = writer.columnDescriptions
    let order = descriptions.indices.sorted {
      let (left, right) = (descriptions[$0], descriptions[$1])
      return left.key.hasSameBytes(as: right.key)
        ? left.attributes.description < right.attributes.description
        : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    var values = ComparableValues()
    for index in order where index < set.layout.roots.count {
      let own = set.comparableValues(ofColumn: index)
      if !own.isEmpty { values.append(ComparableValues(descriptions[index].key)) }
      values.append(own)
    }
    return values
  }
}

extension Archivable {
  /// Encodes an object of this class.
  static func encode(_ object: AnyObject, to encoder: borrowing ObjectEncoder) throws {
    try unsafe unsafeDowncast(object, to: Self.self).encode(to: encoder)
  }
}
