import ArcFormat
import ArcMemory

/// Where values of a class's properties are in the memory of its objects, if code of the program would run
/// when a property is read or set: an observer, an override in a subclass, `@Observable`, a property wrapper.
///
/// Found once per class. A class without such properties has none, and its generated code does all.
struct PropertyFields {
  /// Where a value is read when it is archived, by slot; nil if generated code reads it.
  let readLocations: [StorageLocation?]
  /// Where a value is stored when an object is linked, by slot; nil if generated code sets it.
  let setLocations: [StorageLocation?]
  private let accesses: [any PropertyAccess]

  /// Nil if generated code does the same for all properties.
  ///
  /// - Throws: `notArchivable` for a property with an observer or an override whose field the runtime does
  ///   not describe.
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

  /// What has to be done past the program's code.
  private struct Needs {
    let read: Bool
    let set: Bool

    init(_ slot: ProgramClass.Slot) {
      // A constant has no observer and no override.
      let isVariable = !slot.property.traits.contains(.readOnly)
      read = isVariable && !slot.isStored
      // `init(from:)` sets the fields themselves.
      set =
        isVariable && slot.phase != .initializer
        && (!slot.isStored || slot.property.traits.contains(.observed))
    }
  }

  /// Whether some values are read where they are stored.
  var readsValues: Bool { readLocations.contains { $0 != nil } }

  /// Whether some values are stored past setters.
  var setsValues: Bool { setLocations.contains { $0 != nil } }

  /// Archives the value that an object has in a slot.
  func write(_ object: AnyObject, slot: Int, to column: ColumnWriter) throws {
    guard let location = readLocations[slot] else { return }
    try accesses[slot].write(object, at: location, to: column)
  }

  /// Reads the value of a slot and stores it in an object. False if generated code sets it.
  func read(into object: AnyObject, slot: Int, from column: ColumnReader) throws -> Bool {
    guard let location = setLocations[slot] else { return false }
    try accesses[slot].read(into: object, at: location, from: column)
    return true
  }

  /// Stores a value for a slot in an object. False if generated code sets it.
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

/// The columns of properties that are read where they are stored, while generated code archives the others.
struct FieldColumns {
  private let fields: PropertyFields
  private let columns: [ColumnWriter?]

  /// Takes these columns out of those that generated code gets. Nil if there are none.
  init?(of programClass: ProgramClass, from columns: inout [ColumnWriter?]) {
    guard let fields = programClass.fields, fields.readsValues else { return nil }
    self.fields = fields
    self.columns = columns
    for slot in columns.indices where fields.readLocations[slot] != nil { columns[slot] = nil }
  }

  /// Archives the value that the object at an address has in a slot.
  func write(slot: Int, ofObjectAt address: UInt) throws {
    guard columns.indices.contains(slot), let column = columns[slot] else { return }
    try unsafe ObjectMemory.object(at: address)?._withUnsafeGuaranteedRef {
      try fields.write($0, slot: slot, to: column)
    }
  }
}
