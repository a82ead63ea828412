public import Arc

/// What tells in JSON that several places have the same object. With nothing each JSON object is an object of
/// its own: one is written wherever it is referred to, and one inside of itself is an error.
public struct ModelReferences: OptionSet, Hashable, Sendable {
  /// What tells it as bits.
  public let rawValue: UInt8
  /// Creates a set from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Members `$id` and `$ref`, as several frameworks have them. An object that is referred to more than once
  /// begins with `"$id": "1"` where it is met first, and is `{"$ref": "1"}` everywhere else: so that graphs
  /// with cycles are written, and come back as they were.
  public static let marked = ModelReferences(rawValue: 1 << 0)
  /// The identity of objects whose class is ``ModelIdentifiable``. Such an object is written whole where it
  /// is met first, and elsewhere with the members of its identity alone, unless it is marked there.
  public static let identified = ModelReferences(rawValue: 1 << 1)

  /// The name of the member that names an object.
  static let identifierName = "$id"
  /// The name of the member that leads to an object by its name.
  static let referenceName = "$ref"

  /// Whether a member of that name is a mark.
  static func isMark(_ name: String) -> Bool { name == identifierName || name == referenceName }
}

/// A class of whose objects some properties tell who they are: two JSON objects of the class, or of
/// subclasses, with equal values of these are one object.
///
///     extension User: ModelIdentifiable { static var identifyingProperties: [String] { ["id"] } }
///     let posts = try ModelReader(references: .identified).read([Post].self, from: text)
///     posts[0].author === posts[1].author   // both have the id 7
///
/// The object is made of all of them: of the values of a property the last one in the text counts, `null`
/// too; a missing one says nothing. An object without an identity that a property of one refers to directly
/// is made of all in its places in the same way. A value of a constant that differs is an issue. A JSON
/// object without a value for some property of the identity, or with `null`, is an object of its own.
public protocol ModelIdentifiable: Archivable {
  /// The names of the properties that tell objects of the class apart: one or more, `Hashable`, and without
  /// objects in their values.
  static var identifyingProperties: [String] { get }
}
