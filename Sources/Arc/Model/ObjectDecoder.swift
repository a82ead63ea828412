import ArcFormat

/// Decodes the values of one object while its graph is read.
///
/// A hand-written class decodes one value per key; generated code uses `__slots`. The decoder is valid only
/// during the call of `init(from:)` or `link(from:)`, so it cannot be copied or stored.
public struct ObjectDecoder: ~Copyable {
  /// The decoder for generated code, which identifies each property of the class by a number.
  public let __slots: __SlotDecoder
  private var keys: any KeyedSource { __slots.keys }

  @inlinable init(slots: consuming __SlotDecoder) { __slots = slots }

  /// Returns the decoder that the generated code of a subclass passes to its superclass.
  ///
  /// - Parameter count: the number of archived properties of the subclass. These properties precede the
  ///   properties of the superclass.
  /// - Returns: the decoder.
  @inlinable public func __superclass(after count: Int) -> ObjectDecoder {
    if __slots.mapsSlots { return inheritedInitializer(after: count) }
    return ObjectDecoder(slots: __slots.dropFirst(count))
  }

  @usableFromInline func inheritedInitializer(after count: Int) -> ObjectDecoder {
    keys.initializerDecoder(__slots.columns.dropFirst(count))
  }

  /// The `userInfo` that the program supplied for reading, for example to the `Unarchiver`.
  public var userInfo: [CodingUserInfoKey: any Sendable] { keys.archiveContext.userInfo }

  /// Decodes the value under a key. Returns the value.
  ///
  ///     label = try decoder.decode(String.self, forKey: "label")
  ///
  /// If `init(from:)` decodes a reference to an object that is not built yet, the function throws
  /// `constructionOrder`. Let `init(from:)` rethrow this error: Arc then builds the other object and calls
  /// `init(from:)` again. Reading fails only if the two objects need each other.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - key: the key under which the object encoded the value.
  /// - Returns: the value. Nil if the type is optional and the object did not encode the key.
  /// - Throws: `ArchiveError` with code `missingKey` if the type is not optional and the object did not
  ///   encode the key (Spec: 06-evolution, rule M3), `typeMismatch` if the value cannot be converted to the
  ///   type, or `constructionOrder`.
  public func decode<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value {
    if let value = try keyed(type, key) { return value }
    if Value.__traits.contains(.optional), let empty = Value.__emptyValue { return empty }
    throw keys.missingKey(key, type)
  }

  /// Decodes the value under a key. Returns nil if the key has no value.
  ///
  ///     note = try decoder.decodeIfPresent(String.self, forKey: "note") ?? ""
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - key: the key under which the object encoded the value.
  /// - Returns: the value. Nil if the object did not encode the key or encoded nil. Also nil if the program
  ///   lacks the value's case or raw value, and the policy on unknown content omits the value.
  /// - Throws: `ArchiveError` with code `typeMismatch` if the value cannot be converted to the type, or
  ///   `constructionOrder` for a reference to an object that is not built yet, see `decode(_:forKey:)`.
  public func decodeIfPresent<Value: ArchivableValue>(_ type: Value.Type, forKey key: String) throws -> Value?
  {
    do { return try keyed(type, key) } catch {
      if isNil(type, key, error) { return nil }
      guard keys.omits(error, atSlot: nil, of: __slots.columns) else { throw error }
      return nil
    }
  }

  /// Returns whether an error occurred only because the file contains nil under the key and the type does not
  /// permit nil.
  private func isNil<Value: ArchivableValue>(_ type: Value.Type, _ key: String, _ error: any Error) -> Bool {
    // If the value cannot be read as an optional either, the first error is thrown.
    guard !Value.__traits.contains(.optional), let error = error as? ArchiveError,
      error.code == .valueOutOfRange || error.code == .danglingReference,
      case .some(.none) = try? keyed(Value?.self, key)
    else { return false }
    return true
  }

  private func keyed<Value: ArchivableValue>(_ type: Value.Type, _ key: String) throws -> Value? {
    // A type without an empty value is decoded again. The references in its value are not linked.
    if __slots.phase == .unlinking, let empty = Value.__emptyValue { return empty }
    return try keys.keyed(type, key: key)
  }

  /// Returns whether the object encoded a value, perhaps nil, under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: whether the object encoded the key.
  /// - Throws: `ArchiveError` with the code of the damage if the values under the key are damaged in the
  ///   file.
  public func contains(_ key: String) throws -> Bool { try keys.hasValue(forKey: key) }
}
