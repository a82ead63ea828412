import ArcFormat
import ArcMemory

/// Undoes the links of objects that are released. Each property that was set after its object was built
/// becomes nil or empty, if its type has such a value. Otherwise, the property gets its initial value again.
///
/// The value is stored in the memory of the property, so that no observer is called for a change that the
/// program did not make. A property wrapper that stores its value outside itself is set with its setter.
struct ObjectUnlinker {
  /// For each class, one closure per property to reset. The closure resets the property of an object.
  private var resets: [ObjectIdentifier: [(AnyObject) -> Void]] = [:]

  /// Undoes the links of an object of a reader's class. A hand-written `link(from:)` is called and reads
  /// empty values.
  mutating func unlink(_ object: AnyObject, _ reader: ClassReader) {
    let programClass = reader.programClass
    let identity = ObjectIdentifier(programClass.schema.type)
    let resets = resets[identity] ?? Self.resets(of: programClass)
    self.resets[identity] = resets
    for reset in resets { reset(object) }
    // The error is ignored: a property without an empty value keeps its value, because no other value exists.
    if programClass.isKeyed { try? (object as? any Archivable)?.unlink(from: reader) }
  }

  private static func resets(of programClass: ProgramClass) -> [(AnyObject) -> Void] {
    var resets: [(AnyObject) -> Void] = []
    var slots = programClass.slots[...]
    let isFilledAfterInit = programClass.schema.lineage.allSatisfy(\.isFilledAfterInit)
    let fresh = isFilledAfterInit ? freshObjects(of: programClass) : nil
    for schema in programClass.schema.lineage {
      let own = slots.prefix(schema.properties.count).filter(\.isLink)
      let fields = own.isEmpty ? [] : StoredField.all(of: schema.type)
      for slot in own {
        let location = StorageLocation(of: slot.property, in: fields)
        if let reset = slot.property.access.reset(at: location, like: fresh) { resets.append(reset) }
      }
      slots = slots.dropFirst(schema.properties.count)
    }
    return resets
  }

  /// Returns a function for a class whose `init(from:)` only calls `init()`. The function creates an object
  /// in the state after `init()`, or returns nil if an error occurs.
  private static func freshObjects(of programClass: ProgramClass) -> () -> AnyObject? {
    var reader: ClassReader?
    return {
      if reader == nil { reader = try? ClassReader(withoutFile: programClass) }
      return reader.flatMap { try? programClass.schema.type.fresh(from: $0) }
    }
  }
}

extension Archivable {
  /// Creates an object with `init(from:)`. The columns of `reader` have no values, so the object contains no
  /// values of an archive.
  fileprivate static func fresh(from reader: ClassReader) throws -> AnyObject {
    try Self(from: reader.initializerDecoder)
  }

  /// Calls a hand-written `link(from:)`, which reads empty values and so undoes links.
  fileprivate func unlink(from reader: ClassReader) throws {
    try link(from: ObjectDecoder(reader, slot: 0, phase: .unlinking))
  }
}

extension ProgramClass.Slot {
  /// Whether the property is set when objects are linked, and its references retain their targets.
  fileprivate var isLink: Bool {
    [.link, .hash].contains(phase) && property.traits.isDisjoint(with: [.weak, .unowned])
  }
}
