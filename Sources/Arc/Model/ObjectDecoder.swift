import ArcFormat

/// Gives the values of one object while its graph is rebuilt.
///
/// Code by hand calls it with a key for each value; generated code uses its `__slots`. It is valid only
/// during the call of `init(from:)` or `link(from:)`, so it can be neither copied nor stored.
public struct ObjectDecoder: ~Copyable {
  /// The properties of the class whose code runs, by number.
  public let __slots: __SlotDecoder
  private var keys: any KeyedSource { __slots.keys }

  @inlinable init(slots: consuming __SlotDecoder) { __slots = slots }

  /// The decoder for the superclass, whose slots follow those of a class with `count` properties.
  @inlinable public func __superclass(after count: Int) -> ObjectDecoder {
    if __slots.mapsSlots { return inheritedInitializer(after: count) }
    return ObjectDecoder(slots: __slots.dropFirst(count))
  }

  @usableFromInline func inheritedInitializer(after count: Int) -> ObjectDecoder {
    keys.initializerDecoder(__slots.columns.dropFirst(count))
  }

  /// What the caller gave the `Unarchiver` for the program's own code.
  public var userInfo: [CodingUserInfoKey: any Sendable] { keys.archiveContext.userInfo }

  /// Reads the value that was encoded under a key.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - key: the key under which the object encoded it.
  /// - Returns: the value; nil for an optional type if the object used no such key.
  /// - Throws: `ArchiveError` with code `missingKey` if the object used no such key (Spec: 06-evolution, rule
  ///   M3), `typeMismatch` if the value is of a type that cannot be converted to this one, and in
  ///   `init(from:)` `constructionOrder` if it refers to an object that does not exist yet: what
  ///   `init(from:)` throws then is no error, it is called again when the object exists, unless that needs
  ///   this one in turn.
  public func decode<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value {
    if let value = try keyed(type, key) { return value }
    if Value.__traits.contains(.optional), let empty = Value.__emptyValue { return empty }
    throw keys.missingKey(key, type)
  }

  /// Reads the value that was encoded under a key, or nil if the object used no such key, or encoded nil
  /// under it, and for a case or raw value that the program does not have, if the unarchiver leaves these
  /// out.
  ///
  /// - Throws: as `decode(_:forKey:)` does, but not for a key that was not used, and not for nil.
  public func decodeIfPresent<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value?
  {
    do { return try keyed(type, key) } catch {
      if isNil(type, key, error) { return nil }
      guard keys.leavesOut(error, atSlot: nil, of: __slots.columns) else { throw error }
      return nil
    }
  }

  /// Whether a value of a type could not be read because it is nil.
  private func isNil<Value: ArchivableValue>(_ type: Value.Type, _ key: String, _ error: any Error) -> Bool {
    guard !Value.__traits.contains(.optional), let error = error as? ArchiveError,
      error.code == .valueOutOfRange || error.code == .danglingReference,
      case .some(.none) = try? keyed(Value?.self, key)
    else { return false }
    return true
  }

  private func keyed<Value: ArchivableValue>(_ type: Value.Type, _ key: String) throws -> Value? {
    // What has no empty value is given once more, with objects that are linked to nothing.
    if __slots.phase == .unlinking, let empty = Value.__emptyValue { return empty }
    return try keys.keyed(type, key: key)
  }

  /// Whether the object has a value, perhaps nil, under a key.
  public func contains(_ key: String) throws -> Bool { try keys.hasValue(forKey: key) }
}
