import ArcFormat
import ArcMemory
import ArcRuntime
import Synchronization

/// The cached information on the objects of a class in memory: their actor, and how they are copied and
/// compared. Static functions describe the fields of a class and create allocators.
@safe final class ObjectFields: @unchecked Sendable {  // Set in `init` and only read afterwards.
  /// The identity of the class.
  let type: ObjectIdentifier
  /// The actor to which the objects belong.
  let isolation: ActorIsolation
  /// Copies objects of the class in memory. Nil if objects must be archived to be copied.
  let copying: ClassCopying?
  /// Compares objects of the class in memory. Nil if objects of the class can be compared only by their
  /// canonical archives.
  private let comparison: ClassComparison?
  /// The comparison as an unmanaged reference, so that comparing a pair of objects does not count a
  /// reference. Nil if `comparison` is nil.
  private let uncountedComparison: Unmanaged<ClassComparison>?

  private init?(_ programClass: ProgramClass) {
    type = ObjectIdentifier(programClass.schema.type)
    isolation = programClass.isolation
    copying = ClassCopying(of: programClass)
    comparison = ClassComparison(of: programClass)
    unsafe uncountedComparison = comparison.map { unsafe Unmanaged.passUnretained($0) }
    guard copying != nil || comparison != nil else { return nil }
  }

  /// Calls `body` with the comparison for objects of the class, and returns its result. Returns nil without a
  /// call if objects of the class cannot be compared in memory, but only by canonical archives.
  @inline(__always) func withComparison(_ body: (ClassComparison) throws -> Bool?) rethrows -> Bool? {
    guard let comparison = unsafe uncountedComparison else { return nil }
    return unsafe try comparison._withUnsafeGuaranteedRef(body)
  }

  /// Returns the fields that store the archived properties, by slot. Nil if one of these properties is not
  /// stored in a field of its own, or if the objects also have fields for other values.
  static func fields(of programClass: ProgramClass) -> [StoredField]? {
    let lineage = programClass.schema.lineage
    let storedCount = lineage.reduce(0) { $0 + StoredField.all(of: $1.type).count }
    guard let root = lineage.last, _getSuperclass(root.type) == nil,
      storedCount == programClass.slots.count
    else { return nil }
    let fields = fieldsOfProperties(of: programClass).compactMap(\.self)
    return fields.count == storedCount ? fields : nil
  }

  /// Returns an allocator that creates objects of a class from one value per slot. The allocator does not
  /// evaluate initial values. Nil if an object of the class cannot be created only from the values of its
  /// fields, for example because the class has a hook.
  static func allocator(of programClass: ProgramClass) -> ObjectAllocator? {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type) else { return nil }
    // Inherited properties are not settable, because a subclass may observe them.
    let areSettable = programClass.slots.allSatisfy {
      $0.level == 0 && !$0.property.traits.contains(.observed)
    }
    return fields(of: programClass).flatMap { ObjectAllocator(of: type, $0, areSettable: areSettable) }
  }

  /// Returns the field of each property, by slot. A field is nil if the property is not stored as a strong
  /// value in the memory of objects.
  static func fieldsOfProperties(of programClass: ProgramClass) -> [StoredField?] {
    guard RuntimeLayout.isTrusted else { return programClass.slots.map { _ in nil } }
    let unfit: __PropertyTraits = [.weak, .unowned, .wrapped, .opaque]
    let lineage = programClass.schema.lineage
    // Between two classes of the lineage there may be a superclass without a schema, whose fields are
    // unknown.
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

  /// Calls `body` with the fields of an object's class and returns its result. Returns nil without a call if
  /// objects of the class are neither copied nor compared in memory. May run code of the program to describe
  /// the class.
  @inline(__always) static func withFields<Result>(
    of object: AnyObject, _ body: (ObjectFields) throws -> Result?
  ) throws -> Result? {
    if let fields = unsafe recent.fields(of: ObjectIdentifier(Swift.type(of: object))) {
      return unsafe try fields._withUnsafeGuaranteedRef(body)
    }
    let type: AnyClass = Swift.type(of: object)
    try resolve(type)
    return try find(type)?.fields.flatMap(body)
  }

  /// Calls `body` with the fields of an object's class and returns its result. Does not determine the fields,
  /// because this may run code of the program: if they are not determined yet, sets `unresolved` to the class
  /// and returns nil. Also returns nil if objects of the class can be neither copied nor compared in memory.
  @inline(__always) static func withKnownFields<Result>(
    of object: AnyObject, orSet unresolved: inout AnyClass?, _ body: (ObjectFields) throws -> Result?
  ) rethrows -> Result? {
    let type: AnyClass = Swift.type(of: object)
    if let fields = unsafe recent.fields(of: ObjectIdentifier(type)) {
      return unsafe try fields._withUnsafeGuaranteedRef(body)
    }
    guard let entry = find(type) else {
      unresolved = type
      return nil
    }
    return try entry.fields.flatMap(body)
  }

  /// Determines the fields of a class, unless they are already known. May run code of the program to describe
  /// the class.
  static func resolve(_ type: AnyClass) throws {
    let identity = ObjectIdentifier(type)
    guard known.withLock({ $0[identity] }) == nil else { return }
    let fields = try (type as? any Archivable.Type).flatMap { try Self(ProgramClass.of($0)) }
    // The entry is never removed, because `recent` does not retain the fields.
    _ = known.withLock { $0.insert(Entry(fields: fields), for: identity) }
  }

  /// Returns the cached entry of a class, and adds its fields to the recently used fields. Nil if the fields
  /// have not been determined yet.
  @inline(never) private static func find(_ type: AnyClass) -> Entry? {
    let entry = known.withLock { $0[ObjectIdentifier(type)] }
    if let fields = entry?.fields { recent.put(fields) }
    return entry
  }

  private struct Entry { let fields: ObjectFields? }
  private static let known = Mutex(ShortMap<ObjectIdentifier, Entry>())
  private static let recent = RecentObjectFields()
}

/// An array type whose elements are references to objects, one word each.
package protocol ListOfReferences { static var elementType: Any.Type { get } }
extension Array: ListOfReferences where Element: Archivable {
  package static var elementType: Any.Type { Element.self }
}
