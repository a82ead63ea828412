import ArcFormat
import ArcRuntime
import Synchronization

/// The fields of a class whose objects consist of their archived properties and nothing else: to make, copy
/// and compare objects right in memory.
final class ObjectFields: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  private let isolation: ActorIsolation
  private let layout: ObjectMemoryLayout?
  private let comparison: FieldComparison?
  /// Where the references to objects are.
  private let references: [FieldPlace]

  private init?(_ programClass: ProgramClass) {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type),
      let fields = Self.fields(of: programClass)
    else { return nil }
    isolation = programClass.isolation
    let slots = programClass.slots
    let isReference = slots.map { slot in
      programClass.layout.nodes[slot.root].kind == .reference && slot.property.access.holdsReferences
    }
    references = zip(fields, isReference).filter(\.1).map { FieldPlace(of: $0.0) }
    layout =
      Self.canLeadToItself(programClass, besides: isReference)
      ? nil : ObjectMemoryLayout(of: type, fields.map { FieldMemory(of: $0.type, at: $0.offset) })
    comparison = FieldComparison(of: zip(fields, isReference).filter { !$0.1 }.map(\.0))
    guard layout != nil || comparison != nil else { return nil }
  }

  /// The fields of the properties; nil if there are others, or none of a property.
  private static func fields(of programClass: ProgramClass) -> [StoredField]? {
    let lineage = programClass.schema.lineage
    let storedCount = lineage.reduce(0) { $0 + StoredField.all(of: $1.type).count }
    guard let root = lineage.last, _getSuperclass(root.type) == nil,
      storedCount == programClass.slots.count
    else { return nil }
    let fields = fieldsOfProperties(of: programClass).compactMap(\.self)
    return fields.count == storedCount ? fields : nil
  }

  /// How new objects of a class are made of values for their fields, by slot, without a look at their initial
  /// values; nil if there is more to making one, as an observer that runs when a property is set.
  static func making(of programClass: ProgramClass) -> ObjectMaking? {
    let type = programClass.schema.type
    let runsObservers = programClass.slots.contains {
      $0.property.traits.contains(.observed) && $0.phase != .initializer
    }
    guard !programClass.isKeyed, !runsObservers, !(type is any __ArchiveHook.Type) else { return nil }
    // A subclass may observe what it inherits.
    let areSettable = programClass.slots.allSatisfy {
      $0.level == 0 && !$0.property.traits.contains(.observed)
    }
    return fields(of: programClass).flatMap { ObjectMaking(of: type, $0, areSettable: areSettable) }
  }

  /// The field of each property, by slot; nil for one that is not just a strong value in the memory of
  /// objects.
  static func fieldsOfProperties(of programClass: ProgramClass) -> [StoredField?] {
    let unfit: PropertyTraits = [.weak, .unowned, .wrapped, .opaque]
    let lineage = programClass.schema.lineage
    // A superclass without a schema would be between two of them.
    let isUnbroken = zip(lineage, lineage.dropFirst()).allSatisfy { _getSuperclass($0.type) == $1.type }
    let stored = lineage.map { StoredField.all(of: $0.type) }
    return programClass.slots.map { slot in
      guard isUnbroken, slot.isStored, slot.property.traits.isDisjoint(with: unfit),
        let field = stored[slot.level].first(where: { $0.name == slot.property.name }), field.isStrong,
        field.type == slot.property.valueType
      else { return nil }
      return field
    }
  }

  /// Whether a value that is no reference itself, such as an array, can have one in it to the object.
  private static func canLeadToItself(_ programClass: ProgramClass, besides isReference: [Bool]) -> Bool {
    let type = programClass.schema.type
    let related = programClass.reachedClasses.filter { other in
      ClassTable.isSubclass(other, of: type) || ClassTable.isSubclass(type, of: other)
    }
    let names = Set(related.map { ExactName($0.archiveSchema.name) })
    let known = Set(programClass.reachedClasses.map { ExactName($0.archiveSchema.name) })
    return zip(programClass.slots, isReference).contains { slot, isReference in
      !isReference
        && programClass.layout.reaches(from: slot.root) { node in
          guard node.kind == .reference || node.kind == .weak else { return false }
          guard let name = node.name.map({ ExactName($0) }), known.contains(name) else { return true }
          return names.contains(name)
        }
    }
  }

  /// A shallow copy of an object of the class, which refers to itself where the object does; nil if it
  /// cannot be made so.
  ///
  /// - Throws: `notArchivable` to a caller outside of the actor that the class belongs to.
  func copy(of object: AnyObject) throws -> AnyObject? {
    guard let layout else { return nil }
    try isolation.check()
    let check = ExclusivityCheck.now()
    let address = unsafe Unmanaged.passUnretained(object).address
    for place in references where unsafe place.value(UInt.self, of: object, check) == address { return nil }
    return layout.copy(of: object, check)
  }

  /// Whether two objects of the class have the same values but for references; nil if it cannot be told so.
  func haveSameValues(_ one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) throws -> Bool? {
    guard let comparison else { return nil }
    try isolation.check()
    return comparison.areSame(in: one, other, check)
  }

  /// Calls `body` with the objects that two objects refer to, property by property, until it returns false;
  /// returns whether it never did.
  @inline(__always) func allReferences(
    of one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck,
    satisfy body: (AnyObject?, AnyObject?) -> Bool
  ) -> Bool {
    for place in references
    where !body(Self.object(place, of: one, check), Self.object(place, of: other, check)) { return false }
    return true
  }

  /// The object that a property refers to, which is a reference: a word, or nil.
  private static func object(
    _ place: FieldPlace, of object: AnyObject, _ check: ExclusivityCheck
  ) -> AnyObject? {
    unsafe place.value(AnyObject?.self, of: object, check)
  }

  /// The fields of the class of an object; nil if there is more to its objects.
  static func of(_ object: AnyObject) throws -> ObjectFields? {
    let identity = ObjectIdentifier(Swift.type(of: object))
    if let fields = known.withLock({ $0[identity] }) { return fields.fields }
    let fields = try (Swift.type(of: object) as? any Archivable.Type).flatMap {
      try Self(ProgramClass.of($0))
    }
    known.withLock { _ = $0.insert(Entry(fields: fields), for: identity) }
    return fields
  }

  private struct Entry { let fields: ObjectFields? }
  private static let known = Mutex(ShortMap<ObjectIdentifier, Entry>())
}
