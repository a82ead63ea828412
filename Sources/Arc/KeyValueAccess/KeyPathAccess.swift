/// Access to archived properties by paths of keys separated by periods, as in key-value coding.
///
///     try person.value(forKeyPath: "mother.name", as: String.self)
///     try person.value(forKeyPath: "friends[0].address.street")
///     try person.value(forKeyPath: "friends.name", as: [String].self)      // of all friends
///     try person.setValue(70, forKeyPath: "mother.age")
///     try person.setValue("dark", forKeyPath: "settings.theme")
///
/// A key path has the notation of all paths, which [Paths](doc:Paths) describes: names of properties and
/// fields and, in brackets, the index of an element of an array or the key of a dictionary. A name that is
/// not a word needs backticks. A string key of a dictionary that is a word can be written as a name, as in
/// `settings.theme`. A name after an array or a set is the name of a property of each element. The value at
/// such a path is an array with the property's value in each element. Setting the path sets the property in
/// all elements that are not nil.
///
/// If a structure or collection changes, the property that contains it is set as a whole, which runs the
/// property's observers. Elements of a set are objects that are changed directly. Do not set properties that
/// determine the hash value of an element.
extension Archivable {
  /// Gets the value at the end of a path of keys. Returns nil if a value on the path is nil.
  ///
  ///     let street = try person.value(forKeyPath: "address.street")
  ///     let names = try person.value(forKeyPath: "friends.name")   // one name per friend
  ///
  /// - Parameter keyPath: one or more keys, separated by dots.
  /// - Returns: the value. Nil if a value on the path is nil, or if a dictionary on the path has no entry for
  ///   the key.
  /// - Throws: ``KeyAccessError`` with code `unknownKey`, `hasNoKeys`, `noElement` or `badPath` if the path
  ///   does not exist, or `badPath` if the path reaches more than one million values.
  /// - Complexity: O(n), where n is the number of values at the end of the path.
  public func value(forKeyPath keyPath: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      return try KeyPathTarget.value(at: KeyPathScanner(keyPath), from: self)
    } catch {
      throw error.onPath(keyPath)
    }
  }

  /// Gets the value at the end of a path of keys, as a value of a given type. Returns the value.
  ///
  ///     let street = try person.value(forKeyPath: "address.street", as: String.self)
  ///
  /// - Parameters:
  ///   - keyPath: one or more keys, separated by dots.
  ///   - type: the type of the result; an optional type if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` with code `unknownKey`, `hasNoKeys`, `noElement` or `badPath` if the path
  ///   does not exist, or `typeMismatch` if the value has another type.
  public func value<Value>(forKeyPath keyPath: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    try checked(value(forKeyPath: keyPath), as: type, onPath: keyPath)
  }

  /// Sets the value at the end of a path of keys.
  ///
  ///     try person.setValue("Main Street", forKeyPath: "address.street")
  ///
  /// - Parameters:
  ///   - value: a value that has exactly the type of the value at the end of the path. Nil sets an optional
  ///     to nil, or removes the entry of a dictionary.
  ///   - keyPath: one or more keys, separated by dots.
  /// - Throws: ``KeyAccessError`` with code `unknownKey`, `hasNoKeys`, `noElement` or `badPath` if the path
  ///   does not exist, `nilOnPath` if a value on the path is nil, or `typeMismatch` or `readOnly` if the
  ///   value cannot be set. If the path sets a property of all objects in an array, the objects before the
  ///   failed object have the new value.
  /// - Complexity: O(values at the end of the path + elements of collections on the path).
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyAccessError) {
    try setValue(value, forKeyPath: keyPath) { (value, _) throws(KeyAccessError) in value }
  }

  /// Gets the value at the end of a path. If the value has another type, `convert` converts it.
  package func value<Value>(
    forKeyPath keyPath: String, as type: Value.Type,
    convertedBy convert: (Any) throws(KeyAccessError) -> Any
  ) throws(KeyAccessError) -> Value {
    var found = try value(forKeyPath: keyPath)
    if let value = found, !isValue(value, of: type) {
      do throws(KeyAccessError) { found = try convert(value) } catch {
        throw error.located(className: Self.archiveSchema.name, key: keyPath).onPath(keyPath)
      }
    }
    return try checked(found, as: type, onPath: keyPath)
  }

  /// Sets the value at the end of a path. If `value` has another type than the value at the end of the path,
  /// `convert` converts it.
  package func setValue(
    _ value: Any?, forKeyPath keyPath: String, convertedBy convert: ValueConversion
  ) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      try KeyPathTarget.change(self, at: KeyPathScanner(keyPath)) { (type) throws(KeyAccessError) in
        // A value of the right type, or a value for an unknown type, is accepted or refused when it is set.
        // No objects are created by conversion, because nothing might retain them.
        guard let value, let type = type as? any ArchivableValue.Type, !isValue(value, of: type),
          !refersToObjects(type)
        else { return value }
        return try convert(value, type)
      }
    } catch {
      throw error.onPath(keyPath)
    }
  }
}

/// Converts a value to a value of another type.
package typealias ValueConversion = (
  _ value: Any, _ type: any ArchivableValue.Type
) throws(KeyAccessError) -> Any

private func refersToObjects<Value: ArchivableValue>(_ type: Value.Type) -> Bool { type.__refersToObjects }

private func isValue<Value>(_ value: Any, of type: Value.Type) -> Bool { value is Value }
