/// Makes a class, structure or enumeration archivable.
///
///     @Archivable class Animal { var name = ""; weak var mother: Animal? }
///     @Archivable final class Dog: Animal { var tricks: [String] = [] }
///
/// Archived are the stored properties in the declaration itself; those of a superclass by the superclass's
/// own `@Archivable`. Left out are `static`, computed and `lazy` properties, and those marked `@Transient`.
///
/// Of an attribute's name only its end tells a global actor: archivable types are marked for those that are
/// named `…Actor`, as `MainActor` is. A subclass belongs to the actor of its archivable superclass.
///
/// - Parameters:
///   - name: The coded name in files; by default the name with its enclosing types, without the module.
///   - superclass: Says whether the superclass is archivable where the compiler cannot, because another macro
///     on the same class adds conformances.
@attached(
  member, conformances: Archivable, ArchivableByCoding, ArchivableByConversion, names: named(init),
  named(encode(to:)), named(link(from:)),
  named(archiveSchema), named(__archiveName), named(__typeEncoding(in:)), named(__write(to:)),
  named(__read(from:)), named(__checkDeclarations), named(__Announcement), named(__Forms))
@attached(
  extension, conformances: Archivable, ArchivableValue, ColumnValue, names: named(init(__reading:)),
  named(__archiveName),
  named(__typeEncoding(in:)), named(__write(to:)), named(__read(from:)),
  named(__checkDeclarations))
public macro Archivable(_ name: String? = nil, superclass: ArchivableSuperclass = .automatic) =
  #externalMacro(module: "ArcMacros", type: "ArchivableMacro")

/// Names the key of a property in files, and older keys that are looked for after it.
///
///     @Key("name", "fullName") var name: String
@attached(peer)
public macro Key(_ key: String, _ olderKeys: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Makes a property's value of one that older files have under another key, and perhaps as another type.
/// Files are never written with it.
///
///     @Key("lineWidth", from: Int.self, { Double($0) / 10 }) var width = 1.0
///
/// It counts where a file has none of the property's own keys. Of several such marks the first counts whose
/// keys a file has. Objects in the older value exist, but perhaps without their links; a constant property
/// has them built before its own object.
@attached(peer)
public macro Key<Old: ArchivableValue, Value>(
  _ key: String, from type: Old.Type, _ convert: (Old) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Makes a property's value of two that older files have under other keys.
///
///     @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var name = ""
@attached(peer)
public macro Key<Old1: ArchivableValue, Old2: ArchivableValue, Value>(
  _ key1: String, _ key2: String, from types: (Old1, Old2).Type, _ convert: (Old1, Old2) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Makes a property's value of three that older files have under other keys.
@attached(peer)
public macro Key<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue, Value>(
  _ key1: String, _ key2: String, _ key3: String, from types: (Old1, Old2, Old3).Type,
  _ convert: (Old1, Old2, Old3) throws -> Value
) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Leaves a property out of archives; it needs an initial value.
@attached(peer)
public macro Transient() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Archives a property of a `Codable` type as what its value encodes, by keys.
///
///     @Coded var style = Style()
///
/// A type that conforms to ``ArchivableByCoding`` needs no mark.
@attached(peer)
public macro Coded() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Archives a property whose values say themselves what they are: `Any`, `AnyObject`, and collections of
/// them.
///
///     @Boxed var attributes: [String: Any] = [:]
///
/// Each value must be archivable when it is archived. When it is read, its type is found among those of the
/// program, as are arrays, sets, dictionaries and optionals of such; other generic types are registered, and
/// with a closed class table all. A property of type `any P` needs no mark.
@attached(peer)
public macro Boxed() = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// What `@Archivable` assumes of a class's superclass.
public enum ArchivableSuperclass: Sendable {
  /// The compiler tells whether the superclass is archivable.
  case automatic
  /// The superclass is archivable: generated members override its members.
  case archivable
  /// There is no superclass, or it is not archivable and has an `init()`.
  case notArchivable
}
