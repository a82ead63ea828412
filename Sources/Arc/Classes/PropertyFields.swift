import ArcFormat
import ArcMemory

/// The memory locations of properties in the objects of a class. Arc uses the location of a property if
/// reading or setting the property would run code of the program: an observer, an override in a subclass,
/// `@Observable`, or a property wrapper.
///
/// The locations are found once per class. For a class without such properties, generated code reads and sets
/// all properties, so no `PropertyFields` is created.
struct PropertyFields {
  /// For each slot, the location from which a value is read when it is archived. Nil if generated code reads
  /// it.
  let readLocations: [StorageLocation?]
  /// For each slot, the location to which a value is stored when an object is linked. Nil if generated code
  /// sets it.
  let setLocations: [StorageLocation?]
  private let accesses: [any PropertyAccess]

  /// Finds the memory locations. Returns nil if generated code reads and sets all properties.
  ///
  /// - Throws: `notArchivable` if the runtime does not describe the field of a property that has an observer
  ///   or an override.
  init?(of slots: [ProgramClass.Slot], in lineage: [ClassSchema]) throws {
    let needs = slots.map { Needs($0) }
    guard needs.contains(where: { $0.read || $0.set }) else { return nil }
    var fields: [Int: [StoredField]] = [:]
    var read: [StorageLocation?] = []
    var set: [StorageLocation?] = []
    for (slot, needs) in zip(slots, needs) {
      guard needs.read || needs.set else {
        read.append(nil)
        set.append(nil)
        continue
      }
      let type = lineage[slot.level].type
      let known = fields[slot.level] ?? StoredField.all(of: type)
      fields[slot.level] = known
      let location = StorageLocation(of: slot.property, in: known)
      if location == nil, slot.property.traits.isDisjoint(with: .computed),
        !known.contains(where: { $0.name == slot.property.name })
      {
        throw Self.noField(of: slot.property, in: slot.declaringClass)
      }
      read.append(needs.read && location?.isCertain == true ? location : nil)
      set.append(needs.set ? location : nil)
    }
    (readLocations, setLocations) = (read, set)
    accesses = slots.map(\.property.access)
  }

  /// Whether a slot must be read, and whether it must be set, without running code of the program.
  private struct Needs {
    let read: Bool
    let set: Bool

    init(_ slot: ProgramClass.Slot) {
      // A constant does not have an observer or an override.
      let isVariable = !slot.property.traits.contains(.readOnly)
      read = isVariable && !slot.isStored
      // `init(from:)` sets fields directly.
      set =
        isVariable && slot.phase != .initializer
        && (!slot.isStored || slot.property.traits.contains(.observed))
    }
  }

  /// Whether at least one property is read at its memory location, without generated code.
  var readsValues: Bool { readLocations.contains { $0 != nil } }

  /// Whether at least one property is set at its memory location, without its setter.
  var setsValues: Bool { setLocations.contains { $0 != nil } }

  /// Archives the value that an object has in a slot.
  func write(_ object: AnyObject, slot: Int, to column: ColumnWriter) throws {
    guard let location = readLocations[slot] else { return }
    try accesses[slot].write(object, at: location, to: column)
  }

  /// Reads the value of a slot and stores it in an object. Returns false if generated code must set the
  /// property instead.
  func read(into object: AnyObject, slot: Int, from column: ColumnReader) throws -> Bool {
    guard let location = setLocations[slot] else { return false }
    try accesses[slot].read(into: object, at: location, from: column)
    return true
  }

  /// Stores a value for a slot in an object. Returns false if generated code must set the property instead.
  func store<Value>(_ value: Value, slot: Int, in object: AnyObject) -> Bool {
    setLocations[slot].map { accesses[slot].store(value, in: object, at: $0) } ?? false
  }

  private static func noField(of property: PropertySchema, in className: String) -> ArchiveError {
    ArchiveError(
      .notArchivable,
      found:
        "the property '\(property.name)', which has an observer or may be overridden, and is not described by "
        + "the Swift runtime",
      expected:
        "a property that the runtime describes, so that Arc can set the value without observers and overrides",
      remedy: "compile the module of the class without -disable-reflection-metadata", className: className,
      key: property.name)
  }
}

/// The columns of properties whose values are read at their memory locations. Generated code archives the
/// other properties.
struct FieldColumns {
  private let fields: PropertyFields
  private let columns: [ColumnWriter?]

  /// Selects the properties that are read at their memory locations. Sets their elements of `columns` to nil,
  /// so that generated code skips these properties. Nil if the class has no such properties.
  init?(of programClass: ProgramClass, from columns: inout [ColumnWriter?]) {
    guard let fields = programClass.fields, fields.readsValues else { return nil }
    self.fields = fields
    self.columns = columns
    for slot in columns.indices where fields.readLocations[slot] != nil { columns[slot] = nil }
  }

  /// Archives the value in a slot of the object at an address.
  func write(slot: Int, ofObjectAt address: UInt) throws {
    guard columns.indices.contains(slot), let column = columns[slot] else { return }
    try unsafe ObjectMemory.object(at: address)?._withUnsafeGuaranteedRef {
      try fields.write($0, slot: slot, to: column)
    }
  }
}
