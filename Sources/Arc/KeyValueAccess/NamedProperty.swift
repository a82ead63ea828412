/// A property with the class that declares it, for errors that name both.
struct NamedProperty {
  let property: PropertySchema
  let className: String

  /// The property that a key names: the nearest one, from a class upwards. Nil if there is none.
  init?(key: String, in schema: ClassSchema) {
    for level in schema.lineage {
      if let named = Self(name: key, of: level) {
        self = named
        return
      }
    }
    for level in schema.lineage where key.utf8.starts(with: (level.name + ".").utf8) {
      let name = Substring(key.utf8.dropFirst(level.name.utf8.count + 1))
      if let named = Self(name: String(name), of: level) {
        self = named
        return
      }
    }
    return nil
  }

  private init?(name: String, of level: ClassSchema) {
    guard let property = level.properties.first(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
    self.property = property
    className = level.name
  }

  /// The property of an object that a key names. Throws `unknownKey` if there is none.
  static func of(_ object: any Archivable, key: String) throws(KeyAccessError) -> NamedProperty {
    let schema = type(of: object).archiveSchema
    guard let named = NamedProperty(key: key, in: schema) else { throw unknown(key, in: schema) }
    return named
  }

  /// The error for a key that names no property of a class.
  static func unknown(_ key: String, in schema: ClassSchema) -> KeyAccessError {
    let names = schema.lineage.flatMap(\.properties).map(\.name).joined(separator: ", ")
    let isPath = key.utf8.contains(UInt8(ascii: "."))
    return KeyAccessError(
      .unknownKey, found: "no archived property '\(key)'",
      expected: "one of \(names)" + (isPath ? "; for a path of keys use forKeyPath" : "")
    ).located(className: schema.name, key: key)
  }

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
