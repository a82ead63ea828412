public import Arc

/// The rules by which several JSON values represent one object.
///
///     let reader = ModelReader(references: [.marked, .identified])
///
/// Without a rule, each JSON object is a separate object. A writer then writes an object in full at each
/// reference, and an object that contains itself is an error.
public struct ModelReferences: OptionSet, Hashable, Sendable {
  /// The rules as bits.
  public let rawValue: UInt8
  /// Creates rules from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A JSON object `{"$ref": "1"}` represents the object with the member `"$id": "1"`.
  ///
  /// Several other frameworks use the members `$id` and `$ref` like this. If several references refer to an
  /// object, the writer writes the object in full, with `$id`, at the first reference. At all other
  /// references, it writes `$ref`. So graphs with cycles can be written and restored. A reader also reads an
  /// array from an object `{"$id": "1", "$values": […]}`, which some .NET frameworks write.
  public static let marked = ModelReferences(rawValue: 1 << 0)
  /// JSON objects of a ``ModelIdentifiable`` class represent one object if their identities are equal.
  ///
  /// A writer writes an object of such a class in full at the first reference. At all other references, the
  /// writer writes only the members of the identity, or `$ref` if ``marked`` is set as well.
  public static let identified = ModelReferences(rawValue: 1 << 1)

  /// The name of the member that identifies an object.
  static let identifierName = "$id"
  /// The name of the member that refers to an object by its `$id`.
  static let referenceName = "$ref"
  /// The name of the member that contains the elements of an array with an `$id`.
  static let valuesName = "$values"

  /// Whether a member name is `$id` or `$ref`.
  static func isMark(_ name: String) -> Bool { name == identifierName || name == referenceName }
}

/// A class whose objects are identified by the values of some properties.
///
///     @Archivable final class User: ModelIdentifiable {
///       var id = 0
///       static var identifyingProperties: [String] { ["id"] }
///     }
///     let posts = try ModelReader(references: .identified).read([Post].self, from: text)
///     posts[0].author === posts[1].author   // both have the id 7
///
/// JSON objects of the class or its subclasses represent one object if their identities are equal. So objects
/// of two subclasses must have different identities. This does not apply if each subclass declares the
/// conformance itself and the superclass does not conform. If the JSON objects have different values for a
/// property, the property gets the last value in the text, even `null`. A missing member changes nothing. If
/// a property contains an object without an identity, the JSON objects for this property are combined by the
/// same rules. Different values for a `let` property are reported as a ``ModelIssue``. If a value of the
/// identity is missing or `null` in the JSON, the JSON object is a separate object.
public protocol ModelIdentifiable: Archivable {
  /// The names of the properties that form the identity, at least one.
  ///
  /// The types of these properties must be `Hashable`, and the values must not contain objects. If the class
  /// does not have one of the properties, reading and writing with ``ModelReferences/identified`` throws.
  static var identifyingProperties: [String] { get }
}

extension ModelIdentifiable {
  /// The names of the properties that form the identity.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` if the class does not archive one of the properties.
  static func knownIdentifyingProperties() throws -> [String] {
    let names = Set(archiveSchema.lineage.flatMap(\.properties).map(\.name))
    if let unknown = identifyingProperties.first(where: { !names.contains($0) }) {
      throw ArchiveError(
        .notArchivable, found: "the unknown identifying property '\(unknown)'",
        expected: "an archived property of the class",
        remedy: "correct the name in 'identifyingProperties', or remove '@Transient' from the property",
        className: archiveSchema.name, key: unknown)
    }
    return identifyingProperties
  }
}
