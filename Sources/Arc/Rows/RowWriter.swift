import ArcFormat
package import ArcMemory
import ArcRuntime

/// Objects of one class, each written as a row that somebody reads again.
package final class RowWriter {
  /// The rows, with a column for each property that is written.
  package let rows: WrittenRows
  /// The properties, those of the class itself first, then those of its superclasses.
  package let slots: [Slot]
  /// What the types of the properties say of structures and enumerations in them.
  package var notesOfRecords: TypeNotes {
    TypeNotes(
      of: programClass.slots.map { ($0.root, $0.property.valueType) }, in: programClass.layout,
      recordsOnly: true)
  }
  /// Whether objects encode by keys of their own choice, for which no row says what they are.
  package var isCodedByHand: Bool { programClass.isKeyed }
  /// Whether an object stands for the value of its one property, where a declaration says only what that
  /// conforms to.
  package var isBox: Bool { type is any AnyValueBox.Type }
  /// The class.
  package var type: any Archivable.Type { programClass.schema.type }

  /// The type of an object, or of the value that it stands for.
  package static func valueType(of object: AnyObject) -> Any.Type {
    let type: AnyClass = Swift.type(of: object)
    return (type as? any AnyValueBox.Type)?.valueType ?? type
  }

  /// Where each property is in the memory of objects, by slot, for those who read it there and not in rows;
  /// nil for a property that is more than a value in memory. None where hooks or actors have a say.
  package var fieldLocations: [FieldLocation?] {
    guard !isCodedByHand, !(type is any __ArchiveHook.Type), programClass.isolation.mainActorType == nil
    else {
      return slots.map { _ in nil }
    }
    return ObjectFields.fieldsOfProperties(of: programClass).map { $0.map { FieldLocation(of: $0) } }
  }

  private let programClass: ProgramClass
  private unowned let encoder: RowEncoder
  /// The weak properties whose values are needed.
  private let weakSlots: Set<Int>
  private let encodedType: any Archivable.Type
  private let context: Handle<ObjectNumbering>
  private let columns: HandleBuffer<ColumnWriter?>
  private let fieldColumns: FieldColumns?
  private let keyedSink = Handle(KeyedSinkReference())

  /// A property, as its values are in a row.
  package struct Slot {
    /// The name of the property in the program.
    package let name: String
    /// What other modules are told of the property.
    package let marks: [any __PropertyMark]
    /// Whether the property is weak.
    package let isWeak: Bool
    /// The key in archives.
    package let key: String
    /// The first of its nodes in the layout of the row.
    package let node: Int
    /// How many steps up in the hierarchy the class is that declares it: 0 for the class itself.
    package let level: Int
    /// Whether reading leaves the property its initial value where it finds none.
    package let keepsInitialValue: Bool
    /// Whether rows have values for it: never for unowned properties.
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
      // Asked for every one.
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

  /// Writes an object of exactly this class as a row, which ``WrittenRows/end()`` ends when it is read.
  ///
  /// - Throws: what the object's `encode(to:)` throws; an `ArchiveError` with the way from the object to the
  ///   value that it is about.
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
