public import Arc

/// Rules for reading a property from JSON and writing it to JSON, as in `@JSONRule`.
public struct JSONRules: OptionSet, Hashable, Sendable, __PropertyMark {
  /// The rules as bits.
  public let rawValue: UInt8
  /// Creates rules from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Creates the union of several rules, for the expansion of `@JSONRule`.
  @_documentation(visibility: internal)
  public init(_ rules: JSONRules...) { self = rules.reduce([]) { $0.union($1) } }

  /// The member must be present, even if the property is optional or has an initial value.
  ///
  /// A member is also present if its value is `null`, or if a lenient reader skips its value.
  public static let required = JSONRules(rawValue: 1 << 0)
  /// The property is archived, but neither read from JSON nor written to JSON.
  public static let omitted: JSONRules = [.readOnly, .writeOnly]
  /// The property is read from JSON, but not written.
  public static let readOnly = JSONRules(rawValue: 1 << 1)
  /// The property is written to JSON, but not read.
  public static let writeOnly = JSONRules(rawValue: 1 << 2)
  /// A weak property is written to JSON.
  ///
  /// Without this rule, the writer does not write weak properties. A reader never reads weak properties,
  /// because nothing would retain the object that the reader builds.
  public static let included = JSONRules(rawValue: 1 << 3)
  /// The fields of the property's structure are members of the JSON object that contains the property.
  public static let embedded = JSONRules(rawValue: 1 << 4)
  /// An update adds elements to the property's collection instead of replacing the collection.
  ///
  /// An array gets the elements of the JSON text. Objects that the array already contains are not added
  /// again. A set gets the elements that it does not contain yet. A dictionary gets the entries of the text,
  /// which replace entries with equal keys. The value `null` sets the property to nil.
  public static let merged = JSONRules(rawValue: 1 << 5)
  /// An update replaces the property's structure or object as a whole.
  ///
  /// Without this rule, an update of a structure changes only the fields for which the JSON text has members.
  /// An update of an object changes the existing object.
  public static let replaced = JSONRules(rawValue: 1 << 6)

  /// Whether the property is read from JSON.
  var isRead: Bool { !contains(.writeOnly) }
  /// Whether the property is written to JSON.
  var isWritten: Bool { !contains(.readOnly) }
}

/// The JSON paths of a property, as in `@Key(json:or:)`.
@_documentation(visibility: internal)
public struct __JSONKeys: Sendable, __PropertyMark {
  /// The paths from the object to the value.
  ///
  /// The reader uses the first path whose value exists and is not `null`. The writer uses the first path.
  public let paths: [String]
  /// Creates the paths of a property.
  public init(json path: String, or others: String...) { paths = [path] + others }
}
