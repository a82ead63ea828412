/// Makes a class, structure or enumeration archivable.
///
///     @Archivable class Animal { var name = ""; weak var mother: Animal? }
///     @Archivable final class Dog: Animal { var tricks: [String] = [] }
///
/// The stored properties in the declaration itself are archived. The properties of a superclass are archived
/// by the superclass's own `@Archivable`. Properties that are `static`, computed, `lazy` or marked
/// `@Transient` are omitted.
///
/// A type that was renamed is found under its former names:
///
///     @Archivable(formerly: "Drawing") final class Picture { var title = "" }
///
/// New files then contain the new name. An older release of the program does not find the class under this
/// name. If older releases may open new files, keep the old name in files instead:
///
///     @Archivable("Drawing") final class Picture { var title = "" }
///
/// A type belongs to a global actor if it has an attribute whose name ends in `Actor`, such as `@MainActor`.
/// A subclass belongs to the actor of its archivable superclass.
///
/// - Parameters:
///   - name: the coded name in files. (default: the name with its enclosing types, without the module)
///   - formerNames: the coded names in older files, from before the type was renamed or moved.
///   - superclass: whether the superclass is archivable. Needed only if another macro on the same class adds
///     conformances, because the compiler then cannot determine this.
@attached(
  member, conformances: Archivable, ArchivableByCoding, ArchivableByConversion, names: named(init),
  named(encode(to:)), named(link(from:)),
  named(archiveSchema), named(__archiveName), named(__typeEncoding(in:)), named(__write(to:)),
  named(__read(from:)), named(__checkDeclarations), named(__Announced), named(__Forms))
@attached(
  extension, conformances: Archivable, ArchivableValue, ColumnValue, names: named(init(__reading:)),
  named(__archiveName),
  named(__typeEncoding(in:)), named(__write(to:)), named(__read(from:)),
  named(__checkDeclarations))
public macro Archivable(
  _ name: String? = nil, formerly formerNames: String..., superclass: ArchivableSuperclass = .automatic
) = #externalMacro(module: "ArcMacros", type: "ArchivableMacro")

/// Names the key of a property in files, and the older keys that are tried after it.
///
///     @Key("name", "fullName") var name: String
@attached(peer)
public macro Key(_ key: String, _ olderKeys: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Converts the value under an older key to the value of the property. Files are written without the older
/// key.
///
///     @Key("lineWidth", from: Int.self, { Double($0) / 10 }) var width = 1.0
///
/// The property is a property of a class or a field of a structure. The conversion is used if a file has no
/// value under the property's own keys. For a property of a class, the conversion is also used if the older
/// value is more recent than the property's own value, because an older release of the program changed the
/// older value. If several such attributes mark the property, the first attribute whose key exists in the
/// file is used. When the conversion is called, the objects in the older value exist, but their references
/// may not be set yet. For a `let` property of a class, the objects in the older value are built before the
/// object that has the property.
@attached(peer)
public macro Key<Old: ArchivableValue, Value>(
  _ key: String, from type: Old.Type, _ convert: (Old) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Converts the values under two older keys to the value of the property.
///
///     @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var name = ""
@attached(peer)
public macro Key<Old1: ArchivableValue, Old2: ArchivableValue, Value>(
  _ key1: String, _ key2: String, from types: (Old1, Old2).Type, _ convert: (Old1, Old2) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Converts the values under three older keys to the value of the property.
///
///     @Key("r", "g", "b", from: (Int, Int, Int).self, { Color($0, $1, $2) }) var color = Color()
@attached(peer)
public macro Key<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue, Value>(
  _ key1: String, _ key2: String, _ key3: String, from types: (Old1, Old2, Old3).Type,
  _ convert: (Old1, Old2, Old3) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Excludes a property from archives. The property needs an initial value.
///
///     @Transient var cache: [String: Image] = [:]
@attached(peer)
public macro Transient() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Archives a property of a `Codable` type by its `Codable` conformance. The archive stores each value that
/// `encode(to:)` encodes, by key.
///
///     @Coded var style = Style()
///
/// A property whose type conforms to ``ArchivableByCoding`` does not need `@Coded`.
@attached(peer)
public macro Coded() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Archives a property of type `Any` or `AnyObject`, or a collection of such values, with the type of each
/// value.
///
///     @Boxed var attributes: [String: Any] = [:]
///
/// When the property is archived, each value must have an archivable type. When the property is read, the
/// reader searches the types of the program for the type of each value. It also finds arrays, sets,
/// dictionaries and optionals of these types. Other generic types must be registered. If the scope of the
/// class table is `subclasses` or `declared`, all types of the program must be registered. A property of type
/// `any P` does not need `@Boxed`.
@attached(peer)
public macro Boxed() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// The assumption of `@Archivable` about a class's superclass.
public enum ArchivableSuperclass: Sendable {
  /// The compiler determines whether the superclass is archivable.
  case automatic
  /// The superclass is archivable. Generated members override its members.
  case archivable
  /// The class has no superclass, or its superclass is not archivable and has an `init()`.
  case notArchivable
}
