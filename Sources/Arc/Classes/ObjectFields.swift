import ArcFormat
import ArcMemory
import ArcRuntime
import Synchronization

/// The fields of a class whose objects consist of their archived properties and nothing else: to make, copy
/// and compare objects right in memory.
final class ObjectFields: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  /// The class.
  let type: ObjectIdentifier
  private let isolation: ActorIsolation
  private let layout: ObjectMemoryLayout?
  private let comparison: FieldComparison?
  /// Where the references to objects are, and the arrays of such.
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
      Self.canLeadToItself(programClass, besides: isReference)
      ? nil : ObjectMemoryLayout(of: type, fields.map { FieldMemory(of: $0.type, at: $0.offset) })
    let areValues = zip(isReference, isList).map { !$0 && !$1 }
    comparison = FieldComparison(of: zip(fields, areValues).filter(\.1).map(\.0))
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
  /// values; nil if there is more to making one.
  static func allocator(of programClass: ProgramClass) -> ObjectAllocator? {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type) else { return nil }
    // A subclass may observe what it inherits.
    let areSettable = programClass.slots.allSatisfy {
      $0.level == 0 && !$0.property.traits.contains(.observed)
    }
    return fields(of: programClass).flatMap { ObjectAllocator(of: type, $0, areSettable: areSettable) }
  }

  /// The field of each property, by slot; nil for one that is not just a strong value in the memory of
  /// objects.
  static func fieldsOfProperties(of programClass: ProgramClass) -> [StoredField?] {
    guard RuntimeLayout.isTrusted else { return programClass.slots.map { _ in nil } }
    let unfit: __PropertyTraits = [.weak, .unowned, .wrapped, .opaque]
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
    for index in references.indices
    where unsafe references[index].value(UInt.self, of: object, check) == address { return nil }
    return layout.copy(of: object, check)
  }

  /// Whether two objects of the class have the same values but for references; nil if it cannot be told so.
  func haveSameValues(_ one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) throws -> Bool? {
    guard let comparison else { return nil }
    try isolation.check()
    return comparison.areSame(in: one, other, check)
  }

  /// Calls `body` with the addresses of the objects that two objects of the class refer to, property by
  /// property, 0 for nil, until it returns false; returns whether it never did, and arrays have as many
  /// elements.
  ///
  /// It also tells whether the places are the only ones that hold these references: arrays that are copies of
  /// each other have their elements in common.
  @inline(__always) func allReferences(
    of one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck,
    satisfy body: (UInt, UInt, _ areOnlyPlaces: Bool) -> Bool
  ) -> Bool {
    for index in references.indices {
      let target = unsafe references[index].value(UInt.self, of: one, check)
      guard unsafe body(target, references[index].value(UInt.self, of: other, check), true) else {
        return false
      }
    }
    for index in lists.indices {
      let areAlone = isAlone(lists[index], in: one, check) && isAlone(lists[index], in: other, check)
      let ones = unsafe lists[index].value([AnyObject].self, of: one, check)
      let others = unsafe lists[index].value([AnyObject].self, of: other, check)
      guard Self.allElements(of: ones, others, satisfy: { body($0, $1, areAlone) }) else { return false }
    }
    return true
  }

  /// Whether no other variable shares the storage of an object's array.
  private func isAlone(_ list: FieldLocation, in object: AnyObject, _ check: ExclusivityCheck) -> Bool {
    storageWord != 0
      && UniqueReference.isUnique(unsafe list.value(UInt.self, of: object, check), storageWord)
  }

  /// Calls `body` with the addresses of the objects of each index in two arrays until `body` returns false.
  ///
  /// - Returns: whether the arrays have the same count and `body` never returned false.
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

  /// Calls `body` with the fields of the class of an object; nil if there is more to its objects.
  @inline(__always) static func withFields<Result>(
    of object: AnyObject, _ body: (ObjectFields) throws -> Result?
  ) throws -> Result? {
    if let fields = unsafe recent.fields(of: ObjectIdentifier(Swift.type(of: object))) {
      return unsafe try fields._withUnsafeGuaranteedRef(body)
    }
    let type: AnyClass = Swift.type(of: object)
    try meet(type)
    return try find(type)?.fields.flatMap(body)
  }

  /// Calls `body` as `withFields` does, but no code of the program: of a class that was not met yet it sets
  /// `unmet`, and returns nil.
  @inline(__always) static func withFieldsIfMet<Result>(
    of object: AnyObject, orSet unmet: inout AnyClass?, _ body: (ObjectFields) throws -> Result?
  ) rethrows -> Result? {
    let type: AnyClass = Swift.type(of: object)
    if let fields = unsafe recent.fields(of: ObjectIdentifier(type)) {
      return unsafe try fields._withUnsafeGuaranteedRef(body)
    }
    guard let entry = find(type) else {
      unmet = type
      return nil
    }
    return try entry.fields.flatMap(body)
  }

  /// Finds out the fields of a class, unless that was done. Its description may run code of the program.
  static func meet(_ type: AnyClass) throws {
    let identity = ObjectIdentifier(type)
    guard known.withLock({ $0[identity] }) == nil else { return }
    let fields = try (type as? any Archivable.Type).flatMap { try Self(ProgramClass.of($0)) }
    // What is known stays for as long as the program runs.
    _ = known.withLock { $0.insert(Entry(fields: fields), for: identity) }
  }

  /// What is known of a class that was met, whose fields are recent then.
  @inline(never) private static func find(_ type: AnyClass) -> Entry? {
    let entry = known.withLock { $0[ObjectIdentifier(type)] }
    if let fields = entry?.fields { recent.put(fields) }
    return entry
  }

  private struct Entry { let fields: ObjectFields? }
  private static let known = Mutex(ShortMap<ObjectIdentifier, Entry>())
  private static let recent = RecentObjectFields()
}

/// What is an array of references to objects of a class, a word each.
package protocol ListOfReferences { static var elementType: Any.Type { get } }
extension Array: ListOfReferences where Element: Archivable {
  package static var elementType: Any.Type { Element.self }
}
