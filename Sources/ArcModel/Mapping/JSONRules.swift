public import Arc

/// What `@JSON` says of a property: whether it is read from JSON, and whether it is written to it.
public struct JSONRules: OptionSet, Hashable, Sendable, PropertyMark {
  /// The rules as bits.
  public let rawValue: UInt8
  /// Creates rules from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Creates rules of several: what `@JSON` expands to.
  @_documentation(visibility: internal)
  public init(_ rules: JSONRules...) { self = rules.reduce([]) { $0.union($1) } }

  /// Its member must be there, whether the property has an initial value or not.
  public static let required = JSONRules(rawValue: 1 << 0)
  /// It is in archives, and neither read from JSON nor written to it.
  public static let omitted: JSONRules = [.readOnly, .writeOnly]
  /// It is read from JSON, and not written to it.
  public static let readOnly = JSONRules(rawValue: 1 << 1)
  /// It is written to JSON, and not read from it.
  public static let writeOnly = JSONRules(rawValue: 1 << 2)
  /// A weak property is written to JSON, which it is not otherwise. It is not read: nothing in JSON would
  /// keep the object that it leads to.
  public static let included = JSONRules(rawValue: 1 << 3)
  /// The members of the property's value, a structure, are members of the object itself.
  public static let embedded = JSONRules(rawValue: 1 << 4)
  /// An update adds to the collection that the property has, in place of taking the text's: to an array the
  /// elements, but for objects that are in it already, to a set those that it does not have, to a dictionary
  /// the entries, which replace those of equal keys. `null` is nil, as always.
  public static let merged = JSONRules(rawValue: 1 << 5)

  /// Whether the property is read from JSON.
  var isRead: Bool { !contains(.writeOnly) }
  /// Whether the property is written to JSON.
  var isWritten: Bool { !contains(.readOnly) }
}

/// Where in JSON the value of a property is: what `@Key` says of it.
@_documentation(visibility: internal)
public struct JSONKeys: Sendable, PropertyMark {
  /// The ways to the value, from the object: the first that leads to one that is not null counts, and the
  /// value is written under the first of all.
  public let paths: [String]
  /// Creates keys of several paths.
  public init(json path: String, or others: String...) { paths = [path] + others }
}
