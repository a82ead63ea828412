import ArcFormat
package import ArcMemory
import ArcRuntime

/// Objects of one class, each made of a row that somebody fills.
@usableFromInline package final class RowReader {
  /// The columns of the object that is made next.
  package let columns: RowColumns
  /// The row of that object.
  package var row: InputRow { columns.row }
  let reader: ClassReader
  /// The properties, those of the class itself first, then those of its superclasses.
  package let slots: [Slot]
  /// What is asked of each slot for each object.
  private let accesses: [Access]
  /// Which slots the row has no value for.
  @usableFromInline let isAbsent: HandleBuffer<Bool>
  /// How many these are.
  @usableFromInline let absenceCount = Handle(0)
  /// When `link(from:)` is called, after the object is constructed.
  let linkPhases: [DecodingPhase]
  /// When it is called for objects that are there.
  let updatePhases: [DecodingPhase]
  /// How objects are made without their initializers, of a value for each slot; nil if that is not known, or
  /// if there is more to it.
  package let allocator: ObjectAllocator?
  /// The slots of variables that `init(from:)` sets.
  private let initializedVariables: [Int]

  /// A property, as its values are in a row.
  package struct Slot {
    /// The name of the property in the program.
    package let name: String
    /// The key in archives, then older keys.
    package let keys: [String]
    /// What other modules are told of the property.
    package let marks: [any __PropertyMark]
    /// The first of its nodes in the layout of the row.
    package let node: Int
    /// What becomes of the property where there is no value for it.
    package let absence: DeclaredClass.Absence
    /// Whether it is weak.
    package let isWeak: Bool
    /// Whether there are references in its values, weak ones not counted.
    package let holdsReferences: Bool
    /// Whether it is set once, when the object is built.
    package let isConstant: Bool
    /// Whether its initial value is a literal.
    package let hasLiteralInitialValue: Bool
    /// When it is set in objects that may refer back to themselves.
    package let phase: DecodingPhase
    /// Whether it is set before anything can refer to the object.
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

  /// The rows of a class, which a decoder reads.
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

  /// The class.
  package var type: any Archivable.Type { reader.type }

  /// Whether objects are decoded by keys of their own choice, for which no row says what they are.
  package var isCodedByHand: Bool { reader.programClass.isKeyed }

  /// Whether an object stands for the value of its one property, where a declaration says only what that
  /// conforms to.
  package var isBox: Bool { type is any AnyValueBox.Type }

  /// The class of objects that stand for values of a type; an archivable class itself.
  package static func objectType(of type: any ArchivableValue.Type) -> any Archivable.Type {
    func box<Value: ArchivableValue>(_ type: Value.Type) -> any Archivable.Type { ValueBox<Value>.self }
    return type as? any Archivable.Type ?? box(type)
  }

  /// Whether the row is without a value for a slot.
  package func isAbsent(_ slot: Int) -> Bool { isAbsent[slot] }

  /// Whether there are slots that the row has no value for.
  @inlinable package var hasAbsences: Bool { absenceCount.value > 0 }

  /// Says whether the row has a value for a slot: a property without one keeps its initial value.
  @inlinable package func setAbsent(_ absent: Bool, slot: Int) {
    if isAbsent[slot] != absent { changeAbsence(to: absent, slot: slot) }
  }

  /// Gives a field of a new object, whose location is given, the value that the row has for its slot.
  func set(_ slot: Int, _ location: FieldLocation, of object: inout UnfinishedObject) throws {
    func set<Value: ArchivableValue>(_ type: Value.Type) throws {
      unsafe object.set(slot, location, to: try Value.__read(from: row.set.column(slot)))
    }
    try set(accesses[slot].valueType)
  }

  /// The type of the values of a slot.
  func valueType(ofSlot slot: Int) -> any ArchivableValue.Type { accesses[slot].valueType }

  /// Whether the type of a slot takes every value that a row can have for it.
  package func takesAllValues(ofSlot slot: Int) -> Bool { PlainTypes.contains(accesses[slot].valueType) }

  /// The object that another one refers to in a slot; nil also for a value that is none.
  ///
  /// - Throws: ``KeyAccessError`` for an object of another class.
  package func object(ofSlot slot: Int, of object: AnyObject) throws -> AnyObject? {
    if accesses[slot].holdsReferences { return try accesses[slot].access.reference(of: object) }
    return try accesses[slot].access.value(of: object) as? any Archivable
  }

  /// Has the variables that `init(from:)` sets be set by `link(from:)`, as in objects that are there, or not.
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
