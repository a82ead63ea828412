import ArcFormat
import ArcMemory
import ArcRuntime
import Synchronization

/// The fields of a class whose objects consist only of their archived properties. Used to create, copy and
/// compare objects directly in memory.
final class ObjectFields: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  /// The class.
  let type: ObjectIdentifier
  private let isolation: ActorIsolation
  private let layout: ObjectMemoryLayout?
  private let comparison: FieldComparison?
  /// The locations of the references to objects, and of the arrays of references.
  private let references: [FieldLocation]
  private let lists: [FieldLocation]
  /// See `UniqueReference`.
  private let storageWord = UniqueReference.storageWord

  private init?(_ programClass: ProgramClass) {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type),
      let fields = Self.fields(of: programClass)
    else { return nil }
    self.type = ObjectIdentifier(type)
    isolation = programClass.isolation
    let slots = programClass.slots
    let isReference = slots.map { slot in
      programClass.layout.nodes[slot.root].kind == .reference && slot.property.access.holdsReferences
    }
    let isList = slots.map { $0.property.valueType is any ListOfReferences.Type }
    lists = zip(fields, isList).filter(\.1).map { FieldLocation(of: $0.0) }
    references = zip(fields, isReference).filter(\.1).map { FieldLocation(of: $0.0) }
    layout =
      Self.canContainItself(programClass, besides: isReference)
      ? nil : ObjectMemoryLayout(of: type, fields.map { FieldMemory(of: $0.type, at: $0.offset) })
    let areValues = zip(isReference, isList).map { !$0 && !$1 }
    comparison = FieldComparison(of: zip(fields, areValues).filter(\.1).map(\.0))
    guard layout != nil || comparison != nil else { return nil }
  }

  /// The fields of all properties. Nil if the objects have other fields, or if a property has no field.
  private static func fields(of programClass: ProgramClass) -> [StoredField]? {
    let lineage = programClass.schema.lineage
    let storedCount = lineage.reduce(0) { $0 + StoredField.all(of: $1.type).count }
    guard let root = lineage.last, _getSuperclass(root.type) == nil,
      storedCount == programClass.slots.count
    else { return nil }
    let fields = fieldsOfProperties(of: programClass).compactMap(\.self)
    return fields.count == storedCount ? fields : nil
  }

  /// Returns how new objects of a class are created from values for their fields, by slot, without evaluating
  /// initial values. Nil if creating an object needs more than that.
  static func allocator(of programClass: ProgramClass) -> ObjectAllocator? {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type) else { return nil }
    // A subclass may observe an inherited property.
    let areSettable = programClass.slots.allSatisfy {
      $0.level == 0 && !$0.property.traits.contains(.observed)
    }
    return fields(of: programClass).flatMap { ObjectAllocator(of: type, $0, areSettable: areSettable) }
  }

  /// The field of each property, by slot. Nil if the property is not simply a strong value in the memory of
  /// objects.
  static func fieldsOfProperties(of programClass: ProgramClass) -> [StoredField?] {
    guard RuntimeLayout.isTrusted else { return programClass.slots.map { _ in nil } }
    let unfit: __PropertyTraits = [.weak, .unowned, .wrapped, .opaque]
    let lineage = programClass.schema.lineage
    // A superclass without a schema would be between two classes of the lineage.
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

  /// Whether a value that is not itself a reference, such as an array, can contain a reference to its own
  /// object.
  private static func canContainItself(_ programClass: ProgramClass, besides isReference: [Bool]) -> Bool {
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

  /// Returns a shallow copy of an object of the class. Nil if the object refers to itself, or if it cannot be
  /// copied in memory.
  ///
  /// - Throws: `notArchivable` if the caller is not on the actor to which the class belongs.
  func copy(of object: AnyObject) throws -> AnyObject? {
    guard let layout else { return nil }
    try isolation.check()
    let check = ExclusivityCheck.now()
    let address = unsafe Unmanaged.passUnretained(object).address
    for index in references.indices
    where unsafe references[index].value(UInt.self, of: object, check) == address { return nil }
    return layout.copy(of: object, check)
  }

  /// Returns whether two objects of the class have equal values, apart from references. Nil if it cannot be
  /// determined in memory.
  func haveSameValues(_ one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) throws -> Bool? {
    guard let comparison else { return nil }
    try isolation.check()
    return comparison.areSame(in: one, other, check)
  }

  /// Calls `body` with the addresses of the objects to which two objects of the class refer, property by
  /// property, until it returns false. The address of nil is 0. Returns whether `body` never returned false
  /// and corresponding arrays have equal counts.
  ///
  /// `areUnshared` is whether no other variable contains these references: arrays that are copies of each
  /// other share their elements.
  @inline(__always) func allReferences(
    of one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck,
    satisfy body: (UInt, UInt, _ areUnshared: Bool) -> Bool
  ) -> Bool {
    for index in references.indices {
      let target = unsafe references[index].value(UInt.self, of: one, check)
      guard unsafe body(target, references[index].value(UInt.self, of: other, check), true) else {
        return false
      }
    }
    for index in lists.indices {
      let areUnshared = isUnshared(lists[index], in: one, check) && isUnshared(lists[index], in: other, check)
      let ones = unsafe lists[index].value([AnyObject].self, of: one, check)
      let others = unsafe lists[index].value([AnyObject].self, of: other, check)
      guard Self.allElements(of: ones, others, satisfy: { body($0, $1, areUnshared) }) else { return false }
    }
    return true
  }

  /// Whether no other variable shares the storage of the object's array.
  private func isUnshared(_ list: FieldLocation, in object: AnyObject, _ check: ExclusivityCheck) -> Bool {
    storageWord != 0
      && UniqueReference.isUnique(unsafe list.value(UInt.self, of: object, check), storageWord)
  }

  /// Calls `body` with the addresses of the objects at each index of two arrays, until it returns false.
  ///
  /// - Returns: whether the arrays have equal counts and `body` never returned false.
  @inline(__always) static func allElements(
    of ones: [AnyObject], _ others: [AnyObject], satisfy body: (UInt, UInt) -> Bool
  ) -> Bool {
    unsafe ones.withUnsafeBytes { ones in
      unsafe others.withUnsafeBytes { others in
        guard ones.count == others.count else { return false }
        return stride(from: 0, to: ones.count, by: MemoryLayout<UInt>.size).allSatisfy { offset in
          unsafe body(
            ones.load(fromByteOffset: offset, as: UInt.self),
            others.load(fromByteOffset: offset, as: UInt.self))
        }
      }
    }
  }

  /// Calls `body` with the fields of an object's class. Returns nil if its objects consist of more than their
  /// archived properties.
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

  /// Calls `body` as `withFields` does, but never runs code of the program. If the fields of the class have
  /// not been determined yet, sets `unresolved` to the class and returns nil.
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
    // The entry is never removed.
    _ = known.withLock { $0.insert(Entry(fields: fields), for: identity) }
  }

  /// Returns the known entry of a class, and makes its fields recent.
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
