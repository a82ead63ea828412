import ArcFormat
import ArcRuntime
import Synchronization

/// The fields of a class whose objects consist of their archived properties and nothing else: to copy and to
/// compare objects right in memory.
final class ObjectFields: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  private let isolation: ActorIsolation
  private let layout: ObjectMemoryLayout?
  private let values: [FieldComparison]?
  /// Where the references to objects are.
  private let references: [ReferenceField]

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
    references = zip(fields, isReference).filter(\.1).map { ReferenceField(offset: $0.0.offset) }
    layout =
      Self.canLeadToItself(programClass, besides: isReference)
      ? nil : ObjectMemoryLayout(of: type, fields.map { FieldMemory(of: $0.type, at: $0.offset) })
    let comparisons = zip(fields, isReference).filter { !$0.1 }.map { field, _ in
      FieldComparison(of: field.type, at: field.offset)
    }
    values = comparisons.contains { $0 == nil } ? nil : comparisons.compactMap(\.self)
    guard layout != nil || values != nil else { return nil }
  }

  /// The fields of the properties; nil if there are others, or none of a property.
  private static func fields(of programClass: ProgramClass) -> [StoredField]? {
    var fields: [StoredField] = []
    var slots = programClass.slots[...]
    var superclass: AnyClass? = programClass.schema.type
    for schema in programClass.schema.lineage {
      guard superclass == schema.type else { return nil }
      superclass = _getSuperclass(schema.type)
      let stored = StoredField.all(of: schema.type)
      guard stored.count == schema.properties.count else { return nil }
      for slot in slots.prefix(stored.count) {
        let traits: PropertyTraits = [.weak, .unowned, .wrapped, .opaque]
        guard slot.isStored, slot.property.traits.isDisjoint(with: traits),
          let field = stored.first(where: { $0.name == slot.property.name }), field.isStrong,
          field.type == slot.property.valueType
        else { return nil }
        fields.append(field)
      }
      slots = slots.dropFirst(stored.count)
    }
    return superclass == nil ? fields : nil
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
    for field in references where field.refers(object, to: object) { return nil }
    return layout.copy(of: object)
  }

  /// Whether two objects of the class have the same values but for references; nil if it cannot be told so.
  func haveSameValues(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    guard let values else { return nil }
    try isolation.check()
    return values.allSatisfy { $0.isSame(in: one, other) }
  }

  /// Calls `body` with the objects that two objects refer to, property by property, until it returns false;
  /// returns whether it never did.
  func allReferences(
    of one: AnyObject, _ other: AnyObject, satisfy body: (AnyObject?, AnyObject?) -> Bool
  ) -> Bool {
    references.allSatisfy { body($0.object(in: one), $0.object(in: other)) }
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
