import ArcRuntime
import Synchronization

/// A property with the class that declares it, for errors that name both.
struct NamedProperty {
  let property: PropertySchema
  let className: String

  /// The property of an object that a key names. Throws `unknownKey` if there is none.
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

/// The properties of a class by their keys, found once for each class.
final class NamedProperties: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  let schema: ClassSchema
  private var byKey: [ExactName: NamedProperty] = [:]

  private init(_ schema: ClassSchema) {
    self.schema = schema
    // The nearest one counts, from the class upwards, and names alone before those with a class.
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

  /// The property that a key names; nil if there is none.
  subscript(key: String) -> NamedProperty? { byKey[ExactName(key)] }

  /// The error for a key that names no property.
  func unknown(_ key: String) -> KeyAccessError {
    let names = schema.lineage.flatMap(\.properties).map(\.name).joined(separator: ", ")
    let isPath = key.utf8.contains(UInt8(ascii: "."))
    return KeyAccessError(
      .unknownKey, found: "no archived property '\(key)'",
      expected: "the name of a property: \(names)" + (isPath ? "; for a key path, use forKeyPath:" : "")
    ).located(className: schema.name, key: key)
  }

  /// The properties of a class.
  static func of(_ type: any Archivable.Type) -> NamedProperties {
    let identity = ObjectIdentifier(type)
    if let properties = known.withLock({ $0[identity] }) { return properties }
    let properties = NamedProperties(type.archiveSchema)
    return known.withLock { $0.insert(properties, for: identity) ? properties : $0[identity] ?? properties }
  }

  private static let known = Mutex(ShortMap<ObjectIdentifier, NamedProperties>())
}
