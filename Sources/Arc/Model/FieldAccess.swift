/// Reads and sets a field in values of the structure that declares the field.
protocol FieldAccess {
  var valueType: Any.Type { get }
  /// Returns the value of the field. Nil if the value is nil. Throws `wrongClass` if `structure` has another
  /// type.
  func value(of structure: Any) throws(KeyAccessError) -> Any?
  /// Returns a copy of the structure in which the field has the value `value`. Nil sets an optional to nil.
  func setting(_ value: Any?, of structure: Any) throws(KeyAccessError) -> Any
}

/// Reads and sets a field by calling closures. The setter is nil for a `let`.
struct ClosureFieldAccess<Owner, Value>: FieldAccess {
  private let getter: (Owner) -> Value
  private let setter: ((inout Owner, Value) -> Void)?

  init(_ get: @escaping (Owner) -> Value, _ set: ((inout Owner, Value) -> Void)?) {
    (getter, setter) = (get, set)
  }

  var valueType: Any.Type { Value.self }

  func value(of structure: Any) throws(KeyAccessError) -> Any? { unwrapped(getter(try owner(structure))) }

  func setting(_ value: Any?, of structure: Any) throws(KeyAccessError) -> Any {
    guard let setter else {
      throw KeyAccessError(
        .readOnly, found: "a new value for a field declared with 'let'",
        expected: "a new value for a field declared with 'var'")
    }
    var owner = try owner(structure)
    setter(&owner, try settable(value))
    return owner
  }

  private func owner(_ structure: Any) throws(KeyAccessError) -> Owner {
    guard let owner = structure as? Owner else {
      throw KeyAccessError(
        .wrongClass, found: "a value of type '\(type(of: structure))'",
        expected: "a value of type '\(Owner.self)'")
    }
    return owner
  }
}
