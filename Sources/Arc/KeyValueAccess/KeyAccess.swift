/// Access to archived properties by name, as in key-value coding.
///
///     try person.value(forKey: "name")                     // "Ada"
///     try person.value(forKey: "name", as: String.self)
///     try person.setValue(36, forKey: "age")
///     try person.value(forKey: "Biology.hairCount")        // the superclass's, if both have one
///
/// A key is the name of a property, or the coded name of the class that declares it, a dot and the name.
/// Reachable are the properties that `@Archivable` archives, private ones and those of superclasses too; what
/// is in structures, collections and further objects by paths, see ``Archivable/value(forKeyPath:)``.
/// Observers run as for any assignment.
extension Archivable {
  /// Gets the value of a property.
  ///
  /// - Parameter key: the key of the property; not a path.
  /// - Returns: the value; nil for an optional that is nil.
  /// - Throws: ``KeyAccessError`` if the class has no such property.
  public func value(forKey key: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      return try NamedProperty.of(self, key: key).value(of: self)
    } catch {
      throw error.onPath(key)
    }
  }

  /// Gets the value of a property as a type.
  ///
  /// - Parameters:
  ///   - key: the key of the property; not a path.
  ///   - type: the type of the result: an optional one if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` if the class has no such property, with code `typeMismatch` if the value is
  ///   of another type.
  public func value<Value>(forKey key: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    try checked(value(forKey: key), as: type, onPath: key)
  }

  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - value: a value of the property's own type; nil only for optionals.
  ///   - key: the key of the property; not a path.
  /// - Throws: ``KeyAccessError`` if the class has no such property, or the value cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      try NamedProperty.of(self, key: key).set(value, of: self)
    } catch {
      throw error.onPath(key)
    }
  }

  /// A value that was found, if it is of a type. Throws `typeMismatch` if it is of another.
  func checked<Value>(
    _ value: Any?, as type: Value.Type, onPath keyPath: String
  ) throws(KeyAccessError) -> Value {
    if let value = value as? Value { return value }
    throw KeyAccessError(
      .typeMismatch, found: value.map { "a value of type \(Swift.type(of: $0))" } ?? "nil",
      expected: "\(type)"
    ).located(className: Self.archiveSchema.name, key: keyPath).onPath(keyPath)
  }
}
