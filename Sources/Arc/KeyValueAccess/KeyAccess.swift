/// Access to archived properties by name, as in key-value coding.
///
///     try person.value(forKey: "name")                     // "Ada"
///     try person.value(forKey: "mother.name", as: String.self)
///     try person.setValue(36, forKey: "age")
///     try person.value(forKey: "Biology.hairCount")        // the superclass's, if both have one
///
/// Reachable are the properties that `@Archivable` archives, private ones and those of superclasses too.
/// Observers run as for any assignment.
extension Archivable {
  /// Gets the value of a property.
  ///
  /// - Parameter keyPath: the name of a property, or a path of names with dots between them.
  /// - Returns: the value; nil for an optional that is nil, and where a reference on the path is nil.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property.
  public func value(forKey keyPath: String) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      let (owner, property) = try KeyPathWalk(self, keyPath).owner()
      guard let owner, let property else { return nil }
      return try property.value(of: owner)
    } catch {
      throw error.onPath(keyPath)
    }
  }

  /// Gets the value of a property as a type.
  ///
  /// - Parameters:
  ///   - keyPath: the name of a property, or a path of names with dots between them.
  ///   - type: the type of the result: an optional one if the value may be nil.
  /// - Returns: the value.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property, with code `wrongType` if the value
  ///   is of another type.
  public func value<Value>(forKey keyPath: String, as type: Value.Type) throws(KeyAccessError) -> Value {
    let value = try value(forKey: keyPath)
    if let value = value as? Value { return value }
    var error = KeyAccessError(
      .wrongType, found: value.map { "a value of type \(Swift.type(of: $0))" } ?? "nil", expected: "\(type)"
    ).onPath(keyPath)
    error.key = keyPath
    error.className = Self.archiveSchema.name
    throw error
  }

  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - value: a value of the property's own type; nil only for optionals.
  ///   - keyPath: the name of a property, or a path of names with dots between them.
  /// - Throws: ``KeyAccessError`` if the path does not lead to a property, or the value cannot be set.
  public func setValue(_ value: Any?, forKey keyPath: String) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      let (owner, property) = try KeyPathWalk(self, keyPath).owner()
      guard let owner, let property else {
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
  func owner() throws(KeyAccessError) -> (object: (any Archivable)?, property: NamedProperty?) {
    var walk = self
    while true {
      let property = try walk.next()
      if walk.rest.isEmpty { return (walk.object, property) }
      guard let value = try property.value(of: walk.object) else { return (nil, nil) }
      guard let object = value as? any Archivable else {
        throw KeyAccessError(
          .notAnObject, found: "a value of type \(type(of: value)) before '\(walk.rest)'",
          expected: "an archivable object"
        ).located(className: property.className, key: property.property.name)
      }
      walk.object = object
    }
  }

  /// Takes the next key off the path: the name of a property, or the name of a class and then of a property.
  private mutating func next() throws(KeyAccessError) -> NamedProperty {
    let schema = type(of: object).archiveSchema
    let (first, following) = Self.split(rest)
    let key = String(first)
    for level in schema.lineage {
      if let property = level.properties.first(where: { $0.name.hasSameBytes(as: key) }) {
        rest = following
        return NamedProperty(property: property, className: level.name)
      }
    }
    for level in schema.lineage where rest.utf8.starts(with: (level.name + ".").utf8) {
      let (name, following) = Self.split(Substring(rest.utf8.dropFirst(level.name.utf8.count + 1)))
      let key = String(name)
      if let property = level.properties.first(where: { $0.name.hasSameBytes(as: key) }) {
        rest = following
        return NamedProperty(property: property, className: level.name)
      }
    }
    throw KeyAccessError(
      .unknownKey, found: "no archived property '\(key)'",
      expected: "one of \(schema.lineage.flatMap(\.properties).map(\.name).joined(separator: ", "))"
    ).located(className: schema.name, key: String(key))
  }

  private static func split(_ path: Substring) -> (key: Substring, rest: Substring) {
    guard let dot = path.firstIndex(of: ".") else { return (path, "") }
    return (path[..<dot], path[path.index(after: dot)...])
  }
}

/// A property with the class that declares it, for errors that name both.
private struct NamedProperty {
  let property: PropertySchema
  let className: String

  func value(of object: AnyObject) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      return try property.access.value(of: object)
    } catch {
      throw error.located(className: className, key: property.name)
    }
  }

  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError) {
    do throws(KeyAccessError) {
      try property.access.set(value, of: object)
    } catch {
      throw error.located(className: className, key: property.name)
    }
  }
}
