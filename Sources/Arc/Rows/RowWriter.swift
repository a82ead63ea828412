import ArcFormat
package import ArcMemory
import ArcRuntime

/// Writes objects of one class, each as a row that is read again immediately.
package final class RowWriter {
  /// The rows to which objects are written. They have one column for each written property.
  package let rows: WrittenRows
  /// The properties: first the properties of the class itself, then the properties of its superclasses.
  package let slots: [Slot]
  /// The notes of the properties' types: the descriptions of the structures and enumerations in the values of
  /// the properties.
  package var notesOfRecords: TypeNotes {
    TypeNotes(
      of: programClass.slots.map { ($0.root, $0.property.valueType) }, in: programClass.layout,
      recordsOnly: true)
  }
  /// Whether hand-written code of the class encodes the objects by keys. Rows do not describe such objects.
  package var isCodedByHand: Bool { programClass.isKeyed }
  /// Whether an object is a box: it contains one value whose declared type is `Any` or `any P`.
  package var isBox: Bool { type is any AnyValueBox.Type }
  /// The class of the objects.
  package var type: any Archivable.Type { programClass.schema.type }

  /// Returns the type of an object. For a box, returns the type of the value in the box.
  package static func valueType(of object: AnyObject) -> Any.Type {
    let type: AnyClass = Swift.type(of: object)
    return (type as? any AnyValueBox.Type)?.valueType ?? type
  }

  /// The locations of the properties in the memory of objects, by slot. A caller can read a property at its
  /// location, without a row. Nil for a property that does not store a strong value in a field of its own.
  /// All locations are nil if the class has hooks or hand-written coders, or belongs to an actor.
  package var fieldLocations: [FieldLocation?] {
    guard !isCodedByHand, !(type is any __ArchiveHook.Type), programClass.isolation.mainActorType == nil
    else {
      return slots.map { _ in nil }
    }
    return ObjectFields.fieldsOfProperties(of: programClass).map { $0.map { FieldLocation(of: $0) } }
  }

  private let programClass: ProgramClass
  private unowned let encoder: RowEncoder
  /// The slots in which weak and unowned references are written with their targets, not as nil. If the rows
  /// include all references, these are all written slots; otherwise the written slots of weak properties.
  private let weakSlots: Set<Int>
  private let encodedType: any Archivable.Type
  private let context: Handle<ObjectNumbering>
  private let columns: HandleBuffer<ColumnWriter?>
  private let fieldColumns: FieldColumns?
  private let keyedSink = Handle(KeyedSinkReference())

  /// The description of a property whose values are in the rows.
  package struct Slot {
    /// The name of the property in the program.
    package let name: String
    /// The marks on the property for other modules, for example the JSON key.
    package let marks: [any __PropertyMark]
    /// Whether the property is weak.
    package let isWeak: Bool
    /// The key in archives.
    package let key: String
    /// The first node of the property in the layout of the rows.
    package let node: Int
    /// The number of inheritance steps from the class to the superclass that declares the property. 0 if the
    /// class itself declares it.
    package let level: Int
    /// Whether the property keeps its initial value if a reader finds no value for it.
    package let keepsInitialValue: Bool
    /// Whether the property is written to rows. Always false for unowned properties.
    package fileprivate(set) var isWritten: Bool
  }

  init(
    _ programClass: ProgramClass, context: Handle<ObjectNumbering>, _ encoder: RowEncoder,
    includesAllReferences: Bool,
    where isWritten: (Slot) -> Bool
  ) {
    self.encoder = encoder
    self.programClass = programClass
    self.context = context
    encodedType = programClass.schema.type
    rows = WrittenRows(programClass.layout, context: context.opaque)
    slots = programClass.slots.map { slot in
      var described = Slot(
        name: slot.property.name, marks: slot.property.marks, isWeak: slot.property.traits.contains(.weak),
        key: slot.property.keys[0], node: slot.root, level: slot.level,
        keepsInitialValue: slot.property.absence == .keepsInitialValue,
        isWritten: !slot.property.traits.contains(.unowned))
      // Called for every property, because `isWritten` may have side effects.
      let isWanted = isWritten(described)
      described.isWritten = described.isWritten && isWanted
      return described
    }
    weakSlots = Set(
      slots.indices.filter { [slots] in
        (slots[$0].isWeak || includesAllReferences) && slots[$0].isWritten
      })
    var columns: [ColumnWriter?] = slots.indices.map { [rows, slots] index in
      slots[index].isWritten ? rows.set.column(index) : nil
    }
    for (index, slot) in programClass.slots.enumerated() where slot.isStored {
      columns[index]?.markAsStored()
    }
    fieldColumns = FieldColumns(of: programClass, from: &columns)
    self.columns = HandleBuffer(columns)
    keyedSink.value.sink = self
  }

  deinit {
    columns.free()
    keyedSink.free()
  }

  /// Writes an object of exactly this class as a row. Call ``WrittenRows/end()`` after the row is read.
  ///
  /// - Throws: an error of the object's `encode(to:)`. An `ArchiveError` contains the path from the object to
  ///   the value that cannot be written.
  package func begin(_ object: AnyObject) throws {
    rows.begin()
    if !weakSlots.isEmpty { encoder.beginWeak(weakSlots) }
    defer { if !weakSlots.isEmpty { encoder.beginWeak([]) } }
    do {
      try encodedType.encode(
        object,
        to: ObjectEncoder(
          slots: __SlotEncoder(
            columns: columns, keyedSink: keyedSink,
            object: fieldColumns == nil ? 0 : UInt(bitPattern: ObjectIdentifier(object)))))
    } catch let error as ArchiveError {
      throw located(error)
    }
    rows.finishWriting()
  }

  private func located(_ error: ArchiveError) -> ArchiveError {
    guard let slot = rows.set.slot(of: error), slots.indices.contains(slot) else {
      return error.located(className: name)
    }
    let path = ObjectPath(to: slots[slot].key, rows.set.steps(of: error))
    return error.located(className: name, key: slots[slot].key, objectPath: path.text)
  }
}

extension RowWriter: KeyedSink {
  var name: String { programClass.schema.name }
  var archiveContext: ArchiveContext { context.value.sink.archiveContext }

  func writeField(_ slot: Int, of columns: HandleBuffer<ColumnWriter?>, ofObjectAt address: UInt) throws {
    try fieldColumns?.write(slot: self.columns.index(ofFirstIn: columns) + slot, ofObjectAt: address)
  }

  func writeKeyed<Value: ArchivableValue>(
    _ type: Value.Type, key: String, flags: ColumnDescription.Flags, isWeak: Bool,
    _ write: (ColumnWriter) throws -> Void
  ) throws {
    throw ArchiveError(
      .notArchivable, found: "a value that a hand-written encode(to:) stores under the key '\(key)'",
      expected: "a value of a declared property", className: name, key: key)
  }
}
