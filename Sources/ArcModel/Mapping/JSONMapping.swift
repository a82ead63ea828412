/// A mapping of the properties of a class to JSON members, separate from the class.
///
///     var reader = ModelReader()
///     reader.setMapping(JSONMapping(naming: .snakeCase, except: ["token"]), for: User.self)
///
/// A class declares its default mapping with ``ModelMapping``. A mapping that is set on a reader or writer
/// has priority over the default mapping. So one program can read objects of a class from two servers whose
/// JSON differs. If a mapping names a property that the class does not have, the first read or write of the
/// class throws.
///
/// Several mappings can apply to the objects of a class, in this order:
///
/// 1. the mapping that is set on the reader or writer for the class
/// 2. the mapping that the class declares
/// 3. the mapping that is set on the reader or writer for the superclass, then the mapping that the
///    superclass declares, and so on
///
/// The paths of a property are from the first mapping that contains paths for it. This also applies to the
/// rules and the format of a property, and to the naming strategy. If no mapping contains them, the
/// attributes of the property apply, such as `@Key(json:)`.
///
/// The first mapping that names a property also determines whether the property is mapped. A mapping excludes
/// a property that is in ``except``, or that is not in the mapping's ``only``. Otherwise, a mapping includes
/// a property that is in its ``only``, ``paths``, ``rules`` or ``formats``. So a subclass can include a
/// property that its superclass excludes. If no mapping names a property, the property is mapped, unless it
/// is declared `private` or `fileprivate` without the attributes `@Key(json:)`, `@JSONRule` and
/// `@JSONFormat`.
public struct JSONMapping: Sendable {
  /// The strategy that converts keys to member names. Nil to use the reader's or writer's strategy.
  public var naming: KeyNaming?
  /// The JSON paths of each property, by property name, as in `@Key(json:or:)`.
  public var paths: [String: [String]]
  /// The rules of properties, by property name. For each of these properties, the rules replace `@JSONRule`.
  public var rules: [String: JSONRules]
  /// The formats of properties, by property name. For each of these properties, the format replaces
  /// `@JSONFormat`.
  public var formats: [String: ValueFormat]
  /// The names of the properties that are mapped. Nil if all properties that are not private are mapped.
  public var only: Set<String>?
  /// The names of the properties that are not mapped.
  public var except: Set<String>

  /// Creates a mapping.
  ///
  ///     let mapping = JSONMapping(naming: .snakeCase, paths: ["id": ["user.id", "uid"]], except: ["token"])
  ///
  /// - Parameters:
  ///   - naming: the strategy that converts keys to member names; nil to use the strategy of the reader or
  ///     writer.
  ///   - paths: the JSON paths of each property, by property name.
  ///   - rules: the rules of each property, by property name.
  ///   - formats: the format of each property, by property name.
  ///   - only: the names of the properties that are mapped; nil if all properties that are not private are
  ///     mapped.
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
  /// The names of all properties that appear in the mapping.
  var namesOfProperties: [String] {
    Array(paths.keys) + rules.keys + formats.keys + (only ?? []) + except
  }

  /// Whether the mapping includes a property. False if the mapping excludes it. Nil if the mapping does not
  /// name it.
  func includes(_ property: String) -> Bool? {
    if except.contains(property) { return false }
    if let only { return only.contains(property) }
    let isNamed =
      paths[property]?.isEmpty == false || rules[property] != nil || formats[property] != nil
    return isNamed ? true : nil
  }

  /// The contents of a mapping, in a form that can be compared. A mapping that contains functions has no such
  /// form.
  struct Contents: Hashable {
    let naming: KeyNaming.Predefined?
    let paths: [String: [String]]
    let rules: [String: JSONRules]
    let formats: [String: ValueFormat.Kind.Notation]
    let only: Set<String>?
    let except: Set<String>
  }

  /// The contents of the mapping. Nil if the mapping contains a function, because functions cannot be
  /// compared.
  var contents: Contents? {
    if naming != nil, naming?.predefined == nil { return nil }
    let notations = formats.compactMapValues(\.kind.notation)
    guard notations.count == formats.count else { return nil }
    return Contents(
      naming: naming?.predefined, paths: paths, rules: rules, formats: notations, only: only, except: except)
  }
}

extension [ObjectIdentifier: JSONMapping] {
  /// The contents of all mappings, by type. Nil if a mapping contains a function.
  var contents: [ObjectIdentifier: JSONMapping.Contents]? {
    let contents = compactMapValues(\.contents)
    return contents.count == count ? contents : nil
  }
}
