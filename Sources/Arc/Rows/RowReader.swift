import ArcFormat
import ArcRuntime

/// Objects of one class, each made of a row that somebody fills.
package final class RowReader {
  /// The row of the object that is made next.
  package let row: FilledRow
  let reader: ClassReader
  /// The properties, those of the class itself first, then those of its superclasses.
  package let slots: [Slot]
  /// Which slots the row has no value for.
  private var isAbsent: [Bool]
  private let classes: ReachedTypes

  /// A property, as its values are in a row.
  package struct Slot {
    /// The name in Swift.
    package let name: String
    /// The key in archives, then older keys.
    package let keys: [String]
    /// The first of its nodes in the layout of the row.
    package let node: Int
    /// What becomes of the property where there is no value for it.
    package let absence: DeclaredClass.Absence
    /// Whether its type is optional.
    package let isOptional: Bool
    /// Whether it is weak.
    package let isWeak: Bool
    /// Whether there are references in its values, weak ones not counted.
    package let holdsReferences: Bool
  }

  init(_ programClass: ProgramClass, references: Handle<ObjectLookup>) throws {
    let locations = ClassReader.locations(of: programClass, named: programClass.schema.name)
    row = FilledRow(programClass.layout, locations: locations, context: references.opaque)
    reader = try ClassReader(programClass, of: row, references: references)
    classes = ReachedTypes(programClass.reachedClasses)
    slots = programClass.slots.map { slot in
      Slot(
        name: slot.property.name, keys: slot.property.keys, node: slot.root, absence: slot.property.absence,
        isOptional: slot.property.valueType.__traits.contains(.optional),
        isWeak: slot.property.traits.contains(.weak),
        holdsReferences: programClass.layout.containsReference(slot.root))
    }
    isAbsent = Array(repeating: false, count: slots.count)
  }

  /// Throws for a raw value that is none of the program's, the next one of a column.
  package typealias Check = (ColumnReader) throws -> Void

  /// What checks raw values, by node of the row.
  package lazy var rawValueChecks: [Int: Check] = {
    var checks: [Int: Check] = [:]
    for slot in reader.programClass.slots {
      for (node, check) in Self.rawValueChecks(of: slot.property.valueType) {
        checks[slot.root + node] = check
      }
    }
    return checks
  }()

  /// What checks the raw values of a type, by node, counted from the first one.
  package static func rawValueChecks(of type: any ArchivableValue.Type) -> [Int: Check] {
    ColumnMarks.of(type).compactMapValues { mark in
      if case .check(let check) = mark { check } else { nil }
    }
  }

  /// The nodes of references that keep nothing alive, or are followed on demand: no object is made for them.
  package var detachedNodes: Set<Int> { Set(reader.programClass.slots.flatMap(\.detachedNodes)) }

  /// The class.
  package var type: any Archivable.Type { reader.type }

  /// Whether objects are decoded by keys of their own choice, for which no row says what they are.
  package var isCodedByHand: Bool { reader.programClass.isKeyed }

  /// The class that a reference is declared to lead to, by its coded name; nil if no declaration of the class
  /// names it.
  package func reachedClass(named name: String) -> (any Archivable.Type)? { classes.type(named: name) }

  /// Says whether the row has a value for a slot: a property without one keeps its initial value.
  package func setAbsent(_ absent: Bool, slot: Int) {
    guard isAbsent[slot] != absent else { return }
    isAbsent[slot] = absent
    let declared = reader.programClass.slots[slot]
    row.set.setPhase(
      absent ? nil : declared.phase.rawValue, isUnowned: declared.property.traits.contains(.unowned), of: slot
    )
  }
}

/// Classes that declarations name.
struct ReachedTypes {
  private var types: [ExactName: any Archivable.Type] = [:]

  init(_ classes: [any Archivable.Type]) {
    for type in classes { types[ExactName(type.archiveSchema.name)] = type }
  }

  func type(named name: String) -> (any Archivable.Type)? { types[ExactName(name)] }
}
