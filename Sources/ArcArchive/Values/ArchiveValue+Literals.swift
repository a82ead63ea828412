public import ArcFormat
import ArcRuntime

// Values can be created from literals, and their contents read as Swift's own types. Code that accesses
// values by keys, such as a migration, uses this.

extension ArchiveValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  /// Creates an optional without a value.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
  /// Creates a 64-bit floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: ArchiveValue...) { self = .array(elements) }
}

extension ArchiveValue {
  /// The Boolean. Nil if the value is not a Boolean.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer. Nil if the value is not an integer, or if `Int` cannot represent the integer.
  public var int: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .unsigned(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value as a `Double`.
  ///
  /// Nil if the value is not an integer or floating-point number, or if `Double` cannot represent the integer
  /// exactly.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The string. Nil if the value is not a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array or a set. Nil if the value is not an array or set.
  public var elements: [ArchiveValue]? {
    switch self {
    case .array(let elements), .set(let elements): elements
    default: nil
    }
  }

  /// The number of the object that a reference refers to. Nil if the reference is nil, or the value is not a
  /// reference.
  public var objectID: ObjectID? {
    if case .reference(let id) = self { id } else { nil }
  }

  /// The value with a label: a field of a structure, or an associated value of an enumeration case.
  ///
  /// Nil if no field or associated value has the label.
  public subscript(field name: String) -> ArchiveValue? {
    switch self {
    case .structure(_, let fields): fields.first { $0.name.hasSameBytes(as: name) }?.value
    case .enumeration(_, _, let payload): payload?[field: name]
    default: nil
    }
  }
}
