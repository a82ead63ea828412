import ArcFormat

/// Takes the values of one object while it is archived.
///
/// Code by hand calls it with a key for each value; generated code uses its `__slots`. It is valid only
/// during the call of `encode(to:)`, so it can be neither copied nor stored.
public struct ObjectEncoder: ~Copyable {
  /// The properties of the class whose `encode(to:)` runs, by number.
  public let __slots: __SlotEncoder
  private var keys: any KeyedSink { __slots.keys }

  @inlinable init(slots: consuming __SlotEncoder) { __slots = slots }

  /// The encoder for the superclass, whose slots follow those of a class with `count` properties.
  @inlinable public func __superclass(after count: Int) -> ObjectEncoder {
    ObjectEncoder(slots: __slots.dropFirst(count))
  }

  /// When a value that was encoded by hand is needed again.
  public enum Phase: Sendable {
    /// In `init(from:)`: objects in the value are built before this one, and must not need this one in turn.
    case construction
    /// In `link(from:)`.
    case linking
  }

  /// What the caller gave the `Archiver` for the program's own code.
  public var userInfo: [CodingUserInfoKey: any Sendable] { keys.archiveContext.userInfo }

  /// Encodes a value under a key.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the key, which the object has not used before.
  ///   - phase: when the value is read again.
  /// - Throws: `ArchiveError` with code `duplicateKey` when the object used the key before.
  public func encode<Value: ArchivableValue>(
    _ value: Value, forKey key: String, during phase: Phase = .linking
  ) throws {
    try keys.writeKeyed(
      Value.self, key: key, flags: phase == .construction ? [.construction] : [], isWeak: false
    ) { try value.__write(to: $0) }
  }

  /// Encodes a weak reference under a key: its target is archived only if something else keeps it.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` when the object used the key before.
  public func encodeWeak<Object: Archivable>(_ object: Object?, forKey key: String) throws {
    try keys.writeKeyed(Object.self, key: key, flags: [], isWeak: true) {
      $0.append(weak: object)
    }
  }

  /// Encodes an unowned reference under a key: something else must keep its target.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` when the object used the key before; archiving fails
  ///   with `unownedTarget` if nothing keeps the target.
  public func encodeUnowned<Object: Archivable>(
    _ object: Object?, forKey key: String, during phase: Phase = .linking
  ) throws {
    try keys.writeKeyed(
      Object?.self, key: key, flags: phase == .construction ? [.construction] : [], isWeak: false
    ) { try $0.append(unowned: object) }
  }
}
