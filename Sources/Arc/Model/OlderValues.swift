// The functions to which `@Key("…", from:)` on a property of a class expands. They convert values of older
// files.

extension ObjectDecoder {
  /// Reads the value under an older key and converts it, for a property that is marked `@Key(_:from:)`.
  ///
  /// Generated code calls this function in `init(from:)` and `link(from:)`, and sets the property to the
  /// result. The result is nil if generated code must not set the property, for one of these reasons:
  ///
  /// - The object has no value under the older key.
  /// - The file contains the property under its own key.
  /// - `init(from:)` called this function, but `link(from:)` sets the property, or vice versa.
  /// - This function has already stored the value in the memory of the object.
  public func __older<Old: ArchivableValue, Value>(
    _ slot: Int, _ key: String, _ type: Old.Type, _ convert: (Old) throws -> Value
  ) throws -> Value? {
    guard try __slots.isOpen(slot, to: [key], containing: [type]),
      let old = try __slots.older(slot, type, key: key)
    else { return nil }
    return __slots.unlessStored(try convert(old), slot)
  }

  /// Reads the value under an older key and converts it, for a property without a type annotation.
  ///
  /// The compiler infers the type of the result from `property`, which is not called.
  public func __older<Old: ArchivableValue, Value>(
    _ slot: Int, _ key: String, _ type: Old.Type, _ convert: (Old) throws -> Value,
    like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key, type, convert)
  }

  /// Reads the values under two older keys and converts them to one value for a property.
  ///
  /// Returns nil if one of the older values is missing, or if generated code must not set the property, see
  /// `__older(_:_:_:_:)`.
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

  /// Reads the values under two older keys and converts them, for a property without a type annotation.
  ///
  /// The compiler infers the type of the result from `property`, which is not called.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ types: (Old1, Old2).Type,
    _ convert: (Old1, Old2) throws -> Value, like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key1, key2, types, convert)
  }

  /// Reads the values under three older keys and converts them to one value for a property.
  ///
  /// Returns nil if one of the older values is missing, or if generated code must not set the property, see
  /// `__older(_:_:_:_:)`.
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

  /// Reads the values under three older keys and converts them, for a property without a type annotation.
  ///
  /// The compiler infers the type of the result from the closure `property`. This method does not call the
  /// closure.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue, Value>(
    _ slot: Int, _ key1: String, _ key2: String, _ key3: String, _ types: (Old1, Old2, Old3).Type,
    _ convert: (Old1, Old2, Old3) throws -> Value, like property: @autoclosure () -> Value
  ) throws -> Value? {
    try __older(slot, key1, key2, key3, types, convert)
  }
}

extension __SlotDecoder {
  /// Returns whether generated code must now convert older values to the property: the file has columns with
  /// all of the older keys, and the property is set in the current phase. `types` are the types of the older
  /// values.
  fileprivate func isOpen(
    _ slot: Int, to keys: [String], containing types: [any ArchivableValue.Type]
  ) throws -> Bool {
    guard try column(slot).isMissing else { return false }
    return self.keys.isOpen(slot, of: columns, in: phase, to: keys, types)
  }

  /// Stores the value directly in the memory of the property if that is possible, and returns nil. Otherwise,
  /// returns the value, which generated code then passes to the setter.
  fileprivate func unlessStored<Value>(_ value: Value, _ slot: Int) -> Value? {
    let isStored = object != 0 && keys.storeField(slot, of: columns, value: value, inObjectAt: object)
    return isStored ? nil : value
  }

  /// Returns the value under an older key. Nil if the object has no value under this key. Also nil if the
  /// value has an unknown case or raw value, the policy omits such values, and the property may lack a value.
  fileprivate func older<Value: ArchivableValue>(
    _ slot: Int, _ type: Value.Type, key: String
  ) throws -> Value? {
    do { return try keys.keyed(type, key: key) } catch {
      guard keys.omits(error, atSlot: slot, of: columns) else { throw error }
      return nil
    }
  }
}
