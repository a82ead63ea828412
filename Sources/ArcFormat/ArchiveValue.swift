import ArcRuntime

/// A value of an archive, read without the program's types.
public enum ArchiveValue: Hashable, Sendable {
  /// An optional without value. One that holds an optional without value is read as this too.
  case null
  case bool(Bool)
  /// A signed or unsigned integer of up to 127 bits.
  case integer(Int128)
  /// An unsigned integer of 128 bits.
  case unsigned(UInt128)
  case float(Float)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// 16 bytes, as in RFC 4122.
  case uuid([UInt8])
  case decimal(String)
  indirect case url(String, base: String?)
  /// An object, strongly or weakly held; nil for none.
  case reference(ObjectID?)
  case array([ArchiveValue])
  case set([ArchiveValue])
  case dictionary([Entry])
  case structure(name: String, fields: [Field])
  indirect case enumeration(name: String, case: String, payload: ArchiveValue?)

  /// A key and its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: ArchiveValue
    /// The value.
    public let value: ArchiveValue

    /// A key with its value.
    public init(key: ArchiveValue, value: ArchiveValue) {
      self.key = key
      self.value = value
    }
  }

  /// A field of a structure, or an associated value of an enumeration case (name empty if it has no label).
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: ArchiveValue

    /// A name with its value.
    public init(name: String, value: ArchiveValue) {
      self.name = name
      self.value = value
    }
  }
}

/// One row of an archive: an object, or the named roots.
public struct ArchiveObject: Hashable, Sendable {
  /// Its number.
  public let id: ObjectID
  /// Index of its class in `ArchiveFile.classes`.
  public let classIndex: Int
  /// The coded name of its class.
  public let className: String
  /// Its properties in the order of the class table; keys that a hand-written coder did not write are absent.
  public let properties: [Property]

  /// A property with its value.
  public struct Property: Hashable, Sendable {
    /// Coded name of the class that declares it.
    public let declaringClass: String
    /// The key.
    public let key: String
    /// Position of its column in the `columns` of the object's class.
    public let columnIndex: Int
    /// The value.
    public let value: ArchiveValue
  }

  /// The value of the first property with that key.
  public subscript(key: String) -> ArchiveValue? { properties.first { $0.key.hasSameBytes(as: key) }?.value }
}
