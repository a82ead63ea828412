import Arc

/// The identity of an object: the values of its identifying properties.
struct ObjectKey: Hashable {
  /// The topmost identifiable class in the object's class hierarchy.
  let owner: ObjectIdentifier
  let values: [AnyHashable]

  /// The identifying properties of a class.
  struct Properties {
    /// The topmost identifiable class in the class hierarchy.
    let owner: ObjectIdentifier
    let names: [String]
    /// The slots of the properties.
    let slots: [Int]

    /// Finds the identifying properties of a class. Nil if the class is not identifiable.
    init?(of rows: RowReader) throws {
      guard let identifiable = rows.type as? any ModelIdentifiable.Type,
        let top = rows.type.archiveSchema.lineage.last(where: { $0.type is any ModelIdentifiable.Type })
      else { return nil }
      owner = ObjectIdentifier(top.type)
      names = try identifiable.knownIdentifyingProperties()
      slots = try names.map { name in
        if let slot = rows.slots.firstIndex(where: { $0.name == name }), !rows.slots[slot].holdsReferences {
          return slot
        }
        throw Self.unsuitable("the property '\(name)' as identity", rows)
      }
      if slots.isEmpty { throw Self.unsuitable("an identity without properties", rows) }
    }

    private static func unsuitable(_ found: String, _ rows: RowReader) -> ArchiveError {
      ArchiveError(
        .notArchivable, found: found, expected: "identifying properties whose values contain no objects",
        className: rows.type.archiveSchema.name)
    }
  }

  /// Creates a key from the owner class and the identifying values. Nil if a value is nil or not hashable.
  init?(_ owner: ObjectIdentifier, _ values: [Any?]) {
    self.owner = owner
    var hashable: [AnyHashable] = []
    for value in values {
      guard let value = value.flatMap(Self.unwrapped) as? AnyHashable else { return nil }
      hashable.append(value)
    }
    self.values = hashable
  }

  /// Returns a value without the optional around it. Nil if the optional is empty.
  static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  /// Creates the key of an object. Nil if the class is not ``ModelIdentifiable``, or an identifying property
  /// has no value.
  init?(ofAny object: AnyObject) {
    guard let object = object as? any ModelIdentifiable else { return nil }
    self.init(of: object)
  }

  /// Creates the key of an identifiable object. Nil if an identifying property has no value.
  init?(of object: any ModelIdentifiable) {
    let names = type(of: object).identifyingProperties
    let top = type(of: object).archiveSchema.lineage.last { $0.type is any ModelIdentifiable.Type }
    guard let top, !names.isEmpty else { return nil }
    // An object without a value for one of the names has no identity.
    self.init(ObjectIdentifier(top.type), names.map { try? object.value(forKey: $0) })
  }
}
