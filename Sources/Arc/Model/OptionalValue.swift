// Conversions between values and `Any?`.

/// Returns a value without the optionals around it. Nil if the value is nil.
func unwrapped<Value>(_ value: Value) -> Any? {
  Value.self is any OptionalValue.Type ? (value as? any OptionalValue)?.wrappedValue : value
}

/// Returns a value as a value of type `Value`. Nil becomes the nil of an optional type. Throws `typeMismatch`
/// if the value has another type.
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

/// The protocol of all `Optional` types.
protocol OptionalValue {
  /// The wrapped value, without nested optionals. Nil if the value or a nested optional is nil.
  var wrappedValue: Any? { get }
  static var wrappedType: Any.Type { get }
  /// The value nil of the type.
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
