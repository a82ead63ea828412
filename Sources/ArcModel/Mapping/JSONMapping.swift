/// A mapping of a class's properties to JSON that is stated separately from their declarations.
///
///     var reader = ModelReader()
///     reader.setMapping(JSONMapping(naming: .snakeCase, except: ["token"]), for: User.self)
///
/// A class states its own mapping by ``ModelMapping``. The mapping of a reader or writer has priority, so
/// that objects of one class can come from two servers. If the class has no property with a name in the
/// mapping, its first reading or writing throws.
public struct JSONMapping: Sendable {
  /// The strategy that converts keys to names of members. Nil if the strategy of the reader or writer is
  /// used.
  public var naming: KeyNaming?
  /// The JSON paths of each property, by property name, as in `@Key(json:or:)`.
  public var paths: [String: [String]]
  /// The rules by property name. They replace the rules declared with `@JSONRule`.
  public var rules: [String: JSONRules]
  /// The formats by property name. They replace the formats declared with `@JSONFormat`.
  public var formats: [String: ValueFormat]
  /// The names of the properties that are mapped. Nil if all properties are mapped.
  public var only: Set<String>?
  /// The names of the properties that are not mapped.
  public var except: Set<String>

  /// Creates a mapping.
  ///
  ///     let mapping = JSONMapping(naming: .snakeCase, paths: ["id": ["user.id", "uid"]], except: ["token"])
  ///
  /// - Parameters:
  ///   - naming: the strategy that converts keys to names of members; nil if the strategy of the reader or
  ///     writer is used.
  ///   - paths: the JSON paths of each property, by property name.
  ///   - rules: the rules of each property, by property name.
  ///   - formats: the format of each property, by property name.
  ///   - only: the names of the properties that are mapped; nil if all properties are mapped.
  ///   - except: the names of the properties that are not mapped.
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
