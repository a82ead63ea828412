import ArcRuntime
import Synchronization

/// A property with the class that declares it. Errors contain the names of both.
struct NamedProperty {
  let property: PropertySchema
  let className: String

  /// Returns the property of an object with a key. Throws `unknownKey` if there is none.
  static func of(_ object: any Archivable, key: String) throws(KeyAccessError) -> NamedProperty {
    let properties = NamedProperties.of(type(of: object))
    guard let named = properties[key] else { throw properties.unknown(key) }
    return named
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

/// The properties of a class by key. They are found once per class.
final class NamedProperties: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  let schema: ClassSchema
  private var byKey: [ExactName: NamedProperty] = [:]

  private init(_ schema: ClassSchema) {
    self.schema = schema
    // The nearest property has precedence, from the class upwards. A name alone has precedence over a name
    // with a class.
    for level in schema.lineage.reversed() {
      for property in level.properties.reversed() {
        byKey[ExactName("\(level.name).\(property.name)")] = NamedProperty(
          property: property, className: level.name)
      }
    }
    for level in schema.lineage.reversed() {
      for property in level.properties.reversed() {
        byKey[ExactName(property.name)] = NamedProperty(property: property, className: level.name)
      }
    }
  }

  /// The property with a key. Nil if there is none.
  subscript(key: String) -> NamedProperty? { byKey[ExactName(key)] }

  /// Returns the error for a key without a property.
  func unknown(_ key: String) -> KeyAccessError {
    let names = schema.lineage.flatMap(\.properties).map(\.name).joined(separator: ", ")
    let isPath = key.utf8.contains(UInt8(ascii: "."))
    return KeyAccessError(
      .unknownKey, found: "no archived property '\(key)'",
      expected: "the name of a property: \(names)" + (isPath ? "; for a key path, use forKeyPath:" : "")
    ).located(className: schema.name, key: key)
  }

  /// Returns the shared properties of a class.
  static func of(_ type: any Archivable.Type) -> NamedProperties {
    let identity = ObjectIdentifier(type)
    if let properties = known.withLock({ $0[identity] }) { return properties }
    let properties = NamedProperties(type.archiveSchema)
    return known.withLock { $0.insert(properties, for: identity) ? properties : $0[identity] ?? properties }
  }

  private static let known = Mutex(ShortMap<ObjectIdentifier, NamedProperties>())
}
