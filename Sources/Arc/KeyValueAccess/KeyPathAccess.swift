/// Access to archived properties by paths of keys with dots between them, as in key-value coding.
///
///     try person.value(forKeyPath: "mother.name", as: String.self)
///     try person.setValue(70, forKeyPath: "mother.age")
///
/// All keys but the last name references to objects.
extension Archivable {
  /// Gets the value of a property at the end of a path.
  ///
  /// - Parameter keyPath: one key or more, with dots between them.
  /// - Returns: the value; nil for an optional that is nil, and where a reference on the path is nil.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property.
  public func value(forKeyPath keyPath: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      guard let (owner, property) = try KeyPathWalk(self, keyPath).end() else { return nil }
      return try property.value(of: owner)
    } catch {
      throw error.onPath(keyPath)
    }
  }

  /// Gets the value of a property at the end of a path as a type.
  ///
  /// - Parameters:
  ///   - keyPath: one key or more, with dots between them.
  ///   - type: the type of the result: an optional one if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property, with code `typeMismatch` if the
  ///   value is of another type.
  public func value<Value>(forKeyPath keyPath: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    try checked(value(forKeyPath: keyPath), as: type, onPath: keyPath)
  }

  /// Sets the value of a property at the end of a path.
  ///
  /// - Parameters:
  ///   - value: a value of the property's own type; nil only for optionals.
  ///   - keyPath: one key or more, with dots between them.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property, with code `nilOnPath` where a
  ///   reference on the path is nil, or if the value cannot be set.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      guard let (owner, property) = try KeyPathWalk(self, keyPath).end() else {
        throw KeyAccessError(.nilOnPath, found: "nil before the last key")
          .located(className: Self.archiveSchema.name, key: keyPath)
      }
      try property.set(value, of: owner)
    } catch {
      throw error.onPath(keyPath)
    }
  }
}

/// The steps along a key path to the object that has the last key.
private struct KeyPathWalk {
  private var object: any Archivable
  private var rest: Substring

  init(_ object: any Archivable, _ keyPath: String) {
    self.object = object
    rest = keyPath[...]
  }

  /// The object with the last key and the property that it names; nil where a reference on the path is nil.
  func end() throws(KeyAccessError) -> (owner: any Archivable, property: NamedProperty)? {
    var walk = self
    while true {
      let property = try walk.next()
      if walk.rest.isEmpty { return (walk.object, property) }
      guard let value = try property.value(of: walk.object) else { return nil }
      guard let object = value as? any Archivable else {
        throw KeyAccessError(
          .notAnObject, found: "a value of type \(type(of: value)) before '\(walk.rest)'",
          expected: "an archivable object"
        ).located(className: property.className, key: property.property.name)
      }
      walk.object = object
    }
  }

  /// Takes the next key off the path.
  private mutating func next() throws(KeyAccessError) -> NamedProperty {
    let properties = NamedProperties.of(type(of: object))
    let first = key(after: "")
    let classNames = properties.schema.lineage.map { $0.name + "." }
      .filter { rest.utf8.starts(with: $0.utf8) }
    for key in [first] + classNames.map({ key(after: $0) }) {
      guard let property = properties[key] else { continue }
      rest = Substring(rest.utf8.dropFirst(key.utf8.count + 1))
      return property
    }
    throw properties.unknown(first)
  }

  /// The path up to the first dot behind what it begins with.
  private func key(after start: String) -> String {
    let end = rest.utf8.dropFirst(start.utf8.count).firstIndex(of: UInt8(ascii: "."))
    return String(rest[..<(end ?? rest.endIndex)])
  }
}
