/// Access to archived properties by name, as in key-value coding.
///
///     try person.value(forKey: "name")                     // "Ada"
///     try person.value(forKey: "name", as: String.self)
///     try person.setValue(36, forKey: "age")
///     try person.value(forKey: "Biology.hairCount")        // the superclass's, if both have one
///
/// A key is the name of a property, or the coded name of the class that declares the property, a period and
/// the name. The keys include all properties that `@Archivable` archives, also private and inherited
/// properties. For values in structures, collections and other objects, use paths, see
/// ``Archivable/value(forKeyPath:)``. Setting a value runs the property's observers, as an assignment does.
extension Archivable {
  /// Gets the value of a property by its key. Returns nil if the property is an optional that is nil.
  ///
  ///     let name = try person.value(forKey: "name")
  ///
  /// - Parameter key: the key of the property, not a path.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` with code `unknownKey` if the class has no such property.
  public func value(forKey key: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      return try NamedProperty.of(self, key: key).value(of: self)
    } catch {
      throw error.onPath(key)
    }
  }

  /// Gets the value of a property by its key, as a value of a given type. Returns the value.
  ///
  ///     let age = try person.value(forKey: "age", as: Int.self)
  ///
  /// - Parameters:
  ///   - key: the key of the property, not a path.
  ///   - type: the type of the result; an optional type if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` with code `unknownKey` if the class has no such property, or `typeMismatch`
  ///   if the value has another type.
  public func value<Value>(forKey key: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    try checked(value(forKey: key), as: type, onPath: key)
  }

  /// Sets the value of a property by its key.
  ///
  ///     try person.setValue(36, forKey: "age")
  ///
  /// - Parameters:
  ///   - value: a value of exactly the property's type; nil only if the property is optional.
  ///   - key: the key of the property, not a path.
  /// - Throws: ``KeyAccessError`` with code `unknownKey` if the class has no such property, `typeMismatch` if
  ///   the value has another type, or `readOnly` for a `let`.
  public func setValue(_ value: Any?, forKey key: String) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      try NamedProperty.of(self, key: key).set(value, of: self)
    } catch {
      throw error.onPath(key)
    }
  }

  /// Casts a value to a type. Throws `typeMismatch` if the value has another type.
  func checked<Value>(
    _ value: Any?, as type: Value.Type, onPath keyPath: String
  ) throws(KeyAccessError) -> Value {
    if let value = value as? Value { return value }
    throw KeyAccessError(
      .typeMismatch, found: value.map { "a value of type '\(Swift.type(of: $0))'" } ?? "nil",
      expected: "a value of type '\(type)'"
    ).located(className: Self.archiveSchema.name, key: keyPath).onPath(keyPath)
  }
}
