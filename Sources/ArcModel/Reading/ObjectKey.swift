import Arc

/// Who an object is: the values of its identity.
struct ObjectKey: Hashable {
  /// The uppermost class that has that identity.
  let owner: ObjectIdentifier
  let values: [AnyHashable]

  /// The properties that tell objects of a class apart.
  struct Properties {
    /// The uppermost class that has that identity.
    let owner: ObjectIdentifier
    let names: [String]
    /// Their slots.
    let slots: [Int]

    /// What tells objects of a class apart; nil for one that is not identifiable.
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

  /// The key of a class and values; nil if one of these is nil, or not hashable.
  init?(_ owner: ObjectIdentifier, _ values: [Any?]) {
    self.owner = owner
    var hashable: [AnyHashable] = []
    for value in values {
      guard let value = value.flatMap(Self.unwrapped) as? AnyHashable else { return nil }
      hashable.append(value)
    }
    self.values = hashable
  }

  /// A value without the optional around it; nil for none.
  static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  /// The identity of an object. Nil if the class is not ``ModelIdentifiable``, or the identity is not whole.
  init?(ofAny object: AnyObject) {
    guard let object = object as? any ModelIdentifiable else { return nil }
    self.init(of: object)
  }

  /// The key of an object that is there; nil for one without an identity.
  init?(of object: any ModelIdentifiable) {
    let names = type(of: object).identifyingProperties
    let top = type(of: object).archiveSchema.lineage.last { $0.type is any ModelIdentifiable.Type }
    guard let top, !names.isEmpty else { return nil }
    // An object without a value for a name has no identity.
    self.init(ObjectIdentifier(top.type), names.map { try? object.value(forKey: $0) })
  }
}
