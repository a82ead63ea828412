/// How the properties of a class are mapped to JSON, where that is not said at their declarations.
///
/// A class states its own by ``ModelMapping``. One that is given to a reader or writer counts before it: so
/// that objects of one class can come from two servers. A property that a class does not have is an error
/// when the class is first read or written.
public struct JSONMapping: Sendable {
  /// How the names of members are made of keys; nil for the reader's or writer's own.
  public var naming: KeyNaming?
  /// The ways to the values of properties, by the names of these: as `@Key(json:or:)` has them.
  public var paths: [String: [String]]
  /// What `@JSON` says otherwise, by the names of properties.
  public var rules: [String: JSONRules]
  /// What `@Format` says otherwise, by the names of properties.
  public var formats: [String: ValueFormat]
  /// The only properties that are mapped; nil for all.
  public var only: Set<String>?
  /// Properties that are not mapped.
  public var except: Set<String>

  /// Creates a mapping.
  public init(
    naming: KeyNaming? = nil, paths: [String: [String]] = [:], rules: [String: JSONRules] = [:],
    formats: [String: ValueFormat] = [:], only: Set<String>? = nil, except: Set<String> = []
  ) {
    self.naming = naming
    self.paths = paths
    self.rules = rules
    self.formats = formats
    self.only = only
    self.except = except
  }
}

extension JSONMapping {
  /// The names of all properties that something is said of.
  var namesOfProperties: [String] {
    Array(paths.keys) + rules.keys + formats.keys + (only ?? []) + except
  }
}
