/// Access to archived properties by paths of keys with dots between them, as in key-value coding.
///
///     try person.value(forKeyPath: "mother.name", as: String.self)
///     try person.value(forKeyPath: "friends[0].address.street")
///     try person.value(forKeyPath: "friends.name", as: [String].self)      // of each of them
///     try person.setValue(70, forKeyPath: "mother.age")
///     try person.setValue("dark", forKeyPath: "settings.theme")
///
/// Keys are those of objects and of fields of structures. In brackets is the position of an element of an
/// array or an integer key of a dictionary, or in quotes another key, up to the first quote that a bracket
/// follows; keys of dictionaries are keys of paths too, without quotes. A key behind an array or a set is one
/// of each element: values are those of all of them, in an array, and set is it in all of them that are not
/// nil. Names with a dot or bracket in them are on no path.
///
/// A structure or collection that changes is set as a whole where it is stored: what observes that runs.
/// Elements of a set are objects that change in place: what they are found by is not to be set.
extension Archivable {
  /// Gets the value at the end of a path.
  ///
  /// - Parameter keyPath: one key or more, with dots between them.
  /// - Returns: the value; nil for an optional that is nil, for an entry that a dictionary does not have,
  ///   and where either is on the path.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a value.
  /// - Complexity: O(values that it leads to), of which a million is refused.
  public func value(forKeyPath keyPath: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      return try KeyPathPlace.value(at: KeyPathRest(keyPath), from: self)
    } catch {
      throw error.onPath(keyPath)
    }
  }

  /// Gets the value at the end of a path as a type.
  ///
  /// - Parameters:
  ///   - keyPath: one key or more, with dots between them.
  ///   - type: the type of the result: an optional one if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a value, with code `typeMismatch` if the value
  ///   is of another type.
  public func value<Value>(forKeyPath keyPath: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    try checked(value(forKeyPath: keyPath), as: type, onPath: keyPath)
  }

  /// Sets the value at the end of a path.
  ///
  /// - Parameters:
  ///   - value: a value of the very type; nil for optionals, and to remove an entry of a dictionary whose
  ///     values are none.
  ///   - keyPath: one key or more, with dots between them.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a value, with code `nilOnPath` where there is
  ///   nil on the path, or if the value cannot be set. Elements of an array before one that cannot take it
  ///   have it then if they are objects.
  /// - Complexity: O(values that it leads to, and elements of collections on the way).
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyAccessError) {
    try setValue(value, forKeyPath: keyPath) { (value, _) throws(KeyAccessError) in value }
  }

  /// Gets the value at the end of a path; `convert` is asked for one of another type.
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

  /// Sets the value at the end of a path; `convert` is asked for one of another type than is there.
  package func setValue(
    _ value: Any?, forKeyPath keyPath: String, convertedBy convert: ValueConversion
  ) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      try KeyPathPlace.change(self, at: KeyPathRest(keyPath)) { (type) throws(KeyAccessError) in
        // A value of the type, and what no type is known for, is taken or refused where it is set. No objects
        // are made: nothing might keep them.
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

/// Makes of a value of another type one that is of a type.
package typealias ValueConversion = (
  _ value: Any, _ type: any ArchivableValue.Type
) throws(KeyAccessError) -> Any

private func refersToObjects<Value: ArchivableValue>(_ type: Value.Type) -> Bool { type.__refersToObjects }

private func isValue<Value>(_ value: Any, of type: Value.Type) -> Bool { value is Value }
