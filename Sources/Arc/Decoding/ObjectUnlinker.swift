import ArcFormat
import ArcMemory

/// Undoes the links of objects that are released: each property that was set after its object was built gets
/// back the value that it had before, nil or an empty collection where its type has such.
///
/// The value is stored in the property's field, so that no observer sees a change that the program did not
/// make. Only a wrapper that keeps its value elsewhere is set like any other property.
struct ObjectUnlinker {
  /// Closures that each reset a property of an object, by class.
  private var resets: [ObjectIdentifier: [(AnyObject) -> Void]] = [:]

  /// Undoes the links of an object of a reader's class. A hand-written `link(from:)` sets what it can to
  /// empty values.
  mutating func unlink(_ object: AnyObject, _ reader: ClassReader) {
    let programClass = reader.programClass
    let identity = ObjectIdentifier(programClass.schema.type)
    let resets = resets[identity] ?? Self.resets(of: programClass)
    self.resets[identity] = resets
    for reset in resets { reset(object) }
    // What has no empty value stays, since there is nothing else to set it to.
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

  /// Makes objects as their `init()` leaves them, for a class whose `init(from:)` reads nothing and calls
  /// that; nil where it fails.
  private static func freshObjects(of programClass: ProgramClass) -> () -> AnyObject? {
    var reader: ClassReader?
    return {
      if reader == nil { reader = try? ClassReader(ofNothing: programClass) }
      return reader.flatMap { try? programClass.schema.type.fresh(from: $0) }
    }
  }
}

extension Archivable {
  /// An object as `init(from:)` makes it from columns without values.
  fileprivate static func fresh(from reader: ClassReader) throws -> AnyObject {
    try Self(from: reader.initializerDecoder)
  }

  /// Has a hand-written `link(from:)` undo links.
  fileprivate func unlink(from reader: ClassReader) throws {
    try link(from: ObjectDecoder(reader, slot: 0, phase: .unlinking))
  }
}

extension ProgramClass.Slot {
  /// Whether the property is set when objects are linked, and keeps its targets.
  fileprivate var isLink: Bool {
    [.link, .hash].contains(phase) && property.traits.isDisjoint(with: [.weak, .unowned])
  }
}
