// Values of older files that a property is made of: what `@Key("…", from:)` expands to.

extension ObjectDecoder {
  /// Converts the value under an older key. Returns nil if the conversion does not apply.
  ///
  /// The conversion does not apply if the object has no value for the key, if the file has the property
  /// itself, in another phase than the property's phase, and if the value was stored directly in memory.
  public func __older<Old: ArchivableValue, Value>(
    _ slot: Int, _ key: String, _ type: Old.Type, _ convert: (Old) throws -> Value
  ) throws -> Value? {
    guard try __slots.isOpen(slot, to: [key], containing: [type]),
      let old = try __slots.older(slot, type, key: key)
    else { return nil }
    return __slots.unlessStored(try convert(old), slot)
  }

  /// Converts the value under an older key. `property` only determines the type.
  public func __older<Old: ArchivableValue, Value>(
    _ slot: Int, _ key: String, _ type: Old.Type, _ convert: (Old) throws -> Value,
    like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key, type, convert)
  }

  /// Converts the values under two older keys. Returns nil if the conversion does not apply.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ types: (Old1, Old2).Type,
    _ convert: (Old1, Old2) throws -> Value
  ) throws -> Value? {
    guard try __slots.isOpen(slot, to: [key1, key2], containing: [Old1.self, Old2.self]),
      let old1 = try __slots.older(slot, Old1.self, key: key1),
      let old2 = try __slots.older(slot, Old2.self, key: key2)
    else { return nil }
    return __slots.unlessStored(try convert(old1, old2), slot)
  }

  /// Converts the values under two older keys. `property` only determines the type.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ types: (Old1, Old2).Type,
    _ convert: (Old1, Old2) throws -> Value, like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key1, key2, types, convert)
  }

  /// Converts the values under three older keys. Returns nil if the conversion does not apply.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ key3: String, _ types: (Old1, Old2, Old3).Type,
    _ convert: (Old1, Old2, Old3) throws -> Value
  ) throws -> Value? {
    guard try __slots.isOpen(slot, to: [key1, key2, key3], containing: [Old1.self, Old2.self, Old3.self]),
      let old1 = try __slots.older(slot, Old1.self, key: key1),
      let old2 = try __slots.older(slot, Old2.self, key: key2),
      let old3 = try __slots.older(slot, Old3.self, key: key3)
    else { return nil }
    return __slots.unlessStored(try convert(old1, old2, old3), slot)
  }

  /// Converts the values under three older keys. `property` only determines the type.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ key3: String, _ types: (Old1, Old2, Old3).Type,
    _ convert: (Old1, Old2, Old3) throws -> Value, like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key1, key2, key3, types, convert)
  }
}

extension __SlotDecoder {
  /// Whether a property is set now, and of values under these keys, which the file has.
  fileprivate func isOpen(
    _ slot: Int, to keys: [String], containing types: [any ArchivableValue.Type]
  ) throws -> Bool {
    guard try column(slot).isMissing else { return false }
    return self.keys.isOpen(slot, of: columns, in: phase, to: keys, types)
  }

  /// Nil if a value was stored past the setter; otherwise the value, which generated code sets.
  fileprivate func unlessStored<Value>(_ value: Value, _ slot: Int) -> Value? {
    let isStored = object != 0 && keys.storeField(slot, of: columns, value: value, inObjectAt: object)
    return isStored ? nil : value
  }

  /// The value under an older key; nil also for a case or raw value that is left out because the program does
  /// not have it, if the property can do without.
  fileprivate func older<Value: ArchivableValue>(
    _ slot: Int, _ type: Value.Type, key: String
  ) throws -> Value? {
    do { return try keys.keyed(type, key: key) } catch {
      guard keys.leavesOut(error, atSlot: slot, of: columns) else { throw error }
      return nil
    }
  }
}
