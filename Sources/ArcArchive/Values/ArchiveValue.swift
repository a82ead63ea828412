public import ArcFormat
import ArcRuntime

/// A value of an archive, represented without the program's types.
///
///     if case .string(let name)? = try file.object(id)["name"] { print(name) }
public enum ArchiveValue: Hashable, Sendable {
  /// An optional without a value.
  case null
  /// An optional that contains an optional without a value.
  ///
  /// For example, `.some(nil)` of type `Int??` has depth 1, and `.some(.some(nil))` of type `Int???` has
  /// depth 2. A column whose type has fewer levels of optionals cannot contain the value. In an optional
  /// reference, the inner nil is `reference(nil)`.
  case nestedNull(depth: Int)
  /// A boolean.
  case bool(Bool)
  /// A signed integer of at most 128 bits, or an unsigned integer of at most 64 bits.
  case integer(Int128)
  /// An unsigned integer of 128 bits.
  case unsigned(UInt128)
  /// A floating-point number that has 32 or 16 bits in the file.
  case float(Float)
  /// A floating-point number of 64 bits.
  case double(Double)
  /// A string.
  case string(String)
  /// A sequence of bytes.
  case data([UInt8])
  /// A date: seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// A UUID: 16 bytes in the order of RFC 4122.
  case uuid([UInt8])
  /// A decimal in its notation in the file, such as `-1.5`.
  case decimal(String)
  /// A URL: its string, and its absolute base if the URL has a base. The string may be relative.
  indirect case url(String, base: String?)
  /// A strong, weak or unowned reference to an object. Nil if there is no target.
  case reference(ObjectID?)
  /// The elements of an array.
  case array([ArchiveValue])
  /// The elements of a set. The order of the elements has no meaning.
  case set([ArchiveValue])
  /// The entries of a dictionary. The order of the entries has no meaning.
  case dictionary([Entry])
  /// A structure: its coded name, and its fields in order.
  case structure(name: String, fields: [Field])
  /// An enumeration: its coded name, the name of the case, and the associated values. The payload is nil if
  /// the case has no associated values.
  indirect case enumeration(name: String, case: String, payload: ArchiveValue?)

  /// An entry of a dictionary: a key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key of the entry.
    public let key: ArchiveValue
    /// The value for the key.
    public let value: ArchiveValue

    /// Creates an entry from a key and its value.
    public init(key: ArchiveValue, value: ArchiveValue) {
      self.key = key
      self.value = value
    }
  }

  /// A field of a structure, or an associated value of an enumeration case.
  public struct Field: Hashable, Sendable {
    /// The label of the field. Empty if the field has no label.
    public let name: String
    /// The value of the field.
    public let value: ArchiveValue

    /// Creates a field from a label and a value.
    public init(name: String, value: ArchiveValue) {
      self.name = name
      self.value = value
    }
  }
}

/// An object of an archive with its properties. The named roots are also represented by an object, whose
/// properties are the roots.
public struct ArchiveObject: Hashable, Sendable {
  /// The number of the object. 0 for the named roots.
  public let id: ObjectID
  /// The index of the object's class in ``ArchiveFile/classInfos``.
  public let classIndex: Int
  /// The coded name of the object's class.
  public let className: String
  /// The properties in the order of the class's columns.
  ///
  /// If a hand-written coder writes no value for a key in some object, this object has no property with that
  /// key.
  public let properties: [Property]

  /// A property of an object with its value.
  public struct Property: Hashable, Sendable {
    /// The coded name of the class that declares the property.
    public let declaringClass: String
    /// The key of the property.
    public let key: String
    /// The index of the property's column in the `columns` of the object's class.
    public let columnIndex: Int
    /// The value of the property.
    public let value: ArchiveValue
  }

  /// The value of the first property with a key. Nil if the object has no property with the key.
  public subscript(key: String) -> ArchiveValue? { properties.first { $0.key.hasSameBytes(as: key) }?.value }
}
