import ArcFormat
package import ArcMemory
import ArcRuntime

/// Reads objects of one class from a row that a reader of another format fills for each object.
@usableFromInline package final class RowReader {
  /// The columns of the row, with the descriptions of the program's types.
  package let columns: RowColumns
  /// The row with the values of the next object.
  package var row: InputRow { columns.row }
  let reader: ClassReader
  /// The properties: first the properties of the class itself, then the properties of its superclasses.
  package let slots: [Slot]
  /// The types and accessors of the properties, by slot. They are stored separately from `slots`, because
  /// they are used for each object.
  private let accesses: [Access]
  /// Whether the row lacks a value, by slot.
  @usableFromInline let isAbsent: HandleBuffer<Bool>
  /// The number of slots without a value in the row.
  @usableFromInline let absenceCount = Handle(0)
  /// The phases in which `link(from:)` is called for a new object after `init(from:)`.
  let linkPhases: [DecodingPhase]
  /// The phases in which `link(from:)` is called to update an existing object.
  let updatePhases: [DecodingPhase]
  /// Creates objects from one value per slot, without calling an initializer. Nil if the memory layout of the
  /// objects is unknown, or if an object needs more than the values of its slots.
  package let allocator: ObjectAllocator?
  /// The slots of the variables that `init(from:)` sets.
  private let initializedVariables: [Int]

  /// The description of a property whose values are in the row.
  package struct Slot {
    /// The name of the property in the program.
    package let name: String
    /// The key in archives, followed by the older keys.
    package let keys: [String]
    /// The marks on the property for other modules, for example the JSON key.
    package let marks: [any __PropertyMark]
    /// The first node of the property in the layout of the row.
    package let node: Int
    /// The effect on the property if the row has no value for it.
    package let absence: DeclaredClass.Absence
    /// Whether the property is weak.
    package let isWeak: Bool
    /// Whether the values contain references, not counting weak references.
    package let holdsReferences: Bool
    /// Whether the property is a constant, which is set only when the object is built.
    package let isConstant: Bool
    /// Whether the initial value of the property is a literal.
    package let hasLiteralInitialValue: Bool
    /// The phase of reading a graph in which the property is set. The phases exist because the objects of a
    /// graph may refer to each other.
    package let phase: DecodingPhase
    /// Whether the property is set before other objects can refer to the object.
    package var isSetEarly: Bool { phase != .link && phase != .hash }
  }

  private struct Access {
    let valueType: any ArchivableValue.Type
    let access: any PropertyAccess
    let phase: DecodingPhase
    let isUnowned: Bool
    let holdsReferences: Bool

    init(_ slot: ProgramClass.Slot, _ layout: ColumnLayout) {
      holdsReferences = layout.nodes[slot.root].kind == .reference && slot.property.access.holdsReferences
      (valueType, access, phase) = (slot.property.valueType, slot.property.access, slot.phase)
      isUnowned = slot.property.traits.contains(.unowned)
    }
  }

  /// Creates a reader for the rows of a class. A decoder reads the rows.
  ///
  /// - Throws: `ArchiveError` for a class that is not archivable as declared, or that belongs to another
  ///   actor than the caller's.
  package init(of type: any Archivable.Type, for decoder: GraphDecoder) throws {
    let programClass = try ProgramClass.of(type)
    try programClass.isolation.check()
    columns = RowColumns(of: programClass, context: decoder.references.opaque)
    reader = try ClassReader(programClass, of: columns.row, references: decoder.references)
    slots = programClass.slots.map { slot in
      Slot(
        name: slot.property.name, keys: slot.property.keys, marks: slot.property.marks, node: slot.root,
        absence: slot.property.valueType is any OptionalCodableValue.Type && slot.property.absence == .refused
          ? .becomesNil : slot.property.absence,
        isWeak: slot.property.traits.contains(.weak),
        holdsReferences: programClass.layout.containsReference(slot.root),
        isConstant: slot.property.traits.contains(.readOnly),
        hasLiteralInitialValue: slot.property.traits.contains(.hasLiteralDefault), phase: slot.phase)
    }
    accesses = programClass.slots.map { Access($0, programClass.layout) }
    allocator = ObjectFields.allocator(of: programClass)
    isAbsent = HandleBuffer(repeating: false, count: slots.count)
    let initialized = slots.indices.filter { [slots, accesses] in
      !slots[$0].isConstant && accesses[$0].phase == .initializer
    }
    initializedVariables = initialized
    linkPhases = DecodingPhase.linkPhases.filter(reader.needsLink)
    updatePhases = ([.fill] + DecodingPhase.linkPhases).filter { [reader] in
      reader.needsLink(in: $0) || $0 == .link && !initialized.isEmpty
    }
  }

  deinit {
    isAbsent.free()
    absenceCount.free()
  }

  /// The class of the objects.
  package var type: any Archivable.Type { reader.type }

  /// Whether hand-written code of the class decodes the objects by keys. Rows do not describe such objects.
  package var isCodedByHand: Bool { reader.programClass.isKeyed }

  /// Whether an object is a box: it contains one value whose declared type is `Any` or `any P`.
  package var isBox: Bool { type is any AnyValueBox.Type }

  /// Returns the class of objects that contain values of a type: the type itself if it is an archivable
  /// class, otherwise the class of boxes for the type.
  package static func objectType(of type: any ArchivableValue.Type) -> any Archivable.Type {
    func box<Value: ArchivableValue>(_ type: Value.Type) -> any Archivable.Type { ValueBox<Value>.self }
    return type as? any Archivable.Type ?? box(type)
  }

  /// Whether the row lacks a value for a slot.
  package func isAbsent(_ slot: Int) -> Bool { isAbsent[slot] }

  /// Whether the row lacks a value for any slot.
  @inlinable package var hasAbsences: Bool { absenceCount.value > 0 }

  /// Sets whether the row lacks a value for a slot. A property without a value keeps its initial value.
  @inlinable package func setAbsent(_ absent: Bool, slot: Int) {
    if isAbsent[slot] != absent { changeAbsence(to: absent, slot: slot) }
  }

  /// Sets the field at `location` of an unfinished object to the value of a slot in the row.
  func set(_ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject) throws {
    func set<Value: ArchivableValue>(_ type: Value.Type) throws {
      unsafe object.set(slot, location, to: try Value.__read(from: row.set.column(slot)))
    }
    try set(accesses[slot].valueType)
  }

  /// Returns the type of the values of a slot.
  func valueType(ofSlot slot: Int) -> any ArchivableValue.Type { accesses[slot].valueType }

  /// Whether the type of a slot accepts every value that its column can contain.
  package func takesAllValues(ofSlot slot: Int) -> Bool { PlainTypes.contains(accesses[slot].valueType) }

  /// Returns the object to which the property `slot` of `object` refers. Nil if the property is nil, or if
  /// its value is not an object.
  ///
  /// - Throws: ``KeyAccessError`` for an object of another class.
  package func object(ofSlot slot: Int, of object: AnyObject) throws -> AnyObject? {
    if accesses[slot].holdsReferences { return try accesses[slot].access.reference(of: object) }
    return try accesses[slot].access.value(of: object) as? any Archivable
  }

  /// Chooses which function sets the variables that `init(from:)` usually sets. If `isInLink` is true,
  /// `link(from:)` sets them. This is needed to update an existing object, for which `init(from:)` does not
  /// run.
  func setInitializedInLink(_ isInLink: Bool) {
    for slot in initializedVariables where !isAbsent[slot] {
      setPhase(isInLink ? .link : .initializer, ofSlot: slot)
    }
  }

  @usableFromInline @inline(never) func changeAbsence(to absent: Bool, slot: Int) {
    isAbsent[slot] = absent
    absenceCount.value += absent ? 1 : -1
    setPhase(absent ? nil : accesses[slot].phase, ofSlot: slot)
  }

  private func setPhase(_ phase: DecodingPhase?, ofSlot slot: Int) {
    row.set.setPhase(phase?.rawValue, isUnowned: accesses[slot].isUnowned, of: slot)
  }
}
