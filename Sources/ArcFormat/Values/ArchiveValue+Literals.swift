import ArcRuntime

// Values as literals, and what they hold as Swift's own types: for code that goes through values by keys, as
// a migration does.

extension ArchiveValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  /// Makes an optional without a value.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an integer.
  public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
  /// Makes a number of 64 bits.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes an array.
  public init(arrayLiteral elements: ArchiveValue...) { self = .array(elements) }
}

extension ArchiveValue {
  /// The boolean; nil if it is none.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer; nil if it is none, or does not fit.
  public var int: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .unsigned(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number; nil if it is none. An integer counts if it is one of `Double`.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The string; nil if it is none.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array or a set; nil if it is none.
  public var elements: [ArchiveValue]? {
    switch self {
    case .array(let elements), .set(let elements): elements
    default: nil
    }
  }

  /// The number of the object that a reference leads to; nil if it leads to none, and for any other value.
  public var objectID: ObjectID? {
    if case .reference(let id) = self { id } else { nil }
  }

  /// The value of a field of a structure, or of an associated value of a case; nil if there is no such field.
  public subscript(field name: String) -> ArchiveValue? {
    switch self {
    case .structure(_, let fields): fields.first { $0.name.hasSameBytes(as: name) }?.value
    case .enumeration(_, _, let payload): payload?[field: name]
    default: nil
    }
  }
}
