// Values of a type as `Any?`, and the other way.

/// A value without optionals around it; nil for nil.
func unwrapped<Value>(_ value: Value) -> Any? {
  Value.self is any OptionalValue.Type ? (value as? any OptionalValue)?.wrappedValue : value
}

/// A value as one of a type; nil is one of an optional type. Throws `typeMismatch` for any other.
func settable<Value>(_ value: Any?) throws(KeyAccessError) -> Value {
  if let value {
    if let value = value as? Value { return value }
  } else if let type = Value.self as? any OptionalValue.Type, let none = type.noValue as? Value {
    return none
  }
  throw KeyAccessError(
    .typeMismatch, found: value.map { "a value of type '\(type(of: $0))'" } ?? "nil",
    expected: "a value of type '\(Value.self)'")
}

/// An `Optional`, whatever it wraps.
protocol OptionalValue {
  /// What it wraps, without inner optionals.
  var wrappedValue: Any? { get }
  static var wrappedType: Any.Type { get }
  /// Nil.
  static var noValue: Any { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var noValue: Any { Self.none as Any }
  var wrappedValue: Any? {
    switch self {
    case .none: nil
    case .some(let inner as any OptionalValue): inner.wrappedValue
    case .some(let inner): inner
    }
  }
}
