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

  /// Members `$id` and `$ref` mark objects and references, as in several other frameworks.
  ///
  /// The writer writes `"$id": "1"` at the first reference to an object that is referred to several times.
  /// All other references are written as `{"$ref": "1"}`. So graphs with cycles can be written and restored.
  public static let marked = ModelReferences(rawValue: 1 << 0)
  /// JSON objects of a ``ModelIdentifiable`` class represent one object if their identities are equal.
  ///
  /// A writer writes such an object in full at its first reference. At all other references it writes only
  /// the members of the identity, or `$ref` if ``marked`` is set as well.
  public static let identified = ModelReferences(rawValue: 1 << 1)

  /// The name of the member that names an object.
  static let identifierName = "$id"
  /// The name of the member that leads to an object by its name.
  static let referenceName = "$ref"

  /// Whether a member of that name is a mark.
  static func isMark(_ name: String) -> Bool { name == identifierName || name == referenceName }
}

/// A class whose objects are identified by the values of some properties.
///
///     extension User: ModelIdentifiable { static var identifyingProperties: [String] { ["id"] } }
///     let posts = try ModelReader(references: .identified).read([Post].self, from: text)
///     posts[0].author === posts[1].author   // both have the id 7
///
/// If the identities of several JSON objects of the class or its subclasses are equal, they represent one
/// object. Each property gets the last value in the text, even `null`. A missing member changes nothing. A
/// nested object without identity gets its values from the JSON objects at its property in the same way.
/// Different values for a `let` property are reported as a ``ModelIssue``. If a value of the identity is
/// missing or `null`, the JSON object is a separate object.
public protocol ModelIdentifiable: Archivable {
  /// The names of the properties that form the identity, at least one.
  ///
  /// The types of these properties must be `Hashable`, and the values must not contain objects.
  static var identifyingProperties: [String] { get }
}
