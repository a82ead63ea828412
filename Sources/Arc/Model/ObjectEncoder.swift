import ArcFormat

/// Encodes the values of one object while it is archived.
///
/// A hand-written class encodes one value per key; generated code uses `__slots`. The encoder is valid only
/// during the call of `encode(to:)`, so it cannot be copied or stored.
public struct ObjectEncoder: ~Copyable {
  /// The encoder for generated code, which identifies each property of the class by a number.
  public let __slots: __SlotEncoder
  private var keys: any KeyedSink { __slots.keys }

  @inlinable init(slots: consuming __SlotEncoder) { __slots = slots }

  /// Returns the encoder that the generated code of a subclass passes to its superclass.
  ///
  /// - Parameter count: the number of archived properties of the subclass. These properties precede the
  ///   properties of the superclass.
  /// - Returns: the encoder.
  @inlinable public func __superclass(after count: Int) -> ObjectEncoder {
    ObjectEncoder(slots: __slots.dropFirst(count))
  }

  /// The phase of reading in which a hand-written class decodes a value.
  public enum Phase: Sendable {
    /// The phase of `init(from:)`. Objects in the value are built before this object, so their own
    /// `init(from:)` must not need this object.
    case construction
    /// The phase of `link(from:)`: all objects exist.
    case linking
  }

  /// The `userInfo` that the program supplied for archiving, for example to the `Archiver`.
  public var userInfo: [CodingUserInfoKey: any Sendable] { keys.archiveContext.userInfo }

  /// Encodes a value under a key.
  ///
  ///     try encoder.encode(label, forKey: "label")
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: a key that this object has not used before.
  ///   - phase: the phase in which the class decodes the value.
  /// - Throws: `ArchiveError` with code `duplicateKey` if the object has used the key before.
  public func encode<Value: ArchivableValue>(
    _ value: Value, forKey key: String, during phase: Phase = .linking
  ) throws {
    try keys.writeKeyed(
      Value.self, key: key, flags: phase == .construction ? [.construction] : [], isWeak: false
    ) { try value.__write(to: $0) }
  }

  /// Encodes a weak reference under a key. The target is archived only if a strong reference also reaches it.
  ///
  ///     try encoder.encodeWeak(parent, forKey: "parent")
  ///
  /// - Parameters:
  ///   - object: the target, or nil.
  ///   - key: a key that this object has not used before.
  /// - Throws: `ArchiveError` with code `duplicateKey` if the object has used the key before.
  public func encodeWeak<Object: Archivable>(_ object: Object?, forKey key: String) throws {
    try keys.writeKeyed(Object.self, key: key, flags: [], isWeak: true) {
      $0.append(weak: object)
    }
  }

  /// Encodes an unowned reference under a key. A strong reference must also reach the target.
  ///
  ///     try encoder.encodeUnowned(owner, forKey: "owner")
  ///
  /// - Parameters:
  ///   - object: the target, or nil.
  ///   - key: a key that this object has not used before.
  ///   - phase: the phase in which the class decodes the reference.
  /// - Throws: `ArchiveError` with code `duplicateKey` if the object has used the key before. Archiving later
  ///   fails with `unownedTarget` if no strong reference reaches the target.
  public func encodeUnowned<Object: Archivable>(
    _ object: Object?, forKey key: String, during phase: Phase = .linking
  ) throws {
    try keys.writeKeyed(
      Object?.self, key: key, flags: phase == .construction ? [.construction] : [], isWeak: false
    ) { try $0.append(unowned: object) }
  }
}
