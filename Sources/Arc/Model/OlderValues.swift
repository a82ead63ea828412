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

  /// Returns the value under an older key. Nil if the object has no value. Also nil for an unknown case or
  /// raw value, if the policy omits unknown values and the property need not have a value.
  fileprivate func older<Value: ArchivableValue>(
    _ slot: Int, _ type: Value.Type, key: String
  ) throws -> Value? {
    do { return try keys.keyed(type, key: key) } catch {
      guard keys.leavesOut(error, atSlot: slot, of: columns) else { throw error }
      return nil
    }
  }
}

// The functions to which `@Key("…", from:)` on a field of a structure expands.

extension ColumnReader {
  /// Reads the value of an older field of a structure. A field marked `@Key(_:from:)` is converted from this
  /// value. Returns nil if the file does not contain the older field, or if the value is nil.
  ///
  /// Generated code calls this function for each value of the structure, even if the older value is not
  /// needed, because the values of a column must be read in order.
  public func __older<Old: ArchivableValue>(_ index: Int, _ type: Old.Type) throws -> Old? {
    guard let column = try olderField(index) else { return nil }
    // If the type is not optional, the column contains optionals of it, see
    // `__TypeEncodingContext.structure`.
    if type.__traits.contains(.optional) {
      return isRecursive ? try readNested(column) as Old : try Old.__read(from: column)
    }
    return isRecursive ? try readNested(column) as Old? : try Old?.__read(from: column)
  }

  /// Reads the values of two older fields of a structure. Returns nil if one of the values is missing.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue>(
    _ index: Int, _ types: (Old1, Old2).Type
  ) throws -> (Old1, Old2)? {
    let (old1, old2) = (try __older(index, Old1.self), try __older(index + 1, Old2.self))
    guard let old1, let old2 else { return nil }
    return (old1, old2)
  }

  /// Reads the values of three older fields of a structure. Returns nil if one of the values is missing.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue>(
    _ index: Int, _ types: (Old1, Old2, Old3).Type
  ) throws -> (Old1, Old2, Old3)? {
    let (old1, old2) = (try __older(index, Old1.self), try __older(index + 1, Old2.self))
    let old3 = try __older(index + 2, Old3.self)
    guard let old1, let old2, let old3 else { return nil }
    return (old1, old2, old3)
  }

  /// Converts the value of an older field with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if `old` is nil, because the older field has no value.
  public func __converted<Old, Value>(_ old: Old?, _ convert: (Old) throws -> Value) throws -> Value? {
    try old.map(convert)
  }

  /// Converts the values of two older fields with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if `old` is nil, because at least one of the values is missing.
  public func __converted<Old1, Old2, Value>(
    _ old: (Old1, Old2)?, _ convert: (Old1, Old2) throws -> Value
  ) throws -> Value? {
    try old.map { try convert($0.0, $0.1) }
  }

  /// Converts the values of three older fields with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if `old` is nil, because at least one of the values is missing.
  public func __converted<Old1, Old2, Old3, Value>(
    _ old: (Old1, Old2, Old3)?, _ convert: (Old1, Old2, Old3) throws -> Value
  ) throws -> Value? {
    try old.map { try convert($0.0, $0.1, $0.2) }
  }

  /// Returns the value of a field that is marked `@Key(_:from:)`.
  ///
  /// The result is `value`, which was read under the field's own key. If `value` is nil, the function calls
  /// `older`, which converts the values of older fields. If `older` also returns nil and the type of the
  /// field is optional, the result is nil.
  ///
  /// - Throws: `ArchiveError` with code `missingKey` if `value` and the result of `older` are nil, and the
  ///   type of the field is not optional.
  public func __value<Value: ArchivableValue>(
    _ index: Int, _ value: Value?, older: () throws -> Value?
  ) throws -> Value {
    // A nil in the file also counts as missing, because an older release writes initial values for the fields
    // that it knows.
    if let value { return value }
    return try older() ?? readMissing(index)
  }

  /// Returns the value of a field that is marked `@Key(_:from:)` and has an initial value.
  ///
  /// The result is `value`, which was read under the field's own key. If `value` is nil, the function calls
  /// `older`, which converts the values of older fields. If `older` also returns nil, the result is the
  /// initial value.
  public func __value<Value: ArchivableValue>(
    _ index: Int, _ value: Value?, default initial: @autoclosure () throws -> Value,
    older: () throws -> Value?
  ) throws -> Value {
    if let value { return value }
    return try older() ?? initial()
  }
}
